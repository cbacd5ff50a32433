"""Fences of the kernel's C: told and written in the kernel's own words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.c.kernel.drivers import tree
from xgen.cli import main

HEAD = "#include <xgen/kernel_test.h>\nint x, y, a, b;\n"
MESSAGE = f"""{HEAD}CPU(0, gives) {{
	WRITE_ONCE(x, 1);
	WRITE_ONCE(y, 1);
}}
CPU(1, takes) {{ if (READ_ONCE(y)) assert(READ_ONCE(x)); }}
int main(void) {{ START(gives); START(takes); }}
"""
BUFFERS = f"""{HEAD}CPU(0, one) {{
	FIRST;
	a = READ_ONCE(y);
}}
CPU(1, two) {{
	WRITE_ONCE(y, 1);
	smp_mb();
	b = READ_ONCE(x);
}}
int main(void) {{ int p = START(one), q = START(two); JOIN(p); JOIN(q); BUG_ON(!a && !b); }}
"""


def fences(folder: Path, text: str, *more: str) -> tuple[int, str, str]:
    """What the command ends with and says, and what it writes."""
    file, written = folder / "driver.c", folder / "fenced.c"
    file.write_text(text)
    result = CliRunner().invoke(
        main, ["fences", str(file), "--kernel", tree(folder), "--write", str(written), *more], terminal_width=200
    )
    return result.exit_code, result.output, written.read_text() if written.exists() else ""


def verdict(folder: Path, text: str) -> str:
    file = folder / "again.c"
    file.write_text(text)
    said = CliRunner().invoke(main, ["check", str(file), "--kernel", tree(folder), "--format", "json"])
    return str(json.loads(said.stdout)["verdict"])


def test_a_message(tmp_path: Path) -> None:
    code, output, written = fences(tmp_path, MESSAGE)
    assert code == 0
    assert "smp_wmb() before line 5 " in output
    assert "smp_rmb() before line 7 " in output
    assert "\tWRITE_ONCE(x, 1);\n\tsmp_wmb();\n\tWRITE_ONCE(y, 1);\n" in written
    assert "if (READ_ONCE(y)) ({ smp_rmb(); assert(READ_ONCE(x)); });" in written  # a statement, which has no value
    assert (verdict(tmp_path, MESSAGE), verdict(tmp_path, written)) == ("violation", "safe")
    for fence in ("\tsmp_wmb();\n", "smp_rmb(); "):
        assert verdict(tmp_path, written.replace(fence, "")) == "violation"


def test_a_fence_that_is_there_is_taken_out_first(tmp_path: Path) -> None:
    code, output, written = fences(tmp_path, BUFFERS.replace("FIRST", "WRITE_ONCE(x, 1)"))
    assert code == 0
    assert output.count("smp_mb() ") == 2
    assert written.count("\tsmp_mb();\n") == 2
    assert verdict(tmp_path, written) == "safe"


def test_a_fence_inside_a_macro_stays(tmp_path: Path) -> None:
    code, output, written = fences(tmp_path, BUFFERS.replace("FIRST", "smp_store_mb(x, 1)"))
    assert (code, written) == (2, "")
    assert "the text of this program cannot be changed so by itself at" in output
    code, output, written = fences(tmp_path, BUFFERS.replace("FIRST", "smp_store_mb(x, 1)"), "--keep")
    assert (code, "safe without any fence" in output) == (0, True)


@pytest.mark.parametrize(("kind", "said"), [("mb", "smp_mb()"), ("sync-rcu", "synchronize_rcu()")])
def test_other_kinds(kind: str, said: str, tmp_path: Path) -> None:
    code, output, written = fences(tmp_path, MESSAGE, "--kinds", kind)
    assert (code, f"{said} before line 5 " in output) == (0, True)
    assert f"\t{said};\n\tWRITE_ONCE(y, 1);\n" in written


def test_json_has_the_tags(tmp_path: Path) -> None:
    """Those that --kinds takes."""
    _, output, _ = fences(tmp_path, MESSAGE, "--format", "json")
    (placement,) = json.loads(output.partition("\nplacement")[0])["placements"]
    assert [(atom["line"], atom["kind"]) for atom in placement["atoms"]] == [(5, "wmb"), (7, "rmb")]
