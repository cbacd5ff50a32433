#!/usr/bin/env bash
# pycparser refuses valid C in which a name of a type is a label, an enumerator, or in its own initializer.
#
# Expected: labels have a name space of their own (C11 6.2.3), and an inner declaration hides a typedef from the end of
# its declarator, or of the enumerator, on (6.2.1p7), as for members, parameters and variables, which it reads. Seen:
# three errors of the parser; gcc takes all six functions.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/read.py" <<'PYTHON'
import pathlib
import subprocess

import pycparser
from importlib.metadata import version

print("pycparser", version("pycparser"))
TEXTS = {
    "a label": "typedef int T; void f(void) { goto T; T: ; }",
    "an enumerator": "typedef int T; int f(void) { enum { T = 2 }; return T * 3; }",
    "in its own initializer": "typedef int T; int f(void) { int T = sizeof T; return T; }",
    "a variable": "typedef int T; int f(void) { int T = 1; return T * 3; }",
    "a parameter": "typedef int T; int f(int T) { return T * 3; }",
    "a member": "typedef int T; struct s { unsigned T; }; int f(struct s x) { return x.T; }",
}
folder = pathlib.Path(__file__).parent
for name, text in TEXTS.items():
    (folder / "a.c").write_text(text)
    subprocess.run(["gcc", "-std=c11", "-pedantic-errors", "-fsyntax-only", folder / "a.c"], check=True)
    try:
        pycparser.CParser().parse(text)
        print(f"{name}: read")
    except pycparser.c_parser.ParseError:
        print(f"{name}: refused")
PYTHON
gcc --version | head -1
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check pycparser==3.12
"$work/venv/bin/python" "$work/read.py" | tee "$work/told"
diff "$work/told" - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
pycparser 3.12
a label: refused
an enumerator: refused
in its own initializer: refused
a variable: read
a parameter: read
a member: read
END
