"""From the preprocessor's tokens to those of plain C11: what GNU C adds is dropped, turned into C11, or refused by
name.

__attribute__((...)), __extension__, __restrict, ...     nothing
({ ... })                     __xgen_block(k), a function of its own at the end of the text
typeof(...)                   the type name __xgen_typeof_k, whose operand is in a function at the end
_Generic(e, T: a, default: b) __xgen_generic(e, sizeof(T), a, "default", b)
asm(...)                      __xgen_asm("..."), nothing behind a declarator
a ?: b                        a ? __xgen_same : b
case a ... b:, [a ... b] =    case __xgen_range(a, b):, [__xgen_range(a, b)] =
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xgen.errors import ProgramError, UnsupportedError, XgenError
from xgen.frontends.c.text.tokens import Token

ALIGNED = "__xgen_aligned"
"""The member that tells of a struct's alignment."""
SAME = "__xgen_same"
"""The value of the condition of a `? :`."""
_DROPPED = frozenset(
    [
        "__extension__",
        "__restrict",
        "__restrict__",
        "restrict",
        "_Noreturn",
        "__noreturn__",
        "register",
        "auto",
    ]
)
_RENAMED = {
    "__const": "const",
    "__const__": "const",
    "__inline": "inline",
    "__inline__": "inline",
    "__signed__": "signed",
    "__signed": "signed",
    "__volatile__": "volatile",
    "__volatile": "volatile",
    "__alignof__": "_Alignof",
    "__alignof": "_Alignof",
    "__typeof__": "typeof",
    "__typeof": "typeof",
    "__asm__": "asm",
    "__asm": "asm",
    "__thread": "_Thread_local",
    "__builtin_offsetof": "offsetof",
    "alignof": "_Alignof",
}
_REFUSED_ATTRIBUTES = frozenset(
    ["packed", "constructor", "destructor", "cleanup", "vector_size", "address_space", "mode", "alias", "ifunc"]
)
_REFUSED = {
    "_Complex": "complex numbers are not supported",
    "__int128": "`__int128` is not supported",
    "__int128_t": "`__int128` is not supported",
    "__label__": "local labels are not supported",
    "__builtin_va_arg": "variable arguments are not supported",
    "va_arg": "variable arguments are not supported",
}


@dataclass(slots=True)
class Lifted:
    """Tokens that pycparser reads, and what was refused on the way."""

    tokens: list[Token]
    typeofs: int = 0
    blocks: int = 0
    errors: list[XgenError] = field(default_factory=list)


def lift(tokens: list[Token], typeofs: int = 0, blocks: int = 0) -> Lifted:
    """The tokens of C11 that say the same, after so many typeofs and blocks of other files of the program.

    Raises ProgramError where parentheses do not match.
    """
    lifter = _Lifter(typeofs, blocks)
    lifted = lifter.run(tokens)
    head = [token for k in range(typeofs, lifter.typeofs) for token in _typedef(k, tokens[0])]
    return Lifted(head + lifted + lifter.functions, lifter.typeofs, lifter.blocks, lifter.errors)


def _typedef(k: int, like: Token) -> list[Token]:
    """`typedef int __xgen_typeof_k;`: what it really is, types.py knows."""
    name = like.renamed(f"__xgen_typeof_{k}")
    return [like.renamed("typedef"), like.renamed("int"), name, like.renamed(";", "sign")]


