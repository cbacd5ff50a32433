"""Reading herd's litmus tests: the text of a .litmus file becomes a LitmusTest, a program with a question about it.

reader      the text of a file -> LitmusTest
sections    the text in its parts: header, initial state, program, question; comments are blanked out
tokens      words with their places, for the small languages inside
initial     the initial state; values: what registers and locations hold; pointers: which may hold addresses
condition   `exists`, `~exists`, `forall`: read, evaluated on final states, printed as herd prints them
thread      what an architecture's module talks to: it builds the automaton of one thread
test        LitmusTest
layout      which cells locations have, and accesses of several sizes
meeting     what a thread of a GPU does at a barrier; barriers: whether all have come
architectures/, c/  what the threads are written in

How to add an architecture
--------------------------
Write a module in architectures/ with a subclass of `columns.Architecture` and an instance of it, and name both in a
line of `tags.TABLE`, with the memory model for its tests. The class says what its registers are called and what its
instructions do:

    class RiscV(Architecture):
        def register(self, name: str) -> str | None:        # the register's own name, None where there is no such one:
            ...                                             # "a0" -> "x10"; results show what the test's author wrote

        def sort_key(self, register: str) -> object:        # the order in which herd lists registers in states

        def instruction(self, thread: Thread, line: Instruction) -> None:
            match line.mnemonic:                            # lower case; `line.operands` have text and position
                case "lw":
                    target = thread.register(line.operands[0])          # a local variable, declared on first use
                    address = ...                                       # an expression, see below
                    place = thread.place(address, line.position)
                    thread.access(Load(target, place, position=line.position), 32)
                case _:
                    line.unknown({"lw"})                    # the error, with the name that was meant, perhaps

Everything that an instruction does is appended to `thread`, in order:

- `thread.do(statement, ...)`: XCFA statements (Assign, Load, Store, Rmw, Fence, StoreExclusive, ...; not Assume).
- `thread.access(statement, bits)`: the same for one access, of which the size is known; sizes are compared in the end.
- `thread.branch(condition, label)`: goes to the label where the (bool) condition holds, else on; `thread.jump(label)`;
  `thread.end()`: the thread stops. `thread.label(name)` is called by the reader for labels in the text; for labels of
  one's own take `thread.new_label()`.
- `thread.register(operand_or_name)` -> Name: the local variable of a register. An unknown register is an error here.
- `thread.fresh()` -> Name: a new local variable for intermediate values, which no result shows.
- `thread.symbol(operand)` -> AddressOf: the address of the shared location that the text names.
- `thread.place(address, position)` -> Place: the place that an address expression means. A register that holds an
  address from the initial state and that the thread never writes becomes the location itself; everything else is
  computed at run time. Add an offset only if it is not 0 (`offset(base, number)` does so).
- `line.unsupported("why")` and `line.wrong("what", operand, hint)` make the errors to raise.

Dependencies are those of the automaton: what an expression reads flows into the event (address or data), conditions of
branches become control dependencies of all that follows. So lower each instruction to the expression that it computes,
even where its value is constant (`xor r,a,a` is `a bitxor a`), and keep comparison results in locals of their own
(flags: store the compared values, and let the branch compare).

Values are 64-bit integers; an instruction on fewer bits wraps what it computes (`Wrap`). Addresses are integers. Where
there are many instructions, a subclass of `columns.Step` does one (`Architecture.step`), as in architectures/x86.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from xgen.frontends.litmus.reader import read_litmus

if TYPE_CHECKING:
    from xgen.frontends.litmus.test import LitmusTest

__all__ = ["load_litmus", "read_litmus"]


def load_litmus(path: str | Path) -> LitmusTest:
    """The litmus test in a file. Raises UsageError, ProgramError, UnsupportedError."""
    from xgen.sources import read_source

    return read_litmus(read_source(path))
