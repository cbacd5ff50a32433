"""Litmus tests as text, written for an architecture from the shapes of cycles."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from xgen.shapes.cycles import Cycle, Shape, Step, shape_of


class Writer(ABC):
    """What is particular to an architecture: how its threads are written.

    `fences` are the links that are instructions of their own; `orders` what can be added to reads and writes, with the
    letter by which names of tests speak of it. The order "rmw" makes a write an atomic exchange; "ex" makes it the
    store of an exclusive pair, which has to succeed, and "exal" one of which the load acquires and the store releases.
    """

    arch: ClassVar[str]
    fences: ClassVar[Mapping[str, str]]
    dependencies: ClassVar[frozenset[str]]
    orders: ClassVar[Mapping[str, Mapping[str, str]]]

    def write(self, name: str, cycle: Cycle) -> str:
        """The test that asks for a cycle. Raises ValueError where there is none."""
        return self.write_shape(name, shape_of(cycle))

    def write_shape(self, name: str, shape: Shape) -> str:
        """The test of a shape, whose condition has the values that its reads and locations have to have."""
        threads = [self.thread(number, steps) for number, steps in enumerate(shape.threads)]
        init = [line for _, line, _ in threads if line]
        condition = [part for _, _, parts in threads for part in parts]
        condition += [f"[{location}]={value}" for location, value in shape.finals]
        body = self.program([lines for lines, _, _ in threads], shape)
        listed = "".join(f" {line}\n" for line in init)
        conjunction = " /\\ ".join(condition)
        return f"{self.arch} {name}\n{{\n{listed}}}\n{body}\nexists ({conjunction})\n"

    @abstractmethod
    def thread(self, number: int, steps: tuple[Step, ...]) -> tuple[list[str], str, list[str]]:
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


class X86(Writer):
    """X86."""

    arch = "X86"
    fences: ClassVar[Mapping[str, str]] = {"mfence": "MFENCE"}
    dependencies: ClassVar[frozenset[str]] = frozenset()
    orders: ClassVar[Mapping[str, Mapping[str, str]]] = {"R": {}, "W": {"rmw": "x"}}

    def thread(self, number: int, steps: tuple[Step, ...]) -> tuple[list[str], str, list[str]]:
        lines, condition, registers = list[str](), list[str](), iter(("EAX", "EBX", "ECX", "EDX"))
        for step in steps:
            if step.link is not None and step.link.via != "po":
                lines.append(self.fences[step.link.via])
            if step.access.kind == "R":
                register = next(registers)
                lines.append(f"MOV {register},[{step.location}]")
                condition += [f"{number}:{register}={step.value}"] if step.value is not None else []
            elif step.access.order == "rmw":
                register = next(registers)
                lines += [f"MOV {register},${step.value}", f"XCHG [{step.location}],{register}"]
            else:
                lines.append(f"MOV [{step.location}],${step.value}")
        return lines, "", condition


@dataclass(frozen=True)
class Templates:
    """How an architecture with registers writes things.

    {v} is a register with a value, {r} the one that was read last, {a} one with an address, {i} one with an index that
    is 0, {n} a number, {l} a label. Loads and stores are by their order; "indexed" ones add {i} to the address. An
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
"""The orders that make a write that of an exclusive pair."""


class Registers(Writer):
    """An architecture where addresses and values are in registers."""

    templates: ClassVar[Templates]

    def thread(self, number: int, steps: tuple[Step, ...]) -> tuple[list[str], str, list[str]]:
        lines, condition, addresses = list[str](), list[str](), dict[str, int]()
        t, used, last_read = self.templates, self.templates.first, -1
        for step in steps:
            via = step.link.via if step.link is not None else "po"
            if step.location not in addresses:
                addresses[step.location] = used
                used += 1
            fields: dict[str, object] = {"n": step.value, "a": t.address.format(addresses[step.location])}
            fields["r"] = t.value.format(last_read)  # what was read last
            fields["l"] = f"LC{number}{len(lines)}"
            if via in self.fences:
                lines.append(self.fences[via])
            elif via.startswith("ctrl"):
                lines += [line.format_map(fields) for line in t.control]
                lines += [self.fences[via[4:]]] if via != "ctrl" else []
            elif via in ("addr", "data"):
                fields["i"] = fields["v"] = t.value.format(used)
                lines.append(t.zero.format_map(fields))
                used += 1
            order = "indexed" if via == "addr" else step.access.order
            if via == "addr" and step.access.order:
                raise ValueError("an access with an order takes no index")
            if via != "data":
                fields["v"] = t.value.format(used)
                used += 1
            if step.access.kind == "R":
                last_read = used - 1
                lines += [line.format_map(fields) for line in t.loads[order]]
                condition += [f"{number}:{t.address.format(last_read)}={step.value}"] if step.value is not None else []
            else:
                lines.append((t.add if via == "data" else t.move).format_map(fields))
                if order in PAIRS:
                    fields["o"], fields["s"] = (t.value.format(n) for n in (used, used + 1))
                    read, found = (t.address.format(n) for n in (used, used + 1))
                    condition += [f"{number}:{read}={step.old}"] if step.old is not None else []
                    condition.append(f"{number}:{found}={t.success}")
                    used += 2
                lines += [line.format_map(fields) for line in t.stores[order]]
        registers = " ".join(f"{number}:{t.address.format(n)}={name};" for name, n in addresses.items())
        return lines, registers, condition


