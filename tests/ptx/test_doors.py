"""Kernels on the command line and in Python: what is passed on, which model is meant, what is refused by name.

The reader is another's: here it is one that says which request it was given.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.fake import run

import xgen
from tests.litmus.gpu.test_ptx import written
from tests.litmus.reading import read as read_test
from tests.ptx.kernels import kernel
from xgen.errors import Source
from xgen.frontends.ptx.conditions import Required, cells_in
from xgen.frontends.ptx.launch import Request
from xgen.records import replace

TEXT = "// xgen: launch k<<<2,1>>>(x[1])\n// xgen: final x == 1\n// xgen[FEW]: launch k<<<1,1>>>(x[1])\n.version 8.0\n"
RACY = written("0 0: st.weak x, 1", "1 0: st.weak x, 1")
WAITS = written("0 0: LC: ld.relaxed.gpu r0, x; bne r0, 1, LC", "1 0: st.relaxed.gpu y, 1")
SAFE = written("0 0: st.relaxed.gpu x, 1", "1 0: ld.relaxed.gpu r0, x")


class Reader:
    """Reads whatever it is given as the same test."""

    test = SAFE
    request: Request
    text: str

    def __call__(self, text: str, source: Source, request: Request) -> xgen.Program:
        self.request, self.text = request, text
        return replace(read_test(self.test).program, source=source, model=None, requirement=None, question=None)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Reader:
    reader = Reader()
    monkeypatch.setattr("xgen.frontends.ptx.read", reader, raising=False)
    monkeypatch.chdir(tmp_path)
    Path("k.ptx").write_text(TEXT, encoding="utf-8")
    return reader


def checked(*words: str) -> dict[str, object]:
    done = run("check", "k.ptx", "--format", "json", *words)
    found: dict[str, object] = json.loads(done.stdout)
    return found | {"code": done.exit_code}


def test_the_model_that_is_meant(reader: Reader) -> None:
    assert xgen.load("k.ptx").model == "cuda"
    assert xgen.load("k.ptx", as_compiled=True).model == "ptx"
    assert xgen.parse(TEXT, "ptx").model == "cuda"
    assert [checked()[key] for key in ("model", "verdict", "code")] == ["cuda", "safe", 0]
    assert checked("--as-compiled")["model"] == "ptx"
    assert checked("--mcm", "sc")["model"] == "sc"
    reader.test = RACY
    assert [checked()[key] for key in ("verdict", "code")] == ["violation", 1]
    assert [checked("--as-compiled")[key] for key in ("verdict", "code")] == ["safe", 0]
    assert [checked("--no-check", "races")[key] for key in ("verdict", "code")] == ["safe", 0]
    assert xgen.load("k.ptx").tested  # as assertions are in PTX
    assert xgen.check("k.ptx").verdict == "violation"
    assert xgen.check("k.ptx", "ptx").verdict == "safe"
    with pytest.raises(xgen.UsageError, match="the model says what a race is"):
        xgen.load("k.ptx", races=True)


def test_who_waits_for_ever_is_asked(reader: Reader) -> None:
    reader.test = WAITS
    assert [checked()[key] for key in ("verdict", "code")] == ["violation", 1]
    assert [checked("--no-liveness")[key] for key in ("verdict", "vacuous", "code")] == ["safe", True, 3]


def test_a_text_that_is_no_file(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its language is that which is said, whatever it is called."""
    assert xgen.parse(TEXT, "ptx", name="<text>").source.name == "<text>"
    assert reader.text == TEXT
    monkeypatch.setattr("xgen.frontends.ptx.sources._compiled", lambda file, request, *_: (file.source.name, request))
    assert xgen.parse(TEXT, "cu", name="<text>").model == "cuda"
    asserts = f"#include <cassert>\n{TEXT}assert(x);\n"
    assert xgen.parse(asserts, "cu").remarks == ()
    assert "NDEBUG" in xgen.parse(asserts, "cu", defines=("NDEBUG",)).remarks[0]
    assert reader.text == "<text>"


