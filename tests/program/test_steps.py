"""Steps, processes of one kind, shared procedures, constants, structs and local arrays: what they mean."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from program.walking import LOCALS, SHARED, outcomes, written

import xgen
from xgen.errors import ProgramError, UsageError
from xgen.program.printer import print_program


def check(text: str, model: str = "sc", max_depth: int | None = None, **options: Any) -> xgen.Result:
    return xgen.check(xgen.parse(text, **options), xgen.model(model), max_depth=max_depth, all_states=True)


def counts(result: xgen.Result) -> tuple[int, int, int]:
    """Complete and blocked executions, and outcomes."""
    return result.executions, result.blocked, len(result.outcomes)


# ---- against a walk of the trees -------------------------------------------------------------------------------------

locals_ = st.sampled_from(LOCALS)
cells = st.builds(lambda index: ("cell", ("bitand", index, 1)), st.integers(0, 1) | locals_)
leaves = st.integers(0, 2) | locals_ | st.just("me") | cells
numbers = leaves | st.tuples(st.just("+"), leaves, leaves)
guards = st.tuples(st.sampled_from(["=", "<"]), st.integers(0, 2), locals_)
conditions = st.tuples(st.sampled_from(["=", "<"]), leaves, leaves)
events = (
    st.tuples(st.just("load"), locals_, st.sampled_from(SHARED))
    | st.tuples(st.just("store"), numbers, st.sampled_from(SHARED))
    | st.tuples(st.just("add"), locals_, st.sampled_from(SHARED))
)
plain = (
    events
    | st.tuples(st.just("assign"), locals_, numbers)
    | st.tuples(st.just("set"), st.builds(lambda a: ("bitand", a, 1), locals_ | st.integers(0, 1)), numbers)
)


def blocks(inner: st.SearchStrategy[Any], most: int = 2) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=most)


def flat(parts: Any) -> list[Any]:
    return [step for part in parts for step in part]


def loops(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Loops that end: the local `i` counts their rounds."""
    leave = st.sampled_from([("if", ("=", "a", 1), [("break",)], []), ("if", ("<", "b", 1), [("continue",)], [])])
    body = st.tuples(blocks(inner, 1), blocks(leave, 1), blocks(inner, 1)).map(flat)
    count = ("assign", "i", ("+", "i", 1))
    start = ("assign", "i", 0)
    return (
        st.builds(lambda body: [("for", "i", 1, body)], body)
        | st.builds(lambda body: [start, ("while", ("<", "i", 2), [count, *body])], body)
        | st.builds(lambda body: [start, ("do", [count, *body], ("<", "i", 2))], body)
    )


def trees() -> st.SearchStrategy[Any]:
    single = plain.map(lambda step: [step])
    branch = st.builds(lambda c, yes, no: [("if", c, yes, no)], conditions, blocks(plain), blocks(plain))
    deeper = st.builds(lambda c, inner: [("if", c, inner, [])], conditions, branch)
    choice = st.builds(lambda *ways: [("choose", *ways)], blocks(plain, 1), blocks(plain, 1))
    guarded = st.builds(lambda c, way: [("choose", [("assume", c), *way], [])], guards, blocks(plain, 1))
    blocked = st.builds(lambda c: [("assume", c)], conditions)
    end = st.builds(lambda c: [("if", c, [("return",)], [])], conditions)
    return blocked | single | branch | deeper | choice | guarded | end | loops(plain)


threads = st.lists(trees(), min_size=1, max_size=4).map(flat)


@given(st.lists(threads, min_size=1, max_size=2))
def test_random_steps_mean_what_a_walk_of_their_trees_does(programs: list[Any]) -> None:
    lines = ["var x : int", "var y : int"]
    for number, steps in enumerate(programs):
        declared = "  var a : int\n  var b : int\n  var i : int\n  var t : int[2]\n"
        lines.append(f"process p[{number} .. {number}](me) {{\n{declared}  skip;\n{written(steps)}}}")
    text = "\n".join(lines)
    result = check(text)
    found = {
        tuple(sorted((name, int(value)) for name, value in outcome.state.items() if not name.endswith(":i")))
        for outcome in result.outcomes
    }
    assert found == outcomes(programs), text
    again = xgen.check(xgen.parse(print_program(xgen.parse(text))), xgen.model("sc"), all_states=True)
    assert (again.executions, again.blocked) == (result.executions, result.blocked)


