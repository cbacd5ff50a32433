"""The manual page: the commands and their options, as `--help` and the site have them."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator

import click

from xgen.version import __version__


def man_page(group: click.Group, commands: Iterable[tuple[str, click.Command]]) -> str:
    """The page as roff, for `man`."""
    lines = [
        f'.TH XGEN 1 "" "xgen {__version__}" "User Commands"',
        ".SH NAME",
        f"xgen \\- {_escaped(_text(group).splitlines()[0].rstrip('.').lower())}",
        ".SH SYNOPSIS",
        ".B xgen",
        "COMMAND [OPTIONS] [ARGUMENTS]",
        ".SH COMMANDS",
    ]
    for name, command in commands:
        lines += _command(name, command)
    lines += [
        ".SH EXIT STATUS",
        *_pre("0 safe, 1 violation, 2 bad usage or input, 3 no answer, 4 an error in xgen itself"),
    ]
    return "\n".join(lines)


def _command(name: str, command: click.Command) -> Iterator[str]:
    context = command.context_class(command, info_name=name, **command.context_settings)
    yield f".SS {_escaped(name)}"
    yield f".B {_escaped(' '.join((name, *command.collect_usage_pieces(context))))}"
    for paragraph in _text(command).split("\n\n"):
        yield from (".PP", _escaped(" ".join(paragraph.split())))
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield from (".TP", f".B {_escaped(record[0])}", _escaped(" ".join(record[1].split())))
    if command.epilog:
        yield from (".PP", *_pre(command.epilog.replace("\b\n", "")))


def _text(command: click.Command) -> str:
    return inspect.cleandoc(command.help or "")


def _pre(text: str) -> list[str]:
    """Lines as they are."""
    return [".nf", *map(_escaped, inspect.cleandoc(text).splitlines()), ".fi"]


def _escaped(text: str) -> str:
    """A line of text that means nothing else to roff."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
