"""From the syntax of a protocol to the protocol: looks all names up, and writes all quantifiers out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from xgen.errors import Position, ProgramError, Source, UsageError, nearest
from xgen.records import replace
from xgen.repair import syntax
from xgen.repair.parser import KEYWORDS, parse
from xgen.repair.protocol import (
    Action,
    Alternative,
    Expression,
    Literal,
    Operation,
    Process,
    Protocol,
    Reference,
    Value,
    Variable,
    text_of,
)

MAX_EXPRESSION = 200_000
"""Parts of one condition, once its quantifiers are written out."""
MAX_VALUES = 1000
"""Values of one variable."""


def read_protocol(source: Source, constants: Mapping[str, int] | None = None) -> Protocol:
    """The protocol of a text; `constants` replace the text's.

    Raises ProgramError, with its place, where the text makes no sense, and UsageError for an unknown constant.
    """
    return _Reader(source, parse(source), dict(constants or {})).protocol()


Scope: TypeAlias = dict[str, int]
"""The numbers that names stand for: constants, and what quantifiers and families bind."""


class _Reader:
    """Looks names up, and writes quantifiers out."""

    def __init__(self, source: Source, text: syntax.Text, given: dict[str, int]) -> None:
        self.source = source
        self.text = text
        self.given = given
        self.scope: Scope = {}
        self.symbols: set[str] = set()
        self.types: dict[str, tuple[Value, ...]] = {"bool": (0, 1)}
        self.variables: list[Variable] = []
        self.known: dict[str, int] = {}
        self.owner: dict[int, tuple[int, Value]] = {}  # of a process' own variables: its family and index
        self.families: list[list[Value]] = []
        self.family: int | None = None
        self.index: Value | None = None
        self.steps = False
        self.size = 0

    # --- The order of things -------------------------------------------------------------------------------------

    def protocol(self) -> Protocol:
        for item in self.text:
            if isinstance(item, syntax.Constant):
                self.constant(item)
        for name in self.given:
            if name not in self.scope:
                raise UsageError(f"{self.source.name} has no constant `{name}`", hint=nearest(name, self.scope))
        for item in self.text:
            if isinstance(item, syntax.Type):
                self.type_definition(item)
        blocks = tuple(item for item in self.text if isinstance(item, syntax.Process))
        for item in self.text:
            if isinstance(item, syntax.Declaration):
                self.declare(item, self.global_name(item), None)
            elif isinstance(item, syntax.Process):
                self.family_variables(item)
        if not self.variables:
            raise ProgramError("there are no variables", self.source, Position(1, 1), "`var x : 0..2`")
        processes = [process for number, block in enumerate(blocks) for process in self.processes(number, block)]
        if not any(process.writes for process in processes):
            raise ProgramError("there is no process that writes", self.source, Position(1, 1), "`process p { .. }`")
        faults = [action for item in self.text if isinstance(item, syntax.Fault) for action in self.fault(item)]
        return Protocol(
            self.source,
            dict(self.scope),
            tuple(self.variables),
            tuple(processes),
            tuple(faults),
            self.conjunction("legit"),
            self.disjunction("never"),
            self.disjunction("never step"),
            self.conjunction("init"),
            self.text,
        )

    def error(self, message: str, at: Position, hint: str | None = None) -> ProgramError:
        return ProgramError(message, self.source, at, hint)

    # --- Constants, types and variables --------------------------------------------------------------------------

    def constant(self, item: syntax.Constant) -> None:
        self.free(item.name)
        self.scope[item.name.text] = self.given.get(item.name.text, self.number(item.value, "a constant"))

    def free(self, name: syntax.Name) -> None:
        """Refuses a name that is taken."""
        if name.text in self.scope or name.text in self.symbols or name.text in self.types or name.text in self.known:
            raise self.error(f"`{name.text}` is declared twice", name.at)

    def number(self, expression: syntax.Expression, what: str) -> int:
        found = self.expression(expression)
        value = _folded(found)
        if not isinstance(value, int):
            raise self.error(f"{what} has to be a number that is known before the start", found.at)
        return value

    def interval(self, item: syntax.Range) -> range:
        first, last = self.number(item.first, "the start of a range"), self.number(item.last, "the end of a range")
        if last - first >= MAX_VALUES:
            raise self.error(f"more than {MAX_VALUES} values", _place(item.first))
        return range(first, last + 1)

    def type_definition(self, item: syntax.Type) -> None:
        assert item.name is not None
        self.free(item.name)
        values: tuple[Value, ...]
        if isinstance(item.values, syntax.Range):
            values = tuple(self.interval(item.values))
        else:
            values = tuple(self.value(name) for name in item.values)
        for position, value in enumerate(values):
            if value in values[:position] and not isinstance(item.values, syntax.Range):
                raise self.error(f"`{value}` is twice in this type", item.values[position].at)
        if not values:
            raise self.error("a type without values", item.name.at)
        self.types[item.name.text] = values

    def value(self, name: syntax.Name) -> Value:
        if name.text.isdigit():
            return int(name.text)
        if name.text in self.scope:
            return self.scope[name.text]
        if name.text not in self.symbols:
            self.free(name)
            self.symbols.add(name.text)
        return name.text

    def global_name(self, item: syntax.Declaration) -> str:
        return item.name.text if item.index is None else f"{item.name.text}.{self.suffix(item.index)}"

    def suffix(self, index: syntax.Expression | syntax.Name) -> Value:
        """What follows the dot in a variable's name: a number, or a name that stands for none."""
        if isinstance(index, syntax.Name):
            if index.text.isdigit():
                return int(index.text)
            return self.scope.get(index.text, index.text)
        return self.number(index, "an index")

    def declare(self, item: syntax.Declaration, name: str, owner: tuple[int, Value] | None) -> None:
        if "." not in name:
            self.free(item.name)
        elif name in self.known:
            raise self.error(f"`{name}` is declared twice", item.name.at)
        if isinstance(item.type, syntax.Name):
            if item.type.text not in self.types:
                hint = nearest(item.type.text, self.types)
                raise self.error(f"there is no type `{item.type.text}`", item.type.at, hint)
            values, is_bool = self.types[item.type.text], item.type.text == "bool"
        else:
            values, is_bool = tuple(self.interval(item.type)), False
            if not values:
                raise self.error("a type without values", item.name.at)
        initial = None
        if item.initial is not None:
            found = self.expression(item.initial)
            initial = _folded(found)
            if initial is None or initial not in values:
                shown = _listed([str(value) for value in values])
                raise self.error(f"`{name}` starts with one of its values", found.at, f"they are {shown}")
        self.known[name] = len(self.variables)
        if owner is not None:
            self.owner[len(self.variables)] = owner
        self.variables.append(Variable(name, values, initial, is_bool, item.name.at))

    def family_variables(self, block: syntax.Process) -> None:
        members = self.members(block)
        for index in members:
            if any(index in family for family in self.families):
                raise self.error(f"there are two processes `{index}`", block.name.at)
        self.families.append(members)
        for index in members:
            for item in block.locals:
                self.declare(item, f"{item.name.text}.{index}", (len(self.families) - 1, index))

    def members(self, block: syntax.Process) -> list[Value]:
        if block.range is None:
            return [self.suffix(block.name)]
        self.free(block.name)
        members = list(self.interval(block.range))
        if not members:
            raise self.error("this family has no process", block.name.at)
        return list(members)

    # --- Processes, faults and properties ------------------------------------------------------------------------

    def processes(self, number: int, block: syntax.Process) -> Iterator[Process]:
        self.family = number
        for index in self.families[number]:
            self.index = index
            if block.range is not None:
                assert isinstance(index, int)
                self.scope[block.name.text] = index
            yield self.process(number, index, block)
            if block.range is not None:
                del self.scope[block.name.text]
        self.family = self.index = None

    def process(self, number: int, index: Value, block: syntax.Process) -> Process:
        own = tuple(v for v, owner in self.owner.items() if owner == (number, index))
        names = {variable: self.variables[variable].name.partition(".")[0] for variable in own}
        others: dict[Value, list[int]] = {other: [] for other in self.families[number] if other != index}
        for item in block.reads:
            if isinstance(item, syntax.OfOthers):
                for other in others:
                    variable = self.named(f"{item.name.text}.{other}", item.name)
                    others[other].append(variable)
                    names.setdefault(variable, self.variables[variable].name)
            else:
                names.setdefault(self.place(item), " ".join(self.source.text[item.start : item.end].split()))
        reads = list(names)
        writes = tuple(dict.fromkeys(self.written(place, reads) for place in block.writes))
        if block.symmetric:
            self.check_symmetric(block, own, writes)
        actions = tuple(self.actions(block, reads, writes))
        groups = tuple(tuple(group) for group in others.values())
        called = tuple(names.values())
        return Process(str(index), index, number, tuple(reads), called, own, writes, actions, groups, block.symmetric)

    def written(self, place: syntax.Designator, reads: list[int]) -> int:
        variable = self.place(place)
        if variable not in reads:
            name = self.variables[variable].name
            raise self.error(f"`{name}` is written but not read", place.at, "a process reads what it writes")
        return variable

    def check_symmetric(self, block: syntax.Process, own: tuple[int, ...], writes: tuple[int, ...]) -> None:
        """Processes are alike if they read the same of themselves, of each other, and of the rest."""
        if block.range is None:
            raise self.error("a single process cannot be symmetric", block.name.at)
        for item in block.reads:
            if isinstance(item, syntax.Designator) and self.place(item) in self.owner:
                family, _ = self.owner[self.place(item)]
                if family == self.family:
                    hint = f"`reads {item.name.text} of others`"
                    raise self.error("symmetric processes read the same of all others", item.at, hint)
        for place in block.writes:
            if self.place(place) not in own:
                raise self.error("symmetric processes write their own variables only", place.at)
        assert set(writes) <= set(own)

    def actions(self, block: syntax.Process, reads: list[int], writes: tuple[int, ...]) -> Iterator[Action]:
        earlier = itertools.takewhile(lambda item: item is not block, self.text)
        first = sum(len(item.actions) for item in earlier if isinstance(item, syntax.Process))
        for number, item in enumerate(block.actions, first):
            action = self.action(item, number)
            for variable, at in _references(action.guard):
                self.check_read(variable, at, reads)
            for alternative in action.alternatives:
                for target, value in alternative.updates:
                    if target not in writes:
                        name = self.variables[target].name
                        raise self.error(f"`{name}` is not among what the process writes", item.at, "`writes ..`")
                    for variable, at in _references(value):
                        self.check_read(variable, at, reads)
            yield action

    def check_read(self, variable: int, at: Position, reads: list[int]) -> None:
        if variable not in reads:
            raise self.error(f"the process does not read `{self.variables[variable].name}`", at, "`reads ..`")

    def action(self, item: syntax.Action, number: int) -> Action:
        guard = self.condition(item.guard)
        choices: list[list[tuple[int, Expression, str]]] = []
        for assignment in item.assignments:
            if assignment.target.primed:
                raise self.error("what is set has no prime", assignment.target.at)
            target = self.place(assignment.target)
            if any(target == choice[0][0] for choice in choices):
                raise self.error(f"`{self.variables[target].name}` is set twice", assignment.target.at)
            choices.append([(target, value, shown) for value, shown in self.choices(target, assignment)])
        alternatives = tuple(
            Alternative(
                tuple((target, value) for target, value, _ in combination),
                ", ".join(
                    f"{self.written_name(assignment.target)} := {shown}"
                    for assignment, (_, _, shown) in zip(item.assignments, combination, strict=True)
                ),
            )
            for combination in itertools.product(*choices)
        )
        arrow = sum(len(line) + 1 for line in self.source.text.split("\n")[: item.at.line - 1]) + item.at.column - 1
        guard_text, effect_text = (
            " ".join(part.split())
            for part in (self.source.text[item.start : arrow], self.source.text[arrow + 2 : item.end])
        )
        return Action(guard, alternatives, number, guard_text, effect_text, item.at, (item.start, item.end))

    def written_name(self, place: syntax.Designator) -> str:
        """A place as an alternative's text has it: its own name, or a family's member's."""
        if place.index is None:
            return place.name.text
        return self.variables[self.place(place)].name

    def choices(self, target: int, assignment: syntax.Assignment) -> Iterator[tuple[Expression, str]]:
        value, variable = assignment.value, self.variables[target]
        if value is None:
            for each in variable.values:
                yield Literal(each, assignment.target.at), variable.shown(each)
            return
        for item in value if isinstance(value, tuple) else (value,):
            found = self.expression(item)
            if isinstance(found, Operation) and found.operator in _CONDITIONS and not variable.is_bool:
                raise self.error(f"a condition is no value of `{variable.name}`", found.at)
            yield found, variable.shown(found.value) if isinstance(found, Literal) else self.text_of(found)

    def text_of(self, expression: Expression) -> str:
        return text_of(expression, self.variables, self.index)

    def fault(self, item: syntax.Fault) -> Iterator[Action]:
        earlier = itertools.takewhile(lambda other: other is not item, self.text)
        number = sum(isinstance(other, syntax.Fault) for other in earlier)
        for _ in self.bound(item.each):
            yield self.action(item.action, number)

    def bound(self, each: syntax.Each | None) -> Iterator[int | None]:
        if each is None:
            yield None
            return
        if each.name.text in self.scope:
            raise self.error(f"`{each.name.text}` is declared twice", each.name.at)
        for number in self.interval(each.range):
            self.scope[each.name.text] = number
            yield number
        self.scope.pop(each.name.text, None)

    def properties(self, word: str) -> list[Expression]:
        self.steps = word == "never step"
        found = [
            self.condition(item.condition)
            for item in self.text
            if isinstance(item, syntax.Property) and item.word == word
            for _ in self.bound(item.each)
        ]
        self.steps = False
        return found

    def conjunction(self, word: str) -> Expression:
        return Operation("and", tuple(self.properties(word)), Position(1, 1))

    def disjunction(self, word: str) -> Expression:
        return Operation("or", tuple(self.properties(word)), Position(1, 1))

    # --- Expressions ---------------------------------------------------------------------------------------------

    def condition(self, item: syntax.Expression) -> Expression:
        self.size = 0
        found = self.expression(item)
        self.truth(found)
        return found

    def truth(self, found: Expression) -> None:
        """Refuses what is neither true nor false."""
        if isinstance(found, Operation) and found.operator in _CONDITIONS:
            return
        if isinstance(found, Reference) and self.variables[found.variable].is_bool:
            return
        if isinstance(found, Literal) and found.truth:
            return
        raise self.error("this is a value, not a condition", found.at, "compare it: `x = ..`")

    def expression(self, item: syntax.Expression) -> Expression:
        self.size += 1
        if self.size > MAX_EXPRESSION:
            raise self.error(f"more than {MAX_EXPRESSION} parts with all quantifiers written out", _place(item))
        if isinstance(item, syntax.Number):
            return Literal(item.value, item.at, item.truth)
        if isinstance(item, syntax.Quantified):
            return self.quantified(item)
        if isinstance(item, syntax.Operation):
            operands = tuple(self.expression(operand) for operand in item.operands)
            if item.operator in ("not", "and", "or", "imply"):
                for operand in operands:
                    self.truth(operand)
            elif item.operator in _ARITHMETIC:
                for operand in operands:
                    self.check_number(operand)
            return Operation(item.operator, operands, item.at)
        if item.index is None and not item.primed and item.name.text not in self.known:
            name = item.name.text
            own = f"{name}.{self.index}" if self.index is not None else None
            if own is None or own not in self.known:
                if name in self.scope:
                    return Literal(self.scope[name], item.at)
                if name in self.symbols:
                    return Literal(name, item.at)
        if item.primed and not self.steps:
            raise self.error("only `never step` speaks of what is after a step", item.at, "leave the prime away")
        return Reference(self.place(item), item.primed, item.at)

    def check_number(self, operand: Expression) -> None:
        if isinstance(operand, Literal) and isinstance(operand.value, str):
            raise self.error(f"`{operand.value}` is not a number", operand.at)
        if isinstance(operand, Operation) and operand.operator in _CONDITIONS:
            raise self.error("a condition is not a number", operand.at, "`count` counts where one holds")

    def quantified(self, item: syntax.Quantified) -> Expression:
        name = item.name.text
        if name in self.scope or name in self.symbols or name in self.known:
            raise self.error(f"`{name}` means something already", item.name.at)
        operands = []
        for number in self.domain(item):
            self.scope[name] = number
            operands.append(self.expression(item.body))
            self.truth(operands[-1])
        self.scope.pop(name, None)
        operator = {"all": "and", "some": "or", "count": "count"}[item.word]
        return Operation(operator, tuple(operands), item.at)

    def domain(self, item: syntax.Quantified) -> list[int]:
        if item.domain is not None:
            return list(self.interval(item.domain))
        if self.family is None:
            raise self.error("`others` are the other processes; here is none", item.name.at, "`in 0 .. n - 1`")
        return [other for other in self.families[self.family] if other != self.index and isinstance(other, int)]

    def place(self, item: syntax.Designator) -> int:
        if item.index is not None:
            return self.named(f"{item.name.text}.{self.suffix(item.index)}", item.name)
        if self.index is not None and f"{item.name.text}.{self.index}" in self.known:
            return self.known[f"{item.name.text}.{self.index}"]
        return self.named(item.name.text, item.name)

    def named(self, name: str, item: syntax.Name) -> int:
        if name not in self.known:
            words = set(self.known) | set(self.scope) | self.symbols | {"true", "false"}
            if "." not in name:
                words |= {known.split(".")[0] for known in self.known} if self.index is not None else set()
            hint = nearest(name, words) or (f"`{name}` is a reserved word" if name in KEYWORDS else None)
            raise self.error(f"there is no variable `{name}`", replace(item.at, width=len(item.text)), hint)
        return self.known[name]


