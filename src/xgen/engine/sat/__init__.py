"""A verdict by satisfiability: a program's executions under a model as clauses, which a solver satisfies or refutes.

It answers what an exploration cannot: inputs of which nobody knows the range, and one bad execution among millions.

    gates, numbers   clauses that say what gates and arithmetic do
    refusals         what is not encoded, by name and place
    events           what the encoding knows of events, values and states
    computing        what instructions compute, as numbers of bits
    accesses         the events that instructions are
    unroll           each thread once, with all its ways at a time, and loops to a bound
    encoding         program order, reads-from and modification order as literals
    ends             how threads end: deadlocks, and whether an execution completes
    like             of threads that do the same, one order of names
    possible, graph  a model's terms: on all events that there may be; on one execution, with reasons
    races            what leaves a program without a meaning
    recursion        relations that are defined by themselves, on one execution
    dependencies/    what depends on what in a thread, and that nothing comes out of thin air
    orders/          orders of events, as clauses from the start
    solving          the solver; what it gives is judged, and the reason of what is wrong with it is a clause
    replay           what it gives, as an execution that the core's machine and its model confirm
"""
