"""Structures in C++ and Rust as in C: the same clients, the same verdicts, and what goes wrong as a program in C++."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.fake import Run, run
from llvm.compiling import compiles, rusts

import xgen

FOLDER = Path(__file__).parents[2] / "programs" / "linearizable"
STACK = """#include <atomic>
#ifdef PUSH_RELAXED
#define PUSHED std::memory_order_relaxed
#else
#define PUSHED std::memory_order_release
#endif
class Stack {
  struct Node { int value; Node *below; };
  std::atomic<Node *> top;
public:
  Stack() : top(nullptr) {}
  void push(int value) {
    Node *mine = new Node{value, top.load(std::memory_order_relaxed)};
#ifdef PUSH_STORED
    top.store(mine, PUSHED);
#else
    while (!top.compare_exchange_strong(mine->below, mine, PUSHED, std::memory_order_relaxed)) {}
#endif
  }
  bool pop(int &value) {
    Node *first = top.load(std::memory_order_acquire);
    while (first && !top.compare_exchange_strong(first, first->below, std::memory_order_acquire)) {}
    if (first) value = first->value;
    return first != nullptr;
  }
};
"""
FORMS = {
    "object": "void push(Stack &stack, int value) { stack.push(value); }\n"
    "bool pop(Stack &stack, int &value) { return stack.pop(value); }\n",
    "pointer": "void push(Stack *stack, long value) { stack->push((int)value); }\n"
    "bool pop(Stack *stack, int *value) { return stack->pop(*value); }\n",
    "global": 'static Stack stack;\nextern "C" void push(int value) { stack.push(value); }\n'
    "int pop() { int value = 0; return stack.pop(value) ? value : 0; }\n",
}
"""The same stack in each form that operations may have."""
PUT, GET = "void put(int) {}\n", "int get() { return 0; }\n"


def ask(file: Path, **asked: object) -> tuple[object, ...]:
    answer = xgen.linearizable(file, model=xgen.model("rc11"), **asked)  # type: ignore[arg-type]
    wrong = answer.wrong
    kind = None if wrong is None or wrong.violation is None else wrong.violation.kind
    return answer.verdict, answer.clients, wrong and str(wrong.client), kind


@compiles
@pytest.mark.parametrize(
    ("form", "define"),
    [("object", ""), ("object", "PUSH_STORED"), ("pointer", "PUSH_RELAXED"), ("global", "PUSH_STORED")],
)
def test_as_in_c(form: str, define: str, tmp_path: Path) -> None:
    text = STACK + FORMS[form]
    file = tmp_path / "stack.cpp"
    file.write_text(f"#define {define} 1\n{text}" if define else text)
    asked = {"client": "push | pop", "spec": "stack"}
    assert ask(file, **asked) == ask(FOLDER / "treiber.c", defines=(define,) if define else (), **asked)


@compiles
@pytest.mark.parametrize(
    ("name", "defines", "client"),
    [
        ("msqueue", (), "enqueue | dequeue"),
        ("msqueue", ("LINK_RELAXED",), "enqueue | dequeue"),
        ("ticket", (), "inc | inc"),
    ],
)
def test_c_through_a_compiler(name: str, defines: tuple[str, ...], client: str) -> None:
    """The file is its own specification in both."""
    file = FOLDER / f"{name}.c"
    assert ask(file, clang=True, defines=defines, client=client) == ask(file, defines=defines, client=client)


@compiles
def test_c_with_an_object_through_a_compiler(tmp_path: Path) -> None:
    """The type of the object has a tag, which is no name by itself in C."""
    file = tmp_path / "lifo.c"
    file.write_text(
        "#include <stdbool.h>\nstruct lifo { int n, v[4]; };\n"
        "bool push(struct lifo *s, int v) { s->v[s->n++] = v; return true; }\n"
        "bool pop(struct lifo *s, int *v) { if (!s->n) return false; *v = s->v[--s->n]; return true; }\n"
    )
    for client in ("push push pop", "push | pop"):
        asked = {"client": client, "spec": "stack"}
        assert ask(file, clang=True, **asked) == ask(file, **asked)


@compiles
def test_the_client_as_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written fails in the same way, by itself."""
    monkeypatch.chdir(tmp_path)
    Path("stack.cpp").write_text(STACK + FORMS["object"])
    Path("spec.c").write_text(
        "int n, a[9];\nvoid push(int v) { a[n++] = v; }\nint pop(int *v) { if (!n) return 0; *v = a[--n]; return 1; }\n"
    )
    asked = ["stack.cpp", "--spec", "spec.c", "-DPUSH_STORED", "--client", "push | pop"]
    found = run("linearizable", *asked, "--write", "client.cpp")
    assert (found.exit_code, "push(2)" in found.stdout) == (1, True)
    assert "stack.cpp:28:1: error: not linearizable" in found.stderr
    checked = run("check", "client.cpp", "-DPUSH_STORED", "-q")
    assert (checked.exit_code, checked.stdout[:37]) == (1, "violation: assertion violated at clie")
    assert run("check", "client.cpp", "-q").stdout.startswith("safe")


