"""The answers as data: what engines find, what analyses answer, what views show. Nothing in here computes an answer.

execution  events, executions, violations
result     outcomes, counters, the verdict of a check
rendering  how answers draw themselves: a port, which the views fill
"""
