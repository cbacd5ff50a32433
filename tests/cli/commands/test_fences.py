"""`xgen fences`: what it prints and writes, and its exit codes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import xgen
from cli.fake import run
from xgen.resources import shipped

PETERSON = ("fences", "peterson", "--mcm", "tso")
LITMUS = shipped("litmus")

FIRST = """\
4 minimal placements, all of them (model tso, no bound)

cost  fences
   2  mfence after line 29 `1 -> turn` of p0
      mfence after line 64 `0 -> turn` of p1
   2  mfence after line 29 `1 -> turn` of p0
      mfence before line 66 `flag <- flag0` of p1
   2  mfence before line 31 `flag <- flag1` of p0
      mfence after line 64 `0 -> turn` of p1
   2  mfence before line 31 `flag <- flag1` of p0
      mfence before line 66 `flag <- flag0` of p1

--- peterson.xcfa
+++ peterson.xcfa
@@ -29,2 +29,3 @@
     1 -> turn
+    fence[mfence]
   }
@@ -64,2 +65,3 @@
     0 -> turn
+    fence[mfence]
   }

18 places tried with mfence, """


def test_placements() -> None:
    outcome = run(*PETERSON)
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith(FIRST)


def test_what_is_written_is_safe(tmp_path: Path) -> None:
    target = tmp_path / "mended.xcfa"
    outcome = run(*PETERSON, "--write", str(target))
    assert outcome.exit_code == 0
    assert outcome.stdout.endswith(f"placement 1 was written to {target}\n")
    text = target.read_text(encoding="utf-8")
    assert text.count("fence[mfence]") == 2
    assert text.startswith("// Peterson's mutual exclusion algorithm")  # the comments are still there
    assert run("check", str(target), "--mcm", "tso", "-q").exit_code == 0


@pytest.mark.parametrize("name", ["spinlock", "peterson_fenced", "treiber", "mp"])
def test_the_text_stays_the_authors_own(name: str, tmp_path: Path) -> None:
    """Fences in and out, orders on and off, on lines of their own and between others: the comments stay."""
    target = tmp_path / "mended.xcfa"
    options = ("--orders",) if name in ("spinlock", "mp") else ()
    model = "rc11" if options else "pso"
    outcome = run("fences", name, "--mcm", model, "--cheapest", "--write", str(target), *options)
    assert outcome.exit_code == 0
    assert target.read_text(encoding="utf-8").startswith("// ")
    assert run("check", str(target), "--mcm", model, "-q").exit_code == 0


def test_json() -> None:
    document = json.loads(run(*PETERSON, "--why", "--format", "json").stdout)
    assert document["verdict"] == "fenced"
    assert (document["complete"], document["monotone"], document["sites"]) == (True, "yes", 18)
    assert document["kinds"] == {"mfence": 1}
    assert (document["runs"], document["counterexamples"], document["bounded"]) == (11, 6, False)
    assert [placement["cost"] for placement in document["placements"]] == [2, 2, 2, 2]
    atom = {"thread": "p0", "line": 29, "column": 5, "where": "after", "statement": "1 -> turn", "kind": "mfence"}
    assert document["placements"][0]["atoms"][0] == atom
    assert len(document["needed"]) == 8
    assert all(entry["execution"]["events"] for entry in document["needed"])


def test_why() -> None:
    text = run(*PETERSON, "--why").stdout
    assert "\nwithout mfence after line 29 `1 -> turn` of p0:\nexecution: " in text
    assert "\nwithout mfence after line 64 `0 -> turn` of p1:\nexecution: " in text


def test_safe_as_it_is() -> None:
    outcome = run("fences", "treiber", "--mcm", "tso")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("safe without any fence (model tso, no bound)\n\n18 places tried with mfence, ")


def test_no_placement_helps() -> None:
    outcome = run("fences", "peterson", "--mcm", "nofence")
    assert outcome.exit_code == 1
    said = "no placement of fence helps (model nofence, no bound)\n\nWith all fences and orders in place, "
    assert outcome.stdout.startswith(said)
    assert "\nexecution: " in outcome.stdout


def test_out_of_time() -> None:
    outcome = run(*PETERSON, "--timeout", "0.000001")
    assert outcome.exit_code == 3


def test_the_state_that_a_litmus_test_asks_for() -> None:
    document = json.loads(run("fences", str(LITMUS / "X86" / "SB.litmus"), "--mcm", "tso", "--format", "json").stdout)
    assert [placement["cost"] for placement in document["placements"]] == [2]
    assert json.loads(run("fences", str(LITMUS / "X86" / "SB.litmus"), "--format", "json").stdout)["model"] == "tso"
    power = run("fences", str(LITMUS / "PPC" / "MP.litmus"), "--mcm", "power", "--format", "json")
    placements = json.loads(power.stdout)["placements"]
    assert [[atom["kind"] for atom in placement["atoms"]] for placement in placements] == [["lwsync", "lwsync"]]


def test_a_c_program(tmp_path: Path) -> None:
    program = tmp_path / "sb.c"
    program.write_text(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
        "atomic_int x, y;\nint a, b;\n"
        "void *f(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed);\n"
        "  a = atomic_load_explicit(&y, memory_order_relaxed); return 0; }\n"
        "void *g(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed);\n"
        "  b = atomic_load_explicit(&x, memory_order_relaxed); return 0; }\n"
        "int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);\n"
        "  pthread_join(s, 0); pthread_join(t, 0); assert(a || b); }\n",
        encoding="utf-8",
    )
    outcome = run("fences", str(program), "--mcm", "tso", "--format", "json")
    assert outcome.exit_code == 0
    (placement,) = json.loads(outcome.stdout)["placements"]
    assert sorted(atom["line"] for atom in placement["atoms"]) == [7, 9]


WRONG = [
    ((*PETERSON, "--kinds", "mfenc"), "there is no kind of fence `mfenc`"),
    ((*PETERSON, "--sites", "stores"), "'stores' is not one of 'all', 'after-stores'."),
    ((*PETERSON, "--only", "p7"), "there is no process `p7`"),
    ((*PETERSON, "--robust", "sd"), "did you mean `sc`?"),
    (
        (*PETERSON, "--unbounded", "--liveness"),
        "--unbounded cannot be used with --liveness: a proof is of safety, whatever the bound.",
    ),
    ((*PETERSON, "--buffer", "2"), "--buffer needs --ltl: proofs have no bound, and what is checked has no buffers."),
    ((*PETERSON, "--ltl", "F turn = 1", "--robust"), "--ltl cannot be used with --robust: it says by itself"),
    ((*PETERSON, "--ltl", "F turn = 1", "--unbounded"), "--ltl cannot be used with --unbounded: it says by itself"),
    ((*PETERSON, "--unbounded", "--max-depth", "3"), "--unbounded cannot be used with --max-depth: a proof"),
    ((*PETERSON, "--deadlock"), "--deadlock needs --unbounded: a check finds deadlocks anyway."),
    (("fences", "peterson", "--mcm", "power", "--unbounded"), "a proof without bounds needs a machine"),
    ((*PETERSON, "--limit", "0"), "0 is not in the range from 1 to 1000000."),
    ((*PETERSON, "--write", "no/such/folder/x.xcfa"), "this cannot be written"),
    (("fences", "peterson"), "Missing option '--mcm'"),
    (("fences", "petersen", "--mcm", "tso"), "did you mean `peterson`?"),
    (("fences", "peterson", "--mcm", "weak", "--orders"), "the model weak knows no orders of accesses"),
    (("fences", "test.dve", "--mcm", "tso", "--write", "x.xcfa"), "--write is for .xcfa, C and C++ programs"),
]


@pytest.mark.parametrize(("args", "message"), WRONG)
def test_wrong(args: tuple[str, ...], message: str) -> None:
    outcome = run(*args)
    assert outcome.exit_code == 2
    assert message in outcome.stderr


def test_in_python() -> None:
    model = xgen.model("tso")
    answer = xgen.fences(xgen.load(shipped("programs") / "peterson.xcfa"), model)
    assert (answer.verdict, len(answer.placements)) == ("fenced", 4)
    assert xgen.check(answer.apply(3), model).verdict == "safe"


def test_executions_are_shown_whole() -> None:
    """There is no option that would show what is left out."""
    for args in ((*PETERSON, "--why"), ("fences", "peterson", "--mcm", "nofence")):
        assert "--full-witness" not in run(*args).stdout


def test_other_demands() -> None:
    """What is asked for beyond safety is said, in the verdict and in JSON."""
    robust = run("fences", "dekker", "--mcm", "tso", "--robust", "--cheapest")
    assert robust.exit_code == 0
    assert "(model tso, no bound, all executions as under sc)" in robust.stdout
    endless = run("fences", "endless/peterson", "--mcm", "tso", "--unbounded", "--format", "json")
    document = json.loads(endless.stdout)
    assert (document["verdict"], document["unbounded"], document["placements"][0]["cost"]) == ("fenced", True, 2)
    assert [line for line in document["diff"] if line.startswith("+ ")] != []
    live = run("fences", "spinlock", "--mcm", "tso", "--liveness")
    assert live.stdout.startswith("safe without any fence (model tso, no bound, no thread waits for ever)")


def test_a_page(tmp_path: Path) -> None:
    """Each placement stands on the program's text; with --why there is a drawing for each of its fences."""
    page = tmp_path / "page.html"
    assert run(*PETERSON, "--why", "--html", str(page)).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert text.count('<details class="answer"') == 4
    assert text.count('<span class="put">mfence</span>') == 8
    assert text.count("<svg ") == 8
    assert '<span class="number">29</span>    1 -&gt; turn<span class="put">mfence</span></span>' in text
    assert run("fences", "peterson_fenced", "--mcm", "tso", "--html", str(page)).exit_code == 0
    assert page.read_text(encoding="utf-8").count('<span class="gone">') > 0
    none = run("fences", "peterson", "--mcm", "nofence", "--html", str(page))
    assert (none.exit_code, page.read_text(encoding="utf-8").count("<svg ")) == (1, 1)
    assert run(*PETERSON, "--html", "no/such/folder/x.html").exit_code == 2


