"""xgen: can this concurrent program go wrong on hardware, or in a language, with this memory model?

import xgen
program = xgen.load("peterson.xcfa")
model = xgen.model("tso")
result = xgen.check(program, model, max_depth=8)
print(result.verdict, result.executions)
"""

from __future__ import annotations

import gc

# What imports make lives to the end: to look for garbage in it takes a tenth of the time that they take.
_LOOKED = gc.isenabled()
gc.disable()

import inspect
import re
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Protocol, TypeVar, cast

from xgen.analyses.check import check as _checking
from xgen.analyses.check.question import Question
from xgen.clock import Clock
from xgen.errors import LimitError, ModelError, ProgramError, Source, UnsupportedError, UsageError, XgenError
from xgen.executions import rendering
from xgen.executions.execution import Event, Execution, Violation
from xgen.executions.result import Outcome, Result
from xgen.frontends.language import language_model, language_of
from xgen.frontends.testing import asks_about_waiting
from xgen.memory.algebra import Model
from xgen.memory.library import load_model
from xgen.program.automaton import Program, Reading
from xgen.records import replace
from xgen.sources import CPP, HIP, KERNELS, RUST, C
from xgen.version import __version__ as __version__

if _LOOKED:
    gc.enable()

if TYPE_CHECKING:
    from xgen.analyses.claims.files import Claims
    from xgen.analyses.compare.distinguish import Search
    from xgen.analyses.explain import Explanation
    from xgen.analyses.fences.fences import find_fences as fences
    from xgen.analyses.linearizability.search import Linearizability
    from xgen.analyses.ltl import LtlResult
    from xgen.analyses.ltl_repairs import Repairs
    from xgen.analyses.parameterised.certificate import Checked
    from xgen.analyses.parameterised.prove_system import prove_system
    from xgen.analyses.prove import prove
    from xgen.analyses.suite.litmus import LitmusResult
    from xgen.engine.explicit.states import Order
    from xgen.frontends.cub import System as CubSystem
    from xgen.frontends.dve import System
    from xgen.frontends.testing import NamedTest

__all__ = [
    "Event",
    "Execution",
    "LimitError",
    "Model",
    "ModelError",
    "Outcome",
    "Program",
    "ProgramError",
    "Question",
    "Result",
    "UnsupportedError",
    "UsageError",
    "Violation",
    "XgenError",
    "certify",
    "check",
    "compare",
    "estimate",
    "executions",
    "explain",
    "fences",
    "linearizable",
    "list_tests",
    "litmus",
    "load",
    "load_system",
    "ltl",
    "ltl_repairs",
    "model",
    "parse",
    "parse_model",
    "prove",
    "prove_system",
    "test",
]


def _rendering() -> rendering.Rendering:
    from xgen.views import rendering as views  # long to import, and drawn with rarely

    return views


rendering.show(_rendering)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name == "fences":  # long to import, as are the others
        from xgen.analyses.fences.fences import find_fences

        return find_fences
    if name == "prove":
        from xgen.analyses.prove import prove as found

        return found
    if name == "prove_system":
        from xgen.analyses.parameterised.prove_system import prove_system as found_too

        return found_too
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_P = ParamSpec("_P")
_T = TypeVar("_T")
_TOLD = TypeVar("_TOLD", covariant=True)


class _Asking(Protocol[_P, _TOLD]):
    """A question about a program under a model; both may be names or paths, and the model that of the language."""

    def __call__(
        self, program: Program | str | Path, model: Model | str | Path | None = None, *args: _P.args, **named: _P.kwargs
    ) -> _TOLD: ...


def _by_names(ask: Callable[Concatenate[Program, Model, _P], _T]) -> _Asking[_P, _T]:
    @wraps(ask)
    def asked(
        program: Program | str | Path, model: Model | str | Path | None = None, *args: _P.args, **named: _P.kwargs
    ) -> _T:
        read = program if isinstance(program, Program) else load(program)
        return ask(read, _asked_model(read, model), *args, **named)

    first, second, *others = inspect.signature(ask).parameters.values()
    named_or_read = first.replace(annotation="Program | str | Path")
    named_or_usual = second.replace(annotation="Model | str | Path | None", default=None)
    asked.__signature__ = inspect.signature(ask).replace(  # type: ignore[attr-defined]
        parameters=[named_or_read, named_or_usual, *others]
    )
    return cast(_Asking[_P, _T], asked)


