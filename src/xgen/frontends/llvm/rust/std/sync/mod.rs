//! Mutexes and what is made of them.

pub use ::std::sync::{
    Arc, LockResult, PoisonError, TryLockError, TryLockResult, Weak, atomic,
};

mod barrier;
mod condvar;
pub mod mpsc;
mod mutex;
mod once;
mod poison;
pub(crate) mod rwlock;

pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
pub use mutex::{Mutex, MutexGuard};
pub use once::{LazyLock, ONCE_INIT, Once, OnceLock, OnceState};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