@compiles
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"int main() {{}}\n{PUT}{GET}", "x.cpp:1:1: error: there is a main"),
        (f"{PUT}void put(long) {{}}\n{GET}", "x.cpp:2:1: error: there are two functions `put`"),
        (f"void put(const int &v) {{}}\n{GET}", "x.cpp:1:1: error: the type of `put` is not supported"),
        (f"void put(double v) {{}}\n{GET}", "x.cpp:1:1: error: `put` has values of the type `double`"),
        ("namespace n { void put(int v) {} }\n", "x.cpp: error: no function here has a name that is known"),
        ("void put(int v) {\n", "x.cpp:1:18: error: expected '}'"),
        (f"{PUT}int get() {{ return 3; }}\n", "x.cpp: error: get() of the fresh object gives 3"),
    ],
)
def test_refused(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.cpp").write_text(text)
    found = run("linearizable", "x.cpp")
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith(message)


IN_RUST = """use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::*};

pub struct Node { value: i32, below: *mut Node }
HEAD

#[no_mangle]
pub extern "C" fn push(OBJECT, value: i32) {
    let mine = Box::into_raw(Box::new(Node { value, below: TOP.load(Relaxed) }));
    unsafe {
        while let Err(other) = TOP.compare_exchange((*mine).below, mine, PUSHED, Relaxed) { (*mine).below = other; }
    }
}

#[no_mangle]
pub extern "C" fn pop(OBJECT) -> i32 {
    let mut first = TOP.load(Acquire);
    while !first.is_null() {
        if cfg!(hasty) { TOP.store(unsafe { (*first).below }, Release); return unsafe { (*first).value }; }
        match TOP.compare_exchange(first, unsafe { (*first).below }, Acquire, Acquire) {
            Ok(_) => return unsafe { (*first).value },
            Err(other) => first = other,
        }
    }
    0
}
"""
GLOBAL = ("static TOP: AtomicPtr<Node> = AtomicPtr::new(null_mut());", "", "TOP")
GIVEN = ("pub struct Stack { top: AtomicPtr<Node> }", "stack: &Stack", "stack.top")


def in_rust(form: tuple[str, str, str], pushed: str = "Release") -> str:
    head, given, top = form
    text = IN_RUST.replace("OBJECT", given) if given else IN_RUST.replace("OBJECT, ", "").replace("OBJECT", "")
    return text.replace("TOP", top).replace("HEAD", head).replace("PUSHED", pushed)


@rusts
@compiles
@pytest.mark.parametrize(
    ("form", "pushed", "define"), [(GLOBAL, "Release", ""), (GIVEN, "Relaxed", "PUSH_RELAXED")], ids=["global", "given"]
)
def test_in_rust_as_in_c(form: tuple[str, str, str], pushed: str, define: str, tmp_path: Path) -> None:
    file = tmp_path / "stack.rs"
    file.write_text(in_rust(form, pushed))
    asked = {"client": "push | pop", "spec": "stack"}
    assert ask(file, **asked) == ask(FOLDER / "treiber.c", defines=(define,) if define else (), **asked)


@rusts
@compiles
def test_rust_with_flags_and_a_written_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("stack.rs").write_text(in_rust(GLOBAL))
    asked = ["stack.rs", "--client", "pop | pop", "--write", "client.c", "--", "--cfg", "hasty"]
    found = run("linearizable", *asked)
    assert (found.exit_code, "pop() = 1 and pop() = 1" in found.stdout) == (1, True)
    assert "stack.rs:16:1: error: not linearizable" in found.stderr
    assert Path("client.c").read_text().startswith("// It is linked with stack.rs.\n#include <assert.h>")


@rusts
@compiles
def test_a_library_of_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its functions call another crate, whose text may change; whatever else the library is made as."""
    monkeypatch.chdir(tmp_path)
    files = {
        "stack/Cargo.toml": '[package]\nname = "stack"\nversion = "0.1.0"\nedition = "2021"\n'
        '[lib]\ncrate-type = ["cdylib"]\n[dependencies]\ncell = { path = "../cell" }\n',
        "stack/src/lib.rs": "use cell::Cell;\nstatic CELL: Cell = Cell::new();\n"
        '#[no_mangle]\npub extern "C" fn put(value: i32) { CELL.put(value) }\n'
        '#[no_mangle]\npub extern "C" fn take() -> i32 { CELL.take() }\n',
        "stack/src/main.rs": "fn main() {}\n",
        "cell/Cargo.toml": '[package]\nname = "cell"\nversion = "0.1.0"\nedition = "2021"\n',
        "cell/src/lib.rs": """use std::sync::atomic::{AtomicI32, Ordering::*};
pub struct Cell(AtomicI32);
impl Cell {
    pub const fn new() -> Cell { Cell(AtomicI32::new(0)) }
    pub fn put(&self, value: i32) { self.0.store(value, Release) }
    pub fn take(&self) -> i32 { self.0.swap(0, Acquire) }
}
""",
    }
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)

    def answer_of(name: str) -> Run:
        return run("linearizable", name, "-p", "stack", "--client", "put | take | take", "--before", "0")

    assert answer_of("stack/src/lib.rs").exit_code == 0
    found = answer_of("stack/src/main.rs")
    assert (found.exit_code, "no library of stack/Cargo.toml begins in this file" in found.stderr) == (2, True)
    assert "its library begins in stack/src/lib.rs" in found.stderr
    twice = "let v = self.0.load(Acquire); self.0.store(0, Release); v"
    Path("cell/src/lib.rs").write_text(files["cell/src/lib.rs"].replace("self.0.swap(0, Acquire)", twice))
    found = answer_of("stack/src/lib.rs")
    assert (found.exit_code, found.stdout.startswith("not linearizable: no order of the calls")) == (1, True)


@rusts
@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (
            "pub fn push(v: i32) {}\n",
            "",
            "x.rs: error: no function here has a name that is known of a data structure\n  of",
        ),
        ('#[no_mangle] pub extern "C" fn pop() -> Option<i32> { None }\n', "", "x.rs:1:1: error: `pop` has values of"),
        ("", "-p .", ".: error: there is no Cargo.toml here"),
        ("", "-DN=2", "x.rs: error: the option `defines` is for C programs"),
        ("pub fn push(v: u33) {}\n", "", "error[E0"),
    ],
)
def test_refused_in_rust(text: str, words: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.rs").write_text(text)
    found = run("linearizable", "x.rs", *words.split())
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith(message), found.stderr
