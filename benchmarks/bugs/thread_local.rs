// One thread puts its value, another one looks at all that there are.
use std::sync::Arc;
use std::thread;
use thread_local::ThreadLocal;

fn main() {
    let all: Arc<ThreadLocal<Box<u32>>> = Arc::new(ThreadLocal::with_capacity(0));
    let other = Arc::clone(&all);
    let writer = thread::spawn(move || {
        other.get_or(|| Box::new(7));
    });
    for value in all.iter() {
        assert_eq!(**value, 7);
    }
    writer.join().unwrap();
}
