"""What files say of themselves: what is a claim, what is none, and what keeps one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest

import xgen
from xgen.analyses.claims import options
from xgen.analyses.claims.files import Claims, find_files
from xgen.analyses.claims.read import Claim, read_claims
from xgen.analyses.claims.run import FileChecked, check_file
from xgen.analyses.claims.update import updated
from xgen.cli import every_command
from xgen.errors import Source, UsageError

MP = """
#include <pthread.h>
#include <stdatomic.h>
int d; atomic_int f;
void *w(void *a) { d = 1; atomic_store_explicit(&f, 1, memory_order_release); return a; }
int main() {
  pthread_t t; pthread_create(&t, 0, w, 0);
  if (atomic_load_explicit(&f, ORDER)) d = 2;
  pthread_join(t, 0);
}
"""
SB = """
var x : int var y : int
process p { var a : int 1 -> x; a <- y; }
process q { var b : int 1 -> y; b <- x; }
"""
LOOP = "\nvar x : int process p { var i : int while (true) { i -> x; i := i + 1; } }\n"
TEST = """X86 SB
(* verdict tso: CLAIM *)
{}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""


def read(text: str, name: str = "d/t.c") -> tuple[list[Claim], list[str]]:
    claims, errors = read_claims(Source(name, text))
    return claims, [f"{error.line}:{error.column}: {error.message}" for error in errors]


def one(text: str, name: str = "d/t.c") -> Claim:
    claims, errors = read(text, name)
    assert errors == []
    (claim,) = claims
    return claim


READ: list[tuple[str, list[tuple[Any, ...]]]] = [
    ("// verdict sc: safe", [("verdict", "sc", "safe", None, None)]),
    ("// verdict sc, my/x-1.cat: safe", [("verdict", m, "safe", None, None) for m in ("sc", "my/x-1.cat")]),
    ("// verdict: safe", [("verdict", "rc11", "safe", None, None)]),
    ("// verdict sc: safe, 20 executions", [("verdict", "sc", "safe", 20, None)]),
    ("// verdict sc: safe, 1 execution", [("verdict", "sc", "safe", 1, None)]),
    ("// verdict sc: safe within the bound, 0 executions", [("verdict", "sc", "safe within the bound", 0, None)]),
    ("// verdict sc: violation race, 2 executions", [("verdict", "sc", "violation", 2, "race")]),
    ("// verdict sc: violation use-after-free", [("verdict", "sc", "violation", None, "use-after-free")]),
    ("// verdict sc: no answer", [("verdict", "sc", "no answer", None, None)]),
    ("// outcomes sc: 4", [("outcomes", "sc", "4", None, None)]),
    ("// allows sc: p:a = 1, x = -2", [("allows", "sc", "p:a = 1, x = -2", None, None)]),
    ("// forbids sc: a[0] = true", [("forbids", "sc", "a[0] = true", None, None)]),
    ("// prove --deadlock sc: deadlock", [("prove", "sc", "deadlock", None, None)]),
    ("/* verdict sc: safe */", [("verdict", "sc", "safe", None, None)]),
    ("/*\n * Words.\n * verdict sc: safe\n */\n\n// verdict tso: safe", [
        ("verdict", "sc", "safe", None, None), ("verdict", "tso", "safe", None, None)]),
    ("/* Words.\n   verdict sc: safe\n */", [("verdict", "sc", "safe", None, None)]),
    ("int x;\n// verdict sc: safe", []),
    ("// The verdict sc: safe is not at the beginning", []),
    ("// verdict of the jury", []),
    ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "found"), READ)
def test_what_is_a_claim(text: str, found: list[tuple[Any, ...]]) -> None:
    claims, errors = read(text)
    assert errors == []
    assert [(c.kind, c.model, c.value, c.count, c.violation) for c in claims] == found


