"""Kinds of fences of models that name their own: they are tried, and can be asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import xgen
from xgen.analyses.fences.fences import Placements
from xgen.analyses.fences.kinds import default_kinds
from xgen.cli import main
from xgen.errors import UsageError

OWN = """model "own"
per_location = (po & loc) | rf | mo | fr
ppo          = po(R -> A) | po(W -> W)
MADE
updates      = po(A -> RMW) | po(RMW -> A)
per_location acyclic as coherence
global       = ppo | fenced | updates | (rf & ext) | mo | fr
global acyclic as store_order
"""
FULL = "mb = F[{}]\nfenced = po(A -> mb) | po(mb -> A)"


def model(made: str) -> xgen.Model:
    return xgen.parse_model(OWN.replace("MADE", made))


WEAK = OWN.replace("po(R -> A) | po(W -> W)", "po(R -> A)")
STORES = "st = F[first]\nmb = F[both]\nfenced = po(A -> mb) | po(mb -> A) | (po(W -> st) ; po(st -> W))"


@pytest.mark.parametrize(
    ("made", "kinds"),
    [
        (FULL.format("membar"), "membar=1"),
        (FULL.format("dmb.sy"), "dmb.sy=1"),  # a tag that there is, but of no family
        (FULL.format("lfence"), "lfence=1"),  # which is no fence of the family that fits
        (FULL.format("mfence"), "mfence=1"),
        ("mb = F[one] | F[other]\nfenced = po(A -> mb) | po(mb -> A)", "one=1,other=1"),
        ("mb = F[mfence] | F[membar]\nfenced = po(A -> mb) | po(mb -> A)", "mfence=1,membar=3"),
        ("mb = F\nfenced = po(A -> mb) | po(mb -> A)", "fence=1"),
        ("mb = F \\ F[nothing]\nfenced = po(A -> mb) | po(mb -> A)", "fence=1"),
        ("mb = F\nfenced = none", "fence=1"),
    ],
)
def test_what_a_model_orders_something_by(made: str, kinds: str) -> None:
    assert default_kinds(model(made.replace("none", "rf & mo"))) == kinds


def test_weaker_fences_of_its_own() -> None:
    assert default_kinds(xgen.parse_model(WEAK.replace("MADE", STORES))) == "both=3,first=1"


SB = """var x : int var y : int
process p { var a : int 1 -> x; a <- y; } process q { var b : int 1 -> y; b <- x; }
process r { var a : int var b : int do { a <- x; } while a = 0; }"""
LITMUS = """X86 SB
{ }
 P0         | P1         ;
 MOV [x],$1 | MOV [y],$1 ;
 MOV EAX,[y]| MOV EAX,[x];
~exists (0:EAX=0 /\\ 1:EAX=0)
"""


@pytest.mark.parametrize(
    "options", [{}, {"uniform": True}, {"robust": "sc"}, {"kinds": "membar"}, {"kinds": "fence=1,membar=2"}]
)
def test_placements(options: dict[str, object]) -> None:
    if "robust" in options:
        options = {"robust": xgen.model("sc")}
    found = xgen.fences(xgen.load("peterson"), model(FULL.format("membar")), **options)  # type: ignore[arg-type]
    assert (found.verdict, found.complete) == ("fenced", True)
    assert len(found.placements) == (2 if "uniform" in options else 4)
    assert {piece.word for each in found.placements for piece in each.pieces} == {"membar"}
    for number in range(len(found.placements)):
        assert xgen.check(found.apply(number), model(FULL.format("membar"))).verdict == "safe"


def test_two_that_do_the_same() -> None:
    """Either will do, at each of the two places of each process."""
    found = xgen.fences(xgen.load("peterson"), model("mb = F[one] | F[other]\nfenced = po(A -> mb) | po(mb -> A)"))
    assert len(found.placements) == 16


def test_they_are_taken_out_and_come_back() -> None:
    fenced = xgen.fences(xgen.load("peterson"), model(FULL.format("membar"))).apply(0)
    again = xgen.fences(fenced, model(FULL.format("membar")))
    assert len(again.placements) == 4
    assert xgen.fences(fenced, model(FULL.format("membar")), keep=True).verdict == "safe"


def test_orders_that_a_model_has_not() -> None:
    with pytest.raises(UsageError, match="the model own knows no orders of accesses"):
        xgen.fences(xgen.load("peterson"), model(FULL.format("membar")), orders=True)


@pytest.mark.parametrize(
    ("kinds", "message", "hint"),
    [
        ("membr", "there is no kind of fence `membr`", "did you mean `membar`?"),
        ("relaxed", "there is no kind of fence `relaxed`", "did you mean `release`?"),
        ("stbar", None, None),
    ],
)
def test_other_names(kinds: str, message: str | None, hint: str | None) -> None:
    def ask() -> Placements:
        return xgen.fences(xgen.load("peterson"), model(FULL.format("membar")), kinds=kinds)

    if message is None:  # a fence of others, which orders nothing here
        assert ask().verdict == "not-repairable"
        return
    with pytest.raises(UsageError) as error:
        ask()
    assert (error.value.message, error.value.hint) == (message, hint)


C = """#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y; int r, s;
void *left(void *a) { atomic_store_explicit(&x, 1, memory_order_relaxed);
  r = atomic_load_explicit(&y, memory_order_relaxed); return a; }
void *right(void *a) { atomic_store_explicit(&y, 1, memory_order_relaxed);
  s = atomic_load_explicit(&x, memory_order_relaxed); return a; }
int main() { pthread_t a, b; pthread_create(&a, 0, left, 0); pthread_create(&b, 0, right, 0);
  pthread_join(a, 0); pthread_join(b, 0); assert(r || s); }
"""


@pytest.mark.parametrize(
    ("text", "suffix"), [(C, "c"), (LITMUS, "litmus"), (Path("programs/peterson.xcfa").read_text(), "xcfa")]
)
def test_the_command(text: str, suffix: str, tmp_path: Path) -> None:
    """Of C programs, which have no such fence, the text is not changed; to ask for it is an error."""
    program, own, written = tmp_path / f"program.{suffix}", tmp_path / "own.mcm", tmp_path / f"written.{suffix}"
    program.write_text(text)
    own.write_text(OWN.replace("MADE", FULL.format("membar")))
    result = CliRunner().invoke(main, ["fences", str(program), "--mcm", str(own)])
    assert result.exit_code == 0
    assert "  membar " in result.stdout
    assert ("C has no fence `membar`: the text is not changed" in result.stdout) == (suffix == "c")
    result = CliRunner().invoke(main, ["fences", str(program), "--mcm", str(own), "--write", str(written)])
    assert result.exit_code == (0 if suffix == "xcfa" else 2)
    assert written.exists() == (suffix == "xcfa")
    if suffix == "xcfa":
        assert "fence[membar]" in written.read_text()
        assert CliRunner().invoke(main, ["check", str(written), "--mcm", str(own)]).exit_code == 0
