"""How the programs of `made.py` are written in C, C++ and Rust."""

from __future__ import annotations

from abc import ABC, abstractmethod

from both.made import FLAGS, GLOBALS, MUTEXES, OWN, POINTERS, Program, Statement


class Printer(ABC):
    """Writes a program in one language."""

    def text(self, program: Program) -> str:
        """The program's text."""
        count = len(program.bodies)
        lines = [self.head(count)]
        lines += [self.declared(thread) for thread in range(1, count)]
        for thread in reversed(range(count)):
            lines += [self.opened(thread), *self.body(program.bodies[thread]), self.closed(thread)]
        return "\n".join(lines) + "\n"

    def body(self, statements: tuple[Statement, ...]) -> list[str]:
        return [f"  {line}" for statement in statements for line in self.statement(statement)]

    def statement(self, statement: Statement) -> list[str]:
        kind, *rest = statement
        if kind == "block":
            return ["{", *self.body(rest[0]), "}"]
        if kind == "if":
            return [f"if ({self.raised(rest[0])}) {{", *self.body(rest[1]), "}"]
        if kind == "locked":
            return ["{", f"  {self.lock(rest[0])}", *self.body(rest[1]), *self.unlock(rest[0]), "}"]
        if kind == "guard":
            return ["{", f"  {self.guard(rest[0], rest[1])}", *self.body(rest[2]), "}"]
        if kind == "try":
            return self.tried(self.body(rest[0]), self.body(rest[1]))
        return [getattr(self, kind)(*rest)]

    @abstractmethod
    def head(self, count: int) -> str: ...

    def declared(self, _thread: int) -> str:
        return ""

    @abstractmethod
    def opened(self, thread: int) -> str: ...

    def closed(self, _thread: int) -> str:
        return "}"

    @abstractmethod
    def raised(self, flag: str) -> str: ...

    @abstractmethod
    def lock(self, mutex: str) -> str: ...

    def unlock(self, _mutex: str) -> list[str]:
        return []

    def guard(self, name: str, value: int) -> str:
        return f"Guard guard(&{name}, {value});"

    def tried(self, body: list[str], handler: list[str]) -> list[str]:
        return ["try {", *body, "} catch (int) {", *handler, "}"]

    def set(self, name: str, value: int) -> str:
        return f"{name} = {value};"

    def expect(self, name: str, value: int | None) -> str:
        return f"assert({name} {_relation(value)});"

    def local(self, name: str, value: int | None) -> str:
        return f"int {name};" if value is None else f"int {name} = {value};"

    def address(self, pointer: str, name: str) -> str:
        return f"{pointer} = &{name};"

    def deref(self, pointer: str, value: int) -> str:
        return f"*{pointer} = {value};"

    def check(self, pointer: str, value: int | None) -> str:
        return f"assert(*{pointer} {_relation(value)});"


def _relation(value: int | None) -> str:
    """What is asserted of a value: that it is this one, or no more than that it is one."""
    return "!= 9" if value is None else f"== {value}"


class InC(Printer):
    def head(self, count: int) -> str:
        lines = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>", "#include <stdlib.h>"]
        lines += [f"int {', '.join(GLOBALS)}, {', '.join(f'*{name}' for name in POINTERS)};"]
        lines += [f"atomic_int {', '.join(FLAGS)};", f"_Thread_local int {OWN};"]
        lines += [f"pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;" for name in MUTEXES]
        return "\n".join([*lines, *(f"pthread_t t{thread};" for thread in range(1, count))])

    def declared(self, thread: int) -> str:
        return f"void *run{thread}(void *);"

    def opened(self, thread: int) -> str:
        return f"void *run{thread}(void *argument) {{" if thread else "int main(void) {"

    def closed(self, thread: int) -> str:
        return "  return argument;\n}" if thread else "}"

    def raised(self, flag: str) -> str:
        return f"atomic_load(&{flag})"

    def lock(self, mutex: str) -> str:
        return f"pthread_mutex_lock(&{mutex});"

    def unlock(self, mutex: str) -> list[str]:
        return [f"  pthread_mutex_unlock(&{mutex});"]

    def new(self, pointer: str, value: int | None) -> str:
        made = "malloc(sizeof(int));"
        return (
            f"{pointer} = {made}" if value is None else f"{{ int *made = {made} *made = {value}; {pointer} = made; }}"
        )

    def free(self, pointer: str) -> str:
        return f"free({pointer});"

    def flag(self, name: str) -> str:
        return f"atomic_store(&{name}, 1);"

    def start(self, thread: int) -> str:
        return f"pthread_create(&t{thread}, 0, run{thread}, 0);"

    def join(self, thread: int) -> str:
        return f"pthread_join(t{thread}, 0);"


