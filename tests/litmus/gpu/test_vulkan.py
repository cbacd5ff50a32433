"""Vulkan: what instructions become, what is wrong with them, and which final states the shipped model allows."""

from __future__ import annotations

from random import Random

import pytest

from tests.litmus.gpu.vulkan_oracle import Test, draw, run
from tests.litmus.reading import read, refused, with_states
from xgen.analyses.suite.litmus import run_litmus
from xgen.analyses.warnings import notes
from xgen.engine.problem import problem
from xgen.memory.library import load_model
from xgen.program.printer import print_program

MODEL = load_model("vulkan")


def written(*columns: str, init: str = "x=0; y=0;", system: str = "", end: str = "exists (x=0)") -> str:
    """A test of threads, each `sg wg qf: instruction; instruction`."""
    heads, bodies = [], []
    for number, column in enumerate(columns):
        place, _, body = column.partition(":")
        sg, wg, qf = place.split()
        heads.append(f"P{number}@sg {sg},wg {wg}, qf {qf}")
        bodies.append([instruction.strip() for instruction in body.split(";")])
    rows = [" | ".join(body[n] if n < len(body) else "" for body in bodies) for n in range(max(map(len, bodies)))]
    ordered = [f"{{ {system} }}"] if system else []
    return "\n".join([f"VULKAN t\n{{ {init} }}", *ordered, " | ".join(heads) + " ;", *(r + " ;" for r in rows), end])


def found(*columns: str, listed: str, init: str = "x=0; y=0;", system: str = "") -> set[str]:
    """The final states of a test under the shipped model: the values of what is listed."""
    test = written(*columns, init=init, system=system, end=f"locations [{listed}]\nexists (true)")
    result = run_litmus(read(test), MODEL)
    assert result.stopped is None
    return {" ".join(part.partition("=")[2].strip() for part in state.split(";")[:-1]) for state, _ in result.states}


def flagged(*columns: str, system: str = "") -> bool:
    """Whether there is a data race."""
    return run_litmus(read(written(*columns, system=system)), MODEL).verdict == "Undef"


def body_of(instruction: str) -> str:
    """What an instruction becomes, without the tags of where its thread stands."""
    text = print_program(read(written(f"2 1 0: {instruction}", init="x=0; a aliases x;")).program)
    process = text[text.index("process P0") :]
    edges = [edge.split("}")[0] for edge in process[process.rindex("loc end") :].split("{")[1:]]
    shown = " | ".join(" ".join(edge.split()).removesuffix(";") for edge in edges)
    return shown.replace(" @ sg.q0.w1.s2 @ wg.q0.w1 @ qf.q0", " @@")


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("ld.sc0 r0, x", "r0 <- x @ sc0 @ address.own @@"),
        ("ld.nonpriv.sc1 r0, [x]", "r0 <- x @ nonpriv @ sc1 @ address.own @@"),
        ("ld.vis.wg.sc2 r0, a", "r0 <- x @ nonpriv @ vis @ wg @ sc2 @ address.a @@"),
        ("ld.atom.dv.sc0 r0, x", "r0 <- x @ atom @ nonpriv @ vis @ dv @ sc0 @ address.own @@"),
        (
            "ld.atom.acq.sg.sc0.semsc0.semsc1.semvis r0, x",
            "r0 <- x @ acquire @ atom @ nonpriv @ vis @ sg @ sc0 @ semsc0 @ semsc1 @ semvis @ address.own @@",
        ),
        ("st.sc3 x, 1", "1 -> x @ sc3 @ address.own @@"),
        ("st.av.qf.sc0 x, r1", "r1 -> x @ nonpriv @ av @ qf @ sc0 @ address.own @@"),
        (
            "st.atom.rel.dv.sc0.semsc1.semav x, 1",
            "1 -> x @ release @ atom @ nonpriv @ av @ dv @ sc0 @ semsc1 @ semav @ address.own @@",
        ),
        (
            "rmw.atom.dv.sc0 r0, x, 2",
            "$1 <- load_exclusive(x) @ vis @ atom @ nonpriv @ dv @ sc0 @ address.own @@; "
            "$2 <- store_exclusive(x, 2) @ av @ atom @ nonpriv @ dv @ sc0 @ address.own @@; assume $2 = 0; r0 := $1",
        ),
        (
            "rmw.atom.acq_rel.wg.sc0.semsc0.semav.semvis.add r0, x, 1",
            "$1 <- load_exclusive(x) @ acquire @ vis @ atom @ nonpriv @ wg @ sc0 @ address.own @@ @ semsc0 @ semvis; "
            "$2 <- store_exclusive(x, wrap($1 + 1, -32)) @ release @ av @ atom @ nonpriv @ wg @ sc0 @ address.own @@ "
            "@ semsc0 @ semav; assume $2 = 0; r0 := $1",
        ),
        ("membar.rel.dv.semsc0.semav", "fence @ release @ dv @ semsc0 @ semav @@"),
        ("membar.acq_rel.wg.semsc0.semsc1", "fence @ acquire @ release @ wg @ semsc0 @ semsc1 @@"),
        ("avdevice", "fence[avdevice] @@"),
        ("visdevice", "fence[visdevice] @@"),
        ("cbar.wg 07", "$3 <- $bar7[0] @ wg @ bar @ hidden @@"),
        (
            "cbar.acq.dv.semsc0.semvis 1",
            "$3 <- $bar1[0] @ acquire @ dv @ semsc0 @ semvis @ bar @ hidden @@",
        ),
        ("sub r0, r1, 1", "r0 := wrap(r1 - 1, -32)"),
    ],
)
def test_instructions(instruction: str, expected: str) -> None:
    assert body_of(instruction) == expected


