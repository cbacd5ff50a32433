"""Programs that come from standard input."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

XCFA = "var x : int process p { 1 -> x; assert false; }"
SB = """X86 SB
{}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""
C = "#include <assert.h>\nint main(void) { assert(0); return 0; }\n"


def xgen(args: str, text: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "xgen", *args.split()]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("args", "text", "code", "first"),
    [
        ("check - --mcm tso", XCFA, 1, "violation: assertion violated at <stdin>:1:33"),
        ("check c:- --mcm rc11", C, 1, "violation: assertion violated at <stdin>:2"),
        (
            "litmus - --mcm sc",
            SB,
            0,
            "Never: sc forbids 0:EAX=0 /\\ 1:EAX=0 (in none of 3 executions; herd: No, Never)",
        ),
        ("explain litmus:- --mcm tso", SB, 0, "allowed by tso"),
        ("check - --mcm tso", "process p { x }", 2, ""),
        ("show - --as code", "process p{skip;}", 0, "process p {"),
    ],
)
def test_standard_input(args: str, text: str, code: int, first: str) -> None:
    run = xgen(args, text)
    assert run.returncode == code, run.stderr
    assert run.stdout.startswith(first), run.stdout
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("args", ["check - --mcm tso", "litmus - --mcm tso", "repair -", "lsp"])
def test_closed(args: str) -> None:
    """Who starts xgen without a standard input, as some services do, is told so."""
    command = f"{shlex.quote(sys.executable)} -m xgen {args} <&-"
    run = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert run.returncode == 2, run.stderr
    assert "closed" in run.stdout + run.stderr
    assert "mistake" not in run.stdout + run.stderr
