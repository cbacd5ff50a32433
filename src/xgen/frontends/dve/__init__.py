"""DVE, the language of DiVinE and of the BEEM models: takes a text, gives a System of processes with guarded steps.

Not by way of XCFA: a DVE step reads and writes several shared variables at once. Source: R. Pelánek, "BEEM: benchmarks
for explicit model checkers", SPIN 2007; the language as DiVinE 3 reads it, without channels and property processes.
"""

from xgen.frontends.dve.reader import read_dve
from xgen.systems.processes import System

__all__ = ["System", "read_dve"]
