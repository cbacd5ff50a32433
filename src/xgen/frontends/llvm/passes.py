"""What LLVM does to a program before it is read: as little as there can be.

Only passes that remove, add, merge, widen or move no access to memory that threads may share. What `sroa` does is
counted before and after, for each place in the source: where a pointer is one of two, it may read what both lead to,
and a function to which it does that is left as it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from xgen.clock import uninterrupted
from xgen.errors import InternalError, ProgramError, UnsupportedError
from xgen.extras import installing
from xgen.frontends.llvm.exceeding import exceeded_kept
from xgen.frontends.llvm.outliving import as_it_was, outliving_kept
from xgen.frontends.llvm.text.ir import Module
from xgen.frontends.llvm.text.tokens import BODY, Global, Local, Unset, Zero
from xgen.frontends.llvm.text.types import Unsized, size_of
from xgen.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

_TRIPLE = "x86_64"
_POINTERS = re.compile(r"(?:^|-)p(?:0)?:(\d+)")
"""How many bits pointers have, in a data layout that says so."""
_PROCESSOR = re.compile(r' ?"(target-cpu|target-features|tune-cpu)"="[^"]*"')
_PRODUCER = re.compile(r"Producer: 'LLVM(\d+)")
_IDENT = re.compile(r'!\{!"[^"\n]*\b(?:clang|LLVM) version (\d+)')
_ALIAS = re.compile(r"^@([\w.$]+) = (?:weak_odr |weak |linkonce_odr )?((?:unnamed_addr )?alias )", re.M)
_ALIASED = re.compile(r"\balias\s")
"""What each text with aliases has, however it is written: it may be one by hand."""
Text: TypeAlias = tuple[str, str | bytes]
"""What a file is called, and its text or bitcode."""
Bare: TypeAlias = tuple[str, str | bytes, frozenset[str]]
"""The same, and the names of functions whose bodies have gone."""
Line: TypeAlias = tuple[str, str]
"""A function, and a place in the source."""
Access: TypeAlias = tuple[Line, str, tuple[str, ...]]
_SPECULATED = ".sroa.speculate.load"
"""In the names of what `sroa` reads by a pointer that is one of two, whichever it is."""
_COUNTED = re.compile(
    r"(%\S+ = )?((alloca|getelementptr|bitcast|load|store|cmpxchg|atomicrmw|fence)\b|[a-z ]*\bcall\b.*@llvm\.mem)"
)
"""What counts, or says what does: to read all that a text has takes long."""
_LOCAL = re.compile(r"(%[\w.$]+) = alloca\b")
_VARIABLE = re.compile(r"  (%[\w.$]+) = alloca ([^,]+|[{<].*[}>]), align \d+(?:, !dbg !\d+)?$")
_NAMES = re.compile(r"%[\w.$]+")
_BEGINS = re.compile(r"  (?:tail )?call void @llvm\.lifetime\.start\.\w+\([^%]*(%[\w.$]+)\)")
_SET = "void @llvm.memset.p0.i64"
_FIRST_SET = re.compile(
    r"(call i(\d+) @llvm\.cttz\.i\2\(i\2 (?P<of>[%\w.-]+), i1) true(?=\)[^\n]*\n"
    r"  (?P<next>%[\w.]+) = add [a-z ]*i\2 [^\n]*\n"
    r"  (?P<none>%[\w.]+) = icmp eq i\2 (?P=of), 0[^\n]*\n"
    r"  %[\w.]+ = select i1 (?P=none), i\2 0, i\2 (?P=next)\b)"
)
"""`__builtin_ffs` as clang writes it: the place of the first set bit, of which nothing is taken where there is none."""
MARK = "xgen.unset."
"""What the names of values begin with that say that there is none."""
_RUSTC = '!{!"rustc version '
SPLAT = ".isplat"
"""In the names of numbers all of whose bytes `sroa` makes the same, in place of memory that is set to one."""
COPIED = ".copyload"
"""In the names of what `sroa` reads to copy it: parts of a struct, and what is between them."""
_DIRECT = re.compile(r"(?:%[\w.$]+ = load|store) .*, ptr (%[\w.$]+)(?:, align \d+)?(?:, ![\w.]+ !\d+)*$")
"""A plain access of what a name stands for: nearly all are of local variables, and do not count."""
ACCESSES = ("load", "store", "cmpxchg", "atomicrmw")
"""The instructions that access memory."""


@dataclass(frozen=True, slots=True)
class Linking:
    """Where bodies of functions are found that are called and not there: others that stand for them, by their names,
    and files that have them. Functions that the reader knows need none, even where these files have one."""

    other_name: Callable[[str, bool], str | None] = lambda _name, _ends: None
    missing: Callable[[list[str]], Iterable[Text]] = lambda _: ()
    is_known: Callable[[str], bool] = lambda _: False


def prepared(texts: Sequence[Text], entries: Collection[str], linking: Linking | None = None) -> str:
    """The IR of files together, such that all it has is reached from the entries, and scalars are in registers."""
    binding = _binding()
    module = _in_registers(binding, _reached(binding, texts, entries, linking or Linking()))
    _of_functions(binding, module, "lower_switch")
    _of_module(binding, module, "global_dead_code_eliminate")
    return _FIRST_SET.sub(r"\1 false", as_it_was(_printed(module, last=True)))


def linked(texts: Sequence[Text], entries: Collection[str], linking: Linking) -> str:
    """The IR of files together, such that all it has is reached from the entries."""
    binding = _binding()
    module = _reached(binding, texts, entries, linking)
    _of_module(binding, module, "strip_dead_debug_info")
    return _printed(module, last=True)


def _reached(binding: Any, texts: Sequence[Text], entries: Collection[str], linking: Linking) -> Any:
    module: Any = None
    while texts:
        bare = [(name, *_without_bodies(text, linking)) for name, text in texts]
        module = _linked(binding, module, bare, linking)
        _hide(module, entries)
        _of_module(binding, module, "global_dead_code_eliminate")
        if any(known for _, _, known in bare):
            _of_module(binding, module, "strip_dead_debug_info")
        may_have_aliases = any(isinstance(text, bytes) or _ALIASED.search(text) for _, text, _ in bare)
        module = _without_others(binding, module, entries, linking, may_have_aliases)
        names = [function.name for function in _functions_in(module) if function.is_declaration]
        texts = list(linking.missing(names))
    return module


def _in_registers(binding: Any, module: Any) -> Any:
    before, spared = _printed(module), set[str]()

    def in_registers(text: str) -> str:
        tried = _assembled(binding, text)
        _of_functions(binding, tried, "sroa")
        return _printed(tried, last=True)

    marked = exceeded_kept(with_marks(outliving_kept(before)), in_registers)
    if marked != before:
        _close(module)
        before, module = marked, _assembled(binding, marked)
    while True:
        _of_functions(binding, module, "sroa", spared)
        added = grown(before, _printed(module))
        if not added:
            return module
        if added <= spared:
            raise InternalError(f"a pass of LLVM has added an access to memory in `{min(added)}`")
        spared |= added
        _close(module)
        module = _assembled(binding, before)


def _linked(binding: Any, module: Any, texts: Sequence[Bare], linking: Linking) -> Any:
    for name, text, known in texts:
        read = _parsed(binding, name, text)
        for function in _functions_in(read):
            if function.is_declaration and function.name not in known:
                ends = any(b"noreturn" in each for each in function.attributes)
                function.name = linking.other_name(function.name, ends) or function.name
        if module is None:
            module = read
            continue
        try:
            with uninterrupted():
                module.link_in(read)
        except RuntimeError as error:
            raise ProgramError(f"LLVM cannot link this with the files before it: {_line(error)}", file=name) from None
    return module


# What llvmlite does with a module or a string of LLVM's is not cut short: an exception (of a limit, of Ctrl-C) between
# LLVM's end of such a thing and llvmlite's would have it freed twice. In `__del__` the exception would be lost, so that
# modules are closed where they are not needed any more.


def _printed(module: Any, last: bool = False) -> str:
    """A module as text; `last`: it is not needed any more."""
    with uninterrupted():
        text = str(module)
    if last:
        _close(module)
    return text


def _functions_in(module: Any) -> list[Any]:
    with uninterrupted():
        return list(module.functions)


def _close(module: Any) -> None:
    with uninterrupted():
        module.close()


def _assembled(binding: Any, text: str) -> Any:
    with uninterrupted():
        return binding.parse_assembly(text)


def text_of(name: str, bitcode: bytes) -> str:
    """Bitcode as text."""
    return _printed(_parsed(_binding(), name, bitcode), last=True)


def bitcode_of(name: str, text: str) -> bytes:
    """The bitcode of a text, which is read in less time."""
    made: bytes = _parsed(_binding(), name, text).as_bitcode()
    return made


def _binding() -> Any:
    try:
        from llvmlite import binding  # takes long
    except ImportError:
        hint = f"`{installing('cpp')}` has it"
        raise UnsupportedError("LLVM's IR is read with llvmlite, which is not installed", hint=hint) from None
    binding.initialize_native_target()
    return binding


def _parsed(binding: Any, name: str, text: str | bytes) -> Any:
    """The module of a text, or of bitcode. Raises UnsupportedError where it is for a machine on which numbers, pointers
    and structs are otherwise in memory than on x86-64."""
    module = _read(binding, name, text)
    layout = module.data_layout
    *_, bits = ("64", *_POINTERS.findall(layout))
    *_, order = ("e", *(each for each in layout.split("-") if each in ("e", "E")))
    what = "numbers with the high byte first" if order == "E" else ""
    if bits != "64":
        what = f"pointers of {bits} bits"
    if what:
        hint = "compile it for 64 bits, such as with `--target=x86_64-linux-gnu`"
        raise UnsupportedError(f"IR for a machine that has {what} is not supported", file=name, hint=hint)
    return module


def _read(binding: Any, name: str, text: str | bytes) -> Any:
    try:
        if isinstance(text, bytes):
            with uninterrupted():
                module = binding.parse_bitcode(text)
            if module.triple.startswith(_TRIPLE):
                return module
            return _assembled(binding, _of_no_processor(_printed(module, last=True)))
        return _assembled(binding, _inlinable(_of_no_processor(text)))
    except RuntimeError as error:
        newest = binding.llvm_version_info[0]
        said = _IDENT.search(text) if isinstance(text, str) else None
        version = said or _PRODUCER.search(str(error))
        if version and int(version[1]) > newest:
            message = f"this IR is of LLVM {version[1]}, which is newer than that of llvmlite ({newest})"
            raise UnsupportedError(message, file=name) from None
        raise ProgramError(f"LLVM cannot read this: {_line(error)}", file=name) from None


def _of_no_processor(text: str) -> str:
    """The text without the processors that its functions are for, where it is not for the machine of the passes: where
    a processor is of another machine, LLVM may end the process."""
    return text if f'target triple = "{_TRIPLE}' in text else _PROCESSOR.sub("", text)


def _line(error: Exception) -> str:
    """What LLVM says in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return next((line for line in lines if "error:" in line), lines[-1] if lines else "").split("error: ")[-1]


