"""The options of a claim, in the words of `xgen check`: `max-depth 8, -D N=2`, or `--max-depth 8 -D N=2`."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import PurePath
from typing import Any, get_args

from xgen.errors import UsageError, nearest
from xgen.executions.result import Schedule
from xgen.records import dataclass
from xgen.sources import COMPILED
from xgen.tags import MACHINES, NO_MAP


@dataclass(frozen=True)
class Asked:
    """How a program is read, explored and proved: keywords of `xgen.load`, `check` and `prove`; and its model.

    `words` are those of the command line that say it, but for the model, and the `machine` that says it.
    """

    model: str | None = None
    machine: str | None = None
    words: tuple[str, ...] = ()
    question: Mapping[str, Any] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)
    proving: Mapping[str, Any] = field(default_factory=dict)

    @property
    def bounded(self) -> bool:
        """Whether there is a bound that may cut executions."""
        return "max_depth" in self.question or "unroll" in self.reading

    def reading_of(self, file: str) -> dict[str, Any]:
        """The keywords for reading a file: all rounds of retry loops are in C, where every round is asked for."""
        every = self.question.get("unroll") and file.endswith(COMPILED)
        return {**self.reading, "retries": False} if every else dict(self.reading)


def model_path(model: str, file: str) -> str:
    """A model that a file names: a shipped one, or a file that is named from the folder of this one on."""
    beside = os.path.join(os.path.dirname(file), model)
    return beside if PurePath(model).suffix in (".mcm", ".cat") and os.path.exists(beside) else model


def _number(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise ValueError("a number from 1 on")
    return int(text)


def _range(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})", text)
    if found is None or int(found[1]) > int(found[2]):
        raise ValueError("LO..HI, the lesser number first")
    return int(found[1]), int(found[2])


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"one of {', '.join(words)}")
        return text

    return read


def _lock(text: str) -> tuple[str, str]:
    from xgen.frontends.library.mutexes import taking_and_giving  # rarely asked for

    return taking_and_giving(text)


FLAGS: dict[str, tuple[str, bool]] = {
    "--no-spin": ("unroll", True),
    "--liveness": ("liveness", True),
    "--no-liveness": ("liveness", False),
    "--cones": ("cones", True),
    "--no-symmetry": ("symmetry", False),
}
"""Options of `xgen.check` without a value: what they are there, and as what."""
VALUES: dict[str, tuple[str, Callable[[str], Any]]] = {
    "--max-depth": ("max_depth", _number),
    "--classes": ("classes", _one_of("off", "rf", "values", "seen", "auto")),
    "--schedule": ("schedule", _one_of(*get_args(Schedule))),
    "--filter": ("filter", _one_of("in-situ", "final")),
}
READ_FLAGS: dict[str, tuple[str, bool]] = {
    "--weak-cas": ("weak_cas", True),
    "--mixed-atomics": ("mixed_atomics", True),
    "--spurious": ("spurious", True),
    "--reuse": ("reuse", True),
    "--leaks": ("leaks", True),
    "--clang": ("clang", True),
    "--as-compiled": ("as_compiled", True),
}
"""The same of `xgen.load`."""
READ: dict[str, tuple[str, Callable[[str], Any]]] = {
    "--map": ("map", _one_of(*MACHINES, NO_MAP)),
    "--unroll": ("unroll", _number),
    "--nondet": ("nondet", _range),
    "--entry": ("entry", str),
    "--args": ("arguments", lambda text: tuple(shlex.split(text))),
    "--headers": ("headers", _one_of("own", "cc")),
    "--lock": ("lock", _lock),
    "--malloc": ("malloc", _one_of("fails")),
    "--volatile": ("volatile", _one_of("plain", "relaxed")),
    "--data-model": ("data_model", _one_of("lp64", "ilp32")),
    "--compiler": ("compiler", str),
    "--kernel": ("kernel", str),
    "--interrupts": ("interrupts", _number),
    "--launch": ("launch", str),
    "--final": ("final", str),
    "--vectors": ("vectors", _one_of("whole", "parts")),
    "--warp": ("warp", _number),
}
PROVED: dict[str, tuple[str, Callable[[str], Any]]] = {
    "--limit": ("limit", _number),
    "--max-cubes": ("max_cubes", _number),
    "--brab": ("brab", _number),
    "--procs": ("processes", _number),
}
"""The same of `xgen.prove`, and of `xgen.prove_system`."""
MANY = {"-D": "defines", "-U": "undefines", "-I": "folders", "--include": "includes", "--set": "constants"}
"""Options of `xgen.load` that may be there several times."""
PLACES = {"-I", "--include", "-p", "--kernel"}
"""Their values are paths, which are relative to the file that says so."""
SWITCHES = {"exit": "exits", "overflow": "overflow", "races": "races"}
OTHERS = {"--mcm", "--on", "--stub", "--check", "--no-check"}
KNOWN = {*FLAGS, *VALUES, *READ_FLAGS, *READ, *PROVED, *MANY, *PLACES, *OTHERS}


def in_parentheses(text: str) -> list[str]:
    """The words of `max-depth 8, -D N=2`."""
    words: list[str] = []
    for item in text.split(","):
        first, *others = split(item) or [""]
        if words and first.startswith(("take=", "give=")):  # of --lock, whose value has a comma
            words[-1] += f",{first}"
            continue
        words += [first if first.startswith("-") else f"--{first}", *others]
    return words


def split(text: str) -> list[str]:
    """The words of a line, as a shell takes them."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"this cannot be split into words: {str(error).lower()}") from None


