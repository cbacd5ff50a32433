"""Threads of the kernel: kthread_run and the like."""

from __future__ import annotations

from xgen.frontends.c.values.places import Value
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Kthread:
    """A thread: its function, by name and address, its CPU, and whether it waits to be woken up first."""

    name: str
    function: Value
    cpu: int
    waits: bool
