"""Lowering: the code, its sites, and that it computes what the language says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from program.interleavings import HIGHEST, LOWEST, Failed, explore
from program.strategies import typed

from xgen import program
from xgen._core import Op
from xgen.errors import Source
from xgen.lowering.code import Code, EventClass
from xgen.lowering.dump import dump_code
from xgen.lowering.threads import lower
from xgen.program import automaton as xcfa


def code(text: str) -> Code:
    return lower(program.parse(Source("test.xcfa", text)))


def ops(lowered: Code) -> list[str]:
    return [instruction.op.name for instruction in lowered.instructions]


# ---- expressions: against an evaluator of the automaton's expressions ------------------------------------------------


def evaluate(expression: xcfa.Expression, values: dict[str, int]) -> int:
    """The value of an expression, by the definitions in docs/xcfa.md."""
    match expression:
        case xcfa.IntLiteral(value) | xcfa.BoolLiteral(value):
            return int(value)
        case xcfa.Name(name):
            return values[name]
        case xcfa.Unary("not", operand):
            return 1 - evaluate(operand, values)
        case xcfa.Unary("bitnot", operand):
            return -evaluate(operand, values) - 1
        case xcfa.Wrap(operand, bits, signed):
            return low_bits(in_ring(operand, values), bits, signed or bits == 64)
        case xcfa.Unary(_, operand):
            return fit(-evaluate(operand, values))
        case xcfa.Conditional(condition, positive, negative):
            return evaluate(positive if evaluate(condition, values) else negative, values)
        case xcfa.Binary(op, left, right):
            a = evaluate(left, values)
            if op in ("and", "or", "imply"):
                decided = {"and": not a, "or": bool(a), "imply": not a}[op]
                return int(op != "and") if decided else evaluate(right, values)
            return fit(compute(op, a, evaluate(right, values)))


def in_ring(expression: xcfa.Expression, values: dict[str, int]) -> int:
    """The value of what is inside a Wrap: sums, differences and products of it are not too large there."""
    match expression:
        case xcfa.Unary("-", operand):
            return -in_ring(operand, values)
        case xcfa.Binary("+" | "-" | "*" as op, left, right):
            a, b = in_ring(left, values), in_ring(right, values)
            return {"+": a + b, "-": a - b, "*": a * b}[op]
        case _:
            return evaluate(expression, values)


def low_bits(value: int, bits: int, signed: bool) -> int:
    value %= 2**bits
    return value - 2**bits if signed and value >= 2 ** (bits - 1) else value


def compute(op: str, a: int, b: int) -> int:
    if op in ("/", "mod", "rem") and b == 0:
        raise Failed("division")
    if op in ("shl", "shr") and not 0 <= b <= 63:
        raise Failed("overflow")
    table = {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "/": lambda: (a - a % abs(b)) // b,
        "mod": lambda: a % abs(b),
        "rem": lambda: a % abs(b) if b > 0 else -(a % abs(b)),
        "bitand": lambda: a & b,
        "bitor": lambda: a | b,
        "bitxor": lambda: a ^ b,
        "shl": lambda: low_bits(a * 2**b, 64, True),
        "shr": lambda: low_bits(a % 2**64 // 2**b, 64, True),
        "iff": lambda: int(a == b),
        "=": lambda: int(a == b),
        "/=": lambda: int(a != b),
        "<": lambda: int(a < b),
        "<=": lambda: int(a <= b),
        ">": lambda: int(a > b),
        ">=": lambda: int(a >= b),
    }
    return table[op]()


def fit(value: int) -> int:
    if not LOWEST <= value <= HIGHEST:
        raise Failed("overflow")
    return value


VALUES = {"i": 7, "j": -3, "c": 1, "d": 0}
ints, bools = typed(["i", "j"], ["c", "d"])


def run(target: str, expression: xcfa.Expression) -> Any:
    """What an assignment leads to: the target's value or an error."""
    variables = tuple(
        xcfa.Variable(name, xcfa.INT, (xcfa.IntLiteral(value),))
        if name in "ij"
        else xcfa.Variable(name, xcfa.BOOL, (xcfa.BoolLiteral(bool(value)),))
        for name, value in VALUES.items()
    )
    locations = (xcfa.Location("L", "init"), xcfa.Location("K", "final"))
    edge = xcfa.Edge(xcfa.Name("L"), xcfa.Name("K"), (xcfa.Assign(xcfa.Name(target), expression),))
    process = xcfa.Process("p", False, variables, (), locations, (edge,))
    result = explore(lower(xcfa.Program(Source("", ""), (), (process,))))
    if result.errors:
        return result.errors
    (final,) = result.finals
    return dict(final)


