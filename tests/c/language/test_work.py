"""How much work expressions are that stand inside each other: twice as deep is about twice as much."""

from __future__ import annotations

from typing import Any

import pytest
from c.running import HEAD, load, main

from xgen.frontends.c.language.expressions import Expressions

BEFORE = "int x, y; struct s { int a, b; } v, w; int *p; int f(int a) { return a; }"
SHAPES = {
    # name: what is deepest, what is around it
    "assignments on the left": ("1", "(atomic_load(&n) ? {} : (y = 2))"),
    "assignments on the right": ("1", "(atomic_load(&n) ? (y = 2) : {})"),
    "calls": ("1", "(atomic_load(&n) ? f({}) : f(2))"),
    "calls around": ("1", "f(atomic_load(&n) ? {} : 2)"),
    "loads": ("x", "(n ? {} : x)"),
    "loads on the right": ("x", "(n ? x : {})"),
    "in the condition": ("n", "(({} + n) ? x : y++)"),
    "known conditions": ("x", "(1 ? {} : y++)"),
    "known conditions, not taken": ("x", "(0 ? {} : y++)"),
    "pointers": ("(p = &x)", "(n ? {} : (p = &y))"),
    "structs": ("(v = w)", "(n ? {} : (w = v))"),
    "without a value": ("(void)y++", "(n ? {} : (void)y++)"),
    "and, loads": ("n", "(n && {})"),
    "or, calls": ("f(n)", "(f(n) || {})"),
    "and, then or": ("n", "(n && (n || {}))"),
    "sizes": ("n", "sizeof(n ? {} : y++)"),
    "sums in sizes": ("1", "(1 + sizeof({} + 1))"),
    "literals": ("1", "((struct s){{ {}, 1 }}).a"),
    "literals in literals": ("(struct s){1}", "(struct s){{ ({}).a }}"),
    "generic": ("1", "_Generic(1, int: {}, default: y++)"),
    "generic operand": ("1", "_Generic({}, int: 1, default: 2)"),
    "assignments": ("1", "(y = {})"),
    "compound": ("1", "(y += {})"),
    "elements": ("0", "a[{}]"),
    "blocks": ("1", "({{ int z = {}; z; }})"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_work_is_linear(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    value = Expressions.value

    def counted(self: Expressions, *arguments: Any) -> Any:
        nonlocal count
        count += 1
        return value(self, *arguments)

    monkeypatch.setattr(Expressions, "value", counted)
    counts = []
    for depth in (6, 12):
        text = SHAPES[name][0]
        for _ in range(depth):
            text = SHAPES[name][1].replace("{{", "\1").replace("}}", "\2").replace("{}", text)
            text = text.replace("\1", "{").replace("\2", "}")
        count = 0
        load(HEAD + f"{BEFORE}\natomic_int n; void *t(void *b) {{ int a[2] = {{0, 0}}; {text}; n = 1; return b; }}\n"
             "int main() { pthread_t h; pthread_create(&h, 0, t, 0); t(0); }")  # fmt: skip
        counts.append(count)
    assert counts[1] < 3 * counts[0]


@pytest.mark.parametrize(
    "body",
    [
        "int r = n ? (x = 1, 5) : (y = 2); assert(n ? r == 5 && x == 1 && y == 0 : r == 2 && x == 0 && y == 2);",
        "long r = n ? (x = 1) : 4294967296l; assert(r == (n ? 1 : 4294967296l));",
        "int *q = n ? (x = 3, &x) : (y = 4, &y); assert(*q == (n ? 3 : 4));",
        "int z = 1, *q = 0; int r = n ? (q = &z, 1) : 0; assert(r ? *q == 1 : q == 0);",
        "int z = 1, u = 2, *q = n ? &z : &u; *q = 5; assert(z == (n ? 5 : 1) && u == (n ? 2 : 5));",
        "v.a = 1; w.a = 2; assert((n ? v : (x = 1, w)).a == (n ? 1 : 2) && x == !n);",
        "int r = n && (x = 1, y); assert(r == 0 && x == n);",
        "int z, r = n && (z = 1, 1); assert(r ? z == 1 : n == 0);",
        "int r = n || f(x++) || f(x++); assert(r == (n || x == 2) && x == (n ? 0 : 2));",
        "n ? __VERIFIER_assume(0) : (void)(x = 1); assert(x == 1 && n == 0);",
        "int r = n ? ({ int k = 3; k + x; }) : x--; assert(r == (n ? 3 : 0) && x == (n ? 0 : -1));",
        "unsigned char c = n ? 300 : -1; assert(c == (n ? 44 : 255));",
    ],
)
def test_each_side_is_evaluated_where_it_is_chosen(body: str) -> None:
    result = main(f"int n = __VERIFIER_nondet_bool(); {body}", before=BEFORE)
    assert (result.verdict, result.executions + result.blocked) == ("safe", 2)


@pytest.mark.parametrize(
    "body",
    [
        "int r = n ? ({ __VERIFIER_assume(0); 1; }) : 2; assert(r == 2);",
        "int r = ({ if (n) __VERIFIER_assume(0); x = 1; 5; }) + 1; assert(r == 6 && x == 1);",
        'char *s = n ? ({ __VERIFIER_assume(0); "ab"; }) : "cd"; assert(s[0] == \'c\');',
        "w.a = 3; v = n ? ({ __VERIFIER_assume(0); v; }) : w; assert(v.a == 3);",
        "struct s z = n ? w : ({ __builtin_unreachable(); v; }); assert(n && z.a == 0);",
        "int *q = n ? &x : ({ __VERIFIER_assume(0); int k; &k; }); assert(q == &x);",
        "void *q = n ? &x : ({ __VERIFIER_assume(0); a; }); assert(q == &x);",
        "long r = n ? 1 : ({ __VERIFIER_assume(0); ({ x; }); }); assert(r == 1);",
        "if (n) __VERIFIER_assume(0); assert(sizeof(x ? 1l : ({ __VERIFIER_assume(0); 1; })) == 8);",
        "n ? ({ __VERIFIER_assume(0); (void)0; }) : (void)(x = 2); assert(x == 2);",
    ],
)
def test_the_value_of_a_block_that_nobody_leaves_has_a_type(body: str) -> None:
    before = BEFORE + " int a[2];"
    result = main(f"int n = __VERIFIER_nondet_bool(); {body}", before=before)
    if "unreachable" in body:
        assert result.verdict == "violation"
    else:
        assert (result.verdict, result.executions, result.blocked) == ("safe", 1, 1)
