"""What is not supported is refused, with its place, all of a file at once."""

from __future__ import annotations

import pytest
from c.running import HEAD, load

import xgen
from xgen.frontends.c.library.atomics import NAMES as ATOMIC_CALLS
from xgen.frontends.c.library.counts import _COUNTS, count_of
from xgen.frontends.library.table import FUNCTIONS, IGNORED

ROWS = [
    ("struct { _Atomic int a : 3; } x; int main() { }", "a bit field that is atomic is not supported"),
    (
        "struct { int n, a[0]; } s = { 1, { 2 } }; int main() { }",
        "an initial value of an array without a size in a struct is not supported",
    ),
    ("char big[1 << 24]; int main() { big[5] = 1; }", "an object (`big`) of 16,777,216 numbers is not supported"),
    ("int main() { char big[4096][4096]; big[5][0] = 1; }", "an object (`big`) of 16,777,216 numbers is not supported"),
    (
        "int main() { char *p = malloc(1L << 40); }",
        "an object (`p`) of 1,099,511,627,776 numbers is not supported",
    ),
    ("int main() { return 'ab'; }", "the character 'ab' is not supported"),
    ("int main() { return L'a'; }", "the character L'a' is not supported"),
    ("int main() { return '\\q'; }", "the character '\\q' is not supported"),
    ("int main() { return '\\x100'; }", "the character '\\x100' is not supported"),
    ('int main() { return L"a"[0]; }', 'the string L"a" is not supported'),
    ('char s[] = "\\u00e9"; int main() { }', "is not supported"),
    ("enum e { A = -1, B = 1ul << 63 } e; int main() { }", "the enumerator `B`, which is larger than long, is not"),
    ("enum e { A = 18446744073709551615u } e; int main() { }", "an enumeration with such large values is not"),
    (
        "typedef int t __attribute__((aligned(8))); struct { t a, *p; } s; int main() { }",
        "a pointer beside a member of the aligned type `t` is not supported",
    ),
    (
        "typedef int t __attribute__((aligned(8))); int main() { return _Alignof(t); }",
        "the alignment of the type `t`, which is aligned, is not supported",
    ),
    ("typedef __attribute__((aligned(8))) int t, u; int main() { u x; }", "the attribute `aligned` of several members"),
    ("typedef int t, u __attribute__((aligned(8))); int main() { u x; }", "the attribute `aligned` of several members"),
    ("typedef int f __attribute__((mode(TI))); int main() { f x; }", "the mode `TI` of this type is not supported"),
    (
        "int main() { typedef long t; static _Thread_local t x; }",
        "a thread-local variable in a function, with a type of the function, is not supported",
    ),
    ("int main() { void *p = &&l; l: ; }", "the address of a label is not supported"),
    (
        "struct s { int a, b __attribute__((aligned(8))); }; int main() { struct s s; }",
        "the attribute `aligned` of several members",
    ),
    ("long double d = 1.5; int main() { }", "floating point (`long double`) is not supported"),
    ("int main() { __int128 x = 1; x *= 3; }", "`*` of `__int128` is not supported"),
    ("int main() { unknown_function(1); }", "the function `unknown_function`, which has no body, is not supported"),
    (
        "int f(int n, ...) { __builtin_va_list l; return __builtin_va_arg(l, int); } int main() { f(1); }",
        "`va_arg` of a list that is not known here, or in a loop whose rounds are not, is not supported",
    ),
    (
        "int n(); int main() { int k = __VERIFIER_nondet_bool(); int a[k]; } ",
        "an array whose size is not a constant is not supported",
    ),
    ("int main() { __atomic_fetch_mul(&g, 1, 5); }", "`__atomic_fetch_mul`, which has no body, is not supported"),
    ('int main() { __asm__ volatile("cpuid"); }', "the assembly `cpuid` is not supported"),
    ("int x __attribute__((cleanup(f))); int main() { }", "the attribute `cleanup` of what is no variable of a block"),
    (
        "struct s { char c; int i; } __attribute__((packed)) x; int main() { }",
        "a packed type in which `i` is not aligned is not",
    ),
    (
        "int main() { return __VERIFIER_nondet_int(); }",
        "`__VERIFIER_nondet_int` without a range of values is not supported",
    ),
    (
        "int main() { void *p = malloc(__VERIFIER_nondet_bool()); }",
        "allocating memory of a size that is not known here is not supported",
    ),
    ("int main(int c, char **v, char **e) { return !e; }", "the argument `e` of the program is not supported"),
    ("int main() { return __VERIFIER_nondet_float(); }", "`__VERIFIER_nondet_float`, which has no body, is not"),
    (
        "int main() { int a[4] = {1}, k = __VERIFIER_nondet_bool(); memcpy((char *)&a[k], (char *)&a[k + 1], 3); }",
        "copying or setting bytes of which it cannot be seen what they are is not supported",
    ),
    ("int main() { __VERIFIER_hp_t *h = __VERIFIER_hp_alloc(); }", "`__VERIFIER_hp_alloc`, which has no body, is not"),
    (
        "struct { struct { int x, y; } p; int z; } v = {.p.x = 1, 2}; int main() { }",
        "an initial value without a name after one of a part of a part is not supported",
    ),
    ("int main() { return 1.5L; }", "the number 1.5L is not supported"),
    (
        "int main() { pthread_mutex_t m; pthread_mutexattr_t a; pthread_mutexattr_init(&a); "
        "pthread_mutexattr_settype(&a, __VERIFIER_nondet_bool()); pthread_mutex_init(&m, &a); }",
        "a mutex of a kind that is not known here is not",
    ),
    (
        "void *t(void *a) { return a; }\nint main() { pthread_t h; while (__VERIFIER_nondet_bool()) pthread_create(&h, 0, t, 0); }",  # noqa: E501
        "creating threads in a loop whose rounds are not known is not supported",
    ),
    (
        "int main() { int i = 0; goto in; for (; i < 3; i++) { in: i++; } }",
        "a jump into a loop that is not entered from above is not supported",
    ),
    (
        "int main() { int i = 0; goto in; again: i++; in: if (i < 3) goto again; }",
        "a jump into a loop that is not entered from above is not supported",
    ),
    (
        "long x; int main() { *(int *)((char *)&x + 2) = 1; }",
        "an access that is not aligned (4 bytes at `x+2`) is not supported",
    ),
    (
        "struct s { int w; } a[2]; int main() { int k = __VERIFIER_nondet_bool(); struct s l; *((char *)&l + 1) = 1; *(char *)&a[0] = 1; a[k] = l; }",  # noqa: E501
        "copying a number, of which a part has no value, by a pointer that is not known here is not supported",
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1][:40])
def test_refused(row: tuple[str, str]) -> None:
    text, message = row
    with pytest.raises(xgen.UnsupportedError) as caught:
        load(HEAD + "#include <genmc.h>\natomic_int g;\nvoid *start(void *a) { g = 1; return a; }\n" + text)
    assert message in caught.value.message
    assert caught.value.line is not None
    assert caught.value.file == "test.c"


