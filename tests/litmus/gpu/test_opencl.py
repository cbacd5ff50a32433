"""OpenCL: what functions become, what is wrong with them, and which final states the shipped model allows."""

from __future__ import annotations

from random import Random

import pytest

from tests.litmus.gpu.opencl_oracle import Test, draw, run
from tests.litmus.reading import read, refused, with_states
from xgen.analyses.suite.litmus import run_litmus
from xgen.memory.library import load_model
from xgen.program.printer import print_program

MODEL = load_model("opencl")
PARAMETERS = "global atomic_int* x, global int* z, local atomic_int* l"


def written(*columns: str, parameters: str = PARAMETERS, end: str = "exists (x=0)") -> str:
    """A test of threads, each `wg dev: statements`."""
    functions = []
    for number, column in enumerate(columns):
        place, _, body = column.partition(":")
        wg, dev = place.split()
        functions.append(f"P{number}@wg {wg}, dev {dev} ({parameters}) {{ {body} }}")
    return "\n".join(["OPENCL t", "{ x=0; z=0; l=0; }", *functions, end])


def found(*columns: str, listed: str) -> set[str]:
    """The final states of a test under the shipped model: the values of what is listed."""
    result = run_litmus(read(written(*columns, end=f"locations [{listed}]\nexists (true)")), MODEL)
    assert result.stopped is None
    return {" ".join(part.partition("=")[2].strip() for part in state.split(";")[:-1]) for state, _ in result.states}


def flagged(*columns: str) -> bool:
    """Whether there is a data race."""
    return run_litmus(read(written(*columns)), MODEL).verdict == "Undef"


def body_of(statements: str) -> str:
    """What statements become, without the tags of where their thread stands."""
    text = print_program(read(written(f"2 1: {statements}")).program)
    process = text[text.index("process P0") :]
    edges = [edge.split("}")[0] for edge in process[process.rindex("loc end") :].split("{")[1:]]
    shown = " | ".join(" ".join(edge.split()).removesuffix(";") for edge in edges)
    return shown.replace(" @ wg.d1.w2 @ dv.d1", " @@")


ONE = "memory_order_relaxed, memory_scope_work_group"


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("int r = *z;", "$1 <- z @ wi @ global @ nal @@; r := $1"),
        ("*z = 1;", "1 -> z @ wi @ global @ nal @@"),
        ("int r = *x;", "$1 <- x @ wi @ global @@; r := $1"),
        ("int r = atomic_load(x);", "$1 <- x atomic @ seq_cst @ dv @ global @@; r := $1"),
        (f"int r = atomic_load_explicit(l, {ONE});", "$1 <- l atomic @ relaxed @ wg @ local @@; r := $1"),
        ("atomic_store_explicit(x, 2, memory_order_release);", "2 -> x atomic @ release @ dv @ global @@"),
        (
            "atomic_store_explicit(x, 2, memory_order_release, memory_scope_all_devices);",
            "2 -> x atomic @ release @ all @ global @@",
        ),
        (
            "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acquire, "
            "memory_scope_device);",
            "fence @ acquire @ global @ local @ dv @@",
        ),
        (
            "barrier(CLK_LOCAL_MEM_FENCE);",
            "$3 <- $bar_0[0] @ wg @ local @ bar @ hidden @@",
        ),
        (
            "B7: work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);",
            "$3 <- $barB7[0] @ wg @ global @ bar @ hidden @@",
        ),
    ],
)
def test_statements(statements: str, expected: str) -> None:
    assert body_of(statements) == expected


def one(statements: str) -> str:
    return written(f"0 0: {statements}")


