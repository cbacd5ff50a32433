"""A program that ends with an error is wrong, unless it speaks the language of SV-COMP, which aborts to assume."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from c.running import HEAD, kinds, load, mapped, model, run
from click.testing import CliRunner

import xgen
from xgen.cli import main as command

FLAG = (
    "#include <unistd.h>\nBEFORE atomic_int flag; void *t(void *p) { flag = 1; return 0; }\n"
    "int zero(void) { return 0; } int one(void) { return 1; }\n"
    "int main() { pthread_t id; pthread_create(&id, 0, t, 0);\n"
    "if (flag) {HOW; }\npthread_join(id, 0); }"
)
FAILING = [
    "abort()",
    "__builtin_abort()",
    "exit(1)",
    "exit(EXIT_FAILURE)",
    "exit(256)",
    "_Exit(2)",
    "_exit(3)",
    "quick_exit(4)",
    "return 1",
    "return -1",
    "return flag",
    "exit(flag)",
    "exit(one())",
    "return one() && flag",
]
ENDING = [
    "exit(0)",
    "exit(EXIT_SUCCESS)",
    "_Exit(zero())",
    "return 0",
    "return zero()",
    "return flag - 1",
    "exit(flag - 1)",
    "one()",
    "pthread_exit((void *)1)",
]
SPEAKING = [
    "int __VERIFIER_nondet_int(void);",
    "void __VERIFIER_atomic_step(void) { }",
    "void reach_error(void) { }",
    "extern void __VERIFIER_error(); void never(void) { __VERIFIER_error(); }",
    "void assume_abort_if_not(int c) { if (!c) abort(); }",
    "void never(void) { extern void __VERIFIER_assume(int); }",
]
SILENT = [
    "",
    "extern void reach_error(void);",
    "\n#include <genmc.h>\n",
    "int verifier; int reach_errors(void) { return 1; }",
]
NOTE = "which is no violation here: `--check exit` makes it one"


def program(how: str, before: str = "") -> str:
    return FLAG.replace("HOW", how).replace("BEFORE", before)


def notes(text: str, mcm: str = "rc11", **options: object) -> list[str]:
    """What is noted of a program's end."""
    result = xgen.check(load(HEAD + text, **mapped(mcm, options)), model(mcm))
    assert result.verdict == "safe"
    return [warning for warning in result.warnings if NOTE in warning]


@pytest.mark.parametrize("mcm", ["sc", "tso", "rc11"])
@pytest.mark.parametrize("how", FAILING)
def test_ends_with_an_error(how: str, mcm: str) -> None:
    assert kinds(program(how), mcm) == [("exit", 5)]
    (note,) = notes(program(how), mcm, exits=False)
    assert f"line {HEAD.count(chr(10)) + 5} " in note


@pytest.mark.parametrize("how", ENDING)
def test_ends_well(how: str) -> None:
    assert kinds(program(how)) == []
    assert notes(program(how), exits=False) == []


def test_an_end_that_is_not_reached_is_not_noted() -> None:
    assert notes(program("if (flag == 2) abort()"), exits=False) == []


@pytest.mark.parametrize("before", SPEAKING)
def test_programs_for_verification(before: str) -> None:
    """There it is noted."""
    assert len(notes(program("abort()", before))) == 1
    assert kinds(program("abort()", before), exits=True) == [("exit", 5)]


@pytest.mark.parametrize("before", SILENT)
def test_other_programs(before: str) -> None:
    lines = before.count("\n")
    assert kinds(program("abort()", before)) == [("exit", 5 + lines)]
    assert len(notes(program("abort()", before), exits=False)) == 1


def test_what_is_called_to_assume() -> None:
    """`abort` in a function that assumes is no error, even where others are."""
    text = program("assume_abort_if_not(0)", "void assume_abort_if_not(int c) { if (!c) abort(); }")
    assert notes(text) == []
    assert kinds(text, exits=True) == []


@pytest.mark.parametrize(("how", "expected"), [("exit(1)", [("exit", 1)]), ("abort()", [("exit", 1)]), ("exit(0)", [])])
def test_threads_that_are_not_main(how: str, expected: list[tuple[str, int]]) -> None:
    text = f"void *t(void *p) {{ {how}; return 0; }}\nint main() {{ pthread_t id; pthread_create(&id, 0, t, 0); }}"
    assert kinds(text) == expected


def test_what_a_thread_returns_is_no_status() -> None:
    text = "int worker(void) { return 1; }\nint main(void) { return 0; }"
    assert kinds(text, entry="worker") == []
    assert (
        kinds("void *t(void *p) { return (void *)1; }\nint main() { pthread_t i; pthread_create(&i, 0, t, 0); }") == []
    )
    assert kinds("int main(void) {\nstatic int n; if (n++ < 1) return main() - 1;\nreturn 1; }") == []


def test_operands_of_exit_are_evaluated() -> None:
    result = run("int x; void *t(void *p) { x = 1; return 0; }\n"
                 "int main() { pthread_t i; pthread_create(&i, 0, t, 0); exit(x * 0); }")  # fmt: skip
    assert [violation.kind for violation in result.witness.violations] == ["race"]  # type: ignore[union-attr]


@pytest.mark.parametrize("classes", ["off", "rf", "values", "seen"])
def test_notes_by_classes(classes: str) -> None:
    result = xgen.check(load(HEAD + program("exit(1)"), exits=False), model("sc"), classes=classes)
    assert sum(NOTE in warning for warning in result.warnings) == 1


def test_options(tmp_path: Path) -> None:
    plain, told = tmp_path / "plain.c", tmp_path / "told.c"
    plain.write_text("int main(void) { return 1; }")
    told.write_text("int __VERIFIER_nondet_int(void); int main(void) { return 1; }")

    def asked(*arguments: str) -> tuple[int, str]:
        ended = CliRunner().invoke(command, [*arguments, "--mcm", "sc"])
        return ended.exit_code, ended.stdout

    assert asked("check", str(plain))[0] == 1
    assert asked("check", str(told))[0] == 0
    assert asked("check", str(told), "--check", "exit", "--check", "overflow")[0] == 1
    assert asked("check", str(plain), "--no-check", "exit", "--no-check", "races")[0] == 0
    assert asked("check", str(plain), "--no-check", "exit", "--check", "exit")[0] == 2
    assert asked("prove", str(plain))[0] == 1
    assert asked("prove", str(plain), "--no-check", "exit")[0] == 0
    code, text = asked("check", str(plain), "--format", "json")
    error = json.loads(text)["witness"]["error"]
    assert (code, error["kind"], error["message"]) == (1, "exit", "the program ends with an error")
