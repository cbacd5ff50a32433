"""From C++ to LLVM's IR: which compiler, what it is told, what it says, and what is kept of it."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.fake import run
from llvm.compiling import compiles, script

import xgen
from xgen import store
from xgen.clock import OutOfTime, time_limit
from xgen.extras import installing
from xgen.frontends import cache, process
from xgen.frontends.c.text.files import File
from xgen.frontends.c.text.preprocess import Settings
from xgen.frontends.llvm.compiling import compile as compile_
from xgen.frontends.llvm.compiling import compilers, sources
from xgen.sources import confined, read_source

SOURCE = """#include "number.h"
int value;
int main() { value = NUMBER; }
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, and a cache of its own beside it."""
    here = tmp_path / "here"
    (here / "inc").mkdir(parents=True)
    (here / "other").mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr(store, "folder", lambda: tmp_path / "cache")
    (here / "a.cpp").write_text(SOURCE)
    (here / "inc" / "number.h").write_text("#define NUMBER 1\n")
    return here


def linked(*names: str, settings: Settings = Settings(folders=("other", "inc")), compiler: str = "") -> str:
    files = [File(read_source(name), settings) for name in names]
    return sources.linked(files, ["c" if name.endswith(".c") else "c++" for name in names], compiler, "main")


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands of compilers that are run."""
    found: list[list[str]] = []
    before = subprocess.Popen

    def remembered(words: list[str], **how: Any) -> Any:
        found.append(words)
        return before(words, **how)

    monkeypatch.setattr(subprocess, "Popen", remembered)
    return found


@compiles
def test_what_is_kept(runs: list[list[str]], folder: Path) -> None:
    """A second run compiles nothing; other texts, flags and headers do, and so does a header that comes first now."""
    first = linked("a.cpp")
    assert "store i32 1, ptr @value" in first
    assert linked("a.cpp") == first
    assert len(runs) == 1
    (folder / "inc" / "number.h").write_text("#define NUMBER 2\n")
    second = linked("a.cpp")
    assert "store i32 2" in second
    assert len(runs) == 2
    (folder / "inc" / "number.h").write_text("#define NUMBER 1\n")
    assert linked("a.cpp") == first
    assert len(runs) == 3  # one answer is kept for each text
    (folder / "other" / "number.h").write_text("#define NUMBER 3\n")
    assert "store i32 3" in linked("a.cpp")
    assert len(runs) == 4
    assert "store i32 3" in linked("a.cpp")
    assert len(runs) == 4
    assert "store i32 3" not in linked("a.cpp", settings=Settings(folders=("inc",)))
    assert len(runs) == 5
    (folder / "a.cpp").write_text(f"{SOURCE}\n")
    assert "store i32 3" in linked("a.cpp")
    assert len(runs) == 6


