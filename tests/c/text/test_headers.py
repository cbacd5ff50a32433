"""The headers of the system, by a compiler's preprocessor, and preprocessed files: the same programs as with xgen's."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from c.running import model

import xgen
from xgen.frontends.c.text import program as reading
from xgen.sources import confined

FOLDER = Path(__file__).parents[3] / "programs" / "c"
INCLUDE = Path(reading.__file__).parents[1] / "include"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.c"))
HEADERS = [
    "alloca",
    "arpa/inet",
    "assert",
    "complex",
    "ctype",
    "dirent",
    "dlfcn",
    "endian",
    "errno",
    "fcntl",
    "fenv",
    "getopt",
    "inttypes",
    "iso646",
    "limits",
    "locale",
    "math",
    "netinet/in",
    "netinet/tcp",
    "poll",
    "pthread",
    "pwd",
    "regex",
    "sched",
    "semaphore",
    "setjmp",
    "signal",
    "stdalign",
    "stdarg",
    "stdatomic",
    "stdbool",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "stdnoreturn",
    "string",
    "strings",
    "sys/epoll",
    "sys/mman",
    "sys/queue",
    "sys/select",
    "sys/socket",
    "sys/stat",
    "sys/syscall",
    "sys/time",
    "sys/types",
    "sys/wait",
    "syslog",
    "termios",
    "tgmath",
    "threads",
    "time",
    "uchar",
    "unistd",
    "wchar",
    "wctype",
]

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here: `cc`")
needs_glibc = pytest.mark.skipif(not Path("/usr/include/features.h").exists(), reason="glibc's headers are not here")


def test_all_programs_are_here() -> None:
    assert len(PROGRAMS) == 42


@needs_cc
@pytest.mark.parametrize("name", PROGRAMS)
def test_same_program_with_the_headers_of_the_system(name: str) -> None:
    """All of it: the statements, the variables, and the line and column of each."""
    own, theirs = (xgen.load(FOLDER / f"{name}.c", headers=headers) for headers in ("own", "cc"))
    assert (own.headers, theirs.headers) == ("own", "cc")
    assert own == theirs


@needs_cc
@pytest.mark.parametrize("name", PROGRAMS)
def test_same_result_of_a_preprocessed_file(name: str, tmp_path: Path) -> None:
    """With gcc's own <stdatomic.h>, whose functions are macros, and glibc's <assert.h>."""
    file = tmp_path / f"{name}.i"
    flags = ["-E", "-std=gnu11", "-idirafter", str(INCLUDE)]
    text = subprocess.run(["cc", *flags, str(FOLDER / f"{name}.c")], capture_output=True, text=True, check=True)
    file.write_text(text.stdout)
    results = [xgen.check(xgen.load(path), model("rc11")) for path in (FOLDER / f"{name}.c", file)]
    first, second = (
        (
            result.verdict,
            result.executions,
            result.blocked,
            [
                (v.kind, v.position.line, Path(str(v.position.source and v.position.source.name)).name)
                for v in wrong(result)
            ],
            [outcome.count for outcome in result.outcomes],
        )
        for result in results
    )
    assert first == second


def wrong(result: xgen.Result) -> list[xgen.Violation]:
    return list(result.witness.violations) if result.witness else []


@needs_cc
@pytest.mark.sweep
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_left_out_is_not_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small = xgen.load(FOLDER / f"{name}.c", headers="cc")
    monkeypatch.setattr(reading, "pruned", lambda files, *_: [list(tokens) for tokens in files])
    assert xgen.load(FOLDER / f"{name}.c", headers="cc") == small


@needs_cc
@needs_glibc
@pytest.mark.sweep
@pytest.mark.parametrize("header", HEADERS)
def test_each_header_is_read(header: str) -> None:
    if not any((Path(folder) / f"{header}.h").exists() for folder in system_folders()):
        pytest.skip(f"there is no <{header}.h> here")
    result = xgen.check(
        xgen.parse(f"#include <{header}.h>\nint x;\nint main(void) {{ x = 1; return 0; }}\n", "c", headers="cc"),
        model("sc"),
    )
    assert (result.verdict, result.executions, [o.state for o in result.outcomes]) == ("safe", 1, [{"x": 1}])


def system_folders() -> list[str]:
    said = subprocess.run(["cc", "-E", "-v", "-xc", "/dev/null"], capture_output=True, text=True, check=True).stderr
    return [line.strip() for line in said.split("#include <...>")[-1].splitlines() if line.startswith(" /")]


TEXT = """#include <pthread.h>
#include <semaphore.h>
#include <sys/queue.h>
#include <assert.h>
#include <stddef.h>
#include <errno.h>
struct box { pthread_mutex_t lock; int number; pthread_cond_t changed; LIST_ENTRY(box) next; };
struct box box = { PTHREAD_MUTEX_INITIALIZER, 3, PTHREAD_COND_INITIALIZER };
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT;
static void init(void) { box.number++; }
int main(void) {
  pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;
  pthread_once(&once, init);
  pthread_mutex_lock(&box.lock); pthread_mutex_lock(&local); pthread_rwlock_wrlock(&rw);
  errno = EINVAL;
  assert(box.number == 4 && errno == 22);
  assert(offsetof(struct box, number) == sizeof(pthread_mutex_t));
  %s
  return 0;
}
"""


@needs_cc
@needs_glibc
def test_types_of_the_library() -> None:
    """<sys/queue.h> is none of xgen's, so that a compiler is asked; the types are still those that xgen knows."""
    program = xgen.parse(TEXT % "", "c")
    result = xgen.check(program, model("rc11"))
    assert (program.headers, result.verdict, result.executions) == ("cc", "safe", 1)


