"""Runs the code cells of a notebook as Jupyter would, as far as the notebooks of docs/ need it.

`python tests/views/pages/notebook.py docs/notebook.ipynb` writes what the cells show into the notebook.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

FORMS = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}


def outputs_of(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """What each code cell shows: what it prints, and its last expression."""
    names: dict[str, Any] = {}
    return [_run("".join(cell["source"]), names) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _run(text: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        data = {form: getattr(value, name)() for form, name in FORMS.items() if hasattr(value, name)}
        data = data or {"text/plain": repr(value)}
        data = {form: shown.splitlines(True) for form, shown in data.items()}
        outputs.append({"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": None})
    return outputs


def main(path: Path) -> None:
    """Fills in the outputs."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    os.chdir(path.parent)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell, outputs in zip(code, outputs_of(notebook), strict=True):
        cell["outputs"] = outputs
    Path(path.name).write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
