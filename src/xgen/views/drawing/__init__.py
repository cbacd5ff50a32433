"""Executions, runs and automata as drawings: what a picture shows, where it goes, SVG, Graphviz, networkx."""
