"""Flags of compilers, compile_commands.json, and the places of the tokens of preprocessed text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pytest
from c.running import model

import xgen
from xgen.errors import Source
from xgen.frontends.c.text.flags import read_flags
from xgen.frontends.c.text.markers import aligned, read_marked
from xgen.frontends.c.text.preprocess import Settings

FLAGS = [
    ("-I a -Ib -I=c", Settings(folders=("a", "b", "=c")), ""),
    ("-isystem a -isystemb -iquote c -iquoted", Settings(system=("a", "b"), quoted=("c", "d")), ""),
    ("-D A -DB=1 -D C=x=y -UZ -U Y", Settings(defines=("A", "B=1", "C=x=y"), undefines=("Z", "Y")), ""),
    ("-DA=1 -UA", Settings(undefines=("A",)), ""),
    ("-UA -DA=1", Settings(defines=("A=1",)), ""),
    ("-include a.h -std=c11 -std=gnu17", Settings(includes=("a.h",), standard="gnu17"), ""),
    ("-Wall -O2 -pthread -g3", Settings(others=("-pthread",)), "-Wall -O2 -g3"),
    ("-o x -DA -c queue.c -MF -DB -MMD", Settings(defines=("A",)), "-o x -c queue.c -MF -DB -MMD"),
    ("-include-pch x -idirafter y -Wp,-DA -isysroot z", Settings(others=("-idirafter", "y", "-isysroot", "z")),
     "-include-pch x -Wp,-DA"),
    ("-Winvalid-pch -ffast-math -march=native -Xlinker -DA", Settings(),
     "-Winvalid-pch -ffast-math -march=native -Xlinker -DA"),
    ("-fno-tree-pre -funsigned-char -Wno-error -Werror -fno-exceptions -m32 -fPIC -Xclang -x",
     Settings(others=("-funsigned-char", "-Wno-error", "-fno-exceptions", "-m32")),
     "-fno-tree-pre -Werror -fPIC -Xclang -x"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "settings", "ignored"), FLAGS, ids=[line for line, _, _ in FLAGS])
def test_flags(line: str, settings: Settings, ignored: str) -> None:
    """As builds have them: what another compiler may know is ignored if it does not bear on what a program means."""
    found = read_flags(line.split(), "", lambda name: name)
    assert (found.settings, " ".join(found.ignored)) == (settings, ignored)


def test_flags_that_are_given() -> None:
    """All but those that say how code is made are a compiler's. Files are none."""
    given = "-O2 -fno-tree-pre -Wall -Wno-error -Xclang -x -g -fsanitize=thread -isysroot z -lm -m32"
    found = read_flags(given.split())
    assert " ".join(found.settings.others) == "-fno-tree-pre -Wno-error -isysroot z -m32"
    assert " ".join(found.ignored) == "-O2 -Wall -Xclang -x -g -fsanitize=thread -lm"
    with pytest.raises(xgen.UsageError, match=r"`queue\.c` is no flag"):
        read_flags(["-DA", "queue.c"])


@pytest.mark.parametrize(
    ("flags", "model", "refused"),
    [
        ("-funsigned-char", "lp64", "-funsigned-char"),
        ("-fsigned-char -fno-signed-char", "lp64", "-fno-signed-char"),
        ("-funsigned-char -fsigned-char", "lp64", ""),
        ("-fshort-enums", "lp64", "-fshort-enums"),
        ("-fshort-enums -fno-short-enums -fpack-struct=2", "lp64", "-fpack-struct=2"),
        ("-fopenmp", "lp64", "-fopenmp"),
        ("-m32", "lp64", "-m32"),
        ("-m64", "lp64", ""),
        ("-m32", "ilp32", ""),
        ("-m64", "ilp32", "-m64"),
        ("-fwrapv -fno-exceptions -Wno-error -pthread -O2", "lp64", ""),
    ],
)
def test_flags_of_another_meaning_are_refused(flags: str, model: Literal["lp64", "ilp32"], refused: str) -> None:
    def load() -> object:
        text = "char c = -1; int main(void) { return c < 0; }"
        return xgen.parse(text, "c", "a.c", flags=flags.split(), data_model=model)

    if not refused:
        load()
        return
    with pytest.raises(xgen.UnsupportedError, match=f"the flag `{refused}` is not supported"):
        load()


@pytest.mark.parametrize("flag", ["-I", "-D", "-include", "-isystem"])
def test_flags_without_a_word(flag: str) -> None:
    with pytest.raises(xgen.UsageError, match=f"something is missing behind the flag {flag}"):
        read_flags(["-Wall", flag])


