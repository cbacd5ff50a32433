"""Parameterised systems: a machine that tries all states, systems at random, and mutants of given ones."""
