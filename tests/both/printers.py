"""How the programs of `made.py` are written in C, C++ and Rust."""

from __future__ import annotations

from abc import ABC, abstractmethod

from both.made import FLAGS, GIVEN, GLOBALS, MUTEXES, OWN, POINTERS, Program, Statement


class Printer(ABC):
    """Writes a program in one language. `functions`: those of calls, which come first."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        self.calls = 0

    def text(self, program: Program) -> str:
        """The program's text."""
        self.functions, self.calls = [], 0
        count = len(program.bodies)
        lines = [self.declared(thread) for thread in range(1, count)]
        for thread in reversed(range(count)):
            body = self.body(program.bodies[thread])
            lines += [*self.functions, self.opened(thread), *self.begun(thread), *body, self.closed(thread)]
            self.functions = []
        return "\n".join([self.head(count), *lines]) + "\n"

    def begun(self, _thread: int) -> list[str]:
        return []

    def body(self, statements: tuple[Statement, ...]) -> list[str]:
        lines = [f"  {line}" for statement in statements for line in self.statement(statement)]
        owners = [statement[1] for statement in statements if statement[0] == "owner"]
        return lines + [f"  {line}" for name in reversed(owners) for line in self.dropped(name)]

    def dropped(self, _name: str) -> list[str]:
        """What ends an owner."""
        return []

    def statement(self, statement: Statement) -> list[str]:
        kind, *rest = statement
        if kind == "block":
            return ["{", *self.body(rest[0]), "}"]
        if kind == "loop":
            return [*self.repeated(None), *self.body(rest[0]), "}"]
        if kind == "rounds":
            return [*self.repeated(self.raised(rest[0])), *self.body(rest[1]), "}"]
        if kind == "call":
            body, name = self.body(rest[0]), f"call{self.calls}"
            self.calls += 1
            self.functions.append("\n".join([self.function(name), *body, "}"]))
            return [f"{name}();"]
        if kind == "if":
            return [f"if ({self.raised(rest[0])}) {{", *self.body(rest[1]), "}"]
        if kind == "locked":
            return ["{", f"  {self.lock(rest[0])}", *self.body(rest[1]), *self.unlock(rest[0]), "}"]
        if kind == "guard":
            return ["{", f"  {self.guard(rest[0], rest[1])}", *self.body(rest[2]), "}"]
        if kind == "try":
            return self.tried(self.body(rest[0]), self.body(rest[1]))
        return [getattr(self, kind)(*rest)]

    def repeated(self, more: str | None) -> list[str]:
        """The head of a loop of two rounds, or of one, and another one if that holds then."""
        test = "i < 2" if more is None else f"i < 1 || (i < 2 && {more})"
        return [f"for (int i = 0; {test}; i++) {{"]

    def function(self, name: str) -> str:
        return f"static void {name}(void) {{"

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

    def pair(self, name: str, x: int | None, y: int | None) -> str:
        if x is not None and y is not None:
            return f"struct Pair {name} = {{{x}, {y}}};"
        values = (f" {name}.{part} = {value};" for part, value in (("x", x), ("y", y)) if value is not None)
        return f"struct Pair {name};{''.join(values)}"

    def copied(self, to: str, source: str) -> str:
        return f"{to} = {source};"

    def kept(self, pointer: str) -> str:
        return f"{pointer} = {GIVEN};"

    def late(self, name: str, value: int) -> str:
        return f"late(&{name}, {value});"

    def address(self, pointer: str, name: str) -> str:
        return f"{pointer} = &{name};"

    def deref(self, pointer: str, value: int) -> str:
        return f"*{pointer} = {value};"

    def check(self, pointer: str, value: int | None) -> str:
        return f"assert(*{pointer} {_relation(value)});"


def _relation(value: int | None) -> str:
    """What is asserted of a value: that it is this one, or no more than that it is one."""
    return "!= 9" if value is None else f"== {value}"


_LATE_IN_C = """void leave(void *value) { struct Late *last = value; *last->at = last->value; free(last); }
void late(int *at, int value) {
  struct Late *last = pthread_getspecific(key);
  if (!last) { last = malloc(sizeof *last); pthread_setspecific(key, last); }
  last->at = at; last->value = value;
}"""


