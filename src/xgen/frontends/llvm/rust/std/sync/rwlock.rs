use super::poison::{Before, Flag};
use crate::pthreads::{
    RawRwLock, pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_trywrlock, pthread_rwlock_unlock,
};
use crate::reader::{xgen_readers_wait, xgen_rwlock_downgrade, xgen_rwlock_wanted, xgen_rwlock_write, xgen_waits_and_reads};
use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

/// How many locks this thread holds for reading.
#[thread_local]
static READING: Cell<usize> = Cell::new(0);

/// A thread is about to wait for others. If it holds a lock for reading, readers of any lock may be among them.
#[inline]
pub(crate) fn about_to_wait() {
    if READING.get() > 0 {
        unsafe { xgen_waits_and_reads() };
    }
}

/// A lock in which readers wait for a writer that waits, as those of std do on Linux. Where no thread waits for anything
/// while it reads, nobody sees who comes first: then readers do not ask.
pub struct RwLock<T: ?Sized> {
    raw: RawRwLock,
    poison: Flag,
    data: UnsafeCell<T>,
}

unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}
impl<T: ?Sized> UnwindSafe for RwLock<T> {}
impl<T: ?Sized> RefUnwindSafe for RwLock<T> {}

#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockReadGuard<'a, T: ?Sized + 'a> {
    lock: &'a RwLock<T>,
    stays: PhantomData<*const ()>,
}

#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockWriteGuard<'a, T: ?Sized + 'a> {
    lock: &'a RwLock<T>,
    before: Before,
    stays: PhantomData<*const ()>,
}

unsafe impl<T: ?Sized + Sync> Sync for RwLockReadGuard<'_, T> {}
unsafe impl<T: ?Sized + Sync> Sync for RwLockWriteGuard<'_, T> {}

impl<T> RwLock<T> {
    #[inline]
    pub const fn new(value: T) -> RwLock<T> {
        RwLock { raw: RawRwLock::new(), poison: Flag::new(), data: UnsafeCell::new(value) }
    }

    pub fn into_inner(self) -> LockResult<T> {
        let poisoned = self.poison.get();
        let value = self.data.into_inner();
        if poisoned { Err(PoisonError::new(value)) } else { Ok(value) }
    }
}

impl<T: ?Sized> RwLock<T> {
    #[inline]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        about_to_wait();
        if unsafe { xgen_readers_wait() } {
            while self.is_wanted() {}
        }
        unsafe { pthread_rwlock_rdlock(self.raw.at()) };
        self.poison.result(self.reading())
    }

    #[inline]
    fn is_wanted(&self) -> bool {
        unsafe { xgen_rwlock_wanted(self.raw.at()) }
    }

    #[inline]
    fn reading(&self) -> RwLockReadGuard<'_, T> {
        READING.set(READING.get() + 1);
        RwLockReadGuard { lock: self, stays: PhantomData }
    }

    #[inline]
    fn writing(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        self.poison.result(RwLockWriteGuard { lock: self, before: Before::new(), stays: PhantomData })
    }

    #[inline]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        about_to_wait();
        if unsafe { xgen_readers_wait() } && self.is_wanted() {
            return Err(TryLockError::WouldBlock);
        }
        if unsafe { pthread_rwlock_tryrdlock(self.raw.at()) } == 0 {
            Ok(self.poison.result(self.reading())?)
        } else {
            Err(TryLockError::WouldBlock)
        }
    }

    #[inline]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        about_to_wait();
        unsafe { xgen_rwlock_write(self.raw.at()) };
        self.writing()
    }

    #[inline]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        if unsafe { pthread_rwlock_trywrlock(self.raw.at()) } == 0 {
            Ok(self.writing()?)
        } else {
            Err(TryLockError::WouldBlock)
        }
    }

    pub fn is_poisoned(&self) -> bool {
        self.poison.get()
    }

    pub fn clear_poison(&self) {
        self.poison.clear();
    }

    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        self.poison.result(self.data.get_mut())
    }
}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    pub fn downgrade(guard: Self) -> RwLockReadGuard<'a, T> {
        let lock = guard.lock;
        std::mem::forget(guard);
        unsafe { xgen_rwlock_downgrade(lock.raw.at()) };
        lock.reading()
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        unsafe { &*self.lock.data.get() }
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        unsafe { &*self.lock.data.get() }
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        READING.set(READING.get() - 1);
        unsafe { pthread_rwlock_unlock(self.lock.raw.at()) };
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.poison.done(&self.before);
        unsafe { pthread_rwlock_unlock(self.lock.raw.at()) };
    }
}

impl<T: Default> Default for RwLock<T> {
    fn default() -> RwLock<T> {
        RwLock::new(T::default())
    }
}

impl<T> From<T> for RwLock<T> {
    fn from(value: T) -> RwLock<T> {
        RwLock::new(value)
    }
}

impl<T: ?Sized> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RwLock")
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
