"""What the site has beside the files of this folder: references that are generated, and texts from other folders.

A hook of MkDocs (mkdocs.yml). The references of commands and of Python come from the commands and docstrings, that of
JSON from schema.json, the model library from the models' files, so that they say what xgen does.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import xgen
from xgen.cli import every_command, main
from xgen.memory.library import list_models, load_model
from xgen.views.answers.model import render

ROOT = Path(__file__).parents[1]
BESIDE = ("results", "benchmarks")
"""Folders with a README.md that is a page; what else they hold is linked to from there."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the generated pages, and those from other folders."""
    pages = {
        "command-line.md": command_line(),
        "python.md": python(),
        "json.md": json_reference(),
        "model-library.md": model_library(),
        "changelog.md": (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "]("),
    }
    for folder in BESIDE:
        pages[f"{folder}/README.md"] = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    for path in sorted([*ROOT.glob("results/*.csv"), *ROOT.glob("results/*.svg")]):
        name = path.relative_to(ROOT).as_posix()
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Leads links between folders of the repository to where their files are in the site."""

    def lead(match: re.Match[str]) -> str:
        text, target = match[1], match[2]
        if page.file.src_uri.startswith(BESIDE):
            target = target.replace("../docs/", "../")
        elif target.startswith("../"):
            target = target.removeprefix("../")
            if files.get_file_from_path(target) is None:
                return text  # a file of the source, which is not part of the site
        return f"[{text}]({target})"

    return re.sub(r"(?<!\!)\[([^\]\[]+)\]\((\.\./[^)\s]+)\)", lead, markdown)


def command_line() -> str:
    """The commands with their options, as `--help` has them."""
    parts = ["# The command line", "", "```sh\nxgen --help\n```", "", "```text", help_text(main, "xgen"), "```"]
    for name, command in every_command():
        parts += ["", f"## {name}", "", "```text", help_text(command, name), "```"]
    return "\n".join(parts) + "\n"


def help_text(command: click.Command, name: str) -> str:
    """What `NAME --help` prints."""
    context = command.context_class(command, info_name=name, terminal_width=80, **command.context_settings)
    return command.get_help(context)


def python() -> str:
    """What `import xgen` offers."""
    members = "\n".join(f"::: xgen.{name}" for name in xgen.__all__)
    return f"""# Python

```sh
python -c 'import xgen; print(xgen.check(xgen.load("programs/peterson.xcfa"), xgen.model("tso")).verdict)'
```

Everything that the commands answer is there for programs, in the same words. All is typed (`py.typed`). What goes wrong
is an `xgen.XgenError` with file, line and column.

{members}
"""


def model_library() -> str:
    """What each shipped model says, and its file."""
    parts = [
        "# The shipped models in full",
        "",
        "```sh\nxgen models show tso\n```",
        "",
        "shows a model as it stands here: what it defines and demands, and when that is checked. Each file begins with"
        " its sources. [The shipped models](models.md) tells which is for what.",
    ]
    for name in list_models():
        model = load_model(name)
        parts += [
            "",
            f"## {name}",
            "",
            f"```text\n{render(model)}\n```",
            "",
            f'??? note "mcm/{name}.mcm"',
            "",
            "    ```text",
        ]
        parts += [f"    {line}".rstrip() for line in model.source.text.rstrip("\n").split("\n")] + ["    ```"]
    return "\n".join(parts) + "\n"


def json_reference() -> str:
    """A table of keys for each document of schema.json."""
    schema = json.loads((ROOT / "docs" / "schema.json").read_text(encoding="utf-8"))
    parts = [
        "# JSON",
        "",
        "```sh\nxgen check peterson --mcm tso --format json\n```",
        "",
        "Every command prints one document with `--format json`. Keys are added, never taken away. The same as a JSON"
        " Schema: [schema.json](schema.json).",
    ]
    described = schema["$defs"].items()
    for name, definition in sorted(described, key=lambda item: not item[1].get("description", "").startswith("`xgen")):
        parts += ["", f"## {name}", "", definition.get("description", ""), ""]
        if "properties" in definition:
            parts += ["| key | | |", "| --- | --- | --- |", *_rows(definition, "")]
        else:
            parts.append(f"({_kind(definition)})")
    return "\n".join(parts) + "\n"


def _rows(definition: dict[str, Any], prefix: str) -> list[str]:
    rows = []
    for key, value in definition["properties"].items():
        said = value.get("description", "").replace("|", "\\|")
        optional = "" if key in definition["required"] else " (not always there)"
        rows.append(f"| `{prefix}{key}` | {_kind(value)} | {said}{optional} |")
        inner = value.get("items", value)
        if "properties" in inner:
            rows += _rows(inner, f"{prefix}{key}{'[]' if 'items' in value else ''}.")
    return rows


def _kind(value: dict[str, Any]) -> str:
    """The type of a value in a word or two."""
    if "$ref" in value:
        name, *key = value["$ref"].removeprefix("#/$defs/").split("/properties/")
        return f"as `{key[0]}` of [{name}](#{name})" if key else f"[{name}](#{name})"
    if "enum" in value:
        return ", ".join(f"`{json.dumps(one)}`" for one in value["enum"])
    if "anyOf" in value:
        return " or ".join(_kind(one) for one in value["anyOf"])
    types = value.get("type", "any value")
    kinds = [types] if isinstance(types, str) else types
    if "items" in value and "$ref" in value["items"]:
        kinds = [f"array of {_kind(value['items'])}" if kind == "array" else kind for kind in kinds]
    return " or ".join(kinds)


class Fields(griffe.Extension):
    """Makes lists of what docstrings set as columns: `name    what it is`."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Changes the docstring of a class or function that was read."""
        if obj.docstring is not None:
            obj.docstring.value = _FIELD.sub(r"\n- `\1`: \2", obj.docstring.value)


_FIELD = re.compile(r"^(\w[\w, \[\]]*?) {2,}(\S.*(?:\n {2,}\S.*)*)", re.MULTILINE)
