"""Memory models: text in, a Model (constraints over terms of one algebra) out, and what follows from it.

algebra   terms, constraints, models; show: terms as text
mcm, cat  the two languages; library: models by name or file; cache: as they were read, and what was found out
adapt     what a program's exclusive accesses and atomic blocks add to a model; ready: all that a program needs
statics   what is proved of a model; plans: what the core evaluates
evaluate  a model on one execution, for explanations; undefined: which of its flags an execution raises
"""