class AArch64(Registers):
    """AArch64: "A" is LDAR, "Q" LDAPR, "L" STLR."""

    arch = "AArch64"
    fences: ClassVar[Mapping[str, str]] = {"dmb.sy": "DMB SY", "dmb.ld": "DMB LD", "dmb.st": "DMB ST", "isb": "ISB"}
    dependencies = frozenset({"addr", "data", "ctrl", "ctrlisb"})
    orders: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "R": {"A": "a", "Q": "q"},
        "W": {"L": "l", "rmw": "x", "ex": "e", "exal": "b"},
    }
    templates = Templates(
        value="W{}",
        address="X{}",
        first=0,
        move="MOV {v},#{n}",
        loads={
            "": ("LDR {v},[{a}]",),
            "A": ("LDAR {v},[{a}]",),
            "Q": ("LDAPR {v},[{a}]",),
            "indexed": ("LDR {v},[{a},{i},SXTW]",),
        },
        stores={
            "": ("STR {v},[{a}]",),
            "L": ("STLR {v},[{a}]",),
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
    """RISC-V: "aq" and "rl" are the orders of loads and stores."""

    arch = "RISCV"
    fences: ClassVar[Mapping[str, str]] = {
        **{f"fence.{a}.{b}": f"fence {a},{b}" for a in ("r", "w", "rw") for b in ("r", "w", "rw")},
        "fence.tso": "fence.tso",
        "fence.i": "fence.i",
    }
    dependencies = frozenset({"addr", "data", "ctrl", "ctrlfence.i"})
    orders: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "R": {"aq": "q"},
        "W": {"rl": "l", "rmw": "x", "ex": "e", "exal": "b"},
    }
    templates = Templates(
        value="x{}",
        address="x{}",
        first=5,
        move="ori {v},x0,{n}",
        loads={
            "": ("lw {v},0({a})",),
            "aq": ("lw.aq {v},0({a})",),
            "indexed": ("add {i},{a},{i}", "lw {v},0({i})"),
        },
        stores={
            "": ("sw {v},0({a})",),
            "rl": ("sw.rl {v},0({a})",),
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
    """POWER, which has no orders but exclusive pairs."""

    arch = "PPC"
    fences: ClassVar[Mapping[str, str]] = {"sync": "sync", "lwsync": "lwsync", "eieio": "eieio", "isync": "isync"}
    dependencies = frozenset({"addr", "data", "ctrl", "ctrlisync"})
    orders: ClassVar[Mapping[str, Mapping[str, str]]] = {"R": {}, "W": {"ex": "e"}}
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
        f"fence.{short}": f"atomic_thread_fence(memory_order_{order});"
        for short, order in (("acq", "acquire"), ("rel", "release"), ("ar", "acq_rel"), ("sc", "seq_cst"))
    }
    dependencies = frozenset({"data", "ctrl"})
    orders: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "R": {"acquire": "acq", "seq_cst": "sc"},
        "W": {"release": "rel", "seq_cst": "sc", "rmw": "rmw"},
    }

    def thread(self, number: int, steps: tuple[Step, ...]) -> tuple[list[str], str, list[str]]:
        lines, condition, reads, indent = list[str](), list[str](), 0, "  "
        for step in steps:
            via = step.link.via if step.link is not None else "po"
            last = f"r{reads - 1}"
            if via in self.fences:
                lines.append(indent + self.fences[via])
            elif via == "ctrl":
                lines.append(f"{indent}if ({last} == {last}) {{")
                indent += "  "
            order = f"memory_order_{step.access.order or 'relaxed'}"
            if step.access.kind == "R":
                lines.append(f"{indent}int r{reads} = atomic_load_explicit({step.location}, {order});")
                condition += [f"{number}:r{reads}={step.value}"] if step.value is not None else []
                reads += 1
            else:
                value = f"{last} - {last} + {step.value}" if via == "data" else step.value
                function = "exchange" if step.access.order == "rmw" else "store"
                order = order.replace("_rmw", "_relaxed")
                lines.append(f"{indent}atomic_{function}_explicit({step.location}, {value}, {order});")
        while len(indent) > 2:
            indent = indent[2:]
            lines.append(indent + "}")
        return lines, "", condition

    def program(self, threads: list[list[str]], shape: Shape) -> str:
        functions = []
        for number, (lines, steps) in enumerate(zip(threads, shape.threads, strict=True)):
            parameters = ", ".join(f"atomic_int* {name}" for name in sorted({step.location for step in steps}))
            functions.append("\n".join((f"P{number}({parameters}) {{", *lines, "}")))
        return "\n\n".join(functions)


WRITERS: Mapping[str, Writer] = {writer.arch: writer for writer in (X86(), AArch64(), RiscV(), Power(), C11())}
"""The architectures that tests can be written for, by the first word of their tests."""
