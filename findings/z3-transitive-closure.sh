#!/usr/bin/env bash
# z3: of the transitive closure of an empty relation, "a leads to a" is unsat, and so is "a does not lead to a".
#
# Expected: the closure of a relation without a pair is empty: the first is unsat, the second is sat. Seen: both are
# unsat in 4.12.2 and in 5.4.1, so a proof by TransitiveClosure proves anything there. 4.8.17 says of the second that it
# does not know.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/ask.py" <<'PYTHON'
import z3

print("z3", z3.get_version_string())
Thing = z3.DeclareSort("Thing")
edge = z3.Function("edge", Thing, Thing, z3.BoolSort())
reach = z3.TransitiveClosure(edge)
a, x, y = z3.Consts("a x y", Thing)
for name, claim in (("a leads to a", reach(a, a)), ("a does not lead to a", z3.Not(reach(a, a)))):
    solver = z3.Solver()
    solver.set("timeout", 20000)
    solver.add(z3.ForAll([x, y], z3.Not(edge(x, y))), claim)
    print(f"{name}: {solver.check()}")
PYTHON
for version in 4.8.17.0 4.12.2.0 5.4.1.0; do
    python3 -m venv "$work/$version"
    "$work/$version/bin/pip" install -q --disable-pip-version-check --only-binary :all: setuptools z3-solver==$version
    "$work/$version/bin/python" "$work/ask.py"
done | tee "$work/told"
diff "$work/told" - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
z3 4.8.17
a leads to a: unsat
a does not lead to a: unknown
z3 4.12.2
a leads to a: unsat
a does not lead to a: unsat
z3 5.4.1
a leads to a: unsat
a does not lead to a: unsat
END