def check(target: str, expression: xcfa.Expression) -> None:
    try:
        values = VALUES | {target: evaluate(expression, VALUES)}
        expected: Any = {f"p:{name}": value for name, value in values.items()}
    except Failed as error:
        expected = {("p", str(error))}
    assert run(target, expression) == expected


@given(ints)
def test_int_expressions(expression: xcfa.Expression) -> None:
    check("i", expression)


@given(bools)
def test_bool_expressions(expression: xcfa.Expression) -> None:
    check("c", expression)


@pytest.mark.parametrize(
    ("a", "b", "quotient", "mod", "rem"),
    [(5, 3, 1, 2, 2), (5, -3, -1, 2, -2), (-5, 3, -2, 1, 1), (-5, -3, 2, 1, -1), (6, -3, -2, 0, 0)],
)
def test_division(a: int, b: int, quotient: int, mod: int, rem: int) -> None:
    """Euclidean, as in SMT-LIB; `rem` has the sign of the divisor, as Z3 has it."""
    for op, expected in (("/", quotient), ("mod", mod), ("rem", rem)):
        text = f"process p {{ init loc L L -> L {{ assert {a} {op} {b} = {expected}; return }} }}"
        assert explore(code(text)).verdict == "safe"


# ---- shape ----------------------------------------------------------------------------------------------------------


def statement(text: str) -> Code:
    shared, locals_ = "var x : int var m : synthetic", "var i : int var c : bool"
    return code(f"{shared} process p {{ {locals_} init loc L final loc K L -> K {{ {text} }} }}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("skip", []),
        ("i := 1", ["MOV"]),
        ("i := i + 1", ["ADD"]),
        ("i := i + 1 - i", ["ADD", "SUB"]),
        ("c := c and not c", ["NOT", "MUL"]),
        ("c := c or c", ["ADD", "NE"]),
        ("c := c imply c", ["LE"]),
        ("c := c and 1 / i = 1", ["MOV", "JZ", "DIV", "EQ", "MUL", "MOV"]),
        ("i <- x", ["LOAD"]),
        ("i -> x", ["STORE"]),
        ("i + 1 -> x", ["ADD", "STORE"]),
        ("fence", ["FENCE"]),
        ("assume c", ["ASSUME"]),
        ("assert not c", ["NOT", "ASSERT"]),
        ("havoc c", ["HAVOC"]),
        ("havoc i in 0 .. i + 1", ["ADD", "HAVOC"]),
    ],
)
def test_statements(text: str, expected: list[str]) -> None:
    """Operators that cannot fail are computed without jumps: nothing depends on them by control."""
    assert ops(statement(text)) == [*expected, "END"]


def test_return_ends_the_process() -> None:
    assert ops(statement("return; i := 1")) == ["END"]
    assert ops(statement("return 1 / i")) == ["DIV", "END"]


