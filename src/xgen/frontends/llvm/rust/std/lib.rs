//! std as programs see it that xgen reads: what threads start with, wait for and hold is written on pthreads, which
//! xgen knows; all else is std's own. rustc takes this crate for `std` (`--extern std=`).

#![feature(core_intrinsics, panic_internals, std_internals, thread_local)]
#![allow(internal_features)]

pub use ::std::*;

pub mod panic;
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
        pub fn pthread_rwlock_tryrdlock(lock: *mut u64) -> i32;
        pub fn pthread_rwlock_trywrlock(lock: *mut u64) -> i32;
        pub fn pthread_rwlock_unlock(lock: *mut u64) -> i32;
    }
}

/// What is asked of the reader of a program.
mod reader {
    extern "C" {
        /// Whether a thread does anything when its function has returned.
        pub fn xgen_ends_late(thread: u64) -> bool;
        /// Says that another thread than the one that has started it waits for a thread of a scope.
        pub fn xgen_is_waited_for(thread: u64);
        /// Says that memory is never freed, and keeps what it leads to.
        pub fn xgen_stays(memory: *const u8);
        /// Says that memory which is never freed is std's own: what it leads to may leak, it does not.
        pub fn xgen_is_no_leak(memory: *const u8);
        /// Whether threads go on where what they run has ended with a panic.
        pub fn xgen_threads_catch() -> bool;
        /// Says that a thread waits for others while it holds a lock for reading.
        pub fn xgen_waits_and_reads();
        /// Whether readers have to wait for writers that wait: else nothing depends on that.
        pub fn xgen_readers_wait() -> bool;
        /// Takes a lock for writing; a writer that waits says so, where that is asked.
        pub fn xgen_rwlock_write(lock: *mut u64);
        /// Makes a lock that is held for writing one that is held for reading.
        pub fn xgen_rwlock_downgrade(lock: *mut u64);
        /// Whether a writer waits for a lock.
        pub fn xgen_rwlock_wanted(lock: *mut u64) -> bool;
        /// Waits at a barrier until as many threads have come as the number says, where it is known who comes and how
        /// often; else it does nothing. Whether it has.
        pub fn xgen_meet(threads: *const usize) -> bool;
        /// Whether this thread is told that it leads those that have just met.
        pub fn xgen_leads(threads: *const usize) -> bool;
        /// Says that somebody asks which thread leads.
        pub fn xgen_asks_for_the_leader();
        /// Whether a thread that is parked wakes up for no reason.
        pub fn xgen_wakes_alone() -> bool;
    }
}

/// What begins a program: nothing of what std does then, as handlers of signals, is anything here.
#[no_mangle]
pub fn xgen_lang_start(main: &(dyn Fn() -> i32 + Sync), _: isize, _: *const *const u8, _: u8) -> isize {
    main() as isize
}
