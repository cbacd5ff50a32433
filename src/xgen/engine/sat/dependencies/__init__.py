"""What depends on what in a thread, for models that ask: by address, by value, and by the way that a thread takes.

taint      the events that a register's value, an address or a thread's way comes from, as literals
thin_air   no event depends on itself by way of reads-from
trail      the same for one way that a thread takes, step by step: what a replay believes
"""
