"""Where fences and orders stand in a text of C or C++, and what puts others there."""

from __future__ import annotations

import re
from typing import NamedTuple

from xgen.analyses.fences.kinds import TAGLESS
from xgen.analyses.fences.sites import EVENTS, Slot, bodies, gap_classes, statement_at
from xgen.analyses.orders import said_orders
from xgen.errors import Position, Source
from xgen.frontends.library.kernel import FENCES
from xgen.program.automaton import Program, Statement
from xgen.sources import CPP
from xgen.tags import KERNEL, fence_of_c

CONTROL = re.compile(r"(?:while|for|do|else|switch|case|default|return\b.*[?])\b")
"""What a fence cannot stand before, without meaning something else."""
ORDER_ARGUMENT = {"load": 1, "store": 2, "exchange": 2, "fetch": 2, "compare": 3, "flag": 1}
"""By the word behind `atomic_`: which argument of the `_explicit` function is the order."""
ORDER_OF_MEMBER = {
    r"load|test|test_and_set|clear": 0,
    r"store|exchange|fetch_\w+|wait": 1,
    r"compare_exchange_(?:weak|strong)": 2,
}
"""The same of the members of `std::atomic` and its like."""
BESIDE_CALL = r"(?:[(=!+[{?]|&&|\|\||[-<>=!]=|\breturn|[(\[](?:[^;{}()\[\]]|\([^()]*\)|\[[^\[\]]*\])*,)\s*$"
"""What may stand before a call of C++ that is a whole expression: so a declaration is none."""
WITH_ORDER = re.compile(r"atomic_([a-z]+)\w*_explicit\b|__c11_atomic_([a-z]+)\w*|__atomic_(\w+)")
"""What has an order among its arguments: C11's functions, Clang's, which have the same ones, and GCC's."""

FUNCTION_OF = {tag: name for name, tag in reversed(FENCES.items())}
"""What the Linux kernel's fences are called, by their tags."""
ALONE = re.compile(rf"(?:{'|'.join(FENCES)})\s*\(\s*\)")
"""A call of one of them."""


class Edit(NamedTuple):
    """A part of the text, by offsets, and what stands there instead."""

    start: int
    end: int
    text: str


