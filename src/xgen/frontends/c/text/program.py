"""All files of a program, from their texts to one tree."""

from __future__ import annotations

from collections.abc import Sequence

from xgen.errors import Position, ProgramError, Source, several
from xgen.frontends.assertions import of_openmp, without_assertions
from xgen.frontends.c.constraints.check import check_constraints
from xgen.frontends.c.text.compiler import compiler, preprocessed, still_missing, was_asked
from xgen.frontends.c.text.dialect import speaks_of_verification
from xgen.frontends.c.text.files import File
from xgen.frontends.c.text.gnu.built_in import without_built_in
from xgen.frontends.c.text.gnu.labels import with_own_labels
from xgen.frontends.c.text.library_types import with_library_types
from xgen.frontends.c.text.link import linked, tell_own_variables
from xgen.frontends.c.text.markers import Marked, read_marked
from xgen.frontends.c.text.preprocess import NO_HEADER, MissingHeaders, is_of_headers, with_remarks
from xgen.frontends.c.text.prune import groups, pruned, without_unused
from xgen.frontends.c.text.reader import Headers, Unit, parse
from xgen.frontends.c.text.shipped_bodies import bodies
from xgen.frontends.c.text.tokens import Token
from xgen.frontends.c.values.data_model import DATA_MODELS, word_bytes
from xgen.records import dataclass, replace
from xgen.sources import is_confined

