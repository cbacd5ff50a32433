// A ring for one producer and one consumer, each of which keeps the other's index as it saw it last.
//
// verdict rc11-c20: safe

use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const SLOTS: usize = 3;

struct Ring<T> {
    head: AtomicUsize,
    tail: AtomicUsize,
    slots: [UnsafeCell<MaybeUninit<T>>; SLOTS],
}

unsafe impl<T: Send> Sync for Ring<T> {}

struct Producer<T> {
    ring: Arc<Ring<T>>,
    head_seen: Cell<usize>,
}

struct Consumer<T> {
    ring: Arc<Ring<T>>,
    tail_seen: Cell<usize>,
}

fn ring<T>() -> (Producer<T>, Consumer<T>) {
    let ring = Arc::new(Ring {
        head: AtomicUsize::new(0),
        tail: AtomicUsize::new(0),
        slots: [const { UnsafeCell::new(MaybeUninit::uninit()) }; SLOTS],
    });
    let producer = Producer { ring: Arc::clone(&ring), head_seen: Cell::new(0) };
    (producer, Consumer { ring, tail_seen: Cell::new(0) })
}

impl<T> Producer<T> {
    fn push(&self, value: T) -> Result<(), T> {
        let tail = self.ring.tail.load(Ordering::Relaxed);
        let next = (tail + 1) % SLOTS;
        if next == self.head_seen.get() {
            self.head_seen.set(self.ring.head.load(Ordering::Acquire));
            if next == self.head_seen.get() {
                return Err(value);
            }
        }
        unsafe { (*self.ring.slots[tail].get()).write(value) };
        self.ring.tail.store(next, Ordering::Release);
        Ok(())
    }
}

impl<T> Consumer<T> {
    fn pop(&self) -> Option<T> {
        let head = self.ring.head.load(Ordering::Relaxed);
        if head == self.tail_seen.get() {
            self.tail_seen.set(self.ring.tail.load(Ordering::Acquire));
            if head == self.tail_seen.get() {
                return None;
            }
        }
        let value = unsafe { (*self.ring.slots[head].get()).assume_init_read() };
        self.ring.head.store((head + 1) % SLOTS, Ordering::Release);
        Some(value)
    }
}

fn main() {
    let (producer, consumer) = ring();
    let pushing = thread::spawn(move || {
        for value in 1..=2 {
            assert!(producer.push(value).is_ok());
        }
    });
    let mut last = 0;
    for _ in 0..2 {
        if let Some(value) = consumer.pop() {
            assert_eq!(value, last + 1);
            last = value;
        }
    }
    pushing.join().unwrap();
}