NONE = [
    ("// verdict tso: perhaps", "1:4: `perhaps` is not what can be claimed"),
    ("// verdict tso sc: safe", "1:4: this is no claim"),
    ("// verdict tso:safe", "1:4: this is no claim"),
    ("// verdict tso: ", "1:4: this is no claim"),
    ("//   verdict tso: safe, many executions", "1:6: `safe, many executions` is not what can be claimed"),
    ("// verdict tso: violation of all", "1:4: `violation of all` is not what can be claimed"),
    ("// verdict tso: violation rase", "1:4: `rase` is no kind of violation"),
    ("// outcomes tso: some", "1:4: `some` is not what can be claimed"),
    ("// allows tso: x=1", "1:4: `x=1` is not what can be claimed"),
    ("// prove tso: perhaps", "1:4: `perhaps` is not what can be claimed"),
    ("// observation tso: Never", "1:4: `observation` is no claim of this kind of file"),
    ("// verdict tso: safe (max-deph 8)", "1:4: `--max-deph` is no option of a claim"),
    ("// verdict tso: safe (max-depth)", "1:4: `--max-depth` needs a value"),
    ("// verdict tso: safe (max-depth x)", "1:4: `x` is no value of `--max-depth`"),
    ("// verdict tso: safe (max-depth 0)", "1:4: `0` is no value of `--max-depth`"),
    ("// verdict tso: safe (nondet 3..1)", "1:4: `3..1` is no value of `--nondet`"),
    ("// verdict: safe (lock take=f)", "1:4: `take=f` is no value of `--lock`"),
    ("// verdict: safe (lock take=f,give=f)", "1:4: `take=f,give=f` is no value of `--lock`"),
    ("// verdict: safe (lock take=f,give=g,more=h)", "1:4: `--more` is no option of a claim"),
    ("// verdict tso: safe (liveness=1)", "1:4: `--liveness` takes no value"),
    ("// verdict tso: safe (on armv8)", "1:4: this names two models"),
    ("// verdict: safe (on vax)", "1:4: `vax` is no value of `--on`"),
    ("// verdict tso: safe (html x)", "1:4: `--html` is no option of a claim"),
    ("// verdict tso: safe (check races)", "1:4: `races` is no value of `--check`"),
    ("// verdict tso: safe (brab 2)", "1:4: `brab` is no option of `verdict`"),
    ("// prove tso: safe (max-depth 2)", "1:4: `max-depth` is no option of `prove`"),
    ("// xgen: --max-deph 4\n// verdict: safe", "1:4: `--max-deph` is no option of a claim"),
    ("// xgen: 'open\n// verdict: safe", "1:4: this cannot be split into words: no closing quotation"),
]


@pytest.mark.parametrize(("text", "error"), NONE)
def test_what_is_none(text: str, error: str) -> None:
    assert read(text) == ([], [error])


def test_a_claim_that_is_none_leaves_the_others() -> None:
    claims, errors = read("// verdict tso: perhaps\n// verdict sc: safe\n")
    assert [claim.said for claim in claims] == ["verdict sc: safe"]
    assert len(errors) == 1


def test_a_language_without_a_model() -> None:
    assert read("// verdict: safe", "t.xcfa") == ([], ["1:4: this claim names no model"])
    assert one("// xgen: --mcm tso\n// verdict: safe", "t.xcfa").model == "tso"
    assert one("// xgen: --mcm tso\n// verdict sc: safe", "t.xcfa").model == "sc"


def test_options() -> None:
    text = "// xgen: queue.c --unroll 3 -Iinc -D N=2 --stub f,g -- -DM\n"
    text += "// verdict: safe (max-depth 8, -D K=1, no-check races)"
    asked = one(text).asked
    assert (dict(asked.question), dict(asked.reading)) == (
        {"max_depth": 8},
        {
            "others": ("d/queue.c",),
            "unroll": 3,
            "folders": ("d/inc",),
            "defines": ("N=2", "K=1"),
            "stubs": ("f", "g"),
            "flags": ("-DM",),
            "races": False,
        },
    )
    for said in ("take=f,give=g", "give=g,take=f"):
        assert one(f"// verdict: safe (lock {said}, nondet 1..2)").asked.reading["lock"] == ("f", "g")
        assert one(f"// xgen: --lock {said}\n// verdict: safe").asked.reading["lock"] == ("f", "g")
    on = one("// verdict: safe (on armv8)")
    assert (on.model, dict(on.asked.reading)) == ("arm8", {"map": "armv8"})


OF_THE_ANSWER = {
    *(
        "--coverage",
        "--accept",
        "--weaken",
        "--all-states",
        "--checkpoint",
        "--classes",
        "--cluster",
        "--complete",
        "--dot",
        "--dump",
        "--engine",
        "--errors",
    ),
    *("--estimate", "--explain", "--format", "--full-witness", "--html", "--memory-limit", "--processes"),
    *("--progress", "--quiet", "--sample", "--sarif", "--seed", "--show", "--svg", "--symmetry", "--timeout"),
    *("--trace-limit", "--verbose", "--workers", "--help", "--color", "--property", "--tex"),
    *("--test", "--list-tests", "--lib", "--cfg", "--features", "--junit", "--races"),
}
"""Options of `xgen check` that no claim has: they are about what is printed, how long it takes, or tests."""


