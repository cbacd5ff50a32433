// Two threads initialise a cell, one of them fails: what is got has to be what the other one put there.
use spin::Once;
use std::thread;

static CELL: Once<Box<u32>> = Once::new();

fn main() {
    let other = thread::spawn(|| {
        let _ = CELL.try_call_once(|| Err::<Box<u32>, ()>(()));
    });
    let value = CELL.try_call_once(|| Ok::<Box<u32>, ()>(Box::new(7)));
    assert_eq!(**value.unwrap(), 7);
    other.join().unwrap();
    assert_eq!(**CELL.get().unwrap(), 7);
}
