"""Lines of findings, as compilers write them and as GitHub reads them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import xgen
from xgen.errors import Position, Source, XgenError, several
from xgen.views.answers.text import render
from xgen.views.findings import Finding, Region, lines, of_error, of_result

MATCHER = re.compile(r"^(.+?):(\d+):(\d+): (error|warning|note): (.*)$")
"""The problem matcher of docs/ci.md."""
US = sorted(path.stem for path in (Path(__file__).parents[3] / "programs" / "c").glob("*_us.c"))


def check(text: str, model: str = "rc11", language: str = "xcfa") -> xgen.Result:
    return xgen.check(xgen.parse(text, language, name=f"t.{language}"), xgen.model(model))


RACE = "var d : int\nprocess p { 1 -> d; }\nprocess q { var a : int a <- d; }\n"
FREED = """#include <stdlib.h>
#include <pthread.h>
int *p;
void use(void) { *p = 1; }
void *w(void *a) { use(); return a; }
int main() {
  pthread_t t; p = malloc(sizeof *p); pthread_create(&t, 0, w, 0);
  free(p);
  pthread_join(t, 0);
}
"""


def test_a_race() -> None:
    assert list(lines(of_result(check(RACE)), "gcc")) == [
        "t.xcfa:3:25: error: data race on d in q (model rc11) [race]",
        "t.xcfa:2:13: note: the other access, in p",
    ]
    (annotation,) = lines(of_result(check(RACE)), "github")
    head, _, body = annotation.partition("::data race")
    assert head == "::error file=t.xcfa,line=3,col=25,endColumn=31,title=xgen%3A race"
    assert body.startswith(" on d in q (model rc11)%0At.xcfa:2: the other access, in p%0A")
    assert list(lines(of_result(check(RACE)), "none")) == []


def test_nothing_is_wrong() -> None:
    assert of_result(check(RACE, "sc")) == []


def test_calls_and_the_other_places() -> None:
    found = of_result(check(FREED, language="c"))
    assert found
    for finding in found:
        assert finding.number is not None
        assert finding.kind in ("race-with-free", "use-after-free")
        places = [finding.place, *(place for _, place in finding.notes)]
        assert {place.line for place in places if place} == {4, 8}
    assert any(name == "use" and at.line == 5 for finding in found for name, at in finding.calls)


def test_what_is_required_of_final_states() -> None:
    text = "X86 t\n{ }\n P0         ;\n MOV [x],$1 ;\n~exists (x=1)\n"
    required = xgen.parse(text, "litmus", "t.litmus").requirement
    assert required is not None
    assert list(lines(of_result(check(text, "tso", "litmus"), required), "gcc")) == [
        f"t.litmus:1:1: error: final states are not as required: {required.text} (model tso) [final-state]"
    ]


def test_threads_that_wait_for_ever() -> None:
    program = xgen.parse("var x : int process p { var a : int do { a <- x; } while (a = 0); }", name="w.xcfa")
    found = of_result(xgen.check(program, xgen.model("sc"), liveness=True))
    assert [(finding.kind, finding.place and finding.place.line) for finding in found] == [("await", 1)]
    assert found[0].hint


@pytest.mark.parametrize("name", US)
def test_the_shipped_programs_that_are_wrong(name: str) -> None:
    """Every line is one that a matcher reads, and the report has the same places."""
    result = xgen.check(xgen.load(f"c/{name}"), xgen.model("rc11"))
    assert result.witness is not None
    found = of_result(result)
    assert len(found) == len(result.witness.violations) > 0
    report = render(result)
    for finding in found:
        told = list(lines([finding], "gcc"))
        assert len(told) == 1 + len(finding.notes)
        for line in told:
            matched = MATCHER.match(line)
            assert matched is not None
            assert f"\n{matched[1]}:{matched[2]}:{matched[3]}: {matched[4]}: " in report
        assert told[0].endswith(f" [{finding.kind}]")


ERROR = XgenError("no `x`, 100%", Source("a,b.c", "\tx\n"), Position(1, 2), hint="say\nit")


def test_what_is_wrong_with_a_text() -> None:
    other = XgenError("no file", file="h.h")
    found = of_error(several([ERROR, other]))
    assert list(lines(found, "gcc")) == ["a,b.c:1:2: error: no `x`, 100% [input]", "h.h: error: no file [input]"]
    assert list(lines(found, "github")) == [
        "::error file=a%2Cb.c,line=1,col=2,endColumn=3,title=xgen%3A input::no `x`, 100%25%0Asay%0Ait",
        "::error file=h.h,title=xgen%3A input::no file",
    ]
    assert list(lines(of_error(XgenError("nothing")), "gcc")) == ["error: nothing [input]"]


def test_related_places() -> None:
    error = XgenError("two of them", Source("a.c", "f\nf\n"), Position(2, 1))
    error.related = (("the first one", Position(1, 1)), ("in b", Position(3, 4, source=Source("b.c", ""))))
    assert list(lines(of_error(error), "gcc"))[1:] == ["a.c:1:1: note: the first one", "b.c:3:4: note: in b"]


def test_no_line_ends_an_annotation_early() -> None:
    """Whatever a program says, an annotation is one line, and its properties are those that are meant."""
    finding = Finding("race", "a\r\n::error::b", Region("x:y,z\n.c", 1, 1), "x:y,z\n.c")
    (line,) = lines([finding], "github")
    assert line == "::error file=x%3Ay%2Cz%0A.c,line=1,col=1,endColumn=2,title=xgen%3A race::a%0D%0A::error::b"


@pytest.mark.parametrize("folder", ["", "deep/er"])
def test_files_are_named_from_the_working_directory_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    path = tmp_path / folder / "t.xcfa"
    path.write_text(RACE, encoding="utf-8")
    found = of_result(xgen.check(xgen.load(path), xgen.model("rc11")))
    assert found[0].file == str(path)
    monkeypatch.chdir(tmp_path)
    found = of_result(xgen.check(xgen.load(path), xgen.model("rc11")))
    assert found[0].file == f"{folder}/t.xcfa".lstrip("/")
