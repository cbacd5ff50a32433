"""What the text of a kernel, or the command line, says of a launch."""

from __future__ import annotations

import pytest

from xgen.errors import Source, XgenError
from xgen.frontends.ptx.conditions import Cell, Required, cells_in, holds, number
from xgen.frontends.ptx.launch import Address, Buffer, Initial, Request, read_request

TEXT = """\
// One kernel sums all.
// xgen: --mcm ptx
// xgen: launch sum<<<2,2>>>(in[4]={1,2,3,4}, part[2], out[1])
  int x;  // xgen: final out == 10
// xgen[BROKEN]: final part[0] != 0
// xgen[WIDE]: launch ns::sum<int, 4><<<dim3(2,3), dim3(1, 2), 64>>>(&flag, -1, 0x10u, w[2]:8={-1,0xffffffffffffffff});
// xgen: init flag=1, cells[2] = -3
// xgen: accept race
"""


def asked(text: str, *macros: str, launch: str | None = None, final: str | None = None) -> Request:
    return read_request(Source("k.cu", text), launch=launch, final=final, macros=macros)


def test_what_a_text_says() -> None:
    request = asked(TEXT)
    launch = request.launch
    assert (launch.kernel, launch.grid, launch.block, launch.shared) == ("sum", (2, 1, 1), (2, 1, 1), 0)
    assert launch.arguments == (Buffer("in", 4, 4, (1, 2, 3, 4)), Buffer("part", 2), Buffer("out", 1))
    assert (launch.position.line, launch.position.column, launch.position.width) == (3, 17, 46)
    assert [(place.line, place.column, place.width) for place in launch.places] == [(3, 30, 15), (3, 47, 7), (3, 56, 6)]
    assert request.final is not None
    assert (request.final.text, request.final.position.line, request.final.position.column) == ("out == 10", 4, 26)
    assert request.init == (
        Initial("flag", None, 1, launch.position),
        Initial("cells", 2, -3, launch.position),
    )
    assert (request.warp, request.vectors) == (32, "whole")


def test_lines_of_macros_count_where_these_are_defined() -> None:
    request = asked(TEXT, "BROKEN", "WIDE")
    launch = request.launch
    assert (launch.kernel, launch.grid, launch.block) == ("ns::sum<int, 4>", (2, 3, 1), (1, 2, 1))
    assert launch.shared == 64
    assert launch.arguments == (Address("flag"), -1, 16, Buffer("w", 2, 8, (-1, (1 << 64) - 1)))
    assert request.final is not None
    assert request.final.text == "(out == 10) && (part[0] != 0)"
    assert [str(cell) for cell in cells_in(request.final.condition)] == ["out", "part[0]"]


def test_comments_of_several_lines() -> None:
    request = asked("/* xgen: launch k<<<1,1>>>()\n * xgen: init x=1\n * xgen: final x == 1 */\n")
    assert request.final is not None
    assert (request.launch.kernel, request.final.text, len(request.init)) == ("k", "x == 1", 1)
    assert (request.final.position.line, request.final.position.column) == (3, 16)


def test_options_count_instead_of_the_text() -> None:
    request = asked(TEXT, launch="k<<<1,1>>>()", final="x == 1")
    assert request.launch.kernel == "k"
    assert request.launch.position.source == Source("--launch", "k<<<1,1>>>()")
    assert request.final is not None
    assert request.final.text == "x == 1"
    assert asked("", launch="k<<<1,1>>>()").final is None


