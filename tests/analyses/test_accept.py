"""Known findings that are accepted: by options, by comments; what else goes wrong is found all the same.

The oracle is the same program without what is accepted: without the check of races, or with an assumption in the place
of the assertion. It has the same executions and outcomes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.fake import run

import xgen
from xgen.executions.result import Met

RACES = """#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
int counter, other;
atomic_int flag;
void *thread(void *unused) {
  counter++;ONE
  atomic_store(&flag, 1);
  MORE;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  TWO
  counter++;
  MORE;
  assert(atomic_load(&flag) == 0);THREE
  pthread_join(t, 0);
}
"""
"""A race on `counter` at lines 7 and 16, an assertion that fails at line 18."""
COUNTER, FLAG = "race@races.c:7", "assertion@races.c:18"


def program(
    more: str = "", one: str = "", two: str = "", three: str = "", text: str = RACES, **options: Any
) -> xgen.Program:
    for word, instead in (("MORE", more), ("ONE", one), ("TWO", two), ("THREE", three)):
        text = text.replace(word, instead)
    return xgen.parse(text, "c", "races.c", **options)


def outcomes(result: xgen.Result) -> set[tuple[tuple[tuple[str, object], ...], int]]:
    return {(tuple(sorted(each.state.items())), each.count) for each in result.outcomes}


def test_what_is_left_has_the_executions_of_the_program_without_it() -> None:
    accepted = xgen.check(program(), "rc11", accept=(COUNTER, FLAG))
    assumed = RACES.replace("assert(atomic_load(&flag) == 0)", "__VERIFIER_assume(atomic_load(&flag) == 0)")
    without = xgen.check(program(text=assumed, races=False), "rc11")
    assert (accepted.verdict, accepted.executions, accepted.blocked) == ("safe", 4, 4)
    assert (without.verdict, without.executions, without.blocked) == ("safe", 4, 4)
    assert outcomes(accepted) == outcomes(without)
    assert accepted.accepted == (
        Met("race", "races.c", 7, "data race on counter"),
        Met("assertion", "races.c", 18, "assertion violated"),
    )


@pytest.mark.parametrize("at", ["race@races.c:7", "race@races.c:16"])
def test_a_race_is_accepted_at_either_of_its_places(at: str) -> None:
    result = xgen.check(program(races=True), "rc11", accept=(at, FLAG))
    assert (result.verdict, [each.line for each in result.accepted]) == ("safe", [int(at[-at[::-1].index(":") :]), 18])


@pytest.mark.parametrize("at", [(), (COUNTER,), (COUNTER, FLAG)])
def test_what_is_not_accepted_is_found(at: tuple[str, ...]) -> None:
    result = xgen.check(program("other = 1"), "rc11", accept=at)
    assert result.verdict == "violation"
    assert result.witness is not None
    (violation, *_) = result.witness.violations
    assert (violation.kind, violation.location) == ("race", "counter" if not at else "other")


def test_all_of_a_kind_one_after_the_other() -> None:
    result = xgen.check(program("other = 1"), "rc11", accept=(FLAG, "race@races.c:9", COUNTER))
    assert result.verdict == "safe"
    assert {(each.kind, each.line) for each in result.accepted} == {("race", 7), ("race", 9), ("assertion", 18)}


@pytest.mark.parametrize(
    ("comments", "verdict", "accepted"),
    [
        ({"one": " // xgen: accept race", "three": " // xgen: accept assertion"}, "safe", 2),
        ({"two": "/* xgen: accept race counter */", "three": " /* xgen: accept assertion */"}, "safe", 2),
        ({"one": " // xgen: accept race"}, "violation", 1),
        ({"one": " // xgen: accept race other"}, "violation", 0),
        ({"one": " // xgen: accept assertion"}, "violation", 0),
        ({"two": "other; // xgen: accept race"}, "violation", 0),
    ],
)
def test_comments(comments: dict[str, str], verdict: str, accepted: int) -> None:
    """In the finding's line or alone in the one before; with the name of what it is about, or without."""
    result = xgen.check(program(**comments), "rc11")
    assert (result.verdict, len(result.accepted)) == (verdict, accepted)


LIFETIMES = """#include <pthread.h>
#include <stdlib.h>
int *p;
void *thread(void *unused) {
  FIRST;
  return unused;
}
int main(void) {
  pthread_t t;
  p = malloc(4);
  pthread_create(&t, 0, thread, 0);
  free(p);
  pthread_join(t, 0);
}
"""