def test_all_at_once() -> None:
    text = HEAD + "int main() {\n  __float128 f = 1;\n  nothing();\n  long double g = 2;\n}\n"
    with pytest.raises(xgen.UnsupportedError) as caught:
        load(text)
    first = HEAD.count("\n") + 2
    assert [error.line for error in (caught.value, *caught.value.others)] == [first, first + 1, first + 2]
    assert str(caught.value).count("test.c:") == 3


def test_what_is_refused_in_a_call_hides_nothing() -> None:
    """The names of the caller are found behind it."""
    text = HEAD + "int f(int a) { return L'a'; }\nint main() {\n  int v = 1;\n  f(1);\n  v = 2;\n  g();\n}\n"
    with pytest.raises(xgen.UnsupportedError) as caught:
        load(text)
    first = HEAD.count("\n") + 1
    assert [error.line for error in (caught.value, *caught.value.others)] == [first, first + 5]


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("int main() { return x; }", "there is no variable `x`", 1, 21),
        ("int main() { struct s { int ab; } v; return v.ac; }", "struct s has no member `ac`", 1, 47),
        ("int main() {\n  return 1 +; }", "`;` is out of place", 2, 13),
        ("x", "`x` is out of place", 1, 1),
        ("int main() { return 1", "the file ends where more is expected", 1, 21),
        ("int f(int a) { return a; }\nint main() { return f(); }", "`f` takes 1 argument, not 0", 2, 21),
        ("int main() { int x; return *x; }", "`*` needs a pointer, not int", 1, 29),
        ("int main() { return _Generic(1, long: 2); }", "no case of `_Generic` is for int", 1, 21),
        ("int main() { return _Generic(1, long); }", "a case of `_Generic` is a type, `:` and an expression", 1, 21),
        ("int main() { goto out; }", "there is no label `out` in this function", 1, 14),
        ("int f() { return 0; }", "there is no function `main`", None, None),
        ("struct { int a : 3; } x; int main() { return *&x.a; }", "a bit field has no address", 1, 48),
        ("struct { int a : 3; } x; int main() { return sizeof x.a; }", "a bit field has no size in bytes", 1, 53),
        ("int main() { enum nowhere e; }", "there is no `enum nowhere`", 1, 14),
        ("struct s { int a; }; union s u; int main() { }", "`s` is declared as another kind of type", 1, 28),
        ("enum s { A }; struct s *p; int main() { }", "`s` is declared as another kind of type", 1, 22),
        ("enum { A = 2147483647, B }; int main() { }", "the value of `B` is too large for int", 1, 24),
        ("struct s { _Alignas(3) int a; }; int main() { }", "an alignment is a power of two", 1, 28),
        ('_Static_assert(sizeof(int) == 8, "no");\nint main() { }', 'static assertion failed: "no"', 1, 1),
        ('int main() {\n  _Static_assert(0, "");\n}', 'static assertion failed: ""', 2, 3),
        ("int main() { unknown_t x; }", "there is no type `unknown_t`", 1, 14),
        ("struct s { volatile mine *x; }; int main() { }", "there is no type `mine`", 1, 21),
        ("int f(int a, const mine x); int main() { }", "there is no type `mine`", 1, 20),
        ("struct s { _Atomic(mine) x; }; int main() { }", "there is no type `mine`", 1, 20),
        ("int main() { return sizeof(mine *); }", "there is no type `mine`", 1, 28),
        ("static mine f(void) { }", "there is no type `mine`", 1, 8),
        ("int volatile; int main() { }", "`int` is out of place", 1, 1),
        ("int main() { int x = 3 y; }", "`y` is out of place", 1, 24),
        ("typedef int mine; int main() { mine x y; }", "`y` is out of place", 1, 39),
        ("typedef int T; int main() { goto T; T: return 0; }", "`T`, the name of a type, is out of place", 1, 34),
        ("typedef int T; int main() { enum { T = 3 }; }", "`T`, the name of a type, is out of place", 1, 36),
        ("typedef int T; int main() { int x = 1 T y; }", "`T` is out of place", 1, 39),
        ("int main() { int y; int x = 1 ? 2 y : 3; }", "`y` is out of place", 1, 35),
        ("#include <stdbool.h>\nint main() { return tru; }", "there is no variable `tru`", 2, 21),
    ],
)
def test_wrong(text: str, message: str, line: int | None, column: int | None) -> None:
    with pytest.raises(xgen.ProgramError) as caught:
        load(text)
    assert (caught.value.message, caught.value.line, caught.value.column) == (message, line, column)


