"""Small programs made to order: a shape in, a program or the text of a litmus test out.

shape    what a small program is, and a test
shapes   all small programs, from the smallest on, and these as XCFA
cycles   critical cycles, and the tests that ask for them
writers  tests as text, for each architecture
"""
