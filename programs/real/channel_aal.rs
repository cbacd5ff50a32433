// real: m-ou-se/rust-atomics-and-locks d945e828bd08719a2d7cb6d758be4611bd90ba2b: src/ch5_channels/s5_borrowing.rs
// A message goes through the channel; who receives it sleeps until it is there.
#[path = "src/ch5_channels/s5_borrowing.rs"]
mod channel;

use channel::Channel;
use std::thread;

fn main() {
    let mut channel = Channel::new();
    thread::scope(|scope| {
        let (sender, receiver) = channel.split();
        let reader = thread::current();
        scope.spawn(move || {
            sender.send(7);
            reader.unpark();
        });
        while !receiver.is_ready() {
            thread::park();
        }
        assert_eq!(receiver.receive(), 7);
    });
}
