"""From the preprocessor's tokens to those of plain C11: what GNU C adds is dropped, turned into C11, or refused by
name.

__attribute__((...)), __extension__, __restrict, ...     nothing
({ ... })                     __xgen_block(k), a function of its own at the end of the text
typeof(...)                   the type name __xgen_typeof_k, whose operand is in a function at the end
va_arg(list, T)               __xgen_va_arg(list, sizeof(T))
_Generic(e, T: a, default: b) __xgen_generic(e, sizeof(T), a, "default", b)
asm(...)                      __xgen_asm("...", outputs, "constraint", operand, ...), nothing behind a declarator
__builtin_offsetof(T, m)      ((unsigned long)&((T *)0)->m)
__builtin_types_compatible_p  _Generic of pointers to these types
if (e) ; else __assert_fail(  __xgen_assert((e), "e"): what `assert` is in glibc's header
__func__                      the name of the function, as a string
*__errno_location()           errno, which is what glibc's header makes of it
a ?: b                        a ? __xgen_same : b
case a ... b:, [a ... b] =    case __xgen_range(a, b):, [__xgen_range(a, b)] =
"""

from __future__ import annotations

import re
from dataclasses import field
from itertools import pairwise, takewhile

from xgen.errors import ProgramError, UnsupportedError, XgenError
from xgen.frontends.c.text.prune import awaits_body, declarators
from xgen.frontends.c.text.tokens import Token
from xgen.records import dataclass

_QUALIFIERS = frozenset(["const", "volatile", "_Atomic", "restrict"])
_BEFORE_A_TYPE = _QUALIFIERS | {"typedef"}
LONGEST_TYPE = 2000
"""So many tokens at most has a type whose name, behind it, is looked for."""
ALIGNED = "__xgen_aligned"
PACKED, PACKED_NEXT = "__xgen_packed", "__xgen_packed_next"
TRANSPARENT = "__xgen_transparent"
CONSTRUCTOR, DESTRUCTOR = "__xgen_constructor_", "__xgen_destructor_"
CLEANUP = "__xgen_cleanup"
VA_ARG = "__xgen_va_arg"
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
    "__typeof_unqual__": "typeof",
    "typeof_unqual": "typeof",
    "alignof": "_Alignof",
    "__int128_t": "__int128",
    "_Float32": "float",
    "_Float64": "double",
    "_Float32x": "double",
}
_OF_WORDS = {
    "__uint128_t": ("unsigned", "__int128"),
    "_Float64x": ("long", "double"),
    "_Float128": ("long", "double"),
    "__float128": ("long", "double"),
    "__float80": ("long", "double"),
}
"""Types of one word that are known by two; those of floating point have the same size."""
_FUNCTION_NAMES = frozenset(["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"])
_REFUSED_ATTRIBUTES = frozenset(["vector_size", "address_space", "alias", "ifunc"])
_MODES = {
    "QI": "char",
    "byte": "char",
    "HI": "short",
    "SI": "int",
    "DI": "long",
    "word": "long",
    "pointer": "long",
    "unwind_word": "long",
}
"""The integer types that the attribute `mode` names."""
_WITH_PARENTHESES = frozenset(
    [
        "__attribute__",
        "__attribute",
        "typeof",
        "_Generic",
        "__builtin_offsetof",
        "__builtin_types_compatible_p",
        "__builtin_va_arg",
        "__assert_fail",
    ]
)
_BEFORE_A_DEFINITION = frozenset([";", "}", "static", "inline", "extern"])
_BEFORE_VALUES = frozenset(["=", "(", ",", "{", "[", "return", ";", "?", ":", "&&", "||", "!", "=="])
_REFUSED = {"_Complex": "complex numbers are not supported"}


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
    if lifter.needs_errno is not None:
        words = [lifter.needs_errno.renamed(word) for word in ("extern", "_Thread_local", "int", "errno")]
        head += [*words, *_signs(words[0], ";")]
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


def opening(tokens: list[Token], opens: str = "{", closes: str = "}") -> int | None:
    """The place of the brace that the last token closes."""
    depth = 0
    for k in range(len(tokens) - 1, -1, -1):
        depth += {closes: 1, opens: -1}.get(tokens[k].text, 0)
        if depth == 0:
            return k
    return None