# ---- against automata written by hand --------------------------------------------------------------------------------

PAIRS = {
    "if": (
        "process p { var a : int a <- x; if a = 1 { 1 -> y; } else { 2 -> y; } 3 -> z; }",
        """process p { var a : int init loc A loc B loc C final loc D
        A -> B { a <- x } B -> C { assume a = 1; 1 -> y } B -> C { assume not a = 1; 2 -> y } C -> D { 3 -> z } }""",
    ),
    "await": (
        "process p { var a : int do { a <- x; } while a = 0; 1 -> y; }",
        """process p { var a : int init loc A loc B final loc D
        A -> B { a <- x } B -> A { assume a = 0 } B -> D { assume not a = 0; 1 -> y } }""",
    ),
    "while": (
        "process p { var a : int while a < 2 { 1 -> y; a := a + 1; } 1 -> z; }",
        """process p { var a : int init loc A final loc D
        A -> A { assume a < 2; 1 -> y; a := a + 1 } A -> D { assume not a < 2; 1 -> z } }""",
    ),
    "choose": (
        "process p { var a : int choose { assume a = 1; 1 -> y; } or { 2 -> y; } or { skip; } 3 -> z; }",
        """process p { var a : int init loc A loc B final loc D
        A -> B { assume a = 1; 1 -> y } A -> B { 2 -> y } A -> B { skip } B -> D { 3 -> z } }""",
    ),
    "else": (
        "process p { var a : int a <- x; if a = 0 { 1 -> y; } else if a = 1 { 2 -> y; } else { 3 -> y; } }",
        """process p { var a : int init loc A loc B final loc D A -> B { a <- x } B -> D { assume a = 0; 1 -> y }
        B -> D { assume a = 1; 2 -> y } B -> D { else; 3 -> y } }""",
    ),
    "atomic": (
        "process p { var a : int atomic { a <- x; a + 1 -> x; } }",
        "process p { var a : int init loc A final loc D A -> D { atomic-begin a <- x; a + 1 -> x; atomic-end } }",
    ),
}
OTHERS = """var x : int var y : int var z : int
process q { init loc L final loc K L -> K { 1 -> x } }
process r { var b : int var c : int init loc L final loc K L -> K { b <- z; c <- y } }
"""


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("model", ["sc", "tso", "arm8", "rc11"])
def test_steps_are_the_automata_that_one_would_write(name: str, model: str) -> None:
    steps, automaton = PAIRS[name]
    one, other = check(OTHERS + steps, model), check(OTHERS + automaton, model)
    assert counts(one) == counts(other)
    assert {str(o.state) for o in one.outcomes} == {str(o.state) for o in other.outcomes}


TICKET = """const N = 3
var next : int var serving : int var data : int
process worker[N] {
  var ticket : int
  var now : int
  var v : int
  ticket <- fetch_add(next, 1);
  do { now <- serving; } while now /= ticket;
  v <- data;
  assert v = ticket;
  v + 1 -> data;
  now + 1 -> serving;
}
"""
LOCKED = """var instance : int var obj : int var m : synthetic
int procedure get() {
  var p : int
  p <- instance;
  if p = 0 {
    lock(m);
    p <- instance;
    if p = 0 { 42 -> obj; p := &obj; p -> instance; }
    unlock(m);
  }
  return p;
}
process user[2] {
  var r : int
  var v : int
  r := call get();
  v <- *r;
  assert v = 42;
}
"""


@pytest.mark.parametrize(
    ("text", "model", "options", "found"),
    [
        (TICKET, "sc", {"defines": ("N=2",)}, (2, 0, 2)),
        (TICKET, "pso", {"defines": ("N=2",)}, (4, 0, 4)),
        (TICKET, "sc", {}, (6, 0, 6)),
        (LOCKED, "sc", {}, (4, 1, 1)),
        (LOCKED, "tso", {}, (4, 1, 1)),
        (LOCKED, "pso", {}, (6, 1, 3)),
    ],
)
def test_locks(text: str, model: str, options: dict[str, Any], found: tuple[int, int, int]) -> None:
    assert counts(check(text, model, **options)) == found


# ---- processes, procedures, constants --------------------------------------------------------------------------------


