"""Can a program go wrong? One question, and the ways to explore for its answer.

question     what is asked: options, and which of them exclude which
case         a program, a model and a question: what each of these is given
strategies   which way to explore, by the question
result       what is said of an exploration
check        the answer: all of these, one after the other
portfolio    executions and classes of them, in turns
independent  programs whose parts share nothing: the product of their runs
cones        what can go wrong in a thread, from the part of the program that it depends on
again        larger bounds on rounds where one leaves nothing, and smaller witnesses
completion   whether any execution of the whole completes, where parts were explored
coverage     which lines executions come to; weaken: whether a weaker order is noticed; properties: those of SV-COMP
"""
