"""The claims in the comments that a file begins with."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from xgen.analyses.claims import options
from xgen.analyses.claims.options import Asked, model_path
from xgen.errors import Position, ProgramError, Source, UsageError, XgenError, nearest
from xgen.executions.execution import ViolationKind
from xgen.frontends.language import language_model
from xgen.records import dataclass
from xgen.resources import short
from xgen.sources import KERNELS

Kind = Literal["verdict", "outcomes", "allows", "forbids", "observation", "prove"]
CLAIMS: tuple[Kind, ...] = get_args(Kind)
MODELS = r"[\w.+/-]+(?:, [\w.+/-]+)*"
_CLAIM = re.compile(rf"(verdict|outcomes|allows|forbids|observation|prove( --deadlock)?)(?: ({MODELS}))?: (.+)")
_BEGINS = re.compile(r"(?:verdict|outcomes|allows|forbids|observation|prove|xgen)\b.*:")
_ACCEPTS = re.compile(r"xgen:\s*accept\b")
"""What accepts a finding, and is no option: see analyses/check/accepting.py."""
_OF_LAUNCH = re.compile(r"xgen(?:\[\w+\])?:\s*(?:launch|final|init)\b")
"""What says in a kernel's text what is asked of it, and no options (frontends/ptx/launch.py)."""
_OPTIONS = re.compile(r"(.*?) \(([^()]*)\)")
_COUNT = re.compile(r"(.*), (\d{1,18}) executions?")
_VIOLATION = re.compile(r"violation(?: ([a-z]+(?:-[a-z]+)*))?")
_STATE = re.compile(r"[^\s=,]+ = (?:true|false|-?\d{1,19})(?:, [^\s=,]+ = (?:true|false|-?\d{1,19}))*")
_OBSERVATION = re.compile(r"(Never|Sometimes|Always)(?: (\d{1,18}) (\d{1,18}))?")
OF_PROGRAMS = ("safe", "safe within the bound", "no answer")
"""What a verdict may be, beside a violation and its kind."""
OF_TESTS = ("Ok", "No", "Undef", "no answer")
OF_PROOFS = ("safe", "violation", "deadlock", "unknown")


@dataclass(frozen=True)
class Claim:
    """What a file says of itself under a model (None: a test's, under its architecture's own).

    `value` is what is claimed: a verdict, a number of outcomes, or the values of some. `count`: how many executions
    there are, if it says so. `violation`: the kind, where that is said. `said` is the claim in words, `position` its
    line. `command` is what one types to see what is so.
    """

    kind: Kind
    model: str | None
    value: str
    position: Position
    said: str
    asked: Asked
    command: str
    count: int | None = None
    violation: str | None = None
    deadlock: bool = False

    @property
    def state(self) -> dict[str, int | bool]:
        """The values that are allowed or forbidden."""
        pairs = (part.split(" = ") for part in self.value.split(", "))
        return {name: value == "true" if value in ("true", "false") else int(value) for name, value in pairs}


def read_options(source: Source) -> tuple[Asked, list[XgenError]]:
    """The options that lines `xgen:` of a file say, and what is wrong with them."""
    return _options_in(_lines(source), source)


def says_something(source: Source) -> bool:
    """Whether a file claims something, or says how it is to be checked."""
    return next(_lines(source), None) is not None


def _options_in(lines: Iterable[tuple[Position, str]], source: Source) -> tuple[Asked, list[XgenError]]:
    asked, errors = Asked(), list[XgenError]()
    folder = os.path.dirname(source.name)
    for position, text in lines:
        if text.startswith("xgen:") and not _ACCEPTS.match(text):
            try:
                asked = options.read(options.split(text.removeprefix("xgen:")), folder, asked)
                if source.name.endswith(".litmus"):
                    raise UsageError("litmus tests have no options", hint="`verdict MODEL: Ok` names a model")
            except UsageError as error:
                errors.append(ProgramError(error.message, source, position, error.hint))
    return asked, errors


def read_claims(source: Source) -> tuple[list[Claim], list[XgenError]]:
    """The claims of a file, in their order, and what is wrong with those that are none."""
    lines = list(_lines(source))
    asked, errors = _options_in(lines, source)
    if errors:  # what is claimed would be asked otherwise than it is meant
        return [], errors
    claims = list[Claim]()
    for position, text in lines:
        if text.startswith("xgen:"):
            continue
        try:
            claims += _claims(text, source, position, asked)
        except UsageError as error:
            errors.append(ProgramError(error.message, source, position, error.hint))
    return claims, errors


def _lines(source: Source) -> Iterator[tuple[Position, str]]:
    """The lines of the first comments that may be claims, without what makes them comments."""
    litmus = source.name.endswith(".litmus")
    of_kernel = source.name.endswith(KERNELS)
    line_comment = ";" if source.name.endswith(".ll") else "//"
    inside: str | None = None  # what ends the comment
    for number, line in enumerate(source.text.split("\n"), 1):
        text = line.strip()
        if inside is None:
            opened = next((end for begin, end in (("/*", "*/"), ("(*", "*)")) if text.startswith(begin)), None)
            if opened is not None:
                inside, text = opened, text[2:].strip()
            elif text.startswith(line_comment) and not litmus:
                text = text.removeprefix(line_comment).strip()
            elif not text or litmus:  # a test begins with its name, and may have comments anywhere
                continue
            else:
                return
        else:
            text = text.removeprefix("*").strip() if not text.startswith(inside) else text
        if inside is not None and inside in text:
            text, inside = text[: text.index(inside)].strip(), None
        if _BEGINS.match(text) and not (of_kernel and _OF_LAUNCH.match(text)):
            yield Position(number, line.index(text) + 1, len(text)), text


