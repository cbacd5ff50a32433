"""Reading .cat texts: the grammar of herd's lib/modelParser.mly, by recursive descent.

Operators, loosest first: `|` (right), `++` (right), `;` (right), `\\` (left), `&` (right), then on one level the prefix
`~`, the postfix `+ * ?` and the product `S * T` (none of which may follow another without parentheses, but for the
postfix ones), then `^-1`; application is tightest. `X*` is a closure where no expression follows, else a product.

By hand, since that grammar rests on declarations of precedence, which Lark's LALR(1) does not have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NoReturn, TypeVar, cast

from xgen.errors import ModelError, Source, UnsupportedError
from xgen.memory.cat import syntax as s
from xgen.memory.cat.lexer import Word, words

T = TypeVar("T")

MAX_DEPTH = 60
"""The deepest nesting of expressions and instructions that is read."""

_BINARY = ("|", "++", ";", "\\", "&")
"""The operators that may stand between any two expressions, loosest first."""

_CHECKS = ("acyclic", "irreflexive", "empty")
_STARTS = {"name", "tag"}
_START_WORDS = {"(", "{", "[", "_", "0", "~", "begin"}
_ROLES = ("flag", "undefined_unless", "assert")


def parse(source: Source) -> s.File:
    """The syntax tree of a text. Raises ModelError, and UnsupportedError for what is nested too deeply."""
    return _Parser(source).file()


class _Parser:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.words = words(source)
        self.at = 0
        self.depth = 0

    # --- words

    @property
    def word(self) -> Word:
        return self.words[self.at]

    def next(self) -> Word:
        word = self.words[self.at]
        self.at += word.kind != "end"
        return word

    def sees(self, *texts: str) -> bool:
        """Whether the next word is one of these signs or keywords."""
        return self.word.kind in ("sign", "keyword") and self.word.text in texts

    def take(self, *texts: str) -> Word | None:
        """The next word, if it is one of these signs or keywords."""
        return self.next() if self.sees(*texts) else None

    def need(self, text: str, hint: str | None = None) -> Word:
        return self.take(text) or self.wrong(f"`{text}`", hint)

    def need_kind(self, kind: str, expected: str) -> str:
        return self.next().text if self.word.kind == kind else self.wrong(expected)

    def wrong(self, expected: str, hint: str | None = None) -> NoReturn:
        word = self.word
        found = "the text ends" if word.kind == "end" else f"unexpected {word}"
        if hint is None and word.kind == "keyword":
            hint = f"`{word.text}` is a reserved word"
        raise ModelError(f"{found}, expected {expected}", *word.origin, hint)

    def nested(self, rule: Callable[[], T]) -> T:
        """A part inside another one."""
        if self.depth >= MAX_DEPTH:
            raise UnsupportedError(f"this is nested more than {MAX_DEPTH} levels deep", *self.word.origin)
        self.depth += 1
        result = rule()
        self.depth -= 1
        return result

    # --- the file

    def file(self) -> s.File:
        architecture = title = ""
        if self.word.kind == "name":
            architecture = title = self.next().text
            if self.word.kind in ("name", "string"):
                title = self.next().text
        elif self.word.kind == "string":
            title = self.next().text
        self.take("catdep")  # an option of herd, of which nothing depends here
        instructions = []
        while self.word.kind != "end":
            instructions.append(self.instruction(top=True))
        return s.File(self.source, architecture, title, tuple(instructions))

    # --- instructions

    def instruction(self, top: bool = False) -> s.Instruction:
        origin = self.word.origin
        if self.sees("~", *_CHECKS, *_ROLES):
            role = cast(
                Literal["", "flag", "undefined_unless", "assert"], self.next().text if self.sees(*_ROLES) else ""
            )
            return self.check(role)
        rules: dict[str, Callable[[s.Origin], s.Instruction]] = {
            "let": self.let, "show": self.show, "unshow": self.unshow, "include": self.include,
            "procedure": self.procedure, "call": self.call, "forall": self.for_all, "with": self.with_from,
            "if": self.if_variant, "match": self.match_instructions, "instructions": self.annotations,
            "default": self.annotations, "debug": self.debug,
        }  # fmt: skip
        if top:
            rules["enum"] = self.enumeration
        if self.word.kind != "keyword" or self.word.text not in rules:
            self.wrong("a definition or a check", self.not_an_instruction())
        rule = rules[self.word.text]
        self.next()
        return rule(origin)

    def not_an_instruction(self) -> str | None:
        """Advice where an instruction should begin and does not."""
        if self.word.kind == "name" and self.at + 1 < len(self.words) and self.words[self.at + 1].text == "=":
            return "a definition is written let name = expression"
        if self.word.text == "enum":
            return "an enum stands at the top level only"
        return None

    def block(self, *ends: str) -> tuple[s.Instruction, ...]:
        """Instructions up to a word that ends them, which is left."""

        def rule() -> tuple[s.Instruction, ...]:
            found = []
            while not self.sees(*ends):
                found.append(self.instruction())
            return tuple(found)

        return self.nested(rule)

    def let(self, origin: s.Origin) -> s.Instruction:
        recursive = self.take("rec") is not None
        bindings = self.bindings()
        test = None
        if recursive and self.take("when"):
            test = self.check("")
        self.take("in")
        return s.Let(origin, recursive, bindings, test)

    def check(self, role: Literal["", "flag", "undefined_unless", "assert"]) -> s.Check:
        origin = self.word.origin
        negated = self.take("~") is not None
        word = self.take(*_CHECKS) or self.wrong("`acyclic`, `irreflexive` or `empty`")
        property_ = cast(Literal["acyclic", "irreflexive", "empty"], word.text)
        expression = self.expression()
        name = self.need_kind("name", "a name") if self.take("as") else None
        return s.Check(origin, role, negated, property_, expression, name)

    def show(self, origin: s.Origin) -> s.Instruction:
        self.base()
        if self.take("as"):
            self.need_kind("name", "a name")
        while self.take(","):
            self.need_kind("name", "a name")
        return s.Show(origin)

    def unshow(self, origin: s.Origin) -> s.Instruction:
        self.need_kind("name", "a name")
        while self.take(","):
            self.need_kind("name", "a name")
        return s.Show(origin)

    def include(self, _origin: s.Origin) -> s.Instruction:
        at = self.word.origin
        return s.Include(at, self.need_kind("string", "a file's name in quotes"))

    def procedure(self, origin: s.Origin) -> s.Instruction:
        self.take("rec")
        name = self.need_kind("name", "a name")
        parameter = self.parameter()
        self.need("=")
        body = self.block("end")
        self.need("end")
        return s.Procedure(origin, name, parameter, body)

    def call(self, _origin: s.Origin) -> s.Instruction:
        at = self.word.origin
        name = self.need_kind("name", "the name of a procedure")
        argument = self.argument() or self.wrong("an argument")
        if self.take("as"):
            self.need_kind("name", "a name")
        return s.Call(at, name, argument)

    def for_all(self, origin: s.Origin) -> s.Instruction:
        name = self.need_kind("name", "a name")
        self.need("in")
        members = self.expression()
        self.need("do")
        body = self.block("end")
        self.need("end")
        return s.ForAll(origin, name, members, body)

    def with_from(self, origin: s.Origin) -> s.Instruction:
        name = self.need_kind("name", "a name")
        self.need("from")
        return s.WithFrom(origin, name, self.expression())

    def if_variant(self, origin: s.Origin) -> s.Instruction:
        condition = self.variant()
        then = self.block("else", "end")
        otherwise = self.block("end") if self.take("else") else ()
        self.need("end")
        return s.IfVariant(origin, condition, then, otherwise)

    def match_instructions(self, origin: s.Origin) -> s.Instruction:
        value = self.expression()
        self.need("with")
        self.take("||")
        clauses = []
        while True:
            tag = None if self.take("_") else self.need_kind("tag", "a tag or `_`")
            self.need("->")
            clauses.append((tag, self.block("||", "end")))
            if not self.take("||"):
                break
        self.need("end")
        return s.MatchInstructions(origin, value, tuple(clauses))

    def enumeration(self, origin: s.Origin) -> s.Instruction:
        name = self.need_kind("name", "a name")
        self.need("=")
        self.take("||")
        tags = [self.need_kind("tag", "a tag, as in 'name")]
        while self.take("||"):
            tags.append(self.need_kind("tag", "a tag, as in 'name"))
        return s.Enumeration(origin, name, tuple(tags))

    def annotations(self, origin: s.Origin) -> s.Instruction:
        kind = self.need_kind("name", "a kind of event, such as R")
        self.need("[")
        sets = [] if self.sees("]") else self.separated(self.base)
        self.need("]")
        return s.Annotations(origin, kind, tuple(sets))

    def debug(self, origin: s.Origin) -> s.Instruction:
        return s.Debug(origin, self.expression())

    # --- bindings

    def bindings(self) -> tuple[s.Binding, ...]:
        found = [self.binding()]
        while self.take("and"):
            found.append(self.binding())
        return tuple(found)

    def binding(self) -> s.Binding:
        """`x = e`, `(x, y) = e`, `x, y = e`, `f x = e`, `f (x, y) = e`."""
        origin = self.word.origin
        if self.word.kind == "name" and self.words[self.at + 1].text != ",":
            name = self.next().text
            pattern = s.Pattern(origin, (name,), False)
            if self.take("="):
                return s.Binding(origin, pattern, self.expression())
            if self.word.kind != "name" and not self.sees("(", "_"):
                self.wrong("`=` or a parameter")
            parameter = self.parameter()
            self.need("=", "a function has one parameter, which may be a tuple: f (x, y) = ...")
            return s.Binding(origin, pattern, s.Function(origin, parameter, self.expression(), name))
        pattern = self.parameter()
        while self.take(","):
            pattern = s.Pattern(origin, (*pattern.names, self.pattern_name()), True)
        self.need("=")
        return s.Binding(origin, pattern, self.expression())

    def parameter(self) -> s.Pattern:
        """A name, `_`, or names in parentheses; one name in parentheses is that name."""
        origin = self.word.origin
        if not self.take("("):
            return s.Pattern(origin, (self.pattern_name(),), False)
        names = [] if self.sees(")") else self.separated(self.pattern_name)
        self.need(")")
        return s.Pattern(origin, tuple(names), len(names) != 1)

    def pattern_name(self) -> str | None:
        return None if self.take("_") else self.need_kind("name", "a name")

    # --- expressions

    def expression(self) -> s.Expression:
        """An expression with everything."""
        return self.nested(self._expression)

    def _expression(self) -> s.Expression:
        origin = self.word.origin
        if self.take("let"):
            recursive = self.take("rec") is not None
            bindings = self.bindings()
            self.need("in")
            return s.LetIn(origin, recursive, bindings, self.expression())
        if self.take("fun"):
            parameter = self.parameter()
            self.need("->")
            return s.Function(origin, parameter, self.expression(), "")
        if self.take("try"):
            body = self.expression()
            self.need("with")
            return s.Try(origin, body, self.expression())
        if self.take("if"):
            condition = self.condition()
            self.need("then")
            then = self.expression()
            self.need("else")
            return s.If(origin, condition, then, self.expression())
        if self.take("match"):
            return self.match(origin)
        first = self.base()
        if not self.sees(","):
            return first
        parts = [first]
        while self.take(","):
            parts.append(self.base())
        return s.Tuple(origin, tuple(parts))

    def condition(self) -> s.Variant | s.Comparison:
        if self.word.kind == "string" or self.sees("variant", "not"):
            return self.variant()
        origin, left = self.word.origin, self.expression()
        sign = self.take("=", "subset", "in") or self.wrong("`=`, `subset` or `in`")
        return s.Comparison(origin, sign.text, left, self.expression())

    def variant(self) -> s.Variant:
        """`||` is looser than `&&`, and that than `not`."""
        return self.nested(lambda: self.variants("||", lambda: self.variants("&&", self.single_variant)))

    def variants(self, sign: Literal["||", "&&"], rule: Callable[[], s.Variant]) -> s.Variant:
        origin, parts = self.word.origin, [rule()]
        while self.take(sign):
            parts.append(rule())
        return parts[0] if len(parts) == 1 else s.Variant(origin, sign, "", tuple(parts))

    def single_variant(self) -> s.Variant:
        origin = self.word.origin
        if self.take("not"):
            return s.Variant(origin, "not", "", (self.nested(self.single_variant),))
        if self.take("("):
            inner = self.variant()
            self.need(")")
            return inner
        self.take("variant")
        return s.Variant(origin, "", self.need_kind("string", "the name of a variant in quotes"))

    def match(self, origin: s.Origin) -> s.Expression:
        value = self.expression()
        self.need("with")
        self.take("||")
        if self.word.kind == "tag" or (self.sees("_") and self.words[self.at + 1].text == "->"):
            return self.match_tag(origin, value)
        empty: s.Expression | None = None
        other: tuple[str | None, str | None, str | None, s.Expression] | None = None
        while empty is None or other is None:
            if empty is None and self.take("{"):
                self.need("}")
                self.need("->")
                empty = self.expression()
            elif other is None:
                other = self.member_clause()
            else:
                self.wrong("`{}`")
            if empty is None or other is None:
                self.need("||")
        self.need("end")
        return s.MatchSet(origin, value, empty, *other)

    def member_clause(self) -> tuple[str | None, str | None, str | None, s.Expression]:
        """`head ++ rest -> e`, `before | head ++ rest -> e`."""
        before, head = None, self.pattern_name()
        if self.take("|"):
            before, head = head, self.pattern_name()
        self.need("++")
        rest = self.pattern_name()
        self.need("->")
        return before, head, rest, self.expression()

    def match_tag(self, origin: s.Origin, value: s.Expression) -> s.Expression:
        clauses: list[tuple[str | None, s.Expression]] = []
        while True:
            tag = None if self.take("_") else self.need_kind("tag", "a tag or `_`")
            self.need("->")
            clauses.append((tag, self.expression()))
            if tag is None or not self.take("||"):
                break
        self.need("end")
        return s.MatchTag(origin, value, tuple(clauses))

    def base(self) -> s.Expression:
        """An expression of operators."""
        return self.nested(lambda: self.binary(0))

    def binary(self, level: int) -> s.Expression:
        if level == len(_BINARY):
            return self.unary()
        sign, origin = _BINARY[level], self.word.origin
        operands = [self.binary(level + 1)]
        while self.take(sign):
            operands.append(self.binary(level + 1))
        return operands[0] if len(operands) == 1 else s.Operation(origin, sign, tuple(operands))

    def unary(self) -> s.Expression:
        """The level of `~`, of the postfix operators and of the product."""
        origin = self.word.origin
        if self.take("~"):
            operand = self.nested(self.unary) if self.sees("~") else self.inverse()
            if self.sees("+", "*", "?"):
                self.wrong("an operator", "write parentheses: (~r)+ or ~(r+)")
            return s.Unary(origin, "~", operand)
        left = self.inverse()
        while word := self.take("+", "*", "?"):
            if word.text == "*" and self.starts():
                right = self.nested(self.unary) if self.sees("~") else self.inverse()
                if self.sees("+", "*", "?"):
                    self.wrong("an operator", "write parentheses: (A * B)+, A * (B * C)")
                return s.Operation(origin, "*", (left, right))
            left = s.Unary(origin, word.text, left)
            while self.take("^"):
                self.need("-1")
                left = s.Unary(origin, "^-1", left)
        return left

    def starts(self) -> bool:
        """Whether the next word can start an expression."""
        return self.word.kind in _STARTS or self.sees(*_START_WORDS)

    def inverse(self) -> s.Expression:
        origin, left = self.word.origin, self.application()
        while self.take("^"):
            self.need("-1", "the inverse is written r^-1, the closures r+ and r*")
            left = s.Unary(origin, "^-1", left)
        return left

    def application(self) -> s.Expression:
        origin = self.word.origin
        if self.word.kind != "name":
            return self.argument() or self.wrong("an expression")
        result: s.Expression = s.Name(origin, self.next().text)
        while argument := self.argument():
            result = s.Apply(origin, result, argument)
        return result

    def argument(self) -> s.Expression | None:
        """What needs no parentheses as an argument; None where none begins here."""
        origin = self.word.origin
        if self.word.kind == "name":
            return s.Name(origin, self.next().text)
        if self.word.kind == "tag":
            return s.TagName(origin, self.next().text)
        if self.take("0"):
            return s.Zero(origin)
        if self.take("_"):
            return s.Universe(origin)
        if self.take("{"):
            members = [] if self.sees("}") else self.separated(self.base)
            self.need("}")
            return s.Members(origin, tuple(members))
        if self.take("["):
            inner = self.expression()
            self.need("]")
            return s.Unary(origin, "[]", inner)
        if self.take("begin"):
            inner = self.expression()
            self.need("end")
            return inner
        if self.take("("):
            if self.take(")"):
                return s.Tuple(origin, ())
            inner = self.expression()
            self.need(")")
            return inner
        return None

    def separated(self, rule: Callable[[], T]) -> list[T]:
        found = [rule()]
        while self.take(","):
            found.append(rule())
        return found
