//! Channels: a list of messages under a mutex.

pub use ::std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

use super::{Arc, Condvar, Mutex, MutexGuard};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
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
    sending: bool, // there are senders
    receiving: bool,
    waiting: bool, // of a channel without a place: its receiver waits for a message
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

    /// All messages, for them to be dropped when nobody is kept waiting by that.
    fn take_all(&mut self) -> Messages<T> {
        let first = self.first;
        self.first = ptr::null_mut();
        self.last = ptr::null_mut();
        self.count = 0;
        Messages(first)
    }
}

struct Messages<T>(*mut Message<T>);

impl<T> Drop for Messages<T> {
    fn drop(&mut self) {
        let mut next = self.0;
        while !next.is_null() {
            let message = unsafe { Box::from_raw(next) };
            next = message.next;
        }
    }
}

impl<T> Channel<T> {
    fn new(most: Option<usize>) -> Arc<Channel<T>> {
        let state = State {
            first: ptr::null_mut(),
            last: ptr::null_mut(),
            count: 0,
            taken: 0,
            sending: true,
            receiving: true,
            waiting: false,
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
            if state.taken < number {
                return state.take().map_or(Ok(()), |value| Err(SendError(value)));
            }
        }
        Ok(())
    }

    fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
        let mut state = self.state.lock().unwrap();
        if !state.receiving {
            return Err(TrySendError::Disconnected(value));
        }
        // Without a place, it is given to a receiver that waits for it.
        let room = match self.most {
            None => true,
            Some(0) => state.waiting && state.count == 0,
            Some(most) => state.count < most,
        };
        if !room {
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

    /// `wait` waits for a change, from when on a message may be given to the receiver.
    fn wait<'a, R>(
        &'a self,
        mut state: MutexGuard<'a, State<T>>,
        wait: impl FnOnce(MutexGuard<'a, State<T>>) -> (MutexGuard<'a, State<T>>, R),
    ) -> (MutexGuard<'a, State<T>>, R) {
        let without_place = self.most == Some(0);
        if without_place {
            state.waiting = true;
        }
        let (mut state, result) = wait(state);
        if without_place {
            state.waiting = false;
        }
        (state, result)
    }
}

/// What all senders share: it goes with the last of them, so that those before it lock nothing.
struct Sending<T>(Arc<Channel<T>>);

impl<T> Drop for Sending<T> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap();
        state.sending = false;
        self.0.changed.notify_all();
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
    (Sender(Arc::new(Sending(channel.clone()))), Receiver(channel, PhantomData))
}

pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let channel = Channel::new(Some(bound));
    (SyncSender(Arc::new(Sending(channel.clone()))), Receiver(channel, PhantomData))
}

pub struct Sender<T>(Arc<Sending<T>>);

impl<T> Sender<T> {
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        self.0.0.send(value)
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        Sender(self.0.clone())
    }
}

pub struct SyncSender<T>(Arc<Sending<T>>);

impl<T> SyncSender<T> {
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        self.0.0.send(value)
    }

    pub fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
        self.0.0.try_send(value)
    }
}

impl<T> Clone for SyncSender<T> {
    fn clone(&self) -> SyncSender<T> {
        SyncSender(self.0.clone())
    }
}

/// Threads do not share it.
pub struct Receiver<T>(Arc<Channel<T>>, PhantomData<Cell<()>>);

impl<T> Receiver<T> {
    pub fn recv(&self) -> Result<T, RecvError> {
        let mut state = self.0.state.lock().unwrap();
        loop {
            if let Some(value) = self.0.received(&mut state) {
                return Ok(value);
            }
            if !state.sending {
                return Err(RecvError);
            }
            (state, ()) = self.0.wait(state, |state| (self.0.changed.wait(state).unwrap(), ()));
        }
    }

    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        let mut state = self.0.state.lock().unwrap();
        match self.0.received(&mut state) {
            Some(value) => Ok(value),
            None if !state.sending => Err(TryRecvError::Disconnected),
            None => Err(TryRecvError::Empty),
        }
    }

    pub fn recv_timeout(&self, time: Duration) -> Result<T, RecvTimeoutError> {
        let mut state = self.0.state.lock().unwrap();
        loop {
            if let Some(value) = self.0.received(&mut state) {
                return Ok(value);
            }
            if !state.sending {
                return Err(RecvTimeoutError::Disconnected);
            }
            let (guard, late) = self.0.wait(state, |state| self.0.changed.wait_timeout(state, time).unwrap());
            state = guard;
            if late.timed_out() {
                return self.0.received(&mut state).ok_or(match state.sending {
                    false => RecvTimeoutError::Disconnected,
                    true => RecvTimeoutError::Timeout,
                });
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
        // Who sends without a place waits, and takes back what he has sent.
        let left = if self.0.most == Some(0) { Messages(ptr::null_mut()) } else { state.take_all() };
        drop(state);
        drop(left);
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

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sender { .. }")
    }
}

impl<T> fmt::Debug for SyncSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SyncSender { .. }")
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Receiver { .. }")
    }
}
