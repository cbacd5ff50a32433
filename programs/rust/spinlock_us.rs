// As spinlock.rs, but the lock is given back without release.
//
// verdict rc11-c20: violation race

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct SpinLock<T> {
    locked: AtomicBool,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for SpinLock<T> {}

struct Guard<'a, T> {
    lock: &'a SpinLock<T>,
}

impl<T> SpinLock<T> {
    const fn new(value: T) -> Self {
        SpinLock { locked: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    fn lock(&self) -> Guard<'_, T> {
        while self.locked.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
        Guard { lock: self }
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        self.lock.locked.store(false, Ordering::Relaxed);
    }
}

fn main() {
    let found = SpinLock::new(Vec::new());
    thread::scope(|scope| {
        scope.spawn(|| found.lock().push(1));
        scope.spawn(|| {
            let mut guard = found.lock();
            guard.push(2);
            guard.push(2);
        });
    });
    let found = found.lock();
    assert_eq!(found.len(), 3);
    assert_eq!(found[1], found[if found[0] == 1 { 2 } else { 0 }]);
}
