#!/usr/bin/env bash
# libclang 18.1.1 for Python: the arguments of an atomic builtin come in another order than the text has them.
#
# Expected: of `__atomic_compare_exchange_n(q, &e, 1, 0, 3, 2)` the children of its cursor are in the order of the
# text, as a call's are. Seen: the pointer, the order of success, &e, the order of failure, the new value, "weak" (how
# clang stores an AtomicExpr), the cursor is an UNEXPOSED_EXPR without a name, so that which of the builtins it is can
# only be had from its tokens; and of `__atomic_store_n(q, 7, 5)` the order 5 stands before the value 7.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check libclang==18.1.1
cat > a.py <<'PYTHON'
from importlib.metadata import version

from clang.cindex import Index

TEXT = """void g(int *, int, int);
void f(int *q, int e) {
  g(q, 7, 5);
  __atomic_store_n(q, 7, 5);
  __atomic_compare_exchange_n(q, &e, 1, 0, 3, 2);
}
"""
print("libclang", version("libclang"))
unit = Index.create().parse("a.c", unsaved_files=[("a.c", TEXT)])
assert not list(unit.diagnostics)
body = list(list(unit.cursor.get_children())[1].get_children())[-1]
for call in body.get_children():
    words = [" ".join(token.spelling for token in child.get_tokens()) for child in call.get_children()]
    print(call.kind.name, repr(call.spelling), ", ".join(words))
PYTHON
venv/bin/python a.py | tee out
tail -n +2 out | diff - <(cat <<'SEEN'
CALL_EXPR 'g' g, q, 7, 5
UNEXPOSED_EXPR '' q, 5, 7
UNEXPOSED_EXPR '' q, 3, & e, 2, 1, 0
SEEN
) && echo "as stated" || { echo CHANGED; exit 1; }
