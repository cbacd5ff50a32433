//! std as programs see it that xgen reads: what threads start with, wait for and hold is written on pthreads, which
//! xgen knows; all else is std's own. rustc takes this crate for `std` (`--extern std=`).

pub use ::std::*;

pub mod sync;
pub mod thread;

pub mod os {
    pub use ::std::os::*;

    pub mod unix {
        pub use ::std::os::unix::*;

        /// Handles of pthreads.
        pub mod thread {
            pub use crate::thread::JoinHandleExt;
            pub use ::std::os::unix::thread::RawPthread;
        }
    }
}

mod pthreads {
    use std::cell::UnsafeCell;

    /// A mutex, a condition variable, a lock for readers and writers: as large as theirs, and 0 at first.
    #[repr(C)]
    pub struct Raw<const WORDS: usize>(UnsafeCell<[u64; WORDS]>);

    unsafe impl<const WORDS: usize> Send for Raw<WORDS> {}
    unsafe impl<const WORDS: usize> Sync for Raw<WORDS> {}

    impl<const WORDS: usize> Raw<WORDS> {
        pub const fn new() -> Self {
            Raw(UnsafeCell::new([0; WORDS]))
        }

        #[inline]
        pub fn at(&self) -> *mut u64 {
            self.0.get() as *mut u64
        }
    }

    pub type RawMutex = Raw<5>;
    pub type RawCondvar = Raw<6>;
    pub type RawRwLock = Raw<7>;

    pub type Start = extern "C" fn(*mut u8) -> *mut u8;

    extern "C" {
        pub fn pthread_create(thread: *mut u64, attributes: *const u8, start: Start, argument: *mut u8) -> i32;
        pub fn pthread_join(thread: u64, result: *mut *mut u8) -> i32;
        pub fn pthread_detach(thread: u64) -> i32;
        pub fn pthread_mutex_lock(mutex: *mut u64) -> i32;
        pub fn pthread_mutex_trylock(mutex: *mut u64) -> i32;
        pub fn pthread_mutex_unlock(mutex: *mut u64) -> i32;
        pub fn pthread_cond_wait(condition: *mut u64, mutex: *mut u64) -> i32;
        pub fn pthread_cond_timedwait(condition: *mut u64, mutex: *mut u64, time: *const u8) -> i32;
        pub fn pthread_cond_signal(condition: *mut u64) -> i32;
        pub fn pthread_cond_broadcast(condition: *mut u64) -> i32;
        pub fn pthread_rwlock_rdlock(lock: *mut u64) -> i32;
        pub fn pthread_rwlock_wrlock(lock: *mut u64) -> i32;
        pub fn pthread_rwlock_tryrdlock(lock: *mut u64) -> i32;
        pub fn pthread_rwlock_trywrlock(lock: *mut u64) -> i32;
        pub fn pthread_rwlock_unlock(lock: *mut u64) -> i32;
    }
}

/// What begins a program: nothing of what std does then, as handlers of signals, is anything here.
#[no_mangle]
pub fn xgen_lang_start(main: &(dyn Fn() -> i32 + Sync), _: isize, _: *const *const u8, _: u8) -> isize {
    main() as isize
}
