// Two threads make a value that is made once: both see it.
use spin::Once;
use std::thread;

static VALUE: Once<u32> = Once::new();

fn main() {
    let other = thread::spawn(|| assert_eq!(*VALUE.call_once(|| 7), 7));
    assert_eq!(*VALUE.call_once(|| 7), 7);
    other.join().unwrap();
}
