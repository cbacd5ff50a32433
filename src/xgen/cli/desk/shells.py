"""What shells complete: the commands with their options, as data, and the script of each shell that knows them.

The scripts are static: they have the names of what is shipped, and start nothing. Names of files are left to the shell.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from typing import Literal

import click

from xgen.memory.library import list_models
from xgen.records import dataclass
from xgen.shipped import list_programs

Values = tuple[str, ...] | Literal["models", "programs", "files", "nothing"]
"""What an option or an argument takes: one of some words, a model, a program, a file, or what cannot be completed."""
ARGUMENTS: dict[str, tuple[Values, ...]] = {
    "check": ("programs", "files"),
    "resume": ("files",),
    "litmus": ("files",),
    "test": ("files",),
    "models show": ("models",),
    "models check": ("models",),
    "compare": ("models", "models", "files"),
    "explain": ("programs", "files"),
    "fences": ("programs", "files"),
    "linearizable": ("files",),
    "prove": ("programs", "files"),
    "certify": ("files",),
    "ltl": ("programs", "nothing"),
    "show": ("programs",),
    "repair": ("files",),
}
"""What commands take, one after the other; the last one as often as there are more. `completion` has its own words."""
_FILES = re.compile(r"(FILE|DIR|PATH|BUILD)\b")


@dataclass(frozen=True)
class Option:
    """An option: its names, what it takes (None: it is a flag), and what it is for in a sentence."""

    names: tuple[str, ...]
    values: Values | None
    meaning: str


@dataclass(frozen=True)
class Known:
    """A command by its words, as `models show`; a group has the names of its commands as its argument."""

    path: str
    meaning: str
    options: tuple[Option, ...]
    arguments: tuple[Values, ...]

    @property
    def is_first(self) -> bool:
        """Whether it is a command of no group."""
        return " " not in self.path


def known(commands: Sequence[tuple[str, click.Command]]) -> list[Known]:
    """The commands, which are given with their full names, as shells are told of them."""
    return [_known(name.partition(" ")[2], command) for name, command in commands]


def _known(path: str, command: click.Command) -> Known:
    options = [_option(p) for p in command.params if isinstance(p, click.Option) and not p.hidden]
    options.append(Option(("--help",), None, "Show what the command is for."))
    arguments: tuple[Values, ...] = ARGUMENTS.get(path, ())
    if isinstance(command, click.Group):
        arguments = (tuple(command.commands), "nothing")
    else:
        own = [p.type for p in command.params if isinstance(p, click.Argument)]
        arguments = arguments or tuple(tuple(t.choices) for t in own if isinstance(t, click.Choice))
    return Known(path, _sentence(command.get_short_help_str(100)), tuple(options), arguments or ("nothing",))


def _option(option: click.Option) -> Option:
    names = (*option.opts, *option.secondary_opts)
    values: Values | None = "nothing"
    metavar = option.metavar or ""
    if option.is_flag or option.flag_value == "":
        values = None
    elif isinstance(option.type, click.Choice):
        values = tuple(option.type.choices)
    elif "MODEL" in metavar:
        values = "models"
    elif isinstance(option.type, click.Path) or _FILES.match(metavar):
        values = "files"
    return Option(names, values, _sentence(option.help or ""))


def _sentence(text: str) -> str:
    """The first part of a help text, without what a script would have to quote."""
    first = re.split(r"[.;:] |[.;:]$|  \[", " ".join(text.split()), maxsplit=1)[0]
    return re.sub(r"""[\\'"`\[\]$:]""", "", first)


BASH = """\
# Completion for bash, written by `xgen completion bash`. In ~/.bashrc: eval "$(xgen completion bash)"
_xgen_models='{models}'
_xgen_programs='{programs}'

_xgen_nothing() {{ compopt +o default +o bashdefault 2> /dev/null; }}

_xgen_words() {{  # one of some words
    COMPREPLY=($(compgen -W "$1" -- "$word"))
    _xgen_nothing
}}

_xgen_names() {{  # names that are shipped, or files, which bash completes where no name begins so
    COMPREPLY=($(compgen -W "$1" -- "$word"))
    [[ ${{#COMPREPLY[@]}} = 0 ]] && return
    local file
    while IFS= read -r file; do
        COMPREPLY+=("$file")
        compopt -o filenames 2> /dev/null
    done < <(compgen -f -- "$word")
}}

_xgen_kind() {{
    case "$1" in
        files) ;;
        nothing) _xgen_nothing ;;
        models) if [[ -z $word ]]; then _xgen_words "$_xgen_models"; else _xgen_names "$_xgen_models"; fi ;;
        programs) if [[ -n $word && $word != [./~]* ]]; then _xgen_names "$_xgen_programs"; fi ;;
        *) _xgen_words "$1" ;;
    esac
}}

_xgen() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" command= options= valued= option= at=0 i
    local -a arguments=()
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        local each="${{COMP_WORDS[i]}}"
        if [[ $each = -- ]]; then
            return
        elif [[ -n $option && $each = = ]]; then
            continue
        elif [[ -n $option ]]; then
            option=
        elif [[ $each = -* ]]; then
            [[ " $valued " = *" $each "* ]] && option="$each"
        elif [[ -z $command || "$command" = models && $at = 0 ]]; then
            command="${{command:+$command }}$each"
            _xgen_command
        else
            ((at++))
        fi
    done
    [[ $word = = && -n $option ]] && word=
    if [[ -n $option ]]; then
        _xgen_option
    elif [[ -z $command ]]; then
        _xgen_words '{commands}'
    elif [[ $word = -* ]]; then
        _xgen_words "$options"
    else
        ((at < ${{#arguments[@]}})) || at=$((${{#arguments[@]}} - 1))
        ((at >= 0)) && _xgen_kind "${{arguments[at]}}"
    fi
}}

_xgen_command() {{
    case "$command" in
{of_commands}
        *) options= valued= arguments=() ;;
    esac
}}

_xgen_option() {{
    case "$command $option" in
{of_options}
        *) _xgen_nothing ;;
    esac
}}

complete -o bashdefault -o default -F _xgen xgen
"""


def bash(commands: Sequence[Known]) -> str:
    """The script for bash."""
    of_commands, of_options = [], []
    for command in commands:
        every = " ".join(name for option in command.options for name in option.names)
        valued = " ".join(name for option in command.options if option.values is not None for name in option.names)
        kinds = " ".join(shlex.quote(_word(values)) for values in command.arguments)
        of_commands.append(
            f"        {shlex.quote(command.path)}) options='{every}' valued='{valued}' arguments=({kinds}) ;;"
        )
        for option in command.options:
            if option.values is not None and option.values != "nothing":
                patterns = " | ".join(shlex.quote(f"{command.path} {name}") for name in option.names)
                of_options.append(f"        {patterns}) _xgen_kind {shlex.quote(_word(option.values))} ;;")
    return BASH.format(
        models=" ".join(list_models()),
        programs=" ".join(list_programs()),
        commands=" ".join((*(each.path for each in commands if each.is_first), "--help", "--version", "--man")),
        of_commands="\n".join(of_commands),
        of_options="\n".join(of_options),
    )


def _word(values: Values) -> str:
    return values if isinstance(values, str) else " ".join(values)


ZSH = """\
#compdef xgen
# Completion for zsh, written by `xgen completion zsh`. In ~/.zshrc, behind compinit: eval "$(xgen completion zsh)"
_xgen_model_names=({models})
_xgen_program_names=({programs})

_xgen_models() {{ compadd -a _xgen_model_names; [[ -n $PREFIX ]] && _files }}
_xgen_programs() {{ [[ -n $PREFIX && $PREFIX != [./~]* ]] && compadd -a _xgen_program_names; _files }}

_xgen() {{
    local curcontext="$curcontext" state line
    local -a commands=(
{commands}
    )
    _arguments -C '(- *)--help[Show what there is.]' '(- *)--version[Show the version.]' \\
        '(- *)--man[Print the manual page.]' '1: :->command' '*:: :->arguments' && return
    case $state in
        command) _describe command commands ;;
        arguments)
            case $words[1] in
{of_commands}
            esac ;;
    esac
}}

if [[ $funcstack[1] = _xgen ]]; then _xgen "$@"; else compdef _xgen xgen; fi
"""


def zsh(commands: Sequence[Known]) -> str:
    """The script for zsh."""
    first = [command for command in commands if command.is_first]
    bodies = []
    for command in first:
        inner = [each for each in commands if each.path.startswith(f"{command.path} ")]
        if inner:
            cases = "\n".join(_zsh_case(each, each.path.partition(" ")[2]) for each in inner)
            words = " ".join(each.path.partition(" ")[2] for each in inner)
            bodies.append(
                f"                {command.path})\n"
                f"                    _arguments -C '1: :({words})' '*:: :->inner'\n"
                f"                    case $words[1] in\n{cases}\n                    esac ;;"
            )
        else:
            bodies.append(_zsh_case(command, command.path))
    return ZSH.format(
        models=" ".join(list_models()),
        programs=" ".join(list_programs()),
        commands="\n".join(f"        '{command.path}:{command.meaning}'" for command in first),
        of_commands="\n".join(bodies),
    )


def _zsh_case(command: Known, name: str) -> str:
    specs = []
    for option in command.options:
        for each in option.names:
            equals = "=" if each.startswith("--") else "+"
            takes = "" if option.values is None else f"{equals}"
            action = "" if option.values is None else f": :{_zsh_action(option.values)}"
            specs.append(f"'*{each}{takes}[{option.meaning}]{action}'")
    *each_one, last = command.arguments
    specs += [f"'{number}: :{_zsh_action(values)}'" for number, values in enumerate(each_one, 1)]
    specs.append(f"'*: :{_zsh_action(last)}'")
    lines = " \\\n                        ".join(specs)
    return f"                {name}) _arguments -S \\\n                        {lines} ;;"


def _zsh_action(values: Values) -> str:
    if not isinstance(values, str):
        return f"({' '.join(values)})"
    return {"models": "_xgen_models", "programs": "_xgen_programs", "files": "_files", "nothing": " "}[values]


FISH = """\
# Completion for fish, written by `xgen completion fish > ~/.config/fish/completions/xgen.fish`
function __xgen_command
    set -l words (commandline -opc)[2..]
    set -l found
    for word in $words
        string match -q -- '-*' $word; and continue
        set -a found $word
        test "$found" = models; or break
    end
    echo "$found"
end
function __xgen_models
    printf '%s\\n' {models}
end
function __xgen_programs
    set -l word (commandline -ct)
    test -n "$word"; and not string match -qr '^[./~]' -- $word; and printf '%s\\n' {programs}
end
complete -c xgen -n 'test -z (__xgen_command)' -f
complete -c xgen -n 'test -z (__xgen_command)' -l help -d 'Show what there is'
complete -c xgen -n 'test -z (__xgen_command)' -l version -d 'Show the version'
complete -c xgen -n 'test -z (__xgen_command)' -l man -d 'Print the manual page'
{lines}
"""


def fish(commands: Sequence[Known]) -> str:
    """The script for fish."""
    lines = []
    for command in commands:
        if command.is_first:
            lines.append(f"complete -c xgen -n 'test -z (__xgen_command)' -a {command.path} -d '{command.meaning}'")
        here = f"complete -c xgen -n 'test (__xgen_command) = \"{command.path}\"'"
        for option in command.options:
            flags = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
            lines.append(f"{here} {flags} -d '{option.meaning}'{_fish_values(option.values)}")
        kinds = set(command.arguments)
        if "files" not in kinds and "programs" not in kinds and "models" not in kinds:
            lines.append(f"{here} -f")
        for kind in sorted(kinds - {"files", "nothing"}, key=str):
            what = f"(__xgen_{kind})" if isinstance(kind, str) else " ".join(kind)
            lines.append(f"{here} -a '{what}'")
    return FISH.format(models=" ".join(list_models()), programs=" ".join(list_programs()), lines="\n".join(lines))


def _fish_values(values: Values | None) -> str:
    if values is None:
        return ""
    if not isinstance(values, str):
        return f" -x -a '{' '.join(values)}'"
    return {
        "models": " -r -F -a '(__xgen_models)'",
        "programs": " -r -F -a '(__xgen_programs)'",
        "files": " -r -F",
        "nothing": " -x",
    }[values]


SCRIPTS: dict[str, Callable[[Sequence[Known]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""The scripts by their shells."""
