"""Programs as pictures."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from xgen.errors import Source
from xgen.program.parser import parse_program
from xgen.views.drawing.automaton import program_to_dot

PROGRAM = """\
var x : int
process p {
  var a : int
  init loc Start
  final loc End
  error loc Bad
  Start -> End { a <- x; assume a < 1 }
  Start -> Bad
}
main process q {
  main procedure run() {
    init loc L
    L -> L { 1 -> x }
  }
}
"""


def picture() -> str:
    return program_to_dot(parse_program(Source("p.xcfa", PROGRAM)))


def test_locations_and_edges() -> None:
    lines = [line.strip() for line in picture().splitlines()]
    assert "graph [color=gray70 label=<<b>q:run</b>> margin=12 style=rounded]" in lines
    assert '"p:Start" [label=<Start> penwidth=2.5]' in lines
    assert '"p:End" [label=<End> peripheries=2]' in lines
    assert any(line.startswith('"p:Bad" [label=<Bad> ') and "shape=doubleoctagon" in line for line in lines)
    assert '"p:Start" -> "p:End" [label=<a &lt;- x<br/>assume a &lt; 1<br/>>]' in lines
    assert '"p:Start" -> "p:Bad"' in lines
    assert '"q:run:L" -> "q:run:L" [label=<1 -&gt; x<br/>>]' in lines


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_the_text() -> None:
    drawn = subprocess.run(["dot", "-Tsvg"], input=picture(), capture_output=True, check=True, encoding="utf-8")
    assert drawn.stderr == ""
    assert "assume a &lt; 1" in drawn.stdout
