"""PTX: what instructions become, what is wrong with them, and which final states the shipped model allows."""

from __future__ import annotations

from random import Random

import pytest

import xgen
from tests.litmus.gpu.ptx_oracle import Test, draw, states
from tests.litmus.reading import read, refused, with_states
from xgen.analyses.compare.distinguish import find_difference
from xgen.analyses.suite.litmus import run_litmus
from xgen.analyses.warnings import notes
from xgen.engine.explicit.unfold import unfold
from xgen.engine.problem import problem
from xgen.errors import UnsupportedError, UsageError
from xgen.lowering.threads import lower
from xgen.memory.library import load_model
from xgen.program.printer import print_program

MODEL = load_model("ptx")


def written(*columns: str, init: str = "x=0; y=0;", end: str = "exists (x=0)") -> str:
    """A test of threads, each `cta gpu: instruction; instruction`."""
    heads, bodies = [], []
    for number, column in enumerate(columns):
        place, _, body = column.partition(":")
        cta, gpu = place.split()
        heads.append(f"P{number}@cta {cta},gpu {gpu}")
        bodies.append([instruction.strip() for instruction in body.split(";")])
    rows = [" | ".join(body[n] if n < len(body) else "" for body in bodies) for n in range(max(map(len, bodies)))]
    return "\n".join([f"PTX t\n{{ {init} }}", " | ".join(heads) + " ;", *(row + " ;" for row in rows), end])


def found(*columns: str, listed: str, init: str = "x=0; y=0;") -> set[str]:
    """The final states of a test under the shipped model: the values of what is listed."""
    result = run_litmus(read(written(*columns, init=init, end=f"locations [{listed}]\nexists (true)")), MODEL)
    assert result.stopped is None
    return {" ".join(part.partition("=")[2].strip() for part in state.split(";")[:-1]) for state, _ in result.states}


def body_of(instruction: str, init: str = "x=0; s @ surface aliases x; a aliases x; b @ generic aliases s;") -> str:
    """What an instruction becomes, without the tags of where its thread stands."""
    text = print_program(read(written(f"2 1: {instruction}", init=init)).program)
    process = text[text.index("process P0") :]
    edges = [edge.split("}")[0] for edge in process[process.rindex("loc end") :].split("{")[1:]]
    shown = " | ".join(" ".join(edge.split()).removesuffix(";") for edge in edges)
    return shown.replace(" @ cta.g1.c2 @ gpu.g1", " @@")


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("ld.weak r0, x", "r0 <- x @ generic @ address.own @@"),
        ("ld.relaxed.cta r0, [x]", "r0 <- x @ relaxed @ cta @ generic @ address.own @@"),
        ("ld.acquire.sys r1, s", "r1 <- x @ acquire @ sys @ generic @ address.own @@"),
        ("suld.weak r1, s", "r1 <- x @ surface @ address.own @@"),
        ("tld.weak r1, a", "r1 <- x @ texture @ address.a @@"),
        ("cold.weak r1, b", "r1 <- x @ constant @ address.b @@"),
        ("st.weak x, 1", "1 -> x @ generic @ address.own @@"),
        ("sust.release.gpu x, r1", "r1 -> x @ release @ gpu @ surface @ address.own @@"),
        ("st.weak x, 0xffffffff", "-1 -> x @ generic @ address.own @@"),
        (
            "atom.acq_rel.gpu.add r0, x, 1",
            "$1 <- load_exclusive(x) @ acquire @ gpu @ generic @ address.own @@; "
            "$2 <- store_exclusive(x, wrap($1 + 1, -32)) @ release @ gpu @ generic @ address.own @@; "
            "assume $2 = 0; r0 := $1",
        ),
        (
            "red.relaxed.sys.and x, r1",
            "$1 <- load_exclusive(x) @ relaxed @ sys @ generic @ address.own @@; "
            "$2 <- store_exclusive(x, wrap($1 bitand r1, -32)) @ relaxed @ sys @ generic @ address.own @@; "
            "assume $2 = 0",
        ),
        (
            "suatom.release.cta.exch r0, s, 2",
            "$1 <- load_exclusive(x) @ relaxed @ cta @ surface @ address.own @@; "
            "$2 <- store_exclusive(x, 2) @ release @ cta @ surface @ address.own @@; assume $2 = 0; r0 := $1",
        ),
        ("fence.acq_rel.cta", "fence @ acq_rel @ cta @ generic @@"),
        ("fence.acquire.gpu", "fence @ acquire @ gpu @ generic @@"),
        ("fence.release.sys", "fence @ release @ sys @ generic @@"),
        ("fence.sc.sys", "0 -> $sc[0] @ seq_cst @ sys @ generic @ hidden @@"),
        ("fence.proxy.alias", "fence[alias] @@"),
        ("fence.proxy.surface", "fence[surface] @@"),
        ("add r0, r1, 1", "r0 := wrap(r1 + 1, -32)"),
        ("mov r0, r1", "r0 := r1"),
        ("ld r0, 3", "r0 := 3"),
        ("bar.cta.sync 0", "$3 <- $bar0[0] @ bar @ hidden @@"),
        ("bar.cta.arrive 1, 3", "$3 <- $barn1[3] @ arrive @ bar @ hidden @@; $1 := $1 + 1; $2 := 3"),
    ],
)
def test_instructions(instruction: str, expected: str) -> None:
    assert body_of(instruction) == expected