class InC(Printer):
    def head(self, count: int) -> str:
        lines = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>", "#include <stdlib.h>"]
        lines += [f"int {', '.join(GLOBALS)}, {', '.join(f'*{name}' for name in POINTERS)};"]
        lines += [f"atomic_int {', '.join(FLAGS)};", f"_Thread_local int {OWN};"]
        lines += [f"pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;" for name in MUTEXES]
        lines += ["struct Pair { int x, y; };", "struct Late { int *at, value; };", "pthread_key_t key;", _LATE_IN_C]
        return "\n".join([*lines, *(f"pthread_t t{thread};" for thread in range(1, count))])

    def declared(self, thread: int) -> str:
        return f"void *run{thread}(void *);"

    def opened(self, thread: int) -> str:
        return f"void *run{thread}(void *{GIVEN}_) {{" if thread else "int main(void) {"

    def begun(self, thread: int) -> list[str]:
        return [f"  int *{GIVEN} = {GIVEN}_;"] if thread else ["  pthread_key_create(&key, leave);"]

    def closed(self, thread: int) -> str:
        return f"  return {GIVEN};\n}}" if thread else "}"

    def owner(self, name: str, value: int | None) -> str:
        return f"int *{name} = malloc(sizeof(int));" + ("" if value is None else f" *{name} = {value};")

    def dropped(self, name: str) -> list[str]:
        return [f"free({name});"]

    def lent(self, to: str, owner: str) -> str:
        if to in POINTERS:
            return f"{to} = {owner};"
        return f"{{ int *taken = {owner}; {owner} = 0; free({to}); {to} = taken; }}"

    def released(self, pointer: str, owner: str) -> str:
        return f"{pointer} = {owner}; {owner} = 0;"

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

    def start(self, thread: int, given: str | None = None) -> str:
        return f"pthread_create(&t{thread}, 0, run{thread}, {'0' if given is None else f'&{given}'});"

    def join(self, thread: int) -> str:
        return f"pthread_join(t{thread}, 0);"


_LATE_IN_CPP = """struct Late { int *at = nullptr; int value = 0; ~Late() { if (at) *at = value; } };
thread_local Late last;
void late(int *at, int value) { last.at = at; last.value = value; }"""


class InCpp(Printer):
    def head(self, count: int) -> str:
        lines = ["#include <atomic>", "#include <cassert>", "#include <mutex>", "#include <thread>"]
        lines += [f"int {', '.join(GLOBALS)}, {', '.join(f'*{name}' for name in POINTERS)};"]
        lines += [f"std::atomic<int> {', '.join(FLAGS)};", f"thread_local int {OWN};"]
        lines += [f"std::mutex {name};" for name in MUTEXES]
        lines += [
            "struct Guard { int *at; int value; Guard(int *a, int v) : at(a), value(v) {} ~Guard() { *at = value; } };"
        ]
        lines += ["#include <memory>", "struct Pair { int x, y; };", _LATE_IN_CPP]
        return "\n".join([*lines, *(f"std::thread *t{thread};" for thread in range(1, count))])

    def declared(self, thread: int) -> str:
        return f"void run{thread}(int *);"

    def opened(self, thread: int) -> str:
        return f"void run{thread}(int *{GIVEN}) {{" if thread else "int main() {"

    def owner(self, name: str, value: int | None) -> str:
        return f"std::unique_ptr<int> {name}(new int{'' if value is None else f'({value})'});"

    def lent(self, to: str, owner: str) -> str:
        return f"{to} = {owner}.get();" if to in POINTERS else f"{to} = std::move({owner});"

    def released(self, pointer: str, owner: str) -> str:
        return f"{pointer} = {owner}.release();"

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

    def start(self, thread: int, given: str | None = None) -> str:
        return f"t{thread} = new std::thread(run{thread}, {'nullptr' if given is None else f'&{given}'});"

    def join(self, thread: int) -> str:
        return f"t{thread}->join();"