def test_processes_of_one_kind_have_numbers() -> None:
    text = "const N = 2 var a : int[N] process w[N + 1](me) { var v : int if me < N { me * 10 -> a[me]; } v := me; }"
    (outcome,) = check(text).outcomes
    assert outcome.state == {"w[0]:v": 0, "w[1]:v": 1, "w[2]:v": 2}
    assert [process.name for process in xgen.parse(text, defines=("N=4",)).processes][-1] == "w[4]"


def test_processes_that_are_started() -> None:
    text = """var x : int process w[2](me) { me + 1 -> x; }
    process boss { var a : int start w[1]; join w[2 - 1]; a <- x; }"""
    result = check(text)
    assert {outcome.state["boss:a"] for outcome in result.outcomes} == {1, 2}


def test_like_processes_are_symmetric() -> None:
    text = "var x : int process w[3] { var a : int a <- fetch_add(x, 1); }"
    whole = xgen.check(xgen.parse(text), xgen.model("sc"), all_states=True)
    one = xgen.check(xgen.parse(text), xgen.model("sc"), all_states=True, classes="rf")
    assert (whole.executions, one.explored < whole.explored) == (6, True)


def test_shared_procedures_are_those_of_each_process() -> None:
    text = """var x : int
    int procedure twice(i : int) { var r : int r := call once(i); r := call once(r); return r; }
    int procedure once(i : int) { return i + 1; }
    process p { var a : int a := call twice(1); a -> x; }
    process q { var b : int init loc L final loc K L -> K { b := call once(5) } }
    process r {
      int procedure own() { return 7; }
      main procedure m() { var c : int c := call own(); c := call once(c); }
    }
    """
    (outcome,) = check(text).outcomes
    assert outcome.state == {"p:a": 3, "q:b": 6, "r:c": 8, "x": 3}


def test_fields_of_structs_lie_side_by_side() -> None:
    text = """struct N { val : int next : int }
    var before : int var node : N[2] (1, 2, 3, 4) var one : N
    process p { var q : int var r : int var s : int var t : int
      q := &node[1].val; r <- *(q + 16); q := &node[0].next; s <- *(q + 16); t := &one.next - &node[0].val;
      9 -> node[1].next; }"""
    (outcome,) = check(text).outcomes
    assert {name: outcome.state[f"p:{name}"] for name in "rst"} == {"r": 4, "s": 3, "t": 80}
    assert {name for name in outcome.state if ":" not in name} == {"before", "one.val", "one.next"}


def test_events_of_structs_are_named_as_they_are_written() -> None:
    text = "struct N { val : int } var node : N[2] process p { var a : int a <- node[1].val; assert a = 1; }"
    witness = xgen.check(xgen.parse(text), xgen.model("sc")).witness
    assert witness is not None
    assert [event.variable for event in witness.events if event.thread == 0] == ["node[1].val"]


# ---- local arrays ----------------------------------------------------------------------------------------------------

MESSAGE = """var x : int var y : int var m : int[2]
process writer { 1 -> m[0]; fence[dmb.sy]; 1 -> y; }
process reader { var i : int var v : int var r : int var a : int[2] i <- y; %s r <- m[v]; }
"""


@pytest.mark.parametrize(
    ("between", "stale"),
    [
        ("v := i - i;", False),  # an address dependency
        ("v := a[i];", False),  # what is read depends on the index
        ("a[i] := 0; v := a[0];", True),  # a cell that is not written does not
        ("a[i] := 0; v := a[1];", False),  # one that is written does
        ("a[0] := i - i; v := a[0];", False),
        ("a[0] := i - i; v := a[1];", True),
        ("a[1] := i; v := a[1] - a[1];", False),
        ("if a[i] = 1 { skip; } v := 0;", True),  # by control alone, reads are not ordered
    ],
)
def test_what_cells_of_local_arrays_depend_on(between: str, stale: bool) -> None:
    result = check(MESSAGE % between, "arm8")
    found = {(outcome.state["reader:i"], outcome.state["reader:r"]) for outcome in result.outcomes}
    assert ((1, 0) in found) == stale


BUFFERED = """var x : int var y : int
process p { var i : int var v : int var a : int[2] i <- x; %s 1 -> y; }
process q { var j : int j <- y; j -> x; }
"""


