"""What the playground offers to start with."""

from __future__ import annotations

from xgen.records import dataclass
from xgen.resources import shipped


@dataclass(frozen=True)
class Example:
    """A shipped program or test, the model to look at it under, what to look for, and what who teaches would ask."""

    title: str
    path: str
    model: str
    hint: str
    question: str


EXAMPLES = (
    Example(
        "SB: store buffering (x86)",
        "litmus/X86/SB.litmus",
        "tso",
        "Both loads read 0. Try the model sc.",
        "Can both loads read 0?",
    ),
    Example(
        "SB with fences (x86)",
        "litmus/X86/SB+mfences.litmus",
        "tso",
        "The fences forbid it: ask why not.",
        "Can both loads read 0, now that there are fences?",
    ),
    Example(
        "MP: message passing (x86)",
        "litmus/X86/MP.litmus",
        "tso",
        "Forbidden here. Try pso.",
        "Can the flag be seen, and not the message?",
    ),
    Example(
        "LB: load buffering (Arm)",
        "litmus/AArch64/LB.litmus",
        "arm8",
        "Loads that read what comes later.",
        "Can both loads read what the other thread writes after its own load?",
    ),
    Example(
        "IRIW (x86)",
        "litmus/X86/IRIW.litmus",
        "tso",
        "Two readers see two writes in different orders. Why not?",
        "Can two readers see two writes in different orders?",
    ),
    Example(
        "2+2W (x86)",
        "litmus/X86/2+2W.litmus",
        "tso",
        "Can both first writes win? Try pso.",
        "Can the first write of each thread be the one that stays?",
    ),
    Example(
        "CoRR: coherence (x86)",
        "litmus/X86/CoRR.litmus",
        "tso",
        "Reads of one variable do not go back.",
        "Can a thread read the new value, and then the old one?",
    ),
    Example(
        "MP (Arm)",
        "litmus/AArch64/MP.litmus",
        "arm8",
        "Allowed: neither side keeps its order.",
        "Can the flag be seen, and not the message?",
    ),
    Example(
        "Peterson's algorithm",
        "programs/peterson.xcfa",
        "tso",
        "Right under sc, wrong under tso: see the graph.",
        "How can the two processes end? Can both be inside at once?",
    ),
    Example(
        "Peterson with fences",
        "programs/peterson_fenced.xcfa",
        "tso",
        "What the fences do. Take one out.",
        "How can the two processes end? Can both be inside at once?",
    ),
    Example(
        "Dekker's algorithm",
        "programs/dekker.xcfa",
        "tso",
        "Ask for fences.",
        "How can the two processes end? Can both be inside at once?",
    ),
    Example(
        "Message passing",
        "programs/mp.xcfa",
        "pso",
        "The flag may overtake the message.",
        "Who reads the flag: which message does it read?",
    ),
    Example(
        "Read-after-read hazard (Cortex-A9)",
        "programs/cow2r.xcfa",
        "weak-a9",
        "New value first, old one after.",
        "Can one variable be read twice, first new, then old?",
    ),
    Example(
        "Spinlock",
        "programs/spinlock.xcfa",
        "weak",
        "A lock by compare-and-swap.",
        "Can both processes be inside at once?",
    ),
    Example(
        "Treiber's stack",
        "programs/treiber.xcfa",
        "weak",
        "A stack without locks.",
        "Which items can be taken, and by whom?",
    ),
    Example(
        "MP between two blocks (PTX)",
        "programs/ptx/mp-cta.litmus",
        "ptx",
        "The scope is too narrow. Try .gpu.",
        "Can the flag be seen, and not the message?",
    ),
    Example(
        "Barrier of a block (PTX)",
        "programs/ptx/barrier.litmus",
        "ptx",
        "Take one barrier out.",
        "Can the message be missed, behind the barrier?",
    ),
    Example(
        "MP between two workgroups (Vulkan)",
        "programs/vulkan/mp.litmus",
        "vulkan",
        "Leave `.av.dv` out: a race.",
        "Can the flag be seen, and not the message?",
    ),
    Example(
        "MP between two work-groups (OpenCL)",
        "programs/opencl/mp.litmus",
        "opencl",
        "Try `_device` twice.",
        "Can the flag be seen, and not the message?",
    ),
    Example(
        "Peterson's algorithm in C",
        "programs/c/peterson.c",
        "rc11",
        "C11 atomics.",
        "Can both threads be inside at once?",
    ),
    Example(
        "A ring for many threads, no main (C)",
        "programs/linearizable/mpmc.c",
        "rc11",
        "Its clients are made: see the calls.",
        "Can two consumers get the same item?",
    ),
)


def example_text(example: Example) -> str:
    """Its text."""
    folder, _, rest = example.path.partition("/")
    root = shipped("programs") if folder == "programs" else shipped("litmus")
    return (root / rest).read_text(encoding="utf-8")