_RUST = """#![allow(static_mut_refs, unused, unreachable_code)]
use std::cell::{RefCell, UnsafeCell};
use std::mem::MaybeUninit;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::sync::Mutex;
use std::thread::{spawn, JoinHandle};
struct Guard(*mut i32, i32);
impl Drop for Guard { fn drop(&mut self) { unsafe { *self.0 = self.1; } } }
fn expect(good: bool) { if !good { std::process::abort(); } }
thread_local! { static OWN: UnsafeCell<i32> = const { UnsafeCell::new(0) }; }
thread_local! { static LAST: RefCell<Option<Guard>> = const { RefCell::new(None) }; }
fn late(at: *mut i32, value: i32) { LAST.with(|last| std::mem::forget(last.borrow_mut().replace(Guard(at, value)))); }
#[derive(Clone, Copy)] struct Pair { x: i32, y: i32 }
struct Sent(*mut i32);
unsafe impl Send for Sent {}
type Owner = Option<Box<MaybeUninit<i32>>>;
fn lent(owner: &mut Owner) -> *mut i32 { owner.as_mut().map_or(std::ptr::null_mut(), |all| all.as_mut_ptr()) }
fn released(owner: &mut Owner) -> *mut i32 {
    owner.take().map_or(std::ptr::null_mut(), |all| Box::into_raw(all) as *mut i32)
}"""


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
        return f"fn {f'run{thread}({GIVEN}: *mut i32)' if thread else 'main()'} {{ unsafe {{"

    def function(self, name: str) -> str:
        return f"unsafe fn {name}() {{"

    def repeated(self, more: str | None) -> list[str]:
        return ["for i in 0..2 {", *([] if more is None else [f"  if i == 1 && !({more}) {{ break; }}"])]

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
        if "." in name:
            return f"*{_part(name)} = {value};"
        return f"{name.upper()} = {value};" if name in GLOBALS else f"{name}.write({value});"

    def owner(self, name: str, value: int | None) -> str:
        made = "uninit()" if value is None else f"new({value})"
        return f"let mut {name}: Owner = Some(Box::new(MaybeUninit::<i32>::{made}));"

    def lent(self, to: str, owner: str) -> str:
        return f"{to.upper()} = lent(&mut {owner});" if to in POINTERS else f"{to} = {owner}.take();"

    def released(self, pointer: str, owner: str) -> str:
        return f"{pointer.upper()} = released(&mut {owner});"

    def pair(self, name: str, x: int | None, y: int | None) -> str:
        if x is not None and y is not None:
            return f"let mut {name} = MaybeUninit::new(Pair {{ x: {x}, y: {y} }});"
        values = (f" {self.set(f'{name}.{part}', v)}" for part, v in (("x", x), ("y", y)) if v is not None)
        return f"let mut {name} = MaybeUninit::<Pair>::uninit();{''.join(values)}"

    def kept(self, pointer: str) -> str:
        return f"{pointer.upper()} = {GIVEN};"

    def late(self, name: str, value: int) -> str:
        return f"late({self.place(name)}, {value});"

    def place(self, name: str) -> str:
        """The address of a variable."""
        if name == OWN:
            return "OWN.with(|own| own.get())"
        if "." in name:
            return _part(name)
        return f"&raw mut {name.upper()}" if name in GLOBALS else f"{name}.as_mut_ptr()"

    def expect(self, name: str, value: int | None) -> str:
        if name == OWN:
            return f"OWN.with(|own| expect(*own.get() {_relation(value)}));"
        read = name.upper() if name in GLOBALS else f"*{_part(name)}" if "." in name else f"{name}.assume_init_read()"
        return f"expect({read} {_relation(value)});"

    def local(self, name: str, value: int | None) -> str:
        made = "uninit()" if value is None else f"new({value})"
        return f"let mut {name} = MaybeUninit::<i32>::{made};"

    def address(self, pointer: str, name: str) -> str:
        return f"{pointer.upper()} = {self.place(name)};"

    def new(self, pointer: str, value: int | None) -> str:
        made = "uninit()" if value is None else f"new({value})"
        return f"{pointer.upper()} = Box::into_raw(Box::new(MaybeUninit::<i32>::{made})) as *mut i32;"

    def free(self, pointer: str) -> str:
        return (
            f"{{ let p = {pointer.upper()}; if !p.is_null() {{ drop(Box::from_raw(p as *mut MaybeUninit<i32>)); }} }}"
        )

    def deref(self, pointer: str, value: int) -> str:
        return f"*{_pointer(pointer)} = {value};"

    def check(self, pointer: str, value: int | None) -> str:
        return f"expect(*{_pointer(pointer)} {_relation(value)});"

    def flag(self, name: str) -> str:
        return f"{name.upper()}.store(1, SeqCst);"

    def start(self, thread: int, given: str | None = None) -> str:
        sent = "std::ptr::null_mut()" if given is None else self.place(given)
        ran = f"spawn(move || {{ let all = sent; run{thread}(all.0); }})"
        return f"{{ let sent = Sent({sent}); T{thread} = Some({ran}); }}"

    def join(self, thread: int) -> str:
        return f"T{thread}.take().unwrap().join().unwrap();"


def _part(name: str) -> str:
    """The address of a part of a structure, in Rust."""
    whole, _, part = name.partition(".")
    return f"(&raw mut (*{whole}.as_mut_ptr()).{part})"


def _pointer(name: str) -> str:
    return name if name == GIVEN else name.upper()
