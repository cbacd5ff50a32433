"""Litmus tests as text, written for the architectures that have what they are made of."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar

from xgen.records import dataclass
from xgen.shapes.shape import VARIABLES, Access, Link, Shape, Test, Thread
from xgen.tags import names


class Writer(ABC):
    """What is particular to an architecture: how its threads are written.

    `fences` are instructions of their own, by their tags; `behind_branches` those that can stand between a branch and
    what depends on it. `tags` are those of reads and writes, with the letter by which names of tests speak of them.
    `full` is the tag of the fence that orders all accesses, `plain` that of an access without an order.
    """

    arch: ClassVar[str]
    fences: ClassVar[Mapping[str, str]]
    behind_branches: ClassVar[frozenset[str]] = frozenset()
    dependencies: ClassVar[frozenset[str]]
    tags: ClassVar[Mapping[str, Mapping[str, str]]]
    full: ClassVar[str]
    plain: ClassVar[str | None] = None

    def can_write(self, shape: Shape) -> bool:
        """Whether the architecture has words for all that is in a shape."""
        return all(self._has_access(t, i) for t in shape.threads for i in range(len(t.accesses))) and all(
            self._has_link(link) for thread in shape.threads for link in thread.links
        )

    def _has_access(self, thread: Thread, number: int) -> bool:
        access = thread.accesses[number]
        if not tag_of(access):
            return True
        return access.tag in self.tags[access.kind] and not (number and thread.links[number - 1].dependency == "addr")

    def _has_link(self, link: Link) -> bool:
        if link.dependency is not None and link.dependency not in self.dependencies:
            return False
        if link.dependency is None or link.fence is None:
            return link.fence is None or link.fence in self.fences
        return link.dependency == "ctrl" and link.fence in self.behind_branches

    def write(self, name: str, test: Test) -> str:
        """The test's text. Raises ValueError where the architecture has no words for it."""
        if not self.can_write(test.shape):
            raise ValueError(f"{self.arch} has no words for this")
        threads = [self.thread(number, test) for number in range(len(test.shape.threads))]
        init = [line for _, line, _ in threads if line]
        condition = [part for _, _, parts in threads for part in parts]
        condition += [f"[{variable}]={value}" for variable, value in test.finals]
        body = self.program([lines for lines, _, _ in threads], test.shape)
        listed = "".join(f" {line}\n" for line in init)
        conjunction = " /\\ ".join(condition)
        return f"{self.arch} {name}\n{{\n{listed}}}\n{body}\nexists ({conjunction})\n"

    @abstractmethod
    def thread(self, number: int, test: Test) -> tuple[list[str], str, list[str]]:
        """A thread's instructions, its registers' initial values, and what the condition says of its registers."""

    def program(self, threads: list[list[str]], shape: Shape) -> str:  # noqa: ARG002 - C needs the shape
        """The threads, in columns."""
        columns = [[f"P{number}", *lines] for number, lines in enumerate(threads)]
        height = max(map(len, columns))
        widths = [max(map(len, column)) for column in columns]
        rows = []
        for row in range(height):
            cells = [column[row] if row < len(column) else "" for column in columns]
            text = " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
            rows.append(f" {text} ;")
        return "\n".join(rows)


def tag_of(access: Access) -> str:
    """The access's tag, "" where it has none that means anything."""
    return "" if access.tag in (None, "relaxed", "once") else access.tag or ""


class X86(Writer):
    """X86."""

    arch = "X86"
    fences: ClassVar[Mapping[str, str]] = {tag: tag.upper() for tag in names("X86", "F")}
    dependencies: ClassVar[frozenset[str]] = frozenset()
    tags: ClassVar[Mapping[str, Mapping[str, str]]] = {"R": {}, "W": {"rmw": "x"}}
    full = "mfence"

    def thread(self, number: int, test: Test) -> tuple[list[str], str, list[str]]:
        lines, condition, registers = list[str](), list[str](), iter(("EAX", "EBX", "ECX", "EDX"))
        for link, access, value in test.steps(number):
            variable = VARIABLES[access.variable]
            if link.fence is not None:
                lines.append(self.fences[link.fence])
            if access.kind == "R":
                register = next(registers)
                lines.append(f"MOV {register},[{variable}]")
                condition += [f"{number}:{register}={value}"] if value is not None else []
            elif access.tag == "rmw":
                register = next(registers)
                lines += [f"MOV {register},${value}", f"XCHG [{variable}],{register}"]
            else:
                lines.append(f"MOV [{variable}],${value}")
        return lines, "", condition