def _asked_model(program: Program, wanted: Model | str | Path | None) -> Model:
    """The model that is named, or that of the program's language. Raises UsageError where it has none."""
    if isinstance(wanted, Model):
        return wanted
    name = wanted or program.model
    if name is None:
        hint = "models of languages are those of C, C++, Rust, CUDA and litmus tests; `xgen models list` has others"
        raise UsageError("no model is named, and the program's language has none", file=program.source.name, hint=hint)
    return model(name)


check = _by_names(_checking.check)
estimate = _by_names(_checking.estimate)
executions = _by_names(_checking.executions)


def load(path: str | Path, *others: str | Path, **c_options: Any) -> Program:
    """The program in a file, of the kind that its suffix says: .xcfa, .litmus, .c, .i (preprocessed C), .cpp, .cc or
    .cxx, .rs, .ll or .bc (LLVM's IR), .yml (a task of SV-COMP); or a shipped one, by its name. Several files of C and
    C++ are one program, and so are several files of IR.

    The condition of a litmus test becomes a requirement on final states if it is `~exists` or `forall`; `exists` asks
    for nothing. C programs have options: `defines`, `undefines`, `folders` (of headers) and `includes`, tuples of
    strings; `unroll` (a bound on the rounds of loops), `nondet` (a pair: the range of values that are not determined),
    `overflow` (of signed integers: it is a violation), `races` (they are violations; False: they are not), `exits`
    (`abort()`, `exit(1)` and the like are violations; not said: unless it speaks as SV-COMP's programs do), `weak_cas`
    (weak compare-exchanges may fail for no reason), `mixed_atomics` (atomic accesses of several sizes to the same bytes
    have a meaning under models of languages, too), `spurious` (threads wake up from condition variables without a
    signal, too), `retries` (False: all rounds of retry loops are explored, even those that another execution does
    without), `stubs` (functions without a body that do nothing), `volatile` ("plain" or "relaxed": how objects that are
    volatile are accessed), `arguments` (that the program is started with), `malloc` ("fails": what asks for
    memory may give null), `reuse` (memory that was freed may be given again), `leaks` (memory that nothing leads to at
    the end of an execution is a violation), `lock` (a pair: the functions of the
    program that are taken as taking a lock and giving it back), `any_input` (`__VERIFIER_nondet_int` and its like give
    any number of their types, which `engine="sat"` can check), `map` (the architecture that it is compiled for),
    `entry` (the function to start with), `data_model` ("lp64"; "ilp32": `long` and pointers have 32 bits), `clang` (C
    is read through a compiler, as C++ is) and `compiler` (the command of that), `kernel` (the folder of the Linux
    kernel that the files are a part of; then `races` says whether warnings tell of data races, and `interrupts` how
    often each handler of one runs at most).
    C, C++ and Rust have `constants` (a tuple of `NAME=3`: constants of their texts with other values), C++ and Rust
    `test` (the name of the test that is the program); Rust has some of the others, and `cfgs` and `features` (tuples,
    as cargo takes them). Kernels in CUDA, HIP and PTX (.cu, .hip, .ptx) have `launch` and `final`, which count instead
    of what the text says (docs/gpu.md); those in CUDA and PTX `as_compiled` (optimised), `vectors` ("whole" or "parts":
    accesses of several numbers), `warp` (its lanes), `compiler` (the command of an nvcc), and those for macros and
    headers. Raises UsageError where the file cannot be read, ProgramError where it makes no sense, UnsupportedError for
    what is not supported.
    """
    from xgen.shipped import find_program

    if others:
        c_options["others"] = (*c_options.get("others", ()), *map(str, others))
    return _read(find_program(str(path)), c_options)


