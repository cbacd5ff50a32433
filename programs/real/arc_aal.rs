// real: m-ou-se/rust-atomics-and-locks d945e828bd08719a2d7cb6d758be4611bd90ba2b: src/ch6_arc/s1_basic.rs
// The last of two threads that gives its reference back frees what both have read and one has changed.
#[path = "src/ch6_arc/s1_basic.rs"]
mod arc;

use arc::Arc;
use std::cell::Cell;
use std::thread;

struct Own(Cell<u32>);

unsafe impl Sync for Own {}

impl Drop for Own {
    fn drop(&mut self) {
        assert_eq!(self.0.get(), 1);
    }
}

fn main() {
    let first = Arc::new(Own(Cell::new(0)));
    let second = first.clone();
    let other = thread::spawn(move || second.0.set(1));
    drop(first);
    other.join().unwrap();
}
