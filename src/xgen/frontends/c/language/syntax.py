"""What a part of a C program's tree has in it: labels and jumps, what it assigns, what counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pycparser import c_ast


class Blocks(dict[int, c_ast.Compound]):
    """The bodies of statement expressions, by number, all of which are there before anything is looked for; and what
    was found in parts of the tree, each of which is asked for in every round of a loop that is written out."""

    def __init__(self) -> None:
        super().__init__()
        self._assigned: dict[int, frozenset[str]] = {}
        self._parts: dict[tuple[type[c_ast.Node], int], tuple[c_ast.Node, ...]] = {}
        self._holders: dict[int, dict[int, str]] = {}
        self._counters: dict[int, frozenset[str]] = {}
        self._can_be_entered: dict[int, bool] = {}
        self._has_cases: dict[int, bool] = {}

    def counters(self, loop: c_ast.Node) -> frozenset[str]:
        """The variables that a loop changes by `++`, `--`, `+=` and `-=` of constants only."""
        found = self._counters.get(id(loop))
        if found is None:
            parts = [part for part in (loop.cond, loop.stmt, getattr(loop, "next", None)) if part is not None]
            found = self._counters[id(loop)] = frozenset(_counters(parts, self))
        return found

    def can_be_entered(self, node: c_ast.Node) -> bool:
        """Whether what cannot be reached from before may be jumped into."""
        found = self._can_be_entered.get(id(node))
        if found is None:
            found = any(isinstance(part, c_ast.Label | c_ast.Case | c_ast.Default) for part in walk(node, {}))
            self._can_be_entered[id(node)] = found
        return found

    def has_cases(self, node: c_ast.Node) -> bool:
        """Whether there is a case of a switch around it."""
        found = self._has_cases.get(id(node))
        if found is None:
            found = self._has_cases[id(node)] = any(True for _ in switch_cases(node))
        return found

    def assigned(self, node: c_ast.Node) -> frozenset[str]:
        """The names of variables that are assigned, or whose address is taken."""
        found = self._assigned.get(id(node))
        if found is None:
            found = self._assigned[id(node)] = frozenset(_assigned(node, self))
        return found

    def declared(self, node: c_ast.Node) -> tuple[c_ast.Decl, ...]:
        """The declarations of variables, in the order of the text."""
        return self._of_kind(c_ast.Decl, node)

    def labels(self, node: c_ast.Node) -> tuple[c_ast.Label, ...]:
        """The labels, in the order of the text."""
        return self._of_kind(c_ast.Label, node)

    def _of_kind(self, kind: type[c_ast.Node], node: c_ast.Node) -> tuple[c_ast.Node, ...]:
        found = self._parts.get((kind, id(node)))
        if found is None:
            parts = (part for part in walk(node, self) if isinstance(part, kind))
            found = self._parts[kind, id(node)] = tuple(parts)
        return found

    def holders(self, node: c_ast.Node) -> dict[int, str]:
        """For each call by its id: the variable or field that first holds what it gives; "" where it is returned."""
        found = self._holders.get(id(node))
        if found is None:
            found = self._holders[id(node)] = dict(_holders(node, self))
        return found


def walk(node: c_ast.Node | None, blocks: Mapping[int, c_ast.Compound]) -> Iterator[c_ast.Node]:
    """A node and all below it, in the order of the text, statement expressions too."""
    stack = [node]
    while stack:
        part = stack.pop()
        if part is None:
            continue
        yield part
        stack += reversed([*part])
        if isinstance(part, c_ast.FuncCall) and isinstance(part.name, c_ast.ID):
            number = block_number(part.name.name)
            if number is not None:
                stack.append(blocks.get(number))


def statements(node: c_ast.Node | None) -> Iterator[c_ast.Node]:
    """The statements that a statement is made of, whose values nobody uses; not those of statement expressions."""
    match node:
        case c_ast.Compound():
            inside = node.block_items or []
        case c_ast.If():
            inside = [node.iftrue, node.iffalse]
        case c_ast.For():
            inside = [node.init, node.stmt]
        case c_ast.DeclList():
            inside = node.decls
        case c_ast.While() | c_ast.DoWhile() | c_ast.Switch() | c_ast.Label():
            inside = [node.stmt]
        case c_ast.Case() | c_ast.Default():
            inside = node.stmts or []
        case None:
            return
        case _:
            yield node
            return
    for part in inside:
        yield from statements(part)


def declares(node: c_ast.Node) -> bool:
    return isinstance(node, (c_ast.Decl, c_ast.DeclList, c_ast.Typedef))


def switch_cases(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """The cases of a switch, not those of switches inside, in the order of the text."""
    if isinstance(node, c_ast.Case | c_ast.Default):
        yield node
    for child in node:
        if not isinstance(child, c_ast.Switch):
            yield from switch_cases(child)


def root(node: c_ast.Node) -> str | None:
    """The variable that an lvalue is (in)."""
    while isinstance(node, c_ast.ArrayRef | c_ast.StructRef):
        if isinstance(node, c_ast.StructRef) and node.type == "->":
            return None
        node = node.name
    return node.name if isinstance(node, c_ast.ID) else None


def _assigned(node: c_ast.Node, blocks: Blocks) -> Iterator[str]:
    for part in walk(node, blocks):
        name = None
        if isinstance(part, c_ast.Assignment):
            name = root(part.lvalue)
        elif isinstance(part, c_ast.UnaryOp) and part.op in ("++", "--", "p++", "p--", "&"):
            name = root(part.expr)
        if name is not None:
            yield name


def _holders(node: c_ast.Node, blocks: Blocks) -> Iterator[tuple[int, str]]:
    for part in walk(node, blocks):
        match part:
            case c_ast.Decl(name=str(name), init=c_ast.Node() as value):
                pass
            case c_ast.Assignment(op="=", lvalue=place, rvalue=value):
                name = _last_name(place)
            case c_ast.Return(expr=c_ast.Node() as value):
                name = ""
            case c_ast.FuncCall(name=c_ast.ID(name="posix_memalign"), args=c_ast.ExprList(exprs=[place, *_])):
                name, value = _last_name(place), part
            case _:
                continue
        for call in _calls_that_give(value):
            yield id(call), name


def _last_name(place: c_ast.Node) -> str:
    """The variable or the field that is assigned."""
    while isinstance(place, c_ast.ArrayRef | c_ast.UnaryOp | c_ast.Cast):
        place = place.name if isinstance(place, c_ast.ArrayRef) else place.expr
    if isinstance(place, c_ast.StructRef):
        place = place.field
    return place.name if isinstance(place, c_ast.ID) else ""


def _calls_that_give(value: c_ast.Node) -> Iterator[c_ast.FuncCall]:
    """The calls whose value an expression may have."""
    match value:
        case c_ast.FuncCall():
            yield value
        case c_ast.Cast(expr=inner) | c_ast.Assignment(rvalue=inner):
            yield from _calls_that_give(inner)
        case c_ast.TernaryOp(iftrue=left, iffalse=right):
            yield from _calls_that_give(left)
            yield from _calls_that_give(right)
        case c_ast.ExprList(exprs=[*_, last]):
            yield from _calls_that_give(last)


def block_number(name: str) -> int | None:
    prefix = "__xgen_block_"
    return int(name[len(prefix) :]) if name.startswith(prefix) else None


def _counters(nodes: list[c_ast.Node], blocks: Blocks) -> set[str]:
    stepped: set[str] = set()
    other: set[str] = set()
    for part in (part for node in nodes for part in walk(node, blocks)):
        if isinstance(part, c_ast.UnaryOp) and isinstance(part.expr, c_ast.ID):
            if part.op in ("++", "--", "p++", "p--"):
                stepped.add(part.expr.name)
            elif part.op == "&":
                other.add(part.expr.name)
        elif isinstance(part, c_ast.Assignment) and isinstance(part.lvalue, c_ast.ID):
            constant = part.op in ("+=", "-=", "*=", "/=", "<<=", ">>=") and isinstance(part.rvalue, c_ast.Constant)
            (stepped if constant or steps_itself(part) else other).add(part.lvalue.name)
    return stepped - other


def steps_itself(node: c_ast.Assignment) -> bool:
    """`i = i + 1` and the like."""
    value = node.rvalue
    return (
        node.op == "="
        and isinstance(value, c_ast.BinaryOp)
        and isinstance(value.left, c_ast.ID)
        and value.left.name == node.lvalue.name
        and isinstance(value.right, c_ast.Constant)
    )


def parameters_of(definition: c_ast.FuncDef) -> list[c_ast.Node]:
    """What declares the parameters of a function, and `...`; in the style of before 1989, too."""
    declared = definition.decl.type.args.params if definition.decl.type.args else []
    behind = {parameter.name: parameter for parameter in definition.param_decls or []}
    return [behind[part.name] if isinstance(part, c_ast.ID) else part for part in declared]


def declare_parameters(definition: c_ast.FuncDef) -> None:
    """Declares those parameters of a function in the style of before 1989 that are int without a word."""
    named = definition.decl.type.args.params if definition.decl.type.args else []
    known = {parameter.name for parameter in definition.param_decls or []}
    for part in named:
        if isinstance(part, c_ast.ID) and part.name not in known:
            type_ = c_ast.TypeDecl(part.name, [], None, c_ast.IdentifierType(["int"], part.coord), part.coord)
            made = c_ast.Decl(part.name, [], [], [], [], type_, None, None, part.coord)
            definition.param_decls = [*(definition.param_decls or []), made]


def is_constant(node: c_ast.Node, is_enumerator: Callable[[c_ast.ID], bool]) -> bool:
    """Whether an expression is a constant, or one of constants."""
    match node:
        case c_ast.Constant() | c_ast.UnaryOp(op="sizeof" | "_Alignof"):
            return True
        case c_ast.UnaryOp(op="+" | "-" | "~" | "!"):
            return is_constant(node.expr, is_enumerator)
        case c_ast.BinaryOp() | c_ast.TernaryOp():
            return all(is_constant(part, is_enumerator) for part in node)
        case c_ast.Cast():
            return is_constant(node.expr, is_enumerator)
        case c_ast.ID():
            return is_enumerator(node)
    return False


def is_auto(node: c_ast.Node) -> bool:
    """Whether a declaration is one of `__auto_type`."""
    inner = node.type if isinstance(node, c_ast.TypeDecl) else None
    return isinstance(inner, c_ast.IdentifierType) and inner.names == ["__xgen_auto"]


def is_generic(node: c_ast.Node) -> bool:
    """Whether it is a selection by a type, which is that of its first operand, or one of two types."""
    return isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") in ("__xgen_generic", "__xgen_types")


def is_types(node: c_ast.FuncCall) -> bool:
    """Whether a selection is that of `__builtin_types_compatible_p`."""
    return bool(node.name.name == "__xgen_types")


def cases_of(node: c_ast.FuncCall) -> tuple[list[tuple[c_ast.Typename, c_ast.Node]], c_ast.Node | None]:
    """The cases of a selection, each with its type, and what its default is."""
    cases = node.args.exprs[1:]
    pairs = list(zip(cases[::2], cases[1::2], strict=True))
    typed = [(case.expr, chosen) for case, chosen in pairs if not isinstance(case, c_ast.Constant)]
    return typed, next((chosen for case, chosen in pairs if isinstance(case, c_ast.Constant)), None)


def has_effects(node: c_ast.Node) -> bool:
    """Whether an expression changes something, or calls a function, which may."""
    changing = ("++", "--", "p++", "p--")
    if isinstance(node, (c_ast.FuncCall, c_ast.Assignment)):
        return True
    if isinstance(node, c_ast.UnaryOp) and node.op in changing:
        return True
    return any(has_effects(child) for child in node)
