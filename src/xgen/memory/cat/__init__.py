"""Reading herd's .cat models (docs/cat.md).

lexer, parser, syntax     text -> syntax tree
elaborate, evaluate       what its definitions mean -> Model
values, kinds             what they are: relations, sets, functions, tags
builtins, world, gpu      the functions and words that herd gives to models, by architecture; those of GPUs
"""

from xgen.memory.cat.elaborate import read_cat

__all__ = ["read_cat"]
