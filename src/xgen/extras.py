"""The packages that parts of xgen need besides, by extras, and the command that installs them.

The command names the packages, not xgen: so it does the same wherever xgen itself came from, a clone or a wheel, and
nothing of xgen's own is looked for in an index.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys

EXTRAS = {
    "certify": ("z3-solver>=4.12",),
    "cluster": ("distributed>=2024.1",),
    "cpp": ("llvmlite>=0.50", "ziglang>=0.17,<0.18"),
    "cuda": ("nvidia-cuda-nvrtc>=13.0", "nvidia-cuda-cccl>=13.0", "nvidia-cuda-runtime>=13.0", "nvidia-cuda-crt>=13.0"),
    "lsp": ("pygls>=2.0",),
    "repair": ("python-sat>=1.8.dev12", "numpy>=1.24"),
    "sat": ("python-sat>=1.9.dev24",),
    "serve": ("starlette>=0.37", "uvicorn>=0.27"),
}
"""As in pyproject.toml."""


def installing(extra: str) -> str:
    """The command that installs the packages of an extra."""
    return pip_install(*EXTRAS[extra])


def pip_install(*words: str) -> str:
    """A command of pip for the Python that runs this, which is not always the first one on PATH."""
    python = "python" if _is_this(shutil.which("python")) else sys.executable or "python"
    return " ".join(map(_quoted, (python, "-m", "pip", "install", *words)))


def _is_this(command: str | None) -> bool:
    return command is not None and os.path.normcase(command) == os.path.normcase(sys.executable)


def _quoted(word: str) -> str:
    if os.name != "nt":
        return shlex.quote(word)
    return f'"{word}"' if set(word) & set(" <>&|^") else word