def _only_declared(tokens: list[Token]) -> str | None:
    """The name that the rest of a declaration declares, if it is one, and the last of its tokens."""
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if depth == 0 and token.text in (",", ";"):
            last = tokens[at - 1] if at else token
            return last.text if token.text == ";" and last.kind == "name" else None
    return None


def _is_record(tokens: list[Token], brace: int) -> bool:
    """Whether what a brace opens are the members of a struct or union."""
    return any(token.text in ("struct", "union") for token in tokens[max(brace - 2, 0) : brace])


def _declaration(before: list[Token], depth: int) -> tuple[int, bool]:
    """Where the declaration that some tokens end with begins, and whether it is one of a member. `depth`: how many
    braces are open."""
    inner, start, end = 0, 0, 0
    for k in range(len(before) - 1, -1, -1):
        text = before[k].text
        if text == "{" and inner == 0:
            return start or k + 1, _is_record(before, k)
        if text == "}" and inner == 0:
            end = k + 1
        inner += {"}": 1, "{": -1}.get(text, 0)
        if inner == 0 and text == ";" and not start:
            start = k + 1
        if depth == 0 and inner == 0 and text == "{" and before[k - 1 : k] and before[k - 1].text == ")":
            return start or end, False  # behind a function
        if depth == 0 and start:
            break
    return start, False


def _is_variable(words: list[str], after: list[Token]) -> bool:
    """Whether a declaration, of which these words stand before and those tokens behind, is one of variables."""
    following = [token.text for token in after]
    end = next((k for k, text in enumerate(following) if text in (";", "=", ",")), len(following))
    return not {"(", "="} & {*words, *following[:end]}


def _outside(words: list[str]) -> list[str]:
    """The words of a declaration without the members that are declared in it."""
    found, depth = [], 0
    for word in words:
        depth += {"{": 1, "}": -1}.get(word, 0)
        if depth == 0 and word != "}":
            found.append(word)
    return found


