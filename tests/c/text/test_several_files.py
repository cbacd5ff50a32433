"""Several C files as one program: what linkers do, and what they refuse."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from c.running import model

import xgen

HEAD = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n#include <stdlib.h>\n"
QUEUE_H = """#include <stdatomic.h>
typedef struct node { int value; struct node *next; } node_t;
typedef struct queue queue_t;
queue_t *queue_new(void);
void queue_push(queue_t *q, int value);
int queue_pop(queue_t *q, int *value);
static inline int twice(int x) { static int calls; calls++; return x + x; }
inline int half(int x) { return x / 2; }
"""
QUEUE_C = """#include "queue.h"
#include <stdlib.h>
struct queue { node_t *_Atomic head; };
static int count;
enum { MAX = 3 };
queue_t *queue_new(void) { queue_t *q = malloc(sizeof *q); atomic_init(&q->head, 0); return q; }
void queue_push(queue_t *q, int value) {
  node_t *n = malloc(sizeof *n);
  n->value = half(twice(value));
  n->next = atomic_load(&q->head);
  while (!atomic_compare_exchange_strong_explicit(&q->head, &n->next, n, memory_order_%s, memory_order_relaxed));
  count = MAX;
}
int queue_pop(queue_t *q, int *value) {
  node_t *n = atomic_load_explicit(&q->head, memory_order_acquire);
  if (!n) return 0;
  *value = n->value;
  return 1;
}
"""
TEST_C = """#include "queue.h"
#include <pthread.h>
#include <assert.h>
enum { MAX = 4 };
queue_t *q;
static int count = MAX;
static void *push(void *a) { queue_push(q, 1); return 0; }
int main(void) {
  pthread_t t;
  int value;
  q = queue_new();
  pthread_create(&t, 0, push, 0);
  if (queue_pop(q, &value)) assert(value == half(twice(1)));
  pthread_join(t, 0);
  assert(count == 4 && twice(count) == 8);
}
"""


def write(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{name}.c" for name, _ in zip("abcd", texts, strict=False)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


@pytest.fixture(params=["own", pytest.param("cc", marks=pytest.mark.skipif(not shutil.which("cc"), reason="no cc"))])
def headers(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize(("order", "verdict", "executions"), [("release", "safe", 2), ("relaxed", "violation", None)])
def test_a_library_and_its_test(tmp_path: Path, headers: str, order: str, verdict: str, executions: int | None) -> None:
    """Both have a `count` and a `MAX`, and share the types of a header, whose functions are in both."""
    (tmp_path / "queue.h").write_text(QUEUE_H)
    (tmp_path / "queue.c").write_text(QUEUE_C % order)
    (tmp_path / "test.c").write_text(TEST_C)
    program = xgen.load(tmp_path / "test.c", tmp_path / "queue.c", headers=headers)
    assert program.headers == headers
    result = xgen.check(program, model("rc11"), all_states=True)
    assert result.verdict == verdict
    assert executions in (None, result.executions)
    for outcome in result.outcomes:
        assert outcome.state.keys() == {"q", "test.c:count", "queue.c:count"}
        assert (outcome.state["test.c:count"], outcome.state["queue.c:count"]) == (4, 3)
    for violation in result.witness.violations if result.witness else []:
        source = violation.position.source
        assert (Path(source.name).name if source else "", violation.position.line) == ("queue.c", 17)


def test_order_of_files_is_the_same_to_all(tmp_path: Path) -> None:
    (tmp_path / "queue.h").write_text(QUEUE_H)
    (tmp_path / "queue.c").write_text(QUEUE_C % "release")
    (tmp_path / "test.c").write_text(TEST_C)
    names = [tmp_path / "test.c", tmp_path / "queue.c"]
    found = [xgen.check(xgen.load(*paths), model("rc11"), all_states=True) for paths in (names, names[::-1])]
    assert found[0].verdict == found[1].verdict == "safe"
    assert found[0].executions == found[1].executions == 2


LINKED = [
    # variables
    ("int x; int main(void) { f(); assert(x == 6); }", "int x = 5; void f(void) { x++; }"),
    ("extern int x; int *p = &x; int main(void) { *p += 1; f(); }", "int x = 5; void f(void) { assert(x == 6); }"),
    ("extern int x; int main(void) { int x = 1; f(); assert(x == 1); }", "int x = 5; void f(void) { x = 7; }"),
    ("static int x = 1; int main(void) { f(); assert(x == 1); }", "int x; void f(void) { x = 7; }"),
    ("static int x = 1; int main(void) { f(); assert(x == 1); }", "static int x; void f(void) { x = 7; }"),
    ("int x = 1; int main(void) { f(); assert(x == 1); }", "static int x; void f(void) { { extern int x; x = 7; } }"),
    ("int x; int main(void) { f(); assert(x == 7); }", "void f(void) { extern int x; x = 7; }"),
    ("extern int a[]; int main(void) { assert(a[2] == 3); }", "int a[] = { 1, 2, 3 };"),
    ("extern const int k; int main(void) { assert(k == 3); }", "const int k = 3;"),
    ("int n = 1; int main(void) { f(); assert(n == 1); }", "static const int n = 3; void f(void) { assert(n == 3); }"),
    (
        "extern _Thread_local int x; int g(void); int main(void) { x++; assert(g() == 4); }",
        "_Thread_local int x = 3; int g(void) { return x; }",
    ),
    (
        "_Thread_local int x = 3; int g(void); int main(void) { x++; assert(g() == 5); }",
        "extern _Thread_local int x; int g(void) { static _Thread_local int n; n++; return x + n; }",
    ),
    # functions
    ("int g(void); static int f(void) { return 1; } int main(void) { assert(g() == 3); assert(f() == 1); }",
     "static int f(void) { return 2; } int g(void) { return f() + 1; }"),
    ("int g(void); static int f(void) { return 1; } int main(void) { assert(g() == 3); assert(f() == 1); }",
     "int f(void) { return 2; } int g(void) { return f() + 1; }"),
    ("int (*get(void))(void); static int f(void) { return 1; } int main(void) { assert(get()() == 2 && get() != f); }",
     "static int f(void) { return 2; } int (*get(void))(void) { return f; }"),
    ("int g(void); inline int f(void) { return 1; } int main(void) { assert(g() == f()); }",
     "inline int f(void) { return 1; } int g(void) { return f(); }"),
    ("int g(void); static int n(void) { static int x; return ++x; } int main(void) { n(); assert(g() == 1); }",
     "static int n(void) { static int x; return ++x; } int g(void) { return n(); }"),
    # types
    ("struct s { int a; }; int g(void); int main(void) { struct s s = { 1 }; assert(s.a + g() == 3); }",
     "struct s { long b, a; }; int g(void) { struct s s = { .a = 2 }; return s.a; }"),
    ("typedef int T; int g(void); int main(void) { T t = 1; assert(sizeof(T) + g() == 12); }",
     "typedef long T; int g(void) { T t = 1; return sizeof(T); }"),
    ("typedef int T; int g(int); int main(void) { T t = 1; assert(g(t) == 1); }",
     "int T = 3; int g(int x) { return x; }"),
    ("enum { A = 1, B }; int g(void); int main(void) { assert(A + B + g() == 7); }",
     "enum { B = 1, A = 3 }; int g(void) { int a[] = { [A] = 4 }; return a[A]; }"),
    ("struct s; struct s *g(void); int h(struct s *); int main(void) { assert(h(g()) == 4); }",
     "struct s { int a; } x = { 4 }; struct s *g(void) { return &x; } int h(struct s *p) { return p->a; }"),
    ("typedef struct { int a; } T; int g(T); int main(void) { T t = { 4 }; assert(g(t) == 4); }",
     "typedef struct { int a; } T; int g(T t) { return t.a; }"),
    ("struct s { union { int a; void *p; } u; } *p; int g(void); int main(void) {"
     " p = malloc(sizeof *p); p->u.p = p; assert(g()); }",
     "struct s { union { int a; void *p; } u; }; extern struct s *p; int g(void) { return p->u.p == p; }"),
    ("struct in { int a; }; struct out { struct in i; int b; }; int g(void);"
     "int main(void) { struct out o = { { 1 }, 2 }; assert(o.b + g() == 12); }",
     "struct in { long a; }; struct out { struct in i; int b; }; int g(void) { return 10 + sizeof(struct out) - 16; }"),
    # what stands in places of its own
    ("int g(void); int main(void) { assert(g() == 5 && ({ int x = 2; x + 1; }) == 3); }",
     "static int x = 4; int g(void) { typeof(x) y = ({ int z = x; z; }); return y + 1; }"),
    ("static int x = 4; int g(void); int main(void) { typeof(x) y = ({ int z = x; z; }); assert(y == 4 && g() == 7); }",
     "static int x = 6; int g(void) { __auto_type y = x; return ({ int x = 1; x; }) + ({ y; }); }"),
    ("static int x = 1; struct s { int x; }; int g(void); int main(void) { struct s s = { .x = 2 };"
     " x: assert(s.x + x + g() == 7); }", "static int x = 4; int g(void) { return x; }"),
    ("static int x = 1; int f(int x) { return x; } int g(void); int main(void) { for (int x = 0; x < 1; x++);"
     " assert(f(3) + x + g() == 8); }", "static int x = 4; int g(void) { return x; }"),
]  # fmt: skip


@pytest.mark.parametrize("texts", LINKED, ids=[f"{k}" for k in range(len(LINKED))])
def test_linked(tmp_path: Path, texts: tuple[str, str], headers: str) -> None:
    """Each is what gcc makes of it: the assertions hold, and fail where the other one's value is taken."""
    paths = write(tmp_path, *(HEAD + text for text in texts))
    result = xgen.check(xgen.load(*paths, headers=headers), model("sc"))
    assert (result.verdict, result.executions) == ("safe", 1)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here: `cc`")
