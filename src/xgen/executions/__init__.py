"""The answers as data: what engines find, what analyses answer, what views show. Nothing in here computes an answer.

execution  events, executions, violations
result     outcomes, counters, the verdict of a check; sample, proof: of random samples, without a bound
coverage   which lines are come to; weakened: which orders a check notices; answer: that to a task of SV-COMP
missing    what a race lacks; waiting: why nobody wakes a thread
rendering  how answers draw themselves: a port, which the views fill
"""