def test_every_option_of_check_is_one_of_claims_or_is_not_meant_to_be() -> None:
    (command,) = (found for name, found in every_command() if name == "xgen check")
    names = {max(p.opts, key=len) for p in command.params if isinstance(p, click.Option)}
    short = {"-D", "-U", "-I", "-p"}
    assert names - options.KNOWN - OF_THE_ANSWER == set()
    assert short <= options.KNOWN
    proving = {"--limit", "--max-cubes", "--brab", "--procs"}
    assert options.KNOWN - names - proving - {"--no-symmetry", "--no-liveness"} - short == set()


def checked(tmp_path: Path, text: str, name: str = "t.c", timeout: float | None = None) -> FileChecked:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return check_file(str(path), xgen.load, timeout)


RELEASED = MP.replace("ORDER", "memory_order_acquire")
RACY = MP.replace("ORDER", "memory_order_relaxed")
KEPT: list[tuple[str, str, str, bool, str]] = [
    ("verdict: safe", RELEASED, "t.c", True, "safe"),
    ("verdict: safe, 2 executions", RELEASED, "t.c", True, "safe, 2 executions"),
    ("verdict: safe, 3 executions", RELEASED, "t.c", False, "safe, 2 executions"),
    ("verdict: violation", RELEASED, "t.c", False, "safe"),
    ("verdict: violation race", RACY, "t.c", True, "violation race"),
    ("verdict: violation deadlock", RACY, "t.c", False, "violation race"),
    ("verdict: safe", RACY, "t.c", False, "violation"),
    ("verdict: safe (no-check races)", RACY, "t.c", True, "safe"),
    ("verdict: safe (on armv8)", RACY, "t.c", True, "safe"),
    ("verdict sc: safe (max-depth 3)", LOOP, "t.xcfa", False, "no answer"),
    ("verdict sc: no answer (max-depth 3)", LOOP, "t.xcfa", True, "no answer"),
    ("verdict sc: safe", SB, "t.xcfa", True, "safe"),
    ("verdict sc: no answer", SB, "t.xcfa", False, "safe"),
    ("outcomes sc: 3", SB, "t.xcfa", True, "3 outcomes"),
    ("outcomes tso: 3", SB, "t.xcfa", False, "4 outcomes"),
    ("allows tso: p:a = 0, q:b = 0", SB, "t.xcfa", True, "there is no such outcome"),
    ("allows sc: p:a = 0, q:b = 0", SB, "t.xcfa", False, "there is no such outcome"),
    ("forbids sc: p:a = 0, q:b = 0", SB, "t.xcfa", True, "there is the outcome "),
    ("forbids tso: p:a = 0, q:b = 0", SB, "t.xcfa", False, "there is the outcome p:a = 0, q:b = 0, x = 1, y = 1"),
    ("allows tso: x = 1 (max-depth 1)", SB, "t.xcfa", False, "no answer"),
    ("prove sc: safe", SB, "t.xcfa", True, "safe"),
    ("prove sc: violation", SB, "t.xcfa", False, "safe"),
]


@pytest.mark.parametrize(("said", "text", "name", "kept", "found"), KEPT, ids=[f"{c[0]}-{c[3]}" for c in KEPT])
def test_what_keeps_a_claim(tmp_path: Path, said: str, text: str, name: str, kept: bool, found: str) -> None:
    result = checked(tmp_path, f"// {said}\n{text}", name)
    assert (result.errors, result.mistakes) == ((), ())
    (claim,) = result.checked
    assert (claim.kept, claim.found) == (kept, found)


@pytest.mark.parametrize(("said", "kept"), [("Ok", True), ("No", False), ("no answer", False)])
def test_litmus_tests(tmp_path: Path, said: str, kept: bool) -> None:
    (claim,) = checked(tmp_path, TEST.replace("CLAIM", said), "t.litmus").checked
    assert (claim.kept, claim.found) == (kept, "Ok")


WAITS = """#include <xgen/kernel_test.h>
int flag;
CPU(0, a) { smp_cond_load_relaxed(&flag, VAL == 1); }
int main(void) { START(a); }
"""


