"""Packs this folder and the grammars beside it as an extension of VS Code: `python editors/vscode/pack.py FILE.vsix`.

A .vsix file is a zip of the extension and two files that say what it is; nothing of npm is needed.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
FILES = ("package.json", "slashes.json", "stars.json", "README.md")
TYPES = """\
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
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


def pack(target: Path) -> None:
    """Writes the extension, with the version of xgen."""
    text = (HERE.parents[1] / "src" / "xgen" / "version.py").read_text(encoding="utf-8")
    found = re.search(r'"(\d+\.\d+\.\d+)', text)
    assert found is not None
    package = json.loads((HERE / "package.json").read_text(encoding="utf-8")) | {"version": found[1]}
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
        for name in FILES[1:]:
            archive.write(HERE / name, f"extension/{name}")
        for grammar in sorted(HERE.parent.glob("*.tmLanguage.json")):
            archive.write(grammar, f"extension/{grammar.name}")


if __name__ == "__main__":
    pack(Path(sys.argv[1]))
