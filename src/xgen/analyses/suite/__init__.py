"""Litmus tests, one or thousands.

litmus       what a test shows under a model
suite        finding tests, running them, comparing with expected verdicts
schedule     the order in which they are run; runner: by several processes or machines
sliced_test  tests that are explored in parts
file         the file in which a suite is kept
"""
