"""How a C program is translated."""

from __future__ import annotations

from typing import Literal

from xgen.frontends.c.values.data_model import DataModel
from xgen.frontends.library.verification import ERRORS, REACHED
from xgen.program.automaton import Instead
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """How to translate: `unroll` bounds the rounds of loops that are not written out, `overflow` makes signed
    overflow a violation, `nondet` is the range of what `__VERIFIER_nondet_int` and its like give, `races` makes
    data races violations (in the kernel's files: warnings tell of them, or of what KCSAN reports), `weak_cas` lets weak
    compare-exchanges fail for no reason, `retries` leaves out rounds of retry loops (see retries.py), `private`:
    such, too, as write to what others cannot get at, `exits` makes it a violation that the program ends with an
    error, `spurious` lets threads wake up without a signal, `stubs` are functions without a body that do nothing,
    `volatile` is the order of volatile accesses (None: they are plain ones), `data_model`: see data_model.py,
    `property` is what a task asks about: calls that fail are no violations then but where it is about them;
    `machine` is what it is compiled for, `mixed_atomics` takes atomic accesses of several sizes to the same bytes
    as the model has them, also where it is one of C; `arguments` are those that the program is started with;
    `kernel` is the folder of the Linux kernel of which it is a part, if it is; `malloc` says ("fails") that there
    may be no memory: what is asked for any may give a null pointer; `reuse`: memory that was freed may be given
    again; `lock`: two functions that are taken as those which take a lock and give it back; `any_input`: where
    there is no range, `__VERIFIER_nondet_int` and its like give any number of their types; `interrupts`: how often
    each handler of the kernel's may run at most; `leaks`: all memory that there is at the end is listed;
    `instead`: what stands in the place of an access or a fence before a thread is made of them."""

    unroll: int | None = None
    overflow: bool = False
    nondet: tuple[int, int] | None = None
    entry: str = "main"
    races: bool | Literal["kcsan"] = True
    weak_cas: bool = False
    retries: bool = True
    private: bool = False
    exits: bool = True
    spurious: bool = False
    stubs: tuple[str, ...] = ()
    volatile: str | None = None
    data_model: DataModel = "lp64"
    property: str | None = None
    machine: str | None = None
    mixed_atomics: bool = False
    arguments: tuple[str, ...] = ()
    kernel: str | None = None
    interrupts: int | None = None
    malloc: str | None = None
    reuse: bool = False
    lock: tuple[str, str] | None = None
    any_input: bool = False
    leaks: bool = False
    instead: Instead | None = None

    def is_error(self, name: str) -> bool:
        """Whether a call of a function is a violation, whatever it does."""
        return name in ERRORS if self.property is None else name in REACHED and self.property == "unreach-call"
