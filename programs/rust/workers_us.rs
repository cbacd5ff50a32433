// As workers.rs, but the count is looked at once only, before it is waited for.
//
// verdict rc11-c20: violation assertion

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
    let mut count = count.lock().unwrap();
    if *count == 0 {
        count = changed.wait_timeout(count, std::time::Duration::from_millis(1)).unwrap().0;
    }
    assert_eq!(*count, 5);
    drop(count);
    worker.join().unwrap();
}
