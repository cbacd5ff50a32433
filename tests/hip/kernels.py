"""Kernels with the instructions of the headers for HIP, without a compiler."""

from __future__ import annotations

from xgen.errors import Source
from xgen.frontends.hip.thread import HipThread
from xgen.frontends.ptx.launch import read_request
from xgen.frontends.ptx.translate import read
from xgen.program.automaton import Program


def program(text: str, launch: str, final: str | None = None) -> Program:
    source = Source("k.hip", text)
    return read(text, source, read_request(source, launch=launch, final=final), HipThread)
