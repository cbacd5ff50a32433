"""Options that several commands have, and what they accept."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import click

from xgen.cli import output
from xgen.cli.shared.guesses import Machine, one_test
from xgen.errors import UsageError, XgenError
from xgen.exclusions import Excludes, Needs, Rule, refusal
from xgen.frontends.language import language_model
from xgen.shipped import find_claim, is_task
from xgen.sources import COMPILED, KERNELS
from xgen.tags import EVERY_MACHINE, MACHINES, NO_MAP

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
Callback = Callable[[click.Context, click.Parameter, Any], Any]
PATH = click.Path(path_type=Path)
"""Of files and folders."""


def within(least: int, most: int) -> Callback:
    """Accepts numbers in a range. (That of click.IntRange is shown in the help text, where it says nothing.)"""

    def check(ctx: click.Context, param: click.Parameter, value: int | None) -> int | None:  # noqa: ARG001
        if value is not None and not least <= value <= most:
            raise click.BadParameter(f"{value} is not in the range from {least} to {most}.")
        return value

    return check


def positive(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:  # noqa: ARG001
    """Accepts positive numbers of seconds."""
    if value is not None and not (math.isfinite(value) and value > 0):
        raise click.BadParameter("this is not a positive number of seconds.")
    return value


FORM, ERRORS = "xgen.form", "xgen.errors"
"""Where the context keeps what is asked for, so that what goes wrong can be said in that form."""


def remembered(key: str) -> Callback:
    """Keeps a value for whoever tells what goes wrong. It takes an option that is eager: known before others fail."""

    def keep(ctx: click.Context, param: click.Parameter, value: Any) -> Any:  # noqa: ARG001
        ctx.meta[key] = value
        return value

    return keep


def form_of(*kinds: str, meaning: str) -> Decorator:
    """The option --format, of which the first one is the default; and --color, for what is said to people."""
    color = click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        is_eager=True,
        expose_value=False,
        callback=remembered(output.COLOR),
        help="Colours; auto: on a terminal, if NO_COLOR is not set, or with FORCE_COLOR.",
    )
    form = click.option(
        "--format",
        "form",
        type=click.Choice(kinds),
        default=kinds[0],
        show_default=True,
        is_eager=True,
        callback=remembered(FORM),
        help=meaning,
    )
    return lambda command: form(color(command))


form = form_of("text", "json", meaning="For people, or for scripts.")
errors = click.option(
    "--errors",
    type=click.Choice(["gcc", "github", "none"]),
    is_eager=True,
    callback=remembered(ERRORS),
    help="Lines on standard error for each violation: as compilers write them, as annotations of GitHub, or none.  "
    "[default: gcc; github in its actions]",
)
progress = click.option("--progress/--no-progress", default=True, help="Show on a terminal how a long run is going.")
max_depth = click.option(
    "--max-depth", type=int, callback=within(1, 2**31 - 1), metavar="N", help="At most N events per thread."
)


def nondet(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:  # noqa: ARG001
    """Accepts a range of numbers: `0..3`."""
    if value is None:
        return None
    low, dots, high = value.partition("..")
    try:
        found = int(low), int(high)
    except ValueError:
        raise click.BadParameter("a range is written LO..HI.") from None
    if not dots or found[0] > found[1]:
        raise click.BadParameter("a range is written LO..HI, the lesser number first.")
    return found


class OfPrograms(click.Command):
    """A command whose arguments are files; what is behind `--` are flags, as compilers take them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Takes the flags away."""
        if "--" in args:
            at = args.index("--")
            ctx.meta[FLAGS] = tuple(args[at + 1 :])
            args = args[:at]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options in groups, and the flags behind them."""
        given = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        named = {"help" if "--help" in param.opts else param.name: param for param in given}  # click has its own name
        records = {name: record for name, param in named.items() if (record := param.get_help_record(ctx))}
        groups = {title: [records.pop(name) for name in names if name in records] for title, names in GROUPS.items()}
        for title, rows in {"Options": list(records.values()), **groups}.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
        with formatter.section("Behind --"):
            formatter.write_text(
                "C: flags as compilers take them: -I -isystem -iquote -D -U -include -std. C++, Rust, C with --clang: "
                "all."
            )


