//! Threads: what each returns stands in memory that it shares with its handle.

pub use ::std::thread::{AccessError, LocalKey, Result};

use crate::panic::{ARE_CAUGHT, AssertUnwindSafe, catch_unwind};
use crate::pthreads::{pthread_create, pthread_detach, pthread_join};
use crate::reader::{xgen_ends_late, xgen_is_no_leak, xgen_is_waited_for, xgen_stays, xgen_threads_catch, xgen_wakes_alone};
use crate::sync::rwlock::about_to_wait;
use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::num::NonZero;
use std::os::unix::thread::RawPthread;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What others know of a thread. It is never freed: handles may outlive the thread.
struct Known {
    number: u64,
    name: Option<String>,
    token: AtomicU32,
    over: AtomicBool,
}

static MAIN: Known = Known { number: 0, name: None, token: AtomicU32::new(0), over: AtomicBool::new(false) };

#[thread_local]
static CURRENT: Cell<&'static Known> = Cell::new(&MAIN);

struct Packet<F, T> {
    body: Option<F>,
    shared: Shared<T>,
    known: &'static Known,
    scope: *const Counted,
    counted: bool,
}

/// What a thread returns. Its handle takes that, or else whoever is done last drops it, the thread or its handle.
struct Shared<T> {
    result: UnsafeCell<Option<Result<T>>>,
    left: AtomicBool,
}

impl<T> Shared<T> {
    /// The thread, or its handle, is done with it.
    unsafe fn leave(&self) {
        if std::mem::needs_drop::<T>() && self.left.swap(true, Ordering::AcqRel) {
            drop(unsafe { (*self.result.get()).take() });
        }
    }
}

/// Its name, with that of a closure, is what a thread is called.
extern "C" fn __start<F: FnOnce() -> T, T>(argument: *mut u8) -> *mut u8 {
    let packet = argument as *mut Packet<F, T>;
    unsafe {
        CURRENT.set((*packet).known);
        let body = (*packet).body.take().unwrap_unchecked();
        let result = if ARE_CAUGHT && xgen_threads_catch() { catch_unwind(AssertUnwindSafe(body)) } else { Ok(body()) };
        let scope = (*packet).scope;
        if ARE_CAUGHT && result.is_err() && !scope.is_null() {
            (*scope).failed.fetch_add(1, Ordering::Relaxed);
        }
        *(*packet).shared.result.get() = Some(result);
        (*packet).shared.leave();
        let counted = (*packet).counted;
        (*packet).known.over.store(true, Ordering::Release);
        if counted {
            (*scope).running.fetch_sub(1, Ordering::Release);
        }
    }
    ptr::null_mut()
}

struct Native<T> {
    handle: u64,
    shared: *const Shared<T>,
    thread: Thread,
}

impl<T> Native<T> {
    fn new<F: FnOnce() -> T>(name: Option<String>, body: F, scope: *const Counted, counted: bool) -> Native<T> {
        let known: &'static mut Known = Box::leak(Box::new(Known {
            number: 0,
            name,
            token: AtomicU32::new(0),
            over: AtomicBool::new(false),
        }));
        let place: *mut u64 = &mut known.number;
        let known: &'static Known = known;
        let packet = Box::leak(Box::new(Packet {
            body: Some(body),
            shared: Shared { result: UnsafeCell::new(None), left: AtomicBool::new(false) },
            known,
            scope,
            counted,
        }));
        let argument = packet as *mut Packet<F, T>;
        let mut handle = 0;
        unsafe {
            xgen_stays(known as *const Known as *const u8);
            xgen_is_no_leak(argument as *const u8);
            *place = known as *const Known as u64;
            pthread_create(&mut handle, ptr::null(), __start::<F, T>, argument as *mut u8);
            Native { handle, shared: &(*argument).shared, thread: Thread(known) }
        }
    }

    fn join(&self) -> Result<T> {
        about_to_wait();
        unsafe {
            pthread_join(self.handle, ptr::null_mut());
            (*(*self.shared).result.get()).take().unwrap_unchecked()
        }
    }

    /// Nobody joins it.
    fn leave(&self) {
        unsafe { (*self.shared).leave() };
    }

    fn is_finished(&self) -> bool {
        self.thread.0.over.load(Ordering::Relaxed)
    }
}

