"""LLVM's IR as data.

types, tokens, ir   the text: globals, functions, instructions
metadata            places and names in the source
regions             loops of a function, and where its ways meet again
"""
