"""A project of cargo: all its crates are compiled as a file is, with what cargo knows of them."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any

from xgen.errors import Source, UsageError
from xgen.frontends.llvm.rust.loom import in_its_place, is_loom, lock_kept
from xgen.frontends.llvm.rust.mirror import NO_LIBRARIES, Mirror, is_library, mirrored
from xgen.frontends.llvm.rust.rustc import FLAGS, PLAIN, Read, Rustc, complaint, read_for, run, with_std
from xgen.frontends.llvm.rust.workplace import told_apart
from xgen.frontends.process import text_of
from xgen.frontends.testing import cfgs_in, cfgs_of_variables
from xgen.records import dataclass

_PROGRAMS = ("bin", "example")
_SAYS = "--message-format=json-render-diagnostics"
"""cargo tells what it has made, or made before."""
_BETWEEN = "\x1f"
_WITHOUT = "-undefined,dynamic_lookup" if sys.platform == "darwin" else "--unresolved-symbols=ignore-all"
"""cargo links what nobody runs: functions that only the reader knows may be missing."""
_SYMBOL = r'@("[^"\n]+"|[\w.$-]+)'
_DEFINES = re.compile(
    rf"^(?:define [^@\n]*{_SYMBOL}\(|{_SYMBOL} = (?!external\b|extern_weak\b|private\b|internal\b))", re.M
)
_USES = re.compile(rf"^(?:declare [^@\n]*{_SYMBOL}\(|{_SYMBOL} = (?:external|extern_weak)\b)", re.M)
_RERUN = re.compile(r"cargo::?rerun-if-(changed|env-changed)=(.*)")


def built(
    source: Source,
    build: str,
    work: str,
    rustc: Rustc,
    flags: Sequence[str],
    crate: str,
    chosen: Sequence[str] = (),
    constants: Sequence[str] = (),
) -> tuple[list[tuple[str, str]], Read]:
    """The IR of a program of a project, of its library, or of tests (the type of the crate: "bin", "lib", "test"), of
    all crates that it uses, and what was read for it. `chosen`: words for cargo, as features; `constants`: values of
    some of the project's.

    Raises CompilerError and UsageError.
    """
    manifest = manifest_of(build)
    known = _metadata(source.name, manifest, chosen)
    which = {"lib": _library, "test": _tests}.get(crate, _target)
    asked = which(source, manifest, known)
    mirror = mirrored(source.name, constants, known, work) if constants else None
    first = source
    if mirror is not None:
        manifest, first = mirror.there(manifest), Source(mirror.there(source.name), source.text)
        asked = which(first, manifest, _metadata(source.name, manifest, chosen))
        flags = (*flags, mirror.flag)
    folder = os.path.join(work, "target")
    other = in_its_place(known, work) if is_loom(flags) else []
    flags = (*flags, f"--remap-path-prefix={work}/crates=/library/xgen") if other else flags
    words = ["cargo", *other, *asked, *chosen, _SAYS, "--quiet", "--manifest-path", manifest]
    local = {_folder(package["manifest_path"]): package["source"] is None for package in known["packages"]}
    read = partial(_read, folder, work, known, mirror)
    with lock_kept(known) if other else nullcontext(), told_apart(work, lambda: read().files, local):
        ended = run([*words, "--target", rustc.host, "--target-dir", folder], _environment(work, rustc, flags))
    if ended.returncode:
        raise complaint(ended.stderr, source, "cargo")
    made = glob(os.path.join(folder, rustc.host, "*", "deps", "*.ll"))
    made += glob(os.path.join(folder, rustc.host, "*", "examples", "*.ll"))
    made, root = _of_this(made, ended.stdout, first)
    texts = {os.path.basename(each): text_of(each) for each in sorted(made)}
    if root is not None:
        texts = _linked_with(texts, [root])
    return list(texts.items()), read()


def _linked_with(texts: dict[str, str], firsts: Sequence[str]) -> dict[str, str]:
    """The files that a linker would take of archives, in which most tests need little of what they are built with: the
    first ones, and those that define what these use, and so on."""
    defining = {symbol: name for name, text in texts.items() for symbol in _symbols(_DEFINES, text)}
    taken, next_ones = set[str](), list(firsts)
    while next_ones:
        name = next_ones.pop()
        if name in taken:
            continue
        taken.add(name)
        next_ones += [defining[symbol] for symbol in _symbols(_USES, texts[name]) if symbol in defining]
    return {name: text for name, text in texts.items() if name in taken}


def _symbols(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    return (match[1] or match[2] for match in pattern.finditer(text))


@dataclass(frozen=True, slots=True)
class Target:
    """What cargo compiles by itself: the file that it begins with, and whether that is a library's."""

    root: str
    is_library: bool = False


