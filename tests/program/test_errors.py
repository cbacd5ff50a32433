"""Wrong programs: what is said of each, and where. The tables are the specification of the messages."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from xgen import program
from xgen.errors import ProgramError, Source

Row: TypeAlias = tuple[str, str, str | None, int | None, int | None]
"""Text, message, hint, line, column."""

RANGES = "a range is written `..`; there are no numbers but integers"
SEVERAL = "several tags are written `@ acquire @ tag`"
FRAME = """var x : int
var b : bool
var a : int[4]
var m : synthetic
process p {
  var i : int
  var j : int
  var c : bool
  init loc L
  loc K
  L -> K {
    %s
  }
}
"""
"""What statements are put into; they are in line 12, from column 5."""

WHOLE: list[Row] = [
    ("", "the program has no process", "the least one is `process p { init loc L }`", None, None),
    ("// nothing", "the program has no process", "the least one is `process p { init loc L }`", None, None),
    ("var x : int", "the program has no process", "the least one is `process p { init loc L }`", None, None),
    ("x", "`x` is out of place", "expected a declaration or the end of the text", 1, 1),
    ("process", "the text ends too early", "expected a name", 1, 8),
    ("process {", "`{` is out of place", "expected a name", 1, 9),
    ("process p", "the text ends too early", "expected `(`, `[` or `{`", 1, 10),
    (
        "process p {",
        "the text ends too early",
        "expected a procedure, a location, `var`, a name or `}`",
        1,
        12,
    ),
    ("process p { loc }", "`}` is out of place", "expected a name", 1, 17),
    ("process p( { }", "`{` is out of place", "expected `)` or a name", 1, 12),
    (
        "process p { init loc L } }",
        "`}` is out of place",
        "expected a declaration or the end of the text",
        1,
        26,
    ),
    ("process p { loc final }", "`final` cannot be a name", "this word is reserved; choose another", 1, 17),
    ("process p { init final loc L }", "`final` is out of place", "expected `loc`", 1, 18),
    ("var x int", "`int` is out of place", "expected `:`", 1, 7),
    ("var x : ", "the text ends too early", "expected a type", 1, 8),
    ("var x : float", "there is no type `float`", None, 1, 9),
    ("var x : int (y)", "`y` is no constant", "only numbers and constants have a value here", 1, 14),
    ("var x : int ()", "`)` is out of place", "expected an expression", 1, 14),
    ("var x : int[n]", "`n` is no constant", "only numbers and constants have a value here", 1, 13),
    ("var x : int[0]", "an array has at least one cell", None, 1, 13),
    ("var start : int", "`start` cannot be a name", "this word is reserved; choose another", 1, 5),
    (
        "var x : int (99999999999999999999)",
        "this number does not fit into 64 bits",
        "integers are from -9223372036854775808 to 9223372036854775807",
        1,
        14,
    ),
    (
        "var x : int (-9223372036854775809)",
        "this number does not fit into 64 bits",
        "integers are from -9223372036854775808 to 9223372036854775807",
        1,
        15,
    ),
    ("process p { L - > K }", "`-` is out of place", "expected `->`", 1, 15),
    (
        "process p { L -> K { skip }",
        "the text ends too early",
        "expected a procedure, a location, `var`, a name, `;` or `}`",
        1,
        28,
    ),
    (
        "process p { L -> K ( skip ) }",
        "`(` is out of place",
        "expected a procedure, a location, `var`, `{`, a name, `;` or `}`",
        1,
        20,
    ),
    ("process p { procedure f { } }", "`{` is out of place", "expected `(`", 1, 25),
    ("process p { procedure f(i) { } }", "`)` is out of place", "expected `:`", 1, 26),
    ("main x", "`x` is out of place", "expected `procedure` or `process`", 1, 6),
    ("/* open", "this comment does not end", "expected `*/`", 1, 1),
    ("var x : int\n/* open\n\n", "this comment does not end", "expected `*/`", 2, 1),
    ("var ä : int", "`ä` is not allowed outside comments", "names are made of A-Z, a-z, 0-9 and `_`", 1, 5),
    ("var 1x : int", "a number ends where a letter follows", "names start with a letter or `_`", 1, 5),
    ("var x : int \u200b", "character U+200B is not part of the language", None, 1, 13),
    ("var x = 3", "`=` is out of place", "expected `:`", 1, 7),
]
STATEMENTS: list[Row] = [
    (
        "i = 1",
        "`}` is out of place",
        "expected `->` after an expression to store it; an assignment is written `name := expression`",
        13,
        3,
    ),
    ("i == 1", "`=` is out of place", "equality is written `=`", 12, 8),
    ("i := 1 +", "`}` is out of place", "expected an expression", 13, 3),
    ("i := (1 + 2", "`}` is out of place", "expected `)`", 13, 3),
    ("i := 1 + 2)", "`)` is out of place", "expected a statement, `;` or `}`", 12, 15),
    (
        "i := 1 2",
        "`}` is out of place",
        "expected `->` after an expression to store it; an assignment is written `name := expression`",
        13,
        3,
    ),
    ("i := i = j = 1", "`=` is out of place", "expected a statement, `and`, `iff`, `imply`, `or`, `;` or `}`", 12, 16),
    (
        "c := i < j < 1",
        "`<` is out of place",
        "expected a statement, `/=`, `=`, `and`, `bitor`, `iff`, `imply`, `or`, `;` or `}`",
        12,
        16,
    ),
    ("c := i == j", "`=` is out of place", "equality is written `=`", 12, 13),
    ("c := i != j", "`!` is not part of the language", "inequality is written `/=`", 12, 12),
    ("c := c && c", "`&` is out of place", "conjunction is written `and`", 12, 13),
    ("c := c || c", "`|` is not part of the language", "disjunction is written `or`", 12, 12),
    ("c := !c", "`!` is not part of the language", "negation is written `not`", 12, 10),
    ("i := j % 2", "`%` is not part of the language", "the remainder is written `mod`", 12, 12),
    (
        "c := i<-1",
        "`<-` is out of place",
        "`<-` loads a shared variable; write a blank between `<` and `-` to compare",
        12,
        11,
    ),
    ("c := c and if c then c else c", "`if` is out of place", "put `if ... then ... else ...` in parentheses", 12, 16),
    ("i := if c then 1", "`}` is out of place", "expected `else`", 13, 3),
    ("i := loc", "`loc` cannot be a name", "this word is reserved; choose another", 12, 10),
    ("i := -", "`}` is out of place", "expected an expression", 13, 3),
    ("assume", "`}` is out of place", "expected an expression", 13, 3),
    ("assert }", "`}` is out of place", "expected an expression or `[`", 12, 12),
    ("havoc", "`}` is out of place", "expected a name", 13, 3),
    ("havoc i in 1", "`}` is out of place", "expected `..`", 13, 3),
    (
        "havoc i in 1 . 2",
        "`.` is not part of the language",
        "a range is written `..`; there are no numbers but integers",
        12,
        18,
    ),
    ("fence[", "`}` is out of place", "expected a name", 13, 3),
    ("fence @", "`}` is out of place", "expected a name", 13, 3),
    ("i <- ", "`}` is out of place", "expected a place, an update or `wrap`", 13, 3),
    ("i <- x @", "`}` is out of place", "expected a name", 13, 3),
    ("i <- x @ acquire, relaxed", "a load or a store has one order", SEVERAL, 12, 23),
    ("i <- x @ R[acquire]", "only updates have tags of their read and their write", None, 12, 14),
    ("fetch_add(x, 1) @ X[acquire]", "an update has the events R and W, not `X`", None, 12, 23),
    ("fence @ a-", "`}` is out of place", "expected an expression", 13, 3),
    ("i <- x @ a.", "`.` is not part of the language", RANGES, 12, 15),
    ("i <- x @ a . b", "`.` is not part of the language", RANGES, 12, 16),
    ("i <- store_exclusive(x)", "`)` is out of place", "expected `,`", 12, 27),
    ("store_exclusive(x, 1)", "`store_exclusive` is out of place", "expected a statement, `else` or `}`", 12, 5),
    ("i := *j", "`*` is out of place", "expected an expression or `call`", 12, 10),
    ("i := wrap(i)", "`)` is out of place", "expected `,`", 12, 16),
    ("i := j | 1", "`|` is not part of the language", "disjunction is written `or`, that of bits `bitor`", 12, 12),
    ("i := j << 1", "`<` is out of place", "shifting is written `shl` and `shr`", 12, 13),
    ("i <- x atomic atomic", "`atomic` is out of place", "expected a statement, `@`, `;` or `}`", 12, 19),
    ("1 ->", "`}` is out of place", "expected a place", 13, 3),
    ("1 -> 2", "`2` is out of place", "expected a place", 12, 10),
    ("i <- cas(x 1, 2)", "`1` is out of place", "expected `,`", 12, 16),
    ("i <- cas()", "`)` is out of place", "expected a place", 12, 14),
    ("i <- swap(x, 1)", "`,` is out of place", "expected `)`", 12, 16),
    ("lock m", "`m` is out of place", "`lock` takes its operands in parentheses", 12, 10),
    ("lock(m", "`}` is out of place", "expected `)`", 13, 3),
    ("call f", "`}` is out of place", "expected `(`", 13, 3),
    ("start", "`}` is out of place", "expected a name", 13, 3),
    ("goto K", "`K` is out of place", "expected an operator, `->`, `:=`, `<-` or `[`", 12, 10),
    ("i := 1;; j := 2 :", "`:` is out of place", "expected an operator, a statement, `;` or `}`", 12, 21),
    ("x := a -1 -> x", "`->` is out of place", "expected a statement, `;` or `}`", 12, 15),
    ("atomic-beginning", "`atomic` is out of place", "expected a statement, `else` or `}`", 12, 5),
    ("L -> K { }", "`{` is out of place", "expected a statement, `@`, `atomic`, `;` or `}`", 12, 12),
    ("$", "`$` is not part of the language", None, 12, 5),
    ("\\", "`\\` is not part of the language", None, 12, 5),
    ("i := 0x10", "a number ends where a letter follows", "names start with a letter or `_`", 12, 10),
    (
        "i := 1.5",
        "`.` is not part of the language",
        "a range is written `..`; there are no numbers but integers",
        12,
        11,
    ),
    ('"text"', '`"` is not part of the language', None, 12, 5),
    ("i++", "`+` is out of place", "write `i := i + 1`", 12, 7),
    ("i += 1", "`=` is out of place", "write `i := i + 1`", 12, 8),
    ("# comment", "`#` is not part of the language", "comments start with `//`", 12, 5),
    ("wait(m)", "`(` is out of place", "there is no operation `wait`", 12, 9),
]
NAMES: list[Row] = [
    ("k := 1", "there is no variable `k`", None, 12, 5),
    ("i := ii + 1", "there is no variable `ii`", "did you mean `i`?", 12, 10),
    ("i <- y", "there is no shared variable `y`", None, 12, 10),
    ("i <- i", "`i` is a local variable, a shared one is needed here", "`:=` assigns local variables", 12, 10),
    ("1 -> i", "`i` is a local variable, a shared one is needed here", "`:=` assigns local variables", 12, 10),
    (
        "x := 1",
        "`x` is a shared variable, a local one is needed here",
        "a store writes a shared variable: `expression -> shared`",
        12,
        5,
    ),
    (
        "i := x + 1",
        "`x` is a shared variable, a local one is needed here",
        "a load reads a shared variable: `local <- shared`",
        12,
        10,
    ),
    (
        "x <- x",
        "`x` is a shared variable, a local one is needed here",
        "a load or an update puts what it reads into a local variable",
        12,
        5,
    ),
    (
        "assume x = 1",
        "`x` is a shared variable, a local one is needed here",
        "a load reads a shared variable: `local <- shared`",
        12,
        12,
    ),
    (
        "havoc x in 0 .. 1",
        "`x` is a shared variable, a local one is needed here",
        "havoc a local variable, then store it: `local -> shared`",
        12,
        11,
    ),
    ("1 -> m", "`m` is a mutex: it is only locked and unlocked", None, 12, 10),
    ("i <- a", "`a` is of type int[4]: it takes one index, not 0", None, 12, 10),
    ("i <- a[0][1]", "`a` is of type int[4]: it takes one index, not 2", None, 12, 10),
    ("i <- x[0]", "`x` is of type int: it takes no index, not 1", None, 12, 10),
    ("i <- a[c]", "an index is of type int, this is of type bool", None, 12, 12),
    (
        "i <- a[x]",
        "`x` is a shared variable, a local one is needed here",
        "a load reads a shared variable: `local <- shared`",
        12,
        12,
    ),
    ("lock(x)", "`x` is not a mutex", "mutexes are of type `synthetic`", 12, 10),
    ("lock(i)", "`i` is not a mutex", "mutexes are of type `synthetic`", 12, 10),
    ("lock(n)", "there is no mutex `n`", None, 12, 10),
    ("start q", "there is no process `q`", None, 12, 11),
    ("call f()", "there is no procedure `f`", None, 12, 10),
    ("xx := call f()", "there is no procedure `f`", None, 12, 16),
]
TYPES: list[Row] = [
    ("i := c", "`i` is of type int, this is of type bool", None, 12, 10),
    ("c := i", "`c` is of type bool, this is of type int", None, 12, 10),
    ("i := c + 1", "`+` needs an int, this is of type bool", None, 12, 10),
    ("i := 1 + true", "`+` needs an int, this is of type bool", None, 12, 14),
    ("i := -c", "`-` needs an int, this is of type bool", None, 12, 11),
    ("c := not i", "`not` needs a bool, this is of type int", None, 12, 14),
    ("c := i and c", "`and` needs a bool, this is of type int", None, 12, 10),
    ("c := c = i", "both sides of `=` are of one type, here they are of types bool and int", None, 12, 14),
    ("c := c < c", "`<` needs an int, this is of type bool", None, 12, 10),
    ("c := i iff j", "`iff` needs a bool, this is of type int", None, 12, 10),
    ("i := if i then 1 else 2", "`if` needs a bool, this is of type int", None, 12, 13),
    (
        "i := if c then 1 else c",
        "both sides of `if` are of one type, here they are of types int and bool",
        None,
        12,
        27,
    ),
    ("assume i", "a condition is of type bool, this is of type int", None, 12, 12),
    ("assert 1 + 1", "a condition is of type bool, this is of type int", None, 12, 12),
    ("c <- x", "`c` is of type bool, `x` of type int", None, 12, 10),
    ("true -> x", "`x` is of type int, this is of type bool", None, 12, 5),
    ("1 -> b", "`b` is of type bool, this is of type int", None, 12, 5),
    ("havoc i", "`havoc` of an int needs a range", "its lowest and its highest value: `havoc n in 0..3`", 12, 5),
    ("havoc c in 0 .. 1", "`havoc` of a bool takes no range", None, 12, 16),
    ("havoc i in 0 .. c", "a bound is of type int, this is of type bool", None, 12, 21),
    ("havoc m", "`m` is a mutex: it is only locked and unlocked", None, 12, 11),
    ("c <- fetch_add(x, 1)", "`c` is of type bool, `x` of type int", None, 12, 20),
    ("i <- fetch_add(x, true)", "`x` is of type int, this is of type bool", None, 12, 23),
    ("i <- fetch_add(x, 1, 2)", "`fetch_add` takes a variable and one value, not 2", None, 12, 5),
    ("i <- cas(x, 1)", "`cas` takes a variable and 2 values, not 1", None, 12, 5),
    ("c <- fetch_add(b, true)", "`fetch_add` needs an int, `b` is a bool", None, 12, 20),
    (
        "i <- exchange(x, 1) @ acquire, relaxed",
        "`exchange` has one order; only `cas` and `add_unless` have a second",
        None,
        12,
        5,
    ),
    ("add_unless(b, true, false)", "`add_unless` needs an int, `b` is a bool", None, 12, 16),
    ("c <- *16", "`c` is of type bool, `*16` of type int", None, 12, 10),
    ("i <- *c", "an address is of type int, this is of type bool", None, 12, 11),
    ("true -> *i", "`*i` is of type int, this is of type bool", None, 12, 5),
    ("i := &b", "`&` needs an int, `b` is a bool", None, 12, 11),
    ("i := &m", "`m` is a mutex: it is only locked and unlocked", None, 12, 11),
    ("i := &j", "`j` is a local variable, only shared ones have addresses", None, 12, 11),
    ("i := &a", "`a` is of type int[4]: it takes one index, not 0", None, 12, 11),
    ("i := &a[c]", "`[]` needs an int, this is of type bool", None, 12, 13),
    ("i := &y", "there is no shared variable `y`", None, 12, 11),
    ("i := wrap(c, 8)", "`wrap` needs an int, this is of type bool", None, 12, 15),
    ("i := wrap(i, 0)", "`wrap` keeps 1 to 64 bits, not 0", None, 12, 10),
    ("i := wrap(i, -65)", "`wrap` keeps 1 to 64 bits, not 65", None, 12, 10),
    ("i := bitnot c", "`bitnot` needs an int, this is of type bool", None, 12, 17),
    ("c := c bitand c", "`bitand` needs an int, this is of type bool", None, 12, 10),
    (
        "c <- store_exclusive(x, 1)",
        "the status of a store exclusive is an int",
        "it gets 0 where the store succeeds, else 1",
        12,
        5,
    ),
    ("i <- store_exclusive(x, true)", "`x` is of type int, this is of type bool", None, 12, 29),
    ("i <- wrap(fetch_add(x, 1), 65)", "`wrap` keeps 1 to 64 bits, not 65", None, 12, 5),
    ("i <- wrap(fetch_add(x, 1), 0)", "`wrap` keeps 1 to 64 bits, not 0", None, 12, 5),
    ("c <- load_exclusive(x)", "`c` is of type bool, `x` of type int", None, 12, 25),
    ("exchange(i, 1)", "`i` is a local variable, a shared one is needed here", "`:=` assigns local variables", 12, 14),
]
DECLARATIONS: list[Row] = [
    (
        "var x : int\nvar x : bool\nprocess p { init loc L }",
        "there is already a variable `x`, declared in line 1",
        None,
        2,
        5,
    ),
    (
        "process p { init loc L }\nprocess p { init loc L }",
        "there is already a process `p`, declared in line 1",
        None,
        2,
        9,
    ),
    ("process p { init loc L loc L }", "there is already a location `L`, declared in line 1", None, 1, 28),
    ("process p { init loc L init loc K }", "process `p` has a second initial location", None, 1, 33),
    ("process p { loc L }", "process `p` has no initial location", "declare one with `init loc L`", 1, 9),
    ("process p { }", "process `p` has no initial location", "declare one with `init loc L`", 1, 9),
    ("process p { init loc L L -> K }", "there is no location `K`", None, 1, 29),
    ("process p { init loc Here Her -> Here }", "there is no location `Her`", "did you mean `Here`?", 1, 27),
    ("var x : bool (0)\nprocess p { init loc L }", "`x` is of type bool, this value is of type int", None, 1, 15),
    ("var x : int (true)\nprocess p { init loc L }", "`x` is of type int, this value is of type bool", None, 1, 14),
    ("var x : int (1, 2)\nprocess p { init loc L }", "`x` takes one initial value, not 2", None, 1, 17),
    ("var x : int[3] (1, 2)\nprocess p { init loc L }", "`x` takes 3 initial values, not 2", None, 1, 20),
    ("var m : synthetic (1)\nprocess p { init loc L }", "a mutex has no initial value", None, 1, 20),
    (
        "process p { var l : int[65] init loc L }",
        "a local array has at most 64 cells, `l` has 65",
        "declare it before the processes: shared arrays may be large",
        1,
        17,
    ),
    (
        "process p { var l : synthetic init loc L }",
        "only shared variables can be mutexes",
        "declare it before the processes",
        1,
        17,
    ),
    (
        "var x : int\nprocess p { var x : int init loc L }",
        "there is already a variable `x`, declared in line 1",
        None,
        2,
        17,
    ),
    (
        "process p { var v : int main procedure f() { var v : int init loc L } }",
        "there is already a variable `v`, declared in line 1",
        None,
        1,
        50,
    ),
    (
        "process p { procedure f() { init loc L } procedure g() { init loc L } }",
        "process `p` has no main procedure",
        "mark one with `main`",
        1,
        9,
    ),
    (
        "process p { main procedure f() { init loc L } main procedure g() { init loc L } }",
        "process `p` has a second main procedure",
        None,
        1,
        62,
    ),
    (
        "process p { main procedure f(i : int) { init loc L } }",
        "the main procedure of a process has no parameters",
        None,
        1,
        30,
    ),
    (
        "process p { main procedure f() { init loc L } init loc K }",
        "process `p` has both procedures and locations of its own",
        "a process has either procedures, or variables, locations and edges",
        1,
        56,
    ),
    (
        "process p { procedure f() { init loc L } procedure f() { init loc L } }",
        "there is already a procedure `f`, declared in line 1",
        None,
        1,
        52,
    ),
    (
        "process p { main procedure f() { loc L } }",
        "procedure `f` has no initial location",
        "declare one with `init loc L`",
        1,
        28,
    ),
    (
        "process p { main procedure f() { init loc L L -> L { call g(1) } } procedure g() { init loc L } }",
        "`g` takes no argument, not 1",
        None,
        1,
        59,
    ),
    (
        "process p { main procedure f() { init loc L L -> L { call g(1) } } procedure g(c : bool) { init loc L } }",
        "parameter `c` is of type bool, this is of type int",
        None,
        1,
        61,
    ),
    (
        "process p { procedure g() { var c : bool init loc L L->L { c := call f() } } int main procedure f() { } }",
        "`f` returns int, `c` is of type bool",
        None,
        1,
        60,
    ),
    (
        "process p { main procedure f() { init loc L } int procedure g() { init loc L L -> L { return } } }",
        "procedure `g` returns int",
        None,
        1,
        87,
    ),
    (
        "process p { main procedure f() { init loc L } int procedure g() { init loc L L -> L { return true } } }",
        "procedure `g` returns int, this is of type bool",
        None,
        1,
        94,
    ),
    (
        "process p { main procedure f() { init loc L L -> L { call h() } } procedure g() { init loc L } }",
        "there is no procedure `h`",
        None,
        1,
        59,
    ),
]


def wrong(text: str) -> ProgramError:
    with pytest.raises(ProgramError) as info:
        program.parse(Source("wrong.xcfa", text))
    return info.value


@pytest.mark.parametrize("row", WHOLE + DECLARATIONS, ids=lambda row: row[0][:40])
def test_programs(row: Row) -> None:
    error = wrong(row[0])
    assert (row[0], error.message, error.hint, error.line, error.column) == row


@pytest.mark.parametrize("row", STATEMENTS + NAMES + TYPES, ids=lambda row: row[0][:40])
def test_statements(row: Row) -> None:
    error = wrong(FRAME % row[0])
    assert (row[0], error.message, error.hint, error.line, error.column) == row


def test_report() -> None:
    """The whole report shows file, place and line, and underlines the place."""
    assert str(wrong(FRAME % "i := (i + j) and c")) == "\n".join(
        [
            "wrong.xcfa:12:10: error: `and` needs a bool, this is of type int",
            "   12 |     i := (i + j) and c",
            "      |          ^^^^^^^",
        ]
    )


def test_line_ends_do_not_matter() -> None:
    error = wrong((FRAME % "i := c").replace("\n", "\r\n"))
    assert (error.line, error.column) == (12, 10)
