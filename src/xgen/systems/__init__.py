"""Inputs of the engines that do not run XCFA: what front ends make, and engines and analyses ask.

processes      processes that move between states (LTL, DVE)
parameterised  systems of any number of processes (cub)
"""