class _Lifter:
    def __init__(self, typeofs: int, blocks: int) -> None:
        self.pending: list[Token] = []  # to come behind the next brace
        self.functions: list[Token] = []  # to come at the end
        self.typeofs = typeofs
        self.constructors: set[tuple[str, str]] = set()
        self.cleaning: list[tuple[int, int, Token, str | None]] = []  # how deep, from where, by what, which variable
        self.blocks = blocks
        self.function = ""  # that the tokens are in
        self.needs_errno: Token | None = None  # where it is named without a declaration
        self.aligned_types: dict[str, list[Token]] = {}  # what says their alignment
        self.errors: list[XgenError] = []

    def refuse(self, message: str, token: Token, hint: str | None = None) -> None:
        self.errors.append(UnsupportedError(message, token.position.source, token.position, hint))

    def run(self, tokens: list[Token], depth: int = 0) -> list[Token]:
        """The tokens without what is no C11. `depth`: how many braces are open before them."""
        result: list[Token] = []
        start = 0  # of the declaration at file scope
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.kind == "name" and token.text in _RENAMED:
                token = token.renamed(_RENAMED[token.text])
            following = tokens[at + 1].text if at + 1 < len(tokens) else ""
            text = token.text
            if token.kind == "name":
                at = self.word(tokens, at, token, following, result, depth) + 1
                continue
            if text == "{" and depth == 0 and result and result[-1].text in (")", ";"):
                self.function = next((name for name, _ in declarators(result[start:])), "")
            depth += {"{": 1, "}": -1}.get(text, 0)
            if text == "(" and following == "{":
                end = closing(tokens, at)
                result += self.block(tokens[at + 1 : end], token)
                at = end
            elif text == "..." and result and self.in_case(result):
                at = self.range(tokens, at, result)
            elif text == "[" and following == "[":
                at = closing(tokens, at)  # [[...]], an attribute
            else:
                if text == "&&" and (not result or result[-1].text in _BEFORE_VALUES):
                    self.refuse("the address of a label is not supported", token)
                result.append(token)
                if text == "{" and self.pending:
                    result += self.pending
                    self.pending = []
                if text == ";" and self.cleaning and self.cleaning[0][0] == depth:
                    self.clean(result)
                if text == "?" and following == ":":
                    result.append(token.renamed(SAME, "name"))
            if depth == 0 and text in (";", "}"):
                start = len(result)
            at += 1
        return result

    def word(self, tokens: list[Token], at: int, token: Token, following: str, result: list[Token], depth: int) -> int:
        """What a word becomes, perhaps with what is behind it; the place of the last token that was read."""
        text = token.text
        if text in self.aligned_types:
            self.aligned_type(tokens, at, result, depth)
        if text in _OF_WORDS:
            result += [token.renamed(word) for word in _OF_WORDS[text]]
        elif text in _FUNCTION_NAMES:
            result.append(token.renamed(f'"{self.function}"', "string"))
        elif text == "__auto_type":
            result.append(token.renamed("__xgen_auto"))
        elif text == "alignas":
            result.append(token.renamed("_Alignas"))
        elif text == "asm":
            return self.asm(tokens, at, result, depth)
        elif text == "__errno_location" and [token.text for token in tokens[at + 1 : at + 3]] == ["(", ")"]:
            self.errno(token, result)
            return at + 2
        elif text in _REFUSED:
            self.refuse(_REFUSED[text], token)
            if following == "(":  # a value of some type
                result.append(token.renamed("0", "number"))
                return closing(tokens, at + 1)
            result.append(token.renamed("int"))
        elif following == "(" and text in _WITH_PARENTHESES:
            end = closing(tokens, at + 1)
            inside = tokens[at + 2 : end]
            if text in ("__attribute__", "__attribute"):
                named_behind = "typedef" in [token.text for token in result[-3:]]
                more = LONGEST_TYPE if named_behind else 12
                self.attributes(tokens[at + 1 : end], result, tokens[end + 1 : end + 1 + more], depth)
            elif text == "typeof":
                result.append(self.typeof(inside, token))
            elif text == "_Generic":
                result += self.generic(inside, token)
            elif text == "__builtin_offsetof":
                result += self.offset(inside, token)
            elif text == "__builtin_types_compatible_p":
                result += self.compatible(inside, token)
            elif text == "__builtin_va_arg":
                result += self.argument(inside, token)
            elif text == "__assert_fail":
                self.assertion(inside, token, result)
            return end
        elif text not in _DROPPED:
            new = depth == 0 and (not result or result[-1].text in _BEFORE_A_DEFINITION)
            if new and following == "(" and awaits_body(tokens[at : closing(tokens, at + 1) + 2]):
                result.append(token.renamed("int"))  # the result of a function in the style of before 1989
            result.append(token)
        return at

    def errno(self, at: Token, result: list[Token]) -> None:
        """The thread's `errno`, or its address."""
        if self.needs_errno is None:
            self.needs_errno = at
        if result and result[-1].text == "*" and result[-2:-1] and result[-2].text == "(":
            result[-1] = at.renamed("errno")
        else:
            result += [at.renamed("&", "sign"), at.renamed("errno")]

    def argument(self, inside: list[Token], at: Token) -> list[Token]:
        """`va_arg(list, T)`."""
        parts = split(inside, ",")
        if len(parts) != 2:
            raise ProgramError("`va_arg` needs a list and a type", at.position.source, at.position)
        list_, type_ = (self.run(part, 1) for part in parts)
        head = [at.renamed(VA_ARG), *_signs(at, "("), *list_, *_signs(at, ",")]
        return [*head, at.renamed("sizeof"), *_signs(at, "("), *type_, *_signs(at, "))")]

    def offset(self, inside: list[Token], at: Token) -> list[Token]:
        """`offsetof(T, m)`."""
        type_, *member = split(inside, ",", 1)
        if not member:
            raise ProgramError("`offsetof` needs a type and a member", at.position.source, at.position)
        cast = [*_signs(at, "(("), at.renamed("unsigned"), at.renamed("long"), *_signs(at, ")&((")]
        base = [*self.run(type_, 1), *_signs(at, "*)"), at.renamed("0", "number"), *_signs(at, ")")]
        return [*cast, *base, at.renamed("->", "sign"), *self.run(member[0], 1), *_signs(at, ")")]

    def compatible(self, inside: list[Token], at: Token) -> list[Token]:
        """Whether two types are the same: the pointers to them are."""
        types = split(inside, ",")
        if len(types) != 2:
            message = "`__builtin_types_compatible_p` needs two types"
            raise ProgramError(message, at.position.source, at.position)
        first, second = ([self.typeof(type_, at), *_signs(at, "*")] for type_ in types)
        zero, one = at.renamed("0", "number"), at.renamed("1", "number")
        operand = [*_signs(at, "("), *first, *_signs(at, ")"), zero]
        cases = [*second, *_signs(at, ":"), one, *_signs(at, ","), at.renamed("default"), *_signs(at, ":"), zero]
        return self.generic([*operand, *_signs(at, ","), *cases], at, "__xgen_types")

    def assertion(self, inside: list[Token], at: Token, result: list[Token]) -> None:
        """The call that a failing `assert` is; with the `if` before it, it is the assertion itself."""
        texts = [token.text for token in result[-3:]]
        start = opening(result[:-2], "(", ")") if texts == [")", ";", "else"] else None
        if start is None or not start or result[start - 1].text != "if":
            result += [at, *_signs(at, "("), *self.run(inside, 1), *_signs(at, ")")]
            return
        word, condition = result[start - 1], result[start:-2]
        del result[start - 1 :]
        text = split(inside, ",")[0]
        result += [word.renamed("__xgen_assert"), *_signs(word, "("), *condition, *_signs(word, ","), *text]
        result += _signs(word, ")")

    def block(self, body: list[Token], at: Token) -> list[Token]:
        """A statement expression."""
        outer, self.cleaning = self.cleaning, []
        inside = self.run(body, 1)
        self.cleaning = outer
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

    def generic(self, inside: list[Token], at: Token, name: str = "__xgen_generic") -> list[Token]:
        """A selection, as a call whose arguments are what is looked at, and a type and an expression for each case."""
        operand, *cases = split(inside, ",")
        result = [at.renamed(name), *_signs(at, "("), *self.run(operand, 1)]
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

    def attributes(self, tokens: list[Token], before: list[Token], after: list[Token], depth: int) -> None:
        for at, token in enumerate(tokens):
            name = token.text.strip("_") if token.kind == "name" else ""
            if name in _REFUSED_ATTRIBUTES:
                self.refuse(f"the attribute `{token.text}` is not supported", token)
            elif name == "packed":
                self.packed(token, before, after, depth)
            elif name == "transparent_union":
                self.transparent(token, before, after)
            elif name in ("constructor", "destructor"):
                self.constructor(tokens[at : at + 2], before, after, depth)
            elif name == "cleanup":
                self.cleanup(token, tokens[at + 2 : at + 3], before, after, depth)
            elif name == "aligned":
                self.aligned(tokens, at, before, after, depth)
            elif name == "mode" and at + 2 < len(tokens):
                self.mode(tokens[at + 2], before, depth)

    def mode(self, mode: Token, before: list[Token], depth: int) -> None:
        """An integer type by its size: `typedef int int64 __attribute__((mode(DI)))`."""
        start, _ = _declaration(before, depth)
        base = [k for k in range(start, len(before)) if before[k].text in ("char", "short", "int", "long")]
        word = _MODES.get(mode.text.strip("_"))
        if word is None or len(base) != 1:
            self.refuse(f"the mode `{mode.text}` of this type is not supported", mode)
        else:
            before[base[0]] = before[base[0]].renamed(word)

    def aligned_type(self, tokens: list[Token], at: int, result: list[Token], depth: int) -> None:
        """A name of a type with an alignment of its own, which matters for members, and where it is asked for."""
        start, in_record = _declaration(result, depth)
        if in_record and not _QUALIFIERS.issuperset(token.text for token in result[start:]):
            return  # a tag, or the name of a member
        word, following = tokens[at], tokens[at + 1].text if at + 1 < len(tokens) else ""
        end = next((k for k in range(at, len(tokens)) if tokens[k].text == ";"), at)
        if [token.text for token in result[-2:]] == ["_Alignof", "("]:
            self.refuse(f"the alignment of the type `{word.text}`, which is aligned, is not supported", word)
        elif in_record and following != "*":
            if any(token.text == "*" for token in tokens[at:end]):
                self.refuse(f"a pointer beside a member of the aligned type `{word.text}` is not supported", word)
            result[start:start] = self.aligned_types[word.text]
        elif "typedef" in [token.text for token in result[start:]]:
            self.aligned_types[tokens[end - 1].text] = self.aligned_types[word.text]
        elif not in_record and self.names_variable(result[start:], tokens[at + 1 :]):
            result[start:start] = self.aligned_types[word.text]

    @staticmethod
    def names_variable(before: list[Token], after: list[Token]) -> bool:
        """Whether a name of a type is that of a variable, whose name comes next."""
        return after[:1] != [] and after[0].kind == "name" and _is_variable([token.text for token in before], after)

    def begins_record(self, member: list[Token], before: list[Token], after: list[Token]) -> bool:
        """Puts a member first in the record that an attribute is of; False where it is of something else."""
        last = before[-1].text if before else ""
        if last == "}" and (start := opening(before)) is not None and _is_record(before, start):
            before[start + 1 : start + 1] = member
        elif last in ("struct", "union") and "{" in [token.text for token in after[:2]]:
            self.pending += member
        else:
            return False
        return True

    def packed(self, word: Token, before: list[Token], after: list[Token], depth: int) -> None:
        """A packed struct, or member, is said by a member before it that has no other meaning."""
        member = [word.renamed("char"), word.renamed(PACKED), *_signs(word, ";")]
        if not self.begins_record(member, before, after):
            start, in_record = _declaration(before, depth)
            if in_record and "," not in [token.text for token in before[start:]] and after[:1] and after[0].text == ";":
                before[start:start] = [word.renamed("char"), word.renamed(PACKED_NEXT), *_signs(word, ";")]
            elif in_record or "typedef" in [token.text for token in before[start:]]:
                self.refuse(
                    "the attribute `packed` of several members, or of the name of a type, is not supported", word
                )

    def transparent(self, word: Token, before: list[Token], after: list[Token]) -> None:
        """A union whose members are arguments where it is a parameter is said by a member that has no other meaning."""
        member = [word.renamed("char"), word.renamed(TRANSPARENT), *_signs(word, ";")]
        named = before[-1].kind == "name" if before else False
        start = opening(before[:-1] if named and before[-2:-1] and before[-2].text == "}" else before)
        if start is not None and before[-1 - named].text == "}" and _is_record(before, start):
            before[start + 1 : start + 1] = member
        elif before and before[-1].text == "union" and "{" in [token.text for token in after[:2]]:
            self.pending += member
        else:
            self.refuse(f"the attribute `{word.text}` of the name of a type is not supported", word)

    def constructor(self, words: list[Token], before: list[Token], after: list[Token], depth: int) -> None:
        """A function that is called before main, or after it, is said by one that calls it."""
        word = words[0]
        start, _ = _declaration(before, depth)
        named = [*before[start:], *after]
        name = next((a for a, b in pairwise(named) if _is_declared(a, b)), None)
        kind = CONSTRUCTOR if word.text.strip("_") == "constructor" else DESTRUCTOR
        if [token.text for token in words[1:]] == ["("] or name is None:
            self.refuse(f"the attribute `{word.text}` with a priority, or of no function, is not supported", word)
        elif (kind, name.text) not in self.constructors:
            self.constructors.add((kind, name.text))
            called = word.renamed(f"{kind}{self.blocks}")
            head = [word.renamed("void"), called, *_signs(word, "("), word.renamed("void"), *_signs(word, "){")]
            self.functions += [*head, word.renamed(name.text), *_signs(word, "();}")]
            self.blocks += 1

    def cleanup(self, word: Token, function: list[Token], before: list[Token], after: list[Token], depth: int) -> None:
        """What is called with a variable's address when its block ends is said by a statement behind its declaration.
        Behind a declarator it is about that variable, else about all of them."""
        start = next((k + 1 for k in range(len(before) - 1, -1, -1) if before[k].text in (";", "{", "}", ":")), 0)
        declaration = [token.text for token in before[start:]]
        in_record = _declaration(before, depth)[1]
        if "static" in declaration or "extern" in declaration:  # compilers warn, and do nothing
            return
        if depth == 0 or in_record or not function or declaration.count("(") != declaration.count(")"):
            self.refuse(f"the attribute `{word.text}` of what is no variable of a block is not supported", word)
            return
        names = [name for name, _ in declarators(before[start:])]
        following = after[0].text if after else ""
        behind = following in ("=", ";", ",") or (following.startswith("__attribute") and names)
        own = names[-1] if behind and names else None
        self.cleaning.append((depth, start, function[0], own))

    def clean(self, result: list[Token]) -> None:
        """A declaration ends whose variables are to be cleaned up."""
        for _, start, function, own in self.cleaning:
            for name in [name for name, _ in declarators(result[start:])] if own is None else [own]:
                result += [function.renamed(CLEANUP), *_signs(function, "("), function, *_signs(function, "(&")]
                result += [function.renamed(name), *_signs(function, "));")]
        self.cleaning = []

    def aligned(self, tokens: list[Token], at: int, before: list[Token], after: list[Token], depth: int) -> None:
        """The alignment of a struct is said by a member without a meaning of its own, that of a member or a variable by
        `_Alignas`; variables that are declared with one that has it may have it, too."""
        word = tokens[at]
        operand = [word.renamed("16", "number")]
        if at + 1 < len(tokens) and tokens[at + 1].text == "(":
            operand = self.run(tokens[at + 2 : closing(tokens, at + 1)], 1)
        specifier = [word.renamed("_Alignas"), *_signs(word, "("), *operand, *_signs(word, ")")]
        member = [*specifier, word.renamed("char"), word.renamed(ALIGNED), *_signs(word, ";")]
        if not self.begins_record(member, before, after):
            start, in_record = _declaration(before, depth)
            words = _outside([token.text for token in before[start:]])
            alone = not words or ("," not in words and after[:1] and after[0].text == ";")
            if in_record and alone:
                before[start:start] = specifier
            elif "typedef" in words and alone and before[-1].kind == "name":
                self.aligned_types[before[-1].text] = specifier
            elif "typedef" in words and set(words) <= _BEFORE_A_TYPE and (name := _only_declared(after)):
                self.aligned_types[name] = specifier
            elif in_record or "typedef" in words:
                self.refuse(
                    "the attribute `aligned` of several members, or of the name of a type, is not supported", word
                )
            elif _is_variable(words, after):
                before[start:start] = specifier

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
            if any(token.text.strip("_") == "goto" for token in tokens[start : at + 1]):
                self.refuse("`asm goto` is not supported", word)
            result += [word.renamed("__xgen_asm"), *_signs(word, "("), *self.operands(tokens[at + 2 : end], word)]
            result += _signs(word, ")")
        return end

    def operands(self, tokens: list[Token], word: Token) -> list[Token]:
        """The text of instructions, the number of outputs, and of each operand its constraint and what it is. What is
        called by a name is called by its number then."""
        single = [part for token in tokens for part in (_signs(token, "::") if token.text == "::" else [token])]
        parts = split(single, ":")
        text = _joined(parts[0])
        groups = [[each for each in split(part, ",") if each] for part in parts[1:3]]
        found: list[Token] = []
        for number, operand in enumerate(each for group in groups for each in group):
            if operand[0].text == "[" and len(operand) > 3:
                text = re.sub(rf"%([a-z]?)\[{re.escape(operand[1].text)}\]", rf"%\g<1>{number}", text)
                operand = operand[3:]
            constraint = word.renamed(f'"{_joined(operand)}"', "string")
            what = operand[next((k for k, token in enumerate(operand) if token.kind != "string"), len(operand)) :]
            found += [*_signs(word, ","), constraint, *_signs(word, ","), *self.run(what, 1)]
        outputs = word.renamed(str(len(groups[0]) if groups else 0), "number")
        return [word.renamed(f'"{text}"', "string"), *_signs(word, ","), outputs, *found]

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


def _joined(tokens: list[Token]) -> str:
    """The strings that stand at the start, as one."""
    return "".join(token.text[1:-1] for token in takewhile(lambda token: token.kind == "string", tokens))


def _is_declared(name: Token, behind: Token) -> bool:
    """Whether two tokens begin the declarator of a function."""
    return name.kind == "name" and behind.text == "(" and name.text not in _WITH_PARENTHESES


def _signs(at: Token, texts: str) -> list[Token]:
    return [at.renamed(text, "sign") for text in texts]
