"""What people type who know other tools: the options and commands of ours that do it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

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
    **dict.fromkeys(("--silent",), ("{--quiet} prints the verdict only",)),
    **dict.fromkeys(("--debug",), ("{--verbose} says more",)),
}
"""By what is typed: sentences of what does it. An option of ours stands in braces; a sentence whose option the command
does not have is not said."""

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
    return "; ".join(said) or None


def _option_of(sentence: str) -> str:
    return sentence.partition("{")[2].partition("}")[0]


def _plain(sentence: str) -> str:
    return sentence.replace("{", "").replace("}", "")