def test_it_is_asked_by_every_name(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shipped kernels have names without an ending, and standard input has one of its own."""
    reader.test = WAITS
    monkeypatch.setattr("xgen.frontends.ptx.sources._compiled", lambda file, request, *_: (file.source.text, request))
    assert run("check", "cuda/lock", "-q").stdout.startswith("violation: waits for ever")
    for name in ("cu:-", "ptx:-"):
        monkeypatch.setattr("xgen.sources._standard_input", lambda _: TEXT.encode())
        assert run("check", name, "-q").stdout.startswith("violation: waits for ever")


def test_what_is_passed_on(reader: Reader) -> None:
    checked()
    assert (reader.text, reader.request.launch.grid) == (TEXT, (2, 1, 1))
    assert reader.request.final is not None
    assert (reader.request.final.text, reader.request.warp, reader.request.vectors) == ("x == 1", 32, "whole")
    checked("-D", "FEW")
    assert reader.request.launch.grid == (1, 1, 1)
    checked("-D", "FEW", "-U", "FEW")
    assert reader.request.launch.grid == (2, 1, 1)
    checked("--launch", "j<<<3,1>>>()", "--final", "y == 2", "--vectors", "parts", "--warp", "2")
    request = reader.request
    assert (request.launch.kernel, request.launch.grid, request.warp) == ("j", (3, 1, 1), 2)
    assert request.final is not None
    assert (request.final.text, request.vectors) == ("y == 2", "parts")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--launch", "j<<<3>>>()"), "--launch:1:6: error: unexpected `>>>()`, expected `,`"),
        (("--warp", "3"), "k.ptx: error: a warp has 1, 2, 4, 8, 16 or 32 lanes"),
        (("-I", "inc"), "k.ptx: error: the option `folders` is for CUDA: this is compiled"),
        (("--compiler", "nvcc"), "k.ptx: error: the option `compiler` is for CUDA: this is compiled"),
        (("--clang",), "k.ptx: error: the option `clang` is not for CUDA and PTX"),
        (("--map", "armv8"), "k.ptx: error: the option `map` is not for CUDA and PTX"),
        (("--on", "armv8"), "--on is for programs in C, C++ and Rust"),
        (("--test", "t"), "k.ptx: error: the option `test` is for Rust"),
        (("--cones",), "--cones cannot be used with --liveness, which CUDA turns on (--no-liveness): "),
        (("--classes", "rf"), "--classes rf cannot be used with --liveness, which CUDA turns on (--no-liveness): "),
        (("other.ptx",), "other.ptx: error: a kernel is in one file"),
    ],
)
def test_what_is_refused(reader: Reader, words: tuple[str, ...], said: str) -> None:  # noqa: ARG001
    done = run("check", "k.ptx", *words)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


def test_nothing_says_how_it_is_launched(reader: Reader) -> None:  # noqa: ARG001
    Path("k.ptx").write_text(".version 8.0\n", encoding="utf-8")
    done = run("check", "k.ptx")
    assert (done.exit_code, "nothing says how the kernel is launched" in done.stderr) == (2, True)


def test_final_states_are_wrong_where_they_are_required(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    def required(text: str, source: Source, request: Request) -> xgen.Program:
        assert request.final is not None
        names = dict.fromkeys(cells_in(request.final.condition), ("x", 4))
        return replace(Reader.__call__(reader, text, source, request), requirement=Required(request.final, names))

    monkeypatch.setattr("xgen.frontends.ptx.read", required)
    Path("k.ptx").write_text(TEXT.replace("final x == 1", "final x == 2"), encoding="utf-8")
    said = "error: final states are not as required: x == 2"
    assert f"k.ptx:2:16: {said}" in run("check", "k.ptx").stderr
    assert f"k.ptx:1:1: {said}" in run("check", "k.ptx", "--final", "x == 2").stderr


def test_programs_in_other_languages_are_not_launched() -> None:
    with pytest.raises(xgen.UsageError, match="the option `launch` is for kernels, in CUDA, HIP and PTX"):
        xgen.parse("int main() {}", "c", launch="k<<<1,1>>>()")
    with pytest.raises(xgen.UsageError, match="the option `as_compiled` is for kernels"):
        xgen.parse("process p {}", as_compiled=True)


def test_claims(reader: Reader) -> None:
    said = "// verdict: safe\n// verdict ptx: safe (as-compiled)\n// xgen: --mcm cuda\n"
    Path("k.ptx").write_text(said + TEXT, encoding="utf-8")
    done = run("test", "k.ptx")
    assert (done.exit_code, "2 claims" in done.stdout) == (0, True), done.stdout + done.stderr
    reader.test = WAITS
    assert run("test", "k.ptx").exit_code == 1
    Path("k.ptx").write_text("// verdict: no answer (no-liveness)\n" + TEXT, encoding="utf-8")
    assert run("test", "k.ptx").exit_code == 0


def test_other_commands(reader: Reader) -> None:
    assert run("explain", "k.ptx").exit_code in (0, 1, 2)
    shown = run("show", "k.ptx")
    assert (shown.exit_code, "digraph" in shown.stdout) == (0, True), shown.stderr
    reader.test = RACY
    assert "data race" in run("explain", "k.ptx").stdout
    for command in ("prove", "linearizable"):
        done = run(command, "k.ptx")
        assert done.exit_code == 2, (command, done.stdout, done.stderr)
        print(command, done.stderr)


def test_fences_of_a_launch(tmp_path: Path) -> None:
    """In the scope of the smallest group that all threads are in: a cluster, where they are in one."""
    path = tmp_path / "m.ptx"
    path.write_text(
        kernel(
            """mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra $O;
            st.global.u32 [x], 1;
            st.relaxed.gpu.global.u32 [y], 1;
            ret;
            $O: ld.relaxed.gpu.global.u32 %r2, [y];
            setp.eq.u32 %p2, %r2, 0; @%p2 ret;
            ld.global.u32 %r3, [x];""",
            ".global .align 4 .u32 x; .global .align 4 .u32 y;",
        ),
        encoding="utf-8",
    )
    for launch, scope in (("k<<<2,1>>>()", "gpu"), ("k<<<2,1,cluster(2)>>>()", "cluster")):
        outcome = run("fences", str(path), "--launch", launch)
        assert outcome.exit_code == 0
        assert outcome.stdout.count(f"acq_rel.{scope} ") == 2
        assert outcome.stdout.startswith("1 minimal placement")
