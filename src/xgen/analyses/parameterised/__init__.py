"""Systems of any number of processes.

prove_system  is a system safe for every number of them?
instance      its states with few processes; divergence: why a search does not end
run           from a chain of cubes to a run; replay: that run as a program for execution graphs
certificate   what is in one, and when it proves what it says
obligations   what it claims, as questions for a solver; pruning: which of them are asked; solvers: who answers
"""
