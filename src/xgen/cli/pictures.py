"""The files that `--dot`, `--svg` and `--html` write."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from xgen.errors import UsageError
from xgen.executions.execution import Execution
from xgen.executions.result import Result
from xgen.memory.algebra import Model
from xgen.views.words import plural

Form = Literal["dot", "svg"]
OURS = re.compile(r"(witness|\d{4,})\.(dot|svg)")
"""The names of the files that are written."""


def prepare(folder: Path) -> None:
    """Create the folder and see that files can be written there, so that a long run does not end in vain.

    Raises UsageError where this is not so.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (FileExistsError, NotADirectoryError):
        raise UsageError("pictures need a folder, and this is a file", file=str(folder)) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the path
        raise _unwritable(folder, error) from None


def write(result: Result, folder: Path, form: Form, *, full_witness: bool = False) -> str:
    """Write the result's executions to a folder made by `prepare`, and say in a sentence what was written.

    The violating execution is cut to the cause of the violation unless `full_witness`; with `all_states` none is.
    Pictures of an earlier run are removed first: a violation of yesterday must not be taken for one of today.
    """
    try:
        _remove_old(folder, form)
        if result.all_states:
            return _write_all(result, folder, form)
        if result.witness is None:
            return f"no violation to draw: nothing was written to {folder}"
        path = folder / f"witness.{form}"
        witness = result.witness if full_witness else result.witness.only(result.witness.cause)
        path.write_text(_drawing(form)[0](witness), encoding="utf-8")
        return f"the violating execution was written to {path}"
    except OSError as error:
        raise _unwritable(folder, error) from None


def prepare_page(file: Path) -> None:
    """See that a file can be written, so that a long run does not end in vain. Raises UsageError where it cannot be."""
    try:
        with file.open("a", encoding="utf-8"):
            pass
    except (OSError, ValueError) as error:
        raise _unwritable(file, error) from None


def write_page(result: Result, model: Model, file: Path) -> str:
    """Write the result's executions as a page, and say in a sentence what was written."""
    from xgen.views.html import result_to_html

    try:
        file.write_text(result_to_html(result, model), encoding="utf-8")
    except OSError as error:
        raise _unwritable(file, error) from None
    return f"the executions were written to {file}"


def _write_all(result: Result, folder: Path, form: Form) -> str:
    digits = max(4, len(str(len(result.traces))))
    draw, _ = _drawing(form)
    violating = []
    for number, execution in enumerate(result.traces, start=1):
        path = folder / f"{number:0{digits}d}.{form}"
        path.write_text(draw(execution), encoding="utf-8")
        if execution.violations:
            violating.append(path.name)
    total = result.executions + result.blocked + result.bounded
    text = f"{len(result.traces)} of {plural(total, 'execution')} written to {folder}"
    if violating:
        more = f" and {len(violating) - 3} more" if len(violating) > 3 else ""
        text += f" (with a violation: {', '.join(violating[:3])}{more})"
    return text


def _remove_old(folder: Path, form: Form) -> None:
    """Remove files that have our names and begin as ours do; others are not ours to touch."""
    signature = _drawing(form)[1].encode()
    for path in folder.iterdir():
        if OURS.fullmatch(path.name) and path.suffix == f".{form}" and path.is_file():
            with path.open("rb") as file:
                if file.read(len(signature)) != signature:
                    continue
            path.unlink()


def _drawing(form: Form) -> tuple[Callable[[Execution], str], str]:
    """What draws an execution, and how the files with its drawings begin."""
    if form == "dot":
        from xgen.views import dot

        return dot.execution_to_dot, dot.SIGNATURE
    from xgen.views import svg

    return svg.execution_to_svg, svg.SIGNATURE


def _unwritable(folder: Path, error: OSError | ValueError) -> UsageError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UsageError(f"pictures cannot be written here: {reason}", file=str(folder))
