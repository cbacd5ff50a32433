"""Futures as people drive them: a `block_on` of one's own, wakers by tables of functions, small executors."""

from __future__ import annotations

from pathlib import Path

import pytest
from llvm.compiling import rusts

import xgen

TESTS = """
use std::future::Future;
use std::pin::{pin, Pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::*};
use std::sync::{mpsc, Arc, Mutex};
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Wake, Waker};
use std::thread::{self, Thread};

struct ThreadWaker(Thread);

impl Wake for ThreadWaker {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker: Waker = Arc::new(ThreadWaker(thread::current())).into();
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

struct State {
    sent: Option<u32>,
    waker: Option<Waker>,
}

struct Received(Arc<Mutex<State>>);

impl Future for Received {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
        let mut state = self.0.lock().unwrap();
        match state.sent {
            Some(value) => Poll::Ready(value),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

fn channel() -> (Arc<Mutex<State>>, Received) {
    let state = Arc::new(Mutex::new(State { sent: None, waker: None }));
    (state.clone(), Received(state))
}

fn send(state: &Mutex<State>, value: u32) {
    let mut state = state.lock().unwrap();
    state.sent = Some(value);
    if let Some(waker) = state.waker.take() {
        waker.wake()
    }
}

#[test]
fn sent() {
    let (sender, receiver) = channel();
    let other = thread::spawn(move || send(&sender, 7));
    assert_eq!(block_on(async { receiver.await + 1 }), 8);
    other.join().unwrap();
}

#[test]
fn a_wake_is_lost() {
    static SENT: AtomicBool = AtomicBool::new(false);
    static WAKER: Mutex<Option<Waker>> = Mutex::new(None);
    struct Forgetful;
    impl Future for Forgetful {
        type Output = ();
        fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
            if SENT.load(Acquire) {
                return Poll::Ready(());
            }
            *WAKER.lock().unwrap() = Some(context.waker().clone());
            Poll::Pending
        }
    }
    let other = thread::spawn(|| {
        SENT.store(true, Release);
        if let Some(waker) = WAKER.lock().unwrap().take() {
            waker.wake()
        }
    });
    block_on(Forgetful);
    other.join().unwrap();
}

fn counting(count: Arc<AtomicUsize>) -> Waker {
    unsafe fn clone(at: *const ()) -> RawWaker {
        Arc::increment_strong_count(at as *const AtomicUsize);
        RawWaker::new(at, &TABLE)
    }
    unsafe fn wake(at: *const ()) {
        Arc::from_raw(at as *const AtomicUsize).fetch_add(1, Relaxed);
    }
    unsafe fn wake_by_ref(at: *const ()) {
        (*(at as *const AtomicUsize)).fetch_add(1, Relaxed);
    }
    unsafe fn free(at: *const ()) {
        drop(Arc::from_raw(at as *const AtomicUsize));
    }
    static TABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, free);
    unsafe { Waker::from_raw(RawWaker::new(Arc::into_raw(count) as *const (), &TABLE)) }
}

#[test]
fn a_table_of_functions() {
    let count = Arc::new(AtomicUsize::new(0));
    let waker = counting(count.clone());
    let (sender, receiver) = channel();
    let mut receiver = Box::pin(async { receiver.await });
    let other = thread::spawn(move || send(&sender, 7));
    let now = receiver.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
    other.join().unwrap();
    assert_eq!(count.load(Relaxed), if now { 0 } else { 1 });
    drop((waker, receiver));
    assert_eq!(Arc::strong_count(&count), 1);
}

struct Task {
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    queue: mpsc::SyncSender<Arc<Task>>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.queue.send(self.clone()).unwrap();
    }
}

/// The executor of the book on `async`.
fn executed(future: impl Future<Output = ()> + Send + 'static) {
    let (queue, tasks) = mpsc::sync_channel::<Arc<Task>>(4);
    queue.send(Arc::new(Task { future: Mutex::new(Some(Box::pin(future))), queue: queue.clone() })).unwrap();
    drop(queue);
    while let Ok(task) = tasks.recv() {
        let mut slot = task.future.lock().unwrap();
        if let Some(mut future) = slot.take() {
            let waker = Waker::from(task.clone());
            if future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
                *slot = Some(future);
            }
        }
    }
}

struct Once(bool);

impl Future for Once {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

#[test]
fn executed_alone() {
    let done = Arc::new(AtomicUsize::new(0));
    let seen = done.clone();
    executed(async move {
        Once(false).await;
        seen.store(1, Relaxed);
    });
    assert_eq!(done.load(Relaxed), 1);
}

#[test]
fn executed_beside_a_thread() {
    let (sender, receiver) = channel();
    let done = Arc::new(AtomicUsize::new(0));
    let seen = done.clone();
    let other = thread::spawn(move || send(&sender, 7));
    executed(async move { seen.store(receiver.await as usize, Relaxed) });
    other.join().unwrap();
    assert_eq!(done.load(Relaxed), 7);
}
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("async") / "futures.rs"
    found.write_text(TESTS, encoding="utf-8")
    return found


@rusts
@pytest.mark.parametrize(
    ("name", "expected", "executions"),
    [
        ("sent", "safe", 4),
        ("a_wake_is_lost", "await", 2),
        ("a_table_of_functions", "safe", 3),
        pytest.param("executed_alone", "safe", 1, marks=pytest.mark.slow),
        pytest.param("executed_beside_a_thread", "safe", 32, marks=pytest.mark.slow),
    ],
)
def test_futures(file: Path, name: str, expected: str, executions: int) -> None:
    """The executor's queue has tasks, and these the queue: what is dropped has no end, as far as types say."""
    result = xgen.check(xgen.load(file, test=name), liveness=True)
    found = result.witness.violations[0].kind if result.witness else result.verdict
    assert (found, result.executions, result.bounded) == (expected, executions, 0)