@pytest.mark.parametrize("texts", LINKED, ids=[f"{k}" for k in range(len(LINKED))])
def test_linked_by_a_compiler(tmp_path: Path, texts: tuple[str, str]) -> None:
    import subprocess

    paths = write(tmp_path, *(HEAD + text for text in texts))
    flags = ["-std=gnu11", "-w", "-O2", "-fcommon", "-pthread", "-o", str(tmp_path / "run")]
    subprocess.run(["cc", *flags, *map(str, paths)], check=True, capture_output=True)
    assert subprocess.run([str(tmp_path / "run")], check=False).returncode == 0


REFUSED = [
    (("int main(void) { }", "int main(void) { }"), [("`main` is defined in two files", "b.c", 1, "a.c:1:5")]),
    (
        ("int f(void) { return 1; } int x = 1; int main(void) { }", "int y;\nint f(void) { return 1; }\nint x = 2;"),
        [("`f` is defined in two files", "b.c", 2, "a.c:1:5"), ("`x` is defined in two files", "b.c", 3, "a.c:1:31")],
    ),
    (
        ("inline int f(void) { return 1; } int main(void) { }", "inline int f(void) { return 2; }"),
        [("`f` is defined in two files", "b.c", 1, "a.c:1:12")],
    ),
]


@pytest.mark.parametrize(("texts", "expected"), REFUSED)
def test_refused(
    tmp_path: Path, texts: tuple[str, str], expected: list[tuple[str, str, int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    paths = write(Path(), *texts)
    with pytest.raises(xgen.ProgramError) as caught:
        xgen.load(*paths)
    errors = [caught.value, *caught.value.others]
    found = [(error.message, error.file, error.line, error.hint) for error in errors]
    assert found == [(what, file, line, f"it is defined at {first}, too") for what, file, line, first in expected]


def test_what_another_file_defines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "static.c").write_text("static int f(void) { return 1; }\n")
    (tmp_path / "zf.c").write_text("#define M \\\n  1\nint x = 3;\nint f(void)\n{ return M; }\n")
    (tmp_path / "t.c").write_text("int f(void); extern int x; int main(void) { f(); return x; }\n")
    with pytest.raises(xgen.UnsupportedError) as caught:
        xgen.load("t.c")
    errors = [caught.value, *caught.value.others]
    assert [error.message for error in errors] == [
        "`x`, which is defined elsewhere, is not supported",
        "the function `f`, which has no body, is not supported",
    ]
    hint = "`zf.c` defines it: name that file, too (t.c zf.c)"
    assert [error.hint for error in errors] == [hint, hint]
    assert xgen.check(xgen.load("t.c", "zf.c"), model("sc")).executions == 1


def test_what_a_file_near_the_header_defines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a project whose headers, sources and tests are in folders of their own."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "include/q.h": "int push(int); int missing(void);\n",
        "src/q.c": '#include "q.h"\nint push(int x) { return x; }\n',
        "test/t.c": '#include "q.h"\nint main(void) { push(1); return missing(); }\n',
    }
    for name, text in texts.items():
        Path(name).parent.mkdir()
        Path(name).write_text(text)
    with pytest.raises(xgen.UnsupportedError) as caught:
        xgen.load("test/t.c", folders=("include",))
    errors = [caught.value, *caught.value.others]
    assert [error.hint for error in errors] == [
        "`src/q.c` defines it: name that file, too (test/t.c src/q.c)",
        "name the file that defines it, too; or --stub missing: it does nothing, and gives 0",
    ]


def test_names_of_files(tmp_path: Path) -> None:
    """Two of one name are told apart by their folders."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / "q.c").write_text("static int x = 1; int main(void) { return x; }\n")
    (tmp_path / "two" / "q.c").write_text("static int x = 2; int f(void) { return x; }\n")
    names = [str(tmp_path / folder / "q.c") for folder in ("one", "two")]
    result = xgen.check(xgen.load(*names), model("sc"), all_states=True)
    assert result.outcomes[0].state == {f"{names[0]}:x": 1, f"{names[1]}:x": 2}


def test_a_syntax_error_in_the_second_file(tmp_path: Path) -> None:
    paths = write(tmp_path, "int main(void) { return 0; }\n", "int x;\nint f(void) {\n  return 1\n}\n")
    with pytest.raises(xgen.ProgramError) as caught:
        xgen.load(*paths)
    error = caught.value
    assert (os.path.basename(error.file or ""), error.line, error.hint) == ("b.c", 4, "expected `;` before it")


def test_only_c_has_several_files(tmp_path: Path) -> None:
    paths = write(tmp_path, "int main(void) { }")
    with pytest.raises(xgen.UsageError, match=r"several files are one program in C, C\+\+ and LLVM's IR only"):
        xgen.load("peterson", paths[0])
