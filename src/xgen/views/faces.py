"""The views that executions, results, models and explanations draw themselves with (executions/faces.py)."""

from __future__ import annotations

from xgen.views.dot import execution_to_dot
from xgen.views.graph import execution_to_networkx
from xgen.views.notebook import explanation_to_fragment, model_to_fragment, result_to_fragment
from xgen.views.svg import execution_to_svg

__all__ = [
    "execution_to_dot",
    "execution_to_networkx",
    "execution_to_svg",
    "explanation_to_fragment",
    "model_to_fragment",
    "result_to_fragment",
]
