"""Weaker orders of the kernel's C: the same as those of texts that say the weaker order."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli.test_schema import validate
from click.testing import CliRunner

import xgen
from tests.c.kernel.drivers import MODEL, load, tree
from xgen.cli import main
from xgen.executions.weakened import Weakened

START = "int main(void) { START(one); START(two); }"
ONCE = "#define LOAD(p) READ_ONCE(*(p))\n#define SET(p, v) WRITE_ONCE(*(p), (v))\nint x, y, data;\n"
MESSAGE = f"""{ONCE}
CPU(0, one) {{ data = 1; smp_store_release(&y, 1); }}
CPU(1, two) {{ if (smp_load_acquire(&y)) assert(data); }}
{START}
"""
LOCK = f"""{ONCE}atomic_t word;
static void work(void) {{
	while (xchg(&y, 1)) ;
	data++;
	smp_mb();
	if (atomic_cmpxchg_acquire(&word, 0, 1) == 7) atomic_inc(&word);
	WRITE_ONCE(y, 0);
}}
CPU(0, one) {{ work(); }}
CPU(1, two) {{ work(); }}
{START}
"""
BUFFERS = f"""{ONCE}int a, b;
CPU(0, one) {{
	WRITE_ONCE(x, 1);
	smp_mb();
	a = READ_ONCE(y);
}}
CPU(1, two) {{
	int old = xchg(&y, 1);
	b = READ_ONCE(x);
}}
int main(void) {{ pthread_t p = START(one), q = START(two); JOIN(p); JOIN(q); BUG_ON(!a && !b); }}
"""
BRANCHES = f"""{ONCE}int a, b;
CPU(0, one) {{ if ((a = READ_ONCE(x))) smp_store_release(&y, 1); }}
CPU(1, two) {{
	if ((b = READ_ONCE(y))) WRITE_ONCE(data, 1);
	smp_mb();
	WRITE_ONCE(x, 1);
}}
int main(void) {{ pthread_t p = START(one), q = START(two); JOIN(p); JOIN(q); BUG_ON(a && b); }}
"""
"""The release is not needed, since the branch orders the write; the fence is, since the branch ends before it."""
ASKED = f"""{ONCE}
CPU(0, one) {{ assert(READ_ONCE(x) == 0); smp_store_release(&y, 1); }}
CPU(1, two) {{ if (READ_ONCE(y)) WRITE_ONCE(x, 1); }}
{START}
"""
"""An assertion orders nothing: what the write after it is seen by may be what it fails for."""
HALVES = f"""{ONCE}union {{ atomic_t word; u8 byte; }} u;
CPU(0, one) {{ data = 1; smp_store_release(&u.byte, 1); }}
CPU(1, two) {{
	if (atomic_fetch_add_acquire(256, &u.word) & 1) assert(data);
	if (atomic_cmpxchg(&u.word, 257, 0) == 257) assert(data);
}}
{START}
"""
RCU = f"""{ONCE}int *at = &x;
CPU(0, one) {{ rcu_read_lock(); int *seen = rcu_dereference(at); assert(*seen == 0); rcu_read_unlock(); }}
CPU(1, two) {{ data = 0; rcu_assign_pointer(at, &data); synchronize_rcu(); x = 1; }}
{START}
"""
SRCU = (
    RCU.replace("int *at", "DEFINE_SRCU(s); int *at")
    .replace("rcu_read_lock();", "int i = srcu_read_lock(&s);")
    .replace("rcu_read_unlock();", "srcu_read_unlock(&s, i);")
    .replace("synchronize_rcu()", "synchronize_srcu(&s)")
)
HANDED = f"""{ONCE}
INTERRUPT(1, comes) {{ if (smp_load_acquire(&y)) assert(data); }}
CPU(0, one) {{ data = 1; smp_wmb(); WRITE_ONCE(y, 1); }}
CPU(1, two) {{ WRITE_ONCE(x, 1); }}
{START}
"""
COUNTED = f"""{ONCE}atomic_t refs = {{ 2 }};
static void put(void) {{
	if (atomic_fetch_sub_release(1, &refs) == 1) {{ smp_acquire__after_ctrl_dep(); data++; }}
}}
CPU(0, one) {{ data = 1; put(); }}
CPU(1, two) {{ put(); }}
{START}
"""
TASKS = f"""{ONCE}
CPU(0, one) {{ set_current_state(TASK_INTERRUPTIBLE); if (!READ_ONCE(x)) schedule(); }}
CPU(1, two) {{ WRITE_ONCE(x, 1); wake_up_process(&_xgen_tasks[0]); }}
{START}
"""
"""What xgen's own headers have of orders is not weakened."""
PROGRAMS = {
    "message": MESSAGE,
    "lock": LOCK,
    "buffers": BUFFERS,
    "branches": BRANCHES,
    "asked": ASKED,
    "halves": HALVES,
    "rcu": RCU,
    "srcu": SRCU,
    "handed": HANDED,
    "counted": COUNTED,
}
SAID = {
    r"\bsmp_load_acquire\(": [("acquire", "once", "LOAD(")],
    r"\bsmp_store_release\(": [("release", "once", "SET(")],
    r"\brcu_assign_pointer\(": [("release", "once", "WRITE_ONCE(")],
    r"\b(?:smp_mb|smp_wmb|synchronize_rcu|smp_acquire__after_ctrl_dep)\(\);": [("", "none", "")],
    r"\bsynchronize_srcu\(&s\);": [("", "none", "")],
    r"\b(?:xchg|atomic_cmpxchg)\(": [("full", to, f"_{to}(") for to in ("acquire", "release", "relaxed")],
    r"\batomic_\w+_(?P<order>acquire|release)\(": [("", "relaxed", "_relaxed(")],
}
"""What is weaker, by what a text says: its order, what becomes of it, and what the text says then."""


