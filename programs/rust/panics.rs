// An index is out of bounds in one of the orders in which two threads add to it: a panic is a violation.
//
// verdict rc11-c20: violation exit

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

static PLACE: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let squares = [1, 4, 9];
    thread::scope(|scope| {
        scope.spawn(|| PLACE.fetch_add(2, Ordering::Relaxed));
        scope.spawn(|| {
            PLACE.fetch_add(1, Ordering::Relaxed);
            let place = PLACE.load(Ordering::Relaxed);
            assert_ne!(squares[place], 0);
        });
    });
}
