"""From a model to what the core evaluates: a Model and the classes of a program's events in, a `_core.Plan` out.

class_sets   the sets that the program's text decides
nodes        one node, and what it depends on
table        terms -> nodes
walks        relations of which the engine looks for walks
planner      which nodes are kept from step to step, in which order they are computed, what can break a check
checks       what comes of it, as the engine takes it
plan         the whole, remembered for the next program and the next run
"""
