"""Litmus tests of the kernel's model as drivers: the same functions, each on a CPU, and what their registers hold."""

from __future__ import annotations

import re
from pathlib import Path

import xgen
from tests.litmus.reading import read
from xgen.analyses.suite.litmus import run_litmus
from xgen.executions.execution import Address

MODEL = xgen.model("lkmm")
_COMMENT = re.compile(r"\(\*[ \n].*?[ \n]\*\)|//[^\n]*|/\*.*?\*/", re.DOTALL)
_FUNCTION = re.compile(r"P(\d+)\s*\(([^)]*)\)\s*\{")


def tree(folder: Path) -> str:
    """A folder that is taken for a kernel, with no header of its own."""
    (folder / "include" / "linux").mkdir(parents=True, exist_ok=True)
    return str(folder)


def load(folder: Path, text: str, **options: object) -> xgen.Program:
    """A driver, as a part of a kernel that has no files."""
    file = folder / "driver.c"
    file.write_text(f"#include <xgen/kernel_test.h>\n{text}")
    return xgen.load(file, kernel=tree(folder), **options)


def driver(text: str) -> tuple[str, list[str]]:
    """The driver of a litmus test, and the names that its condition has, as the driver's variables."""
    text = _COMMENT.sub("", text)
    head = re.search(r"\{(.*?)\}", text, re.DOTALL)
    assert head is not None
    text, initial = text[head.end() :], dict(re.findall(r"(\w+)\s*=\s*(\w+)\s*;", head[1]))
    functions, end = [], 0
    for found in _FUNCTION.finditer(text):
        depth, end = 1, found.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        functions.append((int(found[1]), found[2], text[found.end() : end - 1]))
    registers = sorted(set(re.findall(r"(\d+):(\w+)", text[end:])))
    shared = {other: "int" for other in initial.values() if not other.isdigit()}
    for _, parameters, _ in functions:
        for type_, pointer, name in re.findall(r"(\w+)\s*(\*+)\s*(\w+)", parameters):
            shared[name] = type_ + " *" * (len(pointer) - 1)
    lines = []
    for name, type_ in shared.items():
        if type_ == "srcu_struct":
            lines.append(f"DEFINE_SRCU({name});")
            continue
        value = initial.get(name, "0")
        value = value if value.isdigit() else f"&{value}"
        lines.append(f"{type_} {name} = {f'{{ {value} }}' if type_ in ('atomic_t', 'spinlock_t') else value};")
    bodies = {str(number): body for number, _, body in functions}
    pointers = {each for each in registers if re.search(rf"\*\s*{each[1]}\s*[;=]", bodies[each[0]])}
    lines += [f"{'int *' if each in pointers else 'int '}P{each[0]}_{each[1]};" for each in registers]
    for number, parameters, body in functions:
        own = [name for of, name in registers if int(of) == number]
        ends = "".join(f" P{number}_{name} = {name};" for name in own)
        set_ = re.sub(r"\b(int\s*\*?\s*\w+)\s*;", r"\1 = 0;", body)
        given = ", ".join(f"&{name}" for name in re.findall(r"\*\s*(\w+)", parameters))
        lines.append(f"static void of_P{number}({parameters}) {{ {set_}{ends} }}")
        lines.append(f"CPU({number}, P{number}) {{ of_P{number}({given}); }}")
    starts = " ".join(f"START(P{number});" for number, _, _ in functions)
    locations = [name for name in shared if re.search(rf"(?<![:\w]){name}\s*[=\]]", text[end:])]
    return "\n".join([*lines, f"int main(void) {{ {starts} }}"]), [
        *(f"P{number}_{name}" for number, name in registers),
        *locations,
    ]


def compared(text: str, folder: Path) -> tuple[object, object]:
    """States, numbers of executions and flags: of a litmus test, and of its driver."""
    litmus = run_litmus(read(text), MODEL)
    program, names = driver(text)
    found = xgen.check(load(folder, program), MODEL, all_states=True, trace_limit=0)
    values = {frozenset((name, _value(outcome.state, name)) for name in names) for outcome in found.outcomes}
    states = set()
    for state, _ in litmus.states:
        said = dict(part.strip().split("=") for part in state.strip(" ;").split(";"))
        of = {
            (f"P{name.replace(':', '_')}" if ":" in name else name.strip("[]")): value for name, value in said.items()
        }
        states.add(frozenset((name, of.get(name, "0")) for name in names))
    count = sum(number for _, number in litmus.states)
    return (states, count, set(litmus.flags)), (values, found.executions, set(found.flags))


def _value(state: xgen.State, name: str) -> str:
    value = state.get(name, state.get(f"{name}.counter", 0))
    return value.name if isinstance(value, Address) else str(int(value))
