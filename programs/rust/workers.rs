// A channel, a mutex, a condition variable, as std has them: two workers and who waits for both.
//
// verdict rc11-c20: safe

use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let done = Arc::new((Mutex::new(0), Condvar::new()));
    let worker = {
        let done = Arc::clone(&done);
        thread::spawn(move || {
            let value: u32 = receiver.recv().unwrap();
            *done.0.lock().unwrap() += value;
            done.1.notify_one();
        })
    };
    sender.send(5).unwrap();
    let (count, changed) = &*done;
    let count = changed.wait_while(count.lock().unwrap(), |count| *count == 0).unwrap();
    assert_eq!(*count, 5);
    drop(count);
    worker.join().unwrap();
}
