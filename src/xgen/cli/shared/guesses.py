"""What people type who know other tools: the options and commands of ours that do it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:  # which older versions of click do not say of what
    _Choice = click.Choice

MODEL = "the memory model is named by {--mcm}"
MACHINE = "{--on} names the machine, such as --on armv8"
BOUND = "{--unroll} bounds the rounds of each loop", "{--max-depth} the events of each thread"
WORKERS = "{--workers} is how many threads explore", "{--processes} how many processes"
JSON = "{--format} json prints the answer as JSON"
FILES = (f"{JSON} (> FILE)", "{--sarif} FILE writes SARIF", "{--junit} FILE JUnit's XML", "{--svg} FOLDER a picture")

OPTIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("--model", "--memory-model", "--memory", "--cat", "-m"), (MODEL,)),
    **dict.fromkeys(
        ("--arch", "--architecture", "--target", "--cpu", "--machine", "--march", "--mcpu", "--platform"),
        (MACHINE, MODEL),
    ),
    **dict.fromkeys(
        ("--bound", "--unwind", "--depth", "--loop-bound", "--rounds", "--max-rounds", "--unrolling", "-k"), BOUND
    ),
    **dict.fromkeys(("-j", "--jobs", "--threads", "--parallel", "--nproc", "--cores"), WORKERS),
    **dict.fromkeys(("--json", "--as-json"), (JSON,)),
    **dict.fromkeys(("-o", "--output", "--out", "--report", "--xml"), FILES),
    **dict.fromkeys(("--latex", "--tikz", "--pdf"), ("{--tex} FILE writes a picture for LaTeX", "{--svg} FOLDER one")),
    **dict.fromkeys(("--png", "--graph", "--draw", "--image"), ("{--svg} FOLDER draws it", "{--html} FILE, too")),
    **dict.fromkeys(
        ("--race", "--datarace", "--data-races"),
        ("data races are looked for wherever the model has them; {--no-check} races does not",),
    ),
    **dict.fromkeys(
        ("--deadlock", "--deadlocks", "--livelock", "--progress-check", "--termination"),
        ("{--liveness} looks for threads that wait for ever",),
    ),
    **dict.fromkeys(("--function", "--main", "--start"), ("{--entry} names the function to start with",)),
    **dict.fromkeys(("--seconds", "--time", "--time-limit", "-t"), ("{--timeout} S stops after S seconds",)),
    **dict.fromkeys(("--memory-max", "--max-memory", "--mem", "--memlimit"), ("{--memory-limit} SIZE, such as 8G",)),
    **dict.fromkeys(
        ("--all", "--exhaustive", "--all-executions", "--keep-going"),
        ("{--all-states} goes on behind the first violation",),
    ),
    **dict.fromkeys(("--random", "--simulate"), ("{--sample} N takes N executions at random",)),
    **dict.fromkeys(("--define", "--macro"), ("{-D} NAME=TEXT defines a macro",)),
    **dict.fromkeys(
        ("--trace", "--witness", "--counterexample"),
        ("the execution that goes wrong is printed; {--full-witness} prints all of it",),
    ),
    **dict.fromkeys(
        ("--gtest_filter", "--gtest-filter", "--tests", "--test-case", "--run-test"),
        ("{--test} NAME checks one test, {--test} 'Queue.*' all of such a name",),
    ),
    **dict.fromkeys(("--kernel-tree", "--linux"), ("{--kernel} TREE reads files of the Linux kernel",)),
    **dict.fromkeys(("--grid", "--block", "--blocks"), ("{--launch} 'NAME<<<GRID,BLOCK>>>(ARGUMENTS)'",)),
    **dict.fromkeys(("--silent",), ("{--quiet} prints the verdict only",)),
    **dict.fromkeys(("--debug",), ("{--verbose} says more",)),
}
"""By what is typed: sentences of what does it. An option of ours stands in braces; a sentence whose option the command
does not have is not said."""

MACHINES = {
    "x86": "x86-64|amd64|x64|i[3-6]86|ia32|intel|amd|tso|x86",
    "armv8": "arm64|aarch64|arm-?v?8(.*a)?|arm|apple|m[1-9]",
    "armv7": "arm-?v?7.*|arm32|aarch32|armhf",
    "power": "p(ower)?pc(64)?(le)?|power ?(pc)?[0-9]*|ppc(64)?(le)?",
    "riscv": "risc-?v(32|64)?|rv(32|64).*",
}
"""By what xgen calls machines: what others call them."""

COMMANDS = {
    "help": "`xgen --help` lists the commands, `xgen COMMAND --help` the options of one",
    "version": "`xgen --version`",
    "man": "`xgen --man | man -l -`",
    **dict.fromkeys(("run", "verify", "analyze", "analyse", "model-check"), "`xgen check PROGRAM`"),
    "list": "`xgen models list`, or `xgen COMMAND --help`",
    "herd": "`xgen litmus PATH --format herd`",
    "diff": "`xgen compare MODEL MODEL`",
    **dict.fromkeys(("draw", "dot", "graph"), "`xgen show PROGRAM`, or `xgen check PROGRAM --svg FOLDER`"),
    "playground": "`xgen serve --open`",
    "fence": "`xgen fences PROGRAM`",
}
"""By what is typed where a command belongs: what does it."""

FLAG = re.compile(r"-(O|W|std|f|g|l|L|m|pthread|pedantic|ansi|w|i|s|x|c)")
"""How flags of compilers begin that xgen does not have itself."""


def answered(error: click.NoSuchOption, typed: Sequence[str]) -> click.UsageError:
    """The error that also says what does it, where that is known; `typed` are the words of the command line."""
    meant = of_option(error, typed)
    return error if meant is None else click.UsageError(f"No such option '{error.option_name}': {meant}.", error.ctx)


def of_option(error: click.NoSuchOption, typed: Sequence[str]) -> str | None:
    """What an option that is not there should be, if that is known. `typed`: the words of the command line."""
    if error.ctx is None:
        return None
    name = error.option_name
    known = {option for param in error.ctx.command.params for option in (*param.opts, *param.secondary_opts)}
    flag = next((word for word in typed if word.startswith(name) and FLAG.match(word)), None)
    if flag is not None and "-D" in known and (flag != name or name not in OPTIONS):
        return f"flags for the compiler stand at the end, behind `--`: xgen {error.ctx.command.name} FILE -- {flag}"
    said = [_plain(sentence) for sentence in OPTIONS.get(name, ()) if _option_of(sentence) in known]
    return "; ".join(said) or _of_check(error.ctx, name)


def _of_check(context: click.Context, name: str) -> str | None:
    """What is said of an option that is one of `xgen check`, and not of the present command."""
    root = context.find_root()
    check = root.command.get_command(root, "check") if isinstance(root.command, click.Group) else None
    if check is None or not any(name in param.opts for param in check.params):
        return None
    return "it is one of `xgen check`, and this command does without it"


class Machine(_Choice):
    """The name of a machine, and what is meant by another name of it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name. Fails where there is no such machine."""
        plain = str(value).lower().replace("_", "-")
        meant = next((name for name, others in MACHINES.items() if re.fullmatch(others, plain)), None)
        if value not in self.choices and meant in self.choices:
            self.fail(f"{value!r} is called {meant} here: --on {meant}", param, ctx)
        return super().convert(value, param, ctx)


def _option_of(sentence: str) -> str:
    return sentence.partition("{")[2].partition("}")[0]


def _plain(sentence: str) -> str:
    return sentence.replace("{", "").replace("}", "")


def one_test(context: click.Context, param: click.Parameter, names: tuple[str, ...]) -> str | None:
    """The name behind --test, of which there is one."""
    if len(names) > 1:
        hint = "a pattern names several, such as --test 'Queue.*', as does the name of their suite or module"
        raise click.BadParameter(f"it is given {len(names)} times; {hint}", context, param)
    return names[0] if names else None
