#!/usr/bin/env bash
# Rust's standard library on Linux: RwLock::try_read fails though only readers hold the lock, if a writer waits for it.
#
# Expected, as of pthread_rwlock_tryrdlock with the default kind: while readers alone hold the lock, another one gets
# in. Seen: Err(WouldBlock) as soon as a thread waits in write(); before it does, try_read() succeeds. So whether a
# reader gets in depends on who waits, and a second read() of the same thread waits for ever then.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > a.rs <<'RUST'
use std::sync::{RwLock, TryLockError};
use std::thread;
use std::time::Duration;

static LOCK: RwLock<i32> = RwLock::new(0);

fn main() {
    let held = LOCK.read().unwrap();
    println!("a reader holds it: try_read().is_ok() is {}", LOCK.try_read().is_ok());
    let writer = thread::spawn(|| *LOCK.write().unwrap() = 1);
    let mut refused = false;
    for _ in 0..10_000 {
        refused = matches!(LOCK.try_read(), Err(TryLockError::WouldBlock));
        if refused {
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    println!("a writer waits besides: WouldBlock is {refused}");
    drop(held);
    writer.join().unwrap();
}
RUST
rustc --version
rustc --edition 2021 -O a.rs -o a
./a | tee out
printf 'a reader holds it: try_read().is_ok() is true\na writer waits besides: WouldBlock is true\n' |
    diff - out && echo "as stated" || { echo CHANGED; exit 1; }
