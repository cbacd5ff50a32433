"""Repair of protocols: takes guarded commands and their faults, gives a program that tolerates them, or says none does.

A house of its own with one door, `xgen repair`: no memory model, no events, no graphs. Nothing of xgen imports it, and
it imports the errors and the building of parsers only. How it works is told in docs/repair.md.

Source: B. Bonakdarpour, S. S. Kulkarni, F. Abujarad, "Symbolic synthesis of masking fault-tolerant distributed
programs", Distributed Computing 25 (2012), for the problem; the reduction to one satisfiability problem is xgen's own.
"""
