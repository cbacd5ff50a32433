"""What is said of programs in IR beside the verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.fake import run
from llvm.compiling import compiles, finals

import xgen
from xgen.views.answers.fences import render
from xgen.views.answers.witness import witness_lines

pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install '.[cpp]'")
PROGRAMS = Path(__file__).parent / "programs"
SHIPPED = Path(__file__).parents[2] / "programs" / "cpp"


@pytest.mark.parametrize("name", ["message", "ring", "spinlock"])
def test_an_assertion_that_holds_is_come_to(name: str) -> None:
    """Compilers put the test before it: what no execution comes to is that it fails."""
    result = xgen.check(xgen.load(PROGRAMS / f"{name}.ll"), xgen.model("rc11"), coverage=True)
    assert (result.verdict, result.warnings) == ("safe", ())
    assert result.coverage is not None
    assert not [line for line in result.coverage.never if "assert" in line.text]


@pytest.mark.parametrize(("machine", "model"), [("armv8", "arm8"), ("x86", "tso")])
def test_as_compiled_for_a_machine(machine: str, model: str) -> None:
    program = xgen.load(PROGRAMS / "stores.ll", map=machine)
    as_text = xgen.load(PROGRAMS / "stores.ll")
    mapped, plain = (xgen.check(p, xgen.model(model)) for p in (program, as_text))
    assert (program.target, mapped.warnings) == (machine, ())
    assert any(f"--map {machine} checks" in warning for warning in plain.warnings)


@compiles
def test_fences_are_told_by_lines_of_the_text() -> None:
    """What is written once is one place, however often it is inlined; its line is shown, not a statement of IR."""
    ring = xgen.fences(xgen.load(SHIPPED / "spsc_us.cpp"), xgen.model("rc11"))
    told = [line.strip() for line in render(ring, None).splitlines() if " before " in line]
    assert [line.partition(" before ")[0].split() for line in told] == [["1", "release"]]
    assert told[0].endswith("spsc.cpp:27 `tail_.store(next, RELEASE);` of producer")
    published = xgen.fences(xgen.load(SHIPPED / "publication_us.cpp"), xgen.model("rc11"), orders="only")
    assert "acquire at " in render(published, None)
    assert "published.load(ACQUIRE)" in render(published, None)


def test_fences_of_ir_without_its_text() -> None:
    answer = xgen.fences(xgen.load(PROGRAMS / "message_us.ll"), xgen.model("rc11"))
    assert "message_us.c:10 `1 -> flag @ relaxed` of writer" in render(answer, None)


def test_what_is_lent_was_written_in_the_loop(tmp_path: Path) -> None:
    """What main reads when it has joined the only thread that used it: told by its line, not by the thread's end."""
    text = (PROGRAMS / "joined.ll").read_text(encoding="utf-8")
    wrong = tmp_path / "joined.ll"
    text = text.replace("@own = global i32 0, align 4, !dbg !0", "@own = global i32 0, align 4")  # final states list it
    wrong.write_text(text.replace("icmp eq i32 %5, 3,", "icmp eq i32 %5, 4,"), encoding="utf-8")
    result = xgen.check(xgen.load(wrong), xgen.model("rc11"))
    assert result.witness is not None
    written = [event for event in result.witness.events if event.kind == "W" and event.thread == 1]
    assert [event.position.line for event in written if event.position] == [10]


LISTED = """#include <pthread.h>
#include <stdatomic.h>
atomic_int X, Y;
int r1, r2, least = 7, unused;
_Bool set;
enum { NO, YES } answer;
short *_Atomic where;
struct { int member; } s;
int elements[2];
short target;
_Thread_local int own;
unsigned char byte = 100; atomic_uint count; unsigned long wide; enum { FEW, MANY } bits;
void *one(void *unused_) {
  X = 1; r1 = Y; least = -3; set = 1; answer = YES; where = &target; s.member = 1; elements[1] = 1; own = 2;
  byte += 100; count += 3; wide--; bits = -1;
  return 0;
}
void *two(void *unused_) { static atomic_int inner; Y = 1; r2 = X; inner = 3; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return !(r1 + r2 < 3 && least + set + answer + s.member + elements[1]) || target;
}
"""


@compiles
@pytest.mark.parametrize("model", ["sc", "tso"])
def test_final_values_are_those_of_our_own_reader(model: str) -> None:
    """Of all variables at file scope that are used."""
    ours, theirs = (
        finals(xgen.parse(LISTED, "c", clang=clang, map="none"), model, {"unused"}) for clang in (False, True)
    )
    assert ours == theirs
    assert ours[0] == {
        "X",
        "Y",
        "r1",
        "r2",
        "least",
        "set",
        "answer",
        "where",
        "target",
        "count",
        "byte",
        "wide",
        "bits",
    }
    assert len(ours[2]) == (3 if model == "sc" else 4)
    assert "('bits', 4294967295), ('byte', 200), ('count', 3)" in ours[2][0][0]
    assert "('where', '&target'), ('wide', 18446744073709551615)" in ours[2][0][0]


