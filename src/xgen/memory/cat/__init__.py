"""Reading herd's .cat models (docs/cat.md)."""

from xgen.memory.cat.elaborate import read_cat

__all__ = ["read_cat"]
