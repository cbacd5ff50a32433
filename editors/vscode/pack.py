"""Packs this folder and the grammars beside it as an extension of VS Code: `python editors/vscode/pack.py FILE.vsix`.

A .vsix file is a zip of the extension and two files that say what it is. Where there is npm, the client that starts
`xgen lsp` is bundled into it, with what npm fetches; without npm, or with `--no-client`, the rest is packed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
FILES = ("package.json", "slashes.json", "stars.json", "README.md")
CLIENT, BUNDLER = "vscode-languageclient@9.0.1", "esbuild@0.25.12"
WITH_CLIENT = {
    "main": "./client.js",
    "activationEvents": [f"onLanguage:{language}" for language in ("xcfa", "litmus", "mcm", "cat", "c", "cpp", "rust")],
}
"""What the package says if it has a client."""
TYPES = """\
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""
MANIFEST = """\
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
    <DisplayName>{displayName}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Categories>{categories}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="{engine}"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def bundle(folder: Path) -> dict[str, str] | None:
    """The client with what it needs, and the licences of that, by their names; None without npm, which is said."""
    npm = shutil.which("npm")
    if npm is None:
        print("without the language client: there is no npm", file=sys.stderr)
        return None
    shutil.copy(HERE / "extension.js", folder)
    words = ["extension.js", "--bundle", "--platform=node", "--external:vscode", "--minify", "--outfile=client.js"]
    for command in (
        [npm, "install", "--no-audit", "--no-fund", "--silent", CLIENT, BUNDLER],
        [str(folder / "node_modules" / ".bin" / "esbuild"), *words, "--log-level=error"],
    ):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"without the language client: {done.stderr.strip() or 'npm fails'}", file=sys.stderr)
            return None
    licences = []
    for package in sorted((folder / "node_modules").iterdir()):
        texts = [file for file in package.glob("[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*") if "esbuild" not in package.name]
        licences += [f"{package.name}\n\n{file.read_text(encoding='utf-8')}\n" for file in texts]
    return {"client.js": (folder / "client.js").read_text(encoding="utf-8"), "LICENCES.txt": "\n".join(licences)}


def pack(target: Path, client: bool = True) -> None:
    """Writes the extension, with the version of xgen."""
    with tempfile.TemporaryDirectory() as folder:
        bundled = bundle(Path(folder)) if client else None
    text = (HERE.parents[1] / "src" / "xgen" / "version.py").read_text(encoding="utf-8")
    found = re.search(r'"(\d+\.\d+\.\d+)', text)
    assert found is not None
    package = json.loads((HERE / "package.json").read_text(encoding="utf-8")) | {"version": found[1]}
    package |= WITH_CLIENT if bundled else {}
    manifest = MANIFEST.format(
        **{key: package[key] for key in ("name", "version", "publisher", "displayName", "description")},
        categories=",".join(package["categories"]),
        engine=package["engines"]["vscode"],
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("extension.vsixmanifest", manifest)
        archive.writestr("extension/package.json", json.dumps(package, indent=2) + "\n")
        for name, made in (bundled or {}).items():
            archive.writestr(f"extension/{name}", made)
        for name in FILES[1:]:
            archive.write(HERE / name, f"extension/{name}")
        for grammar in sorted(HERE.parent.glob("*.tmLanguage.json")):
            archive.write(grammar, f"extension/{grammar.name}")


if __name__ == "__main__":
    pack(Path(sys.argv[1]), client="--no-client" not in sys.argv[2:])