def one(instruction: str) -> str:
    return written(f"0 0 0: {instruction}")


CLASSES = "expected .sc0, .sc1, .sc2, .sc3"
SEMANTICS = "expected .semsc0, .semsc1, .semsc2, .semsc3"
SCOPES = "expected .sg, .wg, .qf, .dv"
ERRORS = [
    (one("ld r0, x"), "`x` is not a register", "registers are r0, r1, ..."),
    (one("st x, 1"), "a store needs a storage class", CLASSES),
    (one("ld.sc4 r0, x"), "`sc4` is not a storage class", CLASSES),
    (one("ld.sc0.dv r0, x"), "`.dv` is out of place", None),
    (one("ld.av.dv.sc0 r0, x"), "`av` is not a storage class", CLASSES),
    (one("ld.vis.sc0 r0, x"), "`sc0` is not a scope", SCOPES),
    (one("ld.acq.dv.sc0.semsc0 r0, x"), "a load that is not atomic has no order", "expected .atom"),
    (one("ld.atom.rel.dv.sc0.semsc0 r0, x"), "a load cannot be `rel`", "expected .acq"),
    (one("st.atom.acq.dv.sc0.semsc0 x, 1"), "a store cannot be `acq`", "expected .rel"),
    (one("st.atom.rel.dv.sc0 x, 1"), "a store needs the storage classes that it orders", SEMANTICS),
    (one("st.atom.rel.dv.sc0.semsc0.semvis x, 1"), "`.semvis` is out of place", None),
    (one("st.atom.rel.dv.sc0.semsc0.semsc0 x, 1"), "`.semsc0` is there twice", None),
    (one("st.atom.gpu.sc0 x, 1"), "`gpu` is not a scope", SCOPES),
    (one("rmw.dv.sc0.add r0, x, 1"), "`dv` is not to be atomic", "expected .atom"),
    (one("rmw.atom.dv.sc0.div r0, x, 1"), "`.div` is out of place", None),
    (one("rmw.atom.dv.sc0.add x, 1"), "`rmw.atom.dv.sc0.add` takes 3 operands, not 2", None),
    (one("membar.dv.semsc0"), "`dv` is not an order", "expected .acq, .rel, .acq_rel"),
    (one("membar.acq.dv"), "a barrier needs the storage classes that it orders", SEMANTICS),
    (one("cbar.acq_rel.wg 1"), "a barrier needs the storage classes that it orders", SEMANTICS),
    (one("cbar.wg.semsc0 1"), "`.semsc0` is out of place", None),
    (one("cbar.wg r0"), "the instance of a barrier is a number", None),
    (one("cbar.wg 1, 1, r0"), "a barrier whose quorum is computed is not supported", None),
    (one("membra.acq.dv.semsc0"), "the instruction `membra.acq.dv.semsc0` is not supported",
     "did you mean `membar.acq.dv.semsc0`?"),
    (one("ld.sc0 r0, x").replace(", qf 0", ""), "thread 0 has no qf", "expected `P0@sg 0,wg 0,qf 0`"),
    (written("0 0 0: ld.sc0 r0, x", init="x=0; s @ surface aliases x;"), "`s` is accessed by the surface proxy, "
     "which only PTX has", None),
    (written("0 0 0: ld.sc0 r0, x", system="ssw 0 1;"), "there is no thread 1, which the system is said to order",
     None),
    (written("0 0 0: ld.sc0 r0, x", system="ssw 0 0;"), "a thread does not synchronize with itself", None),
    (written("0 0 0: ld.sc0 r0, x", system="ssw 0;"), "`;` is out of place", "expected the number of a thread"),
    (written("0 0 0: ld.sc0 r0, x", system="sw 0 1;"), "`sw` is out of place",
     "expected, say, `ssw 0 1;`: what thread 0 does comes before what thread 1 does"),
    ("X86 t\n{ x=0; }\n{ ssw 0 1; }\n P0 ;\n MOV EAX,[x] ;\nexists (x=1)",
     "only tests of Vulkan say what the system orders", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message", "hint"), ERRORS, ids=[message for _, message, _ in ERRORS])
def test_errors(text: str, message: str, hint: str | None) -> None:
    refused(text, message, hint)


# ---- what is allowed


def test_every_constraint_is_checked_on_the_way() -> None:
    """Release sequences are of a form that only grows."""
    adapted = problem(read(one("ld.sc0 r0, x")).program, MODEL)
    assert not adapted.strategy.at_end


def test_nothing_out_of_an_update_of_another_scope() -> None:
    """Updates of one workgroup are atomic, those that do not reach each other are not."""
    add = "rmw.atom.wg.sc0.add r0, x, 1"
    assert found(f"0 0 0: {add}", f"1 0 0: {add}", listed="x;") == {"2"}
    assert found(f"0 0 0: {add}", f"0 1 0: {add}", listed="x;") == {"1", "2"}
    assert found(f"0 0 0: {add}", f"0 0 1: {add}", listed="x;") == {"1", "2"}


def message(scope: str, storage: str = "semsc0", side: tuple[str, str] = ("av.dv.", "vis.dv.")) -> tuple[str, str]:
    return (
        f"0 0 0: st.{side[0]}sc0 x, 1; st.atom.rel.{scope}.sc0.{storage} y, 1",
        f"0 1 0: ld.atom.acq.{scope}.sc0.{storage} r0, y; ld.{side[1]}sc0 r1, x",
    )


@pytest.mark.parametrize(
    ("columns", "seen"),
    [
        (message("dv"), {"0 0", "0 1", "1 1"}),
        (message("qf"), {"0 0", "0 1", "1 1"}),
        (message("wg"), {"0 0", "0 1", "1 0", "1 1"}),
        (message("dv", "semsc1"), {"0 0", "0 1", "1 0", "1 1"}),
        (message("dv", side=("", "")), {"0 0", "0 1", "1 0", "1 1"}),
        (message("dv", side=("nonpriv.", "vis.dv.")), {"0 0", "0 1", "1 0", "1 1"}),
        (message("dv", "semsc0.semsc1"), {"0 0", "0 1", "1 1"}),
    ],
    ids=["device", "family", "workgroup", "class", "private", "unavailable", "classes"],
)
def test_a_message(columns: tuple[str, str], seen: set[str]) -> None:
    """It arrives if scopes reach, its storage class is ordered, and it is made available and visible."""
    assert found(*columns, listed="1:r0; 1:r1;") == seen


def test_races() -> None:
    waits = "LC: ld.atom.acq.dv.sc0.semsc0 r0, y; beq r0, 0, LC; ld.vis.dv.sc0 r1, x"
    writes = "0 0 0: st.av.dv.sc0 x, 1; st.atom.rel.dv.sc0.semsc0 y, 1"
    assert not flagged(writes, f"0 1 0: {waits}")
    assert flagged(writes.replace("av.dv.", ""), f"0 1 0: {waits}")
    assert flagged(writes, f"0 1 0: {waits}".replace("vis.dv.", ""))
    assert flagged("0 0 0: st.sc0 x, 1", "0 1 0: ld.sc0 r0, x")
    assert not flagged("0 0 0: st.atom.dv.sc0 x, 1", "0 1 0: ld.atom.dv.sc0 r0, x")


def test_an_update_does_not_race_by_failing() -> None:
    """There is no execution in which its write is missing."""
    add = "rmw.atom.dv.sc0.add r0, x, 1; bne r0, 0, LC; st.av.dv.sc0 y, 1; LC:"
    assert not flagged(f"0 0 0: {add}", f"0 1 0: {add}")


def test_what_the_system_orders() -> None:
    """One way only: a write that thread 1 can see and thread 2 cannot miss."""
    columns = ("0 0 0: st.av.dv.sc0 x, 1", "0 1 0: ld.vis.dv.sc0 r0, x", "0 2 0: ld.vis.dv.sc0 r0, x")
    assert found(*columns, listed="1:r0; 2:r0;", system="ssw 0 1;") == {"1 0", "1 1"}
    assert found(*columns, listed="1:r0; 2:r0;", system="ssw 1 0; ssw 0 2;") == {"0 1"}
    assert found(*columns, listed="1:r0; 2:r0;", system="ssw 0 1; ssw 1 2; ssw 2 0;") == set()
    assert not flagged(*columns, system="ssw 0 1; ssw P0 P2;")


def test_a_control_barrier() -> None:
    """Of the threads of a workgroup, in a scope that reaches them, with an order of the storage class."""
    for barrier, place, seen in (
        ("cbar.acq_rel.wg.semsc0 1", "1 0 0", {"1"}),
        ("cbar.acq_rel.sg.semsc0 1", "0 0 0", {"1"}),
        ("cbar.acq_rel.sg.semsc0 1", "1 0 0", {"0", "1"}),
        ("cbar.acq_rel.wg.semsc1 1", "1 0 0", {"0", "1"}),
        ("cbar.wg 1", "1 0 0", {"0", "1"}),
        ("cbar.acq_rel.dv.semsc0 1", "0 1 0", {"0", "1"}),
        ("membar.acq_rel.wg.semsc0; cbar.wg 1; membar.acq_rel.wg.semsc0", "1 0 0", {"1"}),
    ):
        columns = (f"0 0 0: st.av.wg.sc0 x, 1; {barrier}", f"{place}: {barrier}; ld.vis.wg.sc0 r0, x")
        assert found(*columns, listed="1:r0;") == seen, (barrier, place)


def test_names_of_a_location() -> None:
    """By another name, a thread need not see what it has written itself."""
    own = "0 0 0: st.sc0 x, 1; ld.sc0 r0, {}"
    init = "x=0; a aliases x;"
    assert found(own.format("x"), listed="0:r0;", init=init) == {"1"}
    assert found(own.format("a"), listed="0:r0;", init=init) == {"0", "1"}


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
    assert sum(compare(draw(Random(seed))) for seed in seeds) >= 2 * len(seeds)


def test_that_the_system_orders_nothing_is_no_news() -> None:
    text = written("0 0 0: st.av.dv.sc0 x, 1", "0 1 0: ld.vis.dv.sc0 r0, y")
    assert list(notes(problem(read(text).program, MODEL))) == []
