"""Reading .mcm models (docs/mcm.md): text in, a Model out.

parser     text -> syntax tree -> Model; the grammar is mcm.lark
elaborate  statements -> definitions, constraints; operators: what each is called and takes
"""

from xgen.memory.mcm.parser import read_model

__all__ = ["read_model"]