def closing(tokens: list[Token], at: int) -> int:
    """The place of the parenthesis that closes the one at `at`."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    stack: list[Token] = []
    for k in range(at, len(tokens)):
        token = tokens[k]
        if token.kind != "sign":
            continue
        if token.text in pairs:
            stack.append(token)
        elif token.text in pairs.values():
            if not stack or pairs[stack[-1].text] != token.text:
                raise ProgramError(f"`{token.text}` closes nothing", token.position.source, token.position)
            stack.pop()
            if not stack:
                return k
    opened = tokens[at]
    message = f"this `{opened.text}` is not closed"
    raise ProgramError(message, opened.position.source, opened.position, f"expected `{pairs[opened.text]}`")


def opening(tokens: list[Token]) -> int | None:
    """The place of the brace that the last token closes."""
    depth = 0
    for k in range(len(tokens) - 1, -1, -1):
        depth += {"}": 1, "{": -1}.get(tokens[k].text, 0)
        if depth == 0:
            return k
    return None


def _is_record(tokens: list[Token], brace: int) -> bool:
    """Whether what a brace opens are the members of a struct or union."""
    return any(token.text in ("struct", "union") for token in tokens[max(brace - 2, 0) : brace])


def _declaration(before: list[Token]) -> tuple[int, bool]:
    """Where the declaration that some tokens end with begins, and whether it is one of a member."""
    depth, start = 0, 0
    for k in range(len(before) - 1, -1, -1):
        text = before[k].text
        if text == "{" and depth == 0:
            return start or k + 1, _is_record(before, k)
        depth += {"}": 1, "{": -1}.get(text, 0)
        if depth == 0 and text == ";" and not start:
            start = k + 1
    return start, False


class _Lifter:
    def __init__(self, typeofs: int, blocks: int) -> None:
        self.pending: list[Token] = []  # to come behind the next brace
        self.functions: list[Token] = []  # to come at the end
        self.typeofs = typeofs
        self.blocks = blocks
        self.errors: list[XgenError] = []

    def refuse(self, message: str, token: Token, hint: str | None = None) -> None:
        self.errors.append(UnsupportedError(message, token.position.source, token.position, hint))

    def run(self, tokens: list[Token], depth: int = 0) -> list[Token]:
        """The tokens without what is no C11. `depth`: how many braces are open before them."""
        result: list[Token] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.kind == "name" and token.text in _RENAMED:
                token = token.renamed(_RENAMED[token.text])
            following = tokens[at + 1].text if at + 1 < len(tokens) else ""
            text = token.text
            depth += {"{": 1, "}": -1}.get(text, 0)
            if text == "(" and following == "{":
                end = closing(tokens, at)
                result += self.block(tokens[at + 1 : end], token)
                at = end
            elif token.kind == "sign" and text == "..." and result and self.in_case(result):
                at = self.range(tokens, at, result)
            elif token.kind != "name":
                result.append(token)
                if text == "{" and self.pending:
                    result += self.pending
                    self.pending = []
                if text == "?" and following == ":":
                    result.append(token.renamed(SAME, "name"))
            elif text in ("__attribute__", "__attribute") and following == "(":
                end = closing(tokens, at + 1)
                self.attributes(tokens[at + 1 : end], result, tokens[end + 1 : end + 4])
                at = end
            elif text == "__declspec" and following == "(":
                at = closing(tokens, at + 1)
            elif text in _REFUSED:
                self.refuse(_REFUSED[text], token)
                result.append(token.renamed("int") if text.startswith("__int128") or text == "_Complex" else token)
            elif text in ("float", "double"):
                # A prototype of a header may speak of it; a use is refused with its type (types.py).
                result.append(token)
            elif text == "typeof" and following == "(":
                end = closing(tokens, at + 1)
                result.append(self.typeof(tokens[at + 2 : end], token))
                at = end
            elif text == "_Generic" and following == "(":
                end = closing(tokens, at + 1)
                result += self.generic(tokens[at + 2 : end], token)
                at = end
            elif text == "asm":
                at = self.asm(tokens, at, result, depth)
            elif text == "__auto_type":
                result.append(token.renamed("__xgen_auto"))
            elif text == "alignas":
                result.append(token.renamed("_Alignas"))
            elif text not in _DROPPED:
                result.append(token)
            at += 1
        return result

    def block(self, body: list[Token], at: Token) -> list[Token]:
        """A statement expression."""
        inside = self.run(body, 1)
        name = f"__xgen_block_{self.blocks}"
        self.blocks += 1
        head = [at.renamed("void"), at.renamed(name), *_signs(at, "("), at.renamed("void"), *_signs(at, ")")]
        self.functions += [*head, *inside]
        return [at.renamed(name), *_signs(at, "()")]

    def typeof(self, inside: list[Token], at: Token) -> Token:
        number, self.typeofs = self.typeofs, self.typeofs + 1
        operand = self.run(inside, 1)
        head = [at.renamed("void"), at.renamed(f"__xgen_typeof_in_{number}"), *_signs(at, "("), at.renamed("void")]
        body = [*_signs(at, "){"), at.renamed("sizeof"), *_signs(at, "("), *operand, *_signs(at, ");}")]
        self.functions += [*head, *body]
        return at.renamed(f"__xgen_typeof_{number}")

    def generic(self, inside: list[Token], at: Token) -> list[Token]:
        """A selection, as a call whose arguments are what is looked at, and a type and an expression for each case."""
        operand, *cases = split(inside, ",")
        result = [at.renamed("__xgen_generic"), *_signs(at, "("), *self.run(operand, 1)]
        for case in cases:
            type_, *expression = split(case, ":", 1)
            if not type_ or not expression:
                raise ProgramError(
                    "a case of `_Generic` is a type, `:` and an expression", at.position.source, at.position
                )
            default = type_[0].text == "default"
            word = type_[0].renamed('"default"', "string")
            kind = (
                [word] if default else [at.renamed("sizeof"), *_signs(at, "("), *self.run(type_, 1), *_signs(at, ")")]
            )
            result += [*_signs(at, ","), *kind, *_signs(at, ","), *_signs(at, "("), *self.run(expression[0], 1)]
            result += _signs(at, ")")
        return [*result, *_signs(at, ")")]

    def attributes(self, tokens: list[Token], before: list[Token], after: list[Token]) -> None:
        for at, token in enumerate(tokens):
            if token.kind == "name" and token.text.strip("_") in _REFUSED_ATTRIBUTES:
                self.refuse(f"the attribute `{token.text}` is not supported", token)
            elif token.kind == "name" and token.text.strip("_") == "aligned":
                self.aligned(tokens, at, before, after)

    def aligned(self, tokens: list[Token], at: int, before: list[Token], after: list[Token]) -> None:
        """The alignment of a struct is said by a member without a meaning of its own, that of a member by `_Alignas`;
        that of a variable changes nothing."""
        word = tokens[at]
        operand = [word.renamed("16", "number")]
        if at + 1 < len(tokens) and tokens[at + 1].text == "(":
            operand = self.run(tokens[at + 2 : closing(tokens, at + 1)], 1)
        specifier = [word.renamed("_Alignas"), *_signs(word, "("), *operand, *_signs(word, ")")]
        member = [*specifier, word.renamed("char"), word.renamed(ALIGNED), *_signs(word, ";")]
        last = before[-1].text if before else ""
        if last == "}" and (start := opening(before)) is not None and _is_record(before, start):
            before[start + 1 : start + 1] = member
        elif last in ("struct", "union") and "{" in [token.text for token in after[:2]]:
            self.pending += member
        else:
            start, in_record = _declaration(before)
            words = [token.text for token in before[start:]]
            alone = not words or ("," not in words and after[:1] and after[0].text == ";")
            if in_record and alone:
                before[start:start] = specifier
            elif in_record or "typedef" in words:
                self.refuse(
                    "the attribute `aligned` of several members, or of the name of a type, is not supported", word
                )

    def asm(self, tokens: list[Token], at: int, result: list[Token], depth: int) -> int:
        """Drops the name that `asm` gives a declaration; else keeps the text of the instructions."""
        start = at
        word = tokens[at]
        while at + 1 < len(tokens) and tokens[at + 1].text.strip("_") in ("volatile", "goto", "inline"):
            at += 1
        if at + 1 >= len(tokens) or tokens[at + 1].text != "(":
            self.refuse("this `asm` is not supported", word)
            return at
        end = closing(tokens, at + 1)
        statement = depth > 0 and (at > start or not result or result[-1].text in (";", "{", "}", ")", ":", "else"))
        if statement:
            texts = []
            for token in tokens[at + 2 : end]:
                if token.kind != "string":
                    break
                texts.append(token.text[1:-1])
            body = word.renamed('"' + "".join(texts) + '"', "string")
            result += [word.renamed("__xgen_asm"), *_signs(word, "("), body, *_signs(word, ")")]
        return end

    def in_case(self, result: list[Token]) -> bool:
        for token in reversed(result):
            if token.text in ("case", "["):
                return True
            if token.kind == "sign" and token.text in "];{}:":
                return False
        return False

    def range(self, tokens: list[Token], at: int, result: list[Token]) -> int:
        """`case a ... b:`; the place of the last token that was read."""
        start = max(k for k, token in enumerate(result) if token.text in ("case", "["))
        first = result[start + 1 :]
        end = at + 1
        while end < len(tokens) and tokens[end].text not in (":", "]"):
            end += 1
        word = tokens[at]
        del result[start + 1 :]
        inside = [*first, *_signs(word, ","), *self.run(tokens[at + 1 : end], 1)]
        result += [word.renamed("__xgen_range"), *_signs(word, "("), *inside, *_signs(word, ")")]
        return end - 1


def split(tokens: list[Token], sign: str, most: int = -1) -> list[list[Token]]:
    """The parts between the signs that are in no parentheses, the first `most` of these."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.text, 0)
        if token.text == sign and depth == 0 and len(parts) != most + 1:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _signs(at: Token, texts: str) -> list[Token]:
    return [at.renamed(text, "sign") for text in texts]
