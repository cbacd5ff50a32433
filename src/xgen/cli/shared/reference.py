"""docs/options.md: every option with its default, made of the commands, so that it says what they do."""

from __future__ import annotations

import re

import click

from xgen.cli import every_command, main, options

PAGE = "docs/options.md"
OF_PROGRAMS = "`check`, `explain`, `fences`, `linearizable`, `prove`"
"""The commands that have the options of C programs."""
_SAID = re.compile(r"\s*\[default: (.*?)\]")


def page() -> str:
    """The text of the page."""
    rows = _rows()
    titles = {name: title for title, names in options.GROUPS.items() for name in names}
    groups: dict[str, list[str]] = {title: [] for title in options.GROUPS}
    own: dict[str, list[str]] = {}
    for (param, row), commands in rows.items():
        title = titles.get(param)
        if title is not None:
            groups[title].append(f"{row} {_named(commands)} |")
        else:
            own.setdefault(_named(commands), []).append(f"{row}")
    parts = [
        "# Options and their defaults",
        "```sh\nxgen check --help\n```",
        "```text\nUsage: ...\n...\n```",
        "`xgen COMMAND --help` prints the options of a command. These tables have the options of all commands. A\n"
        'default of `-` says that nothing happens without the option. "programs" are the commands\n'
        f"{OF_PROGRAMS}.\n"
        "[C](c.md), [C++](cpp.md) and [Rust](rust.md) show how options are used.",
    ]
    for title, lines in groups.items():
        parts += [
            f"## {title}",
            "\n".join(["| option | default | meaning | commands |", "| --- | --- | --- | --- |", *lines]),
        ]
    parts.append("## Options of one command, or of a few")
    for named, lines in own.items():
        parts += [f"### {named}", "\n".join(["| option | default | meaning |", "| --- | --- | --- |", *lines])]
    return "\n\n".join(parts) + "\n"


def _rows() -> dict[tuple[str, str], list[str]]:
    """The commands that have an option, by its name and its row: what a command says otherwise is a row of its own."""
    rows: dict[tuple[str, str], list[str]] = {}
    for path, command in [("xgen", main), *every_command()]:
        for param in command.params:
            if isinstance(param, click.Option) and not param.hidden and param.name != "help":
                row = (param.name or "", _row(param))
                rows.setdefault(row, []).append(path.removeprefix("xgen ") or path)
    return rows


def _row(param: click.Option) -> str:
    with click.Context(main) as context:
        record = param.get_help_record(context)
    assert record is not None, param.name
    said = re.sub(r"\s*\[(default:|required).*?\]", "", param.help or "").strip()
    cells = (f"`{record[0]}`", _default(param, record[1]), said)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _default(param: click.Option, record: str) -> str:
    """What holds where the option is not given."""
    if (found := _SAID.search(record)) is not None:
        return found[1]
    value = param.default if isinstance(param.default, str | int | float | bool) else None
    if param.is_flag:
        return "on" if value is True and param.secondary_opts else "off"
    return "-" if value is None else str(value)


def _named(commands: list[str]) -> str:
    named = ", ".join(f"`{name}`" for name in commands)
    return "programs" if named == OF_PROGRAMS else named
