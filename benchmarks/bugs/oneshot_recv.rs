// A thread sends a message, main waits for it: it comes.
use std::thread;

fn main() {
    let (sender, receiver) = oneshot::channel::<u32>();
    let other = thread::spawn(move || sender.send(7).unwrap());
    assert_eq!(receiver.recv(), Ok(7));
    other.join().unwrap();
}