MACROS = """
int x |ALIGNED(64);
int f(void) |NOINLINE;
int f(int a) |UNUSED { return a; }
|EXPORT int f(void);
|EXPORT
int f(void);
static |INLINE int f(void) { return 1; }
int *p |__user;
int |__user *p;
struct |PACKED s { int a; };
struct |ALIGNED(64) s { int a; };
int a[2] |ALIGNED(8) = {1};
struct s { |LIST_ENTRY(s) link; int a; };
|API(int) f(void);
int f(int n) { int i; |for_each(i, n) { n--; } return n; }
int f(int n) { |UNUSED int i = 1; return n; }
typedef struct s { int a; } s_t |ALIGNED;
int f(void) |THROW NONNULL;
"""
"""Declarations with a macro that is not defined, and where that is."""


@pytest.mark.parametrize("line", MACROS.replace("|EXPORT\n", "|EXPORT ").strip().split("\n"))
def test_macros_that_are_not_defined(line: str) -> None:
    text = line.replace("|", "")
    name = line.split("|")[1].split("(")[0].split()[0].rstrip(";")
    with pytest.raises(xgen.ProgramError) as caught:
        load(text)
    error = caught.value
    assert (error.message, error.column) == (f"`{name}` is out of place", line.index("|") + 1)
    assert error.hint is not None
    assert error.hint.startswith("it may be a macro that no header here defines")


