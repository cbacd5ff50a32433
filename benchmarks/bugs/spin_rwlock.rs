// One thread writes under a lock that it may get, another one reads under it.
use spin::RwLock;
use std::sync::Arc;
use std::thread;

fn main() {
    let shared = Arc::new(RwLock::new(0));
    let same = Arc::clone(&shared);
    let other = thread::spawn(move || {
        if let Some(mut guard) = same.try_write() {
            *guard = 1;
        }
    });
    if let Some(guard) = shared.try_read() {
        assert!(*guard <= 1);
    }
    other.join().unwrap();
}
