"""Functions of the compiler that stand for others, and the expressions that they are: GCC's `__builtin_NAME`.

They are macros here, of the text as it is preprocessed, by xgen or by a compiler.
"""

from __future__ import annotations

from functools import cache

from xgen.errors import Source
from xgen.frontends.c.text.preprocess import AnyMacro, Preprocessor, Settings
from xgen.frontends.c.text.tokens import Token, tokenise

_NAMED = (
    "abs labs llabs exit atexit printf fprintf sprintf snprintf puts putchar fputs fputc "
    "strlen strnlen strcmp strncmp strcpy stpcpy strncpy strcat strchr strrchr strstr strdup memchr realloc "
    "isdigit isupper islower isalpha isalnum isxdigit isblank isspace isprint isgraph ispunct iscntrl tolower toupper"
)
"""Functions of the library that the compiler also knows by a name of its own."""
_SMALL = "sizeof(a) < 8 && sizeof(b) < 8 && sizeof(*(result)) < 8"
"""Whether 64 bits hold what is computed; but for two numbers without a sign that are multiplied."""
_SIGNED = "((__typeof__(a))-1 < 0 || (__typeof__(b))-1 < 0)"
_TYPES = {
    f"{sign}{{}}{size}": f"{word} {type_}"
    for sign, word in (("s", "signed"), ("u", "unsigned"))
    for size, type_ in (("", "int"), ("l", "long"), ("ll", "long long"))
}
"""The functions for one type, by what stands before and behind the operation."""


_STORED = "__typeof__(*(result)) __xgen_stored = (__typeof__(*(result)))__xgen_exact; *(result) = __xgen_stored;"


def _selected(condition: str, one: str, other: str) -> str:
    """One of two expressions, of which the other one is not looked at."""
    return f"_Generic((char (*)[1 + !({condition})])0, char (*)[1]: ({one}), default: ({other}))"


def _exact(type_: str, sign: str) -> str:
    """The result in a type that holds it, stored as it is wanted; whether it is another one there."""
    exact = f"{type_} __xgen_exact = ({type_})(a) {sign} ({type_})(b);"
    return f"({{ {exact} {_STORED} (_Bool)(__xgen_exact != __xgen_stored); }})"


def _magnitude(of: str) -> str:
    return f"({of} < 0 ? -(unsigned long long){of} : (unsigned long long){of})"


def _product() -> str:
    """That of two numbers of 64 bits, by what they are without their signs."""
    first, second = _magnitude("__xgen_a"), _magnitude("__xgen_b")
    numbers = "__typeof__(a) __xgen_a = (a); __typeof__(b) __xgen_b = (b);"
    sizes = f"unsigned long long __xgen_first = {first}, __xgen_second = {second};"
    product = "unsigned long long __xgen_product = __xgen_first * __xgen_second;"
    negative = "int __xgen_negative = (__xgen_a < 0) != (__xgen_b < 0);"
    exact = "unsigned long long __xgen_exact = __xgen_negative ? -__xgen_product : __xgen_product;"
    large = "(__xgen_first && __xgen_second > 0xffffffffffffffffULL / __xgen_first)"
    other = f"{_magnitude('__xgen_stored')} != __xgen_product"
    turned = "(__xgen_product && (__xgen_stored < 0) != __xgen_negative)"
    return f"({{ {numbers} {sizes} {product} {negative} {exact} {_STORED} (_Bool)({large} || {other} || {turned}); }})"


def _with_carry(what: str, type_: str) -> str:
    """Clang's sum or difference of two numbers and a carry, which is 0 or 1."""
    once = f"__builtin_{what}_overflow(({type_})(a), ({type_})(b), &__xgen_sum)"
    again = f"__builtin_{what}_overflow(__xgen_sum, ({type_})(carry), &__xgen_sum)"
    flags = f"_Bool __xgen_first = {once}; _Bool __xgen_second = {again};"
    return f"({{ {type_} __xgen_sum; {flags} *(out) = __xgen_first | __xgen_second; __xgen_sum; }})"


