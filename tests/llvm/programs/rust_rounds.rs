#![no_std]
#![no_main]

use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};

static X: AtomicU32 = AtomicU32::new(0);

extern "C" {
    fn pthread_create(thread: *mut u64, a: *const u8, f: extern "C" fn(*mut u8) -> *mut u8, p: *mut u8) -> i32;
    fn pthread_join(thread: u64, result: *mut *mut u8) -> i32;
}

extern "C" fn write(_: *mut u8) -> *mut u8 {
    X.store(1, Ordering::Relaxed);
    ptr::null_mut()
}

fn read(round: u32) -> Option<u32> {
    if X.load(Ordering::Relaxed) == 1 { None } else { Some(round) }
}

/// `last` is what it was where a round goes on at once, and where it does not.
#[no_mangle]
extern "C" fn main() -> i32 {
    let mut thread = 0;
    unsafe { pthread_create(&mut thread, ptr::null(), write, ptr::null_mut()) };
    let mut last = 0;
    let mut round = 0;
    while round < 2 {
        let found = read(round);
        round += 1;
        if let Some(value) = found {
            assert!(value == last);
            last = value + 1;
        }
    }
    unsafe { pthread_join(thread, ptr::null_mut()) };
    0
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