class CText:
    """A text of a C program, and where its events stand in it."""

    call = re.compile(r"[A-Za-z_]\w*\s*\(")
    """What a call begins with."""
    event = re.compile(r"[A-Za-z_]")
    """What stands where an event of the text is."""
    beside_call = "({}, ", ")"
    """What stands around a call that a fence is before, which is an expression."""

    def __init__(self, program: Program, source: Source) -> None:
        self.name, self.text, self.own = source.name, source.text, program.source
        self.without_header = self.has_no_header()
        self.starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        self.events = {
            offset
            for process in program.processes
            for _, body in bodies(process)
            for edge in body.edges
            for statement in edge.statements
            if isinstance(statement, EVENTS)
            for offset in self.offsets(statement.position)
        }
        self.near: dict[tuple[int, bool], set[int]] = {}
        for place, around in gap_classes(program):
            here = statement_at(program, place).position
            if around is not None and self.has(here):
                near = self.near.setdefault((self.offset(here), place.after), set())
                for procedure, edge, number in around[1 if place.after else 0]:
                    there = statement_at(program, Slot(place.process, procedure, int(edge), number)).position
                    near |= self.offsets(there)

    def has_no_header(self) -> bool:
        """Whether the text has only what GCC and Clang know without a header."""
        return "__atomic_" in self.text and not re.search(r"stdatomic\.h|\bmemory_order_", self.text)

    def has(self, position: Position) -> bool:
        """Whether a position is in this text."""
        return (position.source or self.own).name == self.name

    def offset(self, position: Position) -> int:
        """Where a position is, counted from the beginning."""
        return self.starts[position.line - 1] + position.column - 1

    def offsets(self, position: Position) -> set[int]:
        """Where a position is, and the calls that lead there, as far as they are in this text."""
        places = (position, *(place for _, place in position.calls))
        return {self.offset(place) for place in places if self.has(place)}

    def fence(self, position: Position, after: bool, order: str) -> list[Edit]:
        """What puts a fence before or after what stands at a position: one edit, two around a call, or none.

        A line of its own is before, or behind, all that a statement does, in whatever order it stands there.
        """
        at, call = self.offset(position), self.fence_call(order)
        if not self.event.match(self.text, at):
            return []
        start, end, near = self.statement_start(at), self.statement_end(at), self.near.get((at, after), set())
        if start is not None and end is not None and not CONTROL.match(self.text, start):
            others = {event for event in self.events if start <= event < end and event != at}
            whole = not others or not any(start <= event < end for event in near)  # the first or last of its statement
            if whole and not after:
                return [self.line(start, call)]
            if whole and not re.match(r"(?:if|return)\b", self.text[start:at]):
                return [self.line(end, call, behind=True)]
        first, end = self.expression_start(at), self.call_end(at)
        if after or first is None or end is None or any(first <= event < end and event != at for event in self.events):
            return []
        before, behind = self.beside_call
        return [Edit(first, first, before.format(call)), Edit(end, end, behind)]

    def fence_call(self, order: str) -> str:
        """A fence as an expression."""
        return f"{'__' * self.without_header}atomic_thread_fence({self.order_word(order)})"

    def expression_start(self, at: int) -> int | None:
        """Where the expression begins that the call at an offset is; None where it is none."""
        return at

    def line(self, at: int, call: str, behind: bool = False) -> Edit:
        """A statement of its own before what stands at an offset, or behind what ends there."""
        number = self.text.count("\n", 0, at)
        line = self.text[self.starts[number] :].partition("\n")[0]
        indent = line[: len(line) - len(line.lstrip())]
        rest = self.text[at : self.starts[number] + len(line)]
        if behind and (not rest.strip() or rest.lstrip().startswith("//")):
            end = self.starts[number] + len(line)
            return Edit(end, end, f"\n{indent}{call};")
        if not behind and self.starts[number] + len(indent) == at:
            return Edit(self.starts[number], self.starts[number], f"{indent}{call};\n")
        return Edit(at, at, f" {call};" if behind else f"{call}; ")

    def statement_start(self, at: int) -> int | None:
        """Where the statement begins that an offset is in; None where it may be the body of another one."""
        number = self.text.count("\n", 0, at)
        depth, start, fresh = 0, self.starts[number], False
        around = list[tuple[int, int, bool]]()  # that a function within an expression is in
        for offset in range(start, at):
            char = self.text[offset]
            depth += (char == "(") - (char == ")")
            if char == "{" and depth:
                around.append((depth, start, fresh))
                depth, start, fresh = 0, offset + 1, True
            elif char == "}" and around and not depth:
                depth, start, fresh = around.pop()
            elif char in ";{}" and not depth:
                start, fresh = offset + 1, True
        if not fresh:
            before = "\n".join(line.partition("//")[0].rstrip() for line in self.text[:start].split("\n")).rstrip()
            fresh = before.endswith((";", "{", "}"))
        while self.text[start] in " \t":
            start += 1
        return start if fresh else None

    def statement_end(self, at: int) -> int | None:
        """Right behind the semicolon of the statement that an offset is in."""
        end = self.text.find(";", at)
        return end + 1 if end >= 0 and not set("{}") & set(self.text[at:end]) else None

    def call_end(self, at: int) -> int | None:
        """Right behind a call's closing parenthesis; None where there is no call."""
        arguments = self.arguments(at)
        return arguments[-1][1] + 1 if arguments else None

    def arguments(self, at: int) -> list[tuple[int, int]]:
        """The offsets between which the arguments of the call at an offset stand; none where there is no call."""
        match = self.call.match(self.text, at)
        if not match:
            return []
        depth, start, found = 0, match.end(), list[tuple[int, int]]()
        for offset in range(match.end(), len(self.text)):
            char = self.text[offset]
            if not depth and char in ",)":
                found.append((start, offset))
                start = offset + 1
                if char == ")":
                    return found
            depth += (char in "([{") - (char in ")]}")
        return []

    def ordered(self, position: Position, order: str) -> Edit | None:
        """What gives an access another order, where its own is said."""
        said = self.order(position)
        return Edit(*said, self.order_word(order)) if said else None

    def order(self, position: Position) -> tuple[int, int] | None:
        """Where the order of an access is said, if it is: an argument of a function that has one."""
        at = self.offset(position)
        match, arguments = WITH_ORDER.match(self.text, at), self.arguments(at)
        number = None
        if match and match[3]:
            number = _order_of_gcc(match[3], len(arguments))
        elif match:
            number = ORDER_ARGUMENT.get(match[1] or match[2])
        if number is None or number >= len(arguments):
            return None
        start, end = arguments[number]
        return self.stripped(start, end)[0], end

    def stripped(self, start: int, end: int) -> tuple[int, int]:
        """The offsets of what stands between two offsets, without the space around it."""
        text = self.text[start:end]
        return start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())

    def order_word(self, order: str) -> str:
        """How an order is written here: as GCC and Clang know it without a header, where only they are asked."""
        return f"__ATOMIC_{order.upper()}" if self.without_header else f"memory_order_{order}"

    def removal(self, fence: Statement) -> Edit | None:
        """What takes away a fence: its line, or its call."""
        at = self.offset(fence.position)
        end = self.call_end(at)
        if end is None:
            return None
        number = self.text.count("\n", 0, at)
        line = self.text[self.starts[number] :].partition("\n")[0]
        alone = re.fullmatch(r"\s*(?:(?:__|(?:::)?std::)?atomic_thread_fence|smp_\w+)\s*\([^()]*\)\s*;\s*", line)
        if alone and self.statement_start(at) is not None:
            return Edit(self.starts[number], self.starts[number] + len(line) + 1, "")
        return Edit(at, end, "(void)0")


