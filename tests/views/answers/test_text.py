"""The report for people: exact wording, since a bounded or interrupted run must never read like a full one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import xgen
from views import samples
from xgen.executions.nothing import NOTHING
from xgen.executions.result import Outcome
from xgen.views.answers.text import MAX_OUTCOMES, MAX_SEARCHED, MAX_WARNINGS, render, verdict_line
from xgen.views.answers.witness import witness_lines
from xgen.views.words import duration, folded

CUT = {"verdict": "safe-within-bound", "bounded": 3, "cut": True, "max_depth": 8}
STOPPED = {"verdict": "interrupted", "seconds": 2.04}

VERDICTS: list[tuple[dict[str, Any], str]] = [
    ({}, "safe (model weak, no bound, 4 executions, exhaustive)"),
    (
        {"max_depth": 8, "executions": 1},
        "safe (model weak, at most 8 events per thread, 1 execution, exhaustive: the bound cut nothing)",
    ),
    (
        {"demoted": {"hb": "why", "c2": "why"}},
        "safe (model weak, no bound, 4 executions, exhaustive after demoting hb and c2)",
    ),
    (
        CUT,
        "safe within the bound of 8 events per thread (not exhaustive): model weak, 4 executions, 3 cut by the bound",
    ),
    (
        {**CUT, "max_depth": None},
        "safe within the bound on loops, calls and memory (not exhaustive): model weak, 4 executions, "
        "3 cut by the bound",
    ),
    (
        {**STOPPED, "stopped": "interrupt"},
        "interrupted after 2.0 s: nothing found so far (model weak, no bound, 4 executions, not exhaustive)",
    ),
    (
        {**STOPPED, "stopped": "timeout", "max_depth": 1, "bounded": 2},
        "interrupted by the time limit after 2.0 s: nothing found so far (model weak, at most 1 event per thread, "
        "4 executions, 2 cut by the bound, not exhaustive)",
    ),
    (
        {**STOPPED, "stopped": "timeout", "bounded": 2, "cut": True},
        "interrupted by the time limit after 2.0 s: nothing found so far (model weak, no bound, 4 executions, "
        "2 not at their end yet, not exhaustive)",
    ),
]


@pytest.mark.parametrize(("changes", "line"), VERDICTS)
def test_verdict_line(changes: dict[str, Any], line: str) -> None:
    assert verdict_line(samples.result(**changes)) == line


VIOLATIONS: list[tuple[dict[str, Any], str]] = [
    ({}, "at most 8 events per thread, 1 execution, stopped at the first violation"),
    (
        {"all_states": True, "max_depth": None, "executions": 4, "violations": 2},
        "no bound, 4 executions, 2 with a violation, exhaustive",
    ),
    (
        {"all_states": True, "bounded": 5, "cut": True, "demoted": {"c": "why"}},
        "at most 8 events per thread, 1 execution, 5 cut by the bound, 1 with a violation, "
        "not exhaustive, after demoting c",
    ),
    (
        {"all_states": True, "max_depth": None, "bounded": 5, "cut": True},
        "no bound on events, 1 execution, 5 cut by other limits, 1 with a violation, not exhaustive",
    ),
    (
        {"max_depth": None, "bounded": 5, "cut": True},
        "no bound, 1 execution, 5 not at their end yet, stopped at the first violation",
    ),
    (
        {"all_states": True, "stopped": "timeout"},
        "at most 8 events per thread, 1 execution, stopped by the time limit, not exhaustive",
    ),
]


@pytest.mark.parametrize(("changes", "facts"), VIOLATIONS)
def test_verdict_line_of_a_violation(changes: dict[str, Any], facts: str) -> None:
    line = verdict_line(samples.violated(**changes))
    assert line == f"violation: assertion violated at tests/sb.xcfa:10:14 (model weak, {facts})"


VIOLATION_REPORT = """\
violation: assertion violated at tests/sb.xcfa:10:14 \
(model weak, at most 8 events per thread, 1 execution, stopped at the first violation)

executions  1 complete, 0 blocked, 0 cut by the bound
violations  1
cost        0.012 s, 30.3 MiB

outcomes so far: 1
  p0:a  p1:b  count
     0     0      1  violation

