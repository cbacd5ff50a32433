"""Programs with threads, made at random: as C they have the executions and the final states that they have as XCFA.

The structured programs are the oracle's, whose XCFA is compared with brute force elsewhere.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from c.running import load, model
from oracle import expressions as e
from oracle import programs as p
from oracle.strategies import Features, random_program

import xgen

FEATURES = Features(
    fences=8, fence_tags=("acquire", "release", "acq_rel", "seq_cst"), orders=("relaxed",), branches=18, choices=0,
    havocs=0, leaves=0, faults=0, rmws=20, arrays=15, asserts=8, events=(2, 4), bools=0,
)  # fmt: skip
LOADS, STORES = ("relaxed", "acquire", "seq_cst"), ("relaxed", "release", "seq_cst")
UPDATES = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
HEAD = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdbool.h>\n#include <assert.h>\n#include <genmc.h>\n"


def ordered(block: p.Block, rng: Random) -> p.Block:
    """The block with orders that C has for its accesses."""

    def changed(statement: p.Statement) -> p.Statement:
        match statement:
            case p.Load():
                return replace(statement, order=rng.choice(LOADS))
            case p.Store():
                return replace(statement, order=rng.choice(STORES))
            case p.Rmw(op="cas"):
                return replace(statement, orders=(rng.choice(UPDATES), rng.choice(LOADS)))
            case p.Rmw():
                return replace(statement, orders=(rng.choice(UPDATES),))
            case p.If(condition, then, otherwise):
                return p.If(condition, ordered(then, rng), ordered(otherwise, rng))
            case _:
                return statement

    return tuple(map(changed, block))


def expression(expr: e.Expr) -> str:
    match expr:
        case e.Const(value):
            return str(int(value))
        case e.Local(name):
            return name
        case e.Not(operand):
            return f"!{expression(operand)}"
        case e.Binary("mod", left, right):
            a, b = expression(left), expression(right)
            return f"((({a} % {b}) + {b}) % {b})"
        case e.Binary(op, left, right):
            sign = {"=": "==", "/=": "!=", "and": "&&", "or": "||"}.get(op, op)
            return f"({expression(left)} {sign} {expression(right)})"
        case e.Conditional(test, positive, negative):
            return f"({expression(test)} ? {expression(positive)} : {expression(negative)})"


def place(where: p.Place) -> str:
    if isinstance(where, str):
        return where
    index = expression(where.index)
    return f"*({where.array} + {index})" if where.pointer else f"{where.array}[{index}]"


def order(name: str | None) -> str:
    return f"memory_order_{name}"


def statement(found: p.Statement) -> str:
    match found:
        case p.Load(local, where, tag):
            return f"{local} = atomic_load_explicit(&{place(where)}, {order(tag)});"
        case p.Store(where, value, tag):
            return f"atomic_store_explicit(&{place(where)}, {expression(value)}, {order(tag)});"
        case p.Rmw(local, "cas", where, (expected, new), (success, failure)):
            call = f"atomic_compare_exchange_strong_explicit(&{place(where)}, &e, {expression(new)}, "
            call += f"{order(success)}, {order(failure)});"
            keep = f" {local} = e;" if local else ""
            return f"{{ long e = {expression(expected)}; {call}{keep} }}"
        case p.Rmw(local, op, where, (operand,), (tag,)):
            call = f"atomic_{op}_explicit(&{place(where)}, {expression(operand)}, {order(tag)});"
            return f"{local} = {call}" if local else call
        case p.Fence(tag):
            return f"atomic_thread_fence({order(tag)});"
        case p.Assign(local, value):
            return f"{local} = {expression(value)};"
        case p.Assume(condition):
            return f"__VERIFIER_assume({expression(condition)});"
        case p.Assert(condition):
            return f"assert({expression(condition)});"
        case p.If(condition, then, otherwise):
            return f"if ({expression(condition)}) {{ {block(then)} }} else {{ {block(otherwise)} }}"
        case p.Skip():
            return ";"
    raise AssertionError(found)


def block(statements: p.Block) -> str:
    return " ".join(map(statement, statements))


def c_text(program: p.Program) -> str:
    shared = [f"atomic_long {v.name}{'[2]' if v.size else f' = {int(v.initial)}'};" for v in program.shared]
    threads, starts = [], ""
    for thread in program.threads:
        locals_ = " ".join(f"{'bool' if v.type == 'bool' else 'long'} {v.name} = 0;" for v in thread.locals)
        threads.append(f"void *{thread.name}(void *arg) {{ {locals_} {block(thread.body)} return 0; }}")
        starts += f" {{ pthread_t t; pthread_create(&t, 0, {thread.name}, 0); }}"
    return "\n".join([HEAD, *shared, *threads, f"int main() {{{starts} }}\n"])


def made(seed: int) -> p.Program:
    rng = Random(seed)
    program = random_program(rng, FEATURES)
    threads = tuple(replace(thread, body=ordered(thread.body, rng)) for thread in program.threads)
    return replace(program, threads=threads)


def found(program: xgen.Program, mcm: str, names: set[str]) -> tuple[object, ...]:
    result = xgen.check(program, model(mcm), all_states=True, trace_limit=0)
    states = {tuple(sorted((n, v) for n, v in o.state.items() if n in names)) for o in result.outcomes}
    counts = (result.executions, result.blocked) if result.verdict == "safe" else ()
    return result.verdict, counts, states


def compare(seed: int) -> None:
    program = made(seed)
    names = {variable.name for variable in program.shared if not variable.size}
    text = c_text(program)
    for mcm in ("sc", "tso", "rc11", "rc11-c20"):
        # TSO has no orders of C: there they are no more than plain accesses, in XCFA as well.
        here = found(load(text, races=False, map="none" if mcm == "tso" else None), mcm, names)
        assert here == found(xgen.parse(str(program), "xcfa"), mcm, names), (seed, mcm, text)


def test_as_in_xcfa() -> None:
    for seed in range(25):
        compare(seed)


@pytest.mark.slow
def test_more_as_in_xcfa() -> None:
    for seed in range(25, 400):
        compare(seed)
