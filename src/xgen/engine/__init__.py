"""Exploring: a program under a model in, what was found out.

explore     a run of the core, and what it has found
distribute  the same in parts
estimate    how large it is going to be
convert     from the core's traces to executions
"""