_CONDITIONS = frozenset({"not", "and", "or", "imply", "=", "/=", "<", "<=", ">", ">="})
_ARITHMETIC = frozenset({"+", "-", "*", "mod", "<", "<=", ">", ">="})


def _place(item: syntax.Expression) -> Position:
    return item.at


def _listed(words: list[str]) -> str:
    shown = words if len(words) <= 8 else [*words[:3], "..", words[-1]]
    return ", ".join(shown)


def _references(expression: Expression) -> Iterator[tuple[int, Position]]:
    if isinstance(expression, Reference):
        yield expression.variable, expression.at
    elif isinstance(expression, Operation):
        for operand in expression.operands:
            yield from _references(operand)


def _folded(expression: Expression) -> Value | None:
    """The value of an expression without variables; None if it has one, or has no value."""
    if isinstance(expression, Literal):
        return expression.value
    if isinstance(expression, Reference):
        return None
    values = [_folded(operand) for operand in expression.operands]
    if any(not isinstance(value, int) for value in values) or len(values) != 2:
        return None
    left, right = values
    assert isinstance(left, int)
    assert isinstance(right, int)
    if expression.operator == "mod":
        return left % right if right > 0 else None
    return {"+": left + right, "-": left - right, "*": left * right}.get(expression.operator)
