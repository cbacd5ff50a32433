"""Numbers that nobody knows while a program is read: inputs, and what functions give that are not there."""

from __future__ import annotations

from xgen.frontends.library.ranges import Bounds, any_of, numbers_of, within
from xgen.frontends.llvm.language.accesses import Accesses
from xgen.frontends.llvm.text.ir import Instruction
from xgen.frontends.llvm.text.types import Int, Type
from xgen.frontends.llvm.values import Either, Register, Value
from xgen.program import automaton as xcfa
from xgen.program.automaton import IntLiteral, Name

ANY = "__VERIFIER_nondet_"
"""What the names of inputs begin with."""


def any_number(body: Accesses, name: str, bits: int, every: Bounds) -> Value:
    """Any number of so many bits of the range that is given, as far as it is one of `every`; `name` gives it."""
    options = body.world.options
    if options.nondet is None and not options.any_input:
        hint = "say which values there are: --nondet LO..HI; --engine sat takes all"
        raise body.unsupported(f"`{name}` without a range of values is", hint)
    bounds = every if options.nondet is None else within(options.nondet, every)
    if bounds is None:
        raise body.unsupported(f"a range of `{name}` without values that it can give ({every[0]}..{every[1]}) is")
    body.end_single_threaded()
    chosen = Name(body.fresh())
    (low, high), value, among = any_of(bounds, bits, chosen, has_sign=True)
    body.emit(xcfa.Havoc(chosen, (IntLiteral(low), IntLiteral(high)), body.position))
    if among is not None:
        body.emit(xcfa.Assume(among, body.position))
    return body.keep(Register(value, Either(), bits))


def any_of_type(body: Accesses, name: str, _arguments: list[Value], i: Instruction) -> Value:
    """A number of which the name says whether it has a sign, and the call how many bits it has. A bool needs no
    range."""
    of = name.removeprefix(ANY)
    if of.lower() in ("bool", "_bool") or i.type == Int(1):
        body.end_single_threaded()
        return Register(body.any_of((0, 1)), Either(), 1)
    if not isinstance(i.type, Int) or i.type.bits > 64:
        raise body.unsupported(f"`{name}`, which gives no number of up to 64 bits, is")
    return any_number(body, name, i.type.bits, numbers_of(i.type.bits, not of.startswith("u") and of != "size_t"))


def stubbed(body: Accesses, name: str, type_: Type) -> Value:
    """What a function gives that nothing is known of: any number of the range that is given, else 0. IR does not say
    whether it has a sign: a range with numbers below 0 gives those that have one and those that have none."""
    given = body.world.options.nondet
    if given is None or not isinstance(type_, Int):
        return 0
    every = numbers_of(type_.bits, given[0] < 0 and type_.bits > 1)
    if given[0] < 0 and 1 < type_.bits < 64:
        least = max(given[0], every[0])
        every = least, least + (1 << type_.bits) - 1
    return any_number(body, name, type_.bits, every)
