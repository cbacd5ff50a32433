"""DVE texts that do not parse, make no sense, or ask for what is not supported: what is said, and where."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutexes import lamport

from xgen.analyses.ltl import check_formula
from xgen.errors import Source, UnsupportedError, XgenError
from xgen.frontends.dve import System, read_dve

HEAD = "byte x;\nprocess P { state a, b; init a; trans a -> b { "


def read(text: str) -> System:
    return read_dve(Source("p.dve", text))


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "hint"),
    [
        ("", 1, 1, "the text ends too early", "the text ends with `system async;`"),
        ("system async;", 1, 1, "there is no process", None),
        ("byte x;\nbyte x;\nsystem async;", 2, 6, "`x` is declared twice", None),
        ("byte x[0];\nsystem async;", 1, 6, "an array has between 1 and 10000 elements", None),
        ("byte x;\nbyte y[x];\nsystem async;", 2, 6, "`y`: this has to be known before the start", None),
        ("byte x;\nproces P { }\nsystem async;", 2, 1, "unexpected `proces`", "did you mean `process`?"),
        ("process P { state a; }\nsystem async;", 1, 9, "process `P` has no single initial state", "`init a;`"),
        ("process P { init a; }\nsystem async;", 1, 9, "process `P` has no state", "`state a, b;`"),
        ("process P { state a, a; init a; }\nsystem async;", 1, 22, "`a` is declared twice", None),
        (
            "process P { state wait; init wit; }\nsystem async;",
            1,
            30,
            "there is no state `wit`",
            "did you mean `wait`?",
        ),
        (f"{HEAD}guard y == 1; }}; }}\nsystem async;", 2, 54, "there is no variable `y`", None),
        (f"{HEAD}guard x[0] == 1; }}; }}\nsystem async;", 2, 54, "`x` is no array", None),
        (f"{HEAD}guard Q.a; }}; }}\nsystem async;", 2, 54, "there is no process `Q`", None),
        (f"{HEAD}guard P.c; }}; }}\nsystem async;", 2, 56, "process `P` has no `c`", None),
        (f"{HEAD}guard x = 1; }}; }}\nsystem async;", 2, 56, "unexpected `=`", None),
        (f"const byte N = 2;\n{HEAD}effect N = 1; }}; }}\nsystem async;", 3, 55, "`N` is constant", None),
        (
            "process P { state a; init a; trans -> a { }; }\nsystem async;",
            1,
            39,
            "this transition starts nowhere",
            None,
        ),
    ],
)
def test_errors(text: str, line: int, column: int, message: str, hint: str | None) -> None:
    with pytest.raises(XgenError) as caught:
        read(text)
    error = caught.value
    assert (error.message, error.line, error.column) == (message, line, column), str(error)
    assert (error.hint or "").startswith(hint or "")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("channel {byte} c;\nprocess P { state a; init a; }\nsystem async;", "channels with types"),
        ("channel c[2];\nprocess P { state a; init a; }\nsystem async;", "channels that hold values"),
        ("process P { state a; init a; accept a; }\nsystem async;", "property processes with accepting states"),
        ("process P { state a; init a; }\nsystem async property P;", "property processes"),
    ],
)
def test_what_is_not_supported(text: str, what: str) -> None:
    with pytest.raises(UnsupportedError, match=f"DVE: {what}"):
        read(text)


def verdict(text: str, formula: str) -> str:
    return check_formula(read(text), formula).verdict


def test_arithmetic() -> None:
    """Bytes wrap at 256, ints at 2^15; division goes towards zero; `&&` looks no further than it must."""
    text = """byte x = 255; int y = 32767; int z; byte a[2];
    process P { state s, t; init s;
      trans s -> t { guard true; effect x = x + 1, y = y + 1, z = -7 / 2, a[1] = (2 > 1 && a[0] == 0) * 3 % 2; }; }
    system async;"""
    assert verdict(text, "F G (x = 0 & y = -32768 & z = -3 & a[1] = 1)") == "holds"
    guarded = "byte k = 2; byte a[2]; process P { state s, t; init s; trans s -> t { guard %s; }; } system async;"
    assert verdict(guarded % "k < 2 && a[k] == 0", "G P@s") == "holds"
    assert verdict(guarded % "k == 2 || a[k] == 0", "F P@t") == "holds"
    result = check_formula(read(guarded % "a[k] == 0"), "G P@s")
    assert (result.verdict, result.reason) == ("error", "an index is out of range: P, s -> t { guard a[k] == 0; }")
    result = check_formula(read(guarded % "1 / a[0] == 0"), "G P@s")
    assert (result.verdict, result.reason) == ("error", "a division by zero: P, s -> t { guard 1 / a[0] == 0; }")


def test_committed_processes_go_first() -> None:
    text = """byte x;
    process P { state a, b, c; init a; commit b; trans a -> b { }, b -> c { effect x = 1; }; }
    process Q { state d, e; init d; trans d -> e { }; }
    system async;"""
    assert verdict(text, "G (P.b & Q.d -> (Q.d U x = 1))") == "holds"
    assert verdict(text.replace("commit b;", ""), "G (P.b & Q.d -> (Q.d U x = 1))") == "fails"


def test_assertions() -> None:
    text = "byte x; process P { state a, b; init a; assert b: x == 0; trans a -> b { effect x = 1; }; } system async;"
    result = check_formula(read(text), "G true")
    assert (result.verdict, result.reason) == ("error", "an assertion of P does not hold")
    assert [moment.places for moment in result.prefix] == [(0,), (1,)]


BASE = lamport(2)


@given(st.integers(0, len(BASE)), st.integers(0, 12), st.text("xyjb0129.=!<>()[]{}+-;, \n", max_size=3))
def test_damaged_texts(at: int, length: int, instead: str) -> None:
    with suppress(XgenError):
        check_formula(read(BASE[:at] + instead + BASE[at + length :]), "G true", limit=1000)


def test_more_values_than_elements() -> None:
    """The others are left out, as DiVinE does: BEEM's queue locks are written so."""
    system = read("byte x[2] = {1, 2, 3};\nprocess P { state a; init a; }\nsystem async;")
    assert system.variables[0].initial == (1, 2)
