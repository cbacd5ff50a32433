"""Exploring: a program under a model in, what was found out.

problem     a program under a model, and what is asked: where every exploration starts
run         a run of the core, and what it has found
touched     runs that start without the cells that only pointers lead to
parts       the same in parts
estimate    how large it is going to be
convert     from the core's traces to executions
"""
