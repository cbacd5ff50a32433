// One thread sends, another one closes the channel and looks whether something came before.
use std::thread;
use tokio::sync::oneshot;

fn main() {
    let (sender, mut receiver) = oneshot::channel::<Box<u32>>();
    let other = thread::spawn(move || drop(sender.send(Box::new(7))));
    receiver.close();
    if let Ok(value) = receiver.try_recv() {
        assert_eq!(*value, 7);
    }
    other.join().unwrap();
}