NAMED = """#include <atomic>
#include <pthread.h>
namespace q { std::atomic<int> head; enum class Colour : char { red, green }; std::atomic<Colour> colour; }
struct Class { static inline std::atomic<int> count{0}; std::atomic<int> member{0}; } object;
struct AtomicInName { std::atomic<int> inside{0}; } other;
struct Base { virtual ~Base() = default; virtual int f() { return 1; } };
template <class T> struct Derived : Base { int f() override { return 2; } };
namespace { std::atomic<Base *> shared{new Base}; }
int one() { return 1; }
int two() { return 2; }
std::atomic<int (*)()> chosen{one};
std::atomic<double> real;
void *run(void *) {
  q::head = 1; q::colour = q::Colour::green; Class::count = 3; object.member = 1; other.inside = 1;
  shared = new Derived<int>; chosen = two;
  return nullptr;
}
int main() {
  pthread_t t;
  pthread_create(&t, nullptr, run, nullptr);
  int found = shared.load()->f() + chosen.load()();
  pthread_join(t, nullptr);
  return found == 4;
}
"""


@compiles
def test_names_of_variables_tables_and_functions() -> None:
    """Addresses of functions, and of classes' tables of functions, are told by name."""
    program = xgen.parse(NAMED, "cpp")
    listed = {variable.name for variable in program.variables if variable.shown}
    assert listed == {"q::head", "q::colour", "Class::count", "shared", "chosen"}
    result = xgen.check(program, xgen.model("sc"))
    assert result.witness is not None
    text = "\n".join(witness_lines(result.witness, lambda words, _: words))
    for said in (
        "chosen = &two",
        "._vptr$Base = &vtable for Base",
        "._vptr$Base = &vtable for Derived<int>",
        "vtable for Derived<int>+32 = &Derived<int>::f",
    ):
        assert said in text
    assert "_vtable$" not in text


@compiles
def test_sarif_has_the_flow_of_each_thread_and_the_calls(tmp_path: Path) -> None:
    """A race in a class of a file that the program's own includes."""
    run("check", str(SHIPPED / "spsc_us.cpp"), "--sarif", str(tmp_path / "race.sarif"))
    (found,) = json.loads((tmp_path / "race.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]

    def place(location: Any) -> tuple[str, int, int]:
        physical = location["physicalLocation"]
        region = physical["region"]
        return Path(physical["artifactLocation"]["uri"]).name, region["startLine"], region["startColumn"]

    assert [place(each) for each in found["locations"]] == [("spsc.cpp", 38, 17)]
    assert [[place(frame["location"]) for frame in stack["frames"]] for stack in found["stacks"]] == [
        [("spsc.cpp", 64, 26)]
    ]
    (flow,) = found["codeFlows"]
    told = {each["id"]: [place(step["location"])[1] for step in each["locations"]] for each in flow["threadFlows"]}
    assert told == {"main": [56, 61], "producer": [19, 26, 27], "consumer": [32, 34, 38]}
    orders = [step["executionOrder"] for each in flow["threadFlows"] for step in each["locations"]]
    assert sorted(orders) == list(range(1, len(orders) + 1))


LISTS = """#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
struct node { int value; };
static long sum(const char *kinds, ...) {
  va_list all, again;
  long found = 0;
  va_start(all, kinds);
  va_copy(again, all);
  for (const char *kind = kinds; *kind; kind++) {
    if (*kind == 'i') found += va_arg(all, int);
    if (*kind == 'l') found += va_arg(all, long);
    if (*kind == 'p') found += va_arg(all, struct node *)->value;
  }
  found = 10 * found + va_arg(again, int);
  va_end(again);
  va_end(all);
  return found;
}
struct node one = {4};
struct node *_Atomic shown;
_Atomic int x;
static void *show(void *nothing) {
  x = 5;
  shown = &one;
  return nothing;
}
int main(void) {
  pthread_t thread;
  assert(sum("iil", 3, 4, 1L << 40) == 10 * (7 + (1L << 40)) + 3);
  pthread_create(&thread, 0, show, 0);
  struct node *seen = shown;
  int v = x;
  if (seen) assert(sum("iplili", v, seen, 7L, -2, 1L, v) == 10 * (15 + v) + WANTED);
  pthread_join(thread, 0);
}
"""


@compiles
@pytest.mark.parametrize(("wanted", "verdict"), [(5, "safe"), (6, "violation")])
def test_any_number_of_arguments(wanted: int, verdict: str) -> None:
    """Lists of arguments, known ones and what threads read, as our own reader of C has them."""
    own, compiled = (
        xgen.check(xgen.parse(LISTS, "c", "a.c", defines=(f"WANTED={wanted}",), clang=clang), xgen.model("rc11"))
        for clang in (False, True)
    )
    assert own.verdict == compiled.verdict == verdict
    assert verdict != "safe" or own.executions == compiled.executions == 3