def test_members_that_are_packed() -> None:
    head = "struct s { short a __attribute__((packed)); short b __attribute__((packed, aligned(4))); int c; };"
    load(f'{head}\n_Static_assert(sizeof(struct s) == 12, ""); int main() {{ struct s x; x.b = 1; }}')


HINTS = [
    ("int main() { int a = 1; return a }", "`}` is out of place", 34, "expected `;` before it"),
    ("int main() { retrun 0; }", "`0` is out of place", 21, "did you mean `return`?"),
    ("int main() { int a = 08; }", "`08` is out of place", 22, "a number that begins with 0 is octal"),
    ("int a; class b { };", "`class` is out of place", 8, "C++ is not read"),
    (
        "int f(int n) { int g(int m) { return m; } return g(n); }",
        "`{` is out of place",
        29,
        "functions in functions are not read",
    ),
    ("pthread_mutex_t m;", "there is no type `pthread_mutex_t`", 1, "<pthread.h> has it"),
    ("bool b;", "there is no type `bool`", 1, "<stdbool.h> has it"),
    (
        "int main() { if (1) { return 0; }",
        "the file ends where more is expected",
        33,
        "the `{` at line 1 is not closed",
    ),
    ("int main() { goto en; end: return 0; }", "there is no label `en` in this function", 14, "did you mean `end`?"),
    ("int main() { break; }", "`break` is in no loop and in no switch", 14, None),
    ("int f() { continue; }\nint main() { while (1) f(); }", "`continue` is in no loop", 11, None),
    ("int main() { switch (1) { case 1: case 1:; } }", "this switch has the case 1 twice", 35, None),
    ("int main() { switch (1) { default: default:; } }", "this switch has `default` twice", 36, None),
    ("int main() { int a; int b, a; }", "`a` is declared twice in this block", 28, None),
    ("int mian() { return 0; }", "there is no function `main`", None, "did you mean `mian`?"),
    (
        '#include "time.hh"',
        'there is no file "time.hh"',
        2,
        "it is looked for beside this file; -I says where else",
    ),
]


@pytest.mark.parametrize(("text", "message", "column", "hint"), HINTS)
def test_what_helps(text: str, message: str, column: int | None, hint: str | None) -> None:
    with pytest.raises(xgen.ProgramError) as caught:
        load(text)
    assert (caught.value.message, caught.value.column, caught.value.hint) == (message, column, hint)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("atomic_store_explicit(&x, 1)", "`atomic_store_explicit` takes 3 arguments, not 2"),
        ("atomic_store(&x, 1, memory_order_relaxed)", "`atomic_store` takes 2 arguments, not 3"),
        ("atomic_load()", "`atomic_load` takes 1 argument, not 0"),
        ("atomic_fetch_add(&x)", "`atomic_fetch_add` takes 2 arguments, not 1"),
        (
            "atomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_relaxed)",
            "`atomic_compare_exchange_strong_explicit` takes 5 arguments, not 4",
        ),
        ("atomic_store_explicit(&x, 1, memory_order_acquire)", "a store cannot have the order acquire"),
        ("atomic_load_explicit(&x, memory_order_release)", "a load cannot have the order release"),
        ("__atomic_load(&x, &e, __ATOMIC_RELEASE)", "a load cannot have the order release"),
        ("__atomic_store(&x, &e, __ATOMIC_CONSUME)", "a store cannot have the order consume"),
        ("atomic_flag f; atomic_flag_clear_explicit(&f, 2)", "clearing a flag cannot have the order acquire"),
    ],
)
def test_wrong_calls_of_atomic_functions(call: str, message: str) -> None:
    with pytest.raises(xgen.ProgramError) as caught:
        load(HEAD + f"atomic_int x;\nint main() {{ int e = 0; {call}; }}")
    assert caught.value.message == message


