"""Loops with counters: which are written out, how much work that is, and that nothing changes by it."""

from __future__ import annotations

import pytest
from c.running import HEAD, load, main, run, threads

from xgen.frontends.c.language.statements import Statements
from xgen.frontends.limits import ROUNDS, WRITTEN

BODY = "for (int i = 0; i < 10; i++) c = h(h(h(h(c))));"
KNOWN = "unsigned long g = -1, k; int c; unsigned long *p = &g; int h(int a) { return a > 0 ? a - 1 : a + 1; }"
"""The value of g is not that of its start, once a thread has run."""

SHAPES = {
    "no round at all": f"for (g = 10; g >= 41; g++) {BODY}",
    "no round, by a pointer": f"*p = 10; for (; g >= 41; g++) {BODY}",
    "no round, by an unknown pointer": f"*(__VERIFIER_nondet_bool() ? &g : &k) = 10; for (; g >= 41; g++) {BODY}",
    "no round, down": f"for (g = 0; g > 1; g--) {BODY}",
    "no round, in another loop": f"for (g = 10; g >= 41; g++) for (g = 10; g >= 41; g++) {BODY}",
    "while": f"g = 10; while (g >= 41) {{ {BODY} g++; }}",
    "a round that sets the counter": f"for (; g >= 41; g++) {{ {BODY} g = 10; }}",
    "no end": "for (unsigned i = 1; i != 0; i += 2) c++;",
    "no end, inside": "for (int j = 0; j < 100; j++) for (unsigned i = 1; i != 0; i += 2) c++;",
    "many rounds inside each other": "for (int i = 0; i < 99; i++) for (int j = 0; j < 99; j++) for (int k = 0; k < 99; k++) c++;",  # noqa: E501
}


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many statements have been translated, in all translations of a program."""
    count = [0]
    translate = Statements.translate

    def counted(self: Statements, node: object) -> None:
        count[0] += 1
        translate(self, node)  # type: ignore[arg-type]

    monkeypatch.setattr(Statements, "translate", counted)
    return count


@pytest.mark.parametrize("name", SHAPES)
def test_little_is_written_out_in_vain(name: str, work: list[int]) -> None:
    load(HEAD + threads(SHAPES[name], before=KNOWN))
    assert work[0] < (1_000 if name.startswith(("no round", "while", "a round")) else 4 * WRITTEN)


@pytest.mark.parametrize("rounds", [ROUNDS - 1, ROUNDS, ROUNDS + 1])
def test_rounds_that_are_too_many_to_be_written_out_are_run(rounds: int) -> None:
    result = main(
        f"unsigned i, s = 0; for (i = 0; i < {rounds}; i++) s += i; assert(s == {rounds * (rounds - 1) // 2});"
    )
    assert result.verdict == "safe"


def test_loops_of_which_one_is_not_written_out() -> None:
    body = "unsigned s = 0; for (int i = 0; i < 9; i++) for (int j = 0; j < 40; j++) for (int k = 0; k < 40; k++) s++;"
    assert main(f"{body} assert(s == 14400);").verdict == "safe"
    assert main(f"{body} assert(s != 14400);").verdict == "violation"


def test_threads_are_created_in_loops_that_are_written_out() -> None:
    text = "pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);"
    text += f" int s = 0; for (int i = 0; i <= {ROUNDS}; i++) s++; for (int i = 0; i < 3; i++) pthread_join(t[i], 0);"
    result = main(
        f"{text} assert(x == 3 && s == {ROUNDS + 1});", before="atomic_int x; void *f(void *a) { x++; return a; }"
    )
    assert (result.verdict, result.executions) == ("safe", 6)


@pytest.mark.parametrize(("bound", "verdict"), [(5, "vacuous"), (ROUNDS, "vacuous"), (ROUNDS + 2, "safe")])
def test_the_bound_cuts_loops_that_are_not_written_out(bound: int, verdict: str) -> None:
    result = main(f"int s = 0; for (int i = 0; i <= {ROUNDS}; i++) s++; assert(s);", unroll=bound)
    assert (result.verdict, result.cut) == (verdict, int(verdict != "safe"))


UNKNOWN = "int n = __VERIFIER_nondet_bool();"
BOUNDED = {
    # what main does: how many executions come to the end with `--unroll 2`, how many are cut
    "int s = 0; for (int i = 0; i < 6; i++) s++; assert(s == 6);": (1, 0),
    "int s = 0, i = 6; while (i > 0) { i--; s++; } assert(s == 6);": (1, 0),
    "int s = 0, i = 0; do s++; while (++i < 6); assert(s == 6);": (1, 0),
    "int s = 0, k = 5; do s++; while (k >>= 1); assert(s == 3);": (1, 0),
    "int s = 0, k = 100; while ((k /= 3) > 0) s++; assert(s == 4);": (1, 0),
    "int a[6]; for (int i = 0; i < 6; i++) a[i] = i; assert(a[5] == 5);": (1, 0),
    "int s = 0; for (int i = 0; i < 4; i++) for (int j = 0; j < 5; j++) s++; assert(s == 20);": (1, 0),
    "for (int i = 0; i < 6; i++) if (i == 4) break;": (1, 0),
    "for (int i = 0; i < 6; i++) if (i == 4) return;": (1, 0),
    f"{UNKNOWN} for (int i = 0; i < 6; i++) if (n) break;": (2, 0),
    f"{UNKNOWN} int s = 0; for (int i = 0; i < 6; i++) {{ if (n) continue; s++; }} assert(n || s == 6);": (2, 0),
    'const char *s = "hello"; int n = 0; while (s[n]) n++; assert(n == 5);': (1, 0),
    'const char *s = "hello"; int n = 0; while (*s++) n++; assert(n == 5);': (1, 0),
    'assert(strlen("hello") == 5 && !strcmp("abcde", "abcde") && strchr("abcde", 101));': (1, 0),
    # rounds that are not known are counted, from where they are not
    f"{UNKNOWN} int k = n * 6; for (int i = 0; i < k; i++) ;": (1, 1),
    f"{UNKNOWN} int k = 4; for (int i = 0; i < k; i++) {{ if (i == 2) k += n; }}": (0, 2),
    f"for (int i = 0; i < 4; i++) {{ {UNKNOWN} while (n) n = 1; }}": (1, 4),
    f'{UNKNOWN} char s[] = "abcdefgh"; s[4] = n ? 101 : 0; int k = 0; while (s[k]) k++;': (0, 2),
    "for (int i = 0; i < 4; i++) { int s = 0; while (s < 1) s = s * 2 + 1; }": (1, 0),
    "for (int i = 0; i < 4; i++) { int s = 0; while (s < 4) s = s * 2 + 1; }": (0, 1),
}


@pytest.mark.parametrize("text", BOUNDED)
def test_the_bound_does_not_count_rounds_that_are_known(text: str) -> None:
    result = run(
        f"extern _Bool __VERIFIER_nondet_bool(void); void work() {{ {text} }} int main() {{ work(); }}", unroll=2
    )
    complete, cut = BOUNDED[text]
    raised = any(f"this is the answer with a bound of {rounds}" in str(result.warnings) for rounds in (4, 8, 16, 32))
    assert raised == (complete == 0)  # what lets nothing through is raised
    assert (result.executions + result.bounded, result.violations) == (complete + cut, 0)
    assert raised or (result.executions, result.bounded) == (complete, cut)


def test_threads_are_created_whatever_the_bound() -> None:
    text = "pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);"
    text += " for (int i = 0; i < 4; i++) pthread_join(t[i], 0); assert(x == 4);"
    result = main(text, before="atomic_int x; void *f(void *a) { x++; return a; }", unroll=1)
    assert (result.verdict, result.executions, result.cut) == ("safe", 24, 0)


NAMED = """static int f(const char *name) {
  char buf[16]; strncpy(buf, name, sizeof buf - 1); buf[15] = 0; return strlen(buf); }
int x; int up(int n) { while (x < n) x++; return x; }
"""


@pytest.mark.parametrize("unroll", [None, 1, 3])
def test_rounds_of_the_library_are_not_counted(unroll: int | None) -> None:
    right = main('assert(f("abcdef") == 6);', NAMED, unroll=unroll)
    assert (right.verdict, right.executions) == ("safe", 1)
    assert main('assert(f("abcdef") == 5);', NAMED, unroll=unroll).verdict == "violation"
    bounded = main("up(__VERIFIER_nondet_bool() ? 6 : 7);", NAMED, unroll=unroll)
    raised = f"a bound of {unroll} on the rounds of loops lets no execution complete" in str(bounded.warnings)
    assert (bounded.executions, raised) == (2, unroll is not None)
