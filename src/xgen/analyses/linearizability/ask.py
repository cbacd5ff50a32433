"""The question as users ask it: files, names, bounds; what is learned of the file first, and the search."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pycparser import c_ast

from xgen.analyses.linearizability.clients import BEFORE, Bounds, Call, Client, Slot, putter
from xgen.analyses.linearizability.graphs import by_graphs
from xgen.analyses.linearizability.handshakes import ByPrograms, Possible
from xgen.analyses.linearizability.operations import THIEVES, Interface, Naming, Operation, interface, is_one_of
from xgen.analyses.linearizability.orders import Failures, Judge
from xgen.analyses.linearizability.programs import Structure
from xgen.analyses.linearizability.search import Linearizability, Search
from xgen.analyses.linearizability.sequential import Sequential, returns
from xgen.analyses.linearizability.specifications import Specification, in_python, named
from xgen.analyses.linearizability.texts import IN_RUST, Compiled, InC, Text
from xgen.clock import Clock, OutOfTime
from xgen.engine.orders import options_meant
from xgen.errors import ProgramError, Source, UnsupportedError, UsageError, listed, nearest
from xgen.frontends.c import read_tree
from xgen.memory.algebra import Model
from xgen.memory.library import load_model
from xgen.memory.statics.orders import knows
from xgen.records import dataclass, replace
from xgen.shipped import find_program
from xgen.sources import CPP, CPP_HEADERS, IR, RUST, C, is_standard_input, read_source, shown

MAX_CALLS = 9
ORDERED = ("sc", "rc11", "rc11-c20")
"""The models in which program order orders calls as a handshake does, so that clients whose calls all have threads of
their own are enough."""
ON_GRAPHS = (*ORDERED, "tso", "pso", "arm8")
"""The models under which a flag that is read with acquire orders all behind the read; so what depends on the read says
no more, and flags can be added to execution graphs."""
IN_ORDER = (*ORDERED, "tso")
"""The models in which who gets the address of an object by an update of another thread sees what that one has written
to the object before, or there is a data race: of rounds of retry loops that write to new objects, the last one will do
(xgen.frontends.reductions.retries)."""
OF_IR = (
    *("races", "weak_cas", "spurious", "exits", "retries", "nondet", "stubs"),
    *("map", "malloc", "reuse", "lock", "volatile", "unroll"),
)
"""The options of translations of IR."""
OURS = re.compile(r"none|cell|object|lock|now|out|got|r|argument|t\d+|(result|flag|thread|order)_\w+")
"""The names that clients have."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked; `xgen.linearizable` says what each means."""

    spec: str | None = None
    calls: int = 4
    before: int = 1
    failures: Failures = "exact"
    one: tuple[str, ...] = ()
    busy: int | None = None
    empty: int | None = None
    max_puts: int | None = None
    ops: str | None = None
    client: str | None = None
    timeout: float | None = None
    on_progress: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        for what, number, least, most in (
            ("the number of calls", self.calls, 1, MAX_CALLS),
            ("the number of puts before", self.before, 0, MAX_CALLS),
            ("the number of puts", self.max_puts, 0, 2 * MAX_CALLS),
        ):
            if number is not None and not least <= number <= most:
                raise UsageError(f"{what} must be from {least} to {most}, not {number}")
        if self.failures not in ("exact", "stale", "contended"):
            raise UsageError(f"failures are judged as exact, stale or contended, not {self.failures}")
        for what, value in (("empty", self.empty), ("busy", self.busy)):
            if value is not None and 1 <= value <= 2 * MAX_CALLS:
                raise UsageError(f"{what} cannot be {value}: values from 1 on are put")


def ask(
    file: str | Path | Source, *others: str | Path, model: Model, request: Request, **c_options: Any
) -> Linearizability:
    """The answer for an object in C files, or in a text. Raises UsageError, ProgramError, UnsupportedError and
    LimitError."""
    clock = Clock(request.timeout)
    name = file.name if isinstance(file, Source) else str(find_program(str(file)))
    answer = Linearizability(
        Path(name).name,
        model.name,
        request.spec or "the file itself, with a lock around each call",
        request.calls,
        request.before,
        request.failures,
        map=c_options.get("map"),
    )
    try:
        source = file if isinstance(file, Source) else name
        _prepared(source, tuple(map(str, others)), model, request, c_options, clock, answer).run(answer)
    except (KeyboardInterrupt, OutOfTime) as error:  # what was found is kept
        answer.verdict = "interrupted"
        answer.stopped = "timeout" if isinstance(error, OutOfTime) else "interrupt"
    answer.seconds = clock.seconds
    return answer