def test_flags_of_files() -> None:
    """Paths are from a folder, and files of flags from there too; they may name others."""
    texts = {"b/flags.txt": "-DA='x y' @more.txt -I inc", "b/more.txt": "-DB\n-I/abs"}
    found = read_flags(["-DC", "@flags.txt", "-D", "E"], "b", texts.__getitem__)
    assert found.settings == Settings(defines=("C", "A=x y", "B", "E"), folders=("/abs", "b/inc"))
    with pytest.raises(xgen.UsageError, match="files of flags name each other without an end"):
        read_flags(["@a"], "", lambda name: f"@{name}")


PROGRAM = "#include <value.h>\nint main(void) { __VERIFIER_assert(VALUE == WANTED); return 0; }\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """src/q.c, which needs a header of inc/ and a macro; the build's folder is beside them."""
    monkeypatch.chdir(tmp_path)
    for name in ("src", "inc", "build"):
        (tmp_path / name).mkdir()
    (tmp_path / "inc" / "value.h").write_text("#define VALUE 3\n")
    (tmp_path / "src" / "q.c").write_text(PROGRAM)
    return tmp_path


def build(*entries: dict[str, Any]) -> None:
    Path("build/compile_commands.json").write_text(json.dumps(entries))


BUILDS: list[dict[str, Any]] = [
    {"directory": "{here}/build", "file": "../src/q.c", "command": "cc -I../inc -DWANTED=3 -O2 -o q.o -c ../src/q.c"},
    {"directory": "{here}", "file": "src/q.c", "arguments": ["cc", "-I", "inc", "-D", "WANTED=3", "-c", "src/q.c"]},
    {"directory": "../src", "file": "q.c", "command": "cc -I../inc -DWANTED='3' q.c"},
    {"directory": "{here}/src", "file": "{here}/src/q.c", "command": "ccache gcc -isystem ../inc '-DWANTED=(1 + 2)'"},
    {"directory": "{here}/build", "file": "../src/q.c", "command": "cc @flags.rsp -c ../src/q.c"},
    {"directory": ".", "file": "../src/q.c", "command": "cc -include ../inc/more.h -DWANTED=3 -c ../src/q.c"},
]


@pytest.mark.parametrize("entry", BUILDS, ids=range(len(BUILDS)))
@pytest.mark.parametrize("where", ["build", "build/compile_commands.json"])
def test_builds(folder: Path, entry: dict[str, Any], where: str) -> None:
    Path("build/flags.rsp").write_text("-I../inc\n-DWANTED=3\n")
    Path("inc/more.h").write_text('#include "value.h"\n')
    entry = {
        key: value.replace("{here}", str(folder)) if isinstance(value, str) else value for key, value in entry.items()
    }
    build({"directory": str(folder), "file": "src/other.c", "command": "cc -DWANTED=4"}, entry)
    if entry["command" if "command" in entry else "file"].startswith("cc -include"):
        Path("src/q.c").write_text(PROGRAM.replace("#include <value.h>\n", ""))
    result = xgen.check(xgen.load("src/q.c", build=where), model("sc"))
    assert result.verdict == "safe"
    assert xgen.check(xgen.load("src/q.c", build=where, defines=("WANTED=4",)), model("sc")).verdict == "violation"


def test_a_file_that_is_compiled_twice_in_one_way(folder: Path) -> None:
    here = {"directory": str(folder), "file": "src/q.c"}
    build(*({**here, "command": f"cc -Iinc -DWANTED=3 -o {name}"} for name in ("a.o", "b.o")))
    assert xgen.check(xgen.load("src/q.c", build="build"), model("sc")).verdict == "safe"


def test_a_harness_is_compiled_as_what_it_tests(folder: Path) -> None:
    build({"directory": str(folder), "file": "src/q.c", "command": "cc -Iinc -DWANTED=3"})
    Path("src/q.c").write_text(PROGRAM.replace("main", "f"))
    Path("test.c").write_text("#include <value.h>\nint f(void);\nint main(void) { return f() + WANTED - VALUE; }\n")
    program = xgen.load("test.c", "src/q.c", build="build")
    assert xgen.check(program, model("sc")).verdict == "safe"


WRONG: list[tuple[str, str, str | None]] = [
    ("{", "this is no JSON: ", None),
    ("{}", "this is no list of compilations", None),
    ("[3]", "an entry says no file", None),
    ('[{"file": 3}]', "an entry says no file", None),
    ('[{"file": "q.c"}]', "the entry of `q.c` has neither `arguments` nor a `command`", None),
    ('[{"file": "q.c", "arguments": "cc"}]', "the entry of `q.c` has neither `arguments` nor a `command`", None),
    ('[{"file": "q.c", "command": "cc \'"}]', "this is no line of flags: no closing quotation", None),
    (
        '[{"file": "../src/qq.c", "command": "cc"}]',
        "it does not say how `src/q.c` is compiled",
        "did you mean `src/qq.c`?",
    ),
    (
        '[{"file": "../src/q.c", "command": "cc -DA"}, {"file": "../src/q.c", "command": "cc -DB -I../inc"}]',
        "`src/q.c` is compiled in 2 ways:\n  -DA\n  -DB -Iinc",
        "give the flags of one of them behind `--`, without -p",
    ),
]


