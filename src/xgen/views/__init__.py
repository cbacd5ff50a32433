"""How results are shown: text for people, JSON for scripts, drawings.

A view takes a Result or an Execution and returns text (or a graph); it prints nothing and runs nothing.

answers    each kind of answer as text and as JSON; junit: results of litmus tests for what runs tests
findings   what is wrong as lines, for what reads those; sarif: as SARIF
drawing    executions, runs and automata as pictures
pages      pages that need nothing else
notebook   how results show themselves in a notebook
rendering  the views that executions and results draw themselves with
words      numbers, times and sentences as people read them
"""
