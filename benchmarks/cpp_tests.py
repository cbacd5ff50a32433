"""Tests of public C++ projects as they stand: how many xgen reads and answers, file by file, and why it does not.

python benchmarks/cpp_tests.py FOLDER [PROJECT...] > results/cpp_tests.csv

The projects are fetched into the folder, at the commits that are named here; nothing of theirs is built or changed. A
test that starts no thread has one execution. With `smaller`, constants of a file have other values (--set).
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import XGEN, run, write
from real import fetched

LIMIT = 30
"""Seconds for each test."""
FIELDS = [
    "project", "commit", "file", "smaller", "tests", "safe", "several_executions", "violated", "too_long", "refused",
    "why", "seconds",
]  # fmt: skip


@dataclass(frozen=True)
class Project:
    """A repository, its commit, its files of tests (patterns), the compiler's flags, and which constants are changed
    in some files (of their tests, those that are named)."""

    repository: str
    commit: str
    files: tuple[str, ...]
    flags: tuple[str, ...] = ()
    smaller: tuple[tuple[str, str, tuple[str, ...]], ...] = ()


PROJECTS = {
    "xenium": Project(
        "mpoeter/xenium",
        "3f08ceac00f54d0992c053de81743b3937aaf543",
        tuple(f"test/{name}_test.cpp" for name in ("left_right", "marked_ptr", "seqlock", "vyukov_bounded_queue")),
        ("-I.", "-std=c++17"),
        (("test/vyukov_bounded_queue_test.cpp", "VyukovBoundedQueue.parallel_usage", ("MaxIterations=2",)),),
    ),
    "lockfree": Project(
        "DNedic/lockfree",
        "26b5fd1e58ef9bf02a44b8593fa7a56375ced90c",
        ("tests/*/*.cpp",),
        ("-Ilockfree", "-std=c++20", "-DTEST_MT_TRANSFER_CNT=1"),
    ),
    "taskflow": Project(
        "taskflow/taskflow",
        "83f90a279aaab33fd4ce1deed00ca07819cbc8f8",
        ("unittests/test_*.cpp",),
        ("-I.", "-Idoctest", "-I3rd-party/doctest", "-std=c++20"),
        (("unittests/test_spsc.cpp", "", ("N=2",)),),
    ),
    "atomic_queue": Project(  # of Boost.Test; boost/mpl/list.hpp has to be on the system, as for the project itself
        "max0x7ba/atomic_queue", "137772366df6d0ebeb702123c59ac9aaf09fdc78", ("src/tests.cc",), ("-Iinclude",)
    ),
}


def told(project: Project, there: Path, file: str, name: str, smaller: tuple[str, ...]) -> dict[str, object]:
    """What comes of the tests of a file."""
    flags = [f"-I{there / flag[2:]}" if flag.startswith("-I") else flag for flag in project.flags]
    words = [XGEN, "check", str(there / file), *(["--test", name] if name else [])]
    words += [word for setting in smaller for word in ("--set", setting)]
    words += ["--timeout", str(LIMIT), "--format", "json", "--errors", "none", "--", *flags]
    done = run(words)
    at = done.output.find('{\n "xgen"')  # before it stands what is on standard error
    found = json.JSONDecoder().raw_decode(done.output[at:])[0] if at >= 0 else {}
    tests = found.get("tests") or [found or {"error": {"message": done.output.strip().split("\n")[0]}}]
    refused = [one["error"]["message"] for one in tests if one.get("error")]
    answered = [one for one in tests if "verdict" in one]
    safe = [one for one in answered if one["verdict"] == "safe" and not one["vacuous"]]
    return {
        "file": file,
        "smaller": " ".join((name, *smaller)).strip(),
        "tests": len(tests),
        "safe": len(safe),
        "several_executions": sum(one["executions"] > 1 for one in safe),
        "violated": sum(one["verdict"] == "violation" for one in answered),
        "too_long": sum(one["verdict"] == "interrupted" for one in answered),
        "refused": len(refused),
        "why": "; ".join(f"{count}: {why}" for why, count in Counter(map(_short, refused)).most_common()),
        "seconds": f"{done.cpu:.1f}",
    }


def _short(message: str) -> str:
    return re.sub(r"\s+", " ", message)[:120]


def rows(folder: Path, names: list[str]) -> Iterator[dict[str, object]]:
    """The projects' files, then those in which constants are changed."""
    for name in names or PROJECTS:
        project = PROJECTS[name]
        there = fetched(project.repository, project.commit, folder)
        files = sorted(path.relative_to(there).as_posix() for one in project.files for path in there.glob(one))
        asked = [(file, "", ()) for file in files] + list(project.smaller)
        for file, test, smaller in asked:
            row = told(project, there, file, test, smaller)
            yield {"project": name, "commit": project.commit[:12], **row}


if __name__ == "__main__":
    write(FIELDS, rows(Path(sys.argv[1]), sys.argv[2:]))