def _inlinable(text: str) -> str:
    """Without the attributes that keep passes away from functions."""

    def without(match: re.Match[str]) -> str:
        return re.sub(r"\{ +\}", '{ "none" }', re.sub(r"\b(noinline|optnone) ", "", match[0]))

    return re.sub(r"^attributes #\d+ = \{.*$", without, text, flags=re.M)


def _without_bodies(text: str | bytes, linking: Linking) -> tuple[str | bytes, frozenset[str]]:
    """What the reader knows brings nothing along: a panic of Rust has all that prints where it comes from. A text
    without it, and the names of what has gone; bitcode stays as it is."""
    gone = set[str]()
    return text if isinstance(text, bytes) else BODY.sub(partial(_declared, linking, gone), text), frozenset(gone)


def _declared(linking: Linking, gone: set[str], body: re.Match[str]) -> str:
    """A function as it is, or without its body, if the reader knows it: then its name is put into `gone`."""
    name = body[1].strip('"')
    if not linking.is_known(name):
        return body[0]
    gone.add(name)
    return f"declare void @{body[1]}()\n"


def _without_others(
    binding: Any, module: Any, entries: Collection[str], linking: Linking, may_have_aliases: bool
) -> Any:
    """Without bodies of what the reader knows, and without aliases that only others use, which the text alone tells. It
    is short by now."""
    has_known = any(linking.is_known(each.name) for each in _functions_in(module) if not each.is_declaration)
    if not (has_known or may_have_aliases):
        return module
    text = _printed(module)

    def hidden(alias: re.Match[str]) -> str:
        return alias[0] if alias[1] in entries else f"@{alias[1]} = internal {alias[2]}"

    fewer = _ALIAS.sub(hidden, BODY.sub(partial(_declared, linking, set()), text) if has_known else text)
    if fewer == text:
        return module
    _close(module)
    module = _assembled(binding, fewer)
    _of_module(binding, module, "global_dead_code_eliminate")
    if has_known:
        _of_module(binding, module, "strip_dead_debug_info")
    return module


