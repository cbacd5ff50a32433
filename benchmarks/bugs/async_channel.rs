// The last sender goes away, while two threads upgrade weak ones: who gets a sender that way can send.
use std::thread;

fn main() {
    let (sender, receiver) = async_channel::unbounded::<u32>();
    let (first, second) = (sender.downgrade(), sender.downgrade());
    let one = thread::spawn(move || drop(first.upgrade()));
    let other = thread::spawn(move || {
        if let Some(upgraded) = second.upgrade() {
            assert!(!upgraded.is_closed());
        }
    });
    drop(sender);
    one.join().unwrap();
    other.join().unwrap();
    drop(receiver);
}