@dataclass(frozen=True)
class Templates:
    """How an architecture with registers writes things.

    {v} is a register with a value, {r} the one that was read last, {a} one with an address, {i} one with an index that
    is 0, {n} a number, {l} a label. Loads and stores are by their tag; "indexed" ones add {i} to the address. An
    exclusive pair reads {o}; {s} is `success` where it succeeds.
    """

    value: str
    address: str
    first: int
    move: str
    loads: Mapping[str, tuple[str, ...]]
    stores: Mapping[str, tuple[str, ...]]
    zero: str
    add: str
    control: tuple[str, ...]
    success: int = 0


PAIRS = ("ex", "exal")
"""The tags that make a write that of an exclusive pair."""


class Registers(Writer):
    """An architecture where addresses and values are in registers."""

    templates: ClassVar[Templates]

    def thread(self, number: int, test: Test) -> tuple[list[str], str, list[str]]:
        lines, condition, addresses = list[str](), list[str](), dict[int, int]()
        t, used, last_read = self.templates, self.templates.first, -1
        for link, access, value in test.steps(number):
            if access.variable not in addresses:
                addresses[access.variable] = used
                used += 1
            fields: dict[str, object] = {"n": value, "a": t.address.format(addresses[access.variable])}
            fields["r"] = t.value.format(last_read)  # what was read last
            fields["l"] = f"LC{number}{len(lines)}"
            if link.dependency == "ctrl":
                lines += [line.format_map(fields) for line in t.control]
            elif link.dependency is not None:
                fields["i"] = fields["v"] = t.value.format(used)
                lines.append(t.zero.format_map(fields))
                used += 1
            lines += [self.fences[link.fence]] if link.fence is not None else []
            way = "indexed" if link.dependency == "addr" else tag_of(access)
            if link.dependency != "data":
                fields["v"] = t.value.format(used)
                used += 1
            if access.kind == "R":
                last_read = used - 1
                lines += [line.format_map(fields) for line in t.loads[way]]
                condition += [f"{number}:{t.address.format(last_read)}={value}"] if value is not None else []
            else:
                lines.append((t.add if link.dependency == "data" else t.move).format_map(fields))
                if way in PAIRS:
                    fields["o"], fields["s"] = (t.value.format(n) for n in (used, used + 1))
                    read, found = (t.address.format(n) for n in (used, used + 1))
                    condition += [f"{number}:{read}={test.old}"] if test.old is not None else []
                    condition.append(f"{number}:{found}={t.success}")
                    used += 2
                lines += [line.format_map(fields) for line in t.stores[way]]
        registers = " ".join(f"{number}:{t.address.format(n)}={VARIABLES[v]};" for v, n in addresses.items())
        return lines, registers, condition


class AArch64(Registers):
    """AArch64."""

    arch = "AArch64"
    fences: ClassVar[Mapping[str, str]] = {tag: tag.upper().replace(".", " ") for tag in names("AArch64", "F")}
    behind_branches = frozenset({"isb"})
    dependencies = frozenset({"addr", "data", "ctrl"})
    tags: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "R": {"acquire": "a", "acquire_pc": "q"},
        "W": {"release": "l", "rmw": "x", "ex": "e", "exal": "b"},
    }
    full = "dmb.sy"
    templates = Templates(
        value="W{}",
        address="X{}",
        first=0,
        move="MOV {v},#{n}",
        loads={
            "": ("LDR {v},[{a}]",),
            "acquire": ("LDAR {v},[{a}]",),
            "acquire_pc": ("LDAPR {v},[{a}]",),
            "indexed": ("LDR {v},[{a},{i},SXTW]",),
        },
        stores={
            "": ("STR {v},[{a}]",),
            "release": ("STLR {v},[{a}]",),
            "rmw": ("SWP {v},{v},[{a}]",),
            "ex": ("LDXR {o},[{a}]", "STXR {s},{v},[{a}]"),
            "exal": ("LDAXR {o},[{a}]", "STLXR {s},{v},[{a}]"),
            "indexed": ("STR {v},[{a},{i},SXTW]",),
        },
        zero="EOR {i},{r},{r}",
        add="ADD {v},{v},#{n}",
        control=("CBNZ {r},{l}", "{l}:"),
    )