@needs_cc
@needs_glibc
def test_where_it_goes_wrong() -> None:
    result = xgen.check(xgen.parse(TEXT % "int i = 4; assert(i == 3 || box.number == 5);", "c", "box.c"), model("rc11"))
    (violation,) = wrong(result)
    assert (violation.kind, violation.position.line, violation.position.column) == ("assertion", 19, 14)
    assert violation.position.source is not None
    assert violation.position.source.name == "box.c"


@needs_cc
@needs_glibc
@pytest.mark.parametrize(("kind", "again"), [("ERRORCHECK", "EDEADLK"), ("RECURSIVE", "0")])
def test_kinds_of_mutexes_are_known_by_their_initial_values(kind: str, again: str) -> None:
    text = f"""#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_{kind}_MUTEX_INITIALIZER_NP;
int main(void) {{ pthread_mutex_lock(&mutex); assert(pthread_mutex_lock(&mutex) == {again}); }}
"""
    program = xgen.parse(text, "c", headers="cc")
    assert (program.headers, xgen.check(program, model("rc11")).verdict) == ("cc", "safe")


@needs_cc
def test_names_of_the_library_are_free_where_its_headers_are_not_read() -> None:
    text = "typedef struct { int a, b; } sem_t;\nsem_t s = {1, 2};\nint main(void) { return s.b - 2; }\n"
    text = f"#include <sys/queue.h>\n{text}"
    assert xgen.check(xgen.parse(text, "c", headers="cc"), model("sc")).verdict == "safe"


MISSING = '#include <sys/no.h>\n#include <no/such.h>\n#include "near.h"\n#include <sys/queue.h>\nint main(void) { }\n'


def test_all_missing_headers_at_once() -> None:
    with pytest.raises(xgen.ProgramError) as caught:
        xgen.parse(MISSING, "c", "t.c", headers="own")
    errors = [caught.value, *caught.value.others]
    assert [(error.message, error.line) for error in errors] == [
        ("there is no file <sys/no.h>", 1),
        ("there is no file <no/such.h>", 2),
        ('there is no file "near.h"', 3),
        ("there is no file <sys/queue.h>", 4),
    ]
    assert errors[0].hint is not None
    assert "--headers cc" in errors[0].hint


@needs_cc
@needs_glibc
def test_all_headers_that_a_compiler_misses_at_once() -> None:
    with pytest.raises(xgen.ProgramError) as caught:
        xgen.parse(MISSING, "c", "t.c")
    errors = [caught.value, *caught.value.others]
    assert [(error.message, error.line) for error in errors] == [
        ("there is no file <sys/no.h>", 1),
        ("there is no file <no/such.h>", 2),
        ('there is no file "near.h"', 3),
    ]
    assert errors[0].hint == "neither xgen nor `cc` has a header of that name; -I says where to look"


@needs_cc
def test_what_a_compiler_says() -> None:
    with pytest.raises(xgen.ProgramError) as caught:
        xgen.parse(
            "#include <stddef.h>\n#if X == 0\n#error X is needed\n#endif\nint main(void) { }\n",
            "c",
            "t.c",
            headers="cc",
        )
    error = caught.value
    assert (error.message, error.line, error.column, error.file) == ("#error X is needed", 3, 2, "t.c")
    assert error.hint == "`cc -E` says so"


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(xgen.UsageError, match="there is no C compiler"):
        xgen.parse("int main(void) { }", "c", headers="cc")
    monkeypatch.setenv("CC", "other-cc -m64")
    with pytest.raises(xgen.UsageError, match="there is no C compiler: `other-cc -m64` does not run"):
        xgen.parse("int main(void) { }", "c", headers="cc")
    with pytest.raises(xgen.ProgramError, match=r"there is no file <sys/queue\.h>"):
        xgen.parse("#include <sys/queue.h>\nint main(void) { }", "c")


