//! The crate `test` as `rustc --test` names it in the main that it makes. xgen writes the test that is wanted into the
//! place of the first one, and reads what is told of each in the constants: they have the form of C.

#![feature(never_type)]
#![allow(non_snake_case, non_camel_case_types)]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

#[repr(C)]
pub struct StaticTestName(pub &'static str);

#[repr(u64)]
pub enum ShouldPanic {
    No,
    Yes,
    YesWithMessage(&'static str),
}

#[repr(u8)]
pub enum TestType {
    UnitTest,
    IntegrationTest,
    DocTest,
    Unknown,
}

#[repr(C)]
pub struct StaticTestFn(pub fn() -> Result<(), String>);

#[repr(C)]
pub struct TestDesc {
    pub name: StaticTestName,
    pub source_file: &'static str,
    pub start_line: usize,
    pub should_panic: ShouldPanic,
    pub ignore: bool,
    pub ignore_message: Option<&'static str>,
    pub start_col: usize,
    pub end_line: usize,
    pub end_col: usize,
    pub compile_fail: bool,
    pub no_run: bool,
    pub test_type: TestType,
}

#[repr(C)]
pub struct TestDescAndFn {
    pub desc: TestDesc,
    pub testfn: StaticTestFn,
}

/// What a test may return. (`std::process::Termination` says it by what it prints.)
pub trait Ends {
    fn is_good(&self) -> bool;
}

impl Ends for () {
    fn is_good(&self) -> bool {
        true
    }
}

impl Ends for ! {
    fn is_good(&self) -> bool {
        *self
    }
}

impl Ends for ExitCode {
    fn is_good(&self) -> bool {
        *self == ExitCode::SUCCESS
    }
}

impl<T: Ends, E> Ends for Result<T, E> {
    fn is_good(&self) -> bool {
        self.as_ref().is_ok_and(T::is_good)
    }
}

#[inline]
pub fn assert_test_result<T: Ends>(result: T) -> Result<(), String> {
    if result.is_good() { Ok(()) } else { panic!("the test returned an error") }
}

extern "C" {
    /// Says that a panic is what the test is to end with: one of a thread is seen by who joins it.
    fn xgen_expects_panic();
    /// It is nowhere: what a panic says is not known.
    fn xgen_message_of_a_panic();
}

/// What the main that rustc makes calls: xgen puts the one or the other of those below there.
#[inline(never)]
pub fn test_main_static(tests: &[&TestDescAndFn]) {
    xgen_passes(tests);
    xgen_panics(tests);
}

#[no_mangle]
pub fn xgen_passes(tests: &[&TestDescAndFn]) {
    let _ = (tests[0].testfn.0)();
}

#[no_mangle]
pub fn xgen_panics(tests: &[&TestDescAndFn]) {
    let part = match tests[0].desc.should_panic {
        ShouldPanic::YesWithMessage(part) => part,
        _ => "",
    };
    unsafe { xgen_expects_panic() };
    match catch_unwind(AssertUnwindSafe(|| xgen_passes(tests))) {
        Ok(()) => panic!("the test did not panic, as it should"),
        Err(told) if part.is_empty() || has(message(&*told), part) => {}
        Err(_) => panic!("the test panicked with another message than it should"),
    }
}

/// Whether a part stands in a text. (That of `str` is made for long texts.)
fn has(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let mut start = 0;
    while start + part.len() <= text.len() {
        if (0..part.len()).all(|at| text[start + at] == part[at]) {
            return true;
        }
        start += 1;
    }
    false
}

/// What a panic says. A text that is empty was not made.
fn message(told: &(dyn Any + Send)) -> &str {
    let text = match told.downcast_ref::<&'static str>() {
        Some(text) => text,
        None => told.downcast_ref::<String>().map_or("no text", |text| text),
    };
    if text.is_empty() {
        unsafe { xgen_message_of_a_panic() };
    }
    text
}
