"""Executions as TikZ: the boxes and arrows of the drawing, in a text that TeX takes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cli.fake import run

import xgen
from xgen.executions.execution import Execution
from xgen.views.drawing.layout import arrange
from xgen.views.drawing.picture import MEANINGS
from xgen.views.drawing.picturing import picture_of
from xgen.views.drawing.tikz import SIGNATURE, _looks, escape, execution_to_tikz

ROOT = Path(__file__).parents[3]
PAPER = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{tikz}
\pdfpagewidth=4000bp \pdfpageheight=4000bp \textwidth=3900bp \textheight=3900bp
\begin{document}
\noindent\input{%s}
\end{document}
"""


def witness(program: str, model: str, **asked: object) -> Execution:
    found = xgen.check(xgen.load(program), xgen.model(model), **asked).witness  # type: ignore[arg-type]
    assert found is not None
    return found


def test_the_drawing_has_what_the_picture_has() -> None:
    execution = witness("peterson", "tso", dependencies=True)
    picture = picture_of(execution)
    layout, text = arrange(picture), execution_to_tikz(execution)
    assert text.startswith(f"{SIGNATURE} ")
    assert text.endswith("\\end{tikzpicture}}%\n")
    ways = sum(len(bundle.ways) for bundle in layout.bundles)
    steps = sum(len(column.items) - 1 for column in picture.columns)
    legend = len({picture.looks[bundle.relation] for bundle in layout.bundles} | {"po"})
    assert text.count("\\draw[xgen-") == ways + steps + legend
    for column, (x, y, width, height) in zip(picture.columns, layout.columns, strict=True):
        assert f"({x},{y}) rectangle ({x + width},{y + height})" in text
        assert f"{{{column.name}}};" in text
        assert all(f"{{{escape(item.text)}}};" in text for item in column.items)
    assert all(f"({x},{y}) rectangle ({x + w},{y + h})" in text for x, y, w, h in layout.boxes)
    assert text.count("{") == text.count("}")


def test_every_relation_has_a_look() -> None:
    """As the style sheet says, from which they are taken."""
    assert {*MEANINGS, *(f"derived-{n}" for n in range(6))} <= set(_looks())
    assert _looks()["rf"] == ("1C5C3D", 1.6, "7 3")
    assert _looks()["mo"] == ("2236FC", 2.0, "")


def test_what_tex_takes_for_something_else() -> None:
    assert escape(r"a_b & {x} \ 5% #1 $ ^~ <>|") == (
        r"a\_b \& \{x\} \textbackslash{} 5\% \#1 \$ \textasciicircum{}\textasciitilde{}"
        r" \textless{}\textgreater{}\textbar{}"
    )
    assert escape("x → y × 2…") == r"x $\to$ y $\times$ 2\dots{}"
    assert escape("é\t\0日") == "????"


PROGRAMS = [
    ("peterson", "tso", {}),
    ("mpmc_us", "rc11", {}),
    ("cow2r", "weak-a9", {"dependencies": True}),
    ("seqlock_us", "rc11", {}),
]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on PATH")
def test_tex_takes_it(tmp_path: Path) -> None:
    wide = (
        "/* `é` \"'`~^_#$%&{}\\ */ int main() { int a_b = 0; /* <|> ~ ^ % $ # & ' \" ` \\ {} */ __builtin_trap(); }\n"
    )
    (tmp_path / "odd_name#1.c").write_text(wide, encoding="utf-8")
    cases = [*PROGRAMS, (str(tmp_path / "odd_name#1.c"), "sc", {})]
    (tmp_path / "all.tex").write_text(PAPER % "0.tex", encoding="utf-8")
    pages = [f"\\noindent\\input{{{number}.tex}}\\newpage" for number in range(len(cases))]
    (tmp_path / "all.tex").write_text(PAPER.replace("\\noindent\\input{%s}", "\n".join(pages)), encoding="utf-8")
    for number, (program, model, asked) in enumerate(cases):
        text = execution_to_tikz(witness(program, model, **asked))
        (tmp_path / f"{number}.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert f"({len(cases)} pages" in done.stdout
    assert re.findall(r"^(?:Missing character|Overfull).*", done.stdout, re.MULTILINE) == []


def test_the_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("check", str(ROOT / "docs" / "mp.c"), "--mcm", "rc11", "--tex", "mp.tex")
    assert done.exit_code == 1
    assert "the violating execution was written to mp.tex" in done.stdout
    execution = witness(str(ROOT / "docs" / "mp.c"), "rc11")
    assert Path("mp.tex").read_text("utf-8") == execution_to_tikz(execution.only(execution.cause))
    shown = run("check", str(ROOT / "docs" / "mp.c"), "--tex", "po.tex", "--show", "po", "--full-witness", "-q")
    assert (shown.exit_code, shown.stdout.count("\n")) == (1, 1)
    assert Path("po.tex").read_text("utf-8") == execution_to_tikz(execution, show=("po",))
    done = run("check", "mp", "--mcm", "tso", "--tex", "none.tex")
    assert done.stdout.endswith("none.tex was not written (`xgen explain --tex` draws outcomes)\n")
    assert not Path("none.tex").exists()
    Path("folder").mkdir()
    assert run("check", "mp", "--mcm", "tso", "--tex", "folder").exit_code == 2
    assert run("check", "mp", "--mcm", "tso", "--tex", "nowhere/x.tex").exit_code == 2


def test_an_explanation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cycle that forbids an outcome is on a wide band, its steps are numbered, and all else is faint."""
    monkeypatch.chdir(tmp_path)
    done = run("explain", "mp", "--mcm", "tso", "--tex", "mp.tex", "--svg", "mp.svg")
    assert done.exit_code == 0
    text, drawn = Path("mp.tex").read_text("utf-8"), Path("mp.svg").read_text("utf-8")
    steps = drawn.count('class="badge"')
    assert steps == 4
    assert re.findall(r"\\node\[badge\] at \(\d+,\d+\) \{(\d) (\w+)\};", text) == [
        ("1", "po"), ("2", "rf"), ("3", "po"), ("4", "fr"),
    ]  # fmt: skip
    assert text.count("\\draw[band]") == drawn.count('class="band"') == 6
    assert text.count("{") == text.count("}")
    assert "faint]" not in text.partition("\\path")[2]  # all edges are in the cycle
    assert run("explain", "mp", "--mcm", "tso", "--show", "rf").exit_code == 2
    some = run("explain", "mp", "--mcm", "tso", "--tex", "rf.tex", "--show", "rf,start")
    assert (some.exit_code, Path("rf.tex").read_text("utf-8").count("node[badge]")) == (0, steps)
    faint = run("explain", "peterson", "--mcm", "sc", "--tex", "p.tex")
    assert (faint.exit_code, ", faint]" in Path("p.tex").read_text("utf-8")) == (0, True)


def test_it_is_no_wider_than_a_line() -> None:
    text = execution_to_tikz(witness("peterson", "tso"))
    first = text.splitlines()[1]
    assert first == "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%"
    assert "node[badge]" not in text
