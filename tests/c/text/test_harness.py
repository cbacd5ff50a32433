"""What harnesses use: harness.txt under xgen's headers and the system's, and run as gcc compiles it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from c.running import load, model

import xgen

HEAD = "".join(
    f"#include <{name}.h>\n" for name in ("pthread", "stdatomic", "stdio", "stdlib", "string", "assert", "errno")
)
LINES = HEAD.count("\n")


def table() -> dict[str, tuple[str, str]]:
    """By name: the program, and what is said of it."""
    _, *parts = Path(__file__).with_name("harness.txt").read_text("utf-8").split("\n== ")
    found = {}
    for part in parts:
        head, text = part.split("\n", 1)
        name, _, said = head.partition(" => ")
        assert name not in found
        found[name] = (HEAD + text, said)
    return found


TABLE = table()
GOOD = [name for name, (_, said) in TABLE.items() if not said]
BAD = [name for name, (_, said) in TABLE.items() if said and not said.startswith("refused")]
REFUSED = [name for name, (_, said) in TABLE.items() if said.startswith("refused")]
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")
headers = pytest.mark.parametrize("headers", ["own", pytest.param("cc", marks=needs_compiler)])


@headers
@pytest.mark.parametrize("name", GOOD)
def test_good(name: str, headers: str) -> None:
    result = xgen.check(load(TABLE[name][0], headers=headers, defines=("_GNU_SOURCE",)), model("rc11"))
    assert (result.verdict, result.vacuous) == ("safe", False)


@needs_compiler
@pytest.mark.parametrize("name", GOOD)
def test_good_as_compiled(name: str, tmp_path: Path) -> None:
    """What the programs assert is so where they are run."""
    (tmp_path / "a.c").write_text(TABLE[name][0], encoding="utf-8")
    subprocess.run(["cc", "-w", "-pthread", "-D_GNU_SOURCE", "-o", "a", "a.c"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "a"], capture_output=True, check=False, timeout=20).returncode == 0


@headers
@pytest.mark.parametrize("name", BAD)
def test_bad(name: str, headers: str) -> None:
    text, kind = TABLE[name]
    result = xgen.check(load(text, headers=headers), model("rc11"))
    assert result.witness is not None
    assert kind in [violation.kind for violation in result.witness.violations]


@headers
@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, headers: str) -> None:
    text, said = TABLE[name]
    line, message = said.removeprefix("refused ").split(": ", 1)
    with pytest.raises(xgen.UnsupportedError) as caught:
        load(text, headers=headers)
    assert caught.value.line == LINES + int(line)
    assert caught.value.message.startswith(message)


CLOCK = """#include <time.h>
#include <sys/time.h>
#include <assert.h>
int main(void) {
  struct timespec t; struct timeval d; time_t s = time(0), r;
  assert(clock_gettime(CLOCK_MONOTONIC, &t) == 0 && gettimeofday(&d, 0) == 0 && time(&r) == r);
  assert(%s);
  return 0;
}
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("s <= 2 && t.tv_sec >= 0 && t.tv_nsec >= 0 && d.tv_usec <= 2", "safe"),
        ("t.tv_sec != 2", "violation"),
        ("t.tv_nsec != 1", "violation"),
        ("d.tv_sec != 2", "violation"),
        ("r == s", "violation"),
    ],
)
def test_the_time_is_any_of_a_range(claim: str, verdict: str) -> None:
    result = xgen.check(load(CLOCK % claim, nondet=(0, 2)), model("rc11"))
    assert result.verdict == verdict
    if verdict == "safe":
        assert result.executions == 3**6


def test_no_second_has_negative_parts() -> None:
    """Seconds are any of a range with negative numbers, their parts are not."""
    text = CLOCK % "t.tv_nsec >= 0 && d.tv_usec >= 0"
    assert xgen.check(load(text, nondet=(-1, 0)), model("rc11")).verdict == "safe"
    assert xgen.check(load(CLOCK % "t.tv_sec >= 0", nondet=(-1, 0)), model("rc11")).verdict == "violation"


def test_hints_on_what_can_be_done_without() -> None:
    text = '#include <stdio.h>\nint m; void f(int n) { char b[8]; snprintf(b, 8, "%d", n); }\n'
    text += "int main(void) { f(__VERIFIER_nondet_int()); return 0; }"
    with pytest.raises(xgen.UnsupportedError) as refused:
        load(text, nondet=(0, 1))
    assert refused.value.hint == "--stub snprintf: it writes nothing"
    assert xgen.check(load(text, nondet=(0, 1), stubs=("snprintf",)), model("rc11")).verdict == "safe"


STARTED = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc < 2) exit(1);
  int n = atoi(argv[1]), a[n];
  for (int i = 0; i < n; i++) a[i] = i;
  assert(argc == 4 && a[n - 1] == 2 && !argv[4] && !strcmp(argv[2], "a b") && argv[2] != argv[3] && argv[3][1] == ' ');
  argv[1][0] = '4';
  return atoi(argv[1]) != 4;
}
"""


@pytest.mark.parametrize("words", [("3", "a b", "a b"), ("2", "a b", "a b"), ()])
def test_what_a_program_is_started_with(words: tuple[str, ...]) -> None:
    """As a shell would; without arguments, what needs them is not looked at behind the end."""
    program = load(STARTED, arguments=words)
    alone = ("note: the program is started without arguments: `argc` is 1; `--args` gives others",)
    assert program.remarks == (() if words else alone)
    found = xgen.check(program, model("rc11"))
    kind = None if found.witness is None else found.witness.violations[0].kind
    assert kind == {"3": None, "2": "assertion"}.get("".join(words[:1]), "exit")


STUBBED = """#include <stdlib.h>
#include <assert.h>
void *user(const char *name); int level(int *p); void log_it(const char *what); struct s {{ int a; }} odd(void);
int main(void) {{ int n = 7; {} return 0; }}
"""


def test_stubs() -> None:
    """Their arguments are evaluated, and they do nothing; the result says so."""
    text = STUBBED.format('if (user("N")) abort(); assert(level(&n) == 0 && n == 7); log_it("a"); n++;')
    program = load(text, stubs=("user", "level", "log_it", "unused"))
    assert program.remarks == ("note: with stubs, which do nothing: level, log_it, user",)
    assert xgen.check(program, model("rc11")).verdict == "safe"
    any_ = xgen.check(load(STUBBED.format("assert(level(&n) < 2);"), stubs=("level",), nondet=(0, 2)), model("rc11"))
    assert any_.verdict == "violation"
    evaluated = load(STUBBED.format('log_it(n++ ? "a" : "b"); assert(n == 7);'), stubs=("log_it",))
    assert xgen.check(evaluated, model("rc11")).verdict == "violation"


def test_what_is_no_stub() -> None:
    with pytest.raises(xgen.UnsupportedError, match="the function `odd`, which gives a struct, as a stub"):
        load(STUBBED.format("odd();"), stubs=("odd",))
    with pytest.raises(xgen.UnsupportedError, match="the function `level`, which has no body") as caught:
        load(STUBBED.format("level(&n);"), stubs=("log_it",))
    assert caught.value.hint == "name the file that defines it, too; or --stub level: it does nothing, and gives 0"
    with pytest.raises(xgen.ProgramError, match="the function `f` has a body, and is no stub"):
        load("int f(void) { return 1; } int main(void) { return f(); }", stubs=("f",))
