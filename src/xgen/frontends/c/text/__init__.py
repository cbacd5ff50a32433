"""From characters to pycparser's tree.

tokens, preprocess, conditions   text -> tokens with their places
lift                             GNU C -> C11, tokens to tokens
reader                           tokens -> pycparser's tree
flags, builds                    what compilers are told: flags, compile_commands.json
compiler, markers                the text that a compiler's preprocessor makes, and its tokens with their places
library_types, prune             what the headers of a system say: its types by their names, and only what is needed
names, link                      several files as one program
"""