def _prepared(
    file: str | Source,
    others: tuple[str, ...],
    model: Model,
    request: Request,
    c_options: dict[str, Any],
    clock: Clock,
    answer: Linearizability,
) -> Search:
    """What is searched, with what is learned by calls one after the other."""
    name = file.name if isinstance(file, Source) else file
    for each in (name, *others, *map(str, c_options.get("others", ()))):
        _refuse_unread(each)
    if c_options.get("entry"):
        raise UsageError("there is no --entry here: clients have a main of their own", file=name)
    _refuse_unordered(model, c_options.get("map"), name)
    files = _read(file, others, c_options, answer.notes, private=_is_one_of(model, IN_ORDER))
    base = _structure(files, _pairs(request.ops), name)
    sc = load_model("sc")
    structure, blocking = _learned(base, request, sc, clock)
    together = tuple(frozenset(_known(group, structure.interface, name)) for group in request.one)
    if request.spec is not None and request.spec.partition(":")[0] == "deque" and not together:
        together = (frozenset(n for n in structure.interface.operations if not is_one_of(n, THIEVES)),)
        answer.notes.append(f"note: {listed(sorted(together[0]), 'and')} are called by one thread, the deque's owner")
    specification = _specification(structure, request, sc, clock, blocking, c_options)
    if blocking and request.failures != "exact":
        raise UsageError(f"--failures {request.failures} is for calls that fail, and gets wait here", file=name)
    answer.structure = structure
    answer.notes += structure.interface.notes
    answer.apart = not files.is_per_thread() and _is_one_of(model, ORDERED)
    answer.together, answer.only, answer.fills = (
        together,
        request.client is not None,
        putter(structure.interface) is not None,
    )
    bounds = Bounds(request.calls, request.before, together, answer.apart, request.max_puts, blocking)
    only = None if request.client is None else _client(request.client, structure.interface, name, together)
    possible = _possible(structure, model, clock)
    return Search(
        structure,
        specification,
        model,
        bounds,
        _judging(structure, request),
        request.failures,
        request.busy is not None,
        possible,
        clock,
        only,
        request.on_progress,
    )


def _refuse_unordered(model: Model, mapped: str | None, file: str) -> None:
    """Raises UnsupportedError where the model does not know what clients order their calls by, and the text is not
    compiled for a machine."""
    if mapped is None and not (knows(model, "release", "W") and knows(model, "acquire", "R")):
        message = f"the model {model.name} does not know `memory_order_release`, by which clients order calls"
        raise UnsupportedError(message, file=file, hint=options_meant(model))


def _refuse_unread(file: str) -> None:
    """Raises UsageError for what functions are not found in."""
    suffix = Path(file).suffix
    if suffix in (*C, ".h", *CPP, *CPP_HEADERS, *RUST):
        return
    if suffix in IR:
        hint = "`xgen check` reads a program in which threads call it, and assertions say what they may return"
        message = "`linearizable` reads C, C++ and Rust, and this is LLVM's IR"
        raise UsageError(message, file=shown(file), hint=hint)
    piped = "C is piped as `c:-`" if is_standard_input(file) else None
    message = "`linearizable` reads C, C++ and Rust: names of files end in .c, .cpp, .rs"
    raise UsageError(message, file=shown(file), hint=piped)


def _read(
    file: str | Source, others: tuple[str, ...], c_options: dict[str, Any], notes: list[str], *, private: bool
) -> Text:
    """A file, with others, without its main, if that does nothing; then there is a note. Raises ProgramError.

    `private`: of C, rounds that write to what others cannot get at may be left out (frontends.reductions.retries).
    """
    name, source = (file.name, file) if isinstance(file, Source) else (file, read_source(file))
    options = {**c_options, "others": (*c_options.get("others", ()), *others)}
    options.pop("entry", None)
    suffixes = {Path(name).suffix for name in (name, *options["others"])}
    if suffixes & {*RUST}:
        return _in_rust(source, options)
    if options.pop("clang", False) or suffixes & {*CPP, *CPP_HEADERS}:
        return _compiled(name, source, options)
    if options.pop("compiler", None):
        raise UsageError("a compiler is asked about C++, and about C with --clang", file=source.name)
    tree = read_tree(source, preprocessed=name.endswith(".i"), entry=None, private=private, **options)
    for node in tree.unit.tree.ext:
        if not isinstance(node, c_ast.FuncDef) or node.decl.name != "main":
            continue
        if any(not isinstance(item, c_ast.Return) for item in node.body.block_items or []):
            position = tree.unit.position(node)
            raise ProgramError(THERE_IS_A_MAIN, position.source, position, MAIN_HINT)
        notes.append("note: main does nothing, and is left out: clients have their own")
    return InC(tree.without({"main"}))


