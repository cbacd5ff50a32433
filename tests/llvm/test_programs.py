"""Programs in LLVM's IR have the executions that they have as C, which another reader reads.

`programs` has both; `make.py` makes the IR. What is said in brackets behind a name is a mistake that is easily made.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from llvm.compiling import compiles, finals

import xgen

pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install '.[cpp]'")
PROGRAMS = Path(__file__).parent / "programs"
MODELS = ("sc", "tso", "rc11", "arm8")
COUNTS = {
    "message": {"sc": "safe 2 0", "tso": "safe 2 0", "rc11": "safe 2 0", "arm8": "safe 2 0"},
    "message_us": {"sc": "safe 2 0", "tso": "safe 2 0", "rc11": "race 1 0", "arm8": "assertion 1 1"},
    "spinlock": {"sc": "safe 6 18", "tso": "safe 6 18", "rc11": "safe 6 18"},  # (a round of a loop before the loop)
    "stores": {"sc": "safe 3 0", "tso": "assertion 2 0", "rc11": "assertion 2 0", "arm8": "assertion 4 0"},
    "condition": {"sc": "safe 2 1", "tso": "safe 2 1", "rc11": "safe 2 1", "arm8": "safe 2 1"},
    "futex": {"sc": "safe 10 6", "tso": "safe 10 6", "rc11": "safe 10 6", "arm8": "safe 10 8"},
    "ring": {"sc": "safe 2 2", "tso": "safe 2 2", "rc11": "safe 2 2", "arm8": "safe 2 2"},
    "stack": {"sc": "safe 36 4", "tso": "safe 36 4", "rc11": "safe 36 4", "arm8": "safe 40 0"},
    "waits": {"sc": "safe 1 0", "rc11": "safe 1 0", "arm8": "safe 1 0"},  # (so, where main shares only in the loop)
    "assembly": {"sc": "safe 2 0", "rc11": "safe 2 0", "arm8": "safe 2 0"},  # (what assembly gives is 0)
    "signal_fence": {"sc": "safe 3 0", "rc11": "assertion 2 0", "arm8": "assertion 4 0"},  # (it is a fence)
    "list": {"sc": "safe 2 0", "rc11": "safe 2 0", "arm8": "safe 2 0"},  # (where pointers lead is asked too early)
    "recomputed": {"sc": "safe 2 2", "rc11": "safe 2 2"},  # (what each round computes anew is not known)
    "not_joined": {"sc": "race 1 0", "rc11": "race 1 0"},  # (main reads what a thread keeps in a local)
    "joined": {"sc": "safe 1 0", "rc11": "safe 1 0", "arm8": "safe 1 0"},  # (it does not get it when it has joined)
    "freed": {"sc": "race-with-free 1 0", "rc11": "race-with-free 1 0"},  # (an object begins with its first cell)
    "folded": {"sc": "race 1 0", "rc11": "race 1 0"},  # (a read of what is known is no use)
    "ended": {"sc": "race-with-free 1 0", "rc11": "race-with-free 1 0", "arm8": "race-with-free 1 0"},
    "tagged": {"sc": "safe 2 0", "rc11": "safe 2 0", "arm8": "safe 2 0"},  # (an address that is computed with is none)
    "twice": {"sc": "bad-join 1 0", "rc11": "bad-join 1 0"},
    "used_after": {"sc": "use-after-free 1 0", "rc11": "use-after-free 1 0"},  # (by the only thread that has it)
    "barrier": {"sc": "safe 1 0", "rc11": "safe 1 0", "arm8": "safe 1 0"},
    "table": {
        "sc": "safe 2 0",
        "rc11": "safe 2 0",
        "arm8": "safe 2 0",
    },  # (what a loop goes through is asked too early)
    "mixed": {"sc": "safe 2 0", "rc11": "safe 2 0", "arm8": "safe 2 0"},  # (a call is of what takes no more)
    "three": {"sc": "safe 2 0", "rc11": "safe 2 0", "arm8": "safe 2 0"},  # (numbers of 48 bits are shifted by 0)
    "behind_loop": {
        "sc": "safe 2 0",
        "rc11": "safe 2 0",
        "arm8": "safe 2 0",
    },  # (what comes behind a loop is read before the loop)
    "results": {"sc": "safe 1 0", "rc11": "safe 1 0", "arm8": "safe 1 0"},
}
"""What is found, and how many executions are complete and blocked."""


def answer(program: xgen.Program, model: str) -> str:
    found = xgen.check(program, xgen.model(model))
    kind = found.witness.violations[0].kind if found.witness else found.verdict
    return f"{kind} {found.executions} {found.blocked}"


@pytest.mark.parametrize("name", COUNTS)
def test_as_in_c(name: str) -> None:
    from_c = xgen.load(PROGRAMS / f"{name}.c", retries=False, map="none")
    from_ir = xgen.load(PROGRAMS / f"{name}.ll", retries=False, map="none")
    for model, expected in COUNTS[name].items():
        assert answer(from_ir, model) == expected, model
        assert answer(from_c, model) == expected, model


@pytest.mark.parametrize("model", MODELS)
def test_what_one_thread_keeps_in_shared_fields_is_its_own(model: str) -> None:
    """The ring keeps the other side's index in a field that one thread uses: as in a local variable of it."""
    assert answer(xgen.load(PROGRAMS / "ring_fields.ll", map="none"), model) == "safe 2 0"


def test_floating_point_numbers_that_main_has_while_it_is_alone() -> None:
    assert answer(xgen.load(PROGRAMS / "real.ll"), "rc11") == "safe 1 0"


def test_what_is_known_of_memory_of_one_thread() -> None:
    """It is written on some ways, on all of them, in loops, and in calls."""
    from_c, from_ir = (finals(xgen.load(PROGRAMS / f"ways.{end}"), "sc") for end in ("c", "ll"))
    assert from_ir == from_c
    assert len(from_ir[2]) == 4


def test_a_number_that_is_read_in_halves() -> None:
    """The C reader refuses this; the write is cut into the parts that are read."""
    program = xgen.load(PROGRAMS / "halves.ll")
    assert [variable.name for variable in program.variables if variable.name.startswith("both")] == [
        "both.whole",
        "both.half[1]",
    ]
    assert answer(program, "rc11") == "safe 2 0"


SHIPPED = sorted((Path(__file__).parents[2] / "programs" / "c").glob("*.c"))
FEW = ("clh", "publication_us", "seqlock", "treiber")


@compiles
@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=() if path.stem in FEW else pytest.mark.slow, id=path.stem) for path in SHIPPED]
)
def test_shipped_programs_are_as_another_reader_reads_them(path: Path) -> None:
    """In what they find, and in all final states, as far as the compiler keeps variables: `meals` is never used."""
    own, compiled = (finals(xgen.load(path, clang=clang), "rc11", {"meals"}) for clang in (False, True))
    assert own == compiled
