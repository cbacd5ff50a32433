"""Machines with a memory and store buffers: what is explored, waited for and proved is checked against their steps.

machines        sequential consistency, x86-TSO and PSO, to check the oracle itself
fair            threads that wait for ever, as fair cycles of such a machine
waiting         the same under any model, by executions in which each await is written out
invariants      whether what a proof rests on proves something; waiting_stores: what its threads have still to store
proofs          proofs without bounds against checks
"""
