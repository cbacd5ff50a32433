"""What a model says of the order of events, as clauses from the start, in place of reasons one by one.

total      that a relation has no cycle: there is one order of all events that it is in
unordered  that nothing orders two events
"""