EXAMPLE = "expected, say, `P0@wg 0, dev 0 (global atomic_int* x)`"
ERRORS = [
    (one("int r = atomic_load_explicit(x, memory_order_relaxed, memory_scope_devise);"),
     "expected a memory scope such as `memory_scope_device`", "did you mean `memory_scope_device`?"),
    (one("int r = atomic_load_explicit(x, memory_scope_device);"), "`atomic_load_explicit` takes 2 arguments, not 1",
     None),
    (one("atomic_store_explicit(x, 1, memory_order_acquire, memory_scope_device);"),
     "the order acquire makes no sense here", None),
    (one("atomic_work_item_fence(memory_order_acquire, memory_scope_device);"),
     "`atomic_work_item_fence` takes 3 arguments, not 2", None),
    (one("atomic_work_item_fence(memory_order_acquire, memory_order_acquire, memory_scope_device);"),
     "expected the memory that is ordered", "CLK_GLOBAL_MEM_FENCE or CLK_LOCAL_MEM_FENCE"),
    (one("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_order_acquire);"),
     "expected a memory scope such as `memory_scope_device`", "known are memory_scope_work_item"),
    (one("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_devise);"),
     "expected a memory scope such as `memory_scope_device`", "did you mean `memory_scope_device`?"),
    (one("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | 1, memory_order_acquire, memory_scope_device);"),
     "`1` is out of place", "expected CLK_GLOBAL_MEM_FENCE or CLK_LOCAL_MEM_FENCE"),
    (one("atomic_thread_fence(memory_order_acquire);"), "the function `atomic_thread_fence` is not one of "
     "OpenCL", None),
    (one("barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);"),
     "a barrier of another scope than the work-group's is not supported", None),
    (one("barrier();"), "`barrier` takes 1 or 2 arguments, not 0", None),
    (one("L: *z = 1;"), "a label of anything but a barrier is not supported", None),
    (one("int r = atomic_load(x); int s = *r;"), "an address that is computed is not supported in OpenCL: its region "
     "is not known", None),
    (one("").replace("@wg 0, dev 0 ", ""), "thread 0 has no place in the hierarchy", EXAMPLE),
    (one("").replace(", dev 0", ""), "thread 0 has no dev", EXAMPLE),
    (one("").replace("dev 0", "gpu 0"), "this is not a place in the hierarchy", EXAMPLE),
    (one("").replace("dev 0", "wg 0"), "this is not a place in the hierarchy", EXAMPLE),
    (one("").replace("dev 0", "dev x"), "`x` is out of place", "expected the number of the dev"),
    (one("") .replace("exists", "P1@wg 0, dev 0 (local atomic_int* x) { }\nexists"),
     "`x` is in another region in another thread", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message", "hint"), ERRORS, ids=[message for _, message, _ in ERRORS])
def test_errors(text: str, message: str, hint: str | None) -> None:
    refused(text, message, hint)


# ---- what is allowed


@pytest.mark.parametrize(
    ("one", "other", "raced"),
    [
        ("device", "device", False),
        ("work_group", "work_group", True),
        ("device", "all_svm_devices", True),
        ("all_svm_devices", "all_svm_devices", False),
    ],
)
def test_a_message(one: str, other: str, raced: bool) -> None:
    """It arrives if both name the same scope, and this has both threads."""
    columns = (
        f"0 0: *z = 1; atomic_store_explicit(x, 1, memory_order_release, memory_scope_{one});",
        f"1 0: int r0 = atomic_load_explicit(x, memory_order_acquire, memory_scope_{other}); "
        "int r1 = 1; if (r0 == 1) { r1 = *z; }",
    )
    assert flagged(*columns) is raced
    seen = found(*columns, listed="1:r0; 1:r1;")
    assert ("1 0" in seen) is raced
    assert raced or seen == {"0 1", "1 1"}


def test_a_local_message_does_not_order_global_memory() -> None:
    """But fences of both regions do."""
    store, load = (
        "atomic_store_explicit(l, 1, {}, memory_scope_work_group);",
        "atomic_load_explicit(l, {}, memory_scope_work_group);",
    )
    relaxed = "memory_order_relaxed"
    reader = "int r0 = {}{} int r1 = 1; if (r0 == 1) {{ r1 = *z; }}"
    one = (
        "0 0: *z = 1; " + store.format("memory_order_release"),
        "0 0: " + reader.format(load.format("memory_order_acquire"), ""),
    )
    assert flagged(*one)
    both = (
        "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_{}, memory_scope_work_group);"
    )
    two = (
        "0 0: *z = 1; " + both.format("release") + store.format(relaxed),
        "0 0: " + reader.format(load.format(relaxed), both.format("acquire")),
    )
    assert not flagged(*two)
    assert found(*two, listed="1:r1;") == {"1"}


def test_barriers() -> None:
    """Of a work-group, and of the region that their flags name; the second of one thread meets that of the other."""
    for flag, place, race in (("GLOBAL", "0 0", False), ("LOCAL", "0 0", True), ("GLOBAL", "1 0", True)):
        barrier = f"barrier(CLK_{flag}_MEM_FENCE);"
        columns = (f"0 0: *z = 1; {barrier}", f"{place}: {barrier} int r0 = *z;")
        assert flagged(*columns) is race
    barrier = "barrier(CLK_GLOBAL_MEM_FENCE);"
    assert flagged(f"0 0: {barrier} *z = 1; {barrier}", f"0 0: {barrier} int r0 = *z; {barrier}")
    assert not flagged(f"0 0: {barrier} *z = 1; {barrier}", f"0 0: {barrier}{barrier} int r0 = *z;")


def test_a_barrier_to_which_not_all_come() -> None:
    barrier = "barrier(CLK_GLOBAL_MEM_FENCE);"
    assert found(f"0 0: {barrier}{barrier}", f"0 0: {barrier}", listed="x;") == {"0"}
    assert (
        found(f"0 0: int r0 = atomic_load(x); if (r0 == 1) {{ B: {barrier} }}", f"0 0: B: {barrier}", listed="x;")
        == set()
    )


# ---- by brute force


def compare(drawn: Test) -> int:
    """How many final states there are, which are the same by brute force; so is whether there is a race."""
    expected, race = run(drawn)
    result = with_states(drawn.text, expected, MODEL)
    assert (result.flags == ("data_race",)) is race, drawn.text
    return len(result.states)


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(30), id="fast"),
        pytest.param(range(30, 300), id="slow", marks=pytest.mark.slow),
        pytest.param(range(300, 6000), id="long", marks=pytest.mark.long),
    ],
)
def test_against_brute_force(seeds: range) -> None:
    assert sum(compare(draw(Random(seed))) for seed in seeds) >= 3 * len(seeds) // 2