def test_a_kernel_is_asked_whether_its_threads_end(tmp_path: Path) -> None:
    """As `xgen check` asks it, unless the claim says otherwise."""
    (tmp_path / "include" / "linux").mkdir(parents=True)
    text = "// verdict: violation await (kernel .)\n// verdict: no answer (kernel ., no-liveness)\n" + WAITS
    result = checked(tmp_path, text)
    assert (result.errors, [claim.kept for claim in result.checked]) == ((), [True, True])


OBSERVED = [("Sometimes", True), ("Sometimes 1 3", True), ("Sometimes 1 2", False), ("Never", False), ("Always", False)]


@pytest.mark.parametrize(("said", "kept"), OBSERVED)
def test_observations_of_litmus_tests(tmp_path: Path, said: str, kept: bool) -> None:
    text = TEST.replace("verdict tso: CLAIM", f"observation: {said}")
    (claim,) = checked(tmp_path, text, "t.litmus").checked
    assert (claim.kept, claim.found) == (kept, "Sometimes 1 3")


def test_litmus_tests_claim_nothing_else(tmp_path: Path) -> None:
    for claim in ("verdict tso: safe", "outcomes tso: 3", "verdict tso: Ok (max-depth 3)", "xgen: --max-depth 3"):
        found = checked(tmp_path, TEST.replace("verdict tso: CLAIM", claim), "t.litmus")
        assert (len(found.errors), found.checked) == (1, ())


ERRORS = [
    ("// verdict nosuch: safe\nint main() {}", "t.c", (1, 4), "there is no memory model `nosuch`"),
    ("// verdict: safe\nint main() { return x; }", "t.c", (2, 21), "there is no variable `x`"),
    ("// verdict sc: safe\n// verdict tso: safe\nint main() { return x; }", "t.c", (3, 21), "there is no variable `x`"),
    (f"// forbids sc: p:c = 0\n{SB}", "t.xcfa", (1, 4), "there is no `p:c` among the final values"),
    (
        f"// prove rc11: safe\n{SB}",
        "t.xcfa",
        (1, 4),
        "a proof without bounds needs a machine, and the model rc11 has none",
    ),
    (f"// verdict sc: safe (unroll 2, map x86)\n{SB}", "t.xcfa", None, "the option `map` is for C programs"),
    (f"// verdict sc: safe (classes values, no-symmetry, filter final)\n{SB}", "t.xcfa", (1, 4), "`"),
    (f"// prove sc: safe (brab 2)\n{SB}", "t.xcfa", (1, 4), "`brab` is no option of proofs of such programs"),
]


@pytest.mark.parametrize(("text", "name", "place", "message"), ERRORS)
def test_what_cannot_be_answered(
    tmp_path: Path, text: str, name: str, place: tuple[int, int] | None, message: str
) -> None:
    found = checked(tmp_path, text, name)
    assert [claim.found for claim in found.checked] == []
    (error,) = found.errors
    assert error.message.startswith(message)
    assert (error.line, error.column) == (place or (None, None))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "t.c").write_bytes(b"// verdict: safe\n\xff")
    found = check_file(str(tmp_path / "t.c"), xgen.load)
    assert [error.message for error in found.errors] == ["this is not UTF-8 text"]