def _hide(module: Any, entries: Collection[str]) -> None:
    """Nothing but what the program starts with is used from elsewhere."""
    for function in _functions_in(module):
        if function.is_declaration or function.name in entries:
            continue
        if function.linkage.name != "available_externally":
            function.linkage = "internal"
    for variable in module.global_variables:
        if not (variable.is_declaration or variable.name in entries or variable.name.startswith("llvm.")):
            variable.linkage = "internal"


def _builder(binding: Any) -> Any:
    machine = binding.Target.from_triple(f"{_TRIPLE}-unknown-linux-gnu").create_target_machine()
    return binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=0))


def _of_functions(binding: Any, module: Any, name: str, spared: Collection[str] = ()) -> None:
    manager, builder = binding.create_new_function_pass_manager(), _builder(binding)
    getattr(manager, f"add_{name}_pass")()
    for function in _functions_in(module):
        if not function.is_declaration and function.name not in spared:
            manager.run(function, builder)


def _of_module(binding: Any, module: Any, name: str) -> None:
    manager = binding.create_new_module_pass_manager()
    getattr(manager, f"add_{name}_pass")()
    manager.run(module, _builder(binding))


def with_marks(text: str) -> str:
    """The text, in which local variables that may be read before they are set begin with a value that says so.

    To `sroa` what is not set is whatever is best: of 1 on one way, and nothing on another one, it makes 1.
    """
    lines, found, at = text.split("\n"), list[str](), 0
    again = _RUSTC not in text
    types = Module("\n".join(line for line in lines if line.startswith("%")))
    while at < len(lines):
        if not lines[at].startswith("define"):
            found.append(lines[at])
            at += 1
            continue
        end = lines.index("}", at)
        found += _with_marks_in(lines[at:end], types, again)
        at = end
    if _SET not in text and any(_SET in line for line in found):
        found.append(f"declare {_SET}(ptr, i8, i64, i1 immarg)")
    return "\n".join(found)


