"""What others run: the action, the hook, the examples of docs/ci.md, and the extension of VS Code."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from cli.fake import run
from xgen.analyses.claims.files import SUFFIXES

ROOT = Path(__file__).parents[2]
MP = re.search(r"```c\n(// mp_test\.c.*?)```", (ROOT / "docs" / "ci.md").read_text("utf-8"), re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project: a test that keeps what it says, one that does not, and a file that says nothing."""
    assert MP is not None
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "good.c").write_text(MP[1], encoding="utf-8")
    (tmp_path / "silent.c").write_text("int main() {}\n", encoding="utf-8")
    (tmp_path / "bad.c").write_text(MP[1].replace("verdict: safe, 2", "verdict: safe, 3"), encoding="utf-8")
    return tmp_path


def read(text: str) -> Any:
    yaml = pytest.importorskip("yaml", reason="reading YAML needs PyYAML")
    return yaml.safe_load(text)


def typed(script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run as an action's runner does."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    env = {**os.environ, "PATH": path, **variables}
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


def test_the_action(folder: Path) -> None:
    action = read((ROOT / "action.yml").read_text("utf-8"))
    assert action["runs"]["using"] == "composite"
    setup, install, test, upload = action["runs"]["steps"]
    assert setup["uses"].startswith("actions/setup-python@")
    assert all(step["shell"] == "bash" for step in (install, test))
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(action["runs"])))
    assert used == set(action["inputs"])
    environment = {"GITHUB_ACTIONS": "true", "PATHS": "bad.c tests", "OPTIONS": "--processes 1", "SARIF": "xgen.sarif"}
    assert set(test["env"]) <= set(environment)
    done = typed(test["run"], **environment)
    assert done.returncode == 1
    assert done.stderr.startswith("::error file=bad.c,line=2,col=4,")
    (result,) = json.loads((folder / "xgen.sarif").read_text("utf-8"))["runs"][0]["results"]
    assert result["ruleId"] == "claim"
    assert upload["if"].startswith("always()")
    assert typed(test["run"], **{**environment, "PATHS": "tests silent.c", "OPTIONS": ""}).returncode == 0
    assert typed(f'python() {{ echo "$@"; }}; {install["run"]}', PACKAGE="", GITHUB_ACTION_PATH="/a b").stdout == (
        "-m pip install --quiet /a b[cpp]\n"
    )


@pytest.mark.usefixtures("folder")
def test_the_hook() -> None:
    (hook,) = read((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert (hook["id"], hook["language"], hook["require_serial"]) == ("xgen-test", "python", True)
    names = ["tests/good.c", "silent.c", "x.h", "notes.c.txt", *(f"a{suffix}" for suffix in SUFFIXES)]
    assert [n for n in names if not re.search(hook["files"], n)] == ["x.h", "notes.c.txt"]
    assert hook["additional_dependencies"] == [".[cpp]"]
    words = hook["entry"].split()
    assert words[0] == "xgen"
    assert run(*words[1:], "tests/good.c", "silent.c").exit_code == 0
    assert run(*words[1:], "tests/good.c", "silent.c", "bad.c").exit_code == 1


def test_the_examples_of_the_page(folder: Path) -> None:
    text = (ROOT / "docs" / "ci.md").read_text("utf-8")
    github, gitlab, commit = map(read, re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    step = github["jobs"]["xgen"]["steps"][1]
    assert set(step["with"]) <= set(read((ROOT / "action.yml").read_text("utf-8"))["inputs"])
    assert github["permissions"]["security-events"] == "write"
    install, test = gitlab["xgen"]["script"]
    assert install.startswith("pip install 'xgen-checker[cpp] @ git+https://")
    done = typed(test)
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / gitlab["xgen"]["artifacts"]["reports"]["junit"]).read_text("utf-8").startswith("<?xml")
    (hook,) = commit["repos"][0]["hooks"]
    assert hook["id"] == read((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))[0]["id"]


def test_the_extension(tmp_path: Path) -> None:
    target = tmp_path / "xgen.vsix"
    subprocess.run(
        [sys.executable, str(ROOT / "editors" / "vscode" / "pack.py"), str(target), "--no-client"], check=True
    )
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        names = set(archive.namelist())
        package = json.loads(archive.read("extension/package.json"))
        manifest = archive.read("extension.vsixmanifest").decode()
        types = archive.read("[Content_Types].xml").decode()
        parts = {name: archive.read(name) for name in names}
    from xgen.version import __version__

    assert __version__.startswith(package["version"])
    assert f'Id="xgen" Version="{package["version"]}" Publisher="{package["publisher"]}"' in manifest
    assert all(f'Extension="{Path(name).suffix}"' in types for name in names - {"[Content_Types].xml"})
    contributed = package["contributes"]
    files = {language["configuration"] for language in contributed["languages"]}
    files |= {grammar["path"] for grammar in contributed["grammars"]}
    assert {f"extension/{file.removeprefix('./')}" for file in files} <= names
    assert all(json.loads(data) for name, data in parts.items() if name.endswith(".json"))
    for grammar in contributed["grammars"]:
        inner = json.loads(parts[f"extension/{grammar['path'].removeprefix('./')}"])
        assert inner["scopeName"] == grammar["scopeName"]


NPM = """\
#!/bin/sh
mkdir -p node_modules/.bin node_modules/vscode-languageclient
echo "MIT, of the client" > node_modules/vscode-languageclient/License.txt
printf '#!/bin/sh\\necho "// bundled" | cat - extension.js > client.js\\n' > node_modules/.bin/esbuild
chmod +x node_modules/.bin/esbuild
"""


@pytest.mark.skipif(os.name == "nt", reason="npm is stood in for by a script of the shell")
@pytest.mark.parametrize("npm", [NPM, "#!/bin/sh\necho no network >&2; exit 1\n", None])
def test_the_language_client_is_bundled_where_npm_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, npm: str | None
) -> None:
    folder, target = tmp_path / "bin", tmp_path / "xgen.vsix"
    folder.mkdir()
    for name in ("sh", "mkdir", "chmod", "cat"):
        (folder / name).symlink_to(shutil.which(name) or name)
    if npm is not None:
        (folder / "npm").write_text(npm)
        (folder / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    command = [sys.executable, str(ROOT / "editors" / "vscode" / "pack.py"), str(target)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    with zipfile.ZipFile(target) as archive:
        package = json.loads(archive.read("extension/package.json"))
        has = "extension/client.js" in archive.namelist()
        assert has == ("main" in package) == ("activationEvents" in package) == (npm == NPM)
        if has:
            assert archive.read("extension/client.js").decode().startswith("// bundled")
            assert "MIT, of the client" in archive.read("extension/LICENCES.txt").decode()
    assert done.stderr == {NPM: "", None: "without the language client: there is no npm\n"}.get(
        npm, "without the language client: no network\n"
    )


def test_the_problem_matcher() -> None:
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text("utf-8"))
    (pattern,) = package["contributes"]["problemPatterns"]
    (matcher,) = package["contributes"]["problemMatchers"]
    assert matcher["pattern"] == f"${pattern['name']}"
    told = run("check", "mpmc_us", "-q").stderr.splitlines()
    found = [re.match(pattern["regexp"], line) for line in told]
    assert len(found) == 3
    assert [match and match.group(pattern["file"], pattern["line"], pattern["severity"]) for match in found] == [
        ("programs/c/mpmc.c", "47", "error"),
        ("programs/c/mpmc.c", "32", "note"),
        ("programs/c/mpmc.c", "33", "note"),
    ]