@pytest.mark.parametrize(("first", "kind"), [("*p = 1", "race-with-free"), ("free(p)", "double-free")])
@pytest.mark.parametrize("line", [5, 12])
def test_lifetimes(first: str, kind: str, line: int) -> None:
    one = xgen.parse(LIFETIMES.replace("FIRST", first), "c", "life.c")
    other = "race" if kind != "race" else "double-free"
    assert xgen.check(one, accept=(f"{other}@life.c:{line}",)).verdict == "violation"
    result = xgen.check(one, accept=(f"{kind}@life.c:{line}",))
    assert (result.verdict, result.executions) == ("safe", 1)


@pytest.mark.parametrize("model", ["rc11", "sc"])
@pytest.mark.parametrize("line", [7, 16])
def test_updates(model: str, line: int) -> None:
    text = RACES.replace("counter++;ONE", "__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);ONE")
    result = xgen.check(program(text=text, races=True), model, accept=(f"race@races.c:{line}", FLAG))
    assert (result.verdict, result.executions, len(result.accepted)) == ("safe", 3, 2)


def test_xcfa() -> None:
    text = """var x : int
process p { var a : int
  1 -> x;
  a <- x; assert a = 1; }
process q { 2 -> x; }
"""
    one = xgen.parse(text, "xcfa", "two.xcfa")
    assert xgen.check(one, "sc").verdict == "violation"
    result = xgen.check(one, "sc", accept=("assertion@two.xcfa:4",))
    assert (result.verdict, result.executions, result.blocked) == ("safe", 2, 1)


def test_what_is_no_more_is_noted() -> None:
    safe = xgen.parse("int main(void) { return 0; }", "c", "safe.c")
    result = xgen.check(safe, accept=("race@safe.c:3",))
    assert result.warnings == (
        "note: no execution shows the accepted finding race@safe.c:3: `--accept` need not name it",
    )


def test_a_violation_that_is_not_the_accepted_one_says_its_name() -> None:
    wrong = xgen.parse("#include <assert.h>\nint x;\nint main(void) {\n  assert(x);\n}", "c", "wrong.c")
    result = xgen.check(wrong, accept=("race@wrong.c:2", "assertion@wrong.c:3"))
    assert result.warnings == (
        "note: this violation is assertion@wrong.c:4, which `--accept race@wrong.c:2 and assertion@wrong.c:3` does not "
        "name",
    )
    assert xgen.check(wrong).warnings == ()


def test_what_cannot_be_left_out() -> None:
    text = "#include <stdatomic.h>\n_Atomic(int *) q;\nint main(void) {\n  int *r = q;\n  *r = 1;\n}"
    one = xgen.parse(text, "c", "null.c")
    (violation,) = xgen.check(one).witness.violations  # type: ignore[union-attr]
    assert violation.kind == "bad-address"
    result = None
    try:
        result = xgen.check(one, accept=("bad-address@null.c:5",))
    except xgen.UnsupportedError as error:
        assert "cannot be accepted here" in str(error)  # noqa: PT017
    assert result is None or result.verdict == "vacuous"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("race@x.c", "a finding is accepted as KIND@FILE:LINE, not `race@x.c`"),
        ("x.c:3", "a finding is accepted as KIND@FILE:LINE, not `x.c:3`"),
        ("race@x.c:0", "a finding is accepted as KIND@FILE:LINE, not `race@x.c:0`"),
        ("rce@x.c:3", "a finding of the kind `rce` cannot be accepted"),
        ("deadlock@x.c:3", "a finding of the kind `deadlock` cannot be accepted"),
    ],
)
def test_what_names_no_finding(text: str, words: str) -> None:
    with pytest.raises(xgen.UsageError) as error:
        xgen.check(program(), "rc11", accept=(text,))
    assert words in str(error.value)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "races.c"
    file.write_text(RACES.replace("MORE;", "").replace("ONE", "").replace("TWO", "").replace("THREE", ""))
    told = run("check", str(file), "--accept", COUNTER, "--accept", "assertion@races.c:18")
    assert told.exit_code == 0
    assert "accepted: data race on counter at" in told.stdout.split("\n")[0]
    document = json.loads(run("check", str(file), "--accept", COUNTER, "--format", "json").stdout)
    assert document["verdict"] == "violation"
    assert [(each["kind"], each["line"]) for each in document["accepted"]] == [("race", 7)]
    assert run("check", str(file), "--accept", "race").exit_code == 2
    assert run("check", str(file), "--accept", COUNTER, "--processes", "2").exit_code == 2
