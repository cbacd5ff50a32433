#![no_std]
#![no_main]

use core::cell::UnsafeCell;
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};

struct Slot {
    data: UnsafeCell<u32>,
    full: AtomicBool,
}

unsafe impl Sync for Slot {}

static SLOT: Slot = Slot { data: UnsafeCell::new(0), full: AtomicBool::new(false) };

extern "C" {
    fn pthread_create(thread: *mut u64, a: *const u8, f: extern "C" fn(*mut u8) -> *mut u8, p: *mut u8) -> i32;
    fn pthread_join(thread: u64, result: *mut *mut u8) -> i32;
}

extern "C" fn write(_: *mut u8) -> *mut u8 {
    unsafe { *SLOT.data.get() = 42 };
    SLOT.full.store(true, Ordering::Relaxed);
    ptr::null_mut()
}

#[no_mangle]
extern "C" fn main() -> i32 {
    let mut thread = 0;
    unsafe { pthread_create(&mut thread, ptr::null(), write, ptr::null_mut()) };
    if SLOT.full.load(Ordering::Acquire) {
        assert!(unsafe { *SLOT.data.get() } == 42);
    }
    unsafe { pthread_join(thread, ptr::null_mut()) };
    0
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
