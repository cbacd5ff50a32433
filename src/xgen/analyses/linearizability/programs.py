"""The program that a client is: threads that make its calls and keep what these return.

What is behind a value is written before it is put, and read by who gets it: with `cell[v] = v` before `put(v)`, an
object that does not publish has a data race, or lets a cell be seen before it is written.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from xgen.analyses.linearizability.clients import AFTER, BEFORE, Call, Client, Slot
from xgen.analyses.linearizability.operations import Interface, Operation
from xgen.analyses.linearizability.texts import Text
from xgen.executions.execution import Value
from xgen.program.automaton import Program
from xgen.records import dataclass, replace
from xgen.sources import is_standard_input

NONE = -1999999999
"""In the place of the result of a call that has not returned, or was not made."""
CLIENT = "client.c"
"""How slots in clients are told."""

Handshakes = Sequence[tuple[Slot, Slot]]
"""Pairs of calls: the second one starts after the first one has returned, as the client sees to by a flag."""


@dataclass(frozen=True)
class Structure:
    """A file that is read, with what is known of it.

    `raw`: results of puts that are integers are taken as they are; else they are 1 or 0. `zero`: operations that say by
    0 that something was done. `empty`: what gets return where there is nothing. `publishes`: what is behind a value is
    written before it is put, and read by who gets it. `has_main`: the file has a main, which is left out.
    """

    files: Text
    interface: Interface
    prefix: str = ""
    raw: bool = True
    empty: int = 0
    publishes: bool = True
    file: str = ""
    zero: frozenset[str] = frozenset()
    has_main: bool = False

    def name(self, slot: Slot) -> str:
        """The variable that has the result of a call."""
        row = {BEFORE: "before", AFTER: "after"}.get(slot[0], str(slot[0] + 1))
        return f"{self.prefix}result_{row}_{slot[1] + 1}"

    def returned(self, client: Client, state: Mapping[str, Value]) -> dict[Slot, int]:
        """The calls of a client that were made and have returned in a state, with their results."""
        found = {slot: int(state[self.name(slot)]) for slot in client.calls}
        return {slot: result for slot, result in found.items() if result != NONE}

    @property
    def head(self) -> str:
        """What the text of a client begins with: the file and its headers, and the object."""
        declared = f"{self.interface.object_text};\n" if self.interface.object is not None else ""
        adapters = self.files.adapters(self.interface.operations)
        return f"{self.included()}\n{self.files.dialect.head}\n{adapters}{declared}"

    def included(self, folder: Path = Path()) -> str:
        """The file, for a text in a folder; what came from standard input is not there any more, and is written out."""
        path = Path(os.path.relpath(self.file, folder)).as_posix()
        if not self.files.dialect.included:
            return f"// It is linked with {path}."
        text = self.files.source.text if is_standard_input(self.file) else f'#include "{path}"'
        return f"#define main {self.prefix}main_of_the_file\n{text}\n#undef main" if self.has_main else text

    def program(self, text: str, name: str = CLIENT) -> Program:
        """The program of a client; its lines have the numbers that they have in the whole text."""
        return self.files.program(name, text, self.head.count("\n") + 1)

    def dutiful(self) -> Structure:
        """The same where nothing fails, and nobody wakes up, for no reason."""
        return replace(self, files=self.files.dutiful())

    def whole(self, text: str, folder: Path = Path()) -> str:
        """A client as a file by itself, in a folder."""
        return self.included(folder) + self.head.removeprefix(self.included()) + text


@dataclass(frozen=True)
class Asked:
    """What a client's program is for. `handshakes`: orders that it sees to; `wrong`: results that it asserts not to be;
    `sequential`: calls are made one at a time, and `order` variables say when; `optional`: each may be left out."""

    handshakes: Handshakes = ()
    wrong: Mapping[Slot, int] | None = None
    sequential: bool = False
    optional: bool = False


def text_of(structure: Structure, client: Client, asked: Asked = Asked()) -> str:
    """A client as C: what comes after the head."""
    return _Writer(structure, client, asked).text()


class _Writer:
    def __init__(self, structure: Structure, client: Client, asked: Asked) -> None:
        self.structure = structure
        self.client = client
        self.asked = asked
        self.p = structure.prefix
        self.dialect = structure.files.dialect
        self.operations = structure.interface.operations
        numbers = [call.argument or 0 for call in client.calls.values() if self.sort(call) == "put"]
        self.cells = max(numbers, default=0)
        self.publishes = structure.publishes and not asked.sequential
        self.lines: list[str] = []

    def sort(self, call: Call) -> str:
        return self.operations[call.name].sort

    def text(self) -> str:
        """The whole."""
        self.globals()
        for number, row in enumerate(self.client.threads):
            self.lines += ["", f"static void *{self.p}thread_{number + 1}(void *{self.p}argument) {{"]
            self.row(number, row)
            self.lines += [f"  return {self.p}argument;", "}"]
        self.main()
        return "\n".join(self.lines) + "\n"

    def globals(self) -> None:
        p, calls = self.p, self.client.calls
        self.lines.append(f"enum {{ {p}none = {NONE} }};")
        for slot in calls:
            self.lines.append(f"int {self.structure.name(slot)} = {p}none;")
            if self.asked.sequential:
                self.lines.append(f"int {p}order_{self.structure.name(slot)} = -1;")
        if self.cells and (self.publishes or self.pointers()):
            self.lines.append(f"int {p}cell[{self.cells + 1}];")
        self.lines += [self.dialect.flag.format(f"{p}flag_{k + 1}") for k, _ in enumerate(self.asked.handshakes)]
        if self.asked.sequential:
            self.lines += [f"pthread_mutex_t {p}lock; int {p}now;"]
        if self.asked.optional:
            self.lines += ["int __VERIFIER_nondet_bool(void);"]
        if self.asked.handshakes and self.dialect.declares:
            self.lines += ["void __VERIFIER_assume(int);"]

    def pointers(self) -> bool:
        return any(self.operations[call.name].pointer for call in self.client.calls.values())

    def main(self) -> None:
        p, setup = self.p, self.structure.interface.setup
        self.lines += ["", "int main(void) {"]
        if setup is not None:
            given = f"&{self.object()}" if setup.parameters and self.object() else ""
            self.lines.append(f"  {setup.name}({given});")
        self.row(BEFORE, self.client.before)
        threads = range(1, len(self.client.threads) + 1)
        if threads:
            self.lines.append(f"  pthread_t {', '.join(f'{p}t{k}' for k in threads)};")
        self.lines += [f"  pthread_create(&{p}t{k}, 0, {p}thread_{k}, 0);" for k in threads]
        self.lines += [f"  pthread_join({p}t{k}, 0);" for k in threads]
        self.row(AFTER, self.client.after)
        if self.asked.wrong is not None:
            wrong = {slot: f"{p}none" if value == NONE else value for slot, value in self.asked.wrong.items()}
            same = " && ".join(f"{self.structure.name(slot)} == {value}" for slot, value in wrong.items())
            self.lines.append(f"  assert(!({same}));")
        self.lines.append("}")

    def object(self) -> str:
        declared = self.structure.interface.object
        return "" if declared is None else str(declared.name)

    def row(self, thread: int, row: Sequence[Call]) -> None:
        for k, call in enumerate(row):
            self.call((thread, k), call, first=k == 0)

    def call(self, slot: Slot, call: Call, first: bool) -> None:
        """A call, with what belongs to it."""
        p, operation, result = self.p, self.operations[call.name], self.structure.name(slot)
        head = "  {"
        if slot[0] == AFTER and self.client.drained and not first and not self.asked.sequential:
            previous = self.structure.name((AFTER, slot[1] - 1))
            head = f"  if ({previous} != {self.structure.empty} && {previous} != {p}none) {{"
        if self.asked.optional and slot[0] >= 0:
            head = "  if (__VERIFIER_nondet_bool()) {"
        self.lines.append(f"{head} // {call}")
        for k, (_, after) in enumerate(self.asked.handshakes):
            if after == slot:
                flag = self.dialect.read.format(f"{p}flag_{k + 1}")
                self.lines.append(f"    __VERIFIER_assume({flag});")
        if self.asked.sequential:
            self.lines.append(f"    pthread_mutex_lock(&{p}lock);")
        if self.publishes and operation.sort == "put":
            self.lines.append(f"    {p}cell[{call.argument}] = {call.argument};")
        self.lines += [f"    {line}" for line in self.made(operation, call)]
        if self.publishes and operation.sort == "get" and self.cells:
            self.lines.append(f"    if ({p}r >= 1 && {p}r <= {self.cells}) assert({p}cell[{p}r] == {p}r);")
        self.lines.append(f"    {result} = {p}r;")
        if self.asked.sequential:
            self.lines += [f"    {p}order_{result} = {p}now++;", f"    pthread_mutex_unlock(&{p}lock);"]
        for k, (before, _) in enumerate(self.asked.handshakes):
            if before == slot:
                self.lines.append(f"    {self.dialect.set.format(f'{p}flag_{k + 1}')}")
        self.lines.append("  }")

    def made(self, operation: Operation, call: Call) -> list[str]:
        """The call itself, and what it returns as a number."""
        p, given = self.p, []
        if operation.object:
            given.append(f"&{self.object()}")
        if operation.sort in ("put", "key", "add"):
            given.append(f"&{p}cell[{call.argument}]" if operation.pointer else str(call.argument))
        lines = []
        if operation.form == "out":
            lines.append(f"{operation.value} {p}out = 0;")
            given.append(f"&{p}out")
        called = f"{operation.name}({', '.join(given)})"
        if operation.form == "nothing":
            return [*lines, f"{called};", f"int {p}r = 1;"]
        done = f"{called} == 0" if operation.name in self.structure.zero else called
        if operation.form == "out":
            value = self.number(f"{p}out") if operation.pointer else f"(int){p}out"
            return [*lines, f"int {p}r = {done} ? {value} : {self.structure.empty};"]
        if operation.form == "bool" or (operation.sort == "put" and not self.structure.raw):
            return [*lines, f"int {p}r = {done} ? 1 : 0;"]
        if operation.pointer:
            return [*lines, f"void *{p}got = (void *){called};", f"int {p}r = {self.number(p + 'got')};"]
        return [*lines, f"int {p}r = (int){called};"]

    def number(self, pointer: str) -> str:
        """The number of the cell that a pointer leads to; 0 of none."""
        cells = "".join(f"(void *){pointer} == (void *)&{self.p}cell[{k}] ? {k} : " for k in range(1, self.cells + 1))
        return f"{cells}{pointer} ? {self.p}none + 1 : {self.structure.empty}"
