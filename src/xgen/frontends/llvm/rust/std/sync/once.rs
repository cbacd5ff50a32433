use super::rwlock::about_to_wait;
use crate::panic::ARE_CAUGHT;
use std::cell::UnsafeCell;
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::atomic::{AtomicU32, Ordering};

const NEW: u32 = 0;
const RUNNING: u32 = 1;
const DONE: u32 = 2;
const POISONED: u32 = 3;

pub struct Once {
    state: AtomicU32,
}

#[allow(clippy::declare_interior_mutable_const)]
pub const ONCE_INIT: Once = Once::new();

#[derive(Debug)]
pub struct OnceState(bool);

impl OnceState {
    #[inline]
    pub fn is_poisoned(&self) -> bool {
        self.0
    }
}

/// What the state becomes where a function ends, also by a panic.
struct Ends<'a> {
    state: &'a AtomicU32,
    then: u32,
}

impl Drop for Ends<'_> {
    #[inline]
    fn drop(&mut self) {
        self.state.store(self.then, Ordering::Release);
    }
}

impl Once {
    #[inline]
    pub const fn new() -> Once {
        Once { state: AtomicU32::new(NEW) }
    }

    #[inline]
    pub fn call_once<F: FnOnce()>(&self, f: F) {
        self.call(false, |_| f());
    }

    #[inline]
    pub fn call_once_force<F: FnOnce(&OnceState)>(&self, f: F) {
        self.call(true, f);
    }

    #[inline]
    fn call<F: FnOnce(&OnceState)>(&self, force: bool, f: F) {
        if self.state.load(Ordering::Acquire) == DONE {
            return;
        }
        if let Some(poisoned) = self.begin(force) {
            let mut ends = Ends { state: &self.state, then: POISONED };
            f(&OnceState(poisoned));
            ends.then = DONE;
        }
    }

    /// Whether the function is to be called here, and has panicked before.
    #[inline]
    fn begin(&self, force: bool) -> Option<bool> {
        let mut found = match self.state.compare_exchange(NEW, RUNNING, Ordering::Acquire, Ordering::Acquire) {
            Ok(_) => return Some(false),
            Err(found) => found,
        };
        loop {
            if found == RUNNING {
                found = self.ended();
            }
            if found == DONE || !ARE_CAUGHT {
                return None;
            }
            if !force {
                poisoned();
            }
            match self.state.compare_exchange(POISONED, RUNNING, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => return Some(true),
                Err(other) => found = other,
            }
        }
    }

    #[inline]
    fn ended(&self) -> u32 {
        about_to_wait();
        loop {
            let state = self.state.load(Ordering::Acquire);
            if state != RUNNING {
                return state;
            }
        }
    }

    #[inline]
    pub fn is_completed(&self) -> bool {
        self.state.load(Ordering::Acquire) == DONE
    }

    #[inline]
    pub fn wait(&self) {
        about_to_wait();
        loop {
            match self.state.load(Ordering::Acquire) {
                DONE => return,
                POISONED if ARE_CAUGHT => poisoned(),
                _ => {}
            }
        }
    }

    #[inline]
    pub fn wait_force(&self) {
        about_to_wait();
        while self.state.load(Ordering::Acquire) != DONE {}
    }
}

fn poisoned() -> ! {
    panic!("Once instance has previously been poisoned")
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Once")
    }
}

pub struct OnceLock<T> {
    once: Once,
    value: UnsafeCell<MaybeUninit<T>>,
}

unsafe impl<T: Sync + Send> Sync for OnceLock<T> {}
unsafe impl<T: Send> Send for OnceLock<T> {}

impl<T> OnceLock<T> {
    #[inline]
    pub const fn new() -> OnceLock<T> {
        OnceLock { once: Once::new(), value: UnsafeCell::new(MaybeUninit::uninit()) }
    }

    #[inline]
    pub fn get(&self) -> Option<&T> {
        if self.once.is_completed() { Some(unsafe { self.known() }) } else { None }
    }

    #[inline]
    pub fn get_mut(&mut self) -> Option<&mut T> {
        if self.once.is_completed() { Some(unsafe { (*self.value.get()).assume_init_mut() }) } else { None }
    }

