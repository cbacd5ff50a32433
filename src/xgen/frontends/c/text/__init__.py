"""From characters to pycparser's tree.

tokens, preprocess, conditions   text -> tokens with their places
gnu                              GNU C -> C11, tokens to tokens
reader, lexer                    tokens -> pycparser's tree
flags, builds                    what compilers are told: flags, compile_commands.json; task_file: tasks of SV-COMP
compiler, markers                the text that a compiler's preprocessor makes, and its tokens with their places
library_types, prune             what the headers of a system say: its types by their names, and only what is needed
names, link                      several files as one program; neighbours: which one is missing
shipped_bodies                   functions of the library that are a few lines of C (include/library.c)
dialect                          whether a program speaks the language of SV-COMP
"""
