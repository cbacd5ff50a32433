#!/usr/bin/env bash
# PySAT reads DIMACS CNF by lines: a clause in two lines is two other clauses (1.8), or an error (1.9).
#
# Expected: clauses end with 0, and blanks and ends of lines between literals mean the same, as the format says and as
# minisat, picosat, CaDiCaL read it. Seen: of "1 2" and "3 0" in two lines 1.8.dev12 makes the clauses (1) and (3),
# since the last word of each line is thrown away as if it were the 0; so a formula that has a model with neither loses
# it. Of "1 2 0 -3 0" in one line it makes a clause with the literal 0. 1.9.dev24 refuses both; the lines "%" and "0",
# with which the formulas of SATLIB end, were two empty clauses, and are refused now. The number of variables in the
# header is not heeded by either.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/read.py" <<'PYTHON'
import pysat
from pysat.formula import CNF
from pysat.solvers import Minisat22


def read(text):
    try:
        return CNF(from_string=text).clauses
    except ValueError:
        return "refused"


print("PySAT", pysat.__version__)
split = read("p cnf 3 1\n1 2\n3 0\n")
print("a clause in two lines:", split)
print("two clauses in a line:", read("p cnf 3 2\n1 2 0 -3 0\n"))
print("SATLIB's end:", read("p cnf 3 1\n1 2 3 0\n%\n0\n"))
print("variables of 'p cnf 5 1', '1 2 0':", CNF(from_string="p cnf 5 1\n1 2 0\n").nv)
if split != "refused":
    with Minisat22(bootstrap_with=split) as solver:
        print("(1 or 2 or 3) and not 1 and not 3:", solver.solve(assumptions=[-1, -3]))
PYTHON
for version in 1.8.dev12 1.9.dev24; do
    python3 -m venv "$work/$version"
    "$work/$version/bin/pip" install -q --disable-pip-version-check --only-binary :all: python-sat==$version
    "$work/$version/bin/python" "$work/read.py"
done | tee "$work/out"
diff "$work/out" - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
PySAT 1.8.dev12
a clause in two lines: [[1], [3]]
two clauses in a line: [[1, 2, 0, -3]]
SATLIB's end: [[1, 2, 3], [], []]
variables of 'p cnf 5 1', '1 2 0': 2
(1 or 2 or 3) and not 1 and not 3: False
PySAT 1.9.dev24
a clause in two lines: refused
two clauses in a line: refused
SATLIB's end: refused
variables of 'p cnf 5 1', '1 2 0': 2
END
