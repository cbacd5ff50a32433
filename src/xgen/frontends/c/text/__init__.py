"""From characters to pycparser's tree.

tokens, preprocess, conditions   text -> tokens with their places
lift                             GNU C -> C11, tokens to tokens
reader                           tokens -> pycparser's tree
"""
