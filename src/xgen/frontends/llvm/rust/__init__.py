"""Rust, by rustc's IR of it.

sources   from a file, or a project of cargo, to the program
crates    what is compiled for it, and linked with what std has
tests     the tests of a target; harness: what rustc makes of them
rustc     which compiler, what it is told, and what it says is wrong
cargo     a project: all its crates
names     what functions of Rust's libraries are in C
rlibs     bodies of functions of Rust's own libraries: their bitcode
test/     the crate that rustc's main for tests names
loom/     the crate that tests of loom use; loom: how it comes into a project
std/      std as programs see it: its threads and what they wait for, written on pthreads
"""
