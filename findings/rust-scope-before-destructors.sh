#!/usr/bin/env bash
# Rust's standard library: thread::scope returns before its threads are over: destructors of thread-locals still run.
#
# Expected: all threads of the scope are joined before it returns, as its page says, so what they do is done then, as
# after join(). Seen: the scope waits for the closures only. With join() of the very same thread, inside of the scope or
# of thread::spawn, the destructor has run.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > a.rs <<'RUST'
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct Slow;

impl Drop for Slow {
    fn drop(&mut self) {
        thread::sleep(Duration::from_secs(1));
        DROPPED.fetch_add(1, SeqCst);
    }
}

thread_local! { static LOCAL: Slow = const { Slow }; }

fn touch() {
    LOCAL.with(|_| ());
}

fn main() {
    thread::spawn(touch).join().unwrap();
    println!("after spawn and join: {}", DROPPED.load(SeqCst));
    thread::scope(|scope| scope.spawn(touch).join().unwrap());
    println!("after a scope with join: {}", DROPPED.load(SeqCst));
    thread::scope(|scope| {
        scope.spawn(touch);
    });
    println!("after a scope: {}", DROPPED.load(SeqCst));
    thread::sleep(Duration::from_secs(5));
    println!("later: {}", DROPPED.load(SeqCst));
}
RUST
rustc --version
rustc --edition 2021 -O a.rs -o a
./a | tee out
printf 'after spawn and join: 1\nafter a scope with join: 2\nafter a scope: 2\nlater: 3\n' |
    diff - out && echo "as stated" || { echo CHANGED; exit 1; }
