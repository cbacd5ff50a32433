// A message in a cell that is no atomic, and a flag that says that it is there.
//
// verdict rc11-c20: safe, 2 executions
// verdict sc: safe, 2 executions

use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Slot {
    data: UnsafeCell<u32>,
    full: AtomicBool,
}

unsafe impl Sync for Slot {}

fn main() {
    let slot = Arc::new(Slot { data: UnsafeCell::new(0), full: AtomicBool::new(false) });
    let other = Arc::clone(&slot);
    let writer = thread::spawn(move || {
        unsafe { *other.data.get() = 42 };
        other.full.store(true, Ordering::Release);
    });
    if slot.full.load(Ordering::Acquire) {
        assert_eq!(unsafe { *slot.data.get() }, 42);
    }
    writer.join().unwrap();
}
