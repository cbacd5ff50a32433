"""What instructions compute, as numbers of bits, and what goes wrong there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from xgen._core import OPERATIONS, WHOLE_OBJECT, Op, OpKind
from xgen.engine.sat.dependencies.taint import Taint, Way, decider, inputs, is_seen, joined, picked
from xgen.engine.sat.events import Error, Place, State, Value, refused
from xgen.engine.sat.gates import FALSE, Literal
from xgen.engine.sat.numbers import WORD, Bits, Numbers, constant, trim, value_of, wide
from xgen.executions.execution import ViolationKind
from xgen.lowering.analysis.ranges import Ranges
from xgen.lowering.code import IN_RANGE, MODULO, Code, Instruction, Variable

_COMPARISONS = {Op.LT: (False, False), Op.LE: (True, False), Op.ULT: (False, True), Op.ULE: (True, True)}
"""Whether equal numbers are in the relation, and whether it is one of numbers without a sign."""
_UNSIGNED = (Op.UQUO, Op.UREM)
_QUOTIENTS = (Op.DIV, Op.QUO, Op.UQUO)
_TRUNCATED = (Op.QUO, Op.REMT, *_UNSIGNED)


def _fits(cell: Variable, width: int) -> bool:
    """Whether an access of so many bytes by a pointer may be to a cell."""
    return cell.type == "int" and (not width or not cell.width or cell.width == width)


class Computer:
    """Runs instructions that compute. `errors`: what may go wrong; `cuts`: where a bound may stop a thread;
    `dependent`: what depends on what counts."""

    def __init__(self, code: Code, gates: Numbers, dependent: bool = False) -> None:
        self.code, self.dependent = code, dependent
        self.gates = gates
        self.ranges = Ranges(code)
        self.errors: list[Error] = []
        self.cuts: list[Place] = []
        self.thread = 0

    def get(self, state: State, operand: int) -> Value:
        """What an operand is."""
        if operand < 0:
            return Value(constant(self.code.constants[~operand]))
        return state.registers.get(operand) or Value(constant(0))

    def fails(self, state: State, literal: Literal, kind: ViolationKind, pc: int) -> None:
        """The thread stops with an error where this holds."""
        literal = self.gates.both(state.guard, literal)
        if literal != FALSE:
            self.errors.append(Error(self.thread, pc, literal, kind))
            state.guard = self.gates.both(state.guard, -literal)

    def word(self, state: State, bits: Bits, pc: int, where: Literal | None = None) -> Bits:
        """The number as a word; an error where it is none (and `where` holds)."""
        if len(bits) > WORD:
            if self.ranges.overflows(pc) is not False:
                over = self.gates.any(self.gates.xor(bit, bits[-1]) for bit in bits[WORD - 1 : -1])
                self.fails(state, over if where is None else self.gates.both(over, where), "overflow", pc)
            bits = bits[:WORD]
        return trim(bits)

    def compute(self, pc: int, i: Instruction, state: State) -> None:
        """Runs an instruction of the kind COMPUTE."""
        assert OPERATIONS[i.op][2] is OpKind.COMPUTE
        if not self.dependent:
            self._compute(pc, i, state)
            return
        taint = joined(self.gates, [self.get(state, operand).taint for operand in inputs(i)])
        self._compute(pc, i, state)
        if i.dst in state.registers:
            found = state.registers[i.dst]
            state.registers[i.dst] = Value(found.bits, found.cells, taint)

    def decided(self, i: Instruction, state: State) -> None:
        """Notes what decides whether, or where, a thread goes on."""
        operand = decider(i) if self.dependent else None
        if operand is None or operand < 0:
            return
        self.goes_by(state, [self.get(state, operand).taint], is_seen(i))

    def goes_by(self, state: State, taints: Iterable[Taint], seen: bool = True) -> None:
        """Notes that these have decided that a thread comes where it is; `seen`: by models, too."""
        way, known = state.way, [*taints]
        if any(known):
            control = joined(self.gates, [way.control, *known]) if seen else way.control
            state.way = Way(control, joined(self.gates, [way.all, *known]))

    def _compute(self, pc: int, i: Instruction, state: State) -> None:
        gates, a = self.gates, self.get(state, i.a)
        match i.op:
            case Op.KEEP:
                state.registers[i.dst] = Value(constant(0))
            case Op.TAINT:
                pass
            case Op.MOV:
                state.registers[i.dst] = a
            case Op.NOT:
                state.registers[i.dst] = Value(gates.truth(-gates.nonzero(a.bits)))
            case Op.BITNOT:
                state.registers[i.dst] = Value(gates.invert(a.bits))
            case Op.WRAP:
                state.registers[i.dst] = Value(gates.wrap(a.bits, i.c))
            case Op.SELECT:
                condition = gates.nonzero(a.bits)
                state.registers[i.dst] = self.chosen(condition, self.get(state, i.b), self.get(state, i.c))
            case Op.INDEX:
                self._index(pc, i, state, a.bits)
            case Op.DEREF:
                self._dereference(pc, i, state, a.bits)
            case Op.BLOCK:
                raise refused(self.code, pc, "atomic blocks")
            case _:
                state.registers[i.dst] = Value(self._computed(pc, i, state, a.bits))

    def chosen(self, condition: Literal, one: Value, other: Value) -> Value:
        """One value where the condition holds, else the other one."""
        if one is other:
            return one
        cells = None
        if one.cells is not None and other.cells is not None:
            a, b = one.cells, other.cells
            cells = {c: self.gates.pick(condition, a.get(c, FALSE), b.get(c, FALSE)) for c in {**a, **b}}
        taint = picked(self.gates, condition, one.taint, other.taint)
        return Value(self.gates.choose(condition, one.bits, other.bits), cells, taint)

    def _computed(self, pc: int, i: Instruction, state: State, x: Bits) -> Bits:
        gates = self.gates
        y = constant(0) if i.op is Op.NEG else self.get(state, i.b).bits
        match i.op:
            case Op.NEG | Op.ADD | Op.SUB | Op.MUL:
                exact = (
                    gates.negate(x)
                    if i.op is Op.NEG
                    else gates.add(x, y)
                    if i.op is Op.ADD
                    else gates.subtract(x, y)
                    if i.op is Op.SUB
                    else gates.multiply(x, y)
                )
                return gates.wrap(exact, -WORD) if i.c == MODULO else self.word(state, exact, pc)
            case Op.EQ:
                return gates.truth(gates.equal(x, y))
            case Op.NE:
                return gates.truth(-gates.equal(x, y))
            case Op.LT | Op.LE | Op.ULT | Op.ULE:
                return gates.truth(gates.less(x, y, *_COMPARISONS[i.op]))
            case Op.BITAND:
                return gates.bitwise(gates.both, x, y)
            case Op.BITOR:
                return gates.bitwise(gates.either, x, y)
            case Op.BITXOR:
                return gates.bitwise(gates.xor, x, y)
            case Op.SHL | Op.SHR | Op.SAR:
                if i.c != IN_RANGE:
                    self.fails(state, gates.either(y[-1], gates.less(constant(WORD - 1), y)), "overflow", pc)
                return gates.shift(x, y, i.op is Op.SHL, x[-1] if i.op is Op.SAR else FALSE)
            case Op.DIV | Op.MOD | Op.REM | Op.QUO | Op.REMT | Op.UQUO | Op.UREM:
                return self._divided(pc, i, state, x, y)
        raise refused(self.code, pc, f"the operation {i.op.name}")

    def _divided(self, pc: int, i: Instruction, state: State, x: Bits, y: Bits) -> Bits:
        gates = self.gates
        self.fails(state, -gates.nonzero(y), "division-by-zero", pc)
        if i.op in _UNSIGNED:
            x, y = gates.unsigned(x), gates.unsigned(y)
        quotient, rest = gates.divide(x, y, i.op in _TRUNCATED)
        if i.op is Op.REM:
            return trim(gates.choose(y[-1], gates.negate(rest), rest))
        if i.op in _UNSIGNED:
            return trim(wide(quotient if i.op is Op.UQUO else rest, WORD))
        if i.op in _QUOTIENTS:
            over = gates.any(gates.xor(bit, quotient[-1]) for bit in quotient[WORD - 1 : -1])
            self.fails(state, over, "overflow", pc)
            return trim(wide(quotient, WORD))
        return trim(wide(rest, WORD))

    def _index(self, pc: int, i: Instruction, state: State, bits: Bits) -> None:
        inside = {i.b + k: self.gates.equal(bits, constant(k)) for k in range(i.c)}
        self.fails(state, -self.gates.any(inside.values()), "out-of-range", pc)
        cells = {cell: literal for cell, literal in inside.items() if literal != FALSE}
        state.registers[i.dst] = Value(trim(self.gates.add(bits, constant(i.b))), cells)

    def _dereference(self, pc: int, i: Instruction, state: State, bits: Bits) -> None:
        """As Machine::find_cell does. Where the machine refuses to run on, a violation is found here, of which it then
        says that."""
        gates, cells, found = self.gates, {}, constant(0)
        for number, cell in enumerate(self.code.cells):
            if self._starts.get(cell.address) == number if i.c == WHOLE_OBJECT else _fits(cell, i.c):
                literal = gates.equal(bits, constant(cell.address))
                if literal != FALSE:
                    cells[number] = literal
                    found = gates.choose(literal, constant(number), found)
        self.fails(state, -gates.any(cells.values()), "bad-address", pc)
        state.registers[i.dst] = Value(found, cells)

    @cached_property
    def _starts(self) -> dict[int, int]:
        """The widest cell at each address."""
        numbered = [(number, cell) for number, cell in enumerate(self.code.cells) if cell.type == "int"]
        return {cell.address: number for number, cell in sorted(numbered, key=lambda pair: (pair[1].width, pair[0]))}

    def bound(self, state: State, pc: int, i: Instruction) -> None:
        """Counts a round; where there are too many, the thread is cut."""
        more = self.gates.add(self.get(state, i.dst).bits, constant(1))
        state.registers[i.dst] = Value(more)
        self.cut(state, self.gates.less(constant(i.c), more), pc)

    def cut(self, state: State, literal: Literal, pc: int) -> None:
        """The thread is cut where this holds."""
        over = self.gates.both(state.guard, literal)
        if over != FALSE:
            self.cuts.append(Place(self.thread, pc, over))
            state.guard = self.gates.both(state.guard, -over)

    def known(self, state: State, operand: int) -> int | None:
        """What an operand is, where that is known."""
        return value_of(self.get(state, operand).bits)
