"""Questions about programs and models: problems in, answers as data out.

safety   can it go wrong?
litmus   what does a litmus test show? suites: many of them, in several processes
explain  why is an outcome forbidden, or how does it come about?
compare  what tells two models apart?
"""