def _read(file: Path, c_options: dict[str, Any]) -> Program:
    from xgen.shipped import is_task
    from xgen.sources import read_source

    if file.suffix == ".bc":
        return parse("", "bc", name=str(file), **c_options)
    if file.is_dir():
        from xgen.unread import hint_at_folder  # rarely needed

        raise UsageError("this is a directory, not a file", file=str(file), hint=hint_at_folder(file))
    source = read_source(file)
    if is_task(file.name):
        return _read_task(source, c_options)
    if c_options.get("property"):
        raise UsageError("this is no task of SV-COMP, which asks about a property", file=str(file))

    def read() -> Program:
        return parse(source.text, file.suffix.lstrip("."), name=source.name, **c_options)

    if _is_own_c(file, c_options):
        from xgen.frontends.translated import translated_c

        return translated_c(source, sorted(c_options.items()), read)
    return read()


def _is_own_c(file: Path, options: Mapping[str, Any]) -> bool:
    """Whether a program is C that xgen reads itself, with flags that are all given."""
    paths = [file, *map(PurePath, options.get("others", ()))]
    return all(path.suffix == ".c" for path in paths) and not any(map(options.get, ("clang", "compiler", "build")))


def _read_task(source: Source, c_options: dict[str, Any]) -> Program:
    """The program of a task, as its property needs it; what the options say counts more."""
    from xgen.frontends.c.tasks import read_task

    return replace(read_task(source, **c_options), model="sc")


def list_tests(path: str | Path | None = None, **c_options: Any) -> list[NamedTest]:
    """The tests (`#[test]`) of a file of Rust, or of all that a cargo project has (`build`: its folder; no `path`); of
    a file of C++ those of GoogleTest, doctest, Catch2 and Boost.Test, or of all files that a build compiles (`build`:
    the folder with its compile_commands.json).

    `load` takes the name of one as its option `test`, with the file that it is compiled with (its `root`). The options
    are those of `load`, and the errors, too.
    """
    if path is None and c_options.get("build") is None:
        raise UsageError("tests are those of a file, or of a project (`build`)")
    from xgen.frontends.c.text.builds import is_build

    if path is not None and PurePath(path).suffix in CPP:
        from xgen.frontends.llvm.compiling.sources import list_tests as of_cpp
        from xgen.sources import read_source

        return of_cpp(read_source(path), **c_options)
    if path is not None and PurePath(path).suffix not in RUST:
        hint = "those of a .rs file or of a cargo project, and those of a .cpp file"
        raise UsageError("the tests of Rust and C++ are listed", file=str(path), hint=hint)
    if path is None and is_build(str(c_options["build"])):
        from xgen.frontends.llvm.compiling.projects import tests_of
        from xgen.frontends.llvm.compiling.sources import list_tests as of_cpp

        return tests_of(str(c_options.pop("build")), of_cpp, c_options)
    from xgen.frontends.llvm.rust.sources import list_tests as found

    return found(None if path is None else str(path), **c_options)


def parse(text: str, language: str | None = None, name: str = "<text>", **c_options: Any) -> Program:
    """The program that a text says, in the language "xcfa", "litmus", "c", "cpp", "rs", "ll" (LLVM's IR), "cu",
    "hip" or "ptx". Without a language, `name` says it by its ending (`mp.c`), or else the text by how it begins.

    `name` is how error messages call the text; for the options of C programs see `load`.
    """
    if language is None:
        language = language_of(text, name)
    usual = language_model(name, c_options, f".{language}")
    constants, lively = c_options.get("constants", ()), asks_about_waiting(f"{name}.{language}", c_options)
    found = _parsed(text, language, name, c_options)
    if constants:
        from xgen.frontends.constants import settings_of

        found = replace(found, constants=tuple((each.shown, each.value) for each in settings_of(constants, name)))
    return found if usual is None else replace(found, model=usual, lively=lively)


