"""Kernels in PTX, NVIDIA's virtual assembly, and what their text or the command line says of a launch.

launch       a launch, its arguments, what is asked of it: what is said becomes records
conditions   what has to hold in the end, a condition as in C
scanning     words of what is said, with their places
"""