def _rotated(bits: int, type_: str, one: str, other: str) -> str:
    given = f"{type_} __xgen_number = (number); unsigned __xgen_by = (by) & {bits - 1};"
    left, right = f"__xgen_number {one} __xgen_by", f"__xgen_number {other} (-__xgen_by & {bits - 1})"
    return f"({{ {given} ({type_})({left} | {right}); }})"


def _reversed(bits: int, type_: str) -> str:
    """The bits in the opposite order: parts of all sizes change their places with the ones beside them."""
    text, part = f"unsigned long long __xgen_number = ({type_})(number);", 1
    while part < bits:
        mask = sum(((1 << part) - 1) << at for at in range(0, bits, 2 * part))
        low, high = f"(__xgen_number & {mask:#x}ULL) << {part}", f"__xgen_number >> {part} & {mask:#x}ULL"
        text, part = f"{text} __xgen_number = {low} | {high};", 2 * part
    return f"({{ {text} ({type_})__xgen_number; }})"


def _texts() -> dict[str, str]:
    found = {f"__builtin_{name}": name for name in _NAMED.split()}
    for what, sign in (("add", "+"), ("sub", "-"), ("mul", "*")):
        small = f"{_SMALL} && {_SIGNED}" if sign == "*" else _SMALL
        large = _product() if sign == "*" else _exact("__int128", sign)
        found[f"__builtin_{what}_overflow"] = f"(a, b, result) {_selected(small, _exact('long long', sign), large)}"
        for name, type_ in _TYPES.items():
            called = f"__builtin_{what}_overflow(({type_})(a), ({type_})(b), result)"
            found[f"__builtin_{name.format(what)}_overflow"] = f"(a, b, result) {called}"
        kept = "({ __typeof__(like) __xgen_kept;"
        found[f"__builtin_{what}_overflow_p"] = (
            f"(a, b, like) {kept} __builtin_{what}_overflow(a, b, &__xgen_kept); }})"
        )
    for size, type_ in {"b": "char", "s": "short", "": "int", "l": "long", "ll": "long long"}.items():
        for what in ("add", "sub"):
            found[f"__builtin_{what}c{size}"] = f"(a, b, carry, out) {_with_carry(what, f'unsigned {type_}')}"
    for bits, type_ in {8: "char", 16: "short", 32: "int", 64: "long long"}.items():
        found[f"__builtin_rotateleft{bits}"] = f"(number, by) {_rotated(bits, f'unsigned {type_}', '<<', '>>')}"
        found[f"__builtin_rotateright{bits}"] = f"(number, by) {_rotated(bits, f'unsigned {type_}', '>>', '<<')}"
        found[f"__builtin_bitreverse{bits}"] = f"(number) {_reversed(bits, f'unsigned {type_}')}"
    found["__builtin_expect_with_probability"] = "(value, expected, probability) (value)"
    found["__builtin_assume_aligned"] = "(pointer, ...) ((void *)(pointer))"
    # What is not known of a size is said by the largest one, or by the smallest.
    found["__builtin_object_size"] = "(pointer, kind) ((__typeof__(sizeof(0)))((kind) & 2 ? 0 : -1))"
    found["__builtin_dynamic_object_size"] = "(pointer, kind) __builtin_object_size(pointer, kind)"
    found["__builtin_alloca_with_align"] = "(size, alignment) __builtin_alloca(size)"
    found["__builtin_speculation_safe_value"] = "(value, ...) (value)"
    found["__builtin_choose_expr"] = f"(condition, one, other) {_selected('condition', 'one', 'other')}"
    return found


TEXTS = _texts()
"""What stands behind each: its parameters, if it is called with some, and its text."""


def without_built_in(tokens: list[Token]) -> list[Token]:
    """The same text with what these functions stand for."""
    if not any(token.text in TEXTS for token in tokens):
        return tokens
    worker = Preprocessor(Settings())
    worker.macros = _macros()
    return worker.expand(tokens)


@cache
def _macros() -> dict[str, AnyMacro]:
    """All of them, made once; to expand does not change them."""
    worker = Preprocessor(Settings())
    worker.macros.clear()
    for name, text in TEXTS.items():
        call = "" if text[0] == "(" else " "
        worker.definition(tokenise(Source("<built in>", f"{name}{call}{text}")))
    return worker.macros
