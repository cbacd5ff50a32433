#!/usr/bin/env bash
# loom 0.7.2: three outcomes that C++20 and Rust allow are never tried, of what it is for: atomics, their orders, Arc.
#
# Expected: "all possible executions", up to what its documentation takes away (SeqCst accesses, relaxed cycles). Seen:
# compare_exchange_weak never fails where compare_exchange would not, so a program without the loop around it passes; a
# relaxed load sees the last seven stores to a variable and none before; Arc::strong_count beside a thread that drops
# its clone is always what it was before the drop.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "outcomes"
version = "0.0.0"
edition = "2021"

[dependencies]
loom = "=0.7.2"
TOML
cat > src/main.rs <<'RUST'
use loom::sync::atomic::{AtomicUsize, Ordering::*};
use loom::sync::Arc;
use loom::thread;
use std::collections::BTreeSet;
use std::sync::Mutex;

fn outcomes(name: &str, one: fn() -> String) {
    let seen: &'static Mutex<BTreeSet<String>> = Box::leak(Box::default());
    loom::model(move || {
        let outcome = one();
        seen.lock().unwrap().insert(outcome);
    });
    println!("{name}: {}", seen.lock().unwrap().iter().cloned().collect::<Vec<_>>().join(" "));
}

fn main() {
    outcomes("compare_exchange_weak succeeds", || {
        AtomicUsize::new(0).compare_exchange_weak(0, 1, AcqRel, Relaxed).is_ok().to_string()
    });
    outcomes("x after 10 relaxed stores and a relaxed flag", || {
        let both = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        let other = both.clone();
        let writer = thread::spawn(move || {
            (1..=10).for_each(|i| other.0.store(i, Relaxed));
            other.1.store(1, Relaxed);
        });
        let seen = if both.1.load(Relaxed) == 1 { both.0.load(Relaxed).to_string() } else { "-".into() };
        writer.join().unwrap();
        format!("{seen:>2}")
    });
    outcomes("strong_count beside a drop", || {
        let arc = Arc::new(0);
        let clone = arc.clone();
        let other = thread::spawn(move || drop(clone));
        let count = Arc::strong_count(&arc);
        other.join().unwrap();
        count.to_string()
    });
}
RUST
cargo --version
cargo run --quiet | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
compare_exchange_weak succeeds: true
x after 10 relaxed stores and a relaxed flag:  -  4  5  6  7  8  9 10
strong_count beside a drop: 2
END
