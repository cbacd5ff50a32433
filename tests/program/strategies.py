"""Hypothesis strategies for programs: any that the grammar allows, sensible or not, and typed expressions."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from xgen.errors import Source
from xgen.program import automaton as xcfa
from xgen.program.expressions import REALS_OF_ONE, REALS_OF_TWO

RESERVED = (
    {"var", "process", "procedure", "loc", "main", "static", "dynamic", "int", "bool", "synthetic", "init", "final"}
    | {"error", "fence", "atomic", "assume", "assert", "havoc", "in", "skip", "return", "call", "start", "join", "if"}
    | {"then", "else", "iff", "imply", "or", "and", "not", "mod", "rem", "true", "false"}
    | {"bitand", "bitor", "bitxor", "bitnot", "shl", "shr"}
    | {"const", "struct", "while", "do", "for", "break", "continue", "choose"}
)

words = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,4}", fullmatch=True) | st.sampled_from(
    ["cas", "lock", "fetch_add", "load_exclusive", "wrap", "index", "R", "x"]
)
names = words.filter(lambda word: word not in RESERVED)
uses = st.builds(xcfa.Name, names)
integers = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)
constants = st.builds(xcfa.IntLiteral, integers) | st.builds(xcfa.BoolLiteral, st.booleans())
types = st.builds(
    xcfa.Type, st.sampled_from(["int", "bool", "synthetic"]), st.lists(st.integers(1, 9), max_size=2).map(tuple)
)
BINARY: list[Any] = [
    *"iff imply or and = /= < <= > >= + - * / mod rem bitand bitor bitxor shl shr".split(),  # noqa: SIM905
    *REALS_OF_TWO,
]


def several(strategy: st.SearchStrategy[Any], least: int = 0, most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


expressions: st.SearchStrategy[xcfa.Expression] = st.recursive(
    constants | uses,
    lambda inner: (
        st.builds(xcfa.Unary, st.sampled_from(["not", "-", "bitnot", *REALS_OF_ONE]), inner)
        | st.builds(xcfa.Wrap, inner, st.integers(1, 65), st.booleans())
        | st.builds(xcfa.Index, inner, st.integers(0, 9))
        | st.builds(xcfa.AddressOf, st.builds(xcfa.Deref, inner) | st.builds(xcfa.Place, uses, several(inner, most=2)))
        | st.builds(xcfa.Binary, st.sampled_from(BINARY), inner, inner)
        | st.builds(xcfa.Conditional, inner, inner, inner)
    ),
    max_leaves=8,
)
places = st.builds(xcfa.Place, uses, several(expressions, most=2)) | st.builds(xcfa.Deref, expressions)
tags = st.sampled_from(["acquire", "seq_cst", "dmb.sy", "rcu-lock", "before-atomic", "a.b-c"]) | names
orders = st.none() | tags


def update(op: str) -> st.SearchStrategy[xcfa.Rmw]:
    return st.builds(
        xcfa.Rmw,
        st.none() | uses,
        st.just(op),
        places,
        several(expressions, 1),
        several(tags, most=2),
        read_tags=several(tags, most=2),
        write_tags=several(tags, most=2),
    )


def with_tags(node: type, *parts: st.SearchStrategy[Any], **more: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Accesses and fences, without a tag or with some: in the text form the first one is the order."""
    plain = st.builds(node, *parts, **more)
    return plain | st.builds(node, *parts, order=tags, tags=several(tags), **more)


statements: st.SearchStrategy[Any] = st.one_of(
    st.builds(xcfa.Assign, uses, expressions),
    with_tags(xcfa.Load, uses, places, st.booleans(), exclusive=st.booleans()),
    with_tags(xcfa.Store, expressions, places, st.booleans()),
    with_tags(xcfa.StoreExclusive, uses, expressions, places),
    st.sampled_from(sorted(xcfa.RMW_ARGUMENTS)).flatmap(update),
    st.builds(xcfa.Fence, orders) | st.builds(xcfa.Fence, tags, tags=several(tags)),
    st.builds(xcfa.Assume, expressions),
    st.builds(xcfa.Assert, expressions),
    st.builds(xcfa.Havoc, uses, st.none() | st.tuples(expressions, expressions)),
    st.builds(xcfa.Skip),
    st.builds(xcfa.Return, st.none() | expressions),
    st.builds(xcfa.Call, st.none() | uses, uses, several(expressions)),
    st.builds(xcfa.AtomicBegin),
    st.builds(xcfa.AtomicEnd),
    st.builds(xcfa.Mutex, st.sampled_from(["lock", "unlock"]), uses),
    st.builds(xcfa.Control, st.sampled_from(["start", "join"]), uses),
)
variables = st.builds(xcfa.Variable, names, types, several(constants))
scalars = st.sampled_from(["int", "bool", "synthetic"]).map(xcfa.Type)
local_variables = st.builds(xcfa.Variable, names, scalars, several(constants))  # the cells of arrays are such, too
parameters = st.builds(xcfa.Variable, names, types)
locations = st.builds(xcfa.Location, names, st.sampled_from(["init", "final", "error", None]))
edges = st.builds(xcfa.Edge, uses, uses, several(statements))
procedures = st.builds(
    xcfa.Procedure,
    names,
    st.booleans(),
    several(parameters),
    several(local_variables),
    several(locations),
    several(edges),
    st.none() | types,
)
processes = st.builds(
    xcfa.Process,
    names,
    st.booleans(),
    several(local_variables),
    several(procedures),
    several(locations),
    several(edges),
)
programs = st.builds(xcfa.Program, st.just(Source("generated", "")), several(variables), several(processes))


def typed(local_ints: list[str], local_bools: list[str]) -> tuple[st.SearchStrategy[Any], st.SearchStrategy[Any]]:
    """Well-typed int and bool expressions over local variables."""
    int_leaves = st.builds(xcfa.IntLiteral, integers) | st.sampled_from(local_ints).map(xcfa.Name)
    bool_leaves = st.builds(xcfa.BoolLiteral, st.booleans()) | st.sampled_from(local_bools).map(xcfa.Name)
    arithmetic = st.sampled_from(["+", "-", "*", "/", "mod", "rem", "bitand", "bitor", "bitxor", "shl", "shr"])
    ordered = st.sampled_from(["=", "/=", "<", "<=", ">", ">="])
    logical = st.sampled_from(["and", "or", "imply", "iff", "=", "/="])

    def ints(depth: int) -> st.SearchStrategy[Any]:
        if depth == 0:
            return int_leaves
        inner = ints(depth - 1)
        return st.one_of(
            int_leaves,
            st.builds(xcfa.Unary, st.sampled_from(["-", "bitnot"]), inner),
            st.builds(xcfa.Wrap, inner, st.sampled_from([1, 8, 32, 63, 64]), st.booleans()),
            st.builds(xcfa.Binary, arithmetic, inner, inner),
            st.builds(xcfa.Conditional, bools(depth - 1), inner, inner),
        )

    def bools(depth: int) -> st.SearchStrategy[Any]:
        if depth == 0:
            return bool_leaves
        inner = bools(depth - 1)
        return st.one_of(
            bool_leaves,
            st.builds(xcfa.Unary, st.just("not"), inner),
            st.builds(xcfa.Binary, logical, inner, inner),
            st.builds(xcfa.Binary, ordered, ints(depth - 1), ints(depth - 1)),
            st.builds(xcfa.Conditional, inner, inner, inner),
        )

    return ints(3), bools(3)
