//! Poison: a thread has panicked while it held a lock. There is none where panics are not caught.

use crate::panic::{ARE_CAUGHT, panicking};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LockResult, PoisonError};

pub struct Flag(AtomicBool);

/// Whether a thread was panicking when it took a lock.
pub struct Before(bool);

impl Before {
    #[inline]
    pub fn new() -> Before {
        Before(panicking())
    }
}

impl Flag {
    #[inline]
    pub const fn new() -> Flag {
        Flag(AtomicBool::new(false))
    }

    #[inline]
    pub fn get(&self) -> bool {
        ARE_CAUGHT && self.0.load(Ordering::Relaxed)
    }

    #[inline]
    pub fn clear(&self) {
        if ARE_CAUGHT {
            self.0.store(false, Ordering::Relaxed);
        }
    }

    /// A lock is given back.
    #[inline]
    pub fn done(&self, before: &Before) {
        if !before.0 && panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    #[inline]
    pub fn result<R>(&self, found: R) -> LockResult<R> {
        if self.get() { Err(PoisonError::new(found)) } else { Ok(found) }
    }
}