def _parsed(text: str, language: str, name: str, c_options: dict[str, Any]) -> Program:
    """The program without the model that its language has."""
    from xgen import program

    suffixes = [f".{language}", *(PurePath(other).suffix for other in c_options.get("others", ()))]
    for option in () if suffixes[0] in RUST else _OF_RUST:
        if option == "test" and any(suffix in CPP for suffix in suffixes):
            continue
        if c_options.pop(option, None):
            languages = "Rust and C++" if option == "test" else "Rust"
            raise UsageError(f"the option `{option}` is for {languages}", file=name)
    if suffixes[0] in HIP:
        from xgen.frontends.hip.sources import read_hip

        return read_hip(Source(name, text), **c_options)
    if suffixes[0] in KERNELS:
        from xgen.frontends.ptx.sources import read_kernel

        return read_kernel(Source(name, text), "cu" if language == "cu" else "ptx", **c_options)
    for option in _OF_KERNELS:
        if c_options.pop(option, None):
            raise UsageError(f"the option `{option}` is for kernels, in CUDA, HIP and PTX", file=name)
    if suffixes[0] in (*C, *CPP) and (c_options.pop("clang", False) or any(suffix in CPP for suffix in suffixes)):
        from xgen.frontends.llvm.compiling.sources import read_sources

        of_text: Literal["c", "c++"] = "c" if suffixes[0] in C else "c++"
        return read_sources(Source(name, text), of_text, preprocessed=language == "i", **c_options)
    if suffixes[0] in RUST:
        from xgen.frontends.llvm.rust.sources import read_rust

        return read_rust(Source(name, text), **c_options)
    if c_options.pop("compiler", None):
        raise UsageError("a compiler is asked about C++, and about C with `clang`", file=name)
    if language in ("c", "i"):
        from xgen.frontends.c import read_c

        return read_c(Source(name, text), preprocessed=language == "i", **c_options)
    if language in ("ll", "bc"):
        from xgen.frontends.llvm import read_ir

        return read_ir(Source(name, text), bitcode=language == "bc", **c_options)
    if c_options.get("others"):
        raise UsageError("several files are one program in C, C++ and LLVM's IR only", file=name)
    if language == "xcfa":
        return program.parse(Source(name, text), _reading(name, c_options))
    if c_options:
        option = next(iter(c_options))
        raise UsageError(f"the option `{option}` is for C programs", file=name)
    if language == "litmus":
        from xgen.frontends.litmus import read_litmus

        test = read_litmus(Source(name, text))
        return replace(test.program, model=test.model)
    from xgen import unread  # rarely needed

    message = "a program's file name has to end in .xcfa, .litmus, .c, .cpp, .rs, .ll, .cu, .hip or .ptx"
    raise UsageError(message, file=name, hint=unread.hint(name))


_OF_RUST = ("test", "cfgs", "features")
_OF_KERNELS = ("launch", "final", "as_compiled", "vectors", "warp")


def _reading(name: str, options: dict[str, Any]) -> Reading:
    """How an XCFA program is read. Raises UsageError for options of C programs, and what is no value."""
    options = dict(options)
    constants: dict[str, int | bool] = {}
    for define in options.pop("defines", ()):
        constant, equals, value = define.partition("=")
        if value in ("true", "false"):
            constants[constant] = value == "true"
        elif equals and re.fullmatch(r"-?[0-9]{1,18}", value):
            constants[constant] = int(value)
        else:
            raise UsageError(f"`{define}` says no value of a constant", file=name, hint="it is written NAME=3")
    unroll = options.pop("unroll", None)
    if options:
        raise UsageError(f"the option `{next(iter(options))}` is for C programs", file=name)
    return Reading(tuple(constants.items()), unroll)


def load_system(path: str | Path) -> CubSystem:
    """The system of any number of processes in a .cub file, for `prove_system`; or in a program with `process p[*]`.

    A shipped one has a name. Raises as `load` does.
    """
    from xgen.frontends.cub import read_cub, system_of
    from xgen.shipped import find_claim
    from xgen.sources import read_source

    file = find_claim(str(path))
    if file.suffix == ".cub":
        return read_cub(read_source(file))
    program = _read(file, {})
    if program.many is None:
        hint = "`prove` answers for those; any number is said by `process p[*]`"
        raise UsageError("this program names all its processes", file=str(file), hint=hint)
    return system_of(program)