ERRORS = [
    (written("0 0: st.relaxed x, 1"), "a store that is relaxed needs a scope", ".cta, .gpu or .sys"),
    (written("0 0: ld.acquire r0, x"), "a load that is acquire needs a scope", ".cta, .gpu or .sys"),
    (written("0 0: st.weak.gpu x, 1"), "a weak store has no scope", None),
    (written("0 0: st x, 1"), "a store has an order", "expected weak, relaxed, release"),
    (written("0 0: ld.release.gpu r0, x"), "a load cannot be `release`", "expected weak, relaxed, acquire"),
    (written("0 0: ld.relaxed.cluster r0, x"), "the scope `cluster` is not supported", None),
    (written("0 0: ld.relaxed.block r0, x"), "`block` is not a scope", "expected .cta, .gpu or .sys"),
    (written("0 0: ld.relaxed.gpu.u32 r0, x"), "`.u32` is out of place", None),
    (written("0 0: ld.weak x, r0"), "`r0` is not the name of a location", None),
    (written("0 0: ld.weak x, y"), "`x` is not a register", "registers are r0, r1, ..."),
    (written("0 0: st.weak x, z"), "`z` is not a register", "registers are r0, r1, ..."),
    (written("0 0: st.weak x"), "`st.weak` takes 2 operands, not 1", None),
    (written("0 0: atom.relaxed.gpu r0, x, 1"), "an update has an order, a scope and an operation",
     "operations are add, sub, mul, and, or, xor, exch, cas"),
    (written("0 0: atom.weak.gpu.add r0, x, 1"), "an update cannot be `weak`",
     "expected relaxed, acquire, release, acq_rel"),
    (written("0 0: red.relaxed.gpu.cas x, 1, 2"), "`red` has no `cas`, which would give nothing back",
     "expected `atom`"),
    (written("0 0: fence.relaxed.gpu"), "a fence is acquire, release, acq_rel or sc",
     "of proxies, `fence.proxy.alias` and so on"),
    (written("0 0: fence.sc"), "a fence that is sc needs a scope", ".cta, .gpu or .sys"),
    (written("0 0: fence.proxy.async"), "a proxy fence says of which proxy",
     "expected alias, generic, texture, surface, constant"),
    (written("0 0: tst.weak x, 1"), "the instruction `tst.weak` is not supported", "did you mean `st.weak`?"),
    (written("0 0: bar.gpu.sync 0"), "barriers are of a cta", "expected `bar.cta.sync` or `bar.cta.arrive`"),
    (written("0 0: bar.cta.red 0"), "a barrier is sync or arrive", "expected `bar.cta.sync` or `bar.cta.arrive`"),
    (written("0 0: bar.cta.sync r0"), "the instance of a barrier is a number", None),
    (written("0 0: bar.cta.sync 0, 16"), "barriers have numbers from 0 to 15", None),
    (written("0 0: bar.cta.sync 0, 1, r0"), "a barrier whose quorum is computed is not supported", None),
    (written("0 0: bar.cta.sync 0, 1, 0"), "a barrier waits for one thread at least", None),
    (written("0 0: LC: bar.cta.sync 0, 1; goto LC"), "a barrier with a number in a loop is not supported", None),
    (written("0 0: goto LC07"), "there is no label `LC07` in this thread", None),
    (written("0 0: ld.weak r0, x").replace("@cta 0,gpu 0", ""), "thread 0 has no place in the hierarchy",
     "expected `P0@cta 0,gpu 0`"),
    (written("0 0: ld.weak r0, x").replace(",gpu 0", ""), "thread 0 has no gpu", "expected `P0@cta 0,gpu 0`"),
    (written("0 0: ld.weak r0, x").replace("gpu", "gp"), "this is not a place in the hierarchy", "did you mean `gpu`?"),
    (written("0 0: ld.weak r0, x").replace("gpu", "cta"), "this is not a place in the hierarchy",
     "expected `P0@cta 0,gpu 0`"),
    (written("0 0: ld.weak r0, x", init="s @ surface aliases x; x=0;"),
     "there is no location `x` before this", None),
    (written("0 0: ld.weak r0, x", init="x=0; s @ shiny aliases x;"), "`shiny` is out of place",
     "expected generic, constant, texture, surface"),
    (written("0 0: ld.weak r0, x", init="x=0; x aliases x;"), "there is already a location `x`", None),
    ("X86 t\n{ x=0; y aliases x; }\n P0 ;\n MOV EAX,[y] ;\nexists (x=0)",
     "`y` is another name of `x`, which only GPUs have", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message", "hint"), ERRORS, ids=[message for _, message, _ in ERRORS])
def test_errors(text: str, message: str, hint: str | None) -> None:
    refused(text, message, hint)


# ---- what is allowed


def test_groups_of_threads() -> None:
    """Two blocks with one number on two GPUs are two blocks."""
    test = read(written("0 0: st.weak x, 1", "0 1: st.weak x, 1", "1 0: st.weak x, 1"))
    tags = [
        set(kind.tags) - {"generic", "address.own"} for kind in lower(test.program).classes if "generic" in kind.tags
    ]
    assert sorted(map(sorted, tags)) == [["cta.g0.c0", "gpu.g0"], ["cta.g0.c1", "gpu.g0"], ["cta.g1.c0", "gpu.g1"]]


ADD = "atom.relaxed.{}.add r0, x, 1"


@pytest.mark.parametrize(
    ("places", "scopes", "ends"),
    [
        (("0 0", "0 0"), ("cta", "cta"), {"2"}),
        (("0 0", "1 0"), ("cta", "cta"), {"1", "2"}),
        (("0 0", "1 0"), ("gpu", "gpu"), {"2"}),
        (("0 0", "1 0"), ("cta", "sys"), {"1", "2"}),  # the narrower one does not reach
        (("0 0", "0 1"), ("gpu", "gpu"), {"1", "2"}),
        (("0 0", "0 1"), ("cta", "cta"), {"1", "2"}),
        (("0 0", "0 1"), ("sys", "sys"), {"2"}),
    ],
)
def test_updates_are_atomic_in_each_other_s_scope(
    places: tuple[str, str], scopes: tuple[str, str], ends: set[str]
) -> None:
    columns = [f"{place}: {ADD.format(scope)}" for place, scope in zip(places, scopes, strict=True)]
    assert found(*columns, listed="x;") == ends


def test_an_update_in_a_loop() -> None:
    """The read of one round is not taken with the write of another."""
    loop = "0 0: mov r1, 0; LC: atom.relaxed.gpu.add r0, x, 1; add r1, r1, 1; bne r1, 2, LC"
    assert found(loop, "1 0: " + ADD.format("gpu"), listed="x;") == {"3"}


def test_a_compare_and_swap_that_fails_is_a_read() -> None:
    """It writes nothing, and what follows does not wait for it."""
    ends = found(
        "0 0: atom.relaxed.gpu.cas r0, x, 5, 6; st.relaxed.gpu y, 1",
        "1 0: ld.relaxed.gpu r1, y; st.relaxed.gpu x, r1",
        listed="0:r0; 1:r1; x;",
    )
    assert ends == {"0 0 0", "0 1 1", "1 1 1"}


def test_an_ordered_fence_is_a_release_and_an_acquire_fence() -> None:
    """Also where there is one of them only, and nothing that it is ordered with."""
    ends = found(
        "0 0: st.weak x, 1; fence.sc.gpu; st.relaxed.gpu y, 1",
        "1 0: ld.relaxed.gpu r0, y; fence.acq_rel.gpu; ld.weak r1, x",
        listed="1:r0; 1:r1;",
    )
    assert ends == {"0 0", "0 1", "1 1"}


@pytest.mark.parametrize(("scope", "both"), [("gpu", False), ("cta", True)])
def test_ordered_fences_forbid_store_buffering_in_their_scope(scope: str, both: bool) -> None:
    ends = found(
        f"0 0: st.relaxed.gpu x, 1; fence.sc.{scope}; ld.relaxed.gpu r0, y",
        f"1 0: st.relaxed.gpu y, 1; fence.sc.{scope}; ld.relaxed.gpu r1, x",
        listed="0:r0; 1:r1;",
    )
    assert ("0 0" in ends) is both
    assert ends >= {"0 1", "1 0", "1 1"}


def test_the_same_by_check() -> None:
    """Fences and barriers that one thread alone comes to stay where they are."""
    text = written(
        "0 0: st.weak x, 1; fence.sc.gpu; bar.cta.sync 0; st.relaxed.gpu y, 1",
        "1 0: ld.relaxed.gpu r0, y; fence.acq_rel.gpu; ld.weak r1, x",
        end="~exists (1:r0=1 /\\ 1:r1=0)",
    )
    assert xgen.check(read(text).program, MODEL).verdict == "safe"


@pytest.mark.parametrize("order", ["sync", "arrive"])
def test_a_barrier(order: str) -> None:
    """What comes before it in one thread is seen behind it in another one that waits."""
    ends = found("0 0: st.weak x, 1; bar.cta.sync 0", f"0 0: bar.cta.{order} 0; ld.weak r0, x", listed="1:r0;")
    assert ends == ({"1"} if order == "sync" else {"0", "1"})


def test_barriers_are_of_a_block() -> None:
    assert found("0 0: st.weak x, 1; bar.cta.sync 0", "1 0: bar.cta.sync 0; ld.weak r0, x", listed="1:r0;") == {
        "0",
        "1",
    }


def test_a_barrier_in_a_loop() -> None:
    """The second round of one thread meets the second round of the other."""
    one = "0 0: mov r1, 0; LC: bar.cta.sync 0; st.weak x, 1; add r1, r1, 1; bne r1, 2, LC"
    other = "0 0: mov r1, 0; LC: ld.weak r0, x; bar.cta.sync 0; add r1, r1, 1; bne r1, 2, LC; ld.weak r2, x"
    assert found(one, other, listed="1:r0; 1:r2;") == {"0 1", "1 1"}


def test_a_barrier_to_which_not_all_come() -> None:
    """Who waits for a thread that goes another way does not end."""
    skips = "0 0: ld.weak r0, y; beq r0, 0, LC; bar.cta.sync 0; LC:"
    assert found(skips, "0 0: bar.cta.sync 0; ld.weak r1, y", listed="0:r0; 1:r1;") == set()
    assert found(skips, "0 0: bar.cta.sync 0", "1 0: st.weak y, 1", listed="0:r0; y;") == {"1 1"}


def test_barriers_in_other_orders() -> None:
    """Each waits for the other one."""
    first, second = "bar.cta.sync 0; bar.cta.sync 1", "bar.cta.sync 1; bar.cta.sync 0"
    assert found(f"0 0: {first}", f"0 0: {second}", listed="x;") == set()
    assert found(f"0 0: {first}", f"0 0: {second.replace('sync 1', 'arrive 1')}", listed="x;") == {"0"}


def test_a_quorum() -> None:
    """Two meet, and the third one comes after them, if it is none of the two."""
    columns = [f"0 0: st.weak {name}, 1; bar.cta.sync 0, 1, 2" for name in ("x", "y")]
    seen = found(*columns, "0 0: bar.cta.sync 0, 1, 2; ld.weak r0, x; ld.weak r1, y", listed="2:r0; 2:r1;")
    assert seen == {"0 1", "1 0", "1 1"}
    assert found(columns[0], "0 0: bar.cta.sync 0, 1, 2; ld.weak r0, x", listed="1:r0;") == {"1"}
    assert found(columns[0], "0 0: bar.cta.sync 0, 2, 2; ld.weak r0, x", listed="1:r0;") == set()


def test_names_of_a_location() -> None:
    """By another address, or another proxy, what a thread has written itself may not be there yet."""
    init = "x=0; a aliases x; s @ surface aliases x; b aliases s;"
    for load, fence, seen in (
        ("ld.weak r0, a", "", {"0", "1"}),
        ("ld.weak r0, a", "fence.proxy.alias; ", {"1"}),
        ("ld.weak r0, b", "", {"0", "1"}),
        ("suld.weak r0, s", "", {"0", "1"}),
        ("suld.weak r0, s", "fence.proxy.surface; ", {"1"}),
        ("suld.weak r0, s", "fence.proxy.texture; ", {"0", "1"}),
        ("ld.weak r0, s", "", {"1"}),
    ):
        assert found(f"0 0: st.weak x, 1; {fence}{load}", listed="0:r0;", init=init) == seen, (load, fence)


def test_the_question_may_use_other_names() -> None:
    test = read(written("0 0: st.weak x, 1", init="x=0; s @ surface aliases x;", end="exists (s=1)"))
    assert run_litmus(test, MODEL).verdict == "Ok"


# ---- by brute force


def compare(drawn: Test) -> int:
    """How many final states there are, which are the same by brute force."""
    return len(with_states(drawn.text, states(drawn), MODEL).states)


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(12), id="fast"),
        pytest.param(range(12, 100), id="slow", marks=pytest.mark.slow),
        pytest.param(range(100, 3000), id="long", marks=pytest.mark.long),
    ],
)
def test_against_brute_force(seeds: range) -> None:
    assert sum(compare(draw(Random(seed))) for seed in seeds) >= 2 * len(seeds)