WRONG = [
    ("k<<<2>>>()", 1, 6, "unexpected `>>>()`, expected `,`"),
    ("k(1)", 1, 2, "unexpected `(1)`, expected `<<<`"),
    ("<<<1,1>>>()", 1, 1, "unexpected `<<<1,1>>>()`, expected the name of a kernel"),
    ("k<<<1,1>>>(", 1, 12, "the line ends, expected an argument: a number, a buffer NAME[CELLS], or &GLOBAL"),
    ("k<<<1,1>>>(1", 1, 13, "the line ends, expected `,`"),
    ("k<<<1,1>>>(1,)", 1, 14, "unexpected `)`, expected an argument: a number, a buffer NAME[CELLS], or &GLOBAL"),
    ("k<<<0,1>>>()", 1, 5, "the number of blocks is from 1 to 1024"),
    ("k<<<1,2048>>>()", 1, 7, "the number of threads of a block is from 1 to 1024"),
    ("k<<<64,64>>>()", 1, 1, "this launch has 4096 threads; at most 1024 are explored"),
    ("k<<<dim3(1,1,1,1),1>>>()", 1, 15, "unexpected `,1),1>>>()`, expected `)`"),
    ("k<<<N,1>>>()", 1, 5, "unexpected `N,1>>>()`, expected the number of blocks"),
    ("k<<<1,1>>>(x)", 1, 12, "`x` is no argument"),
    ("k<<<1,1>>>(1.5f)", 1, 12, "floating-point numbers are no arguments here"),
    ("k<<<1,1>>>(x[0])", 1, 14, "the number of cells of a buffer is from 1 to 65536"),
    ("k<<<1,1>>>(x[1]:3)", 1, 17, "a cell has 1, 2, 4 or 8 bytes"),
    ("k<<<1,1>>>(x[1]={1,2})", 1, 12, "`x` has 1 cells, and 2 values"),
    ("k<<<1,1>>>(x[1]:1={256})", 1, 20, "a cell of 1 bytes does not hold 256"),
    ("k<<<1,1>>>(x[1], x[2])", 1, 18, "there are two buffers `x`"),
    ("k<<<1,1>>>(0x10000000000000000)", 1, 12, "this number has more than 64 bits"),
    ("k<<<1,1>>>() final x == 1", 1, 14, "unexpected `final x == 1`, expected the end of the launch"),
    ("k<<<1,1>>>(08)", 1, 12, "unexpected `08)`, expected a number"),
]


@pytest.mark.parametrize(("launch", "line", "column", "message"), WRONG)
def test_a_launch_that_is_wrong(launch: str, line: int, column: int, message: str) -> None:
    with pytest.raises(XgenError) as caught:
        asked("", launch=launch)
    found = caught.value
    assert (found.file, found.line, found.column, found.message) == ("--launch", line, column, message)
    with pytest.raises(XgenError) as caught:
        asked(f"\n// xgen: launch {launch}\n")
    found = caught.value
    assert (found.file, found.line, found.column, found.message) == ("k.cu", 2, column + 16, message)


WRONG_CONDITIONS = [
    ("x = 1", 3, "unexpected `= 1`, expected an operator or the end"),
    ("x ==", 5, "the line ends, expected a number, or a buffer or a global variable"),
    ("x == 1 y", 8, "unexpected `y`, expected an operator or the end"),
    ("(x == 1", 8, "the line ends, expected `)`"),
    ("x[i] == 1", 3, "unexpected `i] == 1`, expected the number of a cell"),
    ("x / 2 == 1", 3, "unexpected `/ 2 == 1`, expected an operator or the end"),
    ("x << 2 == 1", 3, "unexpected `<< 2 == 1`, expected an operator or the end"),
    ("x == 0x1ffffffffffffffff", 6, "`0x1ffffffffffffffff` has more than 64 bits"),
    ("x == 1lul", 6, "`1lul` is no number of C"),
    ("", 1, "the line ends, expected a number, or a buffer or a global variable"),
]


@pytest.mark.parametrize(("condition", "column", "message"), WRONG_CONDITIONS)
def test_a_condition_that_is_wrong(condition: str, column: int, message: str) -> None:
    with pytest.raises(XgenError) as caught:
        asked("", launch="k<<<1,1>>>()", final=condition)
    found = caught.value
    assert (found.file, found.line, found.column, found.message) == ("--final", 1, column, message)


