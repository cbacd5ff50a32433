"""`xgen linearizable`: is a data structure right, whatever its client is?"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import xgen
from xgen.cli import files, options, output
from xgen.cli.progress import PATIENCE, progress_line
from xgen.cli.shared import failures, pictures
from xgen.clock import Clock, time_limit
from xgen.exclusions import Excludes
from xgen.frontends.language import language_model

if TYPE_CHECKING:
    from xgen.analyses.linearizability.search import Linearizability
    from xgen.memory.algebra import Model
    from xgen.views.findings import Form

EPILOG = """\b
Examples:
  xgen linearizable queue.c
  xgen linearizable queue.c --spec queue --mcm tso --calls 3
  xgen linearizable ring.c --one push --one pop --failures stale
  xgen linearizable stack.c --client "pop | pop push push" --write client.c

\b
Exit codes:
  0  linearizable, as far as clients go
  1  not linearizable, or another violation
  2  bad usage or input
  3  no answer: interrupted, out of time, or no execution of a client comes to its end
"""

RULES = (
    Excludes("quiet", ("full_witness",), "there is no execution then"),
    Excludes("client", ("calls", "max_puts"), "it is the only client, whatever its size"),
)
"""Which options exclude which."""


@click.command(
    "linearizable",
    cls=options.OfPrograms,
    short_help="Say whether the data structure in a file of C, C++ or Rust is right.",
    epilog=EPILOG,
    options_metavar="[OPTIONS]",
)
@click.argument("program", metavar="FILE")
@options.mcm(f"The memory model: a .mcm or .cat file, or the name of a shipped one.  [default: {options.USUAL}]")
@click.option(
    "--spec",
    metavar="SPEC",
    help="What is right: queue, stack, deque, set, register, counter; queue:4, of at most 4 values; FILE.c, sequential "
    "C with the same functions; FILE.py:CLASS.  [default: FILE itself, with a lock around each call]",
)
@click.option(
    "--calls", type=int, default=4, show_default=True, metavar="N", help="Clients with up to N calls in threads."
)
@click.option("--before", type=int, default=1, show_default=True, metavar="N", help="And up to N puts before these.")
@click.option(
    "--failures",
    type=click.Choice(["exact", "stale", "contended"]),
    default="exact",
    show_default=True,
    help="How calls that fail are judged: as all others; they may have seen fewer calls than there were; they may "
    "fail for no reason while another call is under way.",
)
@click.option(
    "--one", multiple=True, metavar="OPS", help="Calls of OPS (push,take) are made by one thread. Can be repeated."
)
@click.option("--busy", type=int, metavar="VALUE", help="What a call returns that says: somebody was in the way.")
@click.option(
    "--empty", type=int, metavar="VALUE", help="What a get returns where there is nothing.  [default: it is tried]"
)
@click.option("--max-puts", type=int, metavar="N", help="No client puts more than N values.")
@click.option(
    "--ops",
    metavar="LIST",
    help="Names of operations: put=send,get=receive; also key=, add=, do= (docs/linearizable.md).",
)
@click.option("--client", metavar="CALLS", help='Only this client, such as "push pop | pop".')
@click.option("--write", type=options.PATH, metavar="FILE", help="Write the client that fails as a C program.")
@click.option(
    "--svg",
    type=options.PATH,
    metavar="DIR",
    help="Draw what goes wrong: history.svg (the calls) and witness.svg.",
)
@click.option("--html", type=options.PATH, metavar="FILE", help="Write what goes wrong as a page: calls and execution.")
@click.option("--quiet", "-q", is_flag=True, help="Print the verdict only.")
@click.option("--full-witness", is_flag=True, help="Show the execution with all its events.")
@options.timeout("Stop after S seconds.")
@options.form
@options.errors
@options.progress
@options.c_programs
@click.pass_context
def command(
    ctx: click.Context,
    /,
    program: str,
    model: str | None,
    write: Path | None,
    svg: Path | None,
    html: Path | None,
    quiet: bool,
    full_witness: bool,
    timeout: float | None,
    form: str,
    errors: Form | None,
    progress: bool,
    c_options: dict[str, Any],
    **asked: Any,
) -> None:
    """Say whether a data structure in C, C++ or Rust is right under a memory model.

    FILE has functions such as push and pop, and no main. Clients of a few calls are made of them, all there are; each
    is explored, and what the calls return is compared with what they may return one after the other.
    """
    from xgen.views.answers import linearizable as view

    options.refuse(RULES)
    asked_model = xgen.model(model or language_model(program, c_options) or "rc11")
    clock = Clock(timeout)
    for file in filter(None, (write, html)):
        files.prepare(file)
    if svg is not None:
        pictures.prepare(svg)
    line = progress_line(progress)

    def report(text: str) -> None:
        if line is not None and clock.seconds > PATIENCE:
            line.say(text)

    with time_limit(clock.hard), line or nullcontext():
        answer = xgen.linearizable(
            program, model=asked_model, timeout=clock.left(), on_progress=report, **asked, **c_options
        )
    _write(answer, asked_model, write, svg, html, full_witness)
    failures.print_beside(view.findings(answer), errors, shown=form != "json" and not quiet)
    if form == "json":
        output.emit(view.render_json(answer, [program, *c_options.get("others", ())]))
    elif quiet:
        output.emit(view.verdict_line(answer))
    else:
        output.emit(view.render(answer, output.terminal_paint(), full_witness=full_witness))
    ctx.exit({"linearizable": 0, "interrupted": 3}.get(answer.verdict, 1))


def _write(
    answer: Linearizability, model: Model, client: Path | None, svg: Path | None, html: Path | None, full_witness: bool
) -> None:
    """The files that were asked for. Where nothing is wrong there are none, and those of an earlier run go: a fault of
    yesterday must not be taken for one of today."""
    from xgen.views.answers import linearizable as view

    wrong = answer.wrong
    if svg is not None:
        pictures.clear(svg, "svg")
        if wrong is not None:
            files.write(svg / "history.svg", view.timeline(answer))
            pictures.write_witness(wrong.witness, svg, "svg", {}, full_witness=full_witness)
    if client is not None and wrong is not None:
        files.write(client, wrong.text(client.parent))
    if html is not None and wrong is not None and wrong.witness is not None:
        files.write(html, view.to_html(answer, model))
    elif html is not None:
        html.unlink(missing_ok=True)
