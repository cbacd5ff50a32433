"""The views that executions, results, models and explanations draw themselves with (executions/rendering.py)."""

from __future__ import annotations

from xgen.views.answers.witness import execution_to_text
from xgen.views.drawing.dot import execution_to_dot
from xgen.views.drawing.graph import execution_to_networkx
from xgen.views.drawing.svg import execution_to_svg
from xgen.views.notebook import explanation_to_fragment, model_to_fragment, result_to_fragment

__all__ = [
    "execution_to_dot",
    "execution_to_networkx",
    "execution_to_svg",
    "execution_to_text",
    "explanation_to_fragment",
    "model_to_fragment",
    "result_to_fragment",
]
