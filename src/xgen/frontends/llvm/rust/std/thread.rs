//! Threads: what each returns stands in memory that it shares with its handle.

pub use ::std::thread::{AccessError, LocalKey, Result, panicking};

use crate::pthreads::{pthread_create, pthread_detach, pthread_join};
use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::io;
use std::marker::PhantomData;
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

std::thread_local! {
    static CURRENT: Cell<&'static Known> = const { Cell::new(&MAIN) };
}

struct Packet<F, T> {
    body: Option<F>,
    result: UnsafeCell<Option<T>>,
    known: &'static Known,
    scope: *const Counted,
}

/// Its name, with that of a closure, is what a thread is called.
extern "C" fn __start<F: FnOnce() -> T, T>(argument: *mut u8) -> *mut u8 {
    let packet = argument as *mut Packet<F, T>;
    unsafe {
        CURRENT.set((*packet).known);
        let body = (*packet).body.take().unwrap_unchecked();
        let result = body();
        *(*packet).result.get() = Some(result);
        (*packet).known.over.store(true, Ordering::Release);
        if !(*packet).scope.is_null() {
            (*(*packet).scope).running.fetch_sub(1, Ordering::Release);
        }
    }
    ptr::null_mut()
}

struct Native<T> {
    handle: u64,
    result: *const UnsafeCell<Option<T>>,
    thread: Thread,
}

impl<T> Native<T> {
    fn new<F: FnOnce() -> T>(name: Option<String>, body: F, scope: *const Counted) -> Native<T> {
        let known: &'static mut Known = Box::leak(Box::new(Known {
            number: 0,
            name,
            token: AtomicU32::new(0),
            over: AtomicBool::new(false),
        }));
        let place: *mut u64 = &mut known.number;
        let known: &'static Known = known;
        let packet = Box::leak(Box::new(Packet { body: Some(body), result: UnsafeCell::new(None), known, scope }));
        let argument = packet as *mut Packet<F, T>;
        let mut handle = 0;
        unsafe {
            *place = known as *const Known as u64;
            pthread_create(&mut handle, ptr::null(), __start::<F, T>, argument as *mut u8);
            Native { handle, result: &(*argument).result, thread: Thread(known) }
        }
    }

    fn join(self) -> Result<T> {
        unsafe {
            pthread_join(self.handle, ptr::null_mut());
            Ok((*(*self.result).get()).take().unwrap_unchecked())
        }
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
        self.thread().0.over.load(Ordering::Acquire)
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        if let Some(native) = &self.0 {
            unsafe { pthread_detach(native.handle) };
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
    JoinHandle(Some(Native::new(None, f, ptr::null())))
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
        Ok(JoinHandle(Some(Native::new(self.name, f, ptr::null()))))
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
}

/// Threads that the scope's own thread starts are joined at its end, if not before; the others of it are counted.
pub struct Scope<'scope, 'env: 'scope> {
    owner: u64,
    counted: Counted,
    handles: UnsafeCell<Vec<u64>>,
    scope: PhantomData<&'scope mut &'scope ()>,
    environment: PhantomData<&'env mut &'env ()>,
}

unsafe impl Sync for Scope<'_, '_> {}

pub struct ScopedJoinHandle<'scope, T> {
    native: Native<T>,
    handles: *mut Vec<u64>,
    scope: PhantomData<&'scope ()>,
}

unsafe impl<T> Send for ScopedJoinHandle<'_, T> {}
unsafe impl<T> Sync for ScopedJoinHandle<'_, T> {}

pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let scope = Scope {
        owner: current().0.number,
        counted: Counted { running: AtomicUsize::new(0) },
        handles: UnsafeCell::new(Vec::new()),
        scope: PhantomData,
        environment: PhantomData,
    };
    let result = f(&scope);
    for handle in unsafe { &*scope.handles.get() } {
        unsafe { pthread_join(*handle, ptr::null_mut()) };
    }
    while scope.counted.running.load(Ordering::Acquire) != 0 {}
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
        if current().0.number == self.owner {
            let native = Native::new(name, f, ptr::null());
            let handles = self.handles.get();
            unsafe { (*handles).push(native.handle) };
            return ScopedJoinHandle { native, handles, scope: PhantomData };
        }
        self.counted.running.fetch_add(1, Ordering::Relaxed);
        let native = Native::new(name, f, &self.counted);
        ScopedJoinHandle { native, handles: ptr::null_mut(), scope: PhantomData }
    }
}

impl<'scope, T> ScopedJoinHandle<'scope, T> {
    pub fn thread(&self) -> &Thread {
        &self.native.thread
    }

    pub fn join(self) -> Result<T> {
        if !self.handles.is_null() {
            let handles = unsafe { &mut *self.handles };
            let mut place = 0;
            while place < handles.len() {
                if handles[place] == self.native.handle {
                    handles.swap_remove(place);
                    break;
                }
                place += 1;
            }
        }
        self.native.join()
    }

    pub fn is_finished(&self) -> bool {
        self.native.thread.0.over.load(Ordering::Acquire)
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
        self.0.name.as_deref()
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

pub fn park() {
    let known = CURRENT.get();
    while known.token.load(Ordering::Relaxed) == 0 {}
    known.token.swap(0, Ordering::Acquire);
}

pub fn park_timeout(_: Duration) {
    CURRENT.get().token.swap(0, Ordering::Acquire);
}

#[inline]
pub fn yield_now() {}

#[inline]
pub fn sleep(_: Duration) {}

#[inline]
pub fn sleep_until(_: Instant) {}

pub fn available_parallelism() -> io::Result<NonZero<usize>> {
    Ok(NonZero::new(2).unwrap())
}
