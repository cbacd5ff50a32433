"""The layout of the code: no circle of imports, and none that leads up from a room to one above it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx

SOURCES = Path(__file__).parents[1] / "src"

FLOORS = (
    ("_core", "clock", "records", "resources", "tags", "version"),
    ("errors", "extras"),
    ("exclusions", "room"),
    ("grammars", "sources", "unread", "store"),
    ("kept",),
    ("shipped",),
    ("repair",),
    ("executions",),
    ("program",),
    ("systems",),
    ("lowering",),
    ("memory",),
    ("frontends",),
    ("engine",),
    ("shapes",),
    ("analyses",),
    ("views",),
    ("xgen",),
    ("serve", "lsp"),
    ("cli",),
    ("__main__",),
)
"""The rooms from the ground up; `xgen` is the package's own file. Each may use what lies below it."""


FILE = re.compile(r"\.(py|hpp|cpp|lark|md|js|css|html|csv|json|yml)$")
NO_SOURCES = (".venv", ".git", "build")


def modules() -> dict[str, Path]:
    """The source files by their dotted names; a package's file has the package's name."""
    found = {}
    for path in (SOURCES / "xgen").rglob("*.py"):
        name = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imports(name: str, path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules of xgen that a file imports, wherever in the file: at the top, in functions, for types only."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            wanted = [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            wanted = [(node.module, alias.name) for alias in node.names]
        else:
            assert not isinstance(node, ast.ImportFrom), f"{name}: imports are absolute"
            continue
        for module, inner in wanted:
            whole = f"{module}.{inner}"
            if whole in known or whole == "xgen._core":
                yield whole
            elif module in known or module == "xgen._core":
                yield module


@cache
def graph() -> nx.DiGraph:
    known = modules()
    arrows = nx.DiGraph()
    for name, path in known.items():
        arrows.add_edges_from((name, other) for other in imports(name, path, known) if other != name)
    return arrows


def folders() -> dict[str, list[str]]:
    """The Python files of each folder."""
    found: dict[str, list[str]] = {}
    for path in modules().values():
        found.setdefault(str(path.parent), []).append(path.name)
    return found


def floor(module: str) -> int:
    room = module.split(".")[1] if "." in module else "xgen"
    (number,) = (n for n, rooms in enumerate(FLOORS) if room in rooms)
    return number


def test_no_circle() -> None:
    arrows = graph()
    assert arrows.number_of_edges() > 200
    circles = [sorted(part) for part in nx.strongly_connected_components(arrows) if len(part) > 1]
    assert circles == []


def test_no_arrow_up() -> None:
    up = [f"{a} -> {b}" for a, b in graph().edges if floor(a) < floor(b)]
    assert up == []


def test_engines_know_no_front_end() -> None:
    """What they explore comes from `program` and `systems`, and never from the text that it was read from."""
    known = {(a, b) for a, b in graph().edges if a.startswith("xgen.engine") and b.startswith("xgen.frontends")}
    assert known == set()


def test_the_library_that_threads_wait_in_is_of_no_language() -> None:
    """A reader gives its functions what they need (`Call`); they know no syntax tree."""
    known = modules()
    rooms = [name for name in known if name.startswith("xgen.frontends.library")]
    assert len(rooms) > 5
    used = {b for a, b in graph().edges if a in rooms and b not in rooms}
    assert used == {"xgen.errors", "xgen.program.automaton", "xgen.records"}  # places, statements, classes
    assert not [name for name in rooms if "pycparser" in known[name].read_text(encoding="utf-8")]


def test_c_itself_does_not_know_its_library() -> None:
    """It asks for functions that have no body (`KnownFunctions`)."""
    language, library = "xgen.frontends.c.language", "xgen.frontends.c.library"
    assert {(a, b) for a, b in graph().edges if a.startswith(language) and b.startswith(library)} == set()


def test_no_corridors() -> None:
    """A folder whose files nobody can take in at a glance is two rooms."""
    full = {folder: len(files) for folder, files in folders().items() if len(files) > 20}
    assert full == {}


def test_no_corridors_of_tests() -> None:
    """The same of tests, among which stand what they share; their rooms have the names of those that they test."""
    tests = Path(__file__).parent
    counts = Counter(str(path.parent.relative_to(tests)) for path in tests.rglob("*.py"))
    assert len(counts) > 30
    assert {folder: count for folder, count in counts.items() if count > 24} == {}


def test_the_repair_of_protocols_is_a_house_of_its_own() -> None:
    """It has one door, `xgen repair`, and needs nothing of the rest but errors, records and the building of parsers."""
    arrows = graph()
    rooms = [module for module in arrows if module.startswith("xgen.repair")]
    assert len(rooms) > 5
    users = {a for a, b in arrows.edges if b in rooms and a not in rooms}
    used = {b for a, b in arrows.edges if a in rooms and b not in rooms}
    assert users == {"xgen.cli.repair"}
    assert used == {"xgen.errors", "xgen.grammars", "xgen.records"}


def test_rooms_have_a_head() -> None:
    """Each package says at its head what it takes and gives."""
    heads = [path for path in modules().values() if path.name == "__init__.py"]
    without = [path.parent.name for path in heads if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert without == []


def test_heads_name_what_is_there() -> None:
    """The list of files at a package's head, in lines such as `name, other   what they do`, has none that is gone."""
    gone, listed = [], 0
    for path in modules().values():
        head = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) if path.name == "__init__.py" else None
        here = {other.name.removesuffix(".py") for other in path.parent.iterdir()}
        for line in re.findall(r"^([\w./]+(?:, [\w./]+)*)  +\S", head or "", re.MULTILINE):
            names = [name.removesuffix("/").removesuffix(".py") for name in line.split(", ")]
            listed += len(names)
            gone += [f"{path.parent.name}: {name}" for name in names if name not in here]
    assert listed > 150
    assert gone == []


def test_functions_and_files_can_be_taken_in() -> None:
    """No function of more than 90 lines, no file of more than 700; most are far below."""
    long = []
    for name, path in modules().items():
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > 700:
            long.append(name)
        functions = (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
        long += [f"{name}.{f.name}" for f in functions if (f.end_lineno or 0) - f.lineno >= 90]
    assert long == []


def test_the_places_that_developers_are_told_of_are_there() -> None:
    """What docs/developing.md names as a file or a folder is one, in src/xgen, src/core, tests or from the root."""
    root = SOURCES.parent
    text = (root / "docs" / "developing.md").read_text(encoding="utf-8")
    named = {word for word in re.findall(r"`([\w./*-]+)`", text) if "/" in word or FILE.search(word)}
    assert len(named) > 60
    tops = (top for top in root.iterdir() if top.name not in NO_SOURCES)
    paths = [f"/{path.relative_to(root).as_posix()}" for top in tops for path in (top, *top.rglob("*"))]
    told = {word: f"/{word.strip('/')}" for word in named if word != "build/site" and "*" not in word}
    assert [word for word, end in told.items() if not any(path.endswith(end) for path in paths)] == []