FLAGS = "xgen.flags"
"""Where the context keeps what stands behind `--`."""


def c_programs(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of C programs, and further files. The command, an `OfPrograms`, gets those that are given as a
    dictionary `c_options`, for `xgen.load`; where no `model` is named, it is the language's, or a litmus test's own."""

    @wraps(command)
    def wrapped(*args: Any, **values: Any) -> Any:
        given = {name: values.pop(name) for name in C_OPTIONS}
        given["flags"] = click.get_current_context().meta.get(FLAGS, ())
        values["model"] = _model_of(values, given)
        checked, unchecked = given.pop("checks"), given.pop("unchecked")
        rules = given.pop("races")
        if rules == "none":
            unchecked = (*unchecked, "races")
        elif given["kernel"] and "races" in unchecked:
            raise click.UsageError("--kernel cannot be used with --no-check races: it has --races none.")
        if set(checked) & set(unchecked):
            raise click.UsageError("--check exit cannot be used with --no-check exit.")
        chosen = {name: value for name, value in given.items() if value or (name == "interrupts" and value == 0)}
        chosen |= {"races": rules} if rules == "kcsan" else {}
        chosen |= {_CHECKS[name]: True for name in checked} | {_CHECKS[name]: False for name in unchecked}
        return command(*args, c_options=chosen, **values)

    decorated: Callable[..., Any] = wrapped
    for option in reversed(_OF_C):
        decorated = option(decorated)
    return decorated


def _model_of(values: dict[str, Any], given: dict[str, Any]) -> str | None:
    """The model that is named, that of the machine (`--on`, which says the mapping as well), of C, or of the test."""
    model: str | None = values["model"]
    machine = given.pop("machine")
    name = values.get("program") or values.get("test") or _OF_PROJECT
    try:
        file = find_claim(name)
        task, test = is_task(file.name), file.suffix == ".litmus"
        is_c = task or file.suffix in COMPILED
        kernel = file.suffix in KERNELS
    except XgenError:
        if model is None and machine is None and name.endswith((*COMPILED, *KERNELS)):  # it needs no model
            raise
        task, test, is_c, kernel = False, False, machine is not None, False
    command = click.get_current_context().info_name
    if task and command not in ("check", "explain"):
        raise click.UsageError(f"{command} reads no tasks of SV-COMP: give it the program.")
    if machine is not None:
        if not is_c:
            raise click.UsageError("--on is for programs in C, C++ and Rust.")
        for other, name in ((model, "--mcm"), (given["map"], "--map")):
            if other is not None:
                raise click.UsageError(f"--on cannot be used with {name}: it says both.")
        given["map"] = machine
        if machine == EVERY_MACHINE and command != "check":
            raise click.UsageError("--on all is for `xgen check`: name one machine.")
        return EVERY_MACHINE if machine == EVERY_MACHINE else MACHINES[machine]
    if model is not None:
        return model
    if test:
        return _of_test(file)
    if kernel:
        return language_model(str(file), {"as_compiled": values.get("as_compiled")})
    return "sc" if task else language_model(str(file), given) if is_c else None


_OF_PROJECT = "-.rs"
"""Stands for the tests of a project, which are programs of Rust."""


def _of_test(file: Path) -> str:
    """The model of a litmus test's architecture."""
    from xgen.frontends.litmus import load_litmus  # long to import

    try:
        return load_litmus(file).model
    except XgenError:
        return "sc"  # the command reads it as well, and says what is wrong


C_OPTIONS = (
    "others",
    "build",
    "headers",
    "data_model",
    "machine",
    "defines",
    "undefines",
    "folders",
    "includes",
    "unroll",
    "nondet",
    "checks",
    "unchecked",
    "entry",
    "map",
    "weak_cas",
    "mixed_atomics",
    "spurious",
    "stubs",
    "arguments",
    "lock",
    "malloc",
    "reuse",
    "volatile",
    "property",
    "clang",
    "compiler",
    "kernel",
    "races",
    "interrupts",
)
OF_RUST = ("named_test", "constants", "cfgs", "features")
"""The options of tests, and of Rust programs."""
OF_KERNELS = ("launch", "final", "as_compiled", "vectors", "warp")
"""Those of kernels, in CUDA, HIP and PTX."""

GROUPS: dict[str, tuple[str, ...]] = {
    "The question": (
        *("model", "machine", "all_states", "liveness", "schedule", "leaks", "checks", "unchecked", "accept"),
        *("weaken", "coverage", "outcome"),
        *("calls", "before", "spec", "client", "ops", "one", "failures", "busy", "empty", "max_puts"),
    ),
    "Bounds": ("max_depth", "unroll", "timeout", "complete", "sample", "seed"),
    "C": C_OPTIONS,
    "CUDA, HIP, PTX": OF_KERNELS,
    "Tests": ("named_test", "list_tests", "constants"),
    "Rust": ("lib", "cfgs", "features"),
    "The answer": (
        *(
            "form",
            "explain",
            "quiet",
            "verbose",
            "full_witness",
            "color",
            "errors",
            "junit",
            "sarif",
            "progress",
            "html",
            "svg",
        ),
        *("dot", "tex", "show", "trace_limit", "help"),
    ),
    "Long runs": ("workers", "processes", "cluster", "memory_limit", "checkpoint", "estimate"),
    "For experts": ("engine", "classes", "cones", "symmetry", "no_spin", "filter", "dump"),
}
"""The options of commands on programs, as `--help` groups them; a command's own come first."""


def _names(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...] | None:  # noqa: ARG001
    """Names with commas between them."""
    return None if value is None else tuple(filter(None, (name.strip() for name in value.split(","))))


def _take_and_give(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, str] | None:  # noqa: ARG001
    """The names of the two functions of a lock."""
    from xgen.frontends.library.mutexes import taking_and_giving  # rarely asked for

    try:
        return None if value is None else taking_and_giving(value)
    except ValueError:
        raise click.BadParameter("it names two functions, as in --lock take=my_lock,give=my_unlock.") from None


def _words(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...] | None:  # noqa: ARG001
    """Words as a shell takes them."""
    from xgen.analyses.claims.options import split  # long to import, and rarely asked for

    try:
        return None if value is None else tuple(split(value))
    except UsageError as error:
        raise click.BadParameter(f"{error.message}.") from None


RULES_OF_C: tuple[Rule, ...] = (
    Excludes("clang", ("headers",), "a compiler reads the whole program, with the headers that it has"),
    Excludes(
        "kernel",
        (
            *(f"{option} {name}" for option in ("machine", "map") for name in (*MACHINES, EVERY_MACHINE, NO_MAP)),
            *("headers own", "headers cc", "clang", "compiler", "volatile relaxed", "data_model ilp32"),
        ),
        "the kernel's C has its own headers, and its own memory model",
    ),
    Needs("interrupts", ("kernel",), "they are the Linux kernel's"),
    *(
        Needs(f"races {word}", ("kernel",), "other programs have --no-check races")
        for word in ("lkmm", "kcsan", "none")
    ),
)
"""Which of the options of C programs exclude which."""
_CHECKS = {"exit": "exits", "overflow": "overflow", "races": "races"}
"""What --check and --no-check take, and the options of `xgen.load` that they are."""


def on_machine(*also: str) -> Decorator:
    """The option --on; `also`: what it may be beside the name of a machine."""
    return click.option(
        "--on",
        "machine",
        type=Machine([*MACHINES, *also]),
        help="C: on a machine: its model, with what compilers make of C for it (--mcm and --map in one)"
        + ("; all: on each of them." if also else "."),
    )


_OF_C = (
    click.argument("others", nargs=-1, metavar="[FILE]..."),
    on_machine(EVERY_MACHINE),
    click.option(
        "-p",
        "build",
        metavar="BUILD",
        help="C: the flags of each file are in this compile_commands.json, or folder. Rust: a cargo project.",
    ),
    click.option(
        "--headers",
        type=click.Choice(["own", "cc"]),
        help="C: xgen's headers, or those that a compiler finds (cc -E).  [default: own, if these are enough]",
    ),
    click.option(
        "--data-model",
        type=click.Choice(["lp64", "ilp32"]),
        help="C: long and pointers have 64 bits (lp64), or 32 as on 32-bit x86 (ilp32).  [default: lp64]",
    ),
    click.option(
        "-D", "defines", multiple=True, metavar="NAME[=TEXT]", help="Define a macro (C) or a constant (XCFA)."
    ),
    click.option("-U", "undefines", multiple=True, metavar="NAME", help="C: undefine a macro that xgen defines."),
    click.option("-I", "folders", multiple=True, metavar="DIR", help="C: look for headers there."),
    click.option("--include", "includes", multiple=True, metavar="FILE", help="C: read a file before the program."),
    click.option(
        "--unroll", type=int, callback=within(1, 2**31 - 1), metavar="N", help="At most N rounds of each loop."
    ),
    click.option(
        "--nondet", callback=nondet, metavar="LO..HI", help="C: the values of __VERIFIER_nondet_int and its like."
    ),
    click.option(
        "--check",
        "checks",
        multiple=True,
        type=click.Choice(["exit", "overflow"]),
        help="C: abort, exit(1) and the like are violations, also in programs for SV-COMP; so is signed overflow.",
    ),
    click.option(
        "--no-check",
        "unchecked",
        multiple=True,
        type=click.Choice(["exit", "races"]),
        help="C: abort, exit(1) and the like are no violations; or data races are none.",
    ),
    click.option(
        "--map",
        type=click.Choice([*MACHINES, NO_MAP]),
        help="C: as it is compiled for an architecture; none: the text as it stands, whatever orders the model knows.",
    ),
    click.option(
        "--mixed-atomics",
        is_flag=True,
        default=None,
        help="Atomic accesses of several sizes to the same bytes, under models of languages, too.",
    ),
    click.option("--weak-cas", is_flag=True, default=None, help="C: weak compare-exchanges may fail for no reason."),
    click.option(
        "--spurious",
        is_flag=True,
        default=None,
        help="Threads wake up from condition variables without a signal, too, and from Rust's `park`.",
    ),
    click.option(
        "--stub",
        "stubs",
        callback=_names,
        metavar="NAME[,NAME]",
        help="C: these functions, which have no body, do nothing; a number that they give is any of --nondet, else 0.",
    ),
    click.option(
        "--args",
        "arguments",
        callback=_words,
        metavar="WORDS",
        help="C: what the program is started with, as a shell takes it: --args '4 10'.",
    ),
    click.option(
        "--lock",
        callback=_take_and_give,
        metavar="take=NAME,give=NAME",
        help="C, C++: these two functions of the program are taken as a lock (of what their first argument leads to).",
    ),
    click.option(
        "--malloc",
        type=click.Choice(["fails"]),
        help="C, C++: malloc and its like, and new (std::nothrow), may also give a null pointer.",
    ),
    click.option(
        "--reuse",
        is_flag=True,
        help="C, C++: malloc, new and their like may also give memory again that was freed (ABA by the allocator).",
    ),
    click.option(
        "--volatile",
        type=click.Choice(["plain", "relaxed"]),
        help="C, C++: accesses of volatile objects are plain ones, or relaxed atomic ones.  [default: plain]",
    ),
    click.option(
        "--property",
        metavar="NAME",
        help="Of a task of SV-COMP (.yml): the property to check.  [default: the first that is known]",
    ),
    click.option("--kernel", metavar="TREE", help="C: as a part of the Linux kernel that is in this folder."),
    click.option(
        "--races",
        type=click.Choice(["lkmm", "kcsan", "none"]),
        help="With --kernel: warn of data races as the model has them, as KCSAN reports them, never.  [default: lkmm]",
    ),
    click.option(
        "--interrupts",
        type=click.IntRange(0),
        metavar="N",
        help="With --kernel: each handler that a driver names runs N times at most.  [default: 1]",
    ),
    click.option("--entry", metavar="NAME", help="C: start with this function instead of main."),
    click.option("--clang", is_flag=True, default=None, help="C: read it through a compiler, as C++ is read."),
    click.option(
        "--compiler",
        metavar="COMMAND",
        help="C++, Rust, C with --clang: this one, as clang++-19, 'rustc +1.90'.",
    ),
)


show = click.option(
    "--show",
    callback=_names,
    metavar="LIST",
    help="Relations to draw, such as po,rf,ctrl, or of the model; init: initial writes; implied: all pairs.",
)


USUAL = "C's rc11; C++20's and Rust's rc11-c20; CUDA's cuda; HIP's hip"


def mcm(meaning: str, required: bool = False) -> Decorator:
    """The option --mcm, a memory model by its name or its file; `required` of one that has a machine."""

    def given(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:  # noqa: ARG001
        if required and value is None:
            missing_machine()
        return value

    return click.option("--mcm", "model", metavar="MODEL", callback=given, help=meaning)


def missing_machine() -> NoReturn:
    """Says that --mcm is needed, where it has to be a model that has a machine."""
    raise click.UsageError("Missing option '--mcm': the memory model, one of sc, tso and pso.")


def missing_model() -> NoReturn:
    """Says that --mcm is needed, and what it may be. The program is read before: what is wrong with it comes first."""
    raise click.UsageError(
        "Missing option '--mcm': the memory model, such as --mcm sc or --mcm tso (that of x86).\n"
        "`xgen models list` has the others; a .mcm or .cat file will do, too."
    )


def limit(meaning: str, default: int, most: int = 10**9, what: str = "STATES") -> Decorator:
    """The option --limit, how many of something there may be."""
    return click.option(
        "--limit", type=int, callback=within(1, most), default=default, show_default=True, metavar=what, help=meaning
    )


def timeout(meaning: str, default: float | None = None) -> Decorator:
    """The option --timeout, a number of seconds."""
    return click.option(
        "--timeout",
        type=float,
        callback=positive,
        default=default,
        show_default=default is not None,
        metavar="S",
        help=meaning,
    )


_SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
LEAST_MEMORY = 100 << 20
"""What is used before anything is explored, and some room."""


def size(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:  # noqa: ARG001
    """Accepts sizes in bytes: `200M`, `8G`."""
    if value is None:
        return None
    found = re.fullmatch(r"([0-9]{1,15})([KMGT]?)(?:i?B)?", value.strip(), re.IGNORECASE)
    if found is None:
        raise click.BadParameter("a size is a number with K, M, G or T behind it: 200M.")
    number = int(found[1]) * _SIZES[found[2].upper()]
    if number < LEAST_MEMORY:
        raise click.BadParameter(f"{value} is too little: it takes {LEAST_MEMORY >> 20}M at least.")
    return number


def long_runs(meaning: str, *also: str) -> Decorator:
    """The options of long runs; `also`: further names of --processes."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(
            (
                click.option(
                    "--processes", *also, "processes", type=int, callback=within(1, 256), metavar="N", help=meaning
                ),
                click.option("--cluster", metavar="ADDRESS", help="Let the workers of a scheduler of Dask do it."),
                click.option("--memory-limit", callback=size, metavar="SIZE", help="For all processes: 200M, 8G."),
            )
        ):
            command = option(command)
        return command

    return decorate


checkpoint = click.option(
    "--checkpoint", type=PATH, metavar="FILE", help="Write the run there: `xgen resume FILE` resumes it."
)


EITHER = (Excludes("processes", ("cluster",), "it is the one or the other that does it"),)
"""What excludes what among the options of `long_runs`."""


def for_load(
    names: Sequence[str], decorators: Sequence[Decorator], said: Callable[[dict[str, Any]], dict[str, Any]]
) -> Decorator:
    """Options of these names, of which what is `said` goes into `c_options`, for `xgen.load`."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def wrapped(*args: Any, **values: Any) -> Any:
            values["c_options"] |= said({name: values.pop(name) for name in names})
            return command(*args, **values)

        decorated: Callable[..., Any] = wrapped
        for option in reversed(decorators):
            decorated = option(decorated)
        return decorated

    return decorate


_OF_RUST = (
    click.option(
        "--test",
        "named_test",
        multiple=True,
        callback=one_test,
        metavar="NAME",
        help="Rust, C++: this test, by the name that its framework prints, or all of the module or suite of that name, "
        "or all that a pattern names, such as 'Queue.*'.",
    ),
    click.option(
        "--set",
        "constants",
        multiple=True,
        metavar="NAME[:LINE]=VALUE",
        help="C, C++, Rust: a constant of the text (const, constexpr, enum, #define) has this value instead; of "
        "several with that name, the one of that line.",
    ),
    click.option(
        "--cfg",
        "cfgs",
        multiple=True,
        metavar="NAME",
        help="Rust: this is set, as rustc takes it: loom, 'feature=\"x\"'.",
    ),
    click.option(
        "--features", callback=_names, metavar="LIST", help="Rust: of the cargo project, as cargo takes them."
    ),
)


_OF_KERNELS = (
    click.option(
        "--launch",
        metavar="LAUNCH",
        help="CUDA, HIP: what runs, such as 'sum<<<2,2>>>(in[4]={1,2,3,4}, out[1], &flag, 3)'; else the text says it.",
    ),
    click.option("--final", metavar="CONDITION", help="CUDA, HIP: what holds in the end, such as 'out == 10'."),
    click.option(
        "--as-compiled",
        is_flag=True,
        default=None,
        help="CUDA: what the compiler makes of it, optimised, under ptx: values and waiting, no data races.",
    ),
    click.option(
        "--vectors",
        type=click.Choice(["whole", "parts"]),
        help="CUDA: an access of several numbers is one (whole), as hardware has it, or one of each, as PTX says.  "
        "[default: whole]",
    ),
    click.option("--warp", type=int, callback=within(1, 32), metavar="N", help="CUDA: lanes of a warp.  [default: 32]"),
)


def _of_rust(given: dict[str, Any]) -> dict[str, Any]:
    """The options of tests and of Rust programs that are given, as `xgen.load` calls them."""
    return {"test" if name == "named_test" else name: value for name, value in given.items() if value}


def _of_kernels(given: dict[str, Any]) -> dict[str, Any]:
    """The options of kernels that are given."""
    return {name: value for name, value in given.items() if value is not None}


rust_programs = for_load(OF_RUST, _OF_RUST, _of_rust)
"""The options of tests and of Rust programs."""
kernels = for_load(OF_KERNELS, _OF_KERNELS, _of_kernels)
"""Those of kernels, in CUDA, HIP and PTX."""


def refuse(rules: Iterable[Rule], names: Mapping[str, str] = {}, more: Mapping[str, str] = {}) -> None:
    """Refuses options of the present command that cannot be used together. `names`: what the rules call others; `more`:
    what else is asked for that the rules know, and what that is called."""
    context = click.get_current_context()
    own = {names.get(param.name or "", param.name or ""): param for param in context.command.params}
    flags: dict[str, str] = dict(more)
    for name, param in own.items():
        value = context.params.get(param.name or "")
        is_off = value is False and param.default is None  # what is on by itself elsewhere
        if not is_off and value not in (None, (), param.get_default(context)):
            behind = f" {value}" if isinstance(param.type, click.Choice) else ""
            flags[name + behind] = _flag(param, value) + behind
    if (why := refusal(rules, flags, lambda name: flags.get(name) or _flag(own[name]))) is not None:
        raise click.UsageError(f"{why}.")


def _flag(param: click.Parameter, value: object = None) -> str:
    """What the user calls an option, or an argument."""
    if isinstance(param, click.Argument):
        return (param.metavar or param.name or "").strip("[].")
    return max(param.secondary_opts if value is False else param.opts, key=len)


def workers(meaning: str) -> Decorator:
    """The option --workers, a number of threads or processes."""
    return click.option(
        "--workers", type=int, callback=within(1, 256), default=1, show_default=True, metavar="N", help=meaning
    )
