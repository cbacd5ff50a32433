"""Relations of a few events as rows of bits, for brute force."""

from __future__ import annotations

Rows = list[int]
"""A relation: for each event the set of those that it leads to."""


def compose(*relations: Rows) -> Rows:
    first, *others = relations
    for second in others:
        result = []
        for row in first:
            reached = 0
            while row:
                low = row & -row
                reached |= second[low.bit_length() - 1]
                row ^= low
            result.append(reached)
        first = result
    return first


def union(*relations: Rows) -> Rows:
    result = [0] * len(relations[0])
    for relation in relations:
        result = [a | b for a, b in zip(result, relation, strict=True)]
    return result


def meet(first: Rows, *others: Rows) -> Rows:
    for second in others:
        first = [a & b for a, b in zip(first, second, strict=True)]
    return first


def without(first: Rows, second: Rows) -> Rows:
    return [a & ~b for a, b in zip(first, second, strict=True)]


def closure(relation: Rows) -> Rows:
    result = list(relation)
    for k in range(len(result)):
        bit, more = 1 << k, result[k]
        result = [row | more if row & bit else row for row in result]
    return result


def inverse(relation: Rows) -> Rows:
    return [sum(1 << a for a, row in enumerate(relation) if row >> b & 1) for b in range(len(relation))]


def loops(relation: Rows) -> bool:
    return any(row >> n & 1 for n, row in enumerate(relation))
