"""Only what a program needs of its text: the declarations at file scope that the function it starts with reaches.

Headers of a system declare hundreds of things, in words that no reader of C11 knows. What a declaration gives a meaning
and what it needs is seen from its tokens: in doubt it gives less than is needed, and needs more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from xgen.frontends.c.text.tokens import Token
from xgen.records import dataclass

Name: TypeAlias = str | tuple[str]
"""A name, or the tag of a struct, union or enum."""

TAGGED = frozenset(["struct", "union", "enum"])
WITH_OPERAND = frozenset(
    [
        "__attribute__",
        "__attribute",
        "__declspec",
        "__asm__",
        "__asm",
        "asm",
        "typeof",
        "__typeof__",
        "__typeof",
        "__typeof_unqual__",
        "typeof_unqual",
        "_Alignas",
        "alignas",
    ]
)
"""Words with parentheses behind them whose content is of no declarator."""
_STORAGE = frozenset(
    [
        "typedef",
        "extern",
        "static",
        "auto",
        "register",
        "inline",
        "__inline",
        "__inline__",
        "_Noreturn",
        "_Thread_local",
        "__thread",
        "__extension__",
        "const",
        "__const",
        "__const__",
        "volatile",
        "__volatile__",
        "__volatile",
        "restrict",
        "__restrict",
        "__restrict__",
        "noreturn",
        "thread_local",
        "constexpr",
    ]
)
"""Words of a declaration that name no type."""
NUMBERS = frozenset(
    ["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "_Complex", "__int128"]
)
"""Words of types that every compiler knows without a header."""
_TYPES = NUMBERS | frozenset(
    [
        "bool",
        "__signed__",
        "__signed",
        "__complex__",
        "__auto_type",
        "_Atomic",
        "_Float16",
        "_Float32",
        "_Float64",
        "_Float128",
        "_Float32x",
        "_Float64x",
        "__float128",
        "__float80",
        "__bf16",
    ]
)
_ASSERTIONS = ("_Static_assert", "static_assert")
_VERIFICATION = frozenset(["reach_error", "assume_abort_if_not"])
_DEPTH = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def groups(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The declarations and definitions at file scope."""
    start, depth = 0, 0
    pending: list[Token] = []  # a function whose parameters are declared behind it, as before 1989
    for k, token in enumerate(tokens):
        if token.kind != "sign":
            continue
        text = token.text
        depth += _DEPTH.get(text, 0)
        if depth != 0 or text not in (";", "}"):
            continue
        group = [*pending, *tokens[start : k + 1]]
        if text == ";" and awaits_body(group):
            pending, start = group, k + 1
        elif text == ";" or body(group) is not None:
            yield group
            pending, start = [], k + 1
    if start < len(tokens) or pending:
        yield [*pending, *tokens[start:]]


def awaits_body(group: Sequence[Token]) -> bool:
    """Whether some tokens are `int f(a, b) int a;`, parameters in the style of before 1989."""
    opened = (k for k, token in enumerate(group) if k and token.text == "(" and group[k - 1].kind == "name")
    at = next((k for k in opened if group[k - 1].text != "_Atomic"), None)  # `_Atomic(t) x;` has no parameters
    if at is None or any(token.text in ("=", "typedef") for token in group[:at]) or group[at - 1].text in WITH_OPERAND:
        return False
    end = skipped(group, at)
    names = group[at + 1 : end - 1]
    listed = bool(names) and all(t.kind == "name" if k % 2 == 0 else t.text == "," for k, t in enumerate(names))
    behind = group[end : end + 1]
    return listed and bool(behind) and behind[0].kind == "name" and behind[0].text not in WITH_OPERAND


def skipped(tokens: Sequence[Token], at: int) -> int:
    """The place behind what the bracket at `at` opens; the end where it is not closed."""
    depth = 0
    for k in range(at, len(tokens)):
        if tokens[k].kind == "sign":
            depth += _DEPTH.get(tokens[k].text, 0)
            if depth == 0:
                return k + 1
    return len(tokens)


def operand_skipped(tokens: Sequence[Token], at: int) -> int:
    """The place behind attributes and the like that stand at `at`."""
    while at < len(tokens) and tokens[at].kind == "name" and tokens[at].text in WITH_OPERAND:
        at += 1
        if at < len(tokens) and tokens[at].text == "(":
            at = skipped(tokens, at)
    return at


