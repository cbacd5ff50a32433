"""Execution graphs: a problem in, what the core found out.

run            a run of the core, and what it has found; found: what that comes to; options: how it explores
native         what the core is given; deepening: with which bounds and classes a run without a bound explores
lazy_cells     runs that start without the cells that only pointers lead to
in_order       programs of which it is found out whether they have load buffering
symmetry       which threads do the same
probes         random ways down the tree of graphs; estimate: how large it is; sampling: what they meet
diagnosis      where threads were cut, go round and wait, and which assertions no execution comes to
fair_extension further rounds of threads that wait for ever
intervals      parts of an exploration: intervals of its depth-first order
convert        from the core's traces to executions; lazy: sequences that are made when they are asked for
final_states   the final states that the core has gathered; visited: which instructions executions come to
"""