    #[inline]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.get_or_init(|| value.take().unwrap());
        match value {
            None => Ok(()),
            Some(value) => Err(value),
        }
    }

    #[inline]
    pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T {
        self.once.call_once_force(|_| unsafe {
            (*self.value.get()).write(f());
        });
        unsafe { self.known() }
    }

    #[inline]
    pub fn wait(&self) -> &T {
        self.once.wait_force();
        unsafe { self.known() }
    }

    #[inline]
    pub fn into_inner(mut self) -> Option<T> {
        self.take()
    }

    #[inline]
    pub fn take(&mut self) -> Option<T> {
        if !self.once.is_completed() {
            return None;
        }
        self.once = Once::new();
        Some(unsafe { (*self.value.get()).assume_init_read() })
    }

    #[inline]
    unsafe fn known(&self) -> &T {
        unsafe { (*self.value.get()).assume_init_ref() }
    }
}

impl<T> Drop for OnceLock<T> {
    #[inline]
    fn drop(&mut self) {
        if std::mem::needs_drop::<T>() && self.once.is_completed() {
            unsafe { (*self.value.get()).assume_init_drop() };
        }
    }
}

impl<T> Default for OnceLock<T> {
    fn default() -> OnceLock<T> {
        OnceLock::new()
    }
}

impl<T> From<T> for OnceLock<T> {
    fn from(value: T) -> OnceLock<T> {
        let made = OnceLock::new();
        let _ = made.set(value);
        made
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    fn clone(&self) -> OnceLock<T> {
        self.get().map_or_else(OnceLock::new, |value| OnceLock::from(value.clone()))
    }
}

impl<T: PartialEq> PartialEq for OnceLock<T> {
    fn eq(&self, other: &OnceLock<T>) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for OnceLock<T> {}

impl<T: RefUnwindSafe + UnwindSafe> RefUnwindSafe for OnceLock<T> {}
impl<T: UnwindSafe> UnwindSafe for OnceLock<T> {}

impl<T> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnceLock")
    }
}

pub struct LazyLock<T, F = fn() -> T> {
    once: Once,
    value: UnsafeCell<MaybeUninit<T>>,
    make: UnsafeCell<Option<F>>,
}

unsafe impl<T: Sync + Send, F: Send> Sync for LazyLock<T, F> {}
impl<T: RefUnwindSafe + UnwindSafe, F: UnwindSafe> RefUnwindSafe for LazyLock<T, F> {}
impl<T: UnwindSafe, F: UnwindSafe> UnwindSafe for LazyLock<T, F> {}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    #[inline]
    pub const fn new(f: F) -> LazyLock<T, F> {
        LazyLock {
            once: Once::new(),
            value: UnsafeCell::new(MaybeUninit::uninit()),
            make: UnsafeCell::new(Some(f)),
        }
    }

    /// Where the function panics, nobody gets a value any more.
    #[inline]
    pub fn force(this: &LazyLock<T, F>) -> &T {
        this.once.call_once(|| unsafe {
            let make = (*this.make.get()).take().unwrap();
            (*this.value.get()).write(make());
        });
        unsafe { (*this.value.get()).assume_init_ref() }
    }

    #[inline]
    pub fn force_mut(this: &mut LazyLock<T, F>) -> &mut T {
        LazyLock::force(this);
        unsafe { (*this.value.get()).assume_init_mut() }
    }
}

impl<T, F> LazyLock<T, F> {
    #[inline]
    pub fn get(this: &LazyLock<T, F>) -> Option<&T> {
        if this.once.is_completed() { Some(unsafe { (*this.value.get()).assume_init_ref() }) } else { None }
    }

    #[inline]
    pub fn get_mut(this: &mut LazyLock<T, F>) -> Option<&mut T> {
        if this.once.is_completed() { Some(unsafe { (*this.value.get()).assume_init_mut() }) } else { None }
    }
}

impl<T, F> Drop for LazyLock<T, F> {
    #[inline]
    fn drop(&mut self) {
        if std::mem::needs_drop::<T>() && self.once.is_completed() {
            unsafe { (*self.value.get()).assume_init_drop() };
        }
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}

impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        LazyLock::force_mut(self)
    }
}

impl<T: Default> Default for LazyLock<T> {
    fn default() -> LazyLock<T> {
        LazyLock::new(T::default)
    }
}

impl<T, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LazyLock")
    }
}
