"""Small programs made to order: a shape in, a program or the text of a litmus test out.

cycles   critical cycles, and the tests that ask for them; writers: these as text
shapes   all small programs, from the smallest on; examples: these as litmus tests
"""
