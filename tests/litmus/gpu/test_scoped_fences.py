"""Fences and orders with scopes: which are proposed for tests of PTX, Vulkan and OpenCL, and the texts with them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import xgen
from tests.litmus.gpu import ptx_oracle
from tests.litmus.gpu.candidates import State
from tests.litmus.reading import read
from xgen.analyses.fences.fences import Placements, confirmed, find_fences, texts_with
from xgen.analyses.fences.scopes import joined_fences
from xgen.cli import main
from xgen.errors import UsageError
from xgen.memory.library import load_model
from xgen.resources import shipped

PTX, VULKAN, OPENCL = (load_model(name) for name in ("ptx", "vulkan", "opencl"))
MODELS = {"PTX": PTX, "VULKAN": VULKAN, "OPENCL": OPENCL}

MESSAGE = """PTX t
{ x=0; y=0; }
 P0@cta 0,gpu 0         | P1@cta 1,gpu 0         ;
 st.weak x, 1           | ld.relaxed.sys r0, y   ;
 st.relaxed.sys y, 1    | ld.weak r1, x          ;
exists (1:r0=1 /\\ 1:r1=0)
"""
BUFFERS = """PTX t
{ x=0; y=0; }
 P0@cta 0,gpu 0         | P1@cta 0,gpu 1         ;
 st.relaxed.sys x, 1    | st.relaxed.sys y, 1    ;
 fence.acq_rel.sys      |                        ;
 ld.relaxed.sys r0, y   | ld.relaxed.sys r1, x   ;
exists (0:r0=0 /\\ 1:r1=0)
"""
UPDATES = """PTX t
{ x=0; y=0; }
 P0@cta 0,gpu 0                  | P1@cta 1,gpu 0                  ;
 st.weak x, 1                    | atom.relaxed.gpu.add r0, y, 0   ;
 atom.relaxed.gpu.exch r2, y, 1  | ld.weak r1, x                   ;
exists (1:r0=1 /\\ 1:r1=0)
"""
OF_VULKAN = """VULKAN t
{ x=0; y=0; }
 P0@sg 0,wg 0,qf 0    | P1@sg 0,wg 1,qf 0     ;
 st.av.dv.sc0 x, 1    | ld.atom.dv.sc1 r0, y  ;
 st.atom.dv.sc1 y, 1  | bne r0, 1, LC         ;
                      | ld.vis.dv.sc0 r1, x   ;
                      | LC:                   ;
exists (1:r0=1 /\\ 1:r1=0)
"""
OF_OPENCL = """OPENCL t
{ x=0; y=0; }
P0@wg 0, dev 0 (global int* x, global atomic_int* y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_work_group);
}
P1@wg 1, dev 0 (global int* x, global atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);
  if (r0 == 1) { int r1 = *x; }
}
exists (1:r0=1)
"""


def placed(answer: Placements) -> list[str]:
    """Each placement: the words, with the lines at which they are."""
    return [
        ", ".join(f"{p.site.thread} {p.word} {p.site.where} {p.site.position.line}" for p in each.pieces)
        for each in answer.placements
    ]


@pytest.mark.parametrize(
    ("text", "orders", "verdict", "expected"),
    [
        (MESSAGE, False, "fenced", ["P0 acq_rel.gpu before 5, P1 acq_rel.gpu before 5"]),
        (MESSAGE.replace("cta 1", "cta 0"), False, "fenced", ["P0 acq_rel.cta before 5, P1 acq_rel.cta before 5"]),
        (MESSAGE.replace("cta 1,gpu 0", "cta 0,gpu 1"), False, "fenced",
         ["P0 acq_rel.sys before 5, P1 acq_rel.sys before 5"]),
        (MESSAGE, "only", "fenced", ["P0 release.sys at 5, P1 acquire.sys at 4"]),
        (MESSAGE.replace("relaxed.sys", "weak"), "only", "fenced", ["P0 release.gpu at 5, P1 acquire.gpu at 4"]),
        (BUFFERS, False, "fenced", ["P0 sc.sys before 6, P1 sc.sys before 6"]),
        (BUFFERS, "only", "not-repairable", []),
        (OF_VULKAN, False, "fenced", ["P0 rel.qf.semsc0.semsc1 before 5, P1 acq.qf.semsc0.semsc1 after 4"]),
        (OF_VULKAN, "only", "fenced",
         ["P0 atom.rel.dv.sc1.semsc0.semsc1 at 5, P1 atom.acq.dv.sc1.semsc0.semsc1 at 4"]),
        (OF_OPENCL, "only", "not-repairable", []),
    ],
)  # fmt: skip
def test_what_is_proposed(text: str, orders: bool, verdict: str, expected: list[str]) -> None:
    program = read(text).program
    answer = find_fences(program, MODELS[text.split()[0]], orders=orders)
    assert (answer.verdict, placed(answer)) == (verdict, expected)


def test_a_wider_scope_is_another_one_in_opencl() -> None:
    """Both accesses have to name the same: the store's is what is wrong."""
    text = OF_OPENCL.replace("exists (1:r0=1)", "exists (1:r0=1 /\\ 1:r1=0)")
    answer = find_fences(read(text).program, OPENCL, orders=True)
    assert placed(answer)[0] == "P0 release.dv at 5, P1 acquire.dv at 8"
    assert not answer.complete