def test_the_changed_text_of_a_c_program(tmp_path: Path) -> None:
    target = tmp_path / "mended.c"
    name = str(shipped("programs") / "c" / "ticketlock.c")
    options = ("-D", "UNSAFE", "--mcm", "rc11")
    outcome = run("fences", name, *options, "--orders", "--cheapest", "--write", str(target))
    assert outcome.exit_code == 0
    assert "+  atomic_store_explicit(&serving, ticket + 1, memory_order_release);" in outcome.stdout
    assert run("check", str(target), *options, "-q").exit_code == 0


def test_the_placement_that_is_picked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Orders come before fences of the same cost; the change of another placement is shown, and written."""
    monkeypatch.chdir(tmp_path)
    Path("mp.xcfa").write_text(
        "var d : int\nvar f : int\n"
        "process p { init loc A final loc E A -> E {\n  1 -> d\n  1 -> f @ relaxed\n} }\n"
        "process q { var a : int var b : int init loc A loc B final loc E\n"
        "A -> B { a <- f @ acquire } B -> E { assume a = 1; b <- d } B -> E { assume a = 0 } }\n"
    )
    words = ("fences", "mp.xcfa", "--mcm", "rc11", "--orders", "--cheapest", "--kinds", "release=1")
    first = run(*words).stdout
    assert first.splitlines()[3].startswith("   1  release at line 5 ")
    assert first.splitlines()[4].startswith("   1  release ")
    assert "+  1 -> f @ release" in first
    second = run(*words, "--pick", "2", "--write", "out.xcfa")
    assert "+  fence @ release" in second.stdout
    assert "fence @ release" in Path("out.xcfa").read_text()
    third = run(*words, "--pick", "9")
    assert (third.exit_code, "there is no placement 9: 2 placements found" in third.stderr) == (2, True)


def test_orders_only_and_the_weakest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--orders` takes nothing else than `only` behind it: a program may stand there."""
    monkeypatch.chdir(tmp_path)
    Path("mp.xcfa").write_text(
        "var d : int\nvar f : int\n"
        "process p { init loc A final loc E A -> E {\n  1 -> d\n  1 -> f @ seq_cst\n} }\n"
        "process q { var a : int var b : int init loc A loc B final loc E\n"
        "A -> B { a <- f @ seq_cst } B -> E { assume a = 1; b <- d } B -> E { assume a = 0 } }\n"
    )
    for words in (("--orders", "only"), ("--orders=only",)):
        found = run("fences", "mp.xcfa", "--mcm", "rc11", *words, "--relax", "--write", "out.xcfa")
        assert found.exit_code == 0
        assert "1 minimal placement, all of them (model rc11, no bound)" in found.stdout
        assert "weakest orders, in this test\n  mp.xcfa:5: seq_cst -> release\n  mp.xcfa:8: seq_cst -> acquire\n" in (
            found.stdout
        )
        text = Path("mp.xcfa").read_text().replace("f @ seq_cst\n", "f @ release\n")
        assert Path("out.xcfa").read_text() == text.replace("f @ seq_cst ", "f @ acquire ")
    assert run("fences", "--orders", "mp.xcfa", "--mcm", "rc11").stdout.startswith("safe without any fence")
    refused = run("fences", "mp.xcfa", "--mcm", "rc11", "--relax")
    assert (refused.exit_code, "--relax needs --orders or --orders-only: " in refused.stderr) == (2, True)
    refused = run("fences", "mp.xcfa", "--mcm", "rc11", "--orders", "only", "--sites", "after-stores")
    assert (refused.exit_code, "--orders-only cannot be used with --sites after" in refused.stderr) == (
        2,
        True,
    )
    document = json.loads(
        run("fences", "mp.xcfa", "--mcm", "rc11", "--orders", "only", "--relax", "--format", "json").stdout
    )
    assert [(each["line"], each["from"], each["to"]) for each in document["relaxed"][0]] == [
        (5, "seq_cst", "release"),
        (8, "seq_cst", "acquire"),
    ]


