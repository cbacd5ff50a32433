"""What is proved of a model from its text: a Model in, facts out, each with the reason in words.

polarity    which constraints, once violated, stay violated while an execution grows
base_order  whether a model makes po | rf acyclic
strategy    which exploration it gets, and which constraints are looked at on the way
vocabulary  the tags and relations that it speaks of
sequential  whether it allows each run in which threads take turns
separable, unobserved, symmetric
            whether parts that share nothing, and what a thread does by itself, can be left out; pairs both ways
insertion   whether fences only take behaviour away; redundant_fences: whether one of two in a row can go
lint        what is likely a mistake in it
"""