def ltl(
    program: Program | str | Path,
    formula: str,
    memory: Order = "sc",
    *,
    buffer: int = 4,
    fair: bool = True,
    limit: int = 100_000_000,
    timeout: float | None = None,
    workers: int = 1,
    on_progress: Callable[[int, float], None] | None = None,
) -> LtlResult:
    """Whether a formula of linear temporal logic holds in all runs of a program, or of what is in a .dve or .xcfa file.

    A shipped one has a name. `memory` is "sc", "tso", "pso" or "cam" (tso with one delayed store for each variable);
    `buffer` counts delayed stores, of each process, under pso of each process and variable. What is found does not
    depend on `workers`, which are threads. `on_progress` is called with the number of states and the seconds. Raises
    ProgramError where the formula makes no sense, UnsupportedError for what these machines do not run (docs/ltl.md),
    and as `load` does.
    """
    from xgen.analyses.ltl import check_formula

    clock = Clock(timeout)
    system = _system(program, memory)
    return check_formula(system, formula, memory, buffer, fair, limit, clock.left(), on_progress, workers)


def ltl_repairs(
    program: Program | str | Path,
    formula: str,
    memory: Order = "tso",
    *,
    buffer: int = 4,
    fair: bool = True,
    limit: int = 100_000_000,
    timeout: float | None = None,
    workers: int = 1,
    on_progress: Callable[[int, float], None] | None = None,
) -> Repairs:
    """All minimal sets of writes that have to be atomic for a formula to hold. Arguments and errors are those of `ltl`.

    `limit` is for each of the systems that are looked at, `timeout` for all together.
    """
    from xgen.analyses.ltl import check_formula
    from xgen.analyses.ltl_repairs import find_repairs

    clock = Clock(timeout)

    def ask(system: System) -> LtlResult:
        return check_formula(system, formula, memory, buffer, fair, limit, clock.left(), on_progress, workers)

    return find_repairs(_system(program, memory), ask)


def _system(program: Program | str | Path, memory: Order) -> System:
    """What formulas are about, for a machine."""
    from xgen.engine.explicit.unfold import unfold
    from xgen.frontends.dve import read_dve
    from xgen.shipped import find_system
    from xgen.sources import read_source

    if isinstance(program, Program):
        return unfold(program, memory)
    file = find_system(str(program))
    return read_dve(read_source(file)) if file.suffix == ".dve" else unfold(_read(file, {}), memory)


def explain(
    program: Program | str | Path,
    model: Model | str | Path | None = None,
    outcome: str | None = None,
    *,
    max_depth: int | None = None,
    timeout: float = 10.0,
) -> Explanation:
    """Why an outcome such as "p0:a=0, x=1" is forbidden, or how it comes about; without one, why a violation is.

    Of a litmus test, without one, it is what the test's condition asks for, or for `forall` what is not so. `timeout`
    is in seconds. Raises UsageError for an outcome that makes no sense, LimitError.
    """
    from xgen.analyses.explain import asked_by, final_values
    from xgen.analyses.explain import explain as ask

    read = program if isinstance(program, Program) else load(program)
    under = _asked_model(read, model)
    query = asked_by(read, under) if outcome is None else final_values(read, under, outcome)
    return ask(query, max_depth=max_depth, timeout=timeout)


def litmus(
    path: str | Path, model: str | Path | None = None, *, workers: int = 1, timeout: float | None = None
) -> list[LitmusResult]:
    """The results of a litmus test, of all in a folder, or of a list (`@LIST`), in order.

    `path` may be that of shipped tests, such as "X86/SB.litmus"; `model` is a file's path or a shipped model's name;
    None: each architecture's own. `timeout` is in seconds, for each test. Raises UsageError and ModelError; what is
    wrong with a test is said in its result.
    """
    from xgen.analyses.suite.runner import Spread, run_suite
    from xgen.analyses.suite.suite import find_tests
    from xgen.shipped import find_suites

    how = Spread(processes=workers, timeout=timeout)
    return list(run_suite(find_tests(find_suites([str(path)])), None if model is None else str(model), how))


