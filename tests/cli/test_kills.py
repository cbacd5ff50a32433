"""Long runs that are killed at random moments, with their processes: what they say in the end is the same."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from engine.distributed.processes import kill
from engine.shapes import writers

OFTEN = "import xgen.engine.distributed.run_file as file; file.INTERVAL = 0.1; from xgen.cli import main; main()"
"""The command line, with a commit after each moment."""
WRITERS = """X86 writers{0}
{{}}
 P0          | P1          | P2          ;
 MOV [x],$1  | MOV [x],$11 | MOV [x],$21 ;
 MOV [x],$2  | MOV [x],$12 | MOV [x],$22 ;
 MOV [x],$3  | MOV [x],$13 | MOV [x],$23 ;
 MOV [x],$4  | MOV [x],$14 | MOV [x],$24 ;
 MOV [x],$5  | MOV [x],$15 | MOV [x],$25 ;
exists (x={0})
"""
"""A test of 756,756 executions."""
SHORT = """X86 short{0}
{{}}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],${0}  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""


def settled(said: str) -> object:
    """What a command has said in JSON, without what depends on how it ran."""
    free = ("seconds", "peak_kib", "run", "duplicates_checked")

    def of(value: object) -> object:
        if isinstance(value, dict):
            return {key: of(one) for key, one in value.items() if key not in free}
        return [of(one) for one in value] if isinstance(value, list) else value

    return of(json.loads(said))


def killed(command: Sequence[str], kills: int, folder: Path) -> None:
    """Runs a command until it was killed so often; each time that it comes to an end, it says the same."""
    dice, file, done = random.Random(str(command)), folder / "k.run", 0
    plain = subprocess.run(
        [sys.executable, "-m", "xgen", *command, "--format", "json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    while done < kills:
        file.unlink(missing_ok=True)
        code = None
        while code is None:
            asked = ["resume", file.name] if file.exists() else [*command, "--checkpoint", file.name]
            process = subprocess.Popen(
                [sys.executable, "-c", OFTEN, *asked, "--processes", "2", "--format", "json"],
                cwd=folder,
                stdout=subprocess.PIPE,
                text=True,
            )
            try:
                said, _ = process.communicate(timeout=dice.uniform(0.2, 2.0) if done < kills else None)
                code = process.returncode
            except subprocess.TimeoutExpired:
                kill(process, dice, 0.3)
                done += 1
            if file.exists():
                with closing(sqlite3.connect(file)) as db:
                    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert (code, settled(said)) == (plain.returncode, settled(plain.stdout))
    assert not (folder / "k.run-journal").exists()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "w.xcfa").write_text(writers(3, 5).source.text)
    (tmp_path / "suite").mkdir()
    for number in range(1, 4):
        (tmp_path / f"suite/writers{number}.litmus").write_text(WRITERS.format(number))
    for number in range(1, 30):
        (tmp_path / f"suite/short{number}.litmus").write_text(SHORT.format(number))
    return tmp_path


COMMANDS = [
    "check w.xcfa --mcm sc --all-states",
    "litmus suite",
    "compare sc tso suite",
    "compare tso tso --max-size 6",
]


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_hundred_kills(command: str, folder: Path) -> None:
    killed(command.split(), 100, folder)
