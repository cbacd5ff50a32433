//! What threads wait for is std's, and so are atomics, but for what loom adds to them.

pub use std::sync::{
    Arc, Barrier, Condvar, LockResult, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
    TryLockError, TryLockResult, WaitTimeoutResult, mpsc,
};

/// One thread tells another one something, once for each wait.
#[derive(Debug)]
pub struct Notify {
    told: Mutex<bool>,
    changed: Condvar,
}

impl Notify {
    pub fn new() -> Notify {
        Notify { told: Mutex::new(false), changed: Condvar::new() }
    }

    pub fn notify(&self) {
        *self.told.lock().unwrap() = true;
        self.changed.notify_one();
    }

    pub fn wait(&self) {
        let mut told = self.told.lock().unwrap();
        while !*told {
            told = self.changed.wait(told).unwrap();
        }
        *told = false;
    }
}

pub mod atomic {
    pub use std::sync::atomic::{Ordering, compiler_fence, fence};

    use std::fmt;
    use std::ops::{Deref, DerefMut};

    pub fn spin_loop_hint() {
        std::hint::spin_loop()
    }

    macro_rules! atomic {
        ($name:ident $(<$of:ident>)?, $value:ty) => {
            #[repr(transparent)]
            pub struct $name $(<$of>)? (std::sync::atomic::$name $(<$of>)?);

            impl $(<$of>)? $name $(<$of>)? {
                #[inline]
                pub const fn new(value: $value) -> Self {
                    $name(std::sync::atomic::$name::new(value))
                }

                /// An access that is not atomic.
                #[inline]
                pub unsafe fn unsync_load(&self) -> $value {
                    unsafe { *self.0.as_ptr() }
                }

                #[inline]
                pub fn with_mut<R>(&mut self, body: impl FnOnce(&mut $value) -> R) -> R {
                    body(self.0.get_mut())
                }

                #[inline]
                pub fn into_inner(self) -> $value {
                    self.0.into_inner()
                }
            }

            impl $(<$of>)? Deref for $name $(<$of>)? {
                type Target = std::sync::atomic::$name $(<$of>)?;

                #[inline]
                fn deref(&self) -> &Self::Target {
                    &self.0
                }
            }

            impl $(<$of>)? DerefMut for $name $(<$of>)? {
                #[inline]
                fn deref_mut(&mut self) -> &mut Self::Target {
                    &mut self.0
                }
            }

            impl $(<$of>)? From<$value> for $name $(<$of>)? {
                fn from(value: $value) -> Self {
                    Self::new(value)
                }
            }

            impl $(<$of>)? fmt::Debug for $name $(<$of>)? {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(stringify!($name))
                }
            }
        };
    }

    macro_rules! numbers {
        ($($name:ident: $value:ty),*) => { $(
            atomic!($name, $value);

            impl Default for $name {
                fn default() -> Self {
                    Self::new(Default::default())
                }
            }
        )* };
    }

    numbers!(AtomicBool: bool, AtomicI8: i8, AtomicI16: i16, AtomicI32: i32, AtomicI64: i64, AtomicIsize: isize);
    numbers!(AtomicU8: u8, AtomicU16: u16, AtomicU32: u32, AtomicU64: u64, AtomicUsize: usize);
    atomic!(AtomicPtr<T>, *mut T);

    impl<T> Default for AtomicPtr<T> {
        fn default() -> Self {
            Self::new(std::ptr::null_mut())
        }
    }
}