def test_locations() -> None:
    lowered = code(
        """process p {
          var c : bool
          init loc A loc B error loc E final loc F loc G loc Unreachable
          A -> B { havoc c }
          B -> E { assume c }
          B -> F { assume not c }
          B -> G
          E -> A
          F -> A
          Unreachable -> A
        }"""
    )
    assert ops(lowered) == [
        "HAVOC",
        "CHOOSE",
        "ASSUME",
        "GOTO",
        "NOT",
        "ASSUME",
        "GOTO",
        "GOTO",
        "STUCK",
        "END",
        "FAIL",
    ]
    assert lowered.targets == ((2, 4, 7),)
    gotos = [
        lowered.instructions[instruction.c].op for instruction in lowered.instructions if instruction.op is Op.GOTO
    ]
    assert gotos == [Op.FAIL, Op.END, Op.STUCK]
    sites = {lowered.instructions[i].op.name: lowered.sites[i] for i in range(len(lowered.sites))}
    assert (sites["FAIL"].text, sites["FAIL"].location, sites["FAIL"].position.line) == ("error loc E", "E", 3)
    assert (sites["HAVOC"].text, sites["HAVOC"].location, sites["HAVOC"].position.line) == ("havoc c", None, 4)


def test_loops_end_in_a_goto() -> None:
    lowered = code("process p { init loc A loc B A -> B { skip } B -> A { skip } }")
    assert ops(lowered) == ["GOTO"]
    assert lowered.instructions[0].c == 0


def test_falling_off_the_end() -> None:
    """A location without edges ends the process, unless the procedure has final locations."""
    assert ops(code("process p { init loc L }")) == ["END"]
    assert ops(code("process p { init loc L final loc K }")) == ["STUCK"]


def test_variables_and_constants() -> None:
    lowered = code(
        """var x : int (5) var b : bool (true) var m : synthetic
        process p { var outer : bool (true) main procedure f() { var i : int (-2) init loc L L -> L { i + 7 -> x } } }
        process q { var j : int init loc L L -> L { 7 -> x; j <- x } }"""
    )
    assert [(cell.name, cell.type) for cell in lowered.cells] == [("x", "int"), ("b", "bool"), ("m", "mutex")]
    assert (lowered.initial, lowered.scalars) == ((5, 1, 0), (0, 1))
    p, q = lowered.threads
    assert [(local.name, local.type) for local in p.locals] == [("outer", "bool"), ("i", "int")]
    assert (p.initial, p.shown, p.temporaries) == ((1, -2), (1,), 1)
    assert (q.initial, q.shown, q.temporaries) == ((0,), (0,), 0)
    assert lowered.constants == (7, 0)
    store = lowered.instructions[q.entry]
    assert (store.op, store.a, store.b) == (Op.STORE, ~1, ~0)


def test_event_classes() -> None:
    lowered = statement(
        "i <- x; i <- x @ acquire; i -> x atomic @ release; fence; fence mfence; fence @ acq_rel; i <- x"
    )
    assert list(lowered.classes) == [
        EventClass("W", frozenset({"init"})),
        EventClass("F"),
        EventClass("F", frozenset({"acq_rel"})),
        EventClass("F", frozenset({"mfence"})),
        EventClass("R"),
        EventClass("R", frozenset({"acquire"})),
        EventClass("W", frozenset({"atomic", "release"})),
    ]
    assert [instruction.c for instruction in lowered.instructions] == [4, 5, 6, 1, 3, 2, 4, 0]


def test_event_classes_do_not_depend_on_the_order_of_statements() -> None:
    """Programs with the same classes have the same plan of a model."""
    one = statement("i <- x @ acquire; i <- cas(x, 0, 1) @ relaxed; fence; lock(m)")
    other = statement("lock(m); fence; i <- cas(x, 0, 1) @ relaxed; i <- x @ acquire")
    assert one.classes == other.classes
    (cas, lock), (lock_first, cas_last) = one.rmws, other.rmws
    for a, b in ((cas, cas_last), (lock, lock_first)):
        assert (a.read_class, a.failed_class, a.write_class) == (b.read_class, b.failed_class, b.write_class)
    names = ("read_class", "failed_class", "write_class")
    assert [(one.classes[getattr(cas, n)].kind, *sorted(one.classes[getattr(cas, n)].tags)) for n in names] == [
        ("R", "relaxed", "rmw"),
        ("R", "failed", "relaxed"),
        ("W", "relaxed", "rmw"),
    ]


