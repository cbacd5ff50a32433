"""Exploring: a program under a model in, what was found out. No engine knows a front end.

problem      a program under a model, and what is asked: where every exploration starts
counters     the same without the orders of updates that nobody sees
graphs       execution graphs: runs of the core, and what they have found
distributed  long runs, by several processes or machines, in which nothing is lost
sat          verdicts by satisfiability, of inputs that nobody knows
symbolic     proofs without bounds, on machines with store buffers of any length
explicit     explicit states behind bounded store buffers, for formulas
cubes        backward reachability, for any number of processes
"""
