"""Kernels in PTX for tests, and what is asked of them."""

from __future__ import annotations

import xgen
from xgen import Result
from xgen.errors import Source
from xgen.frontends.ptx import read
from xgen.frontends.ptx.launch import Request, Vectors, read_request
from xgen.program.automaton import Program
from xgen.records import replace

REGISTERS = ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %d<20>;"


def kernel(body: str, declared: str = "", parameters: str = "") -> str:
    """A module of one kernel `k` with the instructions `body`, which has registers of each kind."""
    named = ", ".join(f".param .u64 {name}" for name in parameters.split())
    return f".version 8.0\n.target sm_90\n{declared}\n.visible .entry k({named})\n{{\n{REGISTERS}\n{body}\nret;\n}}\n"


def request(text: str, launch: str, final: str | None = None, warp: int = 32, vectors: Vectors = "whole") -> Request:
    asked = read_request(Source("k.ptx", text), launch=launch, final=final)
    return replace(asked, warp=warp, vectors=vectors)


def program(text: str, launch: str, final: str | None = None, warp: int = 32, vectors: Vectors = "whole") -> Program:
    return read(text, Source("k.ptx", text), request(text, launch, final, warp, vectors))


def check(text: str, launch: str, final: str | None = None, model: str = "ptx", warp: int = 32) -> Result:
    return xgen.check(program(text, launch, final, warp), xgen.model(model), liveness=True)


def kind(result: Result) -> str:
    """The verdict, or the kind of the violation: `final` of the condition that has to hold in the end."""
    if result.verdict != "violation":
        return result.verdict
    assert result.witness is not None
    found = result.witness.violations
    return found[0].kind if found else "final"
