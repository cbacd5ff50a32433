// A receiver goes away while a message is sent: the message goes away as well, with the last of them.
use futures_channel::mpsc;
use std::sync::Arc;
use std::thread;

fn main() {
    let message = Arc::new(());
    let watched = Arc::downgrade(&message);
    let (mut sender, receiver) = mpsc::channel::<Arc<()>>(1);
    let other = thread::spawn(move || {
        let _ = sender.try_send(message);
        sender
    });
    drop(receiver);
    let _sender = other.join().unwrap();
    assert!(watched.upgrade().is_none());
}
