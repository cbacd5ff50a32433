//! Threads that may take and return what is not `Send`, as loom's may.

pub use std::thread::{AccessError, LocalKey, ThreadId, panicking, park, yield_now};

use std::fmt;
use std::io;

/// Of a thread of std's, with no name where it is the one that runs the model.
#[derive(Clone, Debug)]
#[repr(transparent)]
pub struct Thread(std::thread::Thread);

impl Thread {
    fn of(thread: &std::thread::Thread) -> &Thread {
        unsafe { &*(thread as *const std::thread::Thread as *const Thread) }
    }

    pub fn id(&self) -> ThreadId {
        self.0.id()
    }

    pub fn name(&self) -> Option<&str> {
        if self.0.is_first() { None } else { self.0.name() }
    }

    pub fn unpark(&self) {
        self.0.unpark()
    }
}

pub fn current() -> Thread {
    Thread(std::thread::current())
}

struct Sent<T>(T);

unsafe impl<T> Send for Sent<T> {}

impl<T> Sent<T> {
    #[inline]
    fn take(self) -> T {
        self.0
    }
}

pub struct JoinHandle<T>(std::thread::JoinHandle<Sent<T>>);

impl<T> JoinHandle<T> {
    pub fn join(self) -> std::thread::Result<T> {
        self.0.join().map(Sent::take)
    }

    pub fn thread(&self) -> &Thread {
        Thread::of(self.0.thread())
    }

    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JoinHandle")
    }
}

pub fn spawn<F: FnOnce() -> T + 'static, T: 'static>(body: F) -> JoinHandle<T> {
    let body = Sent(body);
    JoinHandle(std::thread::spawn(move || Sent(body.take()())))
}

#[derive(Debug)]
pub struct Builder(std::thread::Builder);

impl Builder {
    pub fn new() -> Builder {
        Builder(std::thread::Builder::new())
    }

    pub fn name(self, name: String) -> Builder {
        Builder(self.0.name(name))
    }

    pub fn stack_size(self, size: usize) -> Builder {
        Builder(self.0.stack_size(size))
    }

    pub fn spawn<F: FnOnce() -> T + 'static, T: 'static>(self, body: F) -> io::Result<JoinHandle<T>> {
        let body = Sent(body);
        self.0.spawn(move || Sent(body.take()())).map(JoinHandle)
    }
}