execution: 4 events, 2 threads
  step  line  p0                   p1                         statement
     0     4  W x = 1                                         1 -> x
     1     5  R y = 0  from init                              a <- y
     2     8                       W y = 1                    1 -> y
     3     9                       R x = 0  from init         b <- x
          10                       ** assertion violated **   assert not (b = 0)

  values  p0:a = 0, p1:b = 0, x = 1, y = 1

tests/sb.xcfa:10:14: error: assertion violated in p1 [assertion]
   10 |   K2 -> K3 { assert not (b = 0) }
      |              ^^^^^^^^^^^^^^^^^^"""


def test_report_of_a_violation() -> None:
    assert render(samples.violated(), full_witness=True) == VIOLATION_REPORT


CUT_WITNESS = """\
execution: 4 events, 2 threads
  step  line  writer           reader                        statement
     0     6  W x = 1                                        1 -> x
     1     7  W y = 1                                        1 -> y
     5    12                   R y = 1  from writer line 7   a <- y
     6    13                   R x = 0  from init            b <- x
              (1 more event)
          16                   ** assertion violated **      assert not (a = 1 and b = 0)

  3 more events are not part of the cause: --full-witness shows them

  values  reader:a = 1, reader:b = 0, x = 1, y = 1

noisy.xcfa:16:5: error: assertion violated in reader [assertion]
"""


def test_the_witness_is_cut_to_what_matters() -> None:
    assert CUT_WITNESS in render(samples.violated(witness=samples.noisy()))
    full = render(samples.violated(witness=samples.noisy()), full_witness=True)
    assert "execution: 7 events, 3 threads\n" in full
    assert "mo z  init (0) -> writer line 8 (2) -> other line 23 (3)" in full
    assert "other:c = 2" in full
    assert "not part of the cause" not in full


def test_one_event_that_is_left_out() -> None:
    witness = samples.noisy().only(set(range(10)) - {9})
    assert "values  writer:n = 7, reader:a = 1" in render(samples.violated(witness=witness), full_witness=True)
    one = "\n\n  1 more event is not part of the cause: --full-witness shows it\n\n"
    assert one in render(samples.violated(witness=witness), full_witness=True)


SAFE_REPORT = """\
safe (model weak, no bound, 4 executions, exhaustive after demoting hb)

warning: the model gives no meaning to the tag `mfnce`
warning: constraint `hb` was checked on whole executions only: its maximal step was inconsistent
warning: 2 executions met more than once; the counts are too high (an error in xgen)

executions  4 complete, 0 blocked, 0 cut by the bound
violations  0
cost        0.012 s, 30.3 MiB

