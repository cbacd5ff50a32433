"""Exploring: a program under a model in, what was found out.

problem     a program under a model, and what is asked: where every exploration starts
run         a run of the core, and what it has found
touched     runs that start without the cells that only pointers lead to
found       what that comes to
estimate    how large it is going to be
convert     from the core's traces to executions

Long runs, in which nothing is lost:

long         what they are as a whole: bounds, signals, files
coordinator  which parts are open, and who explores them
lazy         sequences that are made when they are asked for
intervals    the parts: intervals of the depth-first order
slices       explored for a time each
workers      by this process, or others
processes    of this machine
cluster      or workers of Dask
children     processes that may die at any moment
gathered     what was found by them all
file         files in which runs are kept
checkpoint   that of an exploration
memory       how much there is
"""