@compiles
def test_a_header_of_xgen_that_comes_first_now(
    runs: list[list[str]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a version has one more."""
    own = folder / "containers"
    own.mkdir()
    for module in (sources, compile_):
        monkeypatch.setattr(module, "CONTAINERS", own)
    assert "store i32 1" in linked("a.cpp", settings=Settings(system=("inc",)))
    (own / "number.h").write_text("#define NUMBER 4\n")
    assert "store i32 4" in linked("a.cpp", settings=Settings(system=("inc",)))
    assert len(runs) == 2


@compiles
@pytest.mark.parametrize("wrong", ["cut", "no json", "no text", "a file"])
def test_a_cache_that_is_damaged(runs: list[list[str]], wrong: str) -> None:
    first = linked("a.cpp")
    kept = store.folder()
    if wrong == "a file":
        shutil.rmtree(kept)
        kept.write_text("")
    for path in [] if wrong == "a file" else kept.iterdir():
        if wrong == "cut" and path.suffix == ".ll":
            path.write_text(path.read_text()[:100])
        elif wrong == "no json" and path.suffix == ".json":
            path.write_text("{")
        elif wrong == "no text" and path.suffix == ".ll":
            path.unlink()
    assert linked("a.cpp") == first
    assert len(runs) == 2
    assert linked("a.cpp") == first
    assert len(runs) == (3 if wrong == "a file" else 2)


def test_what_is_not_used_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "ROOM", 3000)
    for k in range(5):
        assert cache.cached([k], (), lambda: cache.Made("x" * 900, ())) == "x" * 900
        for path in store.folder().iterdir():
            os.utime(path, (path.stat().st_mtime - 10,) * 2)
    sizes = [path.stat().st_size for path in store.folder().iterdir() if path.suffix == ".ll"]
    assert sizes == [900, 900]
    made: list[int] = []

    def anew(k: int) -> cache.Made:
        made.append(k)
        return cache.Made("", ())

    for k in (4, 3, 0):
        cache.cached([k], (), lambda k=k: anew(k))  # type: ignore[misc]
    assert made == [0]


@compiles
def test_what_the_compiler_is_told(runs: list[list[str]]) -> None:
    settings = Settings(("A=1", "B"), ("C",), ("inc",), ("number.h",), ("other",), ("/nowhere",), "c++17")
    linked("a.cpp", settings=settings)
    (words,) = runs
    said = " ".join(words)
    assert "-x c++ -std=c++17" in said
    assert "--target=x86_64-linux-gnu -O0 -g" in said
    assert "-DA=1 -DB -UC" in said
    assert "-iquote other -I inc -I /nowhere -include number.h" in said


@compiles
def test_c_beside_cpp(runs: list[list[str]], folder: Path) -> None:
    (folder / "b.c").write_text("int other(void) { int class = 1; return class; }\n")
    (folder / "c.cpp").write_text('extern "C" int other(void); int main() { return other(); }\n')
    assert "define internal i32 @other()" in linked("c.cpp", "b.c")
    assert ["c++" in words for words in runs] == [True, False]
    assert [words[words.index("-x") + 1] for words in runs] == ["c++", "c"]


BAD = """int main() { return y; }
#include "nope.h"
"""
SAID = """bad.cpp:1:21: error: use of undeclared identifier 'y'
    1 | int main() { return y; }
      |                     ^
bad.cpp:2:10: fatal error: 'nope.h' file not found
    2 | #include "nope.h"
      |          ^~~~~~~~
2 errors generated.
"""


@compiles
def test_what_is_wrong_is_said_as_the_compiler_says_it(folder: Path) -> None:
    (folder / "bad.cpp").write_text(BAD)
    found = run("check", "bad.cpp", "--format", "json")
    assert (found.exit_code, found.stderr) == (2, SAID)
    error = json.loads(found.stdout)["error"]
    assert (error["file"], error["line"], error["column"]) == ("bad.cpp", 1, 21)
    assert error["message"] == "use of undeclared identifier 'y'"
    assert [(other["line"], other["message"]) for other in error["others"]] == [(2, "'nope.h' file not found")]
    assert run("check", "bad.cpp", "--errors", "github").stderr.startswith("::error file=bad.cpp,line=1")


@compiles
def test_where_a_header_is_looked_for(folder: Path) -> None:
    (folder / "t.cpp").write_text('#include "queue.hpp"\nint main() { return 0; }\n')
    found = run("check", "t.cpp")
    assert "t.cpp:1:10: fatal error: 'queue.hpp' file not found" in found.stderr
    assert "\n  the folder of queue.hpp: -I FOLDER; or -p BUILD, with the compile_commands.json" in found.stderr


PADDED = """#include <stdatomic.h>
struct padded { short number; char letter; };
_Atomic struct padded shared;
int main(void) { struct padded read = shared; return %s; }
"""


@compiles
@pytest.mark.parametrize("command", ["check", "explain", "fences", "prove"])
def test_an_option_that_reads_what_is_refused_is_named(command: str, folder: Path) -> None:
    """Where it does, and was not given."""
    (folder / "a.c").write_text(PADDED % "read.number")
    words = ["--mcm", "sc" if command in ("prove", "fences") else "rc11"]
    found = run(command, "a.c", *words)
    assert found.exit_code == 2
    assert "\n  --clang reads it: a compiler and the reader of C++ stand in" in found.stderr
    if command == "check":
        assert "--clang reads it" in json.loads(run(command, "a.c", "--format", "json").stdout)["error"]["hint"]
        assert run(command, "a.c", "--clang", "-q").stdout.startswith("safe (")
    (folder / "a.c").write_text(PADDED % '({ __asm__ volatile("hlt"); 0; })')
    found = run(command, "a.c", *words)
    assert (found.exit_code, "--clang" in found.stderr) == (2, False)


@compiles
def test_atomic_of_a_shared_pointer_is_not_in_the_library(folder: Path) -> None:
    """What is named is read: the functions of C++11."""
    (folder / "a.cpp").write_text(
        "#include <atomic>\n#include <memory>\nstd::atomic<std::shared_ptr<int>> p; int main() {}\n"
    )
    found = run("check", "a.cpp")
    assert found.exit_code == 2
    assert "libc++ has no std::atomic of a std::shared_ptr;" in found.stderr
    assert "std::atomic_load(&p)" in found.stderr
    (folder / "b.cpp").write_text(
        "#include <cassert>\n#include <memory>\n#include <thread>\nauto p = std::make_shared<int>(1);\nint main() {\n"
        "  std::thread t([] { std::atomic_store(&p, std::make_shared<int>(2)); });\n"
        "  assert(*std::atomic_load(&p) <= 2);\n  t.join();\n}\n"
    )
    assert run("check", "b.cpp", "-q").stdout.startswith("safe (")


@compiles
def test_threads_in_a_loop_beside_one_of_many_rounds(folder: Path) -> None:
    """What makes a text too long to be written out is the constant of another loop."""
    (folder / "t.cpp").write_text(
        "#include <pthread.h>\nconstexpr int kItems = 1000;\nint any();\nvoid *f(void *p) { return p; }\n"
        "int sum;\nint main() {\n  for (int i = 0; i < kItems; ++i) sum += i;\n"
        "  while (any()) { pthread_t t; pthread_create(&t, nullptr, f, nullptr); }\n}\n"
    )
    with pytest.raises(xgen.UnsupportedError, match="creating threads in a loop whose rounds are not known") as error:
        xgen.load("t.cpp", stubs=("_Z3anyv",), nondet=(0, 1))
    assert error.value.hint is not None
    assert error.value.hint.startswith("try --set kItems=2 (kItems is 1000 in the loop at t.cpp:7); ")


@compiles
def test_an_error_in_a_header(folder: Path) -> None:
    (folder / "inc" / "number.h").write_text("\nint x = ;\n")
    found = run("check", "a.cpp", "-I", "inc")
    assert found.exit_code == 2
    assert "\ninc/number.h:2:9: error: expected expression\n    2 | int x = ;\n" in found.stderr
    with pytest.raises(process.CompilerError) as caught:
        linked("a.cpp")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("inc/number.h", 2, 9)


@compiles
def test_what_the_linker_finds_wrong(folder: Path) -> None:
    (folder / "b.cpp").write_text("int main() { }\n")
    found = run("check", "a.cpp", "b.cpp", "-I", "inc")
    assert found.exit_code == 2
    assert found.stderr.startswith("b.cpp: error: ")
    assert "main" in found.stderr


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(compilers, "find_spec", lambda _: None)
    found = run("check", "a.cpp")
    hint = f"  `{installing('cpp')}` has it\n"
    assert (found.exit_code, found.stderr) == (2, f"error: C++ is read with llvmlite, which is not installed\n{hint}")
    (folder / "a.c").write_text("int main() { }")
    found = run("check", "a.c", "--clang")
    assert (found.exit_code, found.stderr) == (2, f"error: C is read with llvmlite, which is not installed\n{hint}")


@compiles
def test_only_the_reader_of_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without its compiler, clang++ from PATH is taken, if its version will do."""
    monkeypatch.setattr(compilers, "own_compiler", lambda: None)
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", str(tools))
    with pytest.raises(xgen.UsageError, match=r"C\+\+ is read with clang 16 to [0-9]+, which is not installed"):
        compilers.find_compiler()
    script(tools, "clang++", "Debian clang version 14.0.6")
    with pytest.raises(xgen.UsageError, match=r"C\+\+ is read with clang 16 to [0-9]+, which is not installed"):
        compilers.find_compiler()
    script(tools, "clang++-17", "clang version 17.0.1 (of somebody)")
    script(tools, "clang++-16", "clang version 16.0.1")
    assert compilers.find_compiler().name == "clang++-17"
    script(tools, "clang++", "clang version 16.0.6")
    assert compilers.find_compiler().name == "clang++"


WRONG = {
    "nowhere++": "there is no compiler `nowhere++`\n  --compiler takes a command, as clang++-19",
    "": "there is no compiler ` `\n  --compiler takes a command, as clang++-19",
    "g++": "`g++` is no clang: it makes no IR of LLVM\n  it is read from clang 16 to ",
    "clang++-14": "`clang++-14` is clang 14, whose IR is too old\n  it is read from clang 16 to ",
    "clang++-99 -O1": "`clang++-99 -O1` is clang 99: this IR is of a newer LLVM than llvmlite's (",
}


@compiles
@pytest.mark.parametrize("command", WRONG)
def test_compilers_that_will_not_do(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    script(tools, "g++", "g++ (Debian 12.2.0-14) 12.2.0")
    script(tools, "clang++-14", "clang version 14.0.6")
    script(tools, "clang++-99", "clang version 99.1.0")
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}/usr/bin{os.pathsep}/bin")
    found = run("check", "a.cpp", "--compiler", command or " ")
    assert found.exit_code == 2
    assert found.stderr.startswith(f"error: {WRONG[command]}")


REFUSED = [
    (
        ("a.hpp",),
        "a.hpp: error: a program's file name has to end in .xcfa, .litmus, .c, .cpp, .rs, .ll, .cu, .hip or .ptx\n"
        "  this is a header: ",
    ),
    (("a.cpp", "a.xcfa"), "a.xcfa: error: this is neither C++ nor C\n  files end in .cpp, .cc, .cxx, .c, .i\n"),
    (("a.xcfa", "a.cpp"), "a.xcfa: error: several files are one program in C, C++ and LLVM's IR only\n"),
    (("a.cpp", "./a.cpp"), "./a.cpp: error: this file is given twice\n"),
    (("a.cpp", "--headers", "own"), "a.cpp: error: `headers` is for C that xgen reads itself\n  a compiler reads"),
    (("a.cpp", "--data-model", "ilp32"), "a.cpp: error: the option `data_model` is for C's own reader: IR is compiled"),
    (
        ("a.c", "--clang", "--data-model", "ilp32"),
        "a.c: error: the option `data_model` is for C's own reader: IR is compiled for 64 bits\n  leave `clang` out\n",
    ),
    (("a.c", "--compiler", "clang++"), "a.c: error: a compiler is asked about C++, and about C with `clang`\n"),
    (("a.xcfa", "--clang"), "a.xcfa: error: the option `clang` is for C programs\n"),
    (("a.cpp", "nowhere.cpp"), "nowhere.cpp: error: there is no such file\n"),
]


@compiles
def test_flags_of_compilers(folder: Path) -> None:
    """What stands behind `--` is the compiler's, of C++ and of C; what says how code is made is not, which -v says."""
    for name in ("a.cpp", "a.c"):
        (folder / name).write_text("#include <assert.h>\nchar c = -1;\nint main(void) { assert(c < 0); return 0; }\n")
        words = ("check", name, "--clang") if name == "a.c" else ("check", name)
        for flags, code in (((), 0), (("-funsigned-char",), 1), (("-funsigned-char", "-fsigned-char"), 0)):
            assert run(*words, "--", *flags).exit_code == code
        found = run(*words, "-v", "--", "-O2", "-DA", "-fno-exceptions")
        assert (found.exit_code, "\nignored     -O2\n" in found.stdout) == (0, True)
        found = run(*words, "--", "-m32")
        assert (found.exit_code, found.stderr.splitlines()[0]) == (
            2,
            f"{name}: error: the flag `-m32` is not supported",
        )
    (folder / "a.cpp").write_text("int main() { throw 1; }\n")
    found = run("check", "a.cpp", "--", "-fno-exceptions")
    assert (found.exit_code, "with exceptions disabled" in found.stderr) == (2, True)


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_refused(words: tuple[str, ...], said: str, folder: Path) -> None:
    for name in ("a.hpp", "a.c", "a.xcfa"):
        (folder / name).write_text("")
    found = run("check", *words, "--mcm", "rc11")
    assert found.exit_code == 2
    assert found.stderr.startswith(said)


def test_where_texts_find_no_files(folder: Path) -> None:
    """The playground asks no compiler, which would read whatever it is told to."""
    with confined([folder]), pytest.raises(xgen.UnsupportedError, match="C\\+\\+ is not read here"):
        xgen.parse(SOURCE, "cpp")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no shell")
def test_what_a_compiler_has_started_ends_with_it(tmp_path: Path) -> None:
    """zig starts clang: each holds the pipe open until it ends."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    words = ["sh", "-c", 'exec 9>"$0"; sleep 600 & kill -ALRM $PPID; sleep 600', str(pipe)]
    try:
        with pytest.raises(OutOfTime), time_limit(600):
            process.run(words, {})
        assert select.select([reader], [], [], 60)[0]
        assert os.read(reader, 1) == b""
    finally:
        os.close(reader)


@compiles
def test_nothing_is_written_into_folders_of_the_program(folder: Path) -> None:
    """What a compiler is told of another machine is put into a folder of its own."""
    (folder / "m.cpp").write_text("#include <atomic>\n#include <number.h>\nint main() { return NUMBER - 1; }\n")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for machine in ("x86", "armv8", "riscv"):
        assert run("check", "m.cpp", "--on", machine, "-q", "--", "-Iinc", "-isystem", "other").stdout.startswith(
            "safe"
        )
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@compiles
def test_folders_of_the_system_on_another_machine(folder: Path) -> None:
    """CMake names those of packages by -isystem: the compiler's own headers have its own types all the same."""
    (folder / "a.cpp").write_text("#include <memory>\n#include <number.h>\nint main() { return NUMBER - 1; }\n")
    program = xgen.load("a.cpp", map="armv8", flags=("-isystem", "inc"))
    assert xgen.check(program, "arm8").verdict == "safe"
