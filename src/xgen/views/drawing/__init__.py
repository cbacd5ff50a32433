"""Executions, runs and automata as drawings: what a picture shows, where it goes, SVG, Graphviz, networkx.

picture     the data: boxes, columns, edges, frames; what relations are called
picturing   an execution -> its Picture, of boxes (what they say), edges (which ones) and frames
layout      where all of it goes: tracks (of edges), labels; groups: which threads of a GPU stand together
svg, dot, tikz, graph
            what a picture is written as: SVG, Graphviz, TeX, networkx
runs, timeline, automaton
            runs of proofs and ltl; calls of a client; a program
"""
