// real: smol-rs/parking cedb1884e0502ad21d4863a21eec9e3f13c3cf5f: (crate parking)
// A thread sleeps until another one wakes it up.
use std::thread;

fn main() {
    let (parker, unparker) = parking::pair();
    let other = thread::spawn(move || unparker.unpark());
    parker.park();
    other.join().unwrap();
}
