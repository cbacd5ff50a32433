// Two receivers take a value that may go to other threads, but is not to be used by two at once.
use std::cell::Cell;
use std::thread;
use tokio::sync::broadcast;

struct Counted(Cell<u32>);

impl Clone for Counted {
    fn clone(&self) -> Self {
        self.0.set(self.0.get() + 1);
        Counted(Cell::new(0))
    }
}

fn main() {
    let (sender, mut first) = broadcast::channel(2);
    let mut second = sender.subscribe();
    let _ = sender.send(Counted(Cell::new(0)));
    let other = thread::spawn(move || drop(second.try_recv()));
    drop(first.try_recv());
    other.join().unwrap();
}