# ---- what else is asked


ORDERED = written("0 0: fence.sc.gpu; ld.weak r0, x", end="exists (0:r0=1)")
MEETING = written("0 0: st.weak x, 1; bar.cta.sync 0", "0 0: bar.cta.sync 0; ld.weak r0, x", end="forall (1:r0=1)")


@pytest.mark.parametrize(
    ("releases", "acquires", "passed"),
    [
        ("release", "acquire", True),
        ("acq_rel", "acquire", True),
        ("release", "sc", True),
        ("acquire", "acquire", False),
        ("release", "release", False),
    ],
)
def test_fences_of_one_direction(releases: str, acquires: str, passed: bool) -> None:
    """A message between two blocks, by a relaxed flag."""
    states = found(
        f"0 0: st.weak x, 1; fence.{releases}.gpu; st.relaxed.gpu y, 1",
        f"1 0: ld.relaxed.gpu r0, y; fence.{acquires}.gpu; ld.weak r1, x",
        listed="1:r0; 1:r1;",
    )
    assert states == {"0 0", "0 1", "1 1"} | (set() if passed else {"1 0"})


def test_a_fence_of_one_direction_has_a_scope() -> None:
    states = found(
        "0 0: st.weak x, 1; fence.release.cta; st.relaxed.gpu y, 1",
        "1 0: ld.relaxed.gpu r0, y; fence.acquire.gpu; ld.weak r1, x",
        listed="1:r0; 1:r1;",
    )
    assert "1 0" in states


