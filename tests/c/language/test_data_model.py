"""`--data-model ilp32`: sizes, types, arithmetic and layouts as a compiler for 32-bit x86 has them."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from random import Random

import pytest
from c.running import HEAD, load, model

import xgen

TYPES = ["char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"]
TYPES += ["long long", "unsigned long long"]
NUMBERS = ["0", "1", "-1", "7", "255", "2147483647", "2147483648", "4294967295", "0x80000000", "0xffffffff", "1L"]
NUMBERS += ["2147483648L", "3UL", "5LL", "9223372036854775807", "18446744073709551615ULL", "sizeof(long)"]
INTEGERS = (
    "#include <stdint.h>\n#include <stddef.h>\n#ifdef __xgen__\n#include <limits.h>\n#else\n"
    "#define LONG_MAX __LONG_MAX__\n#define LONG_MIN (-LONG_MAX - 1)\n#define ULONG_MAX (2 * LONG_MAX + 1UL)\n"
    "#define LLONG_MAX __LONG_LONG_MAX__\n#endif\n"
    "enum wide { SMALL = -1, WIDE = 1LL << 40 };\n"
    "struct tail { char c; _Atomic long long a; long b; };\nunion u { long long l; void *p[3]; };\n"
)
FACTS = [
    *(f"sizeof({name})" for name in (*TYPES, "void *", "size_t", "ptrdiff_t", "intptr_t", "int64_t", "uint_fast16_t")),
    *(f"_Alignof({name})" for name in (*TYPES, "_Atomic long long", "struct tail", "union u")),
    *("sizeof(struct tail)", "offsetof(struct tail, a)", "sizeof(union u)", "sizeof(enum wide)", "sizeof(SMALL)"),
    *("LONG_MAX", "LONG_MIN", "ULONG_MAX", "LLONG_MAX", "SIZE_MAX", "UINT64_MAX", "INTPTR_MIN", "UINT64_C(1) << 63"),
    *("__SIZEOF_POINTER__", "sizeof(0x80000000)", "sizeof(2147483648)", "sizeof(4294967296)", "sizeof(1L << 31)"),
    *(f"_Generic(sizeof 1, {', '.join(f'{name}: {k}' for k, name in enumerate(TYPES))})",),
    *(f"_Generic((int *)0 - (int *)0, {', '.join(f'{name}: {k}' for k, name in enumerate(TYPES))})",),
    *("(unsigned long)(void *)-1", "__builtin_popcountl(-1L)", "__builtin_bswap64(1) >> 56", "__builtin_clzl(1)"),
]


@cache
def has_m32() -> bool:
    """Whether there is a compiler that makes code for 32-bit x86, for which it needs no headers of the system's."""
    if shutil.which("cc") is None:
        return False
    words = ["cc", "-m32", "-ffreestanding", "-x", "c", "-S", "-o", "-", "-"]
    text = "#include <stdint.h>\n#ifndef __i386__\n#error no\n#endif\n"
    return subprocess.run(words, input=text, capture_output=True, text=True, check=False).returncode == 0


needs_m32 = pytest.mark.skipif(not has_m32(), reason="there is no compiler for 32-bit x86")


def expressions(random: Random, count: int) -> list[str]:
    """Expressions of the numbers, which are `#K#`; signed arithmetic may overflow in them, and wraps."""

    def some(depth: int) -> str:
        pick = random.randrange(6) if depth else 0
        if pick == 0:
            return f"#{random.randrange(len(NUMBERS))}#"
        if pick == 1:
            return f"({random.choice(TYPES)})({some(depth - 1)})"
        if pick == 2:
            return f"(({some(depth - 1)}) {random.choice(['<<', '>>'])} {random.randrange(31)})"
        if pick == 3:
            return f"(({some(depth - 1)}) ? ({some(depth - 1)}) : ({some(depth - 1)}))"
        sign = random.choice(["+", "-", "*", "&", "|", "^", "<", ">=", "==", "!="])
        return f"(({some(depth - 1)}) {sign} ({some(depth - 1)}))"

    return [some(3) for _ in range(count)]


def constant(text: str) -> str:
    """The expression with the numbers themselves."""
    return re.sub(r"#(\d+)#", lambda found: f"({NUMBERS[int(found[1])]})", text)