def test(*paths: str | Path, processes: int = 1, timeout: float | None = None) -> Claims:  # noqa: PT028 - this is no test
    """Whether what files say of themselves is so (docs/ci.md): programs, litmus tests, and folders of them.

    `timeout` is in seconds, for all together. Raises UsageError where there is nothing; what is wrong with a file is
    said in what comes of it.
    """
    from xgen.analyses.claims.files import Claims, check_files, find_files
    from xgen.shipped import find_programs

    clock = Clock()
    found = find_files(find_programs(map(str, paths)))
    return Claims(tuple(check_files(found, load, processes, timeout)), clock.seconds)


def compare(
    first: Model | str | Path, second: Model | str | Path, *, max_size: int = 7, timeout: float | None = None
) -> Search:
    """The smallest program of up to so many accesses, tags, fences and dependencies that tells two models apart."""
    from xgen.analyses.compare.distinguish import find_difference

    one, other = (each if isinstance(each, Model) else model(each) for each in (first, second))
    return find_difference(one, other, max_size, timeout)


def linearizable(
    file: str | Path,
    *others: str | Path,
    model: Model | None = None,
    spec: str | None = None,
    calls: int = 4,
    before: int = 1,
    failures: Literal["exact", "stale", "contended"] = "exact",
    one: tuple[str, ...] = (),
    busy: int | None = None,
    empty: int | None = None,
    max_puts: int | None = None,
    ops: str | None = None,
    client: str | None = None,
    timeout: float | None = None,
    on_progress: Callable[[str], None] | None = None,
    **c_options: Any,
) -> Linearizability:
    """Whether the data structure in a file of C, C++ or Rust, or in several, is right for all clients of a few calls.

    `spec` says what is right: "queue", "stack", "deque", "set", "register", "counter" ("queue:4": of at most 4 values),
    a C file with the same functions, or "FILE.py:CLASS"; None: the file itself with a lock around each call. Clients
    have up to `calls` calls in threads, and up to `before` puts before these; `client` names a single one, as in "push
    pop | pop". `failures`: how calls that fail are judged; `one`: operations whose calls are all made by one thread, as
    "push,take"; `busy` and `empty`: what calls return that were in each other's way, and gets where there is nothing;
    `ops` names operations, as "put=send,get=receive"; `max_puts`: no client puts more. `timeout` is in seconds. The
    other options are those of C programs, see `load`. docs/linearizable.md has the words. Raises as `load` does.
    """
    from xgen.analyses.linearizability.ask import Request, ask

    request = Request(
        spec=spec,
        calls=calls,
        before=before,
        failures=failures,
        one=tuple(one),
        busy=busy,
        empty=empty,
        max_puts=max_puts,
        ops=ops,
        client=client,
        timeout=timeout,
        on_progress=on_progress,
    )
    if model is None:
        said = {**c_options, "others": (*c_options.get("others", ()), *others)}
        model = load_model(language_model(str(file), said) or "rc11")
    return ask(file, *others, model=model, request=request, **c_options)


def certify(path: str | Path, solver: str = "z3", *, timeout: float | None = None) -> Checked:
    """Whether the certificate in a file proves what it says, by the word of a solver: "z3" or "cvc5".

    Raises UsageError for a file that is no certificate, and an XgenError where the solver is not installed.
    """
    from xgen.analyses.parameterised.certificate import certify as ask
    from xgen.analyses.parameterised.certificate import read_certificate
    from xgen.analyses.parameterised.solvers import load_solver
    from xgen.sources import read_source

    return ask(read_certificate(read_source(path)), load_solver(solver), timeout=timeout)


def model(name_or_path: str | Path) -> Model:
    """A memory model: a file's path, or the name of a shipped one. Raises UsageError and ModelError."""
    return load_model(str(name_or_path))


def parse_model(text: str, name: str = "<text>") -> Model:
    """The memory model that an .mcm text says. `name` is how error messages call the text."""
    from xgen.memory.mcm import read_model  # imports lark, which takes long

    return read_model(Source(name, text))
