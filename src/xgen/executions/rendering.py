"""How answers draw themselves: the port by which data reach the views, which know the data.

`xgen` fills it (`show`); where it is not filled, as in a process that only explores, nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import networkx


class Rendering(Protocol):
    """What the methods that draw need. Those import this module, so it cannot name them."""

    def execution_to_text(self, execution: Any, /) -> str: ...
    def execution_to_dot(self, execution: Any, /, *, show: Collection[str] | None = None) -> str: ...
    def execution_to_svg(
        self, execution: Any, /, *, dependencies: bool = False, show: Collection[str] | None = None
    ) -> str: ...
    def execution_to_networkx(self, execution: Any, /) -> networkx.MultiDiGraph: ...
    def result_to_fragment(self, result: Any, /) -> str: ...
    def model_to_fragment(self, model: Any, /) -> str: ...
    def explanation_to_fragment(self, explanation: Any, /) -> str: ...


_source: Callable[[], Rendering] | None = None


def show(source: Callable[[], Rendering]) -> None:
    """Says where the views come from; they are asked for when something is drawn."""
    global _source
    _source = source


def of() -> Rendering:
    """The views."""
    assert _source is not None, "xgen's __init__ says where the views come from"
    return _source()