def compiled(texts: list[str], before: str = "", machine: str = "-m32") -> list[int]:
    """What a compiler for x86 makes of constant expressions, as 64 bits."""
    lines = [f"unsigned long long v{k} = (unsigned long long)({constant(text)});" for k, text in enumerate(texts)]
    words = ["cc", machine, "-ffreestanding", "-fwrapv", "-fno-zero-initialized-in-bss", "-w", "-x", "c", "-S"]
    program = INTEGERS + before + "\n".join(lines)
    ended = subprocess.run([*words, "-o", "-", "-"], input=program, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[:2000]
    found = []
    number = r"(?:zero\s+8|quad\s+(-?\d+)|long\s+(-?\d+)\n\s*\.long\s+(-?\d+))$"
    for k in range(len(texts)):
        match = re.search(rf"^v{k}:\n\s*\.{number}", ended.stdout, re.M)
        assert match is not None
        low, high = int(match[2] or 0) & 0xFFFFFFFF, int(match[3] or 0) & 0xFFFFFFFF
        found.append(int(match[1]) % 2**64 if match[1] else low + (high << 32))
    return found


LOADED = "".join(f"__typeof__({number}) g{k};\n" for k, number in enumerate(NUMBERS))
LOADED += "void *w(void *arg) { " + " ".join(f"g{k} = {number};" for k, number in enumerate(NUMBERS)) + " return 0; }\n"
LOCALS = "pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0);\n"
LOCALS += " ".join(f"__typeof__({number}) n{k} = g{k};" for k, number in enumerate(NUMBERS)) + "\n"


@needs_m32
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("seed", [0, 1])
def test_as_a_compiler(seed: int, known: bool) -> None:
    """Facts, and random expressions, of constants and of what another thread has written."""
    texts = [*FACTS, *expressions(Random(seed), 120)] if seed == 0 else expressions(Random(seed), 150)
    checks = []
    for text, value in zip(texts, compiled(texts), strict=True):
        shown = text if known else re.sub(r"#(\d+)#", r"n\1", text)
        checks.append(f"  assert((unsigned long long)({shown}) == {value}ULL);")
    program = HEAD + INTEGERS + LOADED + "int main(void) {\n" + LOCALS + "\n".join(map(constant, checks)) + "\n}\n"
    result = xgen.check(load(program, data_model="ilp32"), model("sc"))
    assert (result.verdict, result.executions) == ("safe", 1), result.witness and result.witness.violations


SIZES = "struct s { char c; long long l; void *p; }; _Atomic(struct s *) at; struct s a[2]; long n; unsigned long u;"
STEPS = (
    SIZES
    + """
void *t(void *arg) { struct s *p = atomic_load(&at); if (p) { p->p = &p->c; assert((long)p == (long)&a[1]); }
  return 0; }
int main() {
  pthread_t x; pthread_create(&x, 0, t, 0);
  a[1].l = 1LL << 40;
  atomic_store(&at, &a[1]);
  pthread_join(x, 0);
  assert(a[1].p == 0 || a[1].p == &a[1].c);
  u = (unsigned long)a[1].p; n = -1; n += u;
  assert(sizeof a == 32 && (char *)&a[1].p - (char *)a == 28 && (n == -1 || (char *)n + 1 == &a[1].c));
  assert((void *)(n - u) == (void *)0xffffffff && (unsigned long long)(n - (long)u) + 1 == 0);
}"""
)


def test_pointers_between_threads() -> None:
    result = xgen.check(load(HEAD + STEPS, data_model="ilp32"), model("rc11"))
    assert (result.verdict, result.executions) == ("safe", 2)


@pytest.mark.parametrize("name", ["treiber", "msqueue", "msqueue_hp_us", "spsc"])
def test_the_same_executions(name: str) -> None:
    """What does not ask how wide things are is the same in both."""
    found = []
    for data_model in ("lp64", "ilp32"):
        result = xgen.check(xgen.load(f"programs/c/{name}.c", data_model=data_model), model("rc11"))
        found.append(
            (result.verdict, result.executions, result.blocked, str(result.witness and result.witness.violations))
        )
    assert found[0] == found[1]


def records(random: Random, count: int) -> tuple[str, list[str]]:
    """Structs with bit fields, and what is to be known of them: sizes, and where other members are."""
    text: str = ""
    facts: list[str] = []
    types = {"char": 8, "unsigned short": 16, "int": 32, "unsigned": 32, "long": 64, "long long": 64, "_Bool": 1}
    for k in range(count):
        members = []
        for m in range(random.randint(1, 6)):
            name = random.choice(list(types))
            most = 32 if name == "long" else types[name]
            if random.random() < 0.6:
                width = random.randint(0 if random.random() < 0.3 else 1, most)
                members.append(f"{name} {f'b{m}' if width and random.random() < 0.9 else ''} : {width};")
            else:
                members.append(f"{name} m{m};")
                facts.append(f"offsetof(struct r{k}, m{m})")
        text += f"struct r{k} {{ {' '.join(members)} char last; }};\n"
        facts += [f"sizeof(struct r{k})", f"_Alignof(struct r{k})", f"offsetof(struct r{k}, last)"]
    return text, facts


@needs_m32
@pytest.mark.parametrize("data_model", ["lp64", "ilp32"])
def test_layouts_with_bit_fields(data_model: str) -> None:
    text, facts = records(Random(1), 150)
    values = compiled(facts, text, "-m32" if data_model == "ilp32" else "-m64")
    checks = [f"  assert({fact} == {value});" for fact, value in zip(facts, values, strict=True)]
    program = HEAD + INTEGERS + text + "int main(void) {\n" + "\n".join(checks) + "\n}\n"
    result = xgen.check(load(program, data_model=data_model), model("sc"))
    assert (result.verdict, result.executions) == ("safe", 1), result.witness and result.witness.violations


def users(random: Random, count: int) -> tuple[str, list[str]]:
    """Functions that write bit fields in some order, and say what all hold."""
    text = ""
    types = {"char": 8, "unsigned short": 16, "int": 32, "unsigned": 32, "long long": 64, "_Bool": 1}
    for k in range(count):
        fields = [(f"b{m}", name := random.choice(list(types)), random.randint(1, types[name])) for m in range(5)]
        packed = random.choice(["", "", "__attribute__((packed)) "])
        members = "".join(f"{type_} {name} : {width}; " for name, type_, width in fields)
        writes = [
            f"v->{name} {random.choice(['=', '=', '+=', '^='])} {random.randint(-90, 90)};" for name, _, _ in fields
        ]
        random.shuffle(writes)
        given = ", ".join(f".{name} = {random.randint(-9, 9)}" for name, _, _ in fields[::2])
        sums = " ".join(f"h = 31 * h + (v->{name} & 0xffff) + (unsigned)(v->{name} >> 1);" for name, _, _ in fields)
        text += (
            f"struct {packed}u{k} {{ {members}}} g{k} = {{ {given} }};\nstatic unsigned f{k}(void) {{ unsigned h = 0;\n"
        )
        text += f"struct u{k} *v = &g{k}; {sums} struct u{k} w = g{k}; v = &w; {' '.join(writes)} {sums} return h; }}\n"
    return text, [f"f{k}()" for k in range(count)]


def test_what_bit_fields_hold(tmp_path: Path) -> None:
    text, facts = users(Random(2), 20)
    prints = " ".join(f'printf("%u ", {fact});' for fact in facts)
    path = tmp_path / "program.c"
    path.write_text(f"#include <stdio.h>\n{text}int main(void) {{ {prints} return 0; }}\n")
    subprocess.run(["cc", "-w", "-fwrapv", "-o", str(tmp_path / "program"), str(path)], check=True, capture_output=True)
    printed = subprocess.run([str(tmp_path / "program")], check=True, capture_output=True, text=True).stdout
    checks = "\n".join(f"  assert({fact} == {value}u);" for fact, value in zip(facts, printed.split(), strict=True))
    result = xgen.check(load(f"{HEAD}{text}int main(void) {{\n{checks}\n}}\n"), model("sc"))
    assert (result.verdict, result.executions) == ("safe", 1), result.witness and result.witness.violations


OTHER = [
    ("typedef unsigned long size_t;\nint main() { return 0; }", "ilp32", "32", "lp64"),
    ("typedef long unsigned int size_t;\nint main() { return 0; }", "ilp32", "32", "lp64"),
    ("typedef unsigned int size_t;\nint main() { return 0; }", "lp64", "64", "ilp32"),
]


@pytest.mark.parametrize(("text", "given", "bits", "other"), OTHER)
def test_a_preprocessed_text_of_another_model(text: str, given: str, bits: str, other: str) -> None:
    with pytest.raises(xgen.ProgramError) as caught:
        xgen.parse(text, "i", "test.i", data_model=given)
    assert caught.value.message == f"this text is for pointers of {96 - int(bits)} bits"
    assert caught.value.line == 1
    assert f"--data-model {other}" in str(caught.value)
    assert xgen.check(xgen.parse(text, "i", "test.i", data_model=other), model("sc")).verdict == "safe"


def test_no_such_model() -> None:
    with pytest.raises(xgen.UsageError) as caught:
        load("int main() { return 0; }", data_model="lp32")
    assert str(caught.value) == "error: there is no data model `lp32`\n  there are lp64 and ilp32"


def test_a_compiler_without_32_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = tmp_path / "cc"
    command.write_text('#!/bin/sh\necho "$@" >&2\nexit 1\n', encoding="utf-8")
    command.chmod(0o755)
    monkeypatch.setenv("CC", str(command))
    with pytest.raises(xgen.UsageError) as caught:
        load("int main() { return 0; }", headers="cc", data_model="ilp32")
    assert caught.value.message.startswith(f"`{command} -m32 -E` cannot read this: -E -x c -std=gnu11 -D__xgen__=1 ")
    assert " -m32 " in caught.value.message.partition("cannot read this:")[2]
