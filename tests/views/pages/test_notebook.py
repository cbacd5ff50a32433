"""Notebooks: how executions and results show themselves, and that docs/notebook.ipynb shows what it says."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

import xgen
from views import samples
from views.pages.notebook import outputs_of
from xgen.executions.result import Outcome
from xgen.resources import shipped

NOTEBOOK = Path(__file__).parents[3] / "docs" / "notebook.ipynb"


def test_an_execution_draws_itself() -> None:
    execution = samples.load_buffering()
    assert execution._repr_svg_() == execution.to_svg()
    assert 'data-relation="data"' not in execution.to_svg()
    assert 'data-relation="data"' in execution.to_svg(dependencies=True)


def test_a_result_shows_its_verdict_its_outcomes_and_the_witness() -> None:
    root = xml.fromstring(samples.violated()._repr_html_())
    assert "".join(root.find("p").itertext()).startswith("violation: assertion violated at ")  # type: ignore[union-attr]
    rows = [[cell.text for cell in row] for row in root.iter("tr")]
    assert rows == [["p0:a", "p1:b", "count", "violations"], ["0", "0", "1", "1"]]
    assert root.find("{http://www.w3.org/2000/svg}svg") is not None
    safe = xml.fromstring(samples.result()._repr_html_())
    assert safe.find("{http://www.w3.org/2000/svg}svg") is None


def test_the_table_of_outcomes() -> None:
    assert samples.result().table() == [
        {"p0:a": 0, "p1:b": 1, "x": 1, "count": 1, "violations": 0},
        {"p0:a": 1, "p1:b": 0, "x": 1, "count": 2, "violations": 0},
    ]


def test_a_model_shows_what_it_demands() -> None:
    root = xml.fromstring(xgen.model("tso")._repr_html_())
    assert root.findtext("p/b") == "tso: x86-TSO: stores wait in a buffer, in order"
    constraints, definitions = [[[cell.text for cell in row] for row in table] for table in root.iter("table")]
    assert [row[0] for row in constraints] == ["constraint", "coherence", "store_order"]
    assert constraints[2][1] == "global acyclic"
    assert ["ppo", "relation"] in [row[:2] for row in definitions]
    odd = xgen.parse_model('model "<i>" "a & b"\n')
    assert "no constraints" in "".join(xml.fromstring(odd._repr_html_()).itertext())


def test_an_explanation_draws_itself() -> None:
    program = xgen.load(shipped("programs") / "mp.xcfa")
    explanation = xgen.explain(program, xgen.model("tso"))
    root = xml.fromstring(explanation._repr_html_())
    assert "".join(root.find("p").itertext()).startswith("forbidden by tso")  # type: ignore[union-attr]
    assert root.find("{http://www.w3.org/2000/svg}svg") is not None
    assert len(list(root.iter("li"))) == len(explanation.highlight)


def test_long_tables_are_cut_and_names_escaped() -> None:
    outcomes = tuple(Outcome({"a<b": n}, 1) for n in range(60))
    text = samples.result(outcomes=outcomes, program="<i>", model="<m>")._repr_html_()
    assert len(list(xml.fromstring(text).iter("tr"))) == 51
    assert "and 10 more" in text


def test_the_notebook_of_the_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each code cell shows what is stored in the notebook. (tests/views/pages/notebook.py stores it.)"""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    stored = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(stored) >= 5
    monkeypatch.chdir(NOTEBOOK.parent)
    assert outputs_of(notebook) == stored