class InCpp(Printer):
    def head(self, count: int) -> str:
        lines = ["#include <atomic>", "#include <cassert>", "#include <mutex>", "#include <thread>"]
        lines += [f"int {', '.join(GLOBALS)}, {', '.join(f'*{name}' for name in POINTERS)};"]
        lines += [f"std::atomic<int> {', '.join(FLAGS)};", f"thread_local int {OWN};"]
        lines += [f"std::mutex {name};" for name in MUTEXES]
        lines += [
            "struct Guard { int *at; int value; Guard(int *a, int v) : at(a), value(v) {} ~Guard() { *at = value; } };"
        ]
        return "\n".join([*lines, *(f"std::thread *t{thread};" for thread in range(1, count))])

    def declared(self, thread: int) -> str:
        return f"void run{thread}();"

    def opened(self, thread: int) -> str:
        return f"void run{thread}() {{" if thread else "int main() {"

    def raised(self, flag: str) -> str:
        return f"{flag}.load()"

    def lock(self, mutex: str) -> str:
        return f"std::lock_guard<std::mutex> locked({mutex});"

    def throw(self) -> str:
        return "throw 1;"

    def new(self, pointer: str, value: int | None) -> str:
        return f"{pointer} = new int{'' if value is None else f'({value})'};"

    def free(self, pointer: str) -> str:
        return f"delete {pointer};"

    def flag(self, name: str) -> str:
        return f"{name}.store(1);"

    def start(self, thread: int) -> str:
        return f"t{thread} = new std::thread(run{thread});"

    def join(self, thread: int) -> str:
        return f"t{thread}->join();"


_RUST = """#![allow(static_mut_refs, unused, unreachable_code)]
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::sync::Mutex;
use std::thread::{spawn, JoinHandle};
struct Guard(*mut i32, i32);
impl Drop for Guard { fn drop(&mut self) { unsafe { *self.0 = self.1; } } }
fn expect(good: bool) { if !good { std::process::abort(); } }
thread_local! { static OWN: UnsafeCell<i32> = const { UnsafeCell::new(0) }; }"""


class InRust(Printer):
    def head(self, count: int) -> str:
        lines = [_RUST]
        lines += [f"static mut {name.upper()}: i32 = 0;" for name in GLOBALS]
        lines += [f"static mut {name.upper()}: *mut i32 = std::ptr::null_mut();" for name in POINTERS]
        lines += [f"static {name.upper()}: AtomicI32 = AtomicI32::new(0);" for name in FLAGS]
        lines += [f"static {name.upper()}: Mutex<()> = Mutex::new(());" for name in MUTEXES]
        lines += [f"static mut T{thread}: Option<JoinHandle<()>> = None;" for thread in range(1, count)]
        return "\n".join(lines)

    def opened(self, thread: int) -> str:
        return f"fn {f'run{thread}' if thread else 'main'}() {{ unsafe {{"

    def closed(self, _thread: int) -> str:
        return "} }"

    def raised(self, flag: str) -> str:
        return f"{flag.upper()}.load(SeqCst) != 0"

    def lock(self, mutex: str) -> str:
        return f"let _locked = {mutex.upper()}.lock().unwrap();"

    def guard(self, name: str, value: int) -> str:
        return f"let _guard = Guard(&raw mut {name.upper()}, {value});"

    def throw(self) -> str:
        return "std::panic::panic_any(1);"

    def tried(self, body: list[str], handler: list[str]) -> list[str]:
        return ["if catch_unwind(AssertUnwindSafe(|| {", *body, "})).is_err() {", *handler, "}"]

    def set(self, name: str, value: int) -> str:
        if name == OWN:
            return f"OWN.with(|own| *own.get() = {value});"
        return f"{name.upper()} = {value};" if name in GLOBALS else f"{name}.write({value});"

    def expect(self, name: str, value: int | None) -> str:
        if name == OWN:
            return f"OWN.with(|own| expect(*own.get() {_relation(value)}));"
        read = name.upper() if name in GLOBALS else f"{name}.assume_init_read()"
        return f"expect({read} {_relation(value)});"

    def local(self, name: str, value: int | None) -> str:
        made = "uninit()" if value is None else f"new({value})"
        return f"let mut {name} = MaybeUninit::<i32>::{made};"

    def address(self, pointer: str, name: str) -> str:
        if name == OWN:
            return f"{pointer.upper()} = OWN.with(|own| own.get());"
        target = f"&raw mut {name.upper()}" if name in GLOBALS else f"{name}.as_mut_ptr()"
        return f"{pointer.upper()} = {target};"

    def new(self, pointer: str, value: int | None) -> str:
        made = "uninit()" if value is None else f"new({value})"
        return f"{pointer.upper()} = Box::into_raw(Box::new(MaybeUninit::<i32>::{made})) as *mut i32;"

    def free(self, pointer: str) -> str:
        return (
            f"{{ let p = {pointer.upper()}; if !p.is_null() {{ drop(Box::from_raw(p as *mut MaybeUninit<i32>)); }} }}"
        )

    def deref(self, pointer: str, value: int) -> str:
        return f"*{pointer.upper()} = {value};"

    def check(self, pointer: str, value: int | None) -> str:
        return f"expect(*{pointer.upper()} {_relation(value)});"

    def flag(self, name: str) -> str:
        return f"{name.upper()}.store(1, SeqCst);"

    def start(self, thread: int) -> str:
        return f"T{thread} = Some(spawn(|| run{thread}()));"

    def join(self, thread: int) -> str:
        return f"T{thread}.take().unwrap().join().unwrap();"
