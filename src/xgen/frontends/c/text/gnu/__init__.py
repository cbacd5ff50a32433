"""GNU C as C11, tokens to tokens.

built_in   functions of the compiler that stand for an expression, or for functions of the library
labels     labels of a block
desugar    all else: statement expressions, typeof, attributes, ...
"""