@pytest.mark.parametrize(
    ("between", "seen"),
    [("", True), ("a[i] := 1;", True), ("v := a[i];", True), ("if a[i] = 1 { skip; }", False)],
)
@pytest.mark.parametrize("model", ["arm8", "power", "riscv"])
def test_stores_that_do_not_depend_on_a_cell_are_seen_early(between: str, seen: bool, model: str) -> None:
    result = check(BUFFERED % between, model)
    assert any(outcome.state["p:i"] == 1 for outcome in result.outcomes) == seen


@pytest.mark.parametrize("index", [-1, 2])
def test_a_computed_index_out_of_range(index: int) -> None:
    for access in ("a[i] := 1;", "i := a[i];"):
        result = check(f"process p {{ var a : int[2] var i : int i := {index}; {access} }}")
        assert result.witness is not None
        assert [violation.kind for violation in result.witness.violations] == ["out-of-range"]


# ---- bounds ----------------------------------------------------------------------------------------------------------


RAISED = "note: a bound of {} on the rounds of loops lets no execution complete; this is the answer with a bound of {}"


@pytest.mark.parametrize(("rounds", "raised"), [(1, 4), (3, 6), (4, None)])
def test_a_bound_on_rounds(rounds: int, raised: int | None) -> None:
    """One that lets nothing through is raised until something comes through, which is said."""
    for body in ("var i : int while i < 3 { 1 -> x; i := i + 1; }", "for i in 1 .. 3 { 1 -> x; }"):
        result = check(f"var x : int process p {{ {body} }}", unroll=rounds)
        assert (result.verdict, result.executions, result.bounded) == ("safe", 1, 0)
        assert result.warnings == (() if raised is None else (RAISED.format(rounds, raised),))


def test_a_bound_on_rounds_stays_where_something_comes_through() -> None:
    """And where no larger one helps, in the time that the first one took, or a little more."""
    text = "var x : int process p { var a : int a <- x; while a > 0 { a := a - 1; } } process q { 5 -> x; }"
    result = check(text, unroll=3)
    assert (result.verdict, result.executions, result.bounded, len(result.warnings)) == ("safe-within-bound", 1, 1, 1)
    result = check("var x : int process p { while true { 1 -> x; } }", unroll=3)
    assert (result.verdict, result.executions, result.bounded, result.explored) == ("vacuous", 0, 1, 4)
    assert check("var x : int process p { for i in 1 .. 70 { 1 -> x; } }", unroll=3).verdict == "safe"
    assert check("var x : int process p { for i in 1 .. 99 { 1 -> x; } }", unroll=3).verdict == "vacuous"
    wrong = check("var x : int process p { for i in 1 .. 9 { 1 -> x; } assert false; }", unroll=3)
    assert (wrong.verdict, wrong.warnings[0]) == ("violation", RAISED.format(3, 12))


def test_rounds_of_inner_loops_are_counted_anew() -> None:
    text = "var x : int process p { for i in 1 .. 3 { for j in 1 .. 2 { fetch_add(x, 1); } } }"
    (outcome,) = check(text, unroll=4).outcomes
    assert outcome.state["x"] == 6
    assert check(text, unroll=2).warnings == (RAISED.format(2, 4),)


# ---- errors ----------------------------------------------------------------------------------------------------------