def _claims(text: str, source: Source, position: Position, asked: Asked) -> Iterator[Claim]:
    """The claims of a line, one for each model."""
    found = _CLAIM.fullmatch(text)
    if found is None:
        hint = "a claim is written `verdict MODEL, MODEL: safe`, without models where the language has one"
        raise UsageError("this is no claim", hint=hint)
    word, deadlock, models, rest = found.groups()
    kind: Kind = "prove" if word.startswith("prove") else word  # type: ignore[assignment]
    of_test = source.name.endswith(".litmus")
    with_options = _OPTIONS.fullmatch(rest)
    if with_options is not None:
        rest, words = with_options[1], options.in_parentheses(with_options[2])
        own = options.read(words, os.path.dirname(source.name))
        if of_test or (own.question if kind == "prove" else own.proving):
            what = "litmus tests have no options" if of_test else f"`{words[0].lstrip('-')}` is no option of `{word}`"
            raise UsageError(what, hint="what stands in parentheses are options of `xgen check`, or `xgen prove`")
        if models is not None and own.model is not None:
            raise UsageError("this names two models", hint="it is written `verdict: safe (on armv8)`")
        asked = options.read(words, os.path.dirname(source.name), asked)
    value, count, violation = _value(kind, rest, of_test)
    default = asked.model or language_model(source.name, asked.reading)
    if models is None and default is None and not of_test:
        raise UsageError("this claim names no model", hint="it is written `verdict MODEL, MODEL: safe`")
    for model in [default] if models is None else models.split(", "):
        of = f"{word} {model}" if model else word
        said = f"{of}: {found[4]}"
        named = None if models is None else model
        of_all = kind in ("outcomes", "allows", "forbids") or count is not None
        more = ["--deadlock"] if deadlock else ["--all-states"] if of_all else []
        command = _command(kind, source.name, asked, named, more)
        yield Claim(kind, model, value, position, said, asked, command, count, violation, bool(deadlock))


def _command(kind: Kind, file: str, asked: Asked, model: str | None, more: list[str]) -> str:
    """What one types to see what is so. `model`: that which the claim names itself; `more` options of the command."""
    name = "litmus" if file.endswith(".litmus") else "prove" if kind == "prove" else "check"
    words = ["xgen", name, short(file), *asked.words]
    if model is not None:
        words += ["--mcm", model_path(model, file)]
        words += ["--map", asked.machine] if asked.machine is not None else []
    elif asked.machine is not None:
        words += ["--on", asked.machine]
    elif asked.model is not None:
        words += ["--mcm", model_path(asked.model, file)]
    flags = asked.reading.get("flags", ())
    return shlex.join([*words, *(more if name != "litmus" else []), *(["--", *flags] if flags else [])])


def _value(kind: Kind, text: str, of_test: bool) -> tuple[str, int | None, str | None]:
    """What is claimed, the number of executions and the kind of the violation. Raises UsageError."""
    if (kind not in ("verdict", "observation")) if of_test else kind == "observation":
        where = "litmus tests claim a `verdict` and an `observation`" if of_test else "`observation` is of litmus tests"
        raise UsageError(f"`{kind}` is no claim of this kind of file", hint=where)
    if kind == "outcomes":
        return _expected(text if re.fullmatch(r"\d{1,18}", text) else None, text, "the number of outcomes"), None, None
    if kind in ("allows", "forbids"):
        form = "`VARIABLE = VALUE, VARIABLE = VALUE`"
        return _expected(text if _STATE.fullmatch(text) else None, text, form), None, None
    if kind == "observation":
        form = "Never, Sometimes or Always, and two numbers if need be"
        return _expected(text if _OBSERVATION.fullmatch(text) else None, text, form), None, None
    if kind == "prove":
        return _expected(text if text in OF_PROOFS else None, text, ", ".join(OF_PROOFS)), None, None
    if of_test:
        return _expected(text if text in OF_TESTS else None, text, ", ".join(OF_TESTS)), None, None
    counted = _COUNT.fullmatch(text)
    verdict = counted[1] if counted else text
    wrong = _VIOLATION.fullmatch(verdict)
    words = f"{', '.join(OF_PROGRAMS)}, violation or violation KIND, with `, 3 executions` behind it if need be"
    if wrong and wrong[1] and wrong[1] not in get_args(ViolationKind):
        raise UsageError(f"`{wrong[1]}` is no kind of violation", hint=nearest(wrong[1], get_args(ViolationKind)))
    value = "violation" if wrong else verdict if verdict in OF_PROGRAMS else None
    return _expected(value, text, words), int(counted[2]) if counted else None, wrong[1] if wrong else None


def _expected(value: str | None, text: str, words: str) -> str:
    if value is None:
        raise UsageError(f"`{text}` is not what can be claimed", hint=f"expected {words}")
    return value