def _with_marks_in(lines: list[str], types: Module, again: bool) -> list[str]:
    """The same of a function. `again`: also where a block may begin once more. Rust's enums are copied with parts that
    have no value, which would be told of rounds behind the first."""
    if any(MARK in line for line in lines):
        return lines
    variables = {match[1]: match[2] for match in map(_VARIABLE.match, lines) if match}
    wanted = dict(variables)
    entry = True
    for line in lines[2:]:
        entry = entry and line.startswith(" ")
        if not wanted:
            break
        if not line.startswith("    #dbg") and not _VARIABLE.match(line):
            for name in wanted.keys() & set(_NAMES.findall(line)):
                if _is_settled(line, name, variables, entry):
                    del wanted[name]
    found, entry = list[str](), True
    for line in lines:
        found.append(line)
        entry = entry and (len(found) < 3 or line.startswith(" "))
        match = _VARIABLE.match(line) or (_BEGINS.match(line) if again and not entry else None)
        if match and match[1] in wanted:
            found += _mark(match[1], wanted[match[1]], f"%{MARK}{len(found)}", types)
    return found


def _mark(name: str, type_: str, mark: str, types: Module) -> list[str]:
    """What marks a variable: bytes that are set are taken apart as those are that the program uses."""
    if type_[0] not in "[{<%":
        return [f"  {mark} = freeze {type_} undef", f"  store {type_} {mark}, ptr {name}"]
    try:
        size = size_of(types.reader(type_).type())
    except Unsized:
        return []
    return [f"  {mark} = freeze i8 undef", f"  call {_SET}(ptr {name}, i8 {mark}, i64 {size}, i1 false)"]


