"""What functions of Rust's libraries are in C: they are called so from then on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from xgen.frontends.llvm.text.tokens import BODY

_ABORTS = re.compile(
    r"4core9panicking(1[0-9]|2[0-9])panic_(in_cleanup|cannot_unwind|nounwind|immediate)|"
    r"5alloc5alloc18handle_alloc_error|3std7process(5abort|14abort_internal)"
)
"""Functions that end the program, whoever is around."""
PANICS = re.compile(
    r"4core9panicking|3std9panicking\d+(begin_panic|panic_handler|panic_with_hook|rust_panic|resume_unwind)|"
    r"6option\d+(unwrap|expect)_failed|6result13unwrap_failed|4cell\d+panic_|"
    r"5slice5index\w*_fail|3str\w*slice_error_fail|5slice\w*len_mismatch_fail|"
    r"5alloc7raw_vec(12handle_error|17capacity_overflow)"
)
"""Functions that panic: that ends the program, unless it is caught."""
_ASSERTS = re.compile(r"4core9panicking13assert_failed")
_IN_C = (
    (re.compile(r"3std7process4exit"), "exit"),
    (re.compile(r"3std2io5stdio(6__print|7__eprint|6_print|7_eprint)"), "fflush"),
    (re.compile(r"__rust_alloc_zeroed(\.\d+)?$"), "__rust_alloc_zeroed"),
    (re.compile(r"__rust_alloc(\.\d+)?$"), "__rust_alloc"),
    (re.compile(r"__rust_realloc(\.\d+)?$"), "__rust_realloc"),
    (re.compile(r"__rust_dealloc(\.\d+)?$"), "free"),
    (re.compile(r"__rust_no_alloc_shim_is_unstable"), "sched_yield"),
)
_ENDS = ((_ASSERTS, "__assert_fail"), (_ABORTS, "abort"), (PANICS, "abort"), *_IN_C)
"""What each is called where nothing is caught; and where something is:"""
_UNWINDS = ((_ASSERTS, "__rust_assert_fail"), (_ABORTS, "abort"), (PANICS, "__rust_panic"), *_IN_C)
_HAS_BODY = ((_ABORTS, "abort"), *_IN_C)
"""And where panics have a body that says their message."""
_ANEW = (
    (re.compile(r"4core9panicking9panic_fmt"), "xgen_panic_fmt"),
    (re.compile(r"4core9panicking5panic(17h\w+)?$"), "xgen_panic_str"),
    (re.compile(r"3std9panicking(12catch_unwind|3try)7cleanup"), "xgen_panic_cleanup"),
)
"""What has another body in the crate in std/, where panics are caught."""
_TOLD = (
    (re.compile(r"4core9panicking9panic_fmt|xgen_panic_fmt"), "xgen_panic_told"),
    (re.compile(r"3std9panicking15panic_with_hook|3std9panicking20rust_panic_with_hook"), "xgen_panic_with_hook"),
    (re.compile(r"4core9panicking13assert_failed"), "xgen_assert_failed"),
    (re.compile(r"4core9panicking18panic_bounds_check"), "xgen_bounds_check"),
    (re.compile(r"4core9panicking14panic_explicit"), "xgen_panic_explicit"),
    (re.compile(r"6option13expect_failed"), "xgen_expect_failed"),
    (re.compile(r"6option13unwrap_failed"), "xgen_unwrap_failed"),
    (re.compile(r"6result13unwrap_failed"), "xgen_result_failed"),
    *_ANEW[1:],
)
"""The same where messages of panics are asked for."""
TOLD = frozenset(["xgen_panic", *(name for _, name in _TOLD)])
ANEW = frozenset(["xgen_panic", *(name for _, name in _ANEW)])
"""Functions of the crate that a program may come to by such a name."""
_CATCHES = re.compile(r"^define [^@\n]*@\S*3std9panicking(12catch_unwind|3try)", re.M)
_BEGINS = "3std2rt19lang_start_internal"
"""What is called first; the crate in std/ has another body for it."""
_STARTED = re.compile(r"__start<(?:\w+::)?((?:(?:\w+|\{\w+#\d+\})(?:::)?)+)[<,]")
_TEXT = re.compile(r"^(@[\w.]+) = [^\n]*c\"assertion failed", re.M)
_DECLARED = re.compile(r'^declare [^@\n]*@("[^"\n]+"|[\w.$-]+)\(', re.M)
_AGAIN = re.compile(r"(xgen_\w+)\.\d+")
"""What LLVM calls a function that is written anew where the body is in the same file."""
_CALLED = re.compile(r'@("[^"\n]+"|[\w.$-]+)\(')
_NAME = re.compile(r'@("[^"\n]+"|[\w.$-]+)')
_PANIC = re.compile(
    r"((?:call|invoke) [^@\n]*)@(?:[\w.$-]*4core9panicking5panic(?:17h\w+)?|xgen_panic_str)(\([^@\n]*(@[\w.]+))"
)


def closure_of(name: str) -> str | None:
    """What a thread runs that std has started, by the name of the function that it begins with."""
    match = _STARTED.match(name)
    return None if match is None else match[1].replace("closure_env#", "closure#")


def written_anew(name: str, unwinds: bool = False) -> str | None:
    """What a function is called whose body is written anew. `unwinds`: something catches panics."""
    if _BEGINS in name:
        return "xgen_lang_start"
    return _first(_ANEW, name) if unwinds else None


def told_anew(text: str) -> str:
    """IR with the functions of `TOLD`, in which these are called by all that panics and says what."""

    def told(call: re.Match[str]) -> str:
        name = call[1].strip('"')
        other = _first(_TOLD, name)
        return call[0] if other is None else f"@{other}("

    lines = text.split("\n")
    return "\n".join(line if line.startswith(("define ", "declare ")) else _CALLED.sub(told, line) for line in lines)


def in_c(name: str, unwinds: bool = False, told: bool = False) -> str | None:
    """What a function is called in C, or as the reader knows it. `told`: but for panics that have a body."""
    return _first(_HAS_BODY if told else _UNWINDS if unwinds else _ENDS, name)


def is_known(name: str, unwinds: bool, told: bool) -> bool:
    """Whether the body of a function has no say: it is called as in C, or, where panics say their message, as one of
    `TOLD`."""
    if name.startswith("xgen_"):
        return False
    return in_c(name, unwinds, told) is not None or (told and _first(_TOLD, name) is not None)


def _first(table: Iterable[tuple[re.Pattern[str], str]], name: str) -> str | None:
    """What a table calls a function: by the first pattern that its name has."""
    return next((known for pattern, known in table if pattern.search(name)), None)


def catches(text: str) -> bool:
    """Whether something in IR catches panics."""
    return _CATCHES.search(text) is not None


def renamed(text: str, ends: Collection[str], unwinds: bool = False, told: bool = False) -> str:
    """IR whose functions of Rust's libraries are called as in C, even where they have bodies. `ends`: functions that do
    not return.

    A panic about an assertion is a failed assertion; others end the program, unless something catches them (`unwinds`).
    Where messages are asked for (`told`), a body that panics says its message.
    """
    assertion = "__rust_assert_fail" if unwinds else "__assert_fail"
    assertions = set() if told else set(_TEXT.findall(text))
    text = f"{text}\ndeclare void @{assertion}(ptr, ptr, i32, ptr)\n"
    text = _PANIC.sub(lambda call: f"{call[1]}@{assertion}{call[2]}" if call[3] in assertions else call[0], text)
    others: dict[str, str] = {}

    def without(body: re.Match[str]) -> str:
        other = in_c(body[1].strip('"'), unwinds, told)
        if other is None:
            return body[0]
        others[body[1]] = other
        return f"declare void @{other}()\n"

    text = BODY.sub(without, text)
    for name in _DECLARED.findall(text):
        other = in_c(name.strip('"'), unwinds) or ("abort" if name.strip('"') in ends else None)
        if (again := _AGAIN.fullmatch(name)) is not None:
            other = again[1]
        if other is not None:
            others[name] = other
    return _once(_NAME.sub(lambda name: f"@{others.get(name[1], name[1])}", text))


def _once(text: str) -> str:
    """IR in which each function is declared once, if it has no body."""
    declared, lines = {body[1] for body in BODY.finditer(text)}, list[str]()
    for line in text.split("\n"):
        if match := _DECLARED.match(line):
            if match[1] in declared:
                continue
            declared.add(match[1])
        lines.append(line)
    return "\n".join(lines)
