"""What tells two memory models apart.

compare      tests of a suite, or what `distinguish` finds
distinguish  the smallest program that tells them apart
file         the file in which a search is kept
"""
