"""Names that are completed and explained, and what is said where the server cannot run."""

from __future__ import annotations

import subprocess
import sys

from xgen.extras import installing
from xgen.lsp.words import RELATIONS, SETS, meaning, word_at
from xgen.memory.algebra import Kind
from xgen.memory.mcm.elaborate import BASE


def test_all_base_names_are_explained() -> None:
    assert {name for name, term in BASE.items() if term.kind is Kind.RELATION} == set(RELATIONS)
    assert {name for name, term in BASE.items() if term.kind is Kind.SET} == set(SETS)


def test_words() -> None:
    assert [word_at("a = po-loc | rf", column) for column in (0, 1, 2, 5, 10, 11, 14, 15)] == [
        *("a", "a", "", "po-loc", "po-loc", "", "rf", "rf")
    ]
    assert meaning("m.mcm", "mfence", ()) == "events that bear the tag `mfence`: orders all accesses"
    assert meaning("m.mcm", "own", [("own", "own = po")]) == "own = po"
    assert meaning("p.c", "memory_order_acquire", ()) is not None
    assert meaning("p.c", "rf", ()) is None


def test_without_the_extra() -> None:
    code = (
        "import sys; sys.modules['pygls'] = sys.modules['lsprotocol'] = None; from xgen.cli import main; main(['lsp'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (2, "")
    hint = f"  `{installing('lsp')}` has it\n"
    assert done.stderr == f"error: the language server needs pygls\n{hint}"


def test_a_model_that_is_none() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "xgen", "lsp", "--mcm", "nosuch"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: there is no memory model `nosuch`\n") or "needs" in done.stderr
