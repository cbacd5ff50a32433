//! Panics. Where nothing in the program catches any, a panic is an end of the program that the reader knows, and this is
//! compiled with `panic=abort`; else they unwind.

pub use ::std::panic::*;

use core::panic::PanicPayload;
use core::panicking::AssertKind;
use std::any::Any;
use std::cell::Cell;
use std::fmt;

pub(crate) const ARE_CAUGHT: bool = cfg!(panic = "unwind");

/// How many panics this thread has thrown that are not caught. A `LocalKey` would be asked at each lock, through eight
/// functions, and could itself panic, as far as the IR says.
#[thread_local]
static THROWN: Cell<usize> = Cell::new(0);

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static>;

extern "C" {
    /// Whether somebody around catches a panic.
    fn xgen_is_caught() -> bool;
}

extern "C-unwind" {
    fn abort() -> !;
    fn xgen_throw(payload: *mut u8) -> !;
}

#[inline]
pub(crate) fn panicking() -> bool {
    ARE_CAUGHT && THROWN.get() > 0
}

fn throw(payload: Box<dyn Any + Send>) -> ! {
    unsafe {
        if !xgen_is_caught() {
            abort();
        }
        THROWN.set(THROWN.get() + 1);
        xgen_throw(Box::into_raw(Box::new(payload)) as *mut u8)
    }
}

pub fn resume_unwind(payload: Box<dyn Any + Send>) -> ! {
    throw(payload)
}

pub fn panic_any<M: 'static + Any + Send>(message: M) -> ! {
    throw(Box::new(message))
}

/// Nothing is printed, so hooks are not called.
pub fn set_hook(hook: Hook) {
    std::mem::forget(hook);
}

pub fn take_hook() -> Hook {
    Box::new(|_| {})
}

/// A panic whose message is not made: nobody sees it but who catches it.
#[no_mangle]
pub fn xgen_panic() -> ! {
    throw(Box::new(String::new()))
}

/// `core::panicking::panic_fmt`
#[no_mangle]
pub fn xgen_panic_fmt(message: fmt::Arguments<'_>, _: &'static Location<'static>) -> ! {
    match message.as_str() {
        Some(text) => throw(Box::new(text)),
        None => xgen_panic(),
    }
}

/// The same where the message is asked for.
#[no_mangle]
pub fn xgen_panic_told(message: fmt::Arguments<'_>, _: &'static Location<'static>) -> ! {
    match message.as_str() {
        Some(text) => throw(Box::new(text)),
        None => throw(Box::new(fmt::format(message))),
    }
}

/// `core::panicking::assert_failed`, of any two types: the values are not told.
#[no_mangle]
pub fn xgen_assert_failed(
    kind: AssertKind,
    _: &u8,
    _: &u8,
    message: Option<fmt::Arguments<'_>>,
    _: &'static Location<'static>,
) -> ! {
    let what = match kind {
        AssertKind::Eq => "assertion `left == right` failed",
        AssertKind::Ne => "assertion `left != right` failed",
        AssertKind::Match => "assertion `left matches right` failed",
    };
    match message {
        Some(more) => throw(Box::new(format!("{what}: {more}"))),
        None => throw(Box::new(what)),
    }
}

#[no_mangle]
pub fn xgen_bounds_check(index: usize, len: usize) -> ! {
    throw(Box::new(format!("index out of bounds: the len is {len} but the index is {index}")))
}

#[no_mangle]
pub fn xgen_panic_explicit() -> ! {
    throw(Box::new("explicit panic"))
}

#[no_mangle]
pub fn xgen_expect_failed(message: &str) -> ! {
    throw(Box::new(String::from(message)))
}

#[no_mangle]
pub fn xgen_unwrap_failed() -> ! {
    throw(Box::new("called `Option::unwrap()` on a `None` value"))
}

#[no_mangle]
pub fn xgen_result_failed(message: &str, error: &dyn fmt::Debug) -> ! {
    throw(Box::new(format!("{message}: {error:?}")))
}

/// `std::panicking::panic_with_hook`, by which `panic!` of the older editions comes here.
#[no_mangle]
pub unsafe fn xgen_panic_with_hook(
    payload: &mut dyn PanicPayload,
    _: &'static Location<'static>,
    _: bool,
    _: bool,
) -> ! {
    throw(unsafe { Box::from_raw(payload.take_box()) })
}

/// `core::panicking::panic`
#[no_mangle]
pub fn xgen_panic_str(message: &'static str, _: &'static Location<'static>) -> ! {
    throw(Box::new(message))
}

/// What is caught, in the body of `catch_unwind`.
#[no_mangle]
pub unsafe fn xgen_panic_cleanup(thrown: *mut u8) -> Box<dyn Any + Send> {
    THROWN.set(THROWN.get() - 1);
    *unsafe { Box::from_raw(thrown as *mut Box<dyn Any + Send>) }
}
