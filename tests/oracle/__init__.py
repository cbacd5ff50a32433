"""The oracle: all executions of a small program by brute force, written from the definitions.

It shares no code with xgen: it has its own programs, its own enumeration and its own evaluation of memory models. Of
xgen it imports nothing but the data types of the relational algebra, in which a memory model is given.

    expressions expressions over local variables: values, dependencies, text
    programs    programs, their text as XCFA
    running     what a thread does, step by step, and what its events depend on
    enumerate   all executions of a program that a model allows
    evaluate    the relational algebra over Python sets of pairs
    sizes       accesses of several sizes, byte by byte; pairs: of two registers at once
    classes     classes of executions
    races       data races of C11 in an execution
    models      a few memory models as terms, and random ones
    strategies  random programs, from a seed or drawn by hypothesis; generators: of kinds of their own
    buffers     machines with a memory and store buffers
    cub         parameterised systems
    compare     what xgen found against what the oracle found
    shrink      a smaller program with the same difference
    run_*       tens of thousands of programs from the command line
"""