def targets_with_tests(build: str, chosen: Sequence[str] = ()) -> list[Target]:
    """The targets of a project that may have tests, with the features that are chosen: its library and its programs
    first."""
    known = _metadata(build, manifest_of(build), chosen)
    enabled = {node["id"]: {*node["features"]} for node in known["resolve"]["nodes"]}
    targets = [
        target
        for package in _members(known)
        for target in package["targets"]
        if target["test"] and enabled[package["id"]].issuperset(target.get("required-features", ()))
    ]
    ours = sorted(targets, key=lambda target: "test" in target["kind"])
    return [Target(os.path.relpath(each["src_path"]), is_library(each)) for each in ours]


def cfgs_of_cargo(name: str, host: str) -> tuple[str, ...]:
    """The names that cargo sets in all crates: by the variables that it reads, or else by its configuration's flags for
    this machine, or else for all. (Python knows its form from 3.11 on.) Raises UsageError for what is not understood.
    """
    if {"RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"} & os.environ.keys():
        return cfgs_of_variables()
    of_host, of_all = list[str](), list[str]()
    for file in filter(os.path.isfile, _configurations(Path.cwd())):
        found = _configuration(file)
        for key, table in found.get("target", {}).items():
            flags = cfgs_in(_words(table.get("rustflags", ())))
            if flags and key.startswith("cfg("):
                hint = f"RUSTFLAGS='--cfg {flags[0]}' before the command says that it does, RUSTFLAGS= that not"
                message = f"whether `{key}` holds for {name or 'this project'}, which sets `{flags[0]}`, is not known"
                raise UsageError(message, file=file, hint=hint)
            of_host += flags if key == host else ()
        of_all += cfgs_in(_words(found.get("build", {}).get("rustflags", ())))
    return tuple(dict.fromkeys(of_host or of_all))


