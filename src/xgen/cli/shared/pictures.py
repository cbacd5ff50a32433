"""The files that `--dot`, `--svg`, `--tex` and `--html` write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from xgen.cli import files
from xgen.cli import options as shared
from xgen.clock import Clock
from xgen.errors import UsageError, nearest
from xgen.exclusions import Excludes, Needs
from xgen.executions.execution import Execution
from xgen.executions.result import Result
from xgen.memory.algebra import Model
from xgen.views.words import plural

if TYPE_CHECKING:
    from xgen.executions.proof import Proof

Form = Literal["dot", "svg"]
Wanted = Mapping[str, Any]
"""What a drawing shows: the arguments of the functions that draw; the pairs of the model's relations by execution."""
OURS = r"(witness|history|\d{4,})\.(dot|svg)"
"""The names of the files that are written."""

PICTURES, PAGE = 1000, 10_000
"""Executions that are drawn, each in a file; and those in a page, which takes up to a hundred thousand."""


FILES = ("dot", "svg", "html", "tex")
"""The options that name what is written; DRAWN: of these, the drawings."""
DRAWN = ("dot", "svg", "tex")
RULES = (
    Needs("show", DRAWN, "it says what is drawn there"),
    Excludes("quiet", ("full_witness",), "only drawings have a witness then", unless=DRAWN),
)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a command that draws what a check has found. It gets them as `drawings`, which are `Drawings`."""

    @wraps(command)
    def wrapped(*args: Any, **values: Any) -> Any:
        own = {name: values.pop(name) for name in (*FILES, "full_witness", "show", "trace_limit")}
        return command(*args, drawings=Drawings(*own.values()), **values)

    for option in reversed(
        (
            click.option(
                "--dot",
                type=shared.PATH,
                metavar="DIR",
                help="Write pictures (Graphviz): the violating execution, or all with --all-states.",
            ),
            click.option("--svg", type=shared.PATH, metavar="DIR", help="The same, drawn as SVG."),
            shared.show,
            click.option("--html", type=shared.PATH, metavar="FILE", help="Write the executions as a page to explore."),
            click.option(
                "--tex",
                type=shared.PATH,
                metavar="FILE",
                help="Write the violating execution as TikZ, for a paper that says \\input{FILE}.",
            ),
            click.option(
                "--trace-limit",
                type=int,
                callback=shared.within(0, 10**9),
                metavar="N",
                help=f"At most N executions in pictures and pages.  [default: {PICTURES}, with --html only {PAGE}]",
            ),
            click.option(
                "--full-witness", is_flag=True, help="Show all events of the violating execution, not only the cause."
            ),
        )
    ):
        wrapped = option(wrapped)
    return wrapped


class Drawings:
    """The pictures and the page of a check that were asked for."""

    def __init__(
        self,
        dot: Path | None,
        svg: Path | None,
        page: Path | None,
        tex: Path | None,
        full_witness: bool = False,
        show: tuple[str, ...] | None = None,
        limit: int | None = None,
    ) -> None:
        forms: dict[Form, Path | None] = {"dot": dot, "svg": svg}
        self.folders = {form: folder for form, folder in forms.items() if folder is not None}
        self.page, self.tex = page, tex
        self.full_witness = full_witness
        self.show = show
        self._limit = (PAGE if page and not self.folders else PICTURES) if limit is None else limit

    @property
    def asked(self) -> bool:
        """Whether anything is to be drawn."""
        return self.page is not None or self.tex is not None or bool(self.folders)

    def executions(self, all_states: bool) -> int:
        """How many executions are needed other than the violating one, at most."""
        return self._limit if self.page is not None or (self.folders and all_states) else 0

    def prepare(self) -> None:
        """See that all of them can be written, so that a long run does not end in vain. Raises UsageError."""
        for folder in self.folders.values():
            prepare(folder)
        for file in filter(None, (self.page, self.tex)):
            files.prepare(file)

    def drawn(self, model: Model) -> Wanted:
        """What of executions is drawn. Raises UsageError for a relation that there is none of."""
        return wanted(self.show, model)

    def write_proof(self, proof: Proof, model: Model) -> Iterator[str]:
        """Write the violation that a proof has ended in, and say of each file in a sentence what was written."""
        for form, folder in self.folders.items():
            clear(folder, form)
            yield write_witness(proof.witness, folder, form, self.drawn(model), full_witness=self.full_witness)
        if self.page is not None and proof.witness is None:
            yield f"no violation to draw: {self.page} was not written"
        elif self.page is not None:
            from xgen.views.answers.prove import proof_to_html

            files.write(self.page, proof_to_html(proof, model))
            yield f"the violating execution was written to {self.page}"

    def write(self, result: Result, model: Model, clock: Clock) -> Iterator[str]:
        """Write them, one after the other, and say of each in a sentence what was written."""
        for form, folder in self.folders.items():
            yield write(result, folder, form, clock, self.drawn(model), full_witness=self.full_witness)
        if self.page is not None:
            yield write_page(result, model, self.page, clock)
        if self.tex is not None:
            yield write_tex(result.witness, self.tex, self.drawn(model), full_witness=self.full_witness)


def wanted(show: tuple[str, ...] | None, model: Model | None) -> Wanted:
    """What `--show` asks for; relations of the model by their names there. Raises UsageError for other names."""
    if show is None:
        return {}
    from xgen.views.drawing.picture import EXTRAS, MEANINGS
    from xgen.views.drawing.relations import derived_pairs, derived_terms

    known = [*MEANINGS, *EXTRAS, *(derived_terms(model) if model else ())]
    for name in show:
        if name not in known:
            raise UsageError(f"there is no relation `{name}` to show", hint=nearest(name, known))
    if model is None:
        return {"show": show}
    return {"show": show, "relations": lambda execution: derived_pairs(execution, model, show)}


def options_for(execution: Execution, drawn: Wanted) -> dict[str, Any]:
    """The arguments for a drawing of an execution."""
    return {name: value(execution) if name == "relations" else value for name, value in drawn.items()}


def prepare(folder: Path) -> None:
    """Create the folder and see that files can be written there. Raises UsageError where this is not so."""
    import tempfile  # long to import

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (FileExistsError, NotADirectoryError):
        raise UsageError("pictures need a folder, and this is a file", file=str(folder)) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the path
        raise files.unwritable(folder, error) from None


def write(result: Result, folder: Path, form: Form, clock: Clock, drawn: Wanted, *, full_witness: bool = False) -> str:
    """Write the result's executions to a folder made by `prepare`, and say in a sentence what was written.

    The violating execution is cut to the cause of the violation unless `full_witness`; with `all_states` none is.
    Pictures of an earlier run are removed first: a violation of yesterday must not be taken for one of today.
    """
    clear(folder, form)
    if result.all_states:
        return _write_all(result, folder, form, clock, drawn)
    return write_witness(result.witness, folder, form, drawn, full_witness=full_witness)


def write_witness(
    witness: Execution | None, folder: Path, form: Form, drawn: Wanted, *, full_witness: bool = False
) -> str:
    """Write a violating execution, if there is one; of one that breaks a requirement of final states, all of it."""
    if witness is None:
        return f"no violation to draw: nothing was written to {folder}"
    path = folder / f"witness.{form}"
    shown = witness if full_witness else witness.drawn
    files.write(path, _drawing(form)[0](shown, **options_for(shown, drawn)))
    return f"the violating execution was written to {path}"


def write_tex(witness: Execution | None, file: Path, drawn: Wanted, *, full_witness: bool = False) -> str:
    """Write a violating execution for TeX, if there is one, and say in a sentence what was written."""
    if witness is None:
        return f"no violation to draw: {file} was not written (`xgen explain --tex` draws outcomes)"
    from xgen.views.drawing.tikz import execution_to_tikz

    shown = witness if full_witness else witness.drawn
    files.write(file, execution_to_tikz(shown, **options_for(shown, drawn)))
    return f"the violating execution was written to {file}"


def write_page(result: Result, model: Model, file: Path, clock: Clock) -> str:
    """Write the result's executions as a page, and say in a sentence what was written."""
    from xgen.views.pages.html import result_to_html

    files.write(file, result_to_html(result, model, clock.over))
    return f"the executions were written to {file}"


