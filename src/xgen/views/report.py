"""Pages that only show something: a heading, a sentence, and what is below."""

from __future__ import annotations

import re

from xgen.resources import package_text

_PLACE = re.compile(r"\{\{(\w+)\}\}")


def fill_report(values: dict[str, str]) -> str:
    """The page; `values` has HTML for its title, heading, sentence and body."""
    return _PLACE.sub(lambda match: values[match[1]], package_text("views/report.html"))
