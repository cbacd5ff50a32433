// real: matklad/once_cell 80fe900b21f6d76c1a2ed74d3343e8a3a88c46d0: (crate once_cell)
// Two threads initialise a cell, each with a value of its own; both get the same one.
use once_cell::sync::OnceCell;
use std::thread;

static CELL: OnceCell<u32> = OnceCell::new();

fn main() {
    let other = thread::spawn(|| *CELL.get_or_init(|| 1));
    let here = *CELL.get_or_init(|| 2);
    assert_eq!(here, other.join().unwrap());
}
