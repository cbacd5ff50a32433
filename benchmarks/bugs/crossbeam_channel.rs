// Two threads send on an unbounded channel, while the receiver goes away.
use crossbeam_channel::unbounded;
use std::thread;

fn main() {
    let (first, receiver) = unbounded::<u32>();
    let second = first.clone();
    let one = thread::spawn(move || drop(first.send(1)));
    let other = thread::spawn(move || drop(second.send(2)));
    drop(receiver);
    one.join().unwrap();
    other.join().unwrap();
}