def _compiled(name: str, source: Source, options: dict[str, Any]) -> Compiled:
    """Files that a compiler reads. Raises ProgramError where there is a main."""
    from xgen.frontends.llvm import refuse_of_c
    from xgen.frontends.llvm.compiling.opened import opened
    from xgen.frontends.llvm.compiling.sources import language_of

    how = {name: options.pop(name) for name in OF_IR if name in options}
    refuse_of_c(options, source)
    found = opened(source, language_of(name), preprocessed=name.endswith(".i"), **options)
    for function in found.offered:
        if function.name == "main":
            raise ProgramError(THERE_IS_A_MAIN, function.position.source, function.position, MAIN_HINT)
    return Compiled(found, how)


def _in_rust(source: Source, options: dict[str, Any]) -> Compiled:
    """A file that rustc reads. Raises UsageError for options that are not for Rust."""
    from xgen.frontends.llvm import refuse_of_c
    from xgen.frontends.llvm.rust.opened import opened
    from xgen.frontends.llvm.rust.sources import refuse

    how = {name: options.pop(name) for name in OF_IR if name in options}
    refuse(source, options.pop("others"), options)
    refuse_of_c(options, source)
    return Compiled(opened(source, **options), how, dialect=IN_RUST)


THERE_IS_A_MAIN = "there is a main; linearizable makes its own"
MAIN_HINT = "what sets the object up is a function `init`; main is left out where it does nothing"


def _structure(files: Text, ops: tuple[tuple[str, str], ...], file: str) -> Structure:
    """A file with its operations."""
    prefix = "client_" if any(OURS.fullmatch(word) for word in files.taken()) else ""
    found = interface(files, Naming(ops, f"{prefix}object"))
    publishes = bool(found.of("put") and found.of("get"))
    whole = files.ready(found.object, found.object_text)
    return Structure(whole, found, prefix, publishes=publishes, file=file, has_main=files.has_main)


def _pairs(ops: str | None) -> tuple[tuple[str, str], ...]:
    """`put=send,get=receive`: sorts and names."""
    found = []
    for part in (ops or "").split(","):
        if not part.strip():
            continue
        sort, equals, name = (piece.strip() for piece in part.partition("="))
        if not equals or not name or sort not in ("put", "get", "key", "add", "do"):
            hint = "it is put=NAME,get=NAME; key=NAME is given a key, add=NAME a number, do=NAME nothing"
            raise UsageError(f"--ops cannot be `{part.strip()}`", hint=hint)
        found.append((sort, name))
    return tuple(found)


def _known(group: str, found: Interface, file: str) -> list[str]:
    """The operations that `push,take` names."""
    names = [name.strip() for name in group.split(",") if name.strip()]
    for name in names:
        if name not in found.operations:
            hint = nearest(name, found.operations) or f"there is {listed(list(found.operations), 'and')}"
            raise UsageError(f"`{name}` is no operation here", file=file, hint=hint)
    return names


def _client(
    text: str, found: Interface, file: str, together: tuple[frozenset[str], ...]
) -> tuple[tuple[tuple[str, int], ...], ...]:
    """The threads of `push pop | add(1)`; no two of them make calls that are made by one."""
    threads = []
    for row in text.split("|"):
        steps = []
        for word in row.split():
            parts = re.fullmatch(r"(\w+)(?:\((\d*)\))?", word)
            if parts is None:
                raise UsageError(
                    f"`{word}` is no call", hint='a client is written "push pop | pop", a thread behind each |'
                )
            (name,) = _known(parts[1], found, file)
            keyed = found.operations[name].sort == "key"
            key = int(parts[2] or 0)
            if keyed and not 1 <= key <= 2:
                raise UsageError(f"`{word}` has no key", hint=f"it is written {name}(1) or {name}(2)")
            steps.append((name, key if keyed else 0))
        if not steps:
            raise UsageError("a thread of the client makes no call", hint='a client is written "push pop | pop"')
        threads.append(tuple(steps))
    for names in together:
        if sum(any(name in names for name, _ in row) for row in threads) > 1:
            what = listed(sorted(names), "and")
            raise UsageError(f"two threads of the client call {what}, which one thread is to call", file=file)
    return tuple(threads)


def _is_one_of(model: Model, names: Sequence[str]) -> bool:
    """Whether a model is one of these, whatever it is called."""
    return any(model.source.text == load_model(name).source.text for name in names)


def _possible(structure: Structure, model: Model, clock: Clock) -> Possible:
    """How orders by flags are asked about."""
    if _is_one_of(model, ON_GRAPHS):
        ordered, total = _is_one_of(model, ORDERED), _is_one_of(model, ("sc",))
        found = by_graphs(structure, model, clock, ordered=ordered, total=total)
        if found is not None:
            return found
    return ByPrograms(structure, model, clock)