NEEDED = "`x` is a shared variable, a local one is needed here"
WRONG = [
    ("const N = 0 process p[N] { skip; }", "there is no process `p`", "there has to be at least one", 1, 23),
    ("process p[M] { skip; }", "`M` is no constant", "only numbers and constants have a value here", 1, 11),
    ("const Nodes = 2 process p[Node] { skip; }", "`Node` is no constant", "did you mean `Nodes`?", 1, 27),
    ("const N = 1 const N = 2", "there is already a constant `N`", None, 1, 19),
    ("const N = 1 / 0", "this is no value of a constant", "+ - * / mod, comparisons, and, or, not, if", 1, 11),
    ("const N = 1 var N : int", "there is already a constant `N`", None, 1, 17),
    ("const N = 1 process p { N := 2; }", "`N` is a constant", "a local variable is needed here", 1, 25),
    ("process p[2](me) { me := 2; }", "`me` is the number of the process", "it stays as it is", 1, 20),
    ("struct A { } process p { skip; }", "a struct has at least one field", None, 1, 8),
    ("struct A { x : int[2] }", "a field is an int or a bool", "declare arrays and mutexes by themselves", 1, 16),
    ("struct Node { x : int } var n : Nod", "there is no type `Nod`", "did you mean `Node`?", 1, 33),
    (
        "struct A { x : int } process p { var a : A skip; }",
        "`A` is a struct: only shared variables are of such a type",
        None,
        1,
        42,
    ),
    (
        "struct A { x : int } var a : A process p { 1 -> a.y; }",
        "there is no shared variable `a.y`",
        "did you mean `a.x`?",
        1,
        49,
    ),
    ("var x : int process p { while x = 1 { skip; } }", NEEDED, None, 1, 31),
    ("var x : int process p { var a : int a := x[0]; }", NEEDED, None, 1, 42),
    ("process p { var a : int a[0] := 1; }", "`a` is of type int: it takes no index", None, 1, 25),
    ("process p { var a : int[2] a[2] := 1; }", "`a` is of type int[2]: it has no cell 2", None, 1, 28),
    ("process p { var a : int[2] a[0][1] := 1; }", "`a` is of type int[2]: it takes 1 index, not 2", None, 1, 28),
    ("process p { break; }", "`break` is for loops", None, 1, 13),
    ("process p { while true { break; skip; } }", "nothing leads here", None, 1, 33),
    ("process p { return; skip; }", "nothing leads here", None, 1, 21),
    ("process p { while true { atomic { break; } } }", "this leaves an atomic block", None, 1, 35),
    ("process p { atomic { atomic { skip; } } }", "there is an atomic block already", None, 1, 22),
    ("process p { atomic { return; } }", "this leaves an atomic block", None, 1, 22),
    ("process p { while true { skip; }", "the text ends too early", None, 1, 33),
    ("process p { if true skip; }", "`skip` is out of place", "expected `then` or `{`", 1, 21),
    ("process p { skip; 1 -> x }", "`}` is out of place", None, 1, 26),
    ("process p { 1 -> x }", "`1` is out of place", None, 1, 13),
    ("process while { }", "`while` cannot be a name", "this word is reserved; choose another", 1, 9),
    ("process w[2] { skip; } process q { start w; }", "there are several processes `w`", "say which: `w[0]`", 1, 42),
    ("process w[2] { skip; } process q { start w[2]; }", "there is no process `w[2]`", "its numbers are 0 to 1", 1, 42),
    (
        "process w[2] { skip; } process w[1] { skip; }",
        "there is already a process `w[0]`, declared in line 1",
        None,
        1,
        32,
    ),
    ("procedure f() { } procedure f() { }", "there is already a procedure `f`, declared in line 1", None, 1, 29),
    (
        "main procedure f() { skip; } process p { call f(); }",
        "a shared procedure is not that of a process",
        None,
        1,
        16,
    ),
    ("process p { call f(); }", "there is no procedure `f`", None, 1, 18),
    (
        "process p { init loc L final loc K L -> K { skip } L -> K { else } }",
        "this edge can always be taken: `else` beside it never is",
        "start it with `assume`",
        1,
        36,
    ),
    (
        "process p { init loc L final loc K L -> K { else } }",
        "an `else` edge is beside others of its location",
        None,
        1,
        36,
    ),
    (
        "process p { var a : int[2] var i : int init loc L final loc K L -> K { assume a[i] = 0 } }",
        "an `assume` cannot pick a cell of a local array",
        "read the cell before: `v := a[i]`",
        1,
        72,
    ),
]


@pytest.mark.parametrize("row", WRONG, ids=lambda row: row[0][:40])
def test_errors(row: tuple[str, str, str | None, int, int]) -> None:
    text, message, hint, line, column = row
    with pytest.raises(ProgramError) as info:
        xgen.parse(text)
    error = info.value
    assert (error.message, error.line, error.column) == (message, line, column)
    assert hint is None or error.hint == hint


@pytest.mark.parametrize(
    ("define", "message"),
    [
        ("M=1", "there is no constant `M`"),
        ("N=true", "`N` is an int, not true"),
        ("N", "`N` says no value of a constant"),
        ("N=x", "`N=x` says no value of a constant"),
    ],
)
def test_wrong_values_of_constants(define: str, message: str) -> None:
    with pytest.raises((ProgramError, UsageError)) as info:
        xgen.parse("const N = 2 process p[N] { skip; }", defines=(define,))
    assert info.value.message == message