def _write_all(result: Result, folder: Path, form: Form, clock: Clock, drawn: Wanted) -> str:
    digits = max(4, len(str(len(result.traces))))
    draw, _ = _drawing(form)
    violating = []
    written = 0
    for number, execution in enumerate(result.traces, start=1):
        if written and clock.over():
            break
        path = folder / f"{number:0{digits}d}.{form}"
        files.write(path, draw(execution, **options_for(execution, drawn)))
        written = number
        if execution.violations:
            violating.append(path.name)
    total = result.executions + result.blocked + result.bounded
    early = ", then the time was over" if written < len(result.traces) else ""
    text = f"{written} of {plural(total, 'execution')} written to {folder}{early}"
    if violating:
        more = f" and {len(violating) - 3} more" if len(violating) > 3 else ""
        text += f" (with a violation: {', '.join(violating[:3])}{more})"
    return text


def clear(folder: Path, form: Form) -> None:
    """Remove pictures of an earlier run: one of yesterday must not be taken for one of today."""
    try:
        _remove_old(folder, form)
    except OSError as error:
        raise files.unwritable(folder, error) from None


def _remove_old(folder: Path, form: Form) -> None:
    """Remove files that have our names and begin as ours do; others are not ours to touch."""
    signature = _drawing(form)[1].encode()
    for path in folder.iterdir():
        if re.fullmatch(OURS, path.name) and path.suffix == f".{form}" and path.is_file():
            with path.open("rb") as file:
                if file.read(len(signature)) != signature:
                    continue
            path.unlink()


def _drawing(form: Form) -> tuple[Callable[..., str], str]:
    """What draws an execution, and how the files with its drawings begin."""
    if form == "dot":
        from xgen.views.drawing import dot

        return dot.execution_to_dot, dot.SIGNATURE
    from xgen.views.drawing import svg

    return svg.execution_to_svg, svg.SIGNATURE