_INTEGER = frozenset(["unsigned", "long", "int"])
"""The words that `size_t` is made of."""


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The tokens of a file. `marked` is the preprocessed text that they are of."""

    tokens: list[Token]
    marked: Marked | None = None
    remarks: Sequence[str] = ()

    def is_of_system(self, token: Token) -> bool:
        return self.marked is not None and self.marked.is_of_system(token)

    def own(self) -> list[Token]:
        """Those that are not of a header of xgen's or of the system's."""
        if self.marked is not None:
            return [token for token in self.tokens if not self.marked.is_of_system(token)]
        return [token for token in self.tokens if not _is_ours(token)]


def read_program(files: Sequence[File], headers: Headers | None = None, entry: str | None = "main") -> Unit:
    """The tree of a program. `headers`: whose; else xgen's own, if these are enough.

    Raises ProgramError where it is no C, UnsupportedError and UsageError.
    """
    found, headers = _preprocessed(files, headers)
    for part in found:
        if part.marked is not None:
            _refuse_other_model(part.tokens)
    texts = [with_own_labels(without_built_in(part.tokens)) for part in found]
    verification = any(speaks_of_verification(part.own()) for part in found)
    if any(part.marked for part in found):
        texts = pruned(texts, entry, [part.is_of_system for part in found])
    units: list[Unit] = []
    added = bodies(texts)
    for file, part, tokens in zip(files, found, texts, strict=True):
        placed = part.marked.placed(tokens) if part.marked else without_unused(tokens, _is_ours, added)
        units.append(parse(file.source, [*placed, *added], units[-1] if units else None))
        added = []
    needed = _anything if any(part.marked for part in found) else _Needed(texts, entry)
    for unit in units:
        unit.errors = [error for error in unit.errors if needed(error.position)]
    system = [part.marked.system if part.marked else set() for part in found]
    kernel = any(file.settings.first for file in files)
    checked = (check_constraints(unit, names, kernel) for unit, names in zip(units, system, strict=True))
    forbidden = [error for errors in checked for error in errors]
    if forbidden:
        raise several([*(error for unit in units for error in unit.errors), *forbidden])
    whole = units[0] if len(units) == 1 else linked(units)
    tell_own_variables(whole.tree.ext)
    sources, remarks = tuple(file.source for file in files), [remark for part in found for remark in part.remarks]
    remarks += filter(None, map(_without_assertions, files))
    remarks += filter(None, (of_openmp(file.source.text) for file in files))
    return replace(
        whole, files=sources, headers=headers, verification=verification, needed=needed, remarks=tuple(remarks)
    )


def _without_assertions(file: File) -> str | None:
    return without_assertions(file.source.text, file.settings.defines, file.settings.undefines)


def _refuse_other_model(tokens: Sequence[Token]) -> None:
    """Raises ProgramError where a preprocessed text is of another data model: its `size_t` says so."""
    for group in groups(tokens):
        words = [token.text for token in group]
        if words[0] != "typedef" or words[-2:] != ["size_t", ";"] or not _INTEGER.issuperset(words[1:-2]):
            continue
        own = 8 if "long" in words else 4
        if own != word_bytes():
            other = next(name for name, bytes_ in DATA_MODELS.items() if bytes_ == own)
            raise ProgramError(
                f"this text is for pointers of {8 * own} bits",
                group[-2].position.source,
                group[-2].position,
                f"`size_t` has as many; --data-model {other}",
            )


class _Needed:
    """Whether the function that a program starts with, or a variable that it defines, needs what stands at a place."""

    def __init__(self, texts: Sequence[Sequence[Token]], entry: str | None) -> None:
        self.texts, self.entry = texts, entry
        self.places: set[tuple[str, int, int]] | None = None

    def __call__(self, position: Position | None) -> bool:
        if self.places is None:
            needed = pruned(self.texts, self.entry, [lambda _: False] * len(self.texts))
            self.places = {_place(token.position) for tokens in needed for token in tokens}
        return position is None or _place(position) in self.places


def _place(position: Position) -> tuple[str, int, int]:
    return position.source.name if position.source else "", position.line, position.column


def _preprocessed(files: Sequence[File], headers: Headers | None) -> tuple[list[_Tokens], Headers]:
    """The tokens of all files: a compiler is asked about all that are not preprocessed, or about none."""
    raw = [file for file in files if not file.done]
    if is_confined():  # a compiler finds all that is there
        headers = "own"
    if headers is None and any(was_asked(file.source) for file in raw):
        headers = "cc"
    if headers == "cc" and raw:
        return [_asked(file) for file in files], "cc"
    found: list[_Tokens] = []
    missing: list[tuple[File, MissingHeaders]] = []
    for file in files:
        try:
            found.append(_marked(file.source) if file.done else _read(file))
        except MissingHeaders as error:
            missing.append((file, error))
    if not missing:
        return found, "own"
    if headers is None and compiler() is not None:
        for file, those in missing:
            _refuse_missing(file, those)
        return [_asked(file) for file in files], "cc"
    raise several(part for _, those in missing for part in those.parts.values())


def _read(file: File) -> _Tokens:
    tokens, remarks = with_remarks(file.source, file.settings)
    return _Tokens(tokens, remarks=remarks)


def _asked(file: File) -> _Tokens:
    if file.done:
        return _marked(file.source)
    return _marked(preprocessed(file.source, file.settings, compiler(file.compiler)), file.source)


def _refuse_missing(file: File, error: MissingHeaders) -> None:
    """Raises the errors of those headers that a compiler does not find, either."""
    found = compiler(file.compiler)
    assert found is not None
    left = []
    for name in sorted(still_missing(error, file.source, file.settings, found)):
        part = error.parts[name]
        neither = f"neither xgen nor `{found.name}` has a header of that name; -I says where to look"
        hint = neither if part.hint == NO_HEADER else part.hint
        left.append(ProgramError(part.message, part.source, part.position, hint))
    if left:
        raise several(left)


def _is_ours(token: Token) -> bool:
    source = token.position.source
    return source is not None and is_of_headers(source.name)


def _marked(source: Source, original: Source | None = None) -> _Tokens:
    marked = read_marked(source, original)
    is_of_system = marked.is_of_system if marked.marked else _anything
    return _Tokens(with_library_types(marked.tokens, is_of_system), marked)


def _anything(_: object) -> bool:
    """Where no markers tell, every type with a name of the library's is the library's."""
    return True
