"""What cannot be asked, and what a file has to be: each mistake has its message, and the exit code is 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.fake import run

HEAD = "#include <stdatomic.h>\n#include <stdbool.h>\natomic_int x;\n"
PUT = "void put(int v) { x = v; }\n"
GET = "int get(void) { return x; }\n"

FILES = {
    "nothing.c": f"{HEAD}void frob(int v) {{ x = v; }}\n",
    "two.c": f"{HEAD}void push(int key, int v) {{ x = key + v; }}\n{GET}",
    "none.c": f"{HEAD}int get(int *a, int *b) {{ return *a + *b; }}\n{PUT}",
    "form.c": f"{HEAD}{PUT}int get(int v) {{ return x == v; }}\n",
    "main.c": f"{HEAD}{PUT}{GET}int main(void) {{ put(1); return get(); }}\n",
    "float.c": f"{HEAD}void put(double v) {{ x = v > 1.0; }}\n{GET}",
    "struct.c": f"{HEAD}struct n {{ int a; }}; void put(int a, struct n *v) {{ x = a; }}\n{GET}",
    "node.c": f"{HEAD}struct n {{ int a; }}; struct s {{ struct n *b; }};\n"
    "void put(struct s *s, struct n *v) { s->b = v; }\nint get(struct s *s) { return s->b->a; }\n",
    "void.c": f"{HEAD}{PUT}void get(void) {{ }}\n",
    "made.c": f"{HEAD}struct s {{ atomic_int x; }};\nstruct s *create(void) {{ return 0; }}\n"
    "void put(struct s *s, int v) { s->x = v; }\nint get(struct s *s) { return s->x; }\n",
    "open.c": f"{HEAD}struct s;\nvoid put(struct s *s, int v) {{ x = v; }}\nint get(struct s *s) {{ return x; }}\n",
    "kinds.c": f"{HEAD}struct s {{ int a; }}; struct t {{ int a; }};\n"
    "void put(struct s *s, int v) { x = v; }\nint get(struct t *s) { return x; }\n",
    "setup.c": f"{HEAD}void init(int size) {{ x = size; }}\n{PUT}{GET}",
    "full.c": f"{HEAD}void init(void) {{ x = 2; }}\n{PUT}{GET}",
    "right.c": f"{HEAD}{PUT}{GET}",
    "pop.c": f"{HEAD}atomic_int full;\nvoid push(int v) {{ x = v; full = 1; }}\n"
    "int pop(void) { return full ? x : -1; }\n",
    "both.c": f"{HEAD}{PUT}{GET}int take(void) {{ int v = x; return v ? v : -1; }}\n",
    "any.c": f"{HEAD}int __VERIFIER_nondet_bool(void);\n"
    f"{PUT}int get(void) {{ return __VERIFIER_nondet_bool() ? x : 0; }}\n",
    "other.c": "void put(int v) {}\n",
    "wrong.c": "#include <assert.h>\nint x;\nvoid put(int v) { assert(x == 0); x = v; }\nint get(void) { return x; }\n",
    "bag.rs": "fn put() {}\n",
    "broken.c": "int get(void { }\n",
    "text.py": "class Spec:\n    start = 0\n    def step(self, op, value, state):\n"
    "        return [(1, value)] if op == 'put' else None\n"
    "class Bare:\n    pass\n",
    "bad.py": "import nowhere_at_all\n",
}

REFUSED = [
    ("nothing.c", "nothing.c: error: no function here has a name that is known of a data structure"),
    ("nothing.c --ops put=frbo", "nothing.c: error: --ops names `frbo`, which is no function here"),
    ("nothing.c --ops frob", "error: --ops cannot be `frob`"),
    ("nothing.c --ops give=frob", "error: --ops cannot be `give=frob`"),
    ("two.c", "two.c:4:6: error: `push` has 2 parameters"),
    ("none.c --ops get=get,put=put", "none.c:4:5: error: `get` has 2 parameters"),
    ("form.c", "form.c:5:5: error: `get` has a name that is known, and a form that is not"),
    ("main.c", "main.c:6:5: error: there is a main; linearizable makes its own"),
    ("float.c", "float.c:4:6: error: `put` has values of the type `double`"),
    ("node.c", "node.c:5:6: error: `put` has values of the type `struct n *`"),
    ("void.c", "void.c:5:6: error: `get` gives nothing back"),
    ("made.c", "made.c:5:11: error: `create` makes the object"),
    ("open.c", "open.c:5:6: error: `struct s` is not defined here"),
    ("kinds.c", "kinds.c:6:5: error: `get` and `put` have objects of different types"),
    ("setup.c", "setup.c:4:6: error: `init` has 1 parameter"),
    ("full.c", "full.c: error: get() of the fresh object gives 2, which is a value that clients put"),
    ("pop.c --empty 0", "pop.c: error: pop() of the fresh object gives -1, not --empty 0"),
    ("both.c", "both.c: error: of the fresh object, get() gives 0 and take() gives -1"),
    ("any.c", "any.c: error: the specification is not deterministic: get() after put(1) gives 0 and 1"),
    ("right.c --spec other.c", "other.c: error: the specification has no function `get`"),
    ("right.c --spec wrong.c", "wrong.c: error: the specification goes wrong by itself: assertion violated"),
    ("right.c --spec heap", "error: there is no specification `heap`"),
    ("right.c --spec queue:x", "error: `queue:x` is no specification"),
    ("right.c --spec counter", "right.c: error: the specification counter does not know what `put` does"),
    ("right.c --spec text.py", "text.py: error: the class is missing: FILE.py:CLASS"),
    ("right.c --spec text.py:Specs", "text.py: error: there is no class `Specs` here"),
    ("right.c --spec text.py:Bare", "text.py: error: `Bare` is no specification: AttributeError"),
    ("right.c --spec text.py:Spec", "text.py: error: `Spec.step` fails for get() in the state"),
    ("right.c --spec bad.py:Spec", "bad.py: error: this specification cannot be read: ModuleNotFoundError"),
    ("right.c --spec gone.py:Spec", "gone.py: error: there is no such file"),
    ("right.c --one push", "right.c: error: `push` is no operation here"),
    ("right.c --ops put=put,get=gone", "it defines get and put\n"),
    ("right.c --one put --client put|put", "right.c: error: two threads of the client call put, which one thread is"),
    ("-", "<stdin>: error: `linearizable` reads C, C++ and Rust: names of files end in"),
    ("right.c --html gone/page.html", "page.html: error: this cannot be written"),
    ("right.c --client put|pop", "right.c: error: `pop` is no operation here"),
    ("right.c --client put|", "error: a thread of the client makes no call"),
    ("right.c --client put,get", "error: `put,get` is no call"),
    ("right.c --calls 0", "error: the number of calls must be from 1 to 9, not 0"),
    ("right.c --before 10", "error: the number of puts before must be from 0 to 9, not 10"),
    ("right.c --max-puts -1", "error: the number of puts must be from 0 to 18, not -1"),
    ("right.c --empty 2", "error: empty cannot be 2: values from 1 on are put"),
    ("right.c --entry put", "right.c: error: there is no --entry here"),
    ("right.c --mcm nosuch", "error: there is no memory model"),
    ("gone.c", "gone.c: error: there is no such file"),
    ("peterson", "error: `linearizable` reads C"),
    ("right.c bag.rs", "bag.rs: error: a Rust program is given as one file"),
    ("right.c --compiler clang", "right.c: error: a compiler is asked about C++, and about C with --clang"),
    ("right.c --svg right.c", "right.c: error: pictures need a folder, and this is a file"),
    ("right.c --write gone/client.c", "client.c: error: this cannot be written"),
    ("broken.c", "broken.c:1:"),
    ("right.c -q --full-witness", "--quiet cannot be used with --full-witness"),
    ("right.c --client put --calls 3", "--client cannot be used with --calls: it is the only client"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "message"), REFUSED)
def test_refused(command: str, message: str, folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    found = run("linearizable", *command.split())
    assert (found.exit_code, found.stdout) == (2, ""), found.stdout
    assert message in found.stderr
    assert "Traceback" not in found.stderr
    assert "made a mistake" not in found.stderr