def body(group: Sequence[Token]) -> int | None:
    """Where the body of a function begins that a group defines; None where it defines none."""
    seen = False
    at = 0
    while at < len(group):
        text = group[at].text
        if group[at].kind == "name" and text in WITH_OPERAND:
            at = operand_skipped(group, at)
        elif text == "=" or text == "typedef":
            return None
        elif text == "{" and seen:
            return at
        elif text in _DEPTH and group[at].kind == "sign":
            seen |= text == "("
            at = skipped(group, at)
        else:
            at += 1
    return None


@dataclass(frozen=True, slots=True)
class Declared:
    """What a group gives a meaning. `object`: it defines a variable, so that it is a part of the program as it is."""

    names: frozenset[Name]
    object: bool


def declared(group: Sequence[Token]) -> Declared:
    """What a group gives a meaning."""
    start = body(group)
    head = group if start is None else group[:start]
    names: set[Name] = set(_tags(head))
    storage = {token.text for token in head[:6] if token.kind == "name"} & {"typedef", "extern"}
    is_object = False
    for name, kind in declarators(head):
        names.add(name)
        is_object |= kind == "initialised" or (kind == "object" and not storage)
    return Declared(frozenset(names), is_object and start is None and "typedef" not in storage)


def _tags(tokens: Sequence[Token]) -> Iterator[Name]:
    """The tags and enumerators that are defined in a declaration."""
    for k, token in enumerate(tokens):
        if token.kind != "name" or token.text not in TAGGED:
            continue
        at = operand_skipped(tokens, k + 1)
        if at < len(tokens) and tokens[at].kind == "name":
            if tokens[at + 1 : at + 2] and tokens[at + 1].text == "{":
                yield (tokens[at].text,)
            at += 1
        if token.text == "enum" and at < len(tokens) and tokens[at].text == "{":
            yield from _enumerators(tokens[at + 1 : skipped(tokens, at) - 1])


def _enumerators(inside: Sequence[Token]) -> Iterator[str]:
    at, first = 0, True
    while at < len(inside):
        if first and inside[at].kind == "name":
            yield inside[at].text
        first = inside[at].text == ","
        at = skipped(inside, at) if inside[at].text in ("(", "[", "{") else at + 1


