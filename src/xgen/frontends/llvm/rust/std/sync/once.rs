use std::cell::UnsafeCell;
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering};

const NEW: u32 = 0;
const RUNNING: u32 = 1;
const DONE: u32 = 2;

pub struct Once {
    state: AtomicU32,
}

#[derive(Debug)]
pub struct OnceState(());

impl OnceState {
    pub fn is_poisoned(&self) -> bool {
        false
    }
}

impl Once {
    #[inline]
    pub const fn new() -> Once {
        Once { state: AtomicU32::new(NEW) }
    }

    #[inline]
    pub fn call_once<F: FnOnce()>(&self, f: F) {
        if self.state.load(Ordering::Acquire) == DONE {
            return;
        }
        if self.state.compare_exchange(NEW, RUNNING, Ordering::Acquire, Ordering::Acquire).is_ok() {
            f();
            self.state.store(DONE, Ordering::Release);
        } else {
            self.wait();
        }
    }

    #[inline]
    pub fn call_once_force<F: FnOnce(&OnceState)>(&self, f: F) {
        self.call_once(|| f(&OnceState(())));
    }

    #[inline]
    pub fn is_completed(&self) -> bool {
        self.state.load(Ordering::Acquire) == DONE
    }

    #[inline]
    pub fn wait(&self) {
        while self.state.load(Ordering::Acquire) != DONE {}
    }
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
        self.once.call_once(|| unsafe {
            (*self.value.get()).write(f());
        });
        unsafe { self.known() }
    }

    #[inline]
    pub fn wait(&self) -> &T {
        self.once.wait();
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

impl<T> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnceLock")
    }
}

pub struct LazyLock<T, F = fn() -> T> {
    value: OnceLock<T>,
    make: UnsafeCell<Option<F>>,
}

unsafe impl<T: Sync + Send, F: Send> Sync for LazyLock<T, F> {}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    #[inline]
    pub const fn new(f: F) -> LazyLock<T, F> {
        LazyLock { value: OnceLock::new(), make: UnsafeCell::new(Some(f)) }
    }

    #[inline]
    pub fn force(this: &LazyLock<T, F>) -> &T {
        this.value.get_or_init(|| match unsafe { (*this.make.get()).take() } {
            Some(f) => f(),
            None => panic!("a LazyLock needs itself"),
        })
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}