def _configuration(file: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib

        try:
            return tomllib.loads(Path(file).read_text(encoding="utf-8"))
        except (ValueError, OSError) as error:
            raise UsageError(f"this is no configuration of cargo: {error}", file=file) from None
    return {}


def _words(flags: str | Sequence[str]) -> Sequence[str]:
    return flags.split() if isinstance(flags, str) else flags


def _configurations(folder: Path) -> Iterator[str]:
    """The files that say how cargo is to build what is built in a folder."""
    names = ("config", "config.toml")
    yield from (str(each / ".cargo" / name) for each in (folder, *folder.parents) for name in names)
    yield from (os.path.join(_home(), name) for name in names)


def _home() -> str:
    return os.environ.get("CARGO_HOME") or os.path.expanduser("~/.cargo")


def no_tests(build: str) -> UsageError:
    """What is said of a project without tests: the programs that can be named."""
    known = [each for each in _targets(_metadata(build, manifest_of(build))) if {*_PROGRAMS} & {*each["kind"]}]
    roots = ", ".join(os.path.relpath(target["src_path"]) for target in known)
    hint = f"its programs begin in {roots}: give one as PROGRAM" if known else "it has no program either"
    return UsageError("this project has no tests", file=build, hint=hint)


def folder_of(build: str) -> str:
    """The folder of the project that `build` names, or in which its Cargo.toml is."""
    return _folder(manifest_of(build))


def manifest_of(build: str) -> str:
    """The Cargo.toml of a project. Raises UsageError where there is none."""
    manifest = build if os.path.basename(build) == "Cargo.toml" else os.path.join(build, "Cargo.toml")
    if not os.path.isfile(manifest):
        hint = (
            "`-p` takes the folder of a project of cargo; for C and C++ one with a compile_commands.json, which "
            "`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` or `bear -- make` writes; without one, name the files"
        )
        raise UsageError("there is no Cargo.toml here", file=build, hint=hint)
    return manifest


def _targets(metadata: dict[str, Any]) -> list[dict[str, Any]]:
    return [target for package in _members(metadata) for target in package["targets"]]


def _members(metadata: dict[str, Any]) -> list[dict[str, Any]]:
    """The packages of the project itself."""
    members = set(metadata["workspace_members"])
    return [package for package in metadata["packages"] if package["id"] in members]


def _library(source: Source, manifest: str, metadata: dict[str, Any]) -> tuple[str, ...]:
    """What cargo is asked for: the library that begins with a file, as one of Rust, whatever else it is made as."""
    found = [target["src_path"] for target in _targets(metadata) if is_library(target)]
    if os.path.realpath(source.name) not in map(os.path.realpath, found):
        hint = f"its library begins in {', '.join(map(os.path.relpath, found))}" if found else "it has no library"
        raise UsageError(f"no library of {manifest} begins in this file", file=source.name, hint=hint)
    return "rustc", "--lib", "--crate-type=lib"


def _target(source: Source, manifest: str, metadata: dict[str, Any]) -> tuple[str, ...]:
    """What cargo is asked for: the program that begins with a file."""
    known = []
    for target in _targets(metadata):
        kind = next((kind for kind in target["kind"] if kind in _PROGRAMS), None)
        if kind is None:
            continue
        if os.path.realpath(target["src_path"]) == os.path.realpath(source.name):
            return "build", f"--{kind}", target["name"]
        known.append(os.path.relpath(target["src_path"]))
    hint = f"its programs begin in {', '.join(known)}" if known else "it has a library only: an example has a main"
    raise UsageError(f"no program of {manifest} begins in this file", file=source.name, hint=hint)


def _tests(source: Source, manifest: str, metadata: dict[str, Any]) -> tuple[str, ...]:
    """What cargo is asked for: the tests of the target that begins with a file."""
    for package in _members(metadata):
        for target in package["targets"]:
            if os.path.realpath(target["src_path"]) != os.path.realpath(source.name):
                continue
            kind = next((kind for kind in target["kind"] if kind in NO_LIBRARIES), None)
            which = ("--lib",) if kind is None else (f"--{kind}", target["name"])
            return "test", "--no-run", "--package", package["id"], *which
    roots = ", ".join(os.path.relpath(target["src_path"]) for target in _targets(metadata) if target["test"])
    raise UsageError(f"no target of {manifest} begins with this file", file=source.name, hint=f"these do: {roots}")


def _of_this(made: Sequence[str], said: str, source: Source) -> tuple[list[str], str | None]:
    """The IR of one target and of the libraries that are built with it, of all that is there of this and other builds,
    as cargo tells; and which is that of the program or of the tests that begin with a file."""
    wanted, root = set[str](), None
    for message in map(json.loads, filter(lambda line: line.startswith("{"), said.splitlines())):
        if message["reason"] != "compiler-artifact":
            continue
        if message["executable"] is None:
            wanted.update(Path(name).stem.removeprefix("lib") for name in message["filenames"])
        elif os.path.realpath(message["target"]["src_path"]) == os.path.realpath(source.name):
            root = _with_hash(message["executable"], made)
    found = [name for name in made if Path(name).stem in wanted or name == root]
    return found, None if root is None else os.path.basename(root)


def _with_hash(executable: str, made: Sequence[str]) -> str | None:
    """The IR of an executable: cargo gives programs a second name, without what tells builds apart."""
    for name in made:
        other = name.removesuffix(".ll") + Path(executable).suffix
        if os.path.exists(other) and os.path.samefile(other, executable):
            return name
    crate = Path(executable).stem.replace("-", "_")
    return max(
        (name for name in made if Path(name).stem.rpartition("-")[0] == crate), key=os.path.getmtime, default=None
    )


def _metadata(file: str, manifest: str, chosen: Sequence[str] = ()) -> dict[str, Any]:
    """What cargo knows of the packages that are built, those of a registry included. `chosen`: features, which decide
    whether a package is needed that is optional."""
    ended = run(["cargo", "metadata", "--format-version", "1", *chosen, "--manifest-path", manifest])
    if ended.returncode:
        raise complaint(ended.stderr, Source(file, ""), "cargo")
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def _read(folder: str, work: str, metadata: dict[str, Any], mirror: Mirror | None) -> Read:
    """What may change what is built, as rustc and build scripts say in the folder of what they have made.

    What cargo has unpacked of a registry, or got from a repository, is not looked at: it does not change.
    """
    files, variables = _settings(metadata), set[str]()
    for rules in glob(os.path.join(folder, "**", "*.d"), recursive=True):
        found = read_for(rules, metadata["workspace_root"])  # where cargo has rustc run for the project's own
        files |= found.files
        variables |= found.variables
    folders = {_folder(package["manifest_path"]): package for package in metadata["packages"]}
    for said in glob(os.path.join(folder, "**", "build", "*", "output"), recursive=True):
        found = _of_script(Path(said), folders)
        files |= found.files
        variables |= found.variables
    home = _home()
    kept = (os.path.join(home, "registry", ""), os.path.join(home, "git", ""), os.path.join(work, ""))
    files = files if mirror is None else set(map(mirror.back, files))
    return Read(frozenset(file for file in files if not file.startswith(kept)), frozenset(variables))


def _settings(metadata: dict[str, Any]) -> set[str]:
    """Files that say how all is built, whether they are there or not."""
    root = Path(metadata["workspace_root"])
    found = {str(root / name) for name in ("Cargo.toml", "Cargo.lock")}
    found |= {package["manifest_path"] for package in metadata["packages"]}
    return found | {*_configurations(root), *_configurations(Path.cwd())}


def _folder(manifest: str) -> str:
    return os.path.dirname(os.path.abspath(manifest))


def _of_script(said: Path, folders: Mapping[str, Any]) -> Read:
    """What the output of a build script says that it depends on; if it says nothing, all files of its package."""
    lines = said.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    words = [match for match in map(_RERUN.match, lines) if match]
    root = _root_of(said, folders)
    if root is None:
        return Read()
    names = [match[2] for match in words if match[1] == "changed"]
    paths = [root / name for name in names] if words else [root]
    files = {str(file) for path in paths for file in (_all_in(path) if path.is_dir() else (path,))}
    return Read(frozenset(files), frozenset(match[2] for match in words if match[1] == "env-changed"))


def _root_of(said: Path, folders: Mapping[str, Any]) -> Path | None:
    """The folder of the package whose build script has said something: it stands in one of the package's name."""
    name = said.parent.name.rpartition("-")[0]
    return next((Path(folder) for folder, package in folders.items() if package["name"] == name), None)


def _all_in(folder: Path) -> Iterator[Path]:
    hidden = {"target", ".git"}
    return (file for file in folder.rglob("*") if file.is_file() and not hidden & {*file.relative_to(folder).parts})


def _environment(work: str, rustc: Rustc, flags: Sequence[str]) -> dict[str, str]:
    """Flags for all crates of the program; what runs while it is built, as macros, is compiled as ever."""
    words = [*FLAGS, *PLAIN, *with_std(work), "--emit=llvm-ir", f"-Clink-arg=-Wl,{_WITHOUT}", *flags]
    return {
        "CARGO_ENCODED_RUSTFLAGS": _BETWEEN.join(words),
        "CARGO_INCREMENTAL": "0",
        "RUSTC": rustc.words[0] if len(rustc.words) == 1 else "rustc",
    }
