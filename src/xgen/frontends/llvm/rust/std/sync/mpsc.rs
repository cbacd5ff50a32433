//! Channels: a list of messages under a mutex.

pub use ::std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

use super::{Arc, Condvar, Mutex};
use std::ptr;
use std::time::Duration;

struct Message<T> {
    value: T,
    next: *mut Message<T>,
}

struct State<T> {
    first: *mut Message<T>,
    last: *mut Message<T>,
    count: usize,
    taken: usize,
    senders: usize,
    receiving: bool,
}

struct Channel<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    taken: Condvar,
    most: Option<usize>,
}

unsafe impl<T: Send> Send for Channel<T> {}
unsafe impl<T: Send> Sync for Channel<T> {}

impl<T> State<T> {
    fn put(&mut self, value: T) {
        let message = Box::into_raw(Box::new(Message { value, next: ptr::null_mut() }));
        if self.last.is_null() {
            self.first = message;
        } else {
            unsafe { (*self.last).next = message };
        }
        self.last = message;
        self.count += 1;
    }

    fn take(&mut self) -> Option<T> {
        if self.first.is_null() {
            return None;
        }
        let message = unsafe { Box::from_raw(self.first) };
        let Message { value, next } = *message;
        self.first = next;
        if next.is_null() {
            self.last = ptr::null_mut();
        }
        self.count -= 1;
        self.taken += 1;
        Some(value)
    }
}

impl<T> Channel<T> {
    fn new(most: Option<usize>) -> Arc<Channel<T>> {
        let state = State {
            first: ptr::null_mut(),
            last: ptr::null_mut(),
            count: 0,
            taken: 0,
            senders: 1,
            receiving: true,
        };
        Arc::new(Channel { state: Mutex::new(state), changed: Condvar::new(), taken: Condvar::new(), most })
    }

    fn send(&self, value: T) -> Result<(), SendError<T>> {
        let mut state = self.state.lock().unwrap();
        if let Some(most) = self.most {
            while state.receiving && state.count >= most.max(1) {
                state = self.taken.wait(state).unwrap();
            }
        }
        if !state.receiving {
            return Err(SendError(value));
        }
        state.put(value);
        self.changed.notify_one();
        if self.most == Some(0) {
            let number = state.taken + state.count;
            while state.receiving && state.taken < number {
                state = self.taken.wait(state).unwrap();
            }
        }
        Ok(())
    }

    fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
        let mut state = self.state.lock().unwrap();
        if !state.receiving {
            return Err(TrySendError::Disconnected(value));
        }
        if self.most.is_some_and(|most| state.count >= most) {
            return Err(TrySendError::Full(value));
        }
        state.put(value);
        self.changed.notify_one();
        Ok(())
    }

    fn received(&self, state: &mut State<T>) -> Option<T> {
        let found = state.take();
        if found.is_some() && self.most.is_some() {
            self.taken.notify_all();
        }
        found
    }

    fn more(&self) {
        self.state.lock().unwrap().senders += 1;
    }

    fn fewer(&self) {
        let mut state = self.state.lock().unwrap();
        state.senders -= 1;
        if state.senders == 0 {
            self.changed.notify_all();
        }
    }
}

impl<T> Drop for Channel<T> {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap();
        while state.take().is_some() {}
    }
}

pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let channel = Channel::new(None);
    (Sender(channel.clone()), Receiver(channel))
}

pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let channel = Channel::new(Some(bound));
    (SyncSender(channel.clone()), Receiver(channel))
}

pub struct Sender<T>(Arc<Channel<T>>);

impl<T> Sender<T> {
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        self.0.send(value)
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        self.0.more();
        Sender(self.0.clone())
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.0.fewer();
    }
}

pub struct SyncSender<T>(Arc<Channel<T>>);

impl<T> SyncSender<T> {
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        self.0.send(value)
    }

    pub fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
        self.0.try_send(value)
    }
}

impl<T> Clone for SyncSender<T> {
    fn clone(&self) -> SyncSender<T> {
        self.0.more();
        SyncSender(self.0.clone())
    }
}

impl<T> Drop for SyncSender<T> {
    fn drop(&mut self) {
        self.0.fewer();
    }
}

pub struct Receiver<T>(Arc<Channel<T>>);

impl<T> Receiver<T> {
    pub fn recv(&self) -> Result<T, RecvError> {
        let mut state = self.0.state.lock().unwrap();
        loop {
            if let Some(value) = self.0.received(&mut state) {
                return Ok(value);
            }
            if state.senders == 0 {
                return Err(RecvError);
            }
            state = self.0.changed.wait(state).unwrap();
        }
    }

    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        let mut state = self.0.state.lock().unwrap();
        match self.0.received(&mut state) {
            Some(value) => Ok(value),
            None if state.senders == 0 => Err(TryRecvError::Disconnected),
            None => Err(TryRecvError::Empty),
        }
    }

    pub fn recv_timeout(&self, time: Duration) -> Result<T, RecvTimeoutError> {
        let mut state = self.0.state.lock().unwrap();
        loop {
            if let Some(value) = self.0.received(&mut state) {
                return Ok(value);
            }
            if state.senders == 0 {
                return Err(RecvTimeoutError::Disconnected);
            }
            let (guard, late) = self.0.changed.wait_timeout(state, time).unwrap();
            state = guard;
            if late.timed_out() {
                return self.0.received(&mut state).ok_or(RecvTimeoutError::Timeout);
            }
        }
    }

    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self)
    }

    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter(self)
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap();
        state.receiving = false;
        if self.0.most.is_some() {
            self.0.taken.notify_all();
        }
    }
}

pub struct Iter<'a, T: 'a>(&'a Receiver<T>);

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

pub struct TryIter<'a, T: 'a>(&'a Receiver<T>);

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.try_recv().ok()
    }
}

pub struct IntoIter<T>(Receiver<T>);

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self)
    }
}
