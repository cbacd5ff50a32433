"""The preprocessor: directives, macros, and where tokens are from. Expected texts follow C11, 6.10, by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from xgen.errors import ProgramError, Source
from xgen.frontends.c.text.preprocess import HEADERS, Settings, _lines, preprocess
from xgen.frontends.c.text.tokens import Token, tokenise
from xgen.sources import read_source


def text(source: str, **settings: Any) -> str:
    return " ".join(token.text for token in preprocess(Source("t.c", source), Settings(**settings)))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("#define N 3\nint a[N];", "int a [ 3 ] ;"),
        ("#define F(x) ((x) + 1)\nF(F(2))", "( ( ( ( 2 ) + 1 ) ) + 1 )"),
        ("#define F(x) x\nF", "F"),
        ("#define F(x,y) x y\nF((1,2),3)", "( 1 , 2 ) 3"),
        ("#define F() 7\nF()", "7"),
        ("#define A B\n#define B A\nA", "A"),
        ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g"),
        ("#define N(x) x\n#define G(a) N(H)(a)\n#define H(a) N(a)\nG(42)", "42"),
        ("#define f(a) a + f\nf(1)(2)(3)", "1 + f ( 2 ) ( 3 )"),
        (
            "#define P(f, ...) p(f __VA_OPT__(,) __VA_ARGS__)\nP(1) P(1,) P(1,(2),3)",
            "p ( 1 ) p ( 1 ) p ( 1 , ( 2 ) , 3 )",
        ),
        ('#line 10\n__LINE__\n#line 5 "x.c"\n__LINE__', "10 5"),
        ('#define S(x) #x\nS(a + "b\\n")', '"a + \\"b\\\\n\\""'),
        ("#define C(a,b) a##b\nC(x,1) C(,y) C(x,)", "x1 y x"),
        ("#define N 2\n#define C(a,b) a##b\n#define D(a,b) C(a,b)\nC(x,N) D(x,N)", "xN x2"),
        ("#define P(...) p(__VA_ARGS__)\nP(1,2) P()", "p ( 1 , 2 ) p ( )"),
        ("#define P(f, ...) p(f, ## __VA_ARGS__)\nP(1) P(1,2)", "p ( 1 ) p ( 1 , 2 )"),
        ("#define P(f, a...) p(f, a)\nP(1,2,3)", "p ( 1 , 2 , 3 )"),
        ("#if 1 + 1 == 2 && defined(X)\na\n#else\nb\n#endif", "b"),
        ("#ifdef X\na\n#elif 0x10 == 16\nb\n#else\nc\n#endif", "b"),
        ("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#endif", "c"),
        ("#if 0 && (1 / 0)\na\n#endif\nb", "b"),
        ("#define X 1\n#undef X\n#ifndef X\na\n#endif", "a"),
        ("a /* b\n c */ d // e\nf", "a d f"),
        ("a\\\nb", "a b"),
        ("__LINE__\n\n__LINE__ __FILE__", '1 3 "t.c"'),
        ("__COUNTER__ __COUNTER__", "0 1"),
        ("#define EMPTY\nEMPTY a", "a"),
        ("#define F(x) x\nF(\n1\n)", "1"),
        ("#if __has_include(<stdatomic.h>) && !__has_include(<none.h>)\na\n#endif", "a"),
        ("x = a+++b; p->q ... <<= 1.5e+3", "x = a ++ + b ; p -> q ... <<= 1.5e+3"),
        ("#if -1 < 0 ? 3 > 2 : 0\na\n#endif", "a"),
        ("#if -1 > 0u && -1 == 0xffffffffffffffff && 0u - 1 > 0 && -1 / 2u > 5\na\n#endif", "a"),
        ("#if (1 ? -1 : 0u) > 0 && -1 >> 63 == -1 && ~0u >> 63 == 1 && (0u < 1) - 2 < 0\na\n#endif", "a"),
        ("#if -7 / 2 == -3 && -7 % 2 == -1 && 1 << 63 < 0 && 0x7fffffffffffffff + 1 < 0\na\n#endif", "a"),
        ("#if '\\377' < 0 && 'a' == 97 && (2 || 1 / 0)\na\n#endif", "a"),
    ],
)
def test_text(source: str, expected: str) -> None:
    assert text(source) == expected


def test_command_line() -> None:
    assert text("N M", defines=("N=2", "M")) == "2 1"
    assert text("#ifdef N\na\n#endif", defines=("N",), undefines=("N",)) == ""


def test_files(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("#pragma once\nint a;\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.h").write_text('#include "../a.h"\nint b;\n')
    main = tmp_path / "main.c"
    source = Source(str(main), '#include "a.h"\n#include <b.h>\nint c;')
    tokens = preprocess(source, Settings(folders=(str(tmp_path / "sub"),)))
    assert " ".join(token.text for token in tokens) == "int a ; int b ; int c ;"
    files = {token.text: Path(token.position.source.name).name for token in tokens if token.position.source}
    assert (files["a"], files["b"], files["c"]) == ("a.h", "b.h", "main.c")


def test_places() -> None:
    tokens = preprocess(Source("t.c", "#define F(x) (x + 1)\n  y = F(z);"))
    places = [(token.text, token.position.line, token.position.column) for token in tokens]
    assert places == [("y", 2, 3), ("=", 2, 5), *[(part, 2, 7) for part in "(z+1)"], (";", 2, 11)]


@pytest.mark.parametrize(
    ("source", "message", "line", "column"),
    [
        ('#include "none.h"', 'there is no file "none.h"', 1, 2),
        ("#include <stdatomik.h>", "there is no file <stdatomik.h>", 1, 2),
        ("#if 1\na", "this condition has no `#endif`", 1, 2),
        ("#endif", "there is no `#if` for this `#endif`", 1, 2),
        ("\n#error no good", "#error no good", 2, 2),
        ("#defin X", "there is no directive `#defin`", 1, 2),
        ("#define F(x) x\nF(1,2)", "the macro `F` takes 1 argument, not 2", 2, 1),
        ("#define F(x) x\nF(1", "the call of the macro `F` does not end", 2, 1),
        ("#define X 1\n#define X 2", "the macro `X` is defined already, as `1`", 2, 9),
        ("/* a", "this comment does not end", 1, 1),
        ('"a', "this text does not end on its line", 1, 1),
        ("#if 1 +\n#endif", "a value is missing in this condition", 1, 2),
        ("#if 1 2\n#endif", "this is out of place in a condition", 1, 7),
        ("#define C(a,b) a##b\nC(+,1)", "`##` makes no token of `+` and `1`", 2, 1),
    ],
)
def test_errors(source: str, message: str, line: int, column: int) -> None:
    with pytest.raises(ProgramError) as caught:
        text(source)
    assert (caught.value.message, caught.value.line, caught.value.column) == (message, line, column)


@pytest.mark.parametrize(
    ("machine", "defined"),
    [
        (None, "__x86_64__"),
        ("x86", "__x86_64__"),
        ("armv8", "__aarch64__"),
        ("power", "__powerpc64__"),
        ("riscv", "__riscv"),
        ("armv7", "__arm__"),
    ],
)
def test_the_machine_that_a_program_is_compiled_for(machine: str | None, defined: str) -> None:
    names = ("__x86_64__", "__aarch64__", "__arm__", "__powerpc64__", "__riscv")
    asked = "".join(f"#ifdef {name}\n{name[2:]}\n#endif\n" for name in names)
    assert text(asked, machine=machine).split() == [text(defined[2:])]


@pytest.mark.parametrize("header", sorted(HEADERS.rglob("*.h")), ids=lambda path: path.name)
def test_own_headers_are_read_line_by_line(header: Path) -> None:
    """What is put off for macros of own headers is right, and the lines are those of the whole text."""
    source = read_source(header)
    tokens: list[Token] = []
    for line in _lines(source):
        if isinstance(line, tuple):
            name, unread = line
            definition = tokenise(source, unread.first, unread.last)
            assert [token.text for token in definition[:3]] == ["#", "define", name]
            assert unread.read().own
            tokens += definition
        else:
            tokens += line
    assert tokens == [token for token in tokenise(source) if token.kind != "newline"]


def test_a_macro_of_an_own_header_may_be_another_one() -> None:
    assert text("#include <limits.h>\n#define INT_MAX 5\nINT_MAX").endswith("5")
    assert text("#define INT_MAX 5\n#include <limits.h>\nINT_MAX").endswith("2147483647")
    assert text("#include <limits.h>\n#undef INT_MAX\nINT_MAX").endswith("INT_MAX")
    kept = '#pragma push_macro("INT_MAX")\n#undef INT_MAX\nINT_MAX\n#pragma pop_macro("INT_MAX")\nINT_MAX'
    assert text(f"#include <limits.h>\n{kept}").endswith("INT_MAX 2147483647")
