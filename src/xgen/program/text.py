"""Printing programs as they are written, with their comments, each thing on a line of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from xgen.errors import Position
from xgen.program import automaton as xcfa
from xgen.program import surface
from xgen.program.printer import print_expression, print_location, print_statement, print_variable

COMMENT = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/")


class Comment(NamedTuple):
    """A comment, where it starts and ends, and whether something stands before it on its line."""

    text: str
    line: int
    column: int
    last: int
    behind: bool


def comments_in(text: str) -> list[Comment]:
    """The comments of a program's text, in their order."""
    found = []
    for match in COMMENT.finditer(text):
        start = text.rfind("\n", 0, match.start()) + 1
        line = text.count("\n", 0, match.start()) + 1
        words = "\n".join(part.rstrip() for part in match.group().split("\n"))
        behind = bool(text[start : match.start()].strip())
        found.append(Comment(words, line, match.start() - start + 1, line + words.count("\n"), behind))
    return found


def print_text(text: surface.Text) -> str:
    """The text of a program, with a line end; reading it gives the same again."""
    printer = _Printer(comments_in(text.source.text))
    for item in text.items:
        printer.item(item)
    printer.comments_before(None)
    return "\n".join(printer.lines) + "\n"


class _Printer:
    """`last` is the line of the text that was printed last, 0 at first."""

    def __init__(self, comments: list[Comment]) -> None:
        self.comments = comments[::-1]
        self.lines: list[str] = []
        self.indent = 0
        self.last = 0

    # ---- lines and comments

    def put(self, line: str, position: Position, end: Position | None = None) -> None:
        """A line of what stands at a position; a blank one before it where the text has some."""
        self.comments_before(position)
        self.blank(position.line)
        self.lines.append("  " * self.indent + line)
        self.last = (end or position).line

    def blank(self, line: int) -> None:
        if self.lines and line > self.last + 1 and not self.lines[-1].endswith("{"):
            self.lines.append("")

    def apart(self, position: Position) -> None:
        """What has a body stands apart, unless a comment is right before it."""
        before = self.last
        self.comments_before(position)
        if self.lines and self.last == before and self.lines[-1]:
            self.lines.append("")
            self.last = position.line

    def comments_before(self, position: Position | None) -> None:
        """The comments up to a position: behind the line that was printed last, or on lines of their own."""
        while self.comments:
            comment = self.comments[-1]
            if position is not None and (comment.line, comment.column) > (position.line, position.column):
                return
            self.comments.pop()
            fits = comment.behind and comment.line == self.last and comment.last == comment.line
            if fits and self.lines and "//" not in self.lines[-1]:
                self.lines[-1] += f"  {comment.text}"
                continue
            self.blank(comment.line)
            first, *others = comment.text.split("\n")
            self.lines += ["  " * self.indent + first, *others]
            self.last = comment.last

    @contextmanager
    def braces(self, head: str, position: Position, end: Position, tail: str = "") -> Iterator[None]:
        self.put(f"{head} {{", position)
        self.indent += 1
        yield
        self.comments_before(end)
        self.indent -= 1
        self.lines.append("  " * self.indent + "}" + tail)
        self.last = end.line

    # ---- declarations

    def item(self, item: surface.Item) -> None:
        match item:
            case surface.Constant(name, value):
                self.put(f"const {name} = {print_expression(value)}", item.position)
            case surface.Struct(name, fields):
                parts = "  ".join(f"{field.name} : {_type(field.type)}" for field in fields)
                self.put(f"struct {name} {{ {parts} }}", item.position)
            case surface.Variable():
                self.put(print_variable(item, _type(item.type)), item.position)
            case surface.Procedure():
                self.apart(item.position)
                self.procedure(item)
            case surface.Process():
                self.apart(item.position)
                main, me = "main " if item.main else "", f"({item.me.name})" if item.me else ""
                head = f"{main}process {item.name}{_instances(item.instances)}{me}"
                self.body(head, item.position, item.body)

    def procedure(self, item: surface.Procedure) -> None:
        parameters = ", ".join(f"{parameter.name} : {_type(parameter.type)}" for parameter in item.parameters)
        returns = "" if item.returns is None else f"{_type(item.returns)} "
        main = "main " if item.main else ""
        self.body(f"{returns}{main}procedure {item.name}({parameters})", item.position, item.body)

    def body(self, head: str, position: Position, body: surface.Body) -> None:
        with self.braces(head, position, body.end):
            for item in body.items:
                match item:
                    case surface.Variable():
                        self.put(print_variable(item, _type(item.type)), item.position)
                    case surface.Procedure():
                        self.procedure(item)
                    case xcfa.Location():
                        self.put(print_location(item), item.position)
                    case surface.Edge():
                        self.edge(item)
            if body.code is not None:
                self.steps(body.code)

    def edge(self, edge: surface.Edge) -> None:
        ends = f"{edge.source.name} -> {edge.target.name}"
        statements = [*(["else;"] if edge.otherwise else []), *(f"{print_statement(s)};" for s in edge.statements)]
        if not statements:
            self.put(ends, edge.position)
        elif len(statements) <= 2 and edge.position.line == edge.end.line:
            self.put(f"{ends} {{ {' '.join(statements)} }}", edge.position)
        else:
            with self.braces(ends, edge.position, edge.end):
                for text, statement in zip(statements[edge.otherwise :], edge.statements, strict=True):
                    if edge.otherwise and statement is edge.statements[0]:
                        self.put("else;", edge.position)
                        self.last = statement.position.line
                    self.put(text, statement.position)
                if not edge.statements:
                    self.put("else;", edge.position)

    # ---- steps

    def steps(self, block: surface.Block) -> None:
        for step in block.steps:
            self.step(step)

    def step(self, step: surface.Step) -> None:
        match step:
            case surface.If():
                self.branch(step)
            case surface.While(condition, body):
                self.block(f"while {print_expression(condition)}", step.position, body)
            case surface.DoWhile(body, condition):
                self.block("do", step.position, body, f" while {print_expression(condition)};")
            case surface.For(counter, first, last, body):
                bounds = f"{print_expression(first)} .. {print_expression(last)}"
                self.block(f"for {counter.name} in {bounds}", step.position, body)
            case surface.Jump(kind):
                self.put(f"{kind};", step.position)
            case surface.Atomic(body):
                self.block("atomic", step.position, body)
            case surface.Choose(blocks):
                self.block("choose", step.position, blocks[0])
                for block in blocks[1:]:
                    self.follow("or", block)
            case _:
                self.put(f"{print_statement(step)};", step.position)

    def block(self, head: str, position: Position, block: surface.Block, tail: str = "") -> None:
        with self.braces(head, position, block.end, tail):
            self.steps(block)

    def follow(self, head: str, block: surface.Block) -> None:
        """A block behind another one: its first line is that where the other ends."""
        self.lines[-1] += f" {head} {{"
        self.indent += 1
        self.steps(block)
        self.comments_before(block.end)
        self.indent -= 1
        self.lines.append("  " * self.indent + "}")
        self.last = block.end.line

    def branch(self, step: surface.If) -> None:
        self.block(f"if {print_expression(step.condition)}", step.position, step.positive)
        other = step.negative
        while isinstance(other, surface.If):
            self.follow(f"else if {print_expression(other.condition)}", other.positive)
            other = other.negative
        if other is not None:
            self.follow("else", other)


def _instances(instances: surface.Instances | None) -> str:
    if instances is None:
        return ""
    if instances.number is not None:
        return f"[{print_expression(instances.number)}]"
    if instances.first is None or instances.last is None:
        return "[*]"
    return f"[{print_expression(instances.first)} .. {print_expression(instances.last)}]"


def _type(type_: surface.Type) -> str:
    return type_.base + "".join(f"[{'*' if size is None else print_expression(size)}]" for size in type_.sizes)
