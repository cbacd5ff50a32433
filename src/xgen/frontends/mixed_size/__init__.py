"""Accesses of several sizes to the same bytes, of no language: where bytes are cut, and what accesses come to.

parts      accesses of several parts: loads or stores right behind each other, updates
numbers    the number that parts are; what a part has of a number
cuts       where accesses cut bytes; atomic accesses of several sizes
addresses  which of some addresses one is
"""
