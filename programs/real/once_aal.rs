// real: m-ou-se/rust-atomics-and-locks d945e828bd08719a2d7cb6d758be4611bd90ba2b: src/ch5_channels/s3_single_atomic.rs
// A message goes through the channel once; who receives it looks whether it is there.
#[path = "src/ch5_channels/s3_single_atomic.rs"]
mod channel;

use channel::Channel;
use std::thread;

fn main() {
    let channel = Channel::new();
    thread::scope(|scope| {
        scope.spawn(|| channel.send(Box::new(7)));
        if channel.is_ready() {
            assert_eq!(*channel.receive(), 7);
        }
    });
}
