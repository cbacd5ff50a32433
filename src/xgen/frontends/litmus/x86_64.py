"""X86_64: see x86."""

from __future__ import annotations

from xgen.frontends.litmus.x86 import X86

ARCHITECTURE = X86(64)