@pytest.mark.parametrize(("text", "message", "hint"), WRONG, ids=[row[0][:40] for row in WRONG])
def test_builds_that_are_wrong(folder: Path, text: str, message: str, hint: str | None) -> None:
    Path("build/compile_commands.json").write_text(text)
    with pytest.raises(xgen.UsageError) as caught:
        xgen.load("src/q.c", build="build")
    error = caught.value
    assert error.message.startswith(message)
    assert (error.hint, error.file) == (hint, "build/compile_commands.json")
    assert folder.exists()


def test_no_build(folder: Path) -> None:
    with pytest.raises(xgen.UsageError, match="no such file"):
        xgen.load("src/q.c", build="build")
    assert folder.exists()


# ---- the tokens of preprocessed text

ALIGNED = [
    ("x = 1 ;", "x = 1 ;", [0, 1, 2, 3]),
    ("x = N ;", "x = ( 1 ) ;", [0, 1, 2, 2, 2, 3]),
    ("x = F ( y ) ;", "x = y + y ;", [0, 1, 2, 2, 2, 6]),
    ("F ( a ) ; G ( b ) ;", "a + 1 ; b ;", [0, 0, 0, 4, 5, 9]),
    ("assert ( x == 1 && y ) ; return x ;", "( ( x == 1 && y ) ? 0 : f ( ) ) ; return x ;", [0] * 15 + [8, 9, 10, 11]),
    ("F ( a ,", "a + b + c ;", [0] * 6),
    ("NOTHING x ;", "x ;", [1, 2]),
    ("x ; NOTHING", "x ;", [0, 1]),
    ("BOTH", "int x ;", [0, 0, 0]),
    ("", "x", None),
]


@pytest.mark.parametrize(("before", "after", "expected"), ALIGNED, ids=[row[0] for row in ALIGNED])
def test_where_tokens_are_from(before: str, after: str, expected: list[int] | None) -> None:
    assert aligned(before.split(), after.split()) == expected


def test_markers() -> None:
    """Which lines are of which file; the system's headers are those that a 3 stands behind when they begin."""
    text = """# 0 "a.c"
# 1 "/usr/include/x.h" 1 3 4
int b;
# 2 "a.c" 2
int c
# 2 "a.c" 3 4
= 0
#pragma pack(1)
# 9
;
# 1 "dir with \\"quotes\\"/y.h" 1
int d;
"""
    marked = read_marked(Source("a.i", text))
    found = [(token.text, *place(marked.origin(token)), marked.is_of_system(token)) for token in marked.tokens]
    x, y = "/usr/include/x.h", 'dir with "quotes"/y.h'
    assert found == [
        ("int", x, 1, True), ("b", x, 1, True), (";", x, 1, True), ("int", "a.c", 2, False), ("c", "a.c", 2, False),
        ("=", "a.c", 2, False), ("0", "a.c", 2, False), (";", "a.c", 9, False),
        ("int", y, 1, False), ("d", y, 1, False), (";", y, 1, False),
    ]  # fmt: skip


def place(origin: Any) -> tuple[str, int]:
    return origin.file, origin.line


OPENMP = "int x;\nint main(void) {\n#pragma omp parallel for\n  for (int i = 0; i < 2; i++) x++;\n}\n"


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        (OPENMP, ["xgen ignores `#pragma omp parallel for` in line 3: without OpenMP, one thread does all of it"]),
        (
            OPENMP.replace("#pragma omp parallel for", '_Pragma("omp parallel for")'),
            ["xgen ignores `#pragma omp parallel for` in line 3: without OpenMP, one thread does all of it"],
        ),
        (OPENMP.replace("parallel for", "simd"), []),
        (OPENMP.replace("#pragma", "// #pragma"), []),
    ],
)
def test_threads_of_openmp_are_not_there(text: str, warned: list[str]) -> None:
    """Compilers warn of it as well (-Wunknown-pragmas): the loop is one of one thread."""
    result = xgen.check(xgen.parse(text, "c"), xgen.model("rc11"))
    assert (result.verdict, [each for each in result.warnings if "omp" in each]) == ("safe", warned)