def test_a_compiler_for_another_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What it says itself; CC may have flags behind it."""
    said = "lp64.h:3:2: error: #error this compiler is for a machine on which long has not 64 bits"
    other = tmp_path / "other-cc"
    other.write_text(f"#!/bin/sh\necho '{INCLUDE}/{said}' >&2\nexit 1\n")
    other.chmod(0o755)
    monkeypatch.setenv("CC", f"{other} -m32")
    with pytest.raises(xgen.ProgramError) as caught:
        xgen.parse("int main(void) { }", "c", headers="cc")
    assert caught.value.message.endswith("long has not 64 bits")
    assert caught.value.line is None


def test_only_words_are_lost() -> None:
    """A preprocessed file of another machine: its places are in the file itself."""
    text = '# 1 "elsewhere.c"\nint x;\n# 7 "elsewhere.c"\nint main(void) { x = 1; __VERIFIER_assert(x == 2); }\n'
    (violation,) = wrong(xgen.check(xgen.parse(text, "i", "t.i"), model("sc")))
    assert violation.position.source is not None
    assert (violation.position.source.name, violation.position.line) == ("t.i", 4)


def test_places_of_a_preprocessed_file(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("#define CHECK(c) __VERIFIER_assert(c)\nint x;\nint main(void) {\n  x = 1; CHECK(x == 2);\n}\n")
    text = f'# 1 "{source}"\n\nint x;\nint main(void) {{\n  x = 1; __VERIFIER_assert(x == 2);\n}}\n'
    (violation,) = wrong(xgen.check(xgen.parse(text, "i", "t.i"), model("sc")))
    assert violation.position.source is not None
    assert violation.position.source.name == str(source)
    assert (violation.position.line, violation.position.column, violation.position.width) == (4, 10, 5)


def test_no_compiler_where_texts_may_find_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In the playground: a compiler would find whatever there is."""
    monkeypatch.setattr(subprocess, "Popen", pytest.fail)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.c").write_text("int f(void) { return 0; }\n")
    (tmp_path / "program.c").write_text("")
    with confined((INCLUDE, INCLUDE / "always")):
        text = "#include <stdatomic.h>\n#include <stdlib.h>\nint main(void) { return 0; }\n"
        assert xgen.parse(text, "c", "program.c", headers="cc").headers == "own"
        with pytest.raises(xgen.ProgramError, match=r"there is no file <sys/queue\.h>"):
            xgen.parse("#include <sys/queue.h>\nint main(void) { return 0; }\n", "c", "program.c")
        with pytest.raises(xgen.UnsupportedError) as caught:
            xgen.parse("int f(void); int main(void) { return f(); }\n", "c", "program.c")
        assert caught.value.hint == "name the file that defines it, too; or --stub f: it does nothing, and gives 0"


WAYS = """
#if defined __x86_64__ || defined __amd64 || defined __SSE2__
int way = 0;
#elif defined __aarch64__ && __ARM_ARCH == 8
int way = 1;
#elif defined __arm__ && __ARM_ARCH == 7
int way = 2;
#elif defined __powerpc64__ && defined __LITTLE_ENDIAN__
int way = 3;
#elif defined __riscv && __riscv_xlen == 64
int way = 4;
#endif
"""
MACHINES = {None: 0, "x86": 0, "armv8": 1, "armv8-lse": 1, "armv7": 2, "power": 3, "riscv": 4}


@pytest.mark.parametrize("headers", ["own", pytest.param("cc", marks=needs_cc), "clang"])
@pytest.mark.parametrize("machine", MACHINES)
def test_the_macros_are_those_of_the_machine(machine: str | None, headers: str, tmp_path: Path) -> None:
    """Also in a header of the program, before and behind headers of the system, which have the host's."""
    if headers == "clang":
        pytest.importorskip("llvmlite")
        pytest.importorskip("ziglang")
    system = "" if headers == "own" else "#include <sys/resource.h>\n#include <linux/futex.h>\n"
    (tmp_path / "ways.h").write_text(f"#include <limits.h>\n#include <pthread.h>\n{system}{WAYS}")
    file = tmp_path / "test.c"
    size = '_Static_assert(sizeof(pthread_mutex_t) >= 4 && LONG_MAX > INT_MAX, "");'
    asked = f"int main(void) {{ assert(way == {MACHINES[machine]}); }}"
    file.write_text(f'{system}#include <assert.h>\n#include "ways.h"\n{size}\n{asked}\n')
    how = {"clang": True} if headers == "clang" else {"headers": headers}
    assert xgen.check(xgen.load(file, map=machine, **how), model("sc")).verdict == "safe"


@needs_cc
def test_macros_that_are_given_are_kept() -> None:
    text = "#include <sys/resource.h>\nint main(void) { int x = sizeof(struct rusage) + __ARM_ARCH; return x != x; }\n"
    program = xgen.parse(text, "c", headers="cc", map="armv8", defines=("__ARM_ARCH=9",), undefines=("__aarch64__",))
    assert xgen.check(program, model("sc")).verdict == "safe"
    with pytest.raises(xgen.XgenError, match="__aarch64__"):
        xgen.parse(
            text.replace("__ARM_ARCH", "__aarch64__"), "c", headers="cc", map="armv8", undefines=("__aarch64__",)
        )
