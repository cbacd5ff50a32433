"""C++ from its text to the answer: the programs in programs/cpp, and what the options mean for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.fake import run
from llvm.compiling import compiles

import xgen
from xgen.analyses.claims.run import check_file

FOLDER = Path(__file__).parents[2] / "programs" / "cpp"
WRONG = {
    "chaselev": "assertion",
    "monitor": "race",
    "mpmc": "race",
    "publication": "race",
    "seqlock": "assertion",
    "spinlock": "race",
    "spsc": "race",
    "treiber": "race-with-free",
    "workers": "race",
}
"""What goes wrong in the twin of each."""
MESSAGE = """#include <atomic>
#include <cassert>
#include <pthread.h>
namespace {
struct Box { int value; std::atomic<bool> full; } box;
void *put(void *) {
  box.value = 1;
  box.full.store(true, ORDER);
  return nullptr;
}
}
int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, put, nullptr);
  if (box.full.load(std::memory_order_acquire)) assert(box.value == 1);
  pthread_join(thread, nullptr);
}
"""
SAFE = "-DORDER=std::memory_order_release"
RACY = "-DORDER=std::memory_order_relaxed"


@pytest.fixture
def message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "message.cpp"
    path.write_text(MESSAGE)
    return path


def test_all_are_here() -> None:
    names = {f"{name}{end}" for name in WRONG for end in ("", "_us")}
    assert {path.stem for path in FOLDER.glob("*.cpp")} == names


@compiles
@pytest.mark.parametrize("name", WRONG)
def test_claims(name: str) -> None:
    """What the first lines say is so: how many executions there are, and that the twin is wrong, in the same file."""
    found = check_file(str(FOLDER / f"{name}.cpp"), xgen.load)
    assert (found.errors, found.mistakes) == ((), ())
    assert [(one.claim.value, one.kept) for one in found.checked] == [("safe", True)]
    assert found.checked[0].claim.count is not None
    result = xgen.check(xgen.load(FOLDER / f"{name}_us.cpp"), xgen.model("rc11"))
    assert result.witness is not None
    violation = result.witness.violations[0]
    assert violation.kind == WRONG[name]
    assert violation.position.source is not None
    assert Path(violation.position.source.name).name == f"{name}.cpp"


@compiles
def test_on_the_command_line(message: Path) -> None:
    assert run("check", "message.cpp", "-q", "--", SAFE).stdout == (
        "safe (model rc11-c20, no bound, 2 executions, exhaustive)\n"
    )
    found = run("check", "message.cpp", RACY, "--errors", "gcc", "-q")
    assert found.exit_code == 1
    assert found.stdout.startswith("violation: data race on box.value at message.cpp:")
    assert ": error: data race on box.value in main (model rc11-c20) [race]\n" in found.stderr
    said = run("check", "message.cpp", RACY).stdout
    assert "`std::memory_order_release` is missing here" in said
    document = json.loads(run("check", "message.cpp", RACY, "--format", "json").stdout)
    error = document["witness"]["error"]
    assert (error["kind"], error["file"]) == ("race", "message.cpp")
    assert message.read_text().split("\n")[error["line"] - 1].strip() in (
        "box.value = 1;", "if (box.full.load(std::memory_order_acquire)) assert(box.value == 1);",
    )  # fmt: skip


@compiles
@pytest.mark.usefixtures("message")
@pytest.mark.parametrize(("machine", "verdict"), [("x86", "safe"), ("armv8", "violation"), ("riscv", "violation")])
def test_machines(machine: str, verdict: str) -> None:
    """A relaxed store is a release on x86, and is none elsewhere."""
    assert run("check", "message.cpp", "--on", machine, "-q", RACY).stdout.startswith(verdict)


@compiles
@pytest.mark.usefixtures("message")
def test_a_file_and_a_text() -> None:
    program = xgen.load("message.cpp", defines=("ORDER=std::memory_order_relaxed",))
    first = xgen.check(program, xgen.model("rc11"), all_states=True)
    text = xgen.parse(MESSAGE, "cpp", defines=("ORDER=std::memory_order_relaxed",))
    second = xgen.check(text, xgen.model("rc11"), all_states=True)
    assert first.verdict == second.verdict == "violation"
    assert (first.executions, first.blocked) == (second.executions, second.blocked)


@compiles
def test_a_build_and_several_files(message: Path, tmp_path: Path) -> None:
    """Flags of a build; C beside C++, with a macro of its own."""
    (tmp_path / "order.c").write_text("#ifdef HERE\nint number(void) { return NUMBER; }\n#endif\n")
    text = MESSAGE.replace("namespace {", 'extern "C" int number();\nnamespace {').replace("= 1;", "= number();")
    message.write_text(text)
    commands = [
        {"directory": ".", "file": "message.cpp", "command": f"g++ -O2 {SAFE} -c message.cpp"},
        {"directory": ".", "file": "order.c", "command": "gcc -DHERE -c order.c"},
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(commands))
    right = run("check", "message.cpp", "order.c", "-p", ".", "-q", "-DNUMBER=1")
    assert (right.exit_code, right.stderr) == (0, "")
    assert right.stdout == "safe (model rc11-c20, no bound, 2 executions, exhaustive)\n"
    wrong = run("check", "message.cpp", "order.c", "-p", ".", "-q", "-DNUMBER=2")
    assert wrong.stdout.startswith("violation: assertion violated at message.cpp:")


C = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *run(void *a) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return (void *)(long)atomic_load_explicit(&y, memory_order_relaxed);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  int seen = atomic_load_explicit(&x, memory_order_relaxed);
  void *other;
  pthread_join(t, &other);
  assert(seen || other);
}
"""


