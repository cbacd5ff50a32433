"""Fences and orders that make a program safe.

fences           all minimal sets of them, and the cheapest
sites            where they can stand, and putting them there; c_text: in the text of C programs
kinds            which there are, and which is stronger than which
demands          what they are to bring about
minimal          all minimal sets of what mends something
counterexamples  whether a model still allows what went wrong, with fences put in
"""