def _order_of_gcc(name: str, arguments: int) -> int | None:
    """Which argument of `__atomic_*` is the order: the last one, or that before the order of a failure."""
    return None if not arguments or name.endswith("lock_free") else arguments - 1 - name.startswith("compare")


class CppText(CText):
    """The same of a text in C++: accesses are members, and stand behind their objects; or operators."""

    call = re.compile(r"(?:::)?[A-Za-z_][\w:]*\s*\(")
    event = re.compile("")

    def __init__(self, program: Program, source: Source) -> None:
        super().__init__(program, source)
        self.failing = {
            (spot.at.line, spot.at.column): said.order
            for spot, said in said_orders(program).items()
            if spot.failing and spot.at.file == self.name
        }

    def has_no_header(self) -> bool:
        """Whether the text does not say that it includes <atomic>, or has all names of it."""
        return re.search(r"<atomic>|\bmemory_order_|\bmemory_order::|\bstd::atomic", self.text) is None

    def fence_call(self, order: str) -> str:
        """A fence as an expression."""
        return f"{'__' if self.without_header else 'std::'}atomic_thread_fence({self.order_word(order)})"

    def order_word(self, order: str) -> str:
        """How an order is written here."""
        return super().order_word(order) if self.without_header else f"std::memory_order_{order}"

    def expression_start(self, at: int) -> int | None:
        """Where the expression begins that the call at an offset is; None where it is none."""
        while at:
            before = self.text[:at].rstrip()
            if before.endswith((".", "->", "::")):
                at = len(before) - (1 if before.endswith(".") else 2)
                at = self.operand_start(len(self.text[:at].rstrip()))
            else:
                return at if re.search(BESIDE_CALL, before[before.rfind(";") + 1 :]) else None
        return None

    def operand_start(self, end: int) -> int:
        """Where a name begins that ends at an offset, with what is called or indexed."""
        depth = 0
        while end:
            char = self.text[end - 1]
            depth += (char in ")]") - (char in "([")
            if depth < 0 or not (depth or char in "([" or char == "_" or char.isalnum()):
                break
            end -= 1
        return end

    def ordered(self, position: Position, order: str) -> Edit | None:
        """What gives an access another order, also where it has none as an argument; that of a compare-exchange which
        does not write stays as it is."""
        at, word = self.offset(position), self.order_word(order)
        match, arguments = re.compile(r"\w+").match(self.text, at), self.arguments(at)
        members = (number for names, number in ORDER_OF_MEMBER.items() if match and re.fullmatch(names, match[0]))
        number = next(members, None)
        if number is None or not self.text[:at].rstrip().endswith((".", "->")):
            return super().ordered(position, order)
        given = [self.stripped(*each) for each in arguments]
        given = [] if len(given) == 1 and given[0][0] >= given[0][1] else given
        if not number <= len(given) <= number + (2 if number == 2 else 1):
            return None
        if number == 2 and len(given) <= 3 and (position.line, position.column) in self.failing:
            word += f", {self.order_word(self.failing[position.line, position.column])}"
        if len(given) > number:
            return Edit(*given[number], word)
        end = arguments[-1][1]
        return Edit(end, end, f", {word}" if given else word)


class KernelText(CText):
    """The same of a text that is a part of the Linux kernel: fences are functions of their own, and statements."""

    beside_call = "({{ {}; ", "; })"

    def fence_call(self, order: str) -> str:
        """A fence as an expression."""
        return f"{FUNCTION_OF.get(order, 'smp_mb')}()"

    def removal(self, fence: Statement) -> Edit | None:
        """What takes away a fence: its line, or its call; not what a macro does beside other things."""
        return super().removal(fence) if ALONE.match(self.text, self.offset(fence.position)) else None


def shown_fence(program: Program, tag: str) -> str:
    """A kind of fence as people are told of it: in the Linux kernel's words, if the program is a part of it."""
    return f"{FUNCTION_OF[tag]}()" if program.target == KERNEL and tag in FUNCTION_OF else tag or TAGLESS


def word_of(program: Program, tag: str) -> str:
    """What a fence with a tag is called in the text of a program of C: an order, or a function of the Linux kernel's;
    "" where there is none."""
    return FUNCTION_OF.get(tag, "") and tag if program.target == KERNEL else fence_of_c(tag)


def text_of(program: Program, source: Source) -> CText:
    """A text that a program was read from."""
    if program.target == KERNEL:
        return KernelText(program, source)
    return (CppText if program.source.name.endswith(CPP) else CText)(program, source)