outcomes: 2
  p0:a  p1:b  x  count
     0     1  1      1
     1     0  1      2"""


def test_report_of_a_safe_run_with_warnings() -> None:
    result = samples.result(
        warnings=("the model gives no meaning to the tag `mfnce`",),
        demoted={"hb": "its maximal step was inconsistent"},
        duplicates=2,
    )
    assert render(result) == SAFE_REPORT


WITNESS_OF_WRITES = """\
execution: 6 events, 4 threads
  step  line  p0        p1                 observer                  idle              statement
     0     7            W y = 1                                                        1 -> y
     1     3  W x = 1                                                                  1 -> x
     2     4  W y = 2                                                                  2 -> y
     3     8            W x = 2                                                        2 -> x
     4    12                               R x = 2  from p1 line 8                     b <- x
     5    11                               R x = 1  from p0 line 3                     a <- x
                        (cut by a limit)
                                           (blocked)
                                                                     (still running)

  mo x  init (0) -> p1 line 8 (2) -> p0 line 3 (1)
  mo y  init (0) -> p0 line 4 (2) -> p1 line 7 (1)"""


def test_witness_follows_the_order_of_building() -> None:
    assert render(samples.violated(witness=samples.two_plus_two_writes())).endswith("\n\n" + WITNESS_OF_WRITES)


def test_witness_with_wide_threads_is_one_column() -> None:
    lines = render(samples.violated(witness=samples.independent_reads())).splitlines()
    assert "  step  line  thread      event                                   statement" in lines
    assert "     5    14  reader_yx   R y = 1 acquire  from writer_y line 6   c <- y @acquire" in lines


def test_writes_on_one_line_are_told_apart_by_their_steps() -> None:
    twice = samples.execution(
        "loop.xcfa",
        {"x": 0},
        {
            "p0": [samples.access(3, "W", "x", 1, "i -> x"), samples.access(3, "W", "x", 2, "i -> x")],
            "p1": [samples.access(6, "R", "x", 2, "a <- x")],
        },
        rf=[("0:1", "1:0")],
        mo=[["init:x", "0:0", "0:1"]],
    )
    report = render(samples.violated(witness=twice))
    assert "R x = 2  from p0 line 3 step 1" in report
    assert "mo x  init (0) -> p0 line 3 step 0 (1) -> p0 line 3 step 1 (2)" in report


def test_long_outcome_tables_are_cut_and_violations_come_first() -> None:
    outcomes = [Outcome({"p:a": n}, 1) for n in range(40)] + [Outcome({"p:a": 99}, 5, 2)]
    table = render(samples.result(outcomes=tuple(outcomes), violations=2)).split("outcomes: 41\n")[1].splitlines()
    assert table[:3] == ["  p:a  count", "   99      5  violation in 2", "    0      1"]
    assert len(table) == 1 + MAX_OUTCOMES + 1
    assert table[-1] == "  and 11 more (-v lists all)"


class Many(Sequence[Outcome]):
    """A million outcomes, which are made when they are asked for; `made` counts them."""

    made = 0

    def __len__(self) -> int:
        return 1_000_000

    def __getitem__(self, index: Any) -> Any:
        if not 0 <= index < len(self):
            raise IndexError
        self.made += 1
        return Outcome({"p:a": index}, 1, int(index == 1000))


def test_of_a_million_outcomes_only_those_that_are_printed_are_made() -> None:
    many = Many()
    assert "outcomes: 1000000\n  p:a  count\n    0      1\n" in render(samples.result(outcomes=many))
    assert many.made == MAX_OUTCOMES
    assert "\n  1000      1  violation\n     0      1\n" in render(samples.result(outcomes=many, violations=1))
    assert many.made == MAX_OUTCOMES + MAX_SEARCHED


def test_wide_outcome_tables_name_what_never_changes_once() -> None:
    fixed = {f"process:a_long_variable_{n}": n for n in range(5)}
    outcomes = (Outcome({**fixed, "b": False}, 1), Outcome({**fixed, "b": True}, 2))
    lines = render(samples.result(outcomes=outcomes)).splitlines()
    start = lines.index("outcomes: 2")
    assert lines[start + 1 : start + 3] == [
        "  always  process:a_long_variable_0 = 0, process:a_long_variable_1 = 1, process:a_long_variable_2 = 2,",
        "          process:a_long_variable_3 = 3, process:a_long_variable_4 = 4",
    ]
    assert lines[start + 3 :] == ["      b  count", "  false      1", "   true      2"]


def test_outcomes_that_are_wider_than_a_page_are_written_one_after_the_other() -> None:
    names = [f"process:a_long_variable_{n}" for n in range(5)]
    outcomes = (Outcome(dict.fromkeys(names, 0), 1), Outcome(dict.fromkeys(names, 1), 3, 3))
    lines = render(samples.result(outcomes=outcomes, violations=3)).splitlines()
    assert lines[lines.index("outcomes: 2") + 1 :] == [
        "  count 3, violation: process:a_long_variable_0 = 1, process:a_long_variable_1 = 1,",
        "                      process:a_long_variable_2 = 1, process:a_long_variable_3 = 1,",
        "                      process:a_long_variable_4 = 1",
        "  count 1: process:a_long_variable_0 = 0, process:a_long_variable_1 = 0, process:a_long_variable_2 = 0,",
        "           process:a_long_variable_3 = 0, process:a_long_variable_4 = 0",
    ]


@given(st.lists(st.text("abc ", min_size=1, max_size=30), max_size=12), st.text("h: ", max_size=30))
def test_folded_lines_say_what_one_line_would(parts: list[str], head: str) -> None:
    lines = folded(head, parts, " -> ", width=60)
    assert "".join("".join(lines).split()) == "".join(f"{head}{' -> '.join(parts)}".split())
    assert all(len(line) <= 60 for line in lines)


def test_values_that_are_false_or_equal_across_types_are_kept() -> None:
    fixed = {f"process:a_long_variable_{n}": 0 for n in range(5)}
    outcomes = (Outcome({**fixed, "b": 0}, 1), Outcome({**fixed, "b": 0}, 2))
    lines = render(samples.result(outcomes=outcomes)).splitlines()
    assert lines[-3:] == ["  count", "      1", "      2"]


def test_without_variables_there_is_no_table() -> None:
    assert "outcomes" not in render(samples.result(outcomes=(Outcome({}, 4),)))


def test_an_early_end_marks_the_outcomes() -> None:
    assert "outcomes so far: 2" in render(samples.result(verdict="interrupted", stopped="interrupt"))
    assert "outcomes so far: 2" in render(samples.result(outcomes_complete=False))


def test_warnings_are_broken_into_lines_said_once_and_cut() -> None:
    cut = [f"the bound stopped p{n} at line {n},\n before `{n} -> x`" for n in range(20)]
    report = render(samples.result(warnings=(cut[0], *cut), demoted={"c": "because of many things " * 8}))
    lines = report.split("\n\n")[1].splitlines()
    assert lines[0] == "warning: the bound stopped p0 at line 0, before `0 -> x`"
    assert lines[MAX_WARNINGS - 1].startswith("warning: the bound stopped p11 ")
    assert lines[MAX_WARNINGS] == "warning: and 8 more (-v lists all)"
    assert lines[MAX_WARNINGS + 1].startswith("warning: constraint `c` was checked on whole executions only: because")
    assert lines[MAX_WARNINGS + 2].startswith("  ")
    assert max(map(len, lines)) <= 110


def test_paint_dresses_and_never_rewords() -> None:
    roles = []

    def note(text: str, role: str) -> str:
        roles.append(role)
        return text

    assert render(samples.violated(), note, full_witness=True) == VIOLATION_REPORT
    assert roles[0] == "bad"
    assert set(roles) == {"bad", "title", "dim"}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0004, "0.000 s"),
        (0.0999, "0.100 s"),
        (0.5, "0.5 s"),
        (12.34, "12.3 s"),
        (125, "2 min 05 s"),
        (7260, "2 h 01 min"),
    ],
)
def test_duration(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_verbose_lists_everything_and_the_speed() -> None:
    outcomes = tuple(Outcome({"n": n}, 1) for n in range(40))
    warnings = tuple(f"number {n}" for n in range(20))
    result = samples.result(outcomes=outcomes, warnings=warnings, executions=1000, explored=4000, seconds=2.0)
    text = render(result, verbose=True)
    assert "more (-v" not in text
    assert text.count("warning: ") == 20
    assert len([line for line in text.splitlines() if line.split()[1:] == ["1"]]) == 40
    assert "\nspeed       500 executions per second, 500,000 ns per graph\n" in text
    assert "\nspeed" not in render(result)


def test_rows_of_long_names_are_folded() -> None:
    """What happens stands below the name of its thread."""
    name = "a_name_that_is_longer_than_it_has_to_be"
    accesses = [samples.access(3, "W", f"{name}_shared", 10**12, "statement", "acq_rel", "marked_by_the_author")]
    execution = samples.execution(
        "long.xcfa", {f"{name}_shared": 0}, {f"{name}_1": accesses, f"{name}_2": []}, rf=[], mo=[]
    )
    lines = witness_lines(execution, lambda text, _: text)
    assert max(map(len, lines)) <= 110
    assert lines[2:4] == [
        f"     0     3  {name}_1",
        f"                W {name}_shared = 1000000000000 acq_rel marked_by_the_author",
    ]


def test_memory_that_has_no_value() -> None:
    """What it holds is a number, which says nothing to people."""
    text = """#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <pthread.h>
int *p, *q;
void *copies(void *a) { memcpy(q, p, sizeof *q); return a; }
int main(void) {
  p = malloc(sizeof *p), q = malloc(sizeof *q);
  pthread_t t;
  pthread_create(&t, 0, copies, 0);
  *q = 1;
}
"""
    report = render(xgen.check(xgen.parse(text, "c"), xgen.model("rc11")))
    assert "R main.p = no value  from init" in report
    assert "mo main.q  main line 11 (1) -> copies line 6 (no value)" in report
    assert str(NOTHING) not in report
