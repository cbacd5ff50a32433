//! Futures that a thread drives, and a waker that threads share.

use crate::sync::{Arc, Mutex, Notify};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Wake, Waker};

impl Wake for Notify {
    fn wake(self: Arc<Notify>) {
        self.notify()
    }

    fn wake_by_ref(self: &Arc<Notify>) {
        self.notify()
    }
}

pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let told = Arc::new(Notify::new());
    let waker = Waker::from(told.clone());
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => told.wait(),
        }
    }
}

#[derive(Debug)]
pub struct AtomicWaker(Mutex<Option<Waker>>);

impl AtomicWaker {
    pub fn new() -> AtomicWaker {
        AtomicWaker(Mutex::new(None))
    }

    pub fn register(&self, waker: Waker) {
        *self.0.lock().unwrap() = Some(waker);
    }

    pub fn register_by_ref(&self, waker: &Waker) {
        self.register(waker.clone())
    }

    pub fn take_waker(&self) -> Option<Waker> {
        self.0.lock().unwrap().take()
    }

    pub fn wake(&self) {
        if let Some(waker) = self.take_waker() {
            waker.wake()
        }
    }
}
