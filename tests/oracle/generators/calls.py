"""Random programs that call procedures: bodies of random_program, with calls put before what edges do."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from oracle.programs import Program, automaton_text
from oracle.strategies import Features, random_program

CALLS = ("call g()", "a := call f(1)", "a := call f(a)", "a := call f(s + 1)", "a := s")


def random_calls(rng: Random, features: Features) -> str:
    """A program in which each process has a variable of its own, `s`, and procedures: `f` gives a value, `g` calls `f`.

    Values come in as arguments and through `s`, which `f` changes.
    """
    main = random_program(rng, features)
    lines = [f"var {name} : int" for name in "xyz"[: features.variables]]
    for number, thread in enumerate(main.threads):
        small = replace(features, threads=(1,), events=(1, 2))
        first, second = (random_program(rng, small) for _ in range(2))
        lines += [
            f"{'main ' if number == 0 else ''}process {thread.name} {{",
            "var s : int",
            *_procedure("int procedure f(n : int)", _returning(rng, _body(first, 0))),
            *_procedure("procedure g()", _calling(rng, _body(second, 0), 0.5, ("call f(s)",))),
            *_procedure("main procedure run()", _calling(rng, _body(main, number), 0.6, CALLS)),
            "}",
        ]
    return "\n".join(lines) + "\n"


def _procedure(head: str, body: list[str]) -> list[str]:
    return [f"{head} {{", *body, "}"]


def _body(program: Program, number: int) -> list[str]:
    """The lines of a thread; with a local `a` in any case."""
    lines = automaton_text(program.threads[number], program.automata[number])
    return lines if any(line.startswith("var a ") for line in lines) else ["var a : int", *lines]


def _with(line: str, before: str, after: str = "") -> str:
    """The line of an edge that does more."""
    ends, _, inside = line.partition(" {")
    said = [before, inside.strip().removesuffix("}").strip(), after]
    return f"{ends} {{ {'; '.join(statement for statement in said if statement)} }}"


def _calling(rng: Random, lines: list[str], share: float, calls: tuple[str, ...]) -> list[str]:
    return [_with(line, rng.choice(calls)) if "->" in line[:12] and rng.random() < share else line for line in lines]


def _returning(rng: Random, lines: list[str]) -> list[str]:
    """The first edge changes `s`, perhaps memory, and returns at times; others return more often."""
    given = []
    for line in lines:
        returns = any("return" in other for other in given)
        if "->" not in line[:12] or (returns and rng.random() < 0.3):
            given.append(line)
        else:
            start = rng.choice(("s := s + n", "s := n", "n -> x", "a <- y"))
            given.append(_with(line, start, rng.choice(("return s", "return n + a", "return a"))))
    return given
