"""A smaller program with the same difference: threads and statements are taken away while it stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from oracle.programs import Atomic, Block, Choice, If, Program, Statement, While


def shrink(program: Program, differs: Callable[[Program], bool]) -> Program:
    """A smallest program, by single steps, for which `differs` holds; it holds for the one given."""
    while True:
        smaller = next((candidate for candidate in _smaller(program) if differs(candidate)), None)
        if smaller is None:
            return program
        program = smaller


def _smaller(program: Program) -> Iterator[Program]:
    for number, thread in enumerate(program.threads):
        before, after = program.threads[:number], program.threads[number + 1 :]
        if before or after:
            yield replace(program, threads=before + after)
        for body in _smaller_blocks(thread.body):
            yield replace(program, threads=(*before, replace(thread, body=body), *after))
    if program.procedures:
        yield replace(program, procedures=False)


def _smaller_blocks(block: Block) -> Iterator[Block]:
    """The blocks that one step leads to: a statement left out, replaced by what is in it, or made smaller."""
    for number, statement in enumerate(block):
        before, after = block[:number], block[number + 1 :]
        yield before + after
        for inner in _smaller_statements(statement):
            yield before + inner + after


def _smaller_statements(statement: Statement) -> Iterator[Block]:
    match statement:
        case If(condition, then, otherwise):
            yield then
            yield otherwise
            yield from ((If(condition, smaller, otherwise),) for smaller in _smaller_blocks(then))
            yield from ((If(condition, then, smaller),) for smaller in _smaller_blocks(otherwise))
        case Choice(blocks):
            yield from blocks
            for number, block in enumerate(blocks):
                for smaller in _smaller_blocks(block):
                    yield (Choice((*blocks[:number], smaller, *blocks[number + 1 :])),)
        case Atomic(body):
            yield body
            yield from ((Atomic(smaller),) for smaller in _smaller_blocks(body))
        case While(condition, body):
            yield body
            # the first statement of the body is the event that keeps the loop within a bound
            yield from ((While(condition, body[:1] + smaller),) for smaller in _smaller_blocks(body[1:]))