def test_lines_that_say_nothing_are_not_passed_over() -> None:
    with pytest.raises(XgenError, match="`lunch` says nothing here") as caught:
        asked("// xgen: lunch k<<<1,1>>>()\n")
    assert (caught.value.line, caught.value.column, caught.value.hint) == (1, 10, "did you mean `launch`?")
    with pytest.raises(XgenError, match="`finale` says nothing here"):
        asked("// xgen[NEVER]: finale x == 1\n", launch="k<<<1,1>>>()")
    with pytest.raises(XgenError, match="nothing says how the kernel is launched"):
        asked("__global__ void k() {}\n")
    with pytest.raises(XgenError, match="there are two launches"):
        asked("// xgen: launch k<<<1,1>>>()\n// xgen: launch k<<<2,1>>>()\n")
    with pytest.raises(XgenError, match="expected `=`"):
        asked("// xgen: init x\n", launch="k<<<1,1>>>()")


HOLD = [
    ("x == -1", True),
    ("x == 0xffffffff", True),
    ("x == 4294967295", False),  # which is a long, as in C
    ("x < 0", True),
    ("x < 0u", False),
    ("wide == 0xffffffff", False),
    ("wide == -1", True),
    ("byte == 200 || byte == -56", True),
    ("byte == 200", False),
    ("!x || x && 0", False),
    ("1 || 0 && 0", True),
    ("x & 3 == 3", True),  # x & (3 == 3), as in C
    ("2 & 3 == 3", False),
    ("(2 & 3) == 2", True),
    ("~x == 0", True),
    ("2 + 3 * 4 - 1 == 13", True),
    ("1 | 2 ^ 3 & 2", True),
    ("0x7fffffff + 1 < 0", True),
    ("017 == 15 && 0b101 == 5 && true && !false", True),
    ("cells[1] == 7", True),
]


@pytest.mark.parametrize(("condition", "expected"), HOLD)
def test_whether_conditions_hold_as_in_c(condition: str, expected: bool) -> None:
    request = asked("", launch="k<<<1,1>>>()", final=condition)
    assert request.final is not None
    sizes = {"x": 4, "wide": 8, "byte": 1, "cells[1]": 4}
    state = {"x": 0xFFFFFFFF, "wide": -1, "byte": 200, "cells[1]": 7}
    names = {cell: (str(cell), sizes[str(cell)]) for cell in cells_in(request.final.condition)}
    required = Required(request.final, names)
    assert required.met(state) == expected
    assert required.cells == frozenset(name for name in map(str, names) if "[" in name)
    assert not required.filters
    assert required.counts(state)


def test_cells_are_numbers_of_their_size() -> None:
    cell = Cell("x", None, asked("", launch="k<<<1,1>>>()", final="x").launch.position)
    request = asked("", launch="k<<<1,1>>>()", final="x > 2147483647")
    assert request.final is not None
    assert not holds(request.final.condition, lambda _: number(0xFFFFFFFF, 32, signed=True))
    assert str(cell) == "x"


PROPOSED = {
    "// __global__ void no(int *x) {}\n__global__ void sum(const int *in, int *__restrict__ out, int n) {\n}": (
        "sum<<<2,2>>>(in[4], out[4], 4)"
    ),
    "__global__ void __launch_bounds__(128) k(double *a,\n  unsigned long long *b, char c) {}": None,
    "template <int N>\nstatic __global__ void k(double *a,\n  unsigned long long *b, char c) {}": (
        "k<<<2,2>>>(a[4]:8, b[4]:8, 4)"
    ),
    "__global__ void k() {}": "k<<<2,2>>>()",
    "__global__ void k(node *list) {}": None,
    "__global__ void k(float x) {}": None,
}


@pytest.mark.parametrize("text", PROPOSED)
def test_a_launch_is_proposed_that_the_text_may_have(text: str) -> None:
    """Of the first kernel, if its parameters are buffers and whole numbers."""
    with pytest.raises(XgenError) as caught:
        asked(text)
    proposed = PROPOSED[text]
    assert caught.value.hint is not None
    if proposed is None:
        assert caught.value.hint.endswith("or --launch: a launch is written sum<<<2,2>>>(in[4]={1,2,3,4}, out[1])")
        return
    assert caught.value.hint.endswith(f", such as --launch '{proposed}'")
    assert asked(text, launch=proposed).launch.kernel == proposed.partition("<")[0]
