"""Evaluating the expressions of a .cat model: from syntax trees to values, whose sets and relations are terms."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping

from xgen.errors import ModelError, UnsupportedError, listed, nearest
from xgen.memory import terms as t
from xgen.memory.algebra import Kind, Op, Term
from xgen.memory.cat import syntax as s
from xgen.memory.cat.builtins import primitives
from xgen.memory.cat.kinds import EMPTY_OF, KIND_HINTS, WANTED, as_kind
from xgen.memory.cat.values import (
    EMPTY,
    UNIVERSE,
    Anything,
    Closure,
    Failed,
    Primitive,
    Scope,
    Tag,
    Tags,
    Value,
    Values,
    describe,
)
from xgen.memory.cat.world import NOT_GIVEN_FUNCTIONS, NOT_GIVEN_RELATIONS, NOT_GIVEN_SETS, World, architectures_of

MAX_CALLS = 50
"""The deepest nesting of function calls."""


class Evaluator:
    """Evaluates expressions in one world, under herd's variants that are on."""

    def __init__(self, world: World, variants: frozenset[str]) -> None:
        self.world = world
        self.variants = variants
        self.calls = 0
        self.groups = 0
        self.rules = self._rules()

    def initial_names(self) -> dict[str, Value | Failed]:
        """What is bound before the model's first line."""
        names: dict[str, Value | Failed] = {**self.world.sets, **self.world.relations}
        names |= {primitive.name: primitive for primitive in primitives(self.world)}
        return names

    # --- names

    def lookup(self, name: str, origin: s.Origin, scope: Scope) -> Value:
        """What a name stands for."""
        if name not in scope:
            raise self.unknown(name, origin, scope)
        value = scope[name]
        if isinstance(value, Failed):
            raise value.error
        return value

    def unknown(self, name: str, origin: s.Origin, scope: Scope) -> ModelError | UnsupportedError:
        """The error for a name that is not bound."""
        if name in NOT_GIVEN_SETS or name in NOT_GIVEN_RELATIONS:
            kind = "set" if name in NOT_GIVEN_SETS else "relation"
            return UnsupportedError(f"herd's {kind} `{name}` is not supported", *origin)
        if name in NOT_GIVEN_FUNCTIONS:
            return UnsupportedError(f"herd's function `{name}` is not supported", *origin)
        where = f" for {self.world.architecture}" if self.world.architecture else ""
        of = [] if self.world.architecture else architectures_of(name)
        hint = f"it is one of models for {listed(of, 'or')}, as which `xgen models --arch` reads it" if of else None
        return ModelError(f"`{name}` is not defined{where}", *origin, hint or nearest(name, scope))

    # --- expressions

    def evaluate(self, e: s.Expression, scope: Scope) -> Value:
        """The value of an expression."""
        return self.rules[type(e)](e, scope)

    def _rules(self) -> Mapping[type[s.Expression], Callable[..., Value]]:
        return {
            s.Name: lambda e, scope: self.lookup(e.name, e.origin, scope),
            s.TagName: lambda e, _scope: Tag(e.name),
            s.Zero: lambda _e, _scope: t.NO_PAIRS,
            s.Universe: lambda _e, _scope: UNIVERSE,
            s.Members: self.members,
            s.Tuple: lambda e, scope: Values(tuple(self.evaluate(part, scope) for part in e.parts)),
            s.Unary: self.unary,
            s.Operation: self.operation,
            s.Apply: self.application,
            s.Function: self.closure,
            s.LetIn: self.let_in,
            s.Try: self.attempt,
            s.If: self.conditional,
            s.MatchTag: self.match_tag,
            s.MatchSet: self.match_set,
        }

    def term(self, e: s.Expression, scope: Scope) -> Term | Anything:
        """The value of an expression that has to be a set or a relation."""
        value = self.evaluate(e, scope)
        if isinstance(value, Term | Anything):
            return value
        raise ModelError(f"this is {describe(value)}, not a set or a relation", *e.origin)

    def of_kind(self, kind: Kind, e: s.Expression, scope: Scope) -> Term:
        """The value of an expression that has to be a set, or has to be a relation."""
        return as_kind(kind, self.evaluate(e, scope), e.origin)

    def members(self, e: s.Members, scope: Scope) -> Value:
        """`{}`, or a set of tags; sets of anything else are not terms."""
        if not e.members:
            return EMPTY
        names = []
        for member in e.members:
            value = self.evaluate(member, scope)
            if not isinstance(value, Tag):
                raise UnsupportedError(f"a set that has {describe(value)} as a member is not supported", *member.origin)
            names.append(value.name)
        return Tags(tuple(dict.fromkeys(names)))

    def unary(self, e: s.Unary, scope: Scope) -> Value:
        """The prefix and postfix operators, and `[S]`."""
        if e.sign == "[]":
            return t.identity(self.of_kind(Kind.SET, e.operand, scope))
        if e.sign == "~":
            value = self.term(e.operand, scope)
            return Anything(not value.empty) if isinstance(value, Anything) else self.world.complement(value)
        relation = self.of_kind(Kind.RELATION, e.operand, scope)
        if e.sign == "^-1":
            return t.inverse(relation)
        if e.sign == "?":
            return t.optional(relation)
        return t.plus(relation) if e.sign == "+" else t.star(relation)

    def operation(self, e: s.Operation, scope: Scope) -> Value:
        """The operators that stand between expressions."""
        if e.sign == "*":
            return t.product(*(self.of_kind(Kind.SET, operand, scope) for operand in e.operands))
        if e.sign == ";":
            relations = [self.of_kind(Kind.RELATION, operand, scope) for operand in e.operands]
            result = relations.pop()
            while relations:
                result = t.sequence(relations.pop(), result)
            return result
        if e.sign == "++":
            what = "`++` adds a member to a set of values, which"
            raise UnsupportedError(f"{what} is not supported", *e.origin)
        return self.of_one_kind(e, [self.evaluate(operand, scope) for operand in e.operands])

    def of_one_kind(self, e: s.Operation, values: list[Value]) -> Value:
        """`|`, `&` and `\\`, of sets, of relations, or of sets of tags."""
        if any(isinstance(value, Tags) for value in values):
            return self.of_tags(e, values)
        for value, operand in zip(values, e.operands, strict=True):
            if not isinstance(value, Term | Anything):
                raise ModelError(f"this is {describe(value)}, not a set or a relation", *operand.origin)
        kinds = [value.kind for value in values if isinstance(value, Term)]
        if not kinds:
            return _of_anything(e.sign, [value for value in values if isinstance(value, Anything)])
        for value, operand in zip(values, e.operands, strict=True):
            if isinstance(value, Term) and value.kind is not kinds[0]:
                message = f"this is {describe(value)}, but `{e.sign}` has {WANTED[kinds[0]]} before it"
                raise ModelError(message, *operand.origin, KIND_HINTS[kinds[0]])
        found = [as_kind(kinds[0], value, e.origin) for value in values]
        if e.sign == "|":
            return t.union(found)
        combine = t.intersection if e.sign == "&" else self.world.difference
        result = found[0]
        for term in found[1:]:
            result = combine(result, term)
        return result

    def of_tags(self, e: s.Operation, values: list[Value]) -> Value:
        names = []
        for value, operand in zip(values, e.operands, strict=True):
            if isinstance(value, Tags):
                names.append(value.names)
            elif value == EMPTY:
                names.append(())
            else:
                raise ModelError(f"this is {describe(value)}, but a set of tags is needed here", *operand.origin)
        result = names[0]
        for other in names[1:]:
            if e.sign == "|":
                result = tuple(dict.fromkeys((*result, *other)))
            else:
                result = tuple(name for name in result if (name in other) == (e.sign == "&"))
        return Tags(result)

    # --- functions

    def closure(self, e: s.Function, scope: Scope) -> Value:
        return Closure(e, self.captured(e, scope))

    def captured(self, node: s.Node, scope: Scope) -> Scope:
        """The names of a scope that a function or procedure uses, as they are now."""
        return ChainMap({name: scope[name] for name in set(s.names_in(node)) if name in scope})

    def application(self, e: s.Apply, scope: Scope) -> Value:
        function = self.evaluate(e.function, scope)
        if not isinstance(function, Closure | Primitive):
            raise ModelError(f"this is {describe(function)}, not a function", *e.function.origin)
        argument = self.evaluate(e.argument, scope)
        if isinstance(function, Primitive):
            return function.apply(argument, e.argument.origin)
        if self.calls >= MAX_CALLS:
            message = f"functions call each other more than {MAX_CALLS} levels deep"
            raise UnsupportedError(message, *e.origin, "recursion over the members of sets is not supported")
        inner = function.scope.new_child()
        self.bind(function.function.parameter, argument, inner, e.argument.origin)
        self.calls += 1
        try:
            return self.evaluate(function.function.body, inner)
        finally:
            self.calls -= 1

    def bind(self, pattern: s.Pattern, value: Value | Failed, scope: Scope, origin: s.Origin) -> None:
        """Bind the names of a pattern to a value, or to its parts."""
        if not pattern.tuple:
            if pattern.names[0] is not None:
                scope[pattern.names[0]] = value
            return
        parts: Iterable[Value | Failed]
        if isinstance(value, Failed):
            parts = [value] * len(pattern.names)
        elif isinstance(value, Values) and len(value.parts) == len(pattern.names):
            parts = value.parts
        else:
            count = f"{len(value.parts)} values" if isinstance(value, Values) else describe(value)
            message = f"{len(pattern.names)} values are needed here, and this is {count}"
            raise ModelError(message, *origin)
        scope.update((name, part) for name, part in zip(pattern.names, parts, strict=True) if name is not None)

    # --- bindings

    def let_in(self, e: s.LetIn, scope: Scope) -> Value:
        return self.evaluate(e.body, scope.new_child(dict(self.bindings(e.recursive, e.bindings, scope))))

    def bindings(self, recursive: bool, bindings: tuple[s.Binding, ...], scope: Scope) -> dict[str, Value | Failed]:
        """What `let` binds; what makes no sense is an error only where it is used."""
        if recursive:
            return self.recursion(bindings, scope)
        found: Scope = ChainMap({})
        for binding in bindings:
            value: Value | Failed
            try:
                value = self.evaluate(binding.value, scope)
                self.bind(binding.pattern, value, found, binding.value.origin)
            except (ModelError, UnsupportedError) as error:
                self.bind(binding.pattern, Failed(error), found, binding.value.origin)
        return dict(found)

    def recursion(self, bindings: tuple[s.Binding, ...], scope: Scope) -> dict[str, Value | Failed]:
        """`let rec`: functions that can call each other, and sets and relations as a fixed point."""
        inner = scope.new_child()
        functions: list[s.Binding] = []
        others: list[s.Binding] = []
        for binding in bindings:
            if binding.pattern.tuple or binding.pattern.names[0] is None:
                raise UnsupportedError("a recursive definition of a tuple is not supported", *binding.origin)
            (functions if isinstance(binding.value, s.Function) else others).append(binding)
        names = [str(binding.pattern.names[0]) for binding in others]
        try:
            terms = self.fixed_point(names, others, functions, inner)
        except (ModelError, UnsupportedError) as error:
            return {str(binding.pattern.names[0]): Failed(error) for binding in bindings}
        found: dict[str, Value | Failed] = dict(zip(names, terms, strict=True))
        inner.update(found)
        self.recursive_functions(functions, inner)
        return found | {str(f.pattern.names[0]): inner[str(f.pattern.names[0])] for f in functions}

    def recursive_functions(self, functions: list[s.Binding], scope: Scope) -> None:
        """Bind functions to closures that have each other's names."""
        closures = {}
        for binding in functions:
            assert isinstance(binding.value, s.Function)
            closures[str(binding.pattern.names[0])] = Closure(binding.value, self.captured(binding.value, scope))
        for closure in closures.values():
            closure.scope.update(closures)
        scope.update(closures)

    def fixed_point(
        self, names: list[str], bindings: list[s.Binding], functions: list[s.Binding], scope: Scope
    ) -> list[Term]:
        """The components of a fixed point; what kind each has is found by starting from what is empty."""
        if not names:
            return []
        values: list[Value] = [EMPTY] * len(names)
        for _ in range(len(names) + 1):
            scope.update(zip(names, values, strict=True))
            self.recursive_functions(functions, scope)
            found = [self.term(binding.value, scope) for binding in bindings]
            values = [EMPTY_OF[value.kind] if isinstance(value, Term) else value for value in found]
        self.groups += 1
        group = f"{'_'.join(names)}@{bindings[0].origin.position.line}#{self.groups}"
        kinds = [value.kind if isinstance(value, Term) else Kind.RELATION for value in values]
        variables = [
            Term(Op.REC_SET if kind is Kind.SET else Op.REC_RELATION, name=f"{group}:{i}")
            for i, kind in enumerate(kinds)
        ]
        scope.update(zip(names, variables, strict=True))
        self.recursive_functions(functions, scope)
        bodies = tuple(self.of_kind(kind, b.value, scope) for kind, b in zip(kinds, bindings, strict=True))
        closure = _transitive_closure(variables, bodies)
        if closure is not None:
            return [closure]
        return [Term(Op.FIX, bodies, f"{group}:{i}") for i in range(len(names))]

    # --- conditions

    def attempt(self, e: s.Try, scope: Scope) -> Value:
        """`try`: what herd cannot evaluate either. What only xgen cannot is an error in any case."""
        try:
            return self.evaluate(e.body, scope)
        except ModelError:
            return self.evaluate(e.otherwise, scope)

    def conditional(self, e: s.If, scope: Scope) -> Value:
        condition = e.condition
        holds = self.variant(condition) if isinstance(condition, s.Variant) else self.comparison(condition, scope)
        return self.evaluate(e.then if holds else e.otherwise, scope)

    def variant(self, condition: s.Variant) -> bool:
        """Whether a condition on herd's variants holds."""
        if not condition.sign:
            return condition.name in self.variants
        parts = [self.variant(part) for part in condition.parts]
        return not parts[0] if condition.sign == "not" else all(parts) if condition.sign == "&&" else any(parts)

    def comparison(self, condition: s.Comparison, scope: Scope) -> bool:
        """A comparison of tags or of sets of them; those of events depend on the execution."""
        left, right = self.evaluate(condition.left, scope), self.evaluate(condition.right, scope)
        if right == EMPTY and not isinstance(left, Tag):
            right = Tags(())
        if left == EMPTY:
            left = Tags(())
        if isinstance(left, Tag) and isinstance(right, Tags) and condition.sign == "in":
            return left.name in right.names
        if isinstance(left, Tag) and isinstance(right, Tag) and condition.sign == "=":
            return left == right
        if isinstance(left, Tags) and isinstance(right, Tags) and condition.sign != "in":
            same = set(left.names) == set(right.names)
            return same if condition.sign == "=" else set(left.names) <= set(right.names)
        message = f"comparing {describe(left)} with {describe(right)} by `{condition.sign}` is not supported"
        raise UnsupportedError(message, *condition.origin, "only tags and sets of tags can be compared")

    def match_tag(self, e: s.MatchTag, scope: Scope) -> Value:
        value = self.evaluate(e.value, scope)
        if not isinstance(value, Tag):
            raise ModelError(f"this is {describe(value)}, not a tag", *e.value.origin)
        for tag, result in e.clauses:
            if tag is None or tag == value.name:
                return self.evaluate(result, scope)
        raise ModelError(f"no clause is for the tag '{value.name}", *e.origin)

    def match_set(self, e: s.MatchSet, scope: Scope) -> Value:
        value = self.evaluate(e.value, scope)
        if value == EMPTY or value == Tags(()):
            return self.evaluate(e.empty, scope)
        if not isinstance(value, Tags):
            raise UnsupportedError(f"going through the members of {describe(value)} is not supported", *e.origin)
        parts: list[tuple[str | None, Value]] = [
            (e.before, Tags(())),
            (e.head, Tag(value.names[0])),
            (e.rest, Tags(value.names[1:])),
        ]
        return self.evaluate(e.other, scope.new_child({name: part for name, part in parts if name is not None}))


def _of_anything(sign: str, values: list[Anything]) -> Anything:
    """`|`, `&` and `\\` of `{}` and `_` only."""
    full = [not value.empty for value in values]
    if sign == "|":
        return Anything(not any(full))
    if sign == "&":
        return Anything(not all(full))
    return Anything(not (full[0] and not any(full[1:])))


def _transitive_closure(variables: list[Term], bodies: tuple[Term, ...]) -> Term | None:
    """`r = base | r ; r` (also `r ; base` or `base ; r`) is the closure of `base`."""
    if len(variables) != 1 or variables[0].kind is Kind.SET:
        return None
    r = variables[0]
    parts = t.parts_of_union(bodies[0])
    base = [part for part in parts if r not in part.subterms()]
    steps = [part for part in parts if part not in base]
    if not base or not steps:
        return None
    whole = t.union(base)
    accepted = (t.sequence(r, r), t.sequence(r, whole), t.sequence(whole, r))
    return t.plus(whole) if all(step in accepted for step in steps) else None