class RiscV(Registers):
    """RISC-V."""

    arch = "RISCV"
    fences: ClassVar[Mapping[str, str]] = {
        tag: re.sub(r"^fence\.(\w+)\.(\w+)$", r"fence \1,\2", tag) for tag in names("RISCV", "F")
    }
    behind_branches = frozenset({"fence.i"})
    dependencies = frozenset({"addr", "data", "ctrl"})
    tags: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "R": {"acquire": "q"},
        "W": {"release": "l", "rmw": "x", "ex": "e", "exal": "b"},
    }
    full = "fence.rw.rw"
    templates = Templates(
        value="x{}",
        address="x{}",
        first=5,
        move="ori {v},x0,{n}",
        loads={
            "": ("lw {v},0({a})",),
            "acquire": ("lw.aq {v},0({a})",),
            "indexed": ("add {i},{a},{i}", "lw {v},0({i})"),
        },
        stores={
            "": ("sw {v},0({a})",),
            "release": ("sw.rl {v},0({a})",),
            "rmw": ("amoswap.w {v},{v},({a})",),
            "ex": ("lr.w {o},({a})", "sc.w {s},{v},({a})"),
            "exal": ("lr.w.aq {o},({a})", "sc.w.rl {s},{v},({a})"),
            "indexed": ("add {i},{a},{i}", "sw {v},0({i})"),
        },
        zero="xor {i},{r},{r}",
        add="ori {v},{v},{n}",
        control=("bne {r},x0,{l}", "{l}:"),
    )


class Power(Registers):
    """POWER, which has no tags but exclusive pairs."""

    arch = "PPC"
    fences: ClassVar[Mapping[str, str]] = {tag: tag for tag in names("PPC", "F")}
    behind_branches = frozenset({"isync"})
    dependencies = frozenset({"addr", "data", "ctrl"})
    tags: ClassVar[Mapping[str, Mapping[str, str]]] = {"R": {}, "W": {"ex": "e"}}
    full = "sync"
    templates = Templates(
        value="r{}",
        address="r{}",
        first=1,
        move="li {v},{n}",
        loads={"": ("lwz {v},0({a})",), "indexed": ("lwzx {v},{i},{a}",)},
        stores={
            "": ("stw {v},0({a})",),
            "ex": ("lwarx {o},r0,{a}", "stwcx. {v},r0,{a}", "bne {l}", "li {s},1", "{l}:"),
            "indexed": ("stwx {v},{i},{a}",),
        },
        zero="xor {i},{r},{r}",
        add="addi {v},{v},{n}",
        control=("cmpw {r},{r}", "beq {l}", "{l}:"),
        success=1,
    )


