"""From a model to what the core evaluates: a Model and the classes of a program's events in, a `_core.Plan` out.

nodes  terms as nodes, and what each of them depends on
plan   which nodes are kept from step to step, and in which order they are computed
"""