def _is_settled(line: str, name: str, variables: Mapping[str, str], first: bool) -> bool:
    """Whether a line that names a variable sets it before anything else does, or lets others know where it is: what
    another variable of the function has in it may become a register as well."""
    code = line.strip()
    if code.startswith("store "):
        if f", ptr {name}" in code:
            return first and code.startswith(f"store {variables[name]} ")
        return not variables.keys() & set(_NAMES.findall(code.rpartition(", ptr ")[2]))
    return "call" in code and "@llvm." not in code


def accesses(text: str) -> tuple[Counter[Access], set[Line]]:
    """How many accesses there are whose address is no local variable of the function, for each line of the source; and
    where bytes are copied, which may become accesses of their numbers.

    What nothing leads to is not counted if its address is gone.
    """
    module, found, copies = Module(text), Counter[Access](), set[Line]()
    for function in module.functions.values():
        lines = [line for of_block in function.lines.values() for line in of_block]
        locals_ = {match[1] for match in map(_LOCAL.match, lines) if match}
        code = [
            module.instruction(line)
            for line in lines
            if _COUNTED.match(line) and not ((match := _DIRECT.match(line)) and match[1] in locals_)
        ]
        own = {i.name for i in code if i.op == "alloca"}
        grown = True
        while grown:
            derived = {i.name for i in code if i.op in ("getelementptr", "bitcast") and _base(i.operands) in own}
            grown = not derived <= own
            own |= derived
        for i in code:
            line = function.name, module.metadata.get(i.place or -1, "").partition(", scope")[0]
            if i.op == "call" and isinstance(i.about, Global) and i.about.name.startswith("llvm.mem"):
                copies.add(line)
            place = i.operands[1:] if i.op == "store" else i.operands
            is_access = i.op in (*ACCESSES, "fence")
            if is_access and _base(place) not in own and not (place and isinstance(place[0][1], Zero | Unset)):
                found[line, i.op, i.orders] += 1
    return found, copies


def _base(operands: Iterable[tuple[Any, Any]]) -> str | None:
    first = next(iter(operands), (None, None))[1]
    return first.name if isinstance(first, Local) else None


def grown(before: str, after: str) -> set[str]:
    """The functions that have accesses which were not there before, or not on each way. (Fewer: of addresses that turn
    out to be local.)"""
    old, copies = accesses(before)
    surplus = accesses(after)[0] - old
    found = {line[0] for line, _, orders in surplus if line not in copies or orders}
    for function in Module(after).functions.values() if _SPECULATED in after else ():
        if any(_SPECULATED in line for lines in function.lines.values() for line in lines):
            found.add(function.name)
    return found