@compiles
@pytest.mark.parametrize("model", ["sc", "rc11"])
def test_c_both_ways(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C through the compiler is what it is without: the same verdict, as many executions."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sb.c").write_text(C)
    answers = []
    for options in ({}, {"clang": True}):
        found = xgen.check(xgen.load("sb.c", **options), xgen.model(model), all_states=True)
        answers.append((found.verdict, found.executions, found.blocked))
    assert answers[0] == answers[1]
    assert answers[0][0] == ("safe" if model == "sc" else "violation")


SHIFT = """#include <pthread.h>
int bits, table[2] = {1, 3};
void *put(void *given) { __atomic_store_n(&bits, 1, __ATOMIC_RELEASE); return given; }
int main() {
  pthread_t t;
  pthread_create(&t, nullptr, put, nullptr);
  int read = __atomic_load_n(&bits, __ATOMIC_ACQUIRE);
  return table[read] << read == 5;
}
"""


@compiles
def test_compilers_put_no_checks_of_their_own_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler of the extra would call functions of its own for what may be wrong, which would be refused."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shift.cpp").write_text(SHIFT)
    found = xgen.check(xgen.load("shift.cpp"), xgen.model("rc11"))
    assert (found.verdict, found.executions) == ("safe", 2)


HEAP = """#include <atomic>
#include <pthread.h>
template <class T> struct Node { T value; Node *next; Node(T v) : value(v), next(nullptr) {} };
std::atomic<Node<int> *> head;
int main() {
  pthread_t t;
  Node<int> *first = new Node<int>(1);
  head = first;
  auto put = [](void *a) { Node<int> *n = new Node<int>(2); n->next = head; head = n; return a; };
  pthread_create(&t, nullptr, put, nullptr);
  Node<int> *n = head.load(std::memory_order_relaxed);
  int found = n->value;
  pthread_join(t, nullptr);
  return found == 0;
}
"""


@compiles
def test_what_is_made_is_called_by_its_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where addresses are shown."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heap.cpp").write_text(HEAP)
    said = run("check", "heap.cpp", "--full-witness").stdout
    assert "violation: data race on Node<int>#2.value" in said
    assert "W Node<int>#2.next = &Node<int>" in said
    assert "R head = &Node<int>#2 relaxed" in said
    assert "alloc Node<int>#2" in said
