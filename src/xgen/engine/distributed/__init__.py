"""Long runs, in which nothing is lost: explorations by several processes or machines.

long_run     what they are as a whole: bounds, signals, files
coordinator  which parts are open, and who explores them
slices       parts explored for a time each; totals: what was found by them all
workers      by this process, or others
processes    of this machine
cluster      or workers of Dask
children     processes that may die at any moment
run_file     files in which runs are kept; checkpoint: that of an exploration
memory       how much there is
"""
