use super::mutex::MutexGuard;
use crate::pthreads::{
    RawCondvar, pthread_cond_broadcast, pthread_cond_signal, pthread_cond_timedwait, pthread_cond_wait,
};
use std::fmt;
use std::sync::LockResult;
use std::time::Duration;

pub struct Condvar {
    raw: RawCondvar,
}

#[derive(Debug, PartialEq, Eq, Copy, Clone)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    #[must_use]
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    #[inline]
    pub const fn new() -> Condvar {
        Condvar { raw: RawCondvar::new() }
    }

    #[inline]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        unsafe { pthread_cond_wait(self.raw.at(), guard.raw()) };
        Ok(guard)
    }

    #[inline]
    pub fn wait_while<'a, T, F>(&self, mut guard: MutexGuard<'a, T>, mut condition: F) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        while condition(&mut *guard) {
            unsafe { pthread_cond_wait(self.raw.at(), guard.raw()) };
        }
        Ok(guard)
    }

    #[inline]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        _: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let late = unsafe { pthread_cond_timedwait(self.raw.at(), guard.raw(), std::ptr::null()) } != 0;
        Ok((guard, WaitTimeoutResult(late)))
    }

    #[inline]
    pub fn wait_timeout_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        _: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>
    where
        F: FnMut(&mut T) -> bool,
    {
        loop {
            if !condition(&mut *guard) {
                return Ok((guard, WaitTimeoutResult(false)));
            }
            if unsafe { pthread_cond_timedwait(self.raw.at(), guard.raw(), std::ptr::null()) } != 0 {
                let late = condition(&mut *guard);
                return Ok((guard, WaitTimeoutResult(late)));
            }
        }
    }

    #[inline]
    pub fn notify_one(&self) {
        unsafe { pthread_cond_signal(self.raw.at()) };
    }

    #[inline]
    pub fn notify_all(&self) {
        unsafe { pthread_cond_broadcast(self.raw.at()) };
    }
}

impl Default for Condvar {
    fn default() -> Condvar {
        Condvar::new()
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Condvar")
    }
}