NAMES = sorted({*_COUNTS, *FUNCTIONS, *IGNORED, *ATOMIC_CALLS})
NAMES += ["__builtin_clzl", "__builtin_bswap32", "__sync_fetch_and_add", "__atomic_fetch_or", "__c11_atomic_fetch_add"]


@pytest.mark.parametrize("name", NAMES)
def test_wrong_numbers_of_arguments(name: str) -> None:
    """Of each function that is known; none is looked for that is not there."""
    count = count_of(name)
    assert count is not None
    least, most = count
    for given in ({*range(least)} | ({most + 1} if most is not None else set())) - {least if least == most else -1}:
        with pytest.raises(xgen.ProgramError) as caught:
            load(f"int x;\nint main() {{ {name}({', '.join(['&x'] * given)}); }}")
        wanted = f"{'' if most is not None else 'at least '}{least} argument{'' if least == 1 else 's'}"
        assert (caught.value.message, caught.value.line) == (f"`{name}` takes {wanted}, not {given}", 2)


@pytest.mark.parametrize("kind", ["strong", "weak"])
@pytest.mark.parametrize(("order", "taken"), [("acq_rel", "acquire"), ("release", "relaxed")])
def test_a_failure_cannot_release(kind: str, order: str, taken: str) -> None:
    """As compilers have it: a warning, and the order without that."""
    call = f"atomic_compare_exchange_{kind}_explicit(&x, &e, 1, memory_order_acq_rel, "
    text = HEAD + f"atomic_int x; int e;\nint main() {{{{\n  {call}memory_order_{{}});\n}}}}"
    wrong, right = (load(text.format(which)) for which in (order, taken))
    assert wrong == right
    assert not right.remarks
    sentence = f"a compare-exchange that fails cannot have the order {order}, which is taken as {taken}"
    result = xgen.check(wrong, xgen.model("rc11"))
    assert result.warnings == (f"test.c:{HEAD.count(chr(10)) + 3}:{len(call) + 3}: {sentence}",)
    gcc = text.replace(call, "__atomic_compare_exchange_n(&x, &e, 1, 0, memory_order_acq_rel, ")
    assert load(gcc.format(order)) == load(gcc.format(taken))


def test_orders_of_clangs_functions_are_where_they_are_in_c11() -> None:
    calls = ["compare_exchange_weak{}(&x, &e, 1, 4, 2)", "load{}(&x, 2)", "store{}(&x, 1, 3)"]
    for call in (*calls, "exchange{}(&x, 1, 5)", "fetch_or{}(&x, 1, 0)"):
        text = HEAD + "atomic_int x; int e;\nint main() {{ {}; }}"
        c11, clang = text.format("atomic_" + call.format("_explicit")), text.format("__c11_atomic_" + call.format(""))
        assert load(c11) == load(clang)


def test_a_function_that_is_misspelt() -> None:
    with pytest.raises(xgen.UnsupportedError) as caught:
        load(HEAD + "atomic_int x;\nint main() { atomic_stor(&x, 1); }")
    assert caught.value.hint == "did you mean `atomic_store`?"


def test_names_and_cases_may_come_again_elsewhere() -> None:
    text = "int main() { int a = 1; { int a = 2; } for (int a = 0; a < 2; a++) { int b; } extern int c; extern int c;"
    text += " switch (a) { case 1: switch (a) { case 1:; default:; } default:; } return 0; } int c;"
    assert xgen.check(load(text), xgen.model("rc11")).verdict == "safe"


def test_what_is_nested_too_deeply() -> None:
    chain = " || ".join(f"x == {number}" for number in range(1200))
    with pytest.raises(xgen.UnsupportedError, match="nested too deeply"):
        xgen.parse(f"int x; int main(void) {{ return {chain}; }}", "c")