def test_further_files_and_headers_are_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the command is run."""
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "q.h").write_text("int f(void);\n")
    (tmp_path / "q.c").write_text('#include "q.h"\nint f(void) { return N - 2; }\n')
    (tmp_path / "my.mcm").write_text('model "mine"\nhb = po | rf | mo | fr\nhb acyclic as sc\n')
    text = '// xgen: q.c -I inc -D N=2\n// verdict sc, my.mcm: safe\n#include "q.h"\nint main() { return f(); }\n'
    monkeypatch.chdir("/")
    found = checked(tmp_path, text)
    assert [str(error) for error in found.errors] == []
    assert [claim.kept for claim in found.checked] == [True, True]


def test_no_time(tmp_path: Path) -> None:
    found = checked(tmp_path, f"// verdict sc: safe\n// outcomes sc: 3\n{SB}", "t.xcfa", timeout=0.0)
    assert [claim.kept for claim in found.checked] == [None, None]
    assert Claims((found,), 0.0).verdict == "interrupted"


def test_an_execution_that_is_too_long(tmp_path: Path) -> None:
    endless = "process p { var r : int init loc A A -> A { r := r + 1 } }"
    found = checked(tmp_path, f"// verdict sc: safe\n// verdict sc: no answer\n{endless}", "t.xcfa")
    assert [(claim.kept, claim.found[:36]) for claim in found.checked] == [
        (None, "a loop without any shared access run")
    ] * 2
    assert Claims((found,), 0.0).verdict == "interrupted"


def test_mistakes_of_ours(tmp_path: Path) -> None:
    def load(_file: str, **_how: Any) -> xgen.Program:
        raise KeyError("oh")

    path = tmp_path / "t.c"
    path.write_text("// verdict: safe\n// verdict sc: safe\nint main() {}\n")
    found = check_file(str(path), load)
    assert len(found.mistakes) == 1
    assert "KeyError: 'oh'" in found.mistakes[0]
    assert Claims((found,), 0.0).verdict == "broken"


def test_finding_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d" / "e").mkdir(parents=True)
    for name in ("d/b.c", "d/a.xcfa", "d/e/c.litmus", "d/x.h", "d/y.cat", "z.i"):
        (tmp_path / name).touch()
    assert find_files(["d"]) == ["d/a.xcfa", "d/b.c", "d/e/c.litmus"]
    assert find_files(["z.i", "d", "d/b.c", "./d"]) == ["z.i", "d/a.xcfa", "d/b.c", "d/e/c.litmus"]
    (tmp_path / "empty").mkdir()
    for path, message in (
        ("absent", "there is no such file or folder"),
        ("d/x.h", "this is no program"),
        ("-", "only files say something of themselves"),
        ("empty", "there is no program"),
    ):
        with pytest.raises(UsageError, match=message):
            find_files([path])


UPDATED = [
    ("// verdict tso: safe, 7 executions", "// verdict tso: safe, 4 executions"),
    ("// verdict sc, tso: safe, 3 executions",
     "// verdict sc: safe, 3 executions\r\n// verdict tso: safe, 4 executions"),
    ("//  outcomes sc, tso: 9", "//  outcomes sc: 3\r\n//  outcomes tso: 4"),
    ("// outcomes sc: 3", "// outcomes sc: 3"),
    ("// verdict sc: violation, 9 executions", "// verdict sc: violation, 9 executions"),
    ("// outcomes sc, weak, tso: 0 (classes off)",
     "// outcomes sc: 3 (classes off)\r\n// outcomes weak, tso: 4 (classes off)"),
    ("// verdict sc: safe, 1 execution (max-depth 8)", "// verdict sc: safe, 3 executions (max-depth 8)"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), UPDATED)
def test_counts_written_anew(tmp_path: Path, before: str, after: str) -> None:
    """Nothing else changes, neither the ends of lines."""
    text, wanted = (f"// é\r\n{line}\r\n{SB}" for line in (before, after))
    path = tmp_path / "t.xcfa"
    path.write_bytes(text.encode())
    found = check_file(str(path), xgen.load)
    assert updated(text, found.checked) == wanted
    path.write_bytes(wanted.encode())
    again = check_file(str(path), xgen.load)
    assert updated(wanted, again.checked) == wanted


def test_in_python(tmp_path: Path) -> None:
    (tmp_path / "a.xcfa").write_text(f"// verdict sc: safe\n// outcomes sc: 4\n{SB}")
    (tmp_path / "b.xcfa").write_text(SB)
    for processes in (1, 2):
        found = xgen.test(tmp_path, processes=processes)
        assert [Path(file.file).name for file in found.files] == ["a.xcfa", "b.xcfa"]
        assert found.verdict == "broken"
        assert [(checked.claim.said, checked.found) for _, checked in found.broken] == [
            ("outcomes sc: 4", "3 outcomes")
        ]
        assert found.files[1].silent


def test_python_asks_kernels_as_the_command_line_does(tmp_path: Path) -> None:
    """One of GPUs by its file, one of Linux by the option that it is read with."""
    (tmp_path / "include" / "linux").mkdir(parents=True)
    (tmp_path / "t.c").write_text(WAITS, encoding="utf-8")
    kernel = xgen.load(tmp_path / "t.c", kernel=str(tmp_path))
    assert (kernel.lively, xgen.check(kernel).verdict) == ("--kernel", "violation")
    assert not xgen.check(kernel, liveness=False).liveness
    with pytest.raises(UsageError, match="unroll") as refused:
        xgen.check(kernel, unroll=True)
    assert refused.value.hint == "--kernel turns `liveness` on: liveness=False turns it off"
    assert not xgen.check(kernel, unroll=True, liveness=False).liveness
    assert xgen.parse(MP.replace("ORDER", "memory_order_acquire"), "c").lively is None
