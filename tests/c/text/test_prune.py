"""What declarations at file scope give a meaning, and what a program needs of them. Expected sets are by hand."""

from __future__ import annotations

import pytest

from xgen.errors import Source
from xgen.frontends.c.text import shipped_bodies
from xgen.frontends.c.text.prune import body, declared, groups, needed, pruned, without_unused
from xgen.frontends.c.text.tokens import Token, tokenise

MEANINGS = [
    ("int x;", "x", True),
    ("extern int x;", "x", False),
    ("extern int x = 1;", "x", True),
    ("static int *a, b[2] = {1, c}, (*f)(int d), g(void);", "a b f g", True),
    ("unsigned long long int x = (y, z);", "x", True),
    ("T x;", "x", True),
    ("T *x, y;", "x y", True),
    ("const T x;", "x", True),
    ("T const *const x;", "x", True),
    ("T (*x)(U y);", "x T", True),
    ("int f(int a, T *b);", "f", False),
    ("int (f)(int a);", "f", False),
    ("int (*f(int a))(void);", "f", False),
    ("int *(*f)(int *a) = 0;", "f", True),
    ("void (*signal(int sig, void (*func)(int)))(int);", "signal", False),
    ("int __attribute__((x(y))) f(int a) __attribute__((z));", "f", False),
    ("__attribute__((a)) static inline __attribute__((b)) int f(void) { return g; }", "f", False),
    ('extern int f(const char *restrict a) __asm__("" "g") __attribute__((nothrow));', "f", False),
    ("main() { return 0; }", "main", False),
    ("int f(a, b) int a; char *b; { return a; }", "f", False),
    ("typedef int T;", "T", False),
    ("typedef int T[3], *U, (*V)(int a);", "T U V", False),
    ("typedef struct s { int a, b; struct t { int c; } *d; } T;", "T .s .t", False),
    ("typedef struct s T;", "T", False),
    ("__extension__ typedef long long T;", "T", False),
    ("struct s { int a; };", ".s", False),
    ("struct __attribute__((packed)) s { int a; } __attribute__((aligned(8)));", ".s", False),
    ("struct s { int a; } x, *y;", ".s x y", True),
    ("struct s;", "", False),
    ("struct s *f(struct s *a);", "f", False),
    ("union u { int a; } f(void) { union u x; return x; }", ".u f", False),
    ("enum e { A, B = C + 1, D __attribute__((x)) = F(1, 2) };", ".e A B D", False),
    ("enum { A, B };", "A B", False),
    ("static const struct { enum { A } a; } x = { A };", "A x", True),
    ("_Atomic(T *) x;", "x", True),
    ("_Atomic int x;", "x", True),
    ("_Alignas(8) char x[8];", "x", True),
    ("__typeof__(f(y)) x;", "x", True),
    ("_Thread_local int x;", "x", True),
    ("extern __thread int x;", "x", False),
    ("_Float128 f(_Float128 a);", "f", False),
    ("unsigned __int128 x;", "x", True),
    ('_Static_assert(sizeof(T) == 8, "");', "", False),
    (";", "", False),
]


def nothing(_: Token) -> bool:
    return False


def everything(_: Token) -> bool:
    return True


def tokens(text: str) -> list[Token]:
    return [token for token in tokenise(Source("t.c", text)) if token.kind != "newline"]


@pytest.mark.parametrize(("text", "names", "variable"), MEANINGS, ids=[text[:40] for text, _, _ in MEANINGS])
def test_meanings(text: str, names: str, variable: bool) -> None:
    (group,) = groups(tokens(text))
    found = declared(group)
    expected = {(word[1:],) if word.startswith(".") else word for word in names.split()}
    assert (set(found.names), found.object) == (expected, variable)


def test_groups() -> None:
    text = """
    int a; struct s { int b; } c; int f(void) { int d; { d = 1; } } int g(int h) { } enum { A };
    int x[] = { 1, 2 }; int k(a, b) int a; int b; { return a; } asm("x"); typedef struct { int z; } T; T last"""
    found = ["".join(token.text for token in group)[:9] for group in groups(tokens(text))]
    assert found == ["inta;", "structs{i", "intf(void", "intg(inth", "enum{A};", "intx[]={1", "intk(a,b)", 'asm("x");',
                     "typedefst", "Tlast"]  # fmt: skip


def test_bodies() -> None:
    for text, is_function in [("int f(void) { }", True), ("struct __attribute__((x)) s { int a; };", False),
                              ("int x[] = { sizeof(int) };", False), ("int f(a) int a; { }", True)]:  # fmt: skip
        assert (body(tokens(text)) is not None) == is_function


