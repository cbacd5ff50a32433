#!/usr/bin/env bash
# rustc 1.95: a `use` of a crate whose own dependency is missing says that the crate itself is missing.
#
# `middle` is there and named by --extern; `base_impl`, which it depends on, stands in a folder that is not said. The
# same crate by `extern crate middle`, or by a path in an expression, is told right: can't find crate for `base_impl`
# which `middle` depends on. By `use middle::one` it is: can't find crate for `middle`, and nothing names `base_impl`.
# (No crate of std hides it, since all are no_std; --extern base=FILE does not help, as the crate's own name differs.)
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir base middle
printf '#![no_std]\npub fn one() -> u32 { 1 }\n' > base.rs
printf '#![no_std]\nextern crate base;\npub use base::one;\n' > middle.rs
printf '#![no_std]\nextern crate middle;\npub fn two() -> u32 { middle::one() + 1 }\n' > declared.rs
printf '#![no_std]\npub fn two() -> u32 { middle::one() + 1 }\n' > path.rs
printf '#![no_std]\npub use middle::one;\n' > used.rs
rustc --version
library() { rustc --edition 2021 --crate-type rlib "$@"; }
library --crate-name base_impl base.rs -o base/libbase_impl.rlib
library --extern base=base/libbase_impl.rlib middle.rs -o middle/libmiddle.rlib
for form in declared path used; do
    said=$(library --extern middle=middle/libmiddle.rlib "$form.rs" 2>&1 | grep -o "can't find crate for .*" | head -1 || true)
    echo "$form: $said"
    library --extern middle=middle/libmiddle.rlib -L dependency=base "$form.rs" -o out.rlib && echo "$form: with -L it compiles"
done | tee out
diff - out <<'SEEN' && echo "as stated" || { echo CHANGED; exit 1; }
declared: can't find crate for `base_impl` which `middle` depends on
declared: with -L it compiles
path: can't find crate for `base_impl` which `middle` depends on
path: with -L it compiles
used: can't find crate for `middle`
used: with -L it compiles
SEEN