pub struct JoinHandle<T>(Option<Native<T>>);

unsafe impl<T> Send for JoinHandle<T> {}
unsafe impl<T> Sync for JoinHandle<T> {}

impl<T> JoinHandle<T> {
    pub fn thread(&self) -> &Thread {
        &self.0.as_ref().unwrap().thread
    }

    pub fn join(mut self) -> Result<T> {
        self.0.take().unwrap().join()
    }

    pub fn is_finished(&self) -> bool {
        self.0.as_ref().unwrap().is_finished()
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        if let Some(native) = &self.0 {
            unsafe { pthread_detach(native.handle) };
            native.leave();
        }
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JoinHandle")
    }
}

/// std has it in `os::unix::thread`.
pub trait JoinHandleExt {
    fn as_pthread_t(&self) -> RawPthread;
    fn into_pthread_t(self) -> RawPthread;
}

impl<T> JoinHandleExt for JoinHandle<T> {
    fn as_pthread_t(&self) -> RawPthread {
        self.0.as_ref().unwrap().handle
    }

    fn into_pthread_t(mut self) -> RawPthread {
        self.0.take().unwrap().handle
    }
}

pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    JoinHandle(Some(Native::new(None, f, ptr::null(), false)))
}

#[derive(Debug, Default)]
pub struct Builder {
    name: Option<String>,
}

impl Builder {
    pub fn new() -> Builder {
        Builder { name: None }
    }

    pub fn name(mut self, name: String) -> Builder {
        self.name = Some(name);
        self
    }

    pub fn stack_size(self, _: usize) -> Builder {
        self
    }

    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        Ok(JoinHandle(Some(Native::new(self.name, f, ptr::null(), false))))
    }

    pub unsafe fn spawn_unchecked<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send,
        T: Send,
    {
        Ok(JoinHandle(Some(Native::new(self.name, f, ptr::null(), false))))
    }

    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        Ok(scope.start(self.name, f))
    }
}

// ---- scopes

struct Counted {
    running: AtomicUsize,
    failed: AtomicUsize, // threads that have ended with a panic, and were not joined
}

/// Threads that the scope's own thread starts are waited for one by one, the others of it are counted.
pub struct Scope<'scope, 'env: 'scope> {
    owner: u64,
    counted: Counted,
    started: UnsafeCell<Vec<(u64, &'static Known)>>,
    scope: PhantomData<&'scope mut &'scope ()>,
    environment: PhantomData<&'env mut &'env ()>,
}

unsafe impl Sync for Scope<'_, '_> {}

pub struct ScopedJoinHandle<'scope, T> {
    native: Native<T>,
    owner: u64,
    started: *mut Vec<(u64, &'static Known)>,
    counted: *const Counted,
    scope: PhantomData<&'scope ()>,
}

unsafe impl<T> Send for ScopedJoinHandle<'_, T> {}
unsafe impl<T> Sync for ScopedJoinHandle<'_, T> {}

/// Waits for all threads of a scope, also where a panic ends it: for what they run, not for what they do when that has
/// returned. Where a thread does nothing then, and nobody else waits for it, both are the same.
struct Waits<'a>(&'a Counted, &'a UnsafeCell<Vec<(u64, &'static Known)>>);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        about_to_wait();
        for (handle, known) in unsafe { &*self.1.get() } {
            if unsafe { xgen_ends_late(*handle) } {
                while !known.over.load(Ordering::Acquire) {}
            } else {
                unsafe { pthread_join(*handle, ptr::null_mut()) };
            }
        }
        while self.0.running.load(Ordering::Acquire) != 0 {}
    }
}

pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let scope = Scope {
        owner: current().0.number,
        counted: Counted { running: AtomicUsize::new(0), failed: AtomicUsize::new(0) },
        started: UnsafeCell::new(Vec::new()),
        scope: PhantomData,
        environment: PhantomData,
    };
    let waits = Waits(&scope.counted, &scope.started);
    let result = f(&scope);
    drop(waits);
    if ARE_CAUGHT && scope.counted.failed.load(Ordering::Relaxed) != 0 {
        panic!("a scoped thread panicked");
    }
    result
}

impl<'scope, 'env> Scope<'scope, 'env> {
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        self.start(None, f)
    }

    fn start<F, T>(&'scope self, name: Option<String>, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let (counted, started, owner) = (&self.counted as *const Counted, self.started.get(), self.owner);
        if current().0.number == owner {
            let native = Native::new(name, f, counted, false);
            unsafe { (*started).push((native.handle, native.thread.0)) };
            return ScopedJoinHandle { native, owner, started, counted, scope: PhantomData };
        }
        self.counted.running.fetch_add(1, Ordering::Relaxed);
        let native = Native::new(name, f, counted, true);
        ScopedJoinHandle { native, owner, started: ptr::null_mut(), counted, scope: PhantomData }
    }
}

impl<'scope, T> ScopedJoinHandle<'scope, T> {
    pub fn thread(&self) -> &Thread {
        &self.native.thread
    }

    pub fn join(self) -> Result<T> {
        let handle = ManuallyDrop::new(self);
        if !handle.started.is_null() {
            handle.is_joined();
        }
        let result = handle.native.join();
        if ARE_CAUGHT && result.is_err() {
            unsafe { (*handle.counted).failed.fetch_sub(1, Ordering::Relaxed) };
        }
        result
    }

    /// The scope does not join it, too.
    fn is_joined(&self) {
        if current().0.number != self.owner {
            unsafe { xgen_is_waited_for(self.native.handle) };
            return;
        }
        let started = unsafe { &mut *self.started };
        let mut place = 0;
        while place < started.len() {
            if started[place].0 == self.native.handle {
                started.swap_remove(place);
                break;
            }
            place += 1;
        }
    }

    pub fn is_finished(&self) -> bool {
        self.native.is_finished()
    }
}

impl<T> Drop for ScopedJoinHandle<'_, T> {
    fn drop(&mut self) {
        self.native.leave();
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scope { .. }")
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScopedJoinHandle { .. }")
    }
}

// ---- a thread itself

#[derive(Clone)]
pub struct Thread(&'static Known);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadId(u64);

impl Thread {
    pub fn unpark(&self) {
        self.0.token.swap(1, Ordering::Release);
    }

    pub fn id(&self) -> ThreadId {
        ThreadId(self.0.number)
    }

    pub fn name(&self) -> Option<&str> {
        if self.is_first() { Some("main") } else { self.0.name.as_deref() }
    }

    /// Whether it is the program's own: asked by the crate `loom`, where that thread has no name.
    #[doc(hidden)]
    pub fn is_first(&self) -> bool {
        self.0.number == 0
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Thread")
    }
}

pub fn current() -> Thread {
    Thread(CURRENT.get())
}

#[inline]
pub fn panicking() -> bool {
    crate::panic::panicking()
}

pub fn park() {
    about_to_wait();
    if unsafe { xgen_wakes_alone() } {
        return; // a token stays for the next time
    }
    let known = CURRENT.get();
    while known.token.load(Ordering::Relaxed) == 0 {}
    known.token.swap(0, Ordering::Acquire);
}

pub fn park_timeout(_: Duration) {
    CURRENT.get().token.swap(0, Ordering::Acquire);
}

pub fn park_timeout_ms(ms: u32) {
    park_timeout(Duration::from_millis(ms as u64));
}

#[inline]
pub fn yield_now() {}

#[inline]
pub fn sleep(_: Duration) {}

#[inline]
pub fn sleep_ms(_: u32) {}

#[inline]
pub fn sleep_until(_: Instant) {}

pub fn available_parallelism() -> io::Result<NonZero<usize>> {
    Ok(NonZero::new(2).unwrap())
}
