"""How xgen gets onto a machine: what it is called in an index, its extras, its wheel, its image.

The `xgen` of PyPI is another project. So nothing that people or machines follow may install xgen from an index by name.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from xgen.extras import EXTRAS, installing, pip_install
from xgen.version import __version__

ROOT = Path(__file__).parents[2]
NAME = "xgen-checker"
FOLDERS = ("src", "docs", "editors", "benchmarks", "results", "tests", ".github", ".ci")
FILES = (
    "README.md",
    "CITATION.cff",
    "Makefile",
    "Dockerfile",
    "action.yml",
    ".pre-commit-hooks.yaml",
    "pyproject.toml",
)
TEXTS = (".md", ".py", ".yml", ".yaml", ".cff", ".toml", ".ipynb", ".html", ".js", ".json", "run")

BY_NAME = re.compile(
    r"pip3? install [^\n`#&]*?(?<=[\s'\"])xgen(?:-checker)?(?![\w./-])(?!\[\w+\] @ )"
    r"|(?<!// )\bxgen\[\w+[\],]"  # an extra of the other project; `// xgen[MACRO]:` is a line of a kernel
    r"|\bxgen(?:-checker)?[=~>]=\s*\d"
)
"""A folder, a URL and a file are right."""
PUBLISHED = re.compile(r"xgen@v\d|rev: v\d")
"""A tag of a version; there is none yet."""


def texts() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (path for path in (ROOT / folder).rglob("*") if path.name.endswith(TEXTS) and path.is_file())
    yield from (ROOT / name for name in FILES)


def project() -> Any:
    toml = pytest.importorskip("tomllib", reason="tomllib comes with Python 3.11")
    return toml.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("pip install xgen", True),
        ("- pip install -U xgen", True),
        ("pip install 'xgen[cpp]'", True),
        ("it needs the extra `xgen[lsp]`", True),
        ("pip install xgen-checker", True),
        ("package: xgen==0.3.0", True),
        ("// xgen[BROKEN]: final x == 1", False),
        ("pip install .", False),
        ("pip install '.[cpp,serve]'", False),
        ("pip install 'xgen-checker[cpp] @ git+https://example.org/xgen'", False),
        ("pip install 'dist/xgen_checker-1.0-cp311-cp311-linux_x86_64.whl[cpp]'", False),
        ("pip install . && xgen --version", False),
    ],
)
def test_what_is_an_installation_by_name(line: str, wrong: bool) -> None:
    assert bool(BY_NAME.search(line)) == wrong


def test_nothing_installs_xgen_from_an_index() -> None:
    found, read = [], 0
    for path in texts():
        if path == Path(__file__):
            continue
        read += 1
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if BY_NAME.search(line) or PUBLISHED.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert read > 500
    assert found == []


def test_the_name() -> None:
    about = project()
    assert about["name"] == NAME
    assert about["scripts"] == {"xgen": "xgen_command:main", "cargo-xgen": "xgen_command:cargo"}
    own = {word for words in about["optional-dependencies"].values() for word in words if word.startswith("xgen")}
    assert own == {f"{NAME}[certify,cluster,lsp,repair,sat,serve]", f"{NAME}[test,bench,docs]"}


def test_the_versions_that_are_named() -> None:
    assert re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)[1] == __version__  # type: ignore[index]
    named = re.findall(r"xgen_checker-([\d.]+)-", (ROOT / "docs" / "index.md").read_text("utf-8"))
    assert named == [__version__]


def test_hints_name_the_packages_of_the_extras() -> None:
    extras = project()["optional-dependencies"]
    for name, packages in EXTRAS.items():
        assert list(packages) == [word.partition(";")[0] for word in extras[name]], name
    page = (ROOT / "docs" / "index.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(\w+)` \| ", page, re.M)) == set(EXTRAS)


@pytest.mark.skipif(os.name == "nt", reason="words are quoted as shells do")
def test_a_hint_is_for_the_python_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    monkeypatch.setattr(sys, "executable", shutil.which("python"))
    assert installing("cpp") == "python -m pip install 'llvmlite>=0.50' 'ziglang>=0.17,<0.18'"
    other = tmp_path / "my venv" / "python"
    monkeypatch.setattr(sys, "executable", str(other))
    assert pip_install("-U", "llvmlite") == f"'{other}' -m pip install -U llvmlite"
    monkeypatch.setattr(sys, "executable", "")
    assert pip_install("cvc5") == "python -m pip install cvc5"


IMAGE = (ROOT / "Dockerfile").read_text("utf-8")
STEP = re.compile(r"^(FROM|COPY|RUN|USER|WORKDIR|EXPOSE|ENTRYPOINT|CMD) (.*)$", re.M)
STAND_IN = """\
#!/bin/sh
echo "$@" >> "$LOG"
[ "$3" = wheel ] && mkdir -p "$6" && touch "$6/xgen_checker-1-cp312-cp312-linux_x86_64.whl"
exit 0
"""


@pytest.mark.skipif(os.name == "nt", reason="pip is stood in for by a script of the shell")
def test_the_steps_of_the_image(tmp_path: Path) -> None:
    """One stage builds the wheel, the other installs it and has no compiler. There need be no Docker here."""
    steps = STEP.findall(IMAGE)
    assert len(steps) == len([line for line in IMAGE.splitlines() if line and not line.startswith("#")])
    assert [what.split()[0] for step, what in steps if step == "FROM"] == [
        "python:3.12-bookworm",
        "python:3.12-slim-bookworm",
    ]
    (tmp_path / "bin").mkdir()
    for name, script in (("python", STAND_IN), ("useradd", "#!/bin/sh\n")):
        (tmp_path / "bin" / name).write_text(script)
        (tmp_path / "bin" / name).chmod(0o755)
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "LOG": str(tmp_path / "log")}
    for step, what in steps:
        if step == "RUN":
            command = what.replace("/wheels", f"{tmp_path}/wheels")
            subprocess.run(["sh", "-ec", command], check=True, env=environment, cwd=tmp_path)
    wheel, install = (tmp_path / "log").read_text().splitlines()
    assert wheel == f"-m pip wheel --no-deps --wheel-dir {tmp_path}/wheels /source"
    assert install == (
        f"-m pip install --no-cache-dir {tmp_path}/wheels/xgen_checker-1-cp312-cp312-linux_x86_64.whl[cpp,serve]"
    )
    assert steps[-2:] == [("ENTRYPOINT", '["xgen"]'), ("CMD", '["--help"]')]


def test_what_the_image_is_built_from() -> None:
    """Nothing that was built here goes into the image's source, and nothing that the build reads stays out."""
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert {".git", "build", "**/*.so"} <= set(ignored)
    needed = {"pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "src", "mcm", "programs", "litmus"}
    assert not needed & set(ignored)
