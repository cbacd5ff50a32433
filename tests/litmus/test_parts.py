"""Accesses of several sizes to the same bytes: counts and final states, by hand and by brute force; what is refused."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from oracle import pairs, sizes

import xgen
from tests.litmus.reading import read
from xgen import _core
from xgen.analyses.check.portfolio import why_not
from xgen.analyses.explain import asked_by, explain
from xgen.analyses.suite.litmus import asked_of, run_litmus
from xgen.cli import main
from xgen.engine.problem import problem
from xgen.errors import ProgramError, Source, UnsupportedError, XgenError
from xgen.executions.result import Partition
from xgen.memory.algebra import Op
from xgen.memory.library import load_model
from xgen.memory.mcm.parser import read_model
from xgen.memory.statics.vocabulary import operators
from xgen.memory.terms import normalised, of_whole_accesses

MODELS = ("sc", "tso", "arm8")

HALVES = """AArch64 halves
{ uint32_t x; 0:X1=x; 1:X1=x; uint64_t 1:X0; }
P0              | P1          ;
MOV W0,#1       | LDR W0,[X1] ;
STRH W0,[X1]    |             ;
MOV W2,#2       |             ;
STRH W2,[X1,#2] |             ;
locations [x;]
exists (1:X0=0x20000)"""


@pytest.mark.parametrize(("model", "values"), [("sc", 3), ("tso", 3), ("arm8", 4)])
def test_two_halves_that_are_read_at_once(model: str, values: int) -> None:
    """A processor of Arm may do the stores in either order; each execution has another value here."""
    result = run_litmus(read(HALVES), load_model(model))
    found = [f"1:X0={v}; [x]=131073;" for v in (0, 1, 131072, 131073) if v != 131072 or values == 4]
    assert result.states == tuple((state, 1) for state in found)


TORN = """AArch64 torn
{ uint64_t x; 0:X1=x; 0:X0=0x0000000100000001; 1:X1=x; uint64_t 1:X0; 2:X1=x; uint64_t 2:X2; }
P0          | P1          | P2             ;
STR X0,[X1] | LDR X0,[X1] | LDR W2,[X1,#4] ;
exists (1:X0=1 \\/ 1:X0=0x100000000)"""


@pytest.mark.parametrize("model", MODELS)
def test_no_read_is_torn(model: str) -> None:
    result = run_litmus(read(TORN), load_model(model))
    assert (result.observation, result.positive, result.negative) == ("Never", 0, 4)


HAZARD = """AArch64 hazard
{ uint32_t x; 0:X0=x; uint32_t 0:X2; uint32_t 0:X3; 1:X0=x; 1:X1=0x00020001; }
P0            | P1          ;
LDRH W2,[X0]  | STR W1,[X0] ;
LDR W3,[X0]   |             ;
exists (0:X2=1 /\\ 0:X3=0)"""


@pytest.mark.parametrize("model", MODELS)
def test_a_later_read_of_more_bytes_is_not_older(model: str) -> None:
    assert run_litmus(read(HAZARD), load_model(model)).observation == "Never"


SCA = """AArch64 sca
{ uint32_t x; 0:X1=x; 1:X1=x; uint64_t 0:X2; uint64_t 1:X2; }
P0              | P1              ;
MOV W0,#1       | MOV W0,#1       ;
STRH W0,[X1]    | STRH W0,[X1,#2] ;
LDR W2,[X1]     | LDR W2,[X1]     ;
exists (0:X2=1 /\\ 1:X2=0x10000)"""


@pytest.mark.parametrize(("model", "observation"), [("sc", "Never"), ("tso", "Sometimes"), ("arm8", "Sometimes")])
def test_own_halves_are_seen_early(model: str, observation: str) -> None:
    """Each store is forwarded to the read of its own thread, the other half comes from the memory."""
    assert run_litmus(read(SCA), load_model(model)).observation == observation


STATES = {
    "halves of x86": (
        """X86_64 T
{ uint64_t x; 0:RAX=x; 1:RAX=x; uint64_t 1:RBX; }
P0                | P1                ;
movl $1,(%rax)    | movq (%rax),%rbx  ;
movl $1,4(%rax)   |                   ;
exists (1:RBX=0)""",
        {"sc": "0 1 4294967297", "tso": "0 1 4294967297"},
    ),
    "an exchange of x86 of the whole": (
        """X86_64 T
{ uint64_t x; 0:RAX=x; 1:RAX=x; uint64_t 1:RBX; }
P0                | P1                ;
movl $1,(%rax)    | movq $0,%rbx      ;
movl $1,4(%rax)   | xchgq %rbx,(%rax) ;
exists (1:RBX=0)""",
        {"sc": "0 1 4294967297", "tso": "0 1 4294967297"},
    ),
    "pairs of halves": (
        """AArch64 T
{ uint64_t x; 0:X1=x; 1:X1=x; uint64_t 1:X0; }
P0              | P1          ;
MOV W2,#1       | LDR X0,[X1] ;
STP W2,W2,[X1]  |             ;
exists (1:X0=0)""",
        {"sc": "0 1 4294967297", "tso": "0 1 4294967297", "arm8": "0 1 4294967296 4294967297"},
    ),
    "pairs of elements": (
        """AArch64 T
{ uint64_t x[3]={7,8,9}; 0:X1=x; uint64_t 0:X2; }
P0              ;
LDP X2,X1,[X1,#8] ;
ADD X2,X2,X1 ;
exists (0:X2=0)""",
        {"arm8": "17"},
    ),
    "two registers at once of x86": (
        """X86_64 T
{ uint64_t x[2]={1,2}; 0:rsi=x; 0:rax=1; 0:rdx=2; 0:rbx=3; 0:rcx=4; 1:rsi=x; uint64_t 1:rax; }
P0                     | P1               ;
lock cmpxchg16b (%rsi) | movq (%rsi),%rax ;
exists (1:rax=0)""",
        {"sc": "1 3", "tso": "1 3"},
    ),
    "bytes and halfwords of x86": (
        """X86_64 T
{ uint32_t x; 0:rsi=x; 1:rsi=x; uint64_t 1:rax; }
P0                | P1               ;
movb $1,(%rsi)    | movl (%rsi),%eax ;
movw $2,2(%rsi)   |                  ;
lock incb (%rsi)  |                  ;
exists (1:rax=0)""",
        {"sc": "0 1 131073 131074", "tso": "0 1 131073 131074"},
    ),
    "an index of x86": (
        """X86_64 T
{ int t[8]={0,1,2,3,4,5,6,7}; 0:RAX=t; 0:RBX=5; uint64_t 0:RCX; }
P0 ;
movl 4(%rax,%rbx,4),%ecx ;
exists (0:RCX=0)""",
        {"tso": "6"},
    ),
}


@pytest.mark.parametrize(
    ("update", "states"),
    [("SWP W2,W1,[X1]", "X1=3 X1=5"), ("LDADD W2,W1,[X1]", "X1=3 X1=5"), ("CAS W1,W2,[X1]", "X1=3 X1=5")],
)
def test_an_update_whose_result_comes_to_the_register_of_its_address(update: str, states: str) -> None:
    """It writes where it has read."""
    text = f"""AArch64 T
{{ uint32_t x=5; 0:X1=x; 1:X1=x; }}
P0             | P1            ;
MOV W2,#7      | MOV W2,#3     ;
{update} | STRH W2,[X1] ;
locations [0:X1;]
exists (x=0)"""
    result = run_litmus(read(text), load_model("arm8"))
    assert " ".join(sorted(state.split(";")[0].split(":")[1] for state, _ in result.states)) == states


@pytest.mark.parametrize("size", ["H", "W", "X"])
@pytest.mark.parametrize("op", ["SMIN", "SMAX", "UMIN", "UMAX"])
def test_updates_of_parts_that_compare(op: str, size: str) -> None:
    """What they write is computed here."""
    rng, bits = random.Random(f"{op} {size}"), {"H": 16, "W": 32, "X": 64}[size]
    whole, value, byte = (rng.getrandbits(each) for each in (bits, bits, 8))
    old = whole & ~0xFF00 | byte << 8
    values = [each - (each >> bits - 1 << bits) if op[0] == "S" else each for each in (old, value)]
    new = (min if op[1:] == "MIN" else max)(values) % 2**bits
    r, h = ("X" if size == "X" else "W"), ("H" if size == "H" else "")
    text = f"""AArch64 T
{{ uint{bits}_t x={whole}; 0:X1=x; uint64_t 0:X4={value}; uint64_t 0:X2={byte}; uint64_t 0:X3; uint64_t 0:X5; }}
P0 ;
STRB W2,[X1,#1] ;
LD{op}{h} {r}4,{r}3,[X1] ;
LDR{h} {r}5,[X1] ;
locations [0:X3; 0:X5;]
exists (x=0)"""
    test = read(text)
    assert len(test.program.variables) > 1
    ((state, _),) = run_litmus(test, load_model("arm8")).states
    found = dict(each.strip().split("=") for each in state.split(";") if each.strip())
    assert [int(found[name]) % 2**bits for name in ("0:X3", "0:X5")] == [old, new]


@pytest.mark.parametrize(("text", "values"), STATES.values(), ids=STATES)
def test_final_states(text: str, values: dict[str, str]) -> None:
    for model, found in values.items():
        result = run_litmus(read(text), load_model(model))
        assert " ".join(sorted(state.split("=")[1].rstrip(";") for state, _ in result.states)) == found


def test_an_element_at_an_offset_of_x86() -> None:
    """The offset is one of bytes."""
    text = "X86_64 T\n{ int t[8]; 0:RAX=t; }\nP0 ;\nmovl $1,4(%rax) ;\nlocations [t;]\nexists (t[0]=1)"
    assert run_litmus(read(text), load_model("tso")).states == (("t={0,1,0,0,0,0,0,0}; t[0]=0;", 1),)


def compare(program: sizes.Program, model: str) -> bool:
    """Compares a test with brute force, where it has accesses of several sizes; whether it has."""
    try:
        test = read(sizes.litmus(program))
    except UnsupportedError:  # of a store exclusive that is not of the size of a load exclusive before it
        return False
    if len(test.program.variables) == 2:
        return False
    asked = asked_of(test, load_model(model))
    assert asked.strategy.ahead or asked.code.parts is None
    atomic = asked.code.split_updates or any(i.op is _core.Op.STOREX for i in asked.code.instructions)
    assert asked.strategy.at_end.keys() <= ({2} if atomic and model == "arm8" else set())
    result = run_litmus(test, load_model(model))
    expected = {" ".join(sorted(state.split())): count for state, count in sizes.executions(program, model).items()}
    assert {" ".join(sorted(state.split())): count for state, count in result.states} == expected, test.source.text
    return asked.code.parts is not None


RANDOM = {
    "accesses": (("ld", "ld", "st", "st", "fence"), 2, 3),
    "dependencies": (("ld", "ld", "st", "st", "branch"), 2, 4),
    "three threads": (("ld", "st"), 3, 2),
    "updates": (("ld", "st", "swp", "ldadd"), 2, 2),
    "compare and swap": (("ld", "st", "cas", "cas"), 2, 2),
    "exclusives": (("ld", "st", "ldx"), 2, 2),
}


@pytest.mark.parametrize("kind", RANDOM)
@pytest.mark.parametrize("model", [*MODELS, "ra"])
def test_random_programs_against_brute_force(kind: str, model: str, request: pytest.FixtureRequest) -> None:
    modes, threads, most = RANDOM[kind]
    rng = random.Random(f"{kind} {model}")
    number = 200 if request.config.getoption("--slow") else 12
    programs = [sizes.random_program(rng, modes, threads, most) for _ in range(number)]
    assert sum(compare(program, model) for program in programs) > number // 4


def with_loaded(program: sizes.Program, rng: random.Random) -> sizes.Program:
    """The program where what a CAS expects has been loaded, if there is a register before it."""
    found = []
    for code in program:
        own: list[sizes.Instruction] = []
        for i in code:
            registers = [other.into for other in own if other.into >= 0]
            if i.mode == "cas" and registers:
                i = replace(i, expected=(rng.choice(registers), rng.choice((0, 0, 1))))
            own.append(i)
        found.append(tuple(own))
    return tuple(found)


def uses_its_result(code: tuple[sizes.Instruction, ...]) -> bool:
    """Whether a CAS that expects a loaded value has a result that the thread uses."""
    return any(
        i.expected[0] >= 0 and i.into in (later.value[0], later.expected[0], later.after)
        for k, i in enumerate(code)
        for later in code[k + 1 :]
    )


@pytest.mark.parametrize("model", [*MODELS, "ra"])
def test_what_is_expected_may_be_loaded(model: str, request: pytest.FixtureRequest) -> None:
    """A result that is used later comes from either place: executions under Armv8 that differ in dependencies only."""
    rng, left = random.Random(f"expected {model}"), 60 if request.config.getoption("--slow") else 6
    while left > 0:
        program = with_loaded(sizes.random_program(rng, ("ld", "st", "cas"), 2, 3), rng)
        if not any(i.expected[0] >= 0 for code in program for i in code):
            continue
        if model == "arm8" and any(map(uses_its_result, program)):
            continue
        found = run_litmus(read(sizes.litmus(program)), load_model(model)).states
        expected = {" ".join(sorted(state.split())): n for state, n in sizes.executions(program, model).items()}
        assert {" ".join(sorted(state.split())): n for state, n in found} == expected, sizes.litmus(program)
        left -= 1


RESULT = """AArch64 result
{ uint64_t x; uint64_t y; uint64_t z; 0:X20=x; 0:X21=y; 0:X22=z; 0:X10=5; }
P0 ;
LDR X1,[X20] ;
MOV X2,X1 ;
CAS X2,X10,[X21] ;
STR X2,[X22] ;
exists (x=7)"""


@pytest.mark.parametrize(("model", "old", "executions"), [("arm8", 0, 2), ("arm8", 3, 1), ("sc", 0, 1), ("tso", 0, 1)])
def test_a_result_from_either_place(model: str, old: int, executions: int) -> None:
    """One that succeeds, and whose result is used, has two executions where dependencies tell them apart."""
    result = run_litmus(read(RESULT.replace("uint64_t y;", f"uint64_t y={old};")), load_model(model))
    assert result.negative == executions


@pytest.mark.parametrize("model", MODELS)
def test_two_registers_at_once_against_brute_force(model: str, request: pytest.FixtureRequest) -> None:
    """LDXP, STXP and CASP; where a LDXP is two reads, only Arm's model leaves the two without an order."""
    rng, compared = random.Random(f"pairs {model}"), 0
    number = 150 if request.config.getoption("--slow") else 12
    for _ in range(number):
        program = pairs.random_program(rng)
        if model != "arm8" and any(i.halves for code in program for i in code):
            continue
        try:
            test = read(pairs.litmus(program))
        except UnsupportedError:  # of a store exclusive that is not of the size of a load exclusive before it
            continue
        expected = {" ".join(sorted(s.split())): n for s, n in sizes.executions(program, model).items()}
        found = run_litmus(test, load_model(model)).states
        assert {" ".join(sorted(pairs.narrow(s).split())): n for s, n in found} == expected, test.source.text
        compared += 1
    assert compared > number // 6


@pytest.mark.parametrize("model", MODELS)
def test_explanations_against_brute_force(model: str, request: pytest.FixtureRequest) -> None:
    """Each final state that Arm's model has: whether this model has it, and what forbids it, are told.

    That nothing comes into the middle of an update of several parts is built in: no constraint tells it.
    """
    rng, left = random.Random("explain"), 40 if request.config.getoption("--slow") else 3
    while left > 0:
        program = sizes.random_program(rng, ("ld", "st", "st", "swp"), 2, 3)
        found, all_ = sizes.executions(program, model), sizes.executions(program, "arm8")
        forbidden = sorted(all_.keys() - found.keys())
        if (not forbidden and model != "arm8") or len({i.bytes for code in program for i in code}) == 1:
            continue
        left -= 1
        for state in (*forbidden[:1], next(iter(found))):
            condition = state.replace("[", "").replace("]", "").rstrip(";").replace(";", " /\\")
            test = read(sizes.litmus(program).replace("exists (x=77)", f"exists ({condition})"))
            told = explain(asked_by(test.program, load_model(model)))
            assert told.answer == ("allowed" if state in found else "forbidden"), test.source.text
            if state in found or all(i.mode != "swp" for code in program for i in code):
                assert all(finding.holds for finding in told.findings) == (state in found)


def classes_of(program: sizes.Program, model: str) -> tuple[Counter[object], set[str]]:
    """How many executions have the same reads-from, byte by byte, for each that there is; and the final states."""
    found: Counter[object] = Counter()
    states = set()
    for candidate in sizes.candidates(program):
        events = candidate.events
        for rf, state in sizes.consistent(candidate, model):
            name = {e.number: (e.thread, e.instruction, e.place) for e in events}
            found[tuple(sorted((name[r], name[w]) for r, w in rf.items())), tuple(candidate.success.items())] += 1
            states.add(state)
    return found, states


@pytest.mark.parametrize("model", [*MODELS, "ra"])
@pytest.mark.parametrize("kind", ["accesses", "like threads", "updates", "compare and swap", "exclusives"])
def test_classes_against_brute_force(kind: str, model: str, request: pytest.FixtureRequest) -> None:
    """As many classes as there are ways to read; the executions in them are counted; all final states are found."""
    modes, threads, most = RANDOM["three threads" if kind == "like threads" else kind]
    rng, left = random.Random(f"classes {kind} {model}"), 60 if request.config.getoption("--slow") else 2
    while left > 0:
        program = sizes.random_program(rng, modes, threads, most)
        if kind == "like threads":
            program = (program[0],) * threads
        try:
            test = read(sizes.litmus(program))
        except UnsupportedError:  # of a store exclusive that is not of the size of a load exclusive before it
            continue
        if len(test.program.variables) == 2:
            continue
        left -= 1
        ways, states = classes_of(program, model)
        found = xgen.check(test.program, load_model(model), all_states=True, classes="rf")
        assert (found.classes, found.executions) == (len(ways), ways.total()), test.source.text
        assert len(found.outcomes) == len(states)
        partitions: tuple[Partition, ...] = ("values", "seen")
        for partition in partitions:
            if why_not(problem(test.program, load_model(model), classes=True, parts=True), partition):
                continue  # that is refused of any program
            found = xgen.check(test.program, load_model(model), all_states=True, classes=partition)
            assert len(found.outcomes) == len(states), test.source.text


def test_samples_long_runs_and_estimates_against_brute_force(tmp_path: Path) -> None:
    rng, tried = random.Random("long"), 0
    for number in range(30):
        program = sizes.random_program(rng, ("ld", "st", "swp", "cas"), 2, 2)
        test = read(sizes.litmus(program))
        count = sum(sizes.executions(program, "arm8").values())
        if len(test.program.variables) == 2 or not 1 < count < 50:
            continue
        model, tried = load_model("arm8"), tried + 1
        sampled = xgen.check(test.program, model, sample=600, classes="off")
        assert sampled.sample is not None
        assert (sampled.sample.whole, sampled.executions) == (True, count), test.source.text
        assert xgen.estimate(test.program, model).executions.mean == count
        if tried <= 2:
            long = xgen.check(test.program, model, checkpoint=tmp_path / f"{number}.run", processes=1, classes="off")
            assert (long.verdict, long.executions) == ("safe", count)
    assert tried > 6


@pytest.mark.parametrize("model", MODELS)
def test_one_size_is_explored_as_before(model: str) -> None:
    """Where no access has parts, the models are what they are without `si`."""
    text = load_model(model).source.text
    for word, plain_word in (("(si ; rmw ; si)", "rmw"), (" ; si", ""), (" | hazard", "")):
        text = text.replace(word, plain_word)
    without = "\n".join(line for line in text.splitlines() if not line.startswith("hazard ="))
    whole, plain = of_whole_accesses(load_model(model)), normalised(read_model(Source("plain.mcm", without)))
    assert Op.SI in operators(load_model(model))
    assert [c.condition for c in whole.constraints] == [c.condition for c in plain.constraints]


UNALIGNED = "AArch64 T\n{uint32_t x; 0:X1=x;}\nP0 ;\nSTR W0,[X1] ;\nLDRH W2,[X1,#1] ;\nexists (x=0)"
OUTSIDE = "AArch64 T\n{uint32_t x; 0:X1=x;}\nP0 ;\nSTRH W0,[X1] ;\nLDRH W2,[X1,#4] ;\nexists (x=0)"
TWO_ODD = "AArch64 T\n{uint64_t x[4]; 0:X1=x;}\nP0 ;\nADD X1,X1,#8 ;\nLDXP X2,X3,[X1] ;\nexists (x[0]=0)"
OUTSIDE_TWO = "AArch64 T\n{uint64_t x; 0:X1=x;}\nP0 ;\nCASP X2,X3,X4,X5,[X1] ;\nexists (x=0)"
PAIR_AND_ONE = "AArch64 T\n{uint64_t x[2]; 0:X1=x;}\nP0 ;\nLDXP X2,X3,[X1] ;\nSTXR W4,X2,[X1] ;\nexists (x[0]=0)"
PAIR = "AArch64 T\n{uint32_t x; 0:X1=x;}\nP0 ;\nLDXRH W2,[X1] ;\nSTXR W3,W0,[X1] ;\nexists (x=0)"
POINTER = """AArch64 T
{uint32_t x=5; uint64_t y; uint64_t z=y; 0:X1=x; 0:X2=z;}
P0 ;
STRH W0,[X1] ;
LDR X3,[X2] ;
ADD X3,X3,#1 ;
LDRH W4,[X3] ;
exists (x=0)"""


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (UNALIGNED, 5, "this access is not aligned: 2 bytes at `x+1`"),
        (OUTSIDE, 5, "this access leaves its location: 2 bytes at `x+4`, which has 4 bytes"),
        (TWO_ODD, 5, "this access is not aligned: 16 bytes at `x+8`"),
        (OUTSIDE_TWO, 4, "this access leaves its location: 16 bytes at `x`, which has 8 bytes"),
        (PAIR_AND_ONE, 5, "a store exclusive of 8 bytes behind a load exclusive of 16 is not supported"),
        (PAIR, 5, "a store exclusive of 4 bytes behind a load exclusive of 2 is not supported"),
    ],
)
def test_what_is_no_access_is_refused(text: str, line: int, message: str) -> None:
    with pytest.raises(UnsupportedError) as error:
        read(text)
    assert (error.value.message, error.value.line) == (message, line)


def test_an_address_that_turns_out_wrong_is_refused() -> None:
    with pytest.raises(XgenError) as error:
        run_litmus(read(POINTER), load_model("arm8"))
    assert error.value.line == 7


OF_THE_KERNEL = """var a : int var b : int
process p {{ var r : int var s : int init loc A final loc B
  A -> B {{ r <- a @ rmw @ once  s <- b @ rmw @ once{part}
    r -> a @ rmw @ computed @ once  s + 1 -> b @ rmw @ computed @ once{part} }} }}
process q {{ var t : int init loc A final loc B A -> B {{ t <- b @ once  t -> a @ once }} }}
"""


@pytest.mark.parametrize(("part", "seen"), [(" @ part", {0}), ("", {0, 1})])
def test_what_an_update_computes_depends_on_all_that_it_reads(part: str, seen: set[int]) -> None:
    """lkmm, of atomic_t and a byte of the same word: else a value would come out of nothing."""
    result = xgen.check(xgen.parse(OF_THE_KERNEL.format(part=part)), load_model("lkmm"), all_states=True)
    assert {outcome.state["p:r"] for outcome in result.outcomes} == seen


@pytest.mark.parametrize("model", ["power", "riscv", "pso"])
def test_models_that_do_not_speak_of_parts_are_refused(model: str) -> None:
    with pytest.raises(UnsupportedError) as error:
        run_litmus(read(HALVES), load_model(model))
    assert error.value.line == 4
    assert error.value.message == (
        f"the model {model} does not say what accesses of several sizes to the same bytes do"
    )


TWO_CELLS = "var x : int var y : int main process p { 1 -> x; 2 -> y @part; }"


@pytest.mark.parametrize(
    "command",
    [
        *("prove", "ltl", "check --cones", "check --cones --classes rf"),
    ],
)
def test_what_does_not_know_parts_says_so(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.xcfa").write_text(TWO_CELLS, encoding="utf-8")
    name, *options = command.split()
    formula = ["G true", "--buffer", "2"] if name == "ltl" else []
    result = CliRunner().invoke(main, [name, "p.xcfa", *formula, "--mcm", "tso", *options])
    assert result.exit_code == 2
    assert "p.xcfa:1:50: error:" in result.output
    assert "of several" in result.output


def test_the_tag_needs_an_access_before_it() -> None:
    text = "var x : int main process p { 1 -> x @part; }"
    with pytest.raises(ProgramError, match="no write is right before it"):
        xgen.check(xgen.parse(text), load_model("sc"))
