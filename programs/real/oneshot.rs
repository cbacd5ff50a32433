// real: faern/oneshot 83fd0864be7289067ce96cc79cd96c0928742979: (crate oneshot)
// One message is sent, and waited for.
use std::thread;

fn main() {
    let (sender, receiver) = oneshot::channel();
    let sending = thread::spawn(move || sender.send(7));
    assert_eq!(receiver.recv(), Ok(7));
    sending.join().unwrap().unwrap();
}