@pytest.mark.parametrize("text", [ORDERED, MEETING], ids=["fence.sc", "barrier"])
@pytest.mark.parametrize("name", ["sc", "tso", "arm8", "rc11", "any"])
def test_models_that_do_not_know_them_are_refused(name: str, text: str) -> None:
    """There they would be accesses that order nothing."""
    program = read(text).program
    with pytest.raises(UnsupportedError, match=f"the model {name} does not know fence.sc and barriers of GPUs"):
        problem(program, load_model(name))
    with pytest.raises(UnsupportedError, match=f"the model {name} does not know"):
        problem(program, MODEL, reference=load_model(name))


def test_machines_do_not_run_barriers() -> None:
    with pytest.raises(UnsupportedError, match=r"fence\.sc and barriers of GPUs are not supported"):
        unfold(read(MEETING).program, "tso")


def test_what_needs_programs_with_scopes_is_refused() -> None:
    with pytest.raises(UsageError, match="programs with scopes, which ptx speaks of, are not generated"):
        find_difference(MODEL, load_model("sc"))


def test_a_program_without_groups_is_told() -> None:
    program = read("X86 t\n{ x=0; }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)").program
    said = "the model ptx speaks of groups of events (`address`, `cta` and `gpu`) that the program does not have"
    assert said in list(notes(problem(program, MODEL)))
    assert list(notes(problem(read(MEETING).program, MODEL))) == []
