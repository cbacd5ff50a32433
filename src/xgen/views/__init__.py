"""How results are shown: text for people, JSON for scripts, Graphviz and networkx for executions.

A view takes a Result or an Execution and returns text (or a graph); it prints nothing and runs nothing.
"""