def test_atomic_blocks_are_numbered() -> None:
    lowered = statement("atomic-begin 1 -> x atomic-end skip")
    assert [line.split("//")[0].split(maxsplit=1)[1].strip() for line in dump_code(lowered).splitlines()[-4:]] == [
        "r2 := new atomic block",
        "1 -> x",
        "r2 := 0",
        "end",
    ]
    assert lowered.threads[0].block == 2
    assert statement("1 -> x").threads[0].block == -1


def test_dump() -> None:
    lowered = code(
        """var x : int (1)
process p {
  var i : int
  init loc L
  error loc E
  L -> L {
    i <- x @ acquire
    i := (i + 1) * 2
  }
  L -> E {
    i -> x
    fence mfence
    havoc i in 0 .. 3
    assume i > 2
  }
}"""
    )
    assert dump_code(lowered) == (
        """cell 0 x : int = 1

thread p
  r0 i : int = 0
    0  choose 1 5                             // line 4: init loc L
    1  r0 <- x @ acquire                      // line 7: i <- x @ acquire
    2  t0 := r0 + 1                           // line 8: i := (i + 1) * 2
    3  r0 := t0 * 2
    4  goto 0                                 // line 6: L -> L
    5  r0 -> x                                // line 11: i -> x
    6  fence @ mfence                         // line 12: fence[mfence]
    7  havoc r0 in 0 .. 3                     // line 13: havoc i in 0 .. 3
    8  t0 := 2 < r0                           // line 14: assume i > 2
    9  assume t0
   10  goto 11                                // line 10: L -> E
   11  fail                                   // line 5: error loc E
"""
    )


# ---- control, by interleavings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "finals", "blocked", "errors"),
    [
        ("L -> K { havoc i in 1 .. 3 }", {1, 2, 3}, 0, 0),
        ("L -> K { havoc i in 3 .. 1 }", set(), 1, 0),
        ("L -> K { i := 1 } L -> K { i := 2 }", {1, 2}, 0, 0),
        ("L -> K { assume false } L -> K { i := 2 }", {2}, 0, 0),
        ("L -> K { i := 5; assume i = 4 } L -> K { assume i = 0 }", {0}, 0, 0),
        ("L -> K { assume false } L -> K { assume 1 = 2 }", set(), 1, 0),
        ("L -> K { havoc i in 0 .. 1; assume i = 1 } L -> K { i := 7 }", {1, 7}, 1, 0),
        ("L -> M L -> K loc M M -> K { assume false }", {0}, 1, 0),
        ("L -> L { assume i < 9; i := i + 1 } L -> K { assume i = 9 }", {9}, 0, 0),
        ("L -> K { assert i = 0; i := 1 }", {1}, 0, 0),
        ("L -> K { assert i = 1 }", set(), 0, 1),
        ("L -> K { i := 1 / i }", set(), 0, 1),
        ("L -> K { assume i /= 0 and 1 / i = 1 } L -> K { assume i = 0 or 1 / i = 1 }", {0}, 0, 0),
        ("L -> K { i := 9223372036854775807; i := i + 1 }", set(), 0, 1),
        ("L -> K { i := 9223372036854775807; i := i * 1 }", {9223372036854775807}, 0, 0),
        ("L -> K { i := -9223372036854775808; i := i / -1 }", set(), 0, 1),
        ("L -> K { i := -9223372036854775808; i := i mod -1 }", {0}, 0, 0),
        ("L -> E error loc E E -> K", set(), 0, 1),
    ],
)
def test_control(body: str, finals: set[int], blocked: int, errors: int) -> None:
    result = explore(code(f"process p {{ var i : int init loc L final loc K {body} }}"))
    assert {dict(final)["p:i"] for final in result.finals} == finals
    assert result.blocked == blocked
    assert len(result.errors) == errors
