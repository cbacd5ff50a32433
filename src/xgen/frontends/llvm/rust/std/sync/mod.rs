//! Mutexes and what is made of them. Nothing is ever poisoned: a panic ends the program.

pub use ::std::sync::{
    Arc, LockResult, PoisonError, TryLockError, TryLockResult, Weak, atomic,
};

mod barrier;
mod condvar;
pub mod mpsc;
mod mutex;
mod once;
mod rwlock;

pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
pub use mutex::{Mutex, MutexGuard};
pub use once::{LazyLock, Once, OnceLock, OnceState};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