def declarators(head: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """The names that a declaration declares: "function", "object", or "initialised"."""
    at, typed = 0, False
    if head and head[0].text in _ASSERTIONS:
        return
    while at < len(head):
        token = head[at]
        following = head[at + 1].text if at + 1 < len(head) else ";"
        if token.kind != "name":
            break
        if token.text in WITH_OPERAND:
            typed |= "typeof" in token.text
            at = operand_skipped(head, at)
        elif token.text in TAGGED:
            at = operand_skipped(head, at + 1)
            at += at < len(head) and head[at].kind == "name"
            if at < len(head) and head[at].text == "{":
                at = skipped(head, at)
            typed = True
        elif token.text == "_Atomic" and following == "(":
            at, typed = skipped(head, at + 1), True
        elif token.text in _STORAGE or token.text in _TYPES:
            typed |= token.text in _TYPES
            at += 1
        elif typed and not _is_word(head, at + 1):
            break
        else:  # the name of a type; or one without a type, whose type is int
            if following in ("(", "=", ";", ",", "["):
                yield token.text, "function" if following == "(" else "object"
            typed, at = True, at + 1
    while at < len(head) and head[at].text != ";":
        name, function, at = _declarator(head, at)
        at = operand_skipped(head, at)
        kind = "function" if function else "object"
        old_style = _is_word(head, at)  # its parameters are declared behind it
        if at < len(head) and head[at].text == "=":
            kind = "initialised"
        while at < len(head) and head[at].text not in (",", ";"):
            at = skipped(head, at) if head[at].text in ("(", "[", "{") else at + 1
        at += 1
        if name:
            yield name, kind
        if function and old_style:
            return


def _is_word(head: Sequence[Token], at: int) -> bool:
    """Whether a name stands there that is no attribute: then the name before it is no declarator."""
    return at < len(head) and head[at].kind == "name" and head[at].text not in WITH_OPERAND


def _declarator(head: Sequence[Token], at: int) -> tuple[str, bool, int]:
    """The name of the declarator at `at`, whether it is one of a function, and the place behind it."""
    pointer = False
    while at < len(head) and (head[at].text == "*" or _is_qualifier(head, at)):
        pointer |= head[at].text == "*"
        at = operand_skipped(head, at) if head[at].text in WITH_OPERAND else at + 1
    name, function = "", False
    if at < len(head) and head[at].kind == "name":
        name, at = head[at].text, at + 1
        at = operand_skipped(head, at)
        function = at < len(head) and head[at].text == "("
    elif at < len(head) and head[at].text == "(":
        end = skipped(head, at)
        name, function, _ = _declarator(head[at + 1 : end - 1], 0)
        starred = any(token.text == "*" for token in head[at + 1 : end - 1])
        function = function or (not starred and end < len(head) and head[end].text == "(")
        at = end
    while at < len(head) and head[at].text in ("(", "["):
        at = skipped(head, at)
    return name, function, at


def _is_qualifier(head: Sequence[Token], at: int) -> bool:
    return head[at].kind == "name" and (head[at].text in _STORAGE or head[at].text in WITH_OPERAND)


def needed(group: Sequence[Token]) -> set[Name]:
    """The names that a group mentions, but for members behind `.` and `->`."""
    found: set[Name] = set()
    tagged = False
    at = 0
    before = ""
    while at < len(group):
        token = group[at]
        if token.kind == "name":
            if token.text in TAGGED:
                tagged = True
            elif tagged and token.text in WITH_OPERAND:
                end = operand_skipped(group, at)
                found |= {part.text for part in group[at:end] if part.kind == "name"}
                at = end
                continue
            elif tagged:
                found.add((token.text,))
                tagged = False
            elif before not in (".", "->"):
                found.add(token.text)
        else:
            tagged = False
        before = token.text
        at += 1
    return found


def pruned(
    files: Sequence[Sequence[Token]], entry: str | None, is_of_system: Sequence[Callable[[Token], bool]]
) -> list[list[Token]]:
    """The files of a program without what is not needed.

    What is needed whatever is called: variables that are defined, static assertions, constructors, and what says that
    a program is one for verifiers, but for what the system's headers say. All stays where
    nothing defines the function that the program starts with; without one, all functions are needed.
    """
    parts = [(number, group) for number, tokens in enumerate(files) for group in groups(tokens)]
    meanings: dict[Name, list[int]] = {}
    todo: list[Name] = [] if entry is None else [entry]
    kept: set[int] = set()
    found = False

    def keep(place: int) -> None:
        if place not in kept:
            kept.add(place)
            todo.extend(needed(parts[place][1]))

    for place, (number, group) in enumerate(parts):
        meaning = declared(group)
        for name in meaning.names:
            meanings.setdefault(name, []).append(place)
        found = found or (entry in meaning.names and body(group) is not None)
        needed_anyway = meaning.object or _always(group) or (entry is None and body(group) is not None)
        if needed_anyway and not is_of_system[number](group[0]):
            keep(place)
    if not found and entry is not None:
        return [list(tokens) for tokens in files]
    done: set[Name] = set()
    while todo:
        name = todo.pop()
        if name not in done:
            done.add(name)
            for place in meanings.get(name, ()):
                keep(place)
    result: list[list[Token]] = [[] for _ in files]
    for place in sorted(kept):
        result[parts[place][0]] += parts[place][1]
    return result


def without_unused(
    tokens: Sequence[Token], is_of_header: Callable[[Token], bool], more: Sequence[Token]
) -> list[Token]:
    """A file without what headers declare and neither the file nor `more`, which is read with it, names."""
    kept: dict[int, list[Token]] = {}
    spare: dict[str, list[tuple[int, list[Token]]]] = {}
    todo = {token.text for token in more}
    for place, group in enumerate(groups(tokens)):
        names = declared(group).names if is_of_header(group[0]) and is_of_header(group[-1]) else frozenset()
        for name in names:
            spare.setdefault(name if isinstance(name, str) else name[0], []).append((place, group))
        if not names:
            kept[place] = group
            todo.update([token.text for token in group])
    while todo:
        for place, group in spare.pop(todo.pop(), ()):
            if place not in kept:
                kept[place] = group
                todo.update([token.text for token in group])
    return [token for place in sorted(kept) for token in kept[place]]


def _always(group: Sequence[Token]) -> bool:
    """Whether a group means something that nobody names."""
    words = (token.text for token in group if token.kind == "name")
    return group[0].text in _ASSERTIONS or any(
        word.strip("_") in ("constructor", "destructor") or word.startswith("__VERIFIER_") or word in _VERIFICATION
        for word in words
    )