class C11(Writer):
    """C with C11's atomics: every access has an order, which is relaxed unless something else is asked for."""

    arch = "C"
    fences: ClassVar[Mapping[str, str]] = {
        order: f"atomic_thread_fence(memory_order_{order});" for order in names("C", "F")
    }
    dependencies = frozenset({"data", "ctrl"})
    tags: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "R": {"acquire": "acq", "seq_cst": "sc"},
        "W": {"release": "rel", "seq_cst": "sc", "rmw": "rmw"},
    }
    full = "seq_cst"
    plain = "relaxed"
    type_name: ClassVar[str] = "atomic_int"

    def thread(self, number: int, test: Test) -> tuple[list[str], str, list[str]]:
        lines, condition, reads, indent = list[str](), list[str](), 0, "  "
        for link, access, value in test.steps(number):
            last, variable = f"r{reads - 1}", VARIABLES[access.variable]
            if link.fence is not None:
                lines.append(indent + self.fences[link.fence])
            elif link.dependency == "ctrl":
                lines.append(f"{indent}if ({last} == {last}) {{")
                indent += "  "
            if access.kind == "R":
                lines.append(f"{indent}int r{reads} = {self.load(variable, tag_of(access))};")
                condition += [f"{number}:r{reads}={value}"] if value is not None else []
                reads += 1
            else:
                written = f"{last} - {last} + {value}" if link.dependency == "data" else str(value)
                lines.append(f"{indent}{self.store(variable, written, tag_of(access))};")
        while len(indent) > 2:
            indent = indent[2:]
            lines.append(indent + "}")
        return lines, "", condition

    def load(self, variable: str, tag: str) -> str:
        """A read with a tag, "" for none."""
        return f"atomic_load_explicit({variable}, memory_order_{tag or 'relaxed'})"

    def store(self, variable: str, value: str, tag: str) -> str:
        """A write with a tag, "" for none."""
        function, order = ("exchange", "") if tag == "rmw" else ("store", tag)
        return f"atomic_{function}_explicit({variable}, {value}, memory_order_{order or 'relaxed'})"

    def program(self, threads: list[list[str]], shape: Shape) -> str:
        functions = []
        for number, (lines, thread) in enumerate(zip(threads, shape.threads, strict=True)):
            names = sorted({VARIABLES[access.variable] for access in thread.accesses})
            parameters = ", ".join(f"{self.type_name}* {name}" for name in names)
            functions.append("\n".join((f"P{number}({parameters}) {{", *lines, "}")))
        return "\n\n".join(functions)


class Linux(C11):
    """The Linux kernel's C."""

    fences: ClassVar[Mapping[str, str]] = {
        **{tag: f"smp_{tag}();" for tag in ("mb", "rmb", "wmb")},
        "barrier": "barrier();",
        "rcu-lock": "rcu_read_lock();",
        "rcu-unlock": "rcu_read_unlock();",
        "sync-rcu": "synchronize_rcu();",
    }
    tags: ClassVar[Mapping[str, Mapping[str, str]]] = {"R": {"acquire": "acq"}, "W": {"release": "rel"}}
    full = "mb"
    plain = "once"
    type_name = "int"

    def load(self, variable: str, tag: str) -> str:
        return f"smp_load_acquire({variable})" if tag else f"READ_ONCE(*{variable})"

    def store(self, variable: str, value: str, tag: str) -> str:
        return f"smp_store_release({variable}, {value})" if tag else f"WRITE_ONCE(*{variable}, {value})"


WRITERS: Mapping[str, Writer] = {writer.arch: writer for writer in (X86(), AArch64(), RiscV(), Power(), C11())}
"""The architectures that tests can be written for, by the first word of their tests."""


def litmus_texts(shape: Shape, condition: Mapping[str, int], name: str) -> Iterator[str]:
    """The shape as litmus tests, in C first, then for the architectures that can express it; see `litmus_text`."""
    for arch in ("C", *(arch for arch in WRITERS if arch != "C")):
        if WRITERS[arch].can_write(shape):
            yield litmus_text(WRITERS[arch], shape, condition, name)


def litmus_text(writer: Writer, shape: Shape, condition: Mapping[str, int], name: str) -> str:
    """The shape as a litmus test that asks for a final state, by the names that `program_of` gives.

    Raises ValueError where the writer has no words for the shape.
    """
    values = tuple(
        tuple(
            value if access.kind == "W" else condition.get(f"P{number}:r{value}")
            for access, value in zip(thread.accesses, row, strict=True)
        )
        for number, (thread, row) in enumerate(zip(shape.threads, shape.values(), strict=True))
    )
    finals = tuple((variable, value) for variable, value in condition.items() if ":" not in variable)
    return writer.write(name, Test(shape, values, finals))