def read(words: list[str], folder: str, before: Asked = Asked()) -> Asked:
    """What words mean in a file of a folder, beside what has been said before. Raises UsageError."""
    question, reading, proving = dict(before.question), dict(before.reading), dict(before.proving)
    model, machine, said = before.model, before.machine, list(before.words)
    if "--" in words:
        at = words.index("--")
        words, reading["flags"] = words[:at], (*reading.get("flags", ()), *words[at + 1 :])
    left = list(words)
    while left:
        name, value = _next(left, folder)
        if name not in ("--mcm", "--on"):
            said += [name, value] if value else [name if name.startswith("-") else os.path.join(folder, name)]
        if name in FLAGS:
            question[FLAGS[name][0]] = FLAGS[name][1]
        elif name in READ_FLAGS:
            reading[READ_FLAGS[name][0]] = READ_FLAGS[name][1]
        elif name in VALUES:
            question[VALUES[name][0]] = _converted(name, value, VALUES[name][1])
        elif name in READ:
            reading[READ[name][0]] = _converted(name, value, READ[name][1])
        elif name in PROVED:
            proving[PROVED[name][0]] = _converted(name, value, PROVED[name][1])
        elif name in MANY:
            reading[MANY[name]] = (*reading.get(MANY[name], ()), value)
        elif name == "--stub":
            reading["stubs"] = (*reading.get("stubs", ()), *filter(None, value.split(",")))
        elif name in ("--check", "--no-check"):
            words_of = ("exit", "overflow") if name == "--check" else ("exit", "races")
            reading[SWITCHES[_converted(name, value, _one_of(*words_of))]] = name == "--check"
        elif name == "-p":
            reading["build"] = value
        elif name == "--mcm":
            model, machine = value, None
        elif name == "--on":
            reading["map"] = machine = _converted(name, value, _one_of(*MACHINES))
            model = MACHINES[value]
        else:
            reading["others"] = (*reading.get("others", ()), os.path.join(folder, name))
    return Asked(model, machine, tuple(said), question, reading, proving)


def _next(left: list[str], folder: str) -> tuple[str, str]:
    """The next option and its value, "" where it has none; a word that is no option is a file."""
    word = left.pop(0)
    if not word.startswith("-"):
        return word, ""
    short = word[:2] in KNOWN and len(word) > 2 and not word.startswith("--")
    name, _, value = (word[:2], "", word[2:]) if short else word.partition("=")
    if name not in KNOWN:
        raise UsageError(f"`{name}` is no option of a claim", hint=nearest(name, KNOWN))
    if name in FLAGS or name in READ_FLAGS:
        if value:
            raise UsageError(f"`{name}` takes no value")
        return name, ""
    if not value:
        if not left:
            raise UsageError(f"`{name}` needs a value")
        value = left.pop(0)
    return name, os.path.join(folder, value) if name in PLACES else value


def _converted(name: str, value: str, convert: Callable[[str], Any]) -> Any:
    try:
        return convert(value)
    except ValueError as error:
        raise UsageError(f"`{value}` is no value of `{name}`", hint=f"expected {error}") from None
