"""Freed memory that is given again (`--reuse`): who asks for memory may get a block that was freed, by its old address.

A free chooses whether the block is gone for good, as it always is without the option, so that later accesses are found;
or whether it may be given again: then the free writes 1 to a cell of the block with release order. Who asks for memory
chooses between a new block and each one of the same layout: it makes 0 of that 1 by an update with acquire order, or
this execution is none. So a free happens before the allocation that gives the block again (C11, 7.22.3), and nothing
else is ordered. What is in the block is no value any more.
"""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from xgen.executions.nothing import NOTHING
from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.facts import Block
from xgen.frontends.c.language.flow import SINGLE_THREADED, Label
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.values.places import Value, literal
from xgen.frontends.c.values.types import INT, VOID, Pointer, plain, size_of, width_of
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Deref, IntLiteral, Name


def may_come_back(body: Body, found: Object) -> None:
    """A new block, which may be given again: it gets its cell."""
    if body.world.options.reuse:
        state = body.world.memory.allocate(f"{found.name}.freed", INT, f"{found.name}.freed")
        layout = tuple((leaf.offset, size_of(leaf.type), str(plain(leaf.type))) for leaf in found.leaves)
        body.world.allocations.append(Block(found.address, state.address, (size_of(found.type), layout)))


def or_again(
    body: Body, found: Object, aligned: int, undefined: bool, new: Callable[[], Value], node: c_ast.Node
) -> Value:
    """What an allocation gives: `new` memory, as `found` is, or memory that was freed."""
    world = body.world
    if not world.options.reuse or body.flow.known is None or SINGLE_THREADED in body.flow.known:
        return new()
    layout = next(block.layout for block in world.allocations if block.address == found.address)
    world.wanted.add(layout)
    blocks = [
        block
        for block in world.facts.blocks
        if block.layout == layout and not block.address % aligned and (body.looping or block.address != found.address)
    ]
    if not blocks:
        return new()
    for leaf in found.leaves if undefined else ():
        world.facts.uninitialised.learn(str(plain(leaf.type)))
        world.facts.uninitialised_anywhere.learn(str(plain(leaf.type)))
    result, end, position = body.fresh(), body.flow.label(), body.position(node)
    chosen = _any(body, len(blocks), node)
    for number, block in enumerate(blocks, 1):
        following = body.flow.label()
        body.flow.branch(Binary("/=", chosen, IntLiteral(number)), following, position)
        old, freed = Name(body.fresh()), _cell(body, block, node)
        values, orders = (IntLiteral(1), IntLiteral(0)), ("acquire", "relaxed")
        body.flow.emit(xcfa.Rmw(old, "cas", freed, values, orders, position))
        body.flow.emit(xcfa.Assume(Binary("=", old, IntLiteral(1)), position))
        world.write_anywhere()
        for leaf in found.leaves:
            there = Deref(IntLiteral(block.address + leaf.offset), position, width_of(plain(leaf.type)))
            body.flow.emit(xcfa.Store(IntLiteral(NOTHING if undefined else 0), there, position=position))
        body.assign(result, literal(block.address, Pointer(VOID)), node)
        body.flow.jump(end, position)
        body.flow.bind(following)
    body.assign(result, new(), node)
    body.flow.bind(end)
    return body.result(result, Pointer(VOID))


def give_back(body: Body, address: Value, end: Label, node: c_ast.Node) -> None:
    """What is freed may be given again; then it goes on at `end`. Else it is freed for good, by what follows."""
    world = body.world
    if not world.options.reuse or body.flow.known is None or SINGLE_THREADED in body.flow.known:
        return
    world.returned.add(address.constant)
    blocks = [block for block in world.facts.blocks if address.constant in (None, block.address)]
    if not blocks:
        return
    gone, position = body.flow.label(), body.position(node)
    body.flow.branch(Binary("=", _any(body, 1, node), IntLiteral(0)), gone, position)
    for block in blocks:
        following = body.flow.label()
        if address.constant is None:
            body.flow.branch(Binary("/=", address.expression, IntLiteral(block.address)), following, position)
        freed = _cell(body, block, node)
        body.flow.emit(xcfa.Store(IntLiteral(1), freed, order="release", position=position))
        body.flow.jump(end, position)
        body.flow.bind(following)
    if body.flow.reachable:
        body.flow.emit(xcfa.Assume(BoolLiteral(False), position))
        body.flow.known = None
    body.flow.bind(gone)


def _any(body: Body, most: int, node: c_ast.Node) -> Name:
    """Any number up to one."""
    chosen = Name(body.fresh())
    body.flow.emit(xcfa.Havoc(chosen, (IntLiteral(0), IntLiteral(most)), body.position(node)))
    return chosen


def _cell(body: Body, block: Block, node: c_ast.Node) -> Deref:
    """The cell that says that a block is freed."""
    return Deref(IntLiteral(block.freed), body.position(node), width_of(INT))