def _learned(structure: Structure, request: Request, sc: Model, clock: Clock) -> tuple[Structure, bool]:
    """What gets return where there is nothing, whether they wait, and which numbers mean that something was done."""
    found = structure.interface
    raw = request.spec is None or request.spec.endswith((*C, *CPP))
    structure = replace(structure, raw=raw, empty=0 if request.empty is None else request.empty)
    structure = _with_signs(structure, sc, clock)
    gets = found.of("get")
    if not gets:
        return structure, False
    empties: dict[str, int] = {}
    blocking = False
    for get in gets:
        told = returns(structure, sc, clock, _one_by_one(get))
        if told is None:
            blocking = True
        elif told:
            empties[get.name] = told[BEFORE, 0]
    for name, value in empties.items():
        if 1 <= value <= 2 * MAX_CALLS:
            message = f"{name}() of the fresh object gives {value}, which is a value that clients put"
            raise UsageError(message, file=structure.file, hint="it is to be empty at the start, or to hold 0")
        if request.empty is not None and value != request.empty:
            raise UsageError(
                f"{name}() of the fresh object gives {value}, not --empty {request.empty}", file=structure.file
            )
    if len(set(empties.values())) > 1:
        shown = listed([f"{name}() gives {value}" for name, value in empties.items()], "and")
        raise UsageError(
            f"of the fresh object, {shown}", file=structure.file, hint="--empty says what means `nothing there`"
        )
    return replace(structure, empty=next(iter(empties.values()), structure.empty)), blocking


def _with_signs(structure: Structure, sc: Model, clock: Clock) -> Structure:
    """Integers may say by 0 that something was done, or by another number: the fresh object shows which."""
    found = structure.interface
    zero = set()
    for put in found.of("put"):
        if put.form == "value":
            told = returns(structure, sc, clock, _one_by_one(put))
            if told and told[BEFORE, 0] == 0:
                zero.add(put.name)
    structure = replace(structure, zero=frozenset(zero))
    puts = found.of("put")
    for get in found.of("get"):
        if get.form != "out" or get.is_bool or not puts:
            continue
        for guess in (structure, replace(structure, zero=structure.zero | {get.name})):
            told = returns(guess, sc, clock, _one_by_one(puts[0], get))
            if told is None or told.get((BEFORE, 1)) == 1:
                structure = guess
                break
        else:
            message = f"{get.name}(&out) after {puts[0].name}(1) does not give 1 back"
            raise UsageError(message, file=structure.file, hint="a get is `T get(void)` or `bool get(T *)`")
    return structure


def _one_by_one(*operations: Operation) -> Client:
    calls = tuple(Call(o.name, 1 if o.sort in ("put", "key", "add") else None) for o in operations)
    return Client(calls, (), ())


def _specification(
    structure: Structure, request: Request, sc: Model, clock: Clock, blocking: bool, c_options: dict[str, Any]
) -> Specification:
    spec = request.spec
    if spec is None:
        return Sequential(structure, sc, clock, blocking)
    if spec.endswith((*C, *CPP)):
        options = {key: value for key, value in c_options.items() if key != "others"}
        files = _read(spec, (), options, [], private=False)
        pairs = tuple((o.sort, o.name) for o in structure.interface.operations.values())
        defined = {function.name for function in files.functions()}
        for _, name in pairs:
            if name not in defined:
                raise UsageError(f"the specification has no function `{name}`", file=spec)
        other = _structure(files, pairs, spec)
        _refuse_others(structure.interface, other.interface, spec)
        return Sequential(replace(other, empty=structure.empty, zero=structure.zero), sc, clock, blocking)
    file, colon, name = spec.rpartition(":")
    if colon and file.endswith(".py"):
        return in_python(file, name, structure.interface)
    if spec.endswith(".py"):
        raise UsageError("the class is missing: FILE.py:CLASS", file=spec)
    return named(spec, structure.interface, structure.empty, blocking, structure.file)


def _refuse_others(own: Interface, other: Interface, file: str) -> None:
    """What both return has to mean the same."""
    for name, operation in own.operations.items():
        if (operation.form == "value") != (other.operations[name].form == "value"):
            raise UsageError(f"`{name}` does not return the same type here as in the file that is checked", file=file)


def _judging(structure: Structure, request: Request) -> Callable[[Client, Failures], Judge]:
    operations = structure.interface.operations

    def of(client: Client, failures: Failures) -> Judge:
        def fails(slot: Slot, result: int) -> bool:
            operation = operations[client.calls[slot].name]
            if not operation.may_fail:
                return False
            if operation.sort == "get":
                return result == structure.empty
            if operation.form == "value":
                return (result != 0) == (operation.name in structure.zero) if structure.raw else result == 0
            return result == 0

        def busy(slot: Slot, result: int) -> bool:
            return (
                request.busy is not None
                and result == request.busy
                and operations[client.calls[slot].name].sort in ("get", "do", "put")
            )

        return Judge(failures, fails, busy)

    return of
