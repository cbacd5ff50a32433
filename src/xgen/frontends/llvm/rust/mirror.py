"""A project of cargo in which constants have other values: links to its files, and those files that are changed.

cargo and rustc read files by their names, and the project's own are not written to. So the project is built in another
folder, in which only the files with these constants differ.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from xgen.errors import Source
from xgen.frontends.constants import constants_in, settings_of, unknown, with_constants
from xgen.records import dataclass
from xgen.sources import read_source
from xgen.store import hashed

NO_LIBRARIES = ("bin", "example", "test", "bench", "custom-build", "proc-macro")
"""Kinds of targets."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """The folder `place` stands for the folder `of`, which has the project and what it names by paths."""

    of: str
    place: str

    def there(self, file: str) -> str:
        """Where a file of the project is in its place."""
        return os.path.join(self.place, os.path.relpath(os.path.abspath(file), self.of))

    def back(self, file: str) -> str:
        """The file that one in the mirror stands for; another one is itself."""
        inside = file.startswith(self.place + os.sep)
        return os.path.join(self.of, os.path.relpath(file, self.place)) if inside else file

    @property
    def flag(self) -> str:
        """What has rustc name files as in the project."""
        return f"--remap-path-prefix={self.place}={self.of}"


def mirrored(root: str, given: Sequence[str], metadata: Mapping[str, Any], work: str) -> Mirror | None:
    """The project in which constants have the values that are given, as the target sees it that begins with a file; or
    None if these are constants of other targets only. A target's own file comes before the other ones of the project.

    Raises UsageError for a name that no file of the project has, and as `with_constants` does.
    """
    packages = [package for package in metadata["packages"] if package["source"] is None]
    files = _files(packages)
    texts = dict[str, str]()
    for setting, text in zip(settings_of(given, root), given, strict=True):
        sources = _defining(root, files, packages, setting.name)
        if sources is None:
            raise unknown([read_source(file) for file in files], setting.name)
        before = [Source(each.name, texts.get(each.name, each.text)) for each in sources]
        texts |= {each.name: each.text for each in with_constants(before, [text])} if before else {}
    if not texts:
        return None
    of = os.path.commonpath(
        [metadata["workspace_root"], *(os.path.dirname(each["manifest_path"]) for each in packages)]
    )
    found = Mirror(of, os.path.join(work, f"project-{hashed(repr(sorted(texts.items())).encode())[:16]}"))
    shutil.rmtree(found.place, ignore_errors=True)
    _link(Path(of), Path(found.place), {os.path.abspath(name): text for name, text in texts.items()})
    return found


def is_library(target: Mapping[str, Any]) -> bool:
    """Whether a target is one that others are built with."""
    return not {*NO_LIBRARIES} & {*target["kind"]}


def _files(packages: Sequence[Mapping[str, Any]]) -> list[str]:
    """The files of Rust in the folders of packages."""
    found = set[str]()
    for package in packages:
        for folder, inside, names in os.walk(os.path.dirname(package["manifest_path"])):
            inside[:] = [name for name in inside if name != "target" and not name.startswith(".")]
            found.update(os.path.join(folder, name) for name in names if name.endswith(".rs"))
    return sorted(found)


def _defining(root: str, files: Sequence[str], packages: Sequence[Mapping[str, Any]], name: str) -> list[Source] | None:
    """The files that define a constant for the target that begins with a file; None: no target has it."""
    sources = [source for source in map(read_source, files) if constants_in(source, name)]
    own = [source for source in sources if os.path.samefile(source.name, root)]
    if own or not sources:
        return own or None
    begins = {target["src_path"] for package in packages for target in package["targets"] if not is_library(target)}
    return [source for source in sources if source.name not in begins]


def _link(folder: Path, place: Path, texts: Mapping[str, str]) -> None:
    """Makes a folder of links to what is in another one, with other texts of some files."""
    place.mkdir(parents=True)
    for entry in os.scandir(folder):
        here = place / entry.name
        if entry.path in texts:
            here.write_text(texts[entry.path], encoding="utf-8")
            os.utime(here, ns=(entry.stat().st_atime_ns, entry.stat().st_mtime_ns))  # else cargo compiles it again
        elif entry.is_dir() and any(name.startswith(entry.path + os.sep) for name in texts):
            _link(Path(entry.path), here, texts)
        else:
            here.symlink_to(entry.path)
