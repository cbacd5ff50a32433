"""How often a program is translated: again only where something was asked for that was found out later."""

from __future__ import annotations

import pytest
from c.running import HEAD, load, threads

from xgen.frontends.c import translate
from xgen.frontends.c.language.facts import Learnt

F = "int f(int a) { return a; }"
PROGRAMS = {
    # name: (the program, translations)
    "no threads": ("int x; int main() { x = 1; return x; }", 1),
    "threads that are joined": (threads("x = 1;", "y = 1;", before="int x, y;"), 1),
    "written, then read": (threads("x = 1; x = x + 1;", before="int x;"), 1),
    "read, then written": (threads("y = x; x = 1;", before="int x, y;"), 2),
    "read, then written by another": (threads("y = x;", "x = 1;", before="atomic_int x; int y;"), 2),
    "read, then written by a pointer": (
        threads("y = x; *(y ? &x : &z) = 1;", before="int x, z; atomic_int y;", after="y = 1;"),
        2,
    ),
    "a local in memory": (threads("int a = 1; long b = (long)&a % 8;"), 2),
    "a loop that changes a local": (threads("int a = 1, *p = &a; while (x) { *p += 1; }", before="atomic_int x;"), 1),
    "a loop that changes a global": ("int x; int main() { while (__VERIFIER_nondet_bool()) x++; }", 2),
    "a function that is taken before it is called": (f"{F} int main() {{ int (*p)(int) = f; return p(1) - 1; }}", 1),
    "a function that is taken after a call": (
        f"{F} int (*p)(int); void *t(void *a) {{ if (p) p(1); p = f; return a; }}"
        " int main() { pthread_t h; pthread_create(&h, 0, t, 0); t(0); }",
        2,
    ),
    "a value that is asked for": (
        "void *t(void *a) { return a; }"
        " int main() { pthread_t h; void *r; pthread_create(&h, 0, t, 0); pthread_join(h, &r); }",
        3,
    ),
    "a thread that is joined by a handle that is not known": (
        "void *t(void *a) { return a; } int main() { pthread_t h[2]; for (int i = 0; i < 2; i++)"
        " pthread_create(&h[i], 0, t, 0); pthread_join(h[__VERIFIER_nondet_bool()], 0); }",
        3,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_translations(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    program = translate._Translator.program

    def counted(self: translate._Translator) -> object:
        nonlocal count
        count += 1
        return program(self)

    monkeypatch.setattr(translate._Translator, "program", counted)
    load(HEAD + PROGRAMS[name][0])
    assert count == PROGRAMS[name][1]


def test_what_outdates_a_translation() -> None:
    known: Learnt[str] = Learnt()
    known.learn("nobody asked")
    assert not known.outdated
    assert "nobody asked" in known
    assert "later" not in known
    known.learn("another", "nobody asked")
    assert not known.outdated
    known.learn("later")
    assert known.outdated
    known.begin()
    assert not known.outdated
    assert known.all() == ["nobody asked", "another", "later"]
    known.learn("later")
    assert not known.outdated
    known.learn("one more")
    assert known.outdated