def test_a_fence_stands_between_instructions_only() -> None:
    """Not between the read and the write of an update."""
    answer = find_fences(read(UPDATES).program, PTX)
    assert placed(answer) == ["P0 acq_rel.gpu before 5, P1 acq_rel.gpu before 5"]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("acq_rel.sys", "sc.cta"), ["sc.sys"]),
        (("acq_rel.cta", "proxy.alias", "acq_rel.gpu"), ["acq_rel.gpu", "proxy.alias"]),
        (("rel.wg.semsc0", "acq.wg.semsc0"), ["acq_rel.wg.semsc0"]),
        (("rel.wg.semsc0", "rel.sg.semsc0.semav"), ["rel.wg.semsc0.semav"]),
        (("rel.wg.semsc0", "acq.dv.semsc0"), ["acq.dv.semsc0", "rel.wg.semsc0"]),
        (("rel.wg.semsc0", "rel.wg.semsc1"), ["rel.wg.semsc0.semsc1"]),
        (("acquire.wg.global", "release.wg.global"), ["acq_rel.wg.global"]),
        (("acquire.wg.global", "acquire.wg.local"), ["acquire.wg.global.local"]),
        (("acquire.wg.global", "acquire.dv.global"), ["acquire.wg.global", "acquire.dv.global"]),
        (("acquire.wg.global", "release.wg.local"), ["acq_rel.wg.global.local"]),
        (("seq_cst.dv.local", "acquire.dv.local"), ["seq_cst.dv.local"]),
        (("dmb.ld",), None),
        (("seq_cst",), None),
    ],
)
def test_several_fences_in_one_place(names: tuple[str, ...], words: list[str] | None) -> None:
    assert joined_fences(names) == words


# ---- texts


def lines_of(text: str) -> set[str]:
    return {" ".join(line.split()) for line in text.splitlines()}


@pytest.mark.parametrize(
    ("text", "orders", "gone", "new"),
    [
        (MESSAGE, False, set(), {"| fence.acq_rel.gpu ;", "fence.acq_rel.gpu | ;"}),
        (MESSAGE, "only", {"st.weak x, 1 | ld.relaxed.sys r0, y ;", "st.relaxed.sys y, 1 | ld.weak r1, x ;"},
         {"st.weak x, 1 | ld.acquire.sys r0, y ;", "st.release.sys y, 1 | ld.weak r1, x ;"}),
        (BUFFERS, False, {"fence.acq_rel.sys | ;"}, {"fence.sc.sys | ;", "| fence.sc.sys ;"}),
        (OF_OPENCL.replace("=1)", "=1 /\\ 1:r1=0)"), "only",
         {"atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_work_group);",
          "int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);"},
         {"atomic_store_explicit(y, 1, memory_order_release, memory_scope_device);",
          "int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);"}),
        (OF_OPENCL.replace("work_group", "device").replace("=1)", "=1 /\\ 1:r1=0)"), False, set(),
         {"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);",
          "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);"}),
    ],
    ids=["fences", "orders", "another fence", "scopes", "functions"],
)  # fmt: skip
def test_the_text_with_a_placement(text: str, orders: bool, gone: set[str], new: set[str]) -> None:
    answer = find_fences(read(text).program, MODELS[text.split()[0]], orders=orders)
    written = texts_with(answer)
    assert written is not None
    (after,) = written.values()
    assert (lines_of(text) - lines_of(after), lines_of(after) - lines_of(text)) == (gone, new)
    assert confirmed(answer, MODELS[text.split()[0]], lambda changed: read(changed).program, None) == written


def test_who_jumps_to_a_label_passes_the_fence() -> None:
    """Where the instruction behind it has one, the label comes before the fence."""
    text = MESSAGE.replace("ld.weak r1, x          ;", "LC: ld.weak r1, x ;\n | beq r1, 2, LC ;")
    answer = find_fences(read(text).program, PTX)
    assert sorted(placed(answer)) == [
        "P0 acq_rel.gpu before 5, P1 acq_rel.gpu after 4",
        "P0 acq_rel.gpu before 5, P1 acq_rel.gpu before 5",
    ]
    inside = next(n for n, each in enumerate(placed(answer)) if each.endswith("before 5"))
    (after,) = (texts_with(answer, inside) or {}).values()
    assert "| LC: fence.acq_rel.gpu ;" in lines_of(after)
    assert "st.relaxed.sys y, 1 | ld.weak r1, x ;" in lines_of(after)


