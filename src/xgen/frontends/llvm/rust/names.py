"""What functions of Rust's libraries are in C: they are called so from then on."""

from __future__ import annotations

import re
from collections.abc import Collection

PANICS = re.compile(
    r"4core9panicking|3std9panicking|6option\d+(unwrap|expect)_failed|6result13unwrap_failed|4cell\d+panic_|"
    r"5slice5index\w*_fail|3str\w*slice_error_fail|5slice\w*len_mismatch_fail|"
    r"5alloc7raw_vec(12handle_error|17capacity_overflow)|5alloc5alloc18handle_alloc_error|"
    r"3std7process(5abort|14abort_internal)"
)
"""Functions that end the program: they panic, which nothing catches."""
_IN_C = (
    (re.compile(r"4core9panicking13assert_failed"), "__assert_fail"),
    (PANICS, "abort"),
    (re.compile(r"3std7process4exit"), "exit"),
    (re.compile(r"3std2io5stdio(6__print|7__eprint|6_print|7_eprint)"), "printf"),
    (re.compile(r"__rust_alloc_zeroed(\.\d+)?$"), "__rust_alloc_zeroed"),
    (re.compile(r"__rust_alloc(\.\d+)?$"), "__rust_alloc"),
    (re.compile(r"__rust_realloc(\.\d+)?$"), "__rust_realloc"),
    (re.compile(r"__rust_dealloc(\.\d+)?$"), "free"),
    (re.compile(r"__rust_no_alloc_shim_is_unstable"), "sched_yield"),
)
_BEGINS = "3std2rt19lang_start_internal"
"""What is called first; the crate in std/ has another body for it."""
_STARTED = re.compile(r"__start<(?:\w+::)?((?:(?:\w+|\{\w+#\d+\})(?:::)?)+)[<,]")
_TEXT = re.compile(r"^(@[\w.]+) = [^\n]*c\"assertion failed", re.M)
_DECLARED = re.compile(r'^declare [^@\n]*@("[^"\n]+"|[\w.$-]+)\(', re.M)
_DEFINED = re.compile(r'^define [^@\n]*@("[^"\n]+"|[\w.$-]+)\([^\n]*\{\n.*?^\}\n', re.M | re.S)
_NAME = re.compile(r'@("[^"\n]+"|[\w.$-]+)')
_PANIC = re.compile(r"(call [^@\n]*)@[\w.$-]*4core9panicking5panic(?:17h\w+)?(\([^@\n]*(@[\w.]+))")


def closure_of(name: str) -> str | None:
    """What a thread runs that std has started, by the name of the function that it begins with."""
    match = _STARTED.match(name)
    return None if match is None else match[1].replace("closure_env#", "closure#")


def written_anew(name: str) -> str | None:
    """What a function is called whose body is written anew."""
    return "xgen_lang_start" if _BEGINS in name else None


def in_c(name: str) -> str | None:
    """What a function is called in C."""
    return next((known for pattern, known in _IN_C if pattern.search(name)), None)


def renamed(text: str, ends: Collection[str]) -> str:
    """IR whose functions of Rust's libraries are called as in C, even where they have bodies. `ends`: functions that do
    not return.

    A panic about an assertion is a failed assertion; others end the program.
    """
    assertions = set(_TEXT.findall(text))
    text = f"{text}\ndeclare void @__assert_fail(ptr, ptr, i32, ptr)\n"
    text = _PANIC.sub(lambda call: f"{call[1]}@__assert_fail{call[2]}" if call[3] in assertions else call[0], text)
    others: dict[str, str] = {}

    def without(body: re.Match[str]) -> str:
        other = in_c(body[1].strip('"'))
        if other is None:
            return body[0]
        others[body[1]] = other
        return f"declare void @{other}()\n"

    text = _DEFINED.sub(without, text)
    for name in _DECLARED.findall(text):
        other = in_c(name.strip('"')) or ("abort" if name.strip('"') in ends else None)
        if other is not None:
            others[name] = other
    return _once(_NAME.sub(lambda name: f"@{others.get(name[1], name[1])}", text))


def _once(text: str) -> str:
    """IR in which each function is declared once."""
    declared, lines = set[str](), list[str]()
    for line in text.split("\n"):
        if match := _DECLARED.match(line):
            if match[1] in declared:
                continue
            declared.add(match[1])
        lines.append(line)
    return "\n".join(lines)