def test_members_are_no_names() -> None:
    found = needed(tokens("struct s f(T x) { x.a->b = c; return (struct __attribute__((d)) t) { .e = 1 }; }"))
    assert found == {("s",), ("t",), "f", "T", "x", "c", "return", "__attribute__", "d"}


PROGRAM = """
typedef int unused_t; typedef int used_t; struct unused { int a; }; struct used { used_t a; };
int unused(struct unused *p); static int helper(struct used *p) { return p->a; }
int shown; extern int elsewhere; extern int wanted;
_Static_assert(1, ""); static void begin(void) __attribute__((constructor)); static void begin(void) { shown = 1; }
double never(double x) { return x; }
int main(void) { struct used u; return helper(&u) + wanted; }
"""


def texts(files: list[list[Token]]) -> list[str]:
    return ["".join(token.text for token in group)[:14] for tokens in files for group in groups(tokens)]


def test_what_is_needed() -> None:
    found = texts(pruned([tokens(PROGRAM)], "main", [nothing]))
    assert found == [
        "typedefintused", "structused{use", "staticinthelpe", "intshown;", "externintwante", "_Static_assert",
        "staticvoidbegi", "staticvoidbegi", "intmain(void){",
    ]  # fmt: skip


def test_headers_of_the_system_have_nothing_that_always_counts() -> None:
    found = texts(pruned([tokens(PROGRAM)], "main", [everything]))
    assert found == ["typedefintused", "structused{use", "staticinthelpe", "externintwante", "intmain(void){"]


def test_what_one_file_needs_of_another() -> None:
    first = tokens("int g(void); int main(void) { return g(); }")
    second = tokens("static int h(void) { return 1; } int g(void) { return h(); } int k(void) { return 2; }")
    found = pruned([first, second], "main", [nothing] * 2)
    assert [len(list(groups(part))) for part in found] == [2, 2]


def test_all_stays_without_an_entry() -> None:
    given = tokens(PROGRAM.replace("main", "other"))
    assert pruned([given], "main", [nothing]) == [given]


def test_words_of_verification_stay() -> None:
    """They say in which language the program is written."""
    text = "extern int __VERIFIER_nondet_int(void); void reach_error(void) { } void f(void) { } int main(void) { }"
    assert len(texts(pruned([tokens(text)], "main", [nothing]))) == 3


def _is_of_header(token: Token) -> bool:
    return token.position.source is not None and token.position.source.name == "h"


OF_A_HEADER = """\
typedef int used; typedef used also; struct part { also a; }; typedef struct part whole; enum kind { ONE, TWO };
int f(whole *); int g(enum kind); int unused(void); _Static_assert(sizeof(int) == 4, ""); struct left { int b; };
"""


@pytest.mark.parametrize(
    ("text", "more", "left"),
    [
        ("int main() { return f(0); }", "", "used also part whole f"),
        ("int main() { return TWO; }", "", "kind"),
        ("struct left x;", "", "left"),
        ("int main() { return 0; }", "", ""),
        ("int main() { return 0; }", "int h(void) { return g(0); }", "kind g"),
        ("enum kind { x };", "", "kind"),
    ],
)
def test_what_is_left_of_a_header(text: str, more: str, left: str) -> None:
    """All of the program stays, and of a header what it names, with what this needs, and what has no name."""
    header, program = tokenise(Source("h", OF_A_HEADER)), tokenise(Source("p", text))
    own = [token for token in program if token.kind != "newline"]
    header = [token for token in header if token.kind != "newline"]
    kept = without_unused([*header, *own], _is_of_header, tokenise(Source("m", more)))
    assert kept[len(kept) - len(own) :] == own
    rest = [" ".join(token.text for token in group) for group in groups(kept[: len(kept) - len(own)])]
    wanted = [
        " ".join(token.text for token in group)
        for group in groups(header)
        if not (names := {str(name) if isinstance(name, str) else name[0] for name in declared(group).names})
        or names & set(left.split())
    ]
    assert rest == wanted


def test_functions_with_bodies_are_found_by_their_heads() -> None:
    tokens = [token for token in tokenise(shipped_bodies._source()) if token.kind != "newline"]
    assert [str(name) for group in groups(tokens) for name in declared(group).names] == list(shipped_bodies.places())
    assert [token for name in shipped_bodies.places() for token in shipped_bodies.definition(name, "size_t")] == tokens
