"""The readable form of lowered programs, for debugging: `xgen check --dump code`."""

from __future__ import annotations

from xgen._core import Op, Real, RmwKind
from xgen.lowering.code import MODULO, NO_DEPENDENCY, PICKS, Code, EventClass, Instruction, ThreadCode
from xgen.program.automaton import ASSERTIONS

SYMBOLS = {
    Op.ADD: "+",
    Op.SUB: "-",
    Op.MUL: "*",
    Op.DIV: "/",
    Op.MOD: "mod",
    Op.REM: "rem",
    Op.BITAND: "bitand",
    Op.BITOR: "bitor",
    Op.BITXOR: "bitxor",
    Op.SHL: "shl",
    Op.SHR: "shr",
    Op.EQ: "=",
    Op.NE: "/=",
    Op.LT: "<",
    Op.LE: "<=",
    Op.SAR: "sar",
    Op.QUO: "quot",
    Op.REMT: "trem",
    Op.UQUO: "udiv",
    Op.UREM: "urem",
    Op.ULT: "ult",
    Op.ULE: "ule",
}


NOTES = {(Op.ASSERT, number): f" ({kind})" for number, kind in enumerate(ASSERTIONS) if number}
NOTES |= {(Op.ASSUME, NO_DEPENDENCY): " (no dependency)"}
NOTES |= {(op, MODULO): " (modulo 2^64)" for op in (Op.ADD, Op.SUB, Op.MUL, Op.NEG)}
CONDITIONAL = {RmwKind.CAS, RmwKind.ADD_UNLESS}


def dump_code(code: Code) -> str:
    """The cells, and for each thread its registers and instructions, each statement's text where its code starts."""
    lines = [
        f"cell {number} {cell.name} : {cell.type} = {initial}"
        for number, (cell, initial) in enumerate(zip(code.cells, code.initial, strict=True))
    ]
    for thread, (start, end) in zip(code.threads, code.ranges, strict=True):
        lines += ["", *_thread(code, thread, start, end)]
    return "\n".join(lines) + "\n"


def _thread(code: Code, thread: ThreadCode, start: int, end: int) -> list[str]:
    lines = [f"thread {thread.name}"]
    for register, (variable, initial) in enumerate(zip(thread.locals, thread.initial, strict=True)):
        lines.append(f"  r{register} {variable.name} : {variable.type} = {initial}")
    site = None
    for index in range(start, end):
        text = f"{index:5d}  {_instruction(code, thread, code.instructions[index])}"
        if code.sites[index] is not site:
            site = code.sites[index]
            text = f"{text:44s}  // line {site.position.line}: {site.text}"
        lines.append(text)
    return lines


def _instruction(code: Code, thread: ThreadCode, i: Instruction) -> str:
    def operand(x: int) -> str:
        if x < 0:
            return str(code.constants[~x])
        return f"r{x}" if x < len(thread.locals) else f"t{x - len(thread.locals)}"

    def address(x: int) -> str:
        return code.cells[code.constants[~x]].name if x < 0 else f"[{operand(x)}]"

    dst, a, b = operand(i.dst), operand(i.a), operand(i.b)
    if i.op in SYMBOLS:
        return f"{dst} := {a} {SYMBOLS[i.op]} {b}"
    match i.op:
        case Op.MOV:
            return f"{dst} := {a}"
        case Op.NEG:
            return f"{dst} := -{a}{NOTES.get((i.op, i.c), '')}"
        case Op.NOT | Op.BITNOT:
            return f"{dst} := {i.op.name.lower()} {a}"
        case Op.REAL:
            return f"{dst} := {Real(i.c).name.lower()}({a}, {b})"
        case Op.WRAP:
            return f"{dst} := wrap({a}, {i.c})"
        case Op.SELECT:
            return f"{dst} := if {a} then {b} else {operand(i.c)}"
        case Op.JMP | Op.GOTO:
            return f"{i.op.name.lower()} {i.c}"
        case Op.JZ:
            return f"if not {a} jump {i.c}{NOTES.get((i.op, i.b), '')}"
        case Op.ASSUME | Op.ASSERT:
            return f"{i.op.name.lower()} {a}{NOTES.get((i.op, i.c), '')}"
        case Op.CHOOSE:
            return f"choose {' '.join(map(str, code.targets[i.c]))}"
        case Op.LOAD | Op.LOADX:
            return f"{dst if i.dst >= 0 else 'nobody'} <- {address(i.a)}{_tags(code.classes[i.c])}"
        case Op.STOREX:
            return f"{b} -> {address(i.a)}, {dst} := 0{_tags(code.classes[i.c])}"
        case Op.STORE | Op.UNLOCK:
            return f"{b} -> {address(i.a)}{_tags(code.classes[i.c])}"
        case Op.OBJECT:
            return f"{' '.join(code.classes[i.c].tags)} {address(i.a)}"
        case Op.FENCE:
            return f"fence{_tags(code.classes[i.c])}"
        case Op.START | Op.JOIN:
            return f"{i.op.name.lower()} {code.threads[i.a].name}"
        case Op.MEET | Op.GATHER:
            names = ", ".join(code.threads[number].name for number in code.groups[i.a])
            return f"{i.op.name.lower()} {names} in round {i.b}"
        case Op.PREDICT:
            return f"{dst} := {'pick' if i.c == PICKS else 'predict'} {a}"
        case Op.KEEP:
            return f"{dst} depends on the way"
        case Op.LEAVE:
            return f"the way depends on {a}"
        case Op.HAVOC:
            return f"havoc {dst} in {a} .. {b}"
        case Op.INDEX:
            return f"{dst} := {i.b} + index {a} of {i.c}"
        case Op.DEREF:
            return f"{dst} := cell at {a}{f' of {i.c} bytes' if i.c else ''}"
        case Op.BOUND:
            return f"{dst} := {dst} + 1, at most {i.c}"
        case Op.BLOCK:
            return f"{dst} := new atomic block"
        case Op.TAINT:
            return f"{dst} depends on {a}"
        case Op.RMW:
            rmw = code.rmws[i.c]
            values = [rmw.expected, rmw.operand] if rmw.kind in CONDITIONAL else [rmw.operand]
            update = f"{rmw.kind.name.lower()}({', '.join([address(rmw.address), *map(operand, values)])})"
            update = f"wrap({update}, {rmw.bits})" if rmw.bits else update
            return f"{f'{dst} <- ' if i.dst >= 0 else ''}{update}{_tags(code.classes[rmw.write_class])}"
        case _:
            return i.op.name.lower()


def _tags(event_class: EventClass) -> str:
    return "".join(f" @ {tag}" for tag in sorted(event_class.tags))