@pytest.fixture
def two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """A queue of one place that lacks a release, in a file of its own."""
    monkeypatch.chdir(tmp_path)
    Path("lib").mkdir()
    Path("lib/box.h").write_text("void put(int value);\nint get(void);\n")
    Path("lib/box.c").write_text(
        '#include <stdatomic.h>\n#include "box.h"\nstatic int box;\nstatic atomic_int full;\n'
        "void put(int value) {\n  box = value;\n  atomic_store_explicit(&full, 1, memory_order_relaxed);\n}\n"
        "int get(void) {\n  return atomic_load_explicit(&full, memory_order_acquire) ? box : 0;\n}\n"
    )
    Path("test.c").write_text(
        '#include <pthread.h>\n#include "lib/box.h"\nvoid *w(void *p) { put(1); return 0; }\n'
        "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); get(); return 0; }"
    )
    return ("fences", "test.c", "lib/box.c", "--orders", "--cheapest")


CHANGE = [
    "-  atomic_store_explicit(&full, 1, memory_order_relaxed);",
    "+  atomic_store_explicit(&full, 1, memory_order_release);",
]


def test_changes_of_a_second_file_are_shown(two_files: tuple[str, ...]) -> None:
    lines = run(*two_files).stdout.splitlines()
    at = lines.index("--- lib/box.c")
    assert lines[at + 1 : at + 6 : 4] == ["+++ lib/box.c", CHANGE[1]]
    assert "--- test.c" not in lines
    assert [line for line in json.loads(run(*two_files, "--format", "json").stdout)["diff"] if line in CHANGE] == CHANGE
    assert run(*two_files, "--html", "page.html").exit_code == 0
    page = Path("page.html").read_text()
    assert (page.count("<h3>lib/box.c</h3>"), page.count('<span class="put">@ release</span>')) == (2, 1)