def mutants(text: str) -> list[tuple[int, str, str, str]]:
    """Line, order and weaker order of each text that says less, as `Weakened` has them, and that text."""
    found = []
    for pattern, changes in SAID.items():
        for match in re.finditer(pattern, text):
            line_start = text.rfind("\n", 0, match.start()) + 1
            if text[line_start] == "#":
                continue
            name = match[0].rstrip("();&s") if match[0].endswith(";") else match[0].rstrip("(")
            for was, to, says in changes:
                order = match.groupdict().get("order")
                said = name.removesuffix(f"_{order}") + says if says.startswith("_") else says
                line = text.count("\n", 0, match.start()) + 2  # below what a driver includes
                whole = f"{text[: match.start()]}{said}{text[match.end() :]}"
                found.append((line, order or was or name, to, whole))
    return found


def weakened(folder: Path, text: str, **options: object) -> tuple[Weakened, ...]:
    found = xgen.check(load(folder, text, **options), MODEL, weaken=True).weakened
    assert found is not None
    return found


def noticed(folder: Path, text: str, flags: set[str]) -> str:
    found = xgen.check(load(folder, text), MODEL)
    return "noticed" if found.witness else "race" if set(found.flags) - flags else "not-noticed"


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_as_of_texts(name: str, tmp_path: Path) -> None:
    text = PROGRAMS[name]
    whole = xgen.check(load(tmp_path, text), MODEL)
    assert whole.verdict == "safe"
    expected = [(line, was, to, noticed(tmp_path, t, set(whole.flags))) for line, was, to, t in mutants(text)]
    found = [(each.line, each.was, each.to, each.verdict) for each in weakened(tmp_path, text)]
    assert sorted(found) == sorted(expected)
    assert name == "asked" or any(verdict in ("noticed", "race") for *_, verdict in expected)


def test_what_is_noticed(tmp_path: Path) -> None:
    """By hand: what is known of these shapes."""
    assert {each.verdict for each in weakened(tmp_path, MESSAGE)} == {"noticed"}
    assert [(each.to, each.verdict) for each in weakened(tmp_path, BUFFERS)] == [
        ("none", "noticed"),
        ("acquire", "noticed"),
        ("release", "noticed"),
        ("relaxed", "noticed"),
    ]
    assert [(each.was, each.verdict) for each in weakened(tmp_path, BRANCHES)] == [
        ("release", "not-noticed"),
        ("smp_mb", "noticed"),
    ]


def test_headers_of_our_own_stay(tmp_path: Path) -> None:
    """A fence in the text of a macro counts as one of the place where the macro is used."""
    found = weakened(tmp_path, TASKS)
    assert {(each.line, each.was, each.verdict) for each in found} == {
        (6, "smp_mb", "noticed"),
        (6, "smp_mb", "not-noticed"),
        (6, "acquire", "not-noticed"),
    }


def test_a_file_of_the_kernel(tmp_path: Path) -> None:
    """An order in a header that two CPUs use is one order, and its place is told."""
    header = tmp_path / "include" / "linux" / "flag.h"
    header.parent.mkdir(parents=True)
    header.write_text(
        "static inline void raise(int *at) {\n\tsmp_wmb();\n\tWRITE_ONCE(*at, 1);\n}\n"
        "static inline int raised(int *at) {\n\tint seen = READ_ONCE(*at);\n\tsmp_rmb();\n\treturn seen;\n}\n"
    )
    driver = tmp_path / "driver.c"
    driver.write_text(
        "#include <xgen/kernel_test.h>\n#include <linux/flag.h>\nint a, b, x, y;\n"
        "CPU(0, one) { WRITE_ONCE(a, 1); raise(&x); if (raised(&y)) assert(READ_ONCE(b)); }\n"
        f"CPU(1, two) {{ WRITE_ONCE(b, 1); raise(&y); if (raised(&x)) assert(READ_ONCE(a)); }}\n{START}\n"
    )
    words = ["check", str(driver), "--kernel", tree(tmp_path), "--weaken"]
    told = CliRunner().invoke(main, words)
    assert (told.exit_code, "2 of 2 weaker orders are noticed" in told.output) == (0, True)
    said = json.loads(CliRunner().invoke(main, [*words, "--format", "json"]).stdout)["weakened"]
    assert [(Path(each["file"]).name, each["line"], each["from"], each["verdict"]) for each in said] == [
        ("flag.h", 2, "smp_wmb", "noticed"),
        ("flag.h", 7, "smp_rmb", "noticed"),
    ]


def test_a_race_alone(tmp_path: Path) -> None:
    """Nothing goes wrong without the order, but there is a race, which is a warning for the kernel."""
    text = MESSAGE.replace("assert(data)", "x = data")
    assert {each.verdict for each in weakened(tmp_path, text)} == {"race"}
    file = tmp_path / "driver.c"
    words = ["check", str(file), "--kernel", tree(tmp_path), "--weaken"]
    assert "0 of 2 weaker orders are noticed, 2 more by a data race alone" in CliRunner().invoke(main, words).output
    said = json.loads(CliRunner().invoke(main, [*words, "--format", "json"]).stdout)
    validate("check", said)
    assert [each["verdict"] for each in said["weakened"]] == ["race", "race"]
    assert {each.verdict for each in weakened(tmp_path, text, races=False)} == {"not-noticed"}
