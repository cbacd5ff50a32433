// real: m-ou-se/rust-atomics-and-locks d945e828bd08719a2d7cb6d758be4611bd90ba2b: src/ch6_arc/s2_weak.rs
// One thread gives the last strong reference back while another one tries to get one from a weak reference.
#[path = "src/ch6_arc/s2_weak.rs"]
mod arc;

use arc::Arc;
use std::thread;

fn main() {
    let strong = Arc::new(5);
    let weak = Arc::downgrade(&strong);
    let other = thread::spawn(move || {
        if let Some(found) = weak.upgrade() {
            assert_eq!(*found, 5);
        }
    });
    drop(strong);
    other.join().unwrap();
}