@pytest.mark.parametrize("headers", ["own", "cc"])
def test_changes_of_a_second_file_are_written(two_files: tuple[str, ...], headers: str) -> None:
    if headers == "cc" and not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    Path("out").mkdir()
    assert run(*two_files, "--headers", headers, "--write", "out").exit_code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["box.c", "test.c"]
    Path("lib/box.c").write_text(Path("out/box.c").read_text())
    assert run("check", "test.c", "lib/box.c", "-q").exit_code == 0
    assert Path("out/test.c").read_text() == Path("test.c").read_text()


def test_changes_as_a_patch(two_files: tuple[str, ...]) -> None:
    """What `patch` makes of it is safe; also where a file's last line has no end."""
    assert run(*two_files, "--write", "all.patch").exit_code == 0
    assert [line for line in Path("all.patch").read_text().splitlines() if line in CHANGE] == CHANGE
    if not shutil.which("patch"):
        pytest.skip("there is no `patch`")
    subprocess.run(["patch", "-s", "-p0", "-i", "all.patch"], check=True)
    assert run("check", "test.c", "lib/box.c", "-q").exit_code == 0
    Path("test.c").write_text(
        '#include "lib/box.c"\n#include <pthread.h>\nvoid *w(void *p) { put(1); return 0; }\n'
        "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);\n"
        "if (atomic_load_explicit(&full, memory_order_relaxed)) box = 2; }"
    )
    assert run("fences", "test.c", "--orders", "only", "--cheapest", "--write", "all.patch").exit_code == 0
    assert "\\ No newline at end of file\n" in Path("all.patch").read_text()
    subprocess.run(["patch", "-s", "-p0", "-i", "all.patch"], check=True)
    assert run("check", "test.c", "-q").exit_code == 0


def test_one_file_for_two_that_change(two_files: tuple[str, ...]) -> None:
    found = run(*two_files, "--write", "mended.c")
    assert (found.exit_code, Path("mended.c").exists()) == (2, False)
    assert "lib/box.c would change, too: --write takes a folder, or FILE.patch" in found.stderr
    Path("lib/test.c").write_text(Path("lib/box.c").read_text())
    Path("out").mkdir()
    same = run("fences", "test.c", "lib/test.c", *two_files[3:], "--write", "out")
    assert (same.exit_code, list(Path("out").iterdir())) == (2, [])
    assert "two of the files have the same name: --write FILE.patch" in same.stderr
    assert run(*two_files, "--write", "no/such/out.patch").exit_code == 2
