// As treiber.rs, but a node is pushed without release.
//
// verdict rc11-c20: violation race

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};
use std::thread;

struct Node {
    value: i32,
    next: *mut Node,
}

struct Stack {
    head: AtomicPtr<Node>,
}

impl Stack {
    fn push(&self, value: i32) {
        let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
        loop {
            let head = self.head.load(Ordering::Relaxed);
            unsafe { (*node).next = head };
            if self.head.compare_exchange(head, node, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }

    fn pop(&self) -> Option<i32> {
        loop {
            let head = self.head.load(Ordering::Acquire);
            if head.is_null() {
                return None;
            }
            let next = unsafe { (*head).next };
            if self.head.compare_exchange(head, next, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                return Some(unsafe { (*head).value });
            }
        }
    }
}

trait Job: Send {
    fn value(&self) -> i32;
}

struct Fixed(i32);

impl Job for Fixed {
    fn value(&self) -> i32 {
        self.0 + 1
    }
}

fn main() {
    let stack = Arc::new(Stack { head: AtomicPtr::new(ptr::null_mut()) });
    let sum = Arc::new(AtomicI64::new(0));
    let jobs: Vec<Box<dyn Job>> = vec![Box::new(Fixed(1)), Box::new(Fixed(2))];
    let mut threads = Vec::new();
    for job in jobs {
        let (stack, sum) = (Arc::clone(&stack), Arc::clone(&sum));
        threads.push(thread::spawn(move || {
            stack.push(job.value());
            if let Some(value) = stack.pop() {
                sum.fetch_add(value as i64, Ordering::Relaxed);
            }
        }));
    }
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(sum.load(Ordering::Relaxed), 5);
}