def test_the_command_writes_it(tmp_path: Path) -> None:
    test, fenced = tmp_path / "mp.litmus", tmp_path / "fenced.litmus"
    test.write_text(MESSAGE)
    done = CliRunner().invoke(main, ["fences", str(test), "--mcm", "ptx", "--write", str(fenced)])
    assert done.exit_code == 0, done.output
    assert "acq_rel.gpu before line 5 `st.relaxed.sys y, 1` of P0" in done.output
    assert "+                        | fence.acq_rel.gpu      ;" in done.output
    assert xgen.check(xgen.load(fenced), PTX).verdict == "safe"


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ("mfence.cta", "there is no kind of fence `mfence.cta`"),
        ("acq_rel", "`acq_rel` is no kind of fence of PTX"),
        ("sc.cluster", "there is no kind of fence `sc.cluster`"),
        ("acq_rel.gpu=2,acq_rel.cta<acq_rel.gpu=1", "`acq_rel.gpu` has two costs, 2 and 1"),
    ],
)
def test_kinds_that_there_are_not(kinds: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        find_fences(read(MESSAGE).program, PTX, kinds=kinds)


def test_own_kinds() -> None:
    answer = find_fences(read(MESSAGE).program, PTX, kinds="sc.sys=1")
    assert placed(answer) == ["P0 sc.sys before 5, P1 sc.sys before 5"]


def test_threads_that_stand_nowhere_are_refused() -> None:
    program = xgen.load(shipped("programs") / "peterson.xcfa")
    with pytest.raises(UsageError, match="are proposed for threads that stand in groups only"):
        find_fences(program, PTX)
    with pytest.raises(UsageError, match="`relax` is not for orders with scopes"):
        find_fences(read(MESSAGE).program, PTX, orders=True, relax=True)


# ---- against brute force

WORDS = ["", *(f"{order}.{scope}" for order in ("acq_rel", "sc") for scope in ("cta", "gpu", "sys"))]
Choice = tuple[str, ...]
"""A fence for each thread, "" for none."""


def is_below(one: str, other: str) -> bool:
    """Whether a fence of PTX is no stronger than another one."""
    if not one or not other:
        return not one
    orders, scopes = ("acq_rel", "sc"), ("cta", "gpu", "sys")
    (a, s), (b, t) = one.split("."), other.split(".")
    return orders.index(a) <= orders.index(b) and scopes.index(s) <= scopes.index(t)


def drawn(rng: Random) -> ptx_oracle.Test:
    """Two threads of two accesses to two locations."""
    places = [(rng.randint(0, 1), int(rng.random() < 0.4)) for _ in range(2)]
    threads = []
    for place in places:
        body = []
        for number in range(2):
            name, scope = rng.choice("xy"), rng.choice(("cta", "gpu", "sys", "sys"))
            strong = rng.random() < 0.7
            order, scope = ("relaxed", scope) if strong else ("weak", "")
            if rng.random() < 0.5:
                body.append(ptx_oracle.Instr("ld", order, scope, name=name, register=f"r{number}"))
            else:
                body.append(ptx_oracle.Instr("st", order, scope, name=name, value=rng.randint(1, 2)))
        threads.append((place, tuple(body)))
    return ptx_oracle.Test(tuple(threads), {name: (name, name, f"{name}=0") for name in "xy"})


def with_choice(test: ptx_oracle.Test, choice: Choice) -> ptx_oracle.Test:
    """The test with a fence between the two instructions of each thread."""
    threads = []
    for (place, (first, second)), word in zip(test.threads, choice, strict=True):
        fence = (ptx_oracle.Instr("fence", *word.split(".")),) if word else ()
        threads.append((place, (first, *fence, second)))
    return replace(test, threads=tuple(threads))


def asked(test: ptx_oracle.Test, state: State) -> str:
    """The text of a test that asks for a final state."""
    condition = " /\\ ".join(f"{name.strip('[]')}={value}" for name, value in state)
    return test.text.replace("exists (true)", f"exists ({condition})")


def minimal(test: ptx_oracle.Test, state: State) -> set[Choice]:
    """The weakest fences with which a state is not reached."""
    safe = [choice for choice in product(WORDS, repeat=2) if state not in ptx_oracle.states(with_choice(test, choice))]

    def is_weaker(one: Choice, other: Choice) -> bool:
        return one != other and all(map(is_below, one, other))

    return {choice for choice in safe if not any(is_weaker(other, choice) for other in safe)}


def compare(rng: Random) -> int:
    """How many placements there are against a state that fences can forbid; brute force finds the same."""
    lost: list[State] = []
    while not lost:
        test = drawn(rng)
        lost = sorted(ptx_oracle.states(test) - ptx_oracle.states(with_choice(test, ("sc.sys", "sc.sys"))))
    state = rng.choice(lost)
    text = asked(test, state)
    answer = find_fences(read(text).program, PTX)
    found = set()
    for placement in answer.placements:
        words = {int(piece.site.thread[1:]): piece.word for piece in placement.pieces}
        found.add(tuple(words.get(thread, "") for thread in range(2)))
    assert found == minimal(test, state), text
    assert answer.complete
    return len(found)


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(6), id="fast"),
        pytest.param(range(6, 60), id="slow", marks=pytest.mark.slow),
        pytest.param(range(60, 2000), id="long", marks=pytest.mark.long),
    ],
)
def test_against_brute_force(seeds: range) -> None:
    assert all(compare(Random(seed)) for seed in seeds)
