// A thread waits until a flag is set, with a listener; main sets it and notifies: the thread goes on.
use event_listener::{Event, Listener};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Arc;
use std::thread;

fn main() {
    let shared = Arc::new((AtomicBool::new(false), Event::new()));
    let other = shared.clone();
    let waiter = thread::spawn(move || {
        if !other.0.load(Relaxed) {
            let listener = other.1.listen();
            if !other.0.load(Relaxed) {
                listener.wait();
            }
        }
    });
    shared.0.store(true, Relaxed);
    shared.1.notify(1);
    waiter.join().unwrap();
}
