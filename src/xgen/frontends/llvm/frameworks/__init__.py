"""Tests of GoogleTest, doctest, Catch2 and Boost.Test, read with headers of xgen's own in the place of theirs.

include      the headers: tests make a list of themselves, and say which condition has failed
headers      where they are found before the frameworks' own
tests        what a program says of its tests: their names, and which one of them is run
"""
