// real: m-ou-se/rust-atomics-and-locks d945e828bd08719a2d7cb6d758be4611bd90ba2b: src/ch4_spin_lock/s3_guard.rs
// Two threads add to a number behind the lock.
#[path = "src/ch4_spin_lock/s3_guard.rs"]
mod lock;

use lock::SpinLock;
use std::thread;

fn main() {
    let number = SpinLock::new(0);
    thread::scope(|scope| {
        scope.spawn(|| *number.lock() += 1);
        scope.spawn(|| *number.lock() += 2);
    });
    assert_eq!(*number.lock(), 3);
}
