"""Addresses that are not known: whether one is among those at which bytes are cut in a certain way."""

from __future__ import annotations

from collections.abc import Sequence

from xgen.program.automaton import Binary, Expression, IntLiteral, Wrap


def none_of(address: Expression, addresses: Sequence[int]) -> Expression:
    """Whether an address is none of these, of which there is one at least, the lowest first."""
    first, last, count = addresses[0], addresses[-1], len(addresses)
    step = (last - first) // (count - 1) if count > 1 else 1
    if count > 2 and step & (step - 1) == 0 and list(addresses) == list(range(first, last + 1, step)):
        below = Wrap(Binary("-", address, IntLiteral(first)), 64, True)
        apart = Binary("/=", Binary("bitand", below, IntLiteral(step - 1)), IntLiteral(0))
        return Binary("or", Binary("ult", IntLiteral(last - first), below), apart)
    result: Expression = Binary("/=", address, IntLiteral(first))
    for other in addresses[1:]:
        result = Binary("and", result, Binary("/=", address, IntLiteral(other)))
    return result
