"""Clients of public libraries (programs/real), as compilers would build them, most of them on x86.

python benchmarks/real.py FOLDER > results/real.csv

The libraries are fetched into the folder, each at the commit that the first line of its clients names; where a folder
of that commit is there already, it is taken as it is.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import run, write

CLIENTS = Path(__file__).parents[1] / "programs" / "real"
LIMIT = 60.0
"""Seconds for each."""
HEAD = re.compile(r"// real: (?P<repository>\S+) (?P<commit>[0-9a-f]{40}): (?P<files>.*)")
FIELDS = ["client", "repository", "commit", "verdict", "why", "executions", "blocked", "bounded", "seconds"]
BUILTINS = f"-DCK_USE_CC_BUILTINS=1 -Iinclude -I{CLIENTS}"
WRITTEN = f"-I{CLIENTS / 'config'}"
"""The headers that the libraries' configure scripts write."""
_EAL = ("lib/eal/include", "lib/eal/x86/include", "lib/eal/linux/include")
DPDK = " ".join(f"-I{name}" for name in ("config", "lib/ring", "lib/log", "lib/kvargs", *_EAL))
DENORMALS = "--stub __builtin_ia32_stmxcsr,__builtin_ia32_ldmxcsr"
VSYNC = "-Iinclude -Ivatomic/include -DVATOMIC_BUILTINS"


@dataclass(frozen=True)
class Row:
    """A client, flags of the compiler (folders are the library's), and options of xgen."""

    client: str
    flags: str = "-I."
    options: str = ""
    what: str = ""
    machine: str = "x86"

    @property
    def name(self) -> str:
        return f"{self.client} {self.what}".strip()


ROWS = (
    Row("lfq"),
    Row("mpscq"),
    Row("ring", "-Isrc"),
    Row("ring", "-Isrc", what="on armv8", machine="armv8"),
    Row("ebr", "-Isrc"),
    Row("qsbr", "-Isrc"),
    Row("lfqueue", options="--nondet 0..0"),
    Row("lfqueue_two", options="--nondet 0..0"),
    Row("lfstack", options="--nondet 0..0"),
    Row("thread_pool", options="--stub prctl,sigemptyset,sigaction,snprintf"),
    Row("fwf_msqueue", "-I. -DMSQUEUE"),
    Row("fwf_lcrq", "-I. -DLCRQ -DLCRQ_RING_SIZE=2"),
    Row("fwf_wfqueue", "-I. -DWFQUEUE"),
    Row("thmap", "-Isrc"),
    Row("nng_atomic", "-Isrc -Iinclude -DNNG_PLATFORM_POSIX -DNNG_HAVE_STDATOMIC"),
    Row("mintomic", "-Iinclude"),
    Row("turf", f"-I. {WRITTEN}"),
    Row("dpdk_ring", f"-include rte_config.h {DPDK} {WRITTEN}"),
    Row("urcu_wfcqueue", f"-Iinclude {WRITTEN}", "--stub poll"),
    Row("urcu_lfstack", f"-Iinclude {WRITTEN}"),
    Row("scq"),
    Row("pthreadpool", f"-Iinclude -Isrc -DPTHREADPOOL_USE_FUTEX=0 -DPTHREADPOOL_USE_CPUINFO=0 {WRITTEN}", DENORMALS),
    *(Row("vsync_lock", f"{VSYNC} -DLOCK={lock}", what=lock, machine="") for lock in ("caslock", "ticketlock")),
    Row("vsync_bbq", VSYNC, machine=""),
    *(Row("ck_lock", f"{BUILTINS} -DLOCK={lock}", what=lock) for lock in ("fas", "cas", "dec", "ticket")),
    *(
        Row(f"ck_{what}", BUILTINS)
        for what in ("bytelock", "mcs", "clh", "anderson", "stack", "fifo", "sequence", "rwlock")
    ),
    *(Row("ck_ring", f"{BUILTINS} -DKIND={kind}", what=kind) for kind in ("spsc", "mpsc", "spmc", "mpmc")),
)


def head(name: str) -> re.Match[str]:
    """What the first line of a client's file says: repository, commit, files of the library."""
    first = (CLIENTS / name).read_text("utf-8").split("\n", 1)[0]
    found = HEAD.fullmatch(first)
    assert found, first
    return found


def fetched(repository: str, commit: str, folder: Path) -> Path:
    """The library's files at a commit."""
    there = folder / f"{repository.replace('/', '+')}-{commit[:12]}"
    if not there.exists():
        for words in (
            ["init", "-q", str(there)],
            ["-C", str(there), "fetch", "-q", "--depth", "1", f"https://github.com/{repository}", commit],
            ["-C", str(there), "checkout", "-q", "FETCH_HEAD"],
        ):
            subprocess.run(["git", *words], check=True)
    return there


def command(row: Row, library: Path) -> list[str]:
    """How a client is checked."""
    files = [str(library / name) for name in head(f"{row.client}.c")["files"].split() if name.endswith(".c")]
    flags = [
        f"-I{library / flag[2:]}" if flag.startswith("-I") else flag for flag in row.flags.split()
    ]  # an absolute folder stays
    machine = ["--on", row.machine] if row.machine else []
    options = [*machine, "--unroll", "3", *row.options.split(), "--timeout", str(LIMIT), "--format", "json"]
    return ["xgen", "check", str(CLIENTS / f"{row.client}.c"), *files, *options, "--", *flags]


def answer(text: str) -> dict[str, object]:
    """The verdict, and counts; of what is refused its first sentence."""
    document = re.search(r"^\{.*", text, re.M | re.S)
    assert document, text
    found = json.loads(document[0])
    if "verdict" not in found:
        return {"verdict": "refused", "why": found["error"]["message"].split("\n")[0]}
    error = (found.get("witness") or {}).get("error") or {}
    counts = {key: found[key] for key in ("executions", "blocked", "bounded")}
    verdict = "none completes" if found.get("vacuous") else found["verdict"]
    return {"verdict": verdict, **counts, "why": error.get("kind", "")}


def rows(folder: Path) -> Iterator[dict[str, object]]:
    for row in ROWS:
        found = head(f"{row.client}.c")
        library = fetched(found["repository"], found["commit"], folder)
        done = run(command(row, library), limit=2 * LIMIT)
        names = {"client": row.name, "repository": found["repository"], "commit": found["commit"][:12]}
        yield dict.fromkeys(FIELDS, "") | names | answer(done.output) | {"seconds": f"{done.cpu:.1f}"}


if __name__ == "__main__":
    write(FIELDS, rows(Path(sys.argv[1])))
