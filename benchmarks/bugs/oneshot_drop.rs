// Both ends of a channel for one message go away at the same time.
use std::thread;

fn main() {
    let (sender, receiver) = oneshot::channel::<u32>();
    let other = thread::spawn(move || drop(sender));
    drop(receiver);
    other.join().unwrap();
}
