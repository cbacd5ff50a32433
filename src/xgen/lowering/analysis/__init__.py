"""What is known of lowered code before it runs.

liveness     which locals matter at events
ranges       between which numbers values stay
value_sets   which values may be written where
symmetry     which renamings of threads and cells leave a program as it is; carried: but for constants of like threads
cones        parts of a program that are enough to find what can go wrong
"""
