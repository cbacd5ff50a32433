"""What compilers have made, kept for the next run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from xgen.records import dataclass
from xgen.store import hashed, keep, kept

FORMAT = 2
"""Goes up when what is kept means something else."""
DEPTH = 4
"""So many folders and a name may stand in an #include, as far as files that are new are looked for."""


@dataclass(frozen=True, slots=True)
class Made:
    """What has come of some texts, and the files that were read for it besides, and the variables of the environment
    that were asked for."""

    text: str
    read: tuple[str, ...]
    asked: tuple[str, ...] = ()


def cached(key: Sequence[object], folders: Iterable[str], make: Callable[[], Made]) -> str:
    """What `make` makes of all that `key` says, and of the files that it reads.

    It is made anew where one of these files has another text, or a variable another value, and where in `folders`,
    which it looks for files in, there is a file that may be found instead. Where nothing can be kept, it is made each
    time.
    """
    import json  # long to import, and C does without

    name = hashed(json.dumps([FORMAT, *key], default=str).encode())[:40]
    about, made_text = f"{name}.json", f"{name}.ll"
    folders = tuple(dict.fromkeys(os.path.abspath(each) for each in folders))
    try:
        known, data = json.loads(kept(about) or b""), kept(made_text) or b""
        if known["text"] == hashed(data) and _state(known["read"], known["asked"], folders) == known["state"]:
            return data.decode()
    except (ValueError, KeyError, TypeError):
        pass
    made = make()
    state = _state(made.read, made.asked, folders)
    found = {"text": hashed(made.text.encode()), "read": made.read, "asked": made.asked, "state": state}
    keep(made_text, made.text.encode())
    keep(about, json.dumps(found).encode())
    return made.text


def _state(read: Sequence[str], asked: Sequence[str], folders: Iterable[str]) -> str:
    """What files have in them, and which others of their names there are; what variables say."""
    seen = [f"{name}={os.environ.get(name)}".encode("utf-8", "surrogateescape") for name in asked]
    tails = {os.sep.join(name.split(os.sep)[-k:]) for name in read for k in range(1, DEPTH + 1)}
    beside = (os.path.join(each, tail) for each in folders for tail in sorted(tails))
    for name in [*read, *(each for each in beside if os.path.isfile(each))]:
        with suppress(OSError):
            seen.append(name.encode("utf-8", "surrogateescape") + b"\0" + hashed(Path(name).read_bytes()).encode())
    return hashed(b"\0".join(seen))
