#!/usr/bin/env bash
# tree-sitter's grammar of C reads `_Atomic(int) x;` as a cast of x, and does not know _Thread_local.
#
# Expected: both are C11: `_Atomic ( type-name )` is a type specifier (6.7.2.4), and _Thread_local a storage class
# (6.7.1), as `_Atomic int x;`, _Alignas, _Noreturn, _Generic and _Static_assert, which it reads. Seen: the declaration
# is a statement whose expression is `(int) x`, behind an error; as a member, a parameter, in a typedef and in sizeof
# it is an error, too, and so is _Thread_local, which it takes for the name of a type. So an editor, a linter or a
# search that is made of it finds no atomic variable of this form. gcc takes each of them.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check tree-sitter==0.26.1 tree-sitter-c==0.24.2
cat > "$work/read.py" <<'PYTHON'
import importlib.metadata
import subprocess

import tree_sitter
import tree_sitter_c

print("tree-sitter-c", importlib.metadata.version("tree-sitter-c"))
parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))
TEXTS = (
    "_Atomic int x;",
    "_Atomic(int) x;",
    "struct s { _Atomic(int) member; };",
    "void f(_Atomic(int) *parameter);",
    "typedef _Atomic(unsigned) word;",
    "unsigned long size = sizeof(_Atomic(int));",
    "static _Thread_local int x;",
    "_Noreturn void f(void);",
    "_Alignas(16) int x;",
)
for text in TEXTS:
    root = parser.parse(text.encode()).root_node
    command = ["gcc", "-std=c11", "-fsyntax-only", "-xc", "-"]
    compiled = subprocess.run(command, input=text, text=True, capture_output=True).returncode == 0
    kinds = " ".join(child.type for child in root.children)
    if text == "_Atomic(int) x;":
        kinds += f" of {root.children[-1].children[0].type} {root.children[-1].children[0].text.decode()}"
    print(f"{text} -> {'error: ' if root.has_error else ''}{kinds}{'' if compiled else ' (refused by gcc)'}")
PYTHON
"$work/venv/bin/python" "$work/read.py" | tee "$work/told"
diff "$work/told" - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
tree-sitter-c 0.24.2
_Atomic int x; -> declaration
_Atomic(int) x; -> error: ERROR expression_statement of cast_expression (int) x
struct s { _Atomic(int) member; }; -> error: struct_specifier ;
void f(_Atomic(int) *parameter); -> error: declaration
typedef _Atomic(unsigned) word; -> error: type_definition
unsigned long size = sizeof(_Atomic(int)); -> error: declaration
static _Thread_local int x; -> error: declaration
_Noreturn void f(void); -> declaration
_Alignas(16) int x; -> declaration
END
