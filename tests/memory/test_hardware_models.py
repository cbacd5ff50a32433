"""The shipped models of weak hardware and languages on shapes that tell them apart.

The names are those of the literature (Herding Cats, 2014; Pulte et al., POPL 2018; Lahav et al., PLDI 2017; Alglave et
al., ASPLOS 2018), each for the execution that is the point of it.
"""

from __future__ import annotations

import re

import pytest

from memory.graphs import shape
from memory.naive import Graph
from xgen.memory.library import load_model

FULL = {"arm8": "dmb.sy", "arm": "dmb", "power": "sync", "riscv": "fence.rw.rw", "rc11": "seq_cst", "lkmm": "mb"}
"""A full fence of each model."""
INSTRUCTIONS = {"arm8": "isb", "arm": "isb", "power": "isync"}
"""What waits until the branches before it are decided."""
WEAKEST = {"rc11": "relaxed", "lkmm": "once"}
"""The ordering of an access of which nothing is said."""
ALL = "arm8 arm power riscv rc11 lkmm"


def execution(model: str, threads: str, rf: str, mo: str = "", given: str = "") -> Graph:
    """A shape with the model's own fences: F is a full one, F[isb] one for instructions; accesses are the weakest."""
    threads = re.sub(r":F(?!\[)", f":F[{FULL[model]}]", threads)
    threads = threads.replace("F[isb]", f"F[{INSTRUCTIONS.get(model, 'isb')}]")
    if model in WEAKEST:
        threads = re.sub(r":([RW][a-z])(?!\[)", rf":\1[{WEAKEST[model]}]", threads)
    return shape(threads, rf, mo, given)


SHAPES: dict[str, tuple[tuple[str, ...], str]] = {
    # name: (threads, rf, mo, dependencies), the models that allow it
    "SB": (("a:Wx b:Ry | c:Wy d:Rx", ""), ALL),
    "SB+fences": (("a:Wx f:F b:Ry | c:Wy g:F d:Rx", ""), ""),
    "SB+fence+po": (("a:Wx f:F b:Ry | c:Wy d:Rx", ""), ALL),
    "MP": (("a:Wx b:Wy | c:Ry d:Rx", "b c"), ALL),
    "MP+fences": (("a:Wx f:F b:Wy | c:Ry g:F d:Rx", "b c"), ""),
    "MP+fence+addr": (("a:Wx f:F b:Wy | c:Ry d:Rx", "b c", "", "addr c d"), "rc11"),
    "MP+fence+ctrl": (("a:Wx f:F b:Wy | c:Ry d:Rx", "b c", "", "ctrl c d"), ALL),
    "MP+fence+ctrlisb": (
        ("a:Wx f:F b:Wy | c:Ry g:F[isb] d:Rx", "b c", "", "ctrl c g, ctrl c d"),
        "",  # where there is no such fence, it is one of unknown name, which is a full one
    ),
    "LB": (("a:Rx b:Wy | c:Ry d:Wx", "d a, b c"), "arm8 arm power riscv lkmm"),
    "LB+data+po": (("a:Rx b:Wy | c:Ry d:Wx", "d a, b c", "", "data a b"), "arm8 arm power riscv lkmm"),
    "LB+datas": (("a:Rx b:Wy | c:Ry d:Wx", "d a, b c", "", "data a b, data c d"), ""),
    "LB+ctrls": (("a:Rx b:Wy | c:Ry d:Wx", "d a, b c", "", "ctrl a b, ctrl c d"), ""),
    "LB+addrs": (("a:Rx b:Wy | c:Ry d:Wx", "d a, b c", "", "addr a b, addr c d"), ""),
    "LB+fences": (("a:Rx f:F b:Wy | c:Ry g:F d:Wx", "d a, b c"), ""),
    "LB+data+addr-po": (("a:Rx b:Wy | c:Ry e:Rz d:Wx", "d a, b c", "", "data a b, addr c e"), "lkmm"),
    "S+fence+data": (("a:Wx f:F b:Wy | c:Ry d:Wx", "b c", "d a", "data c d"), "rc11"),
    "S+fence+po": (("a:Wx f:F b:Wy | c:Ry d:Wx", "b c", "d a"), ALL),
    "R+fences": (("a:Wx f:F b:Wy | c:Wy g:F d:Rx", "", "b c"), ""),
    "2+2W": (("a:Wx b:Wy | c:Wy d:Wx", "", "d a; b c"), ALL),
    "2+2W+fences": (("a:Wx f:F b:Wy | c:Wy g:F d:Wx", "", "d a; b c"), ""),
    # Multi-copy atomicity: two readers of a write may not disagree on whether it is there.
    "WRC+data+addr": (("a:Wx | b:Rx c:Wy | d:Ry e:Rx", "a b, c d", "", "data b c, addr d e"), "arm power rc11 lkmm"),
    "WRC+fence+addr": (("a:Wx | b:Rx f:F c:Wy | d:Ry e:Rx", "a b, c d", "", "addr d e"), "rc11"),
    "IRIW+addrs": (
        ("a:Wx | b:Wy | c:Rx d:Ry | e:Ry f:Rx", "a c, b e", "", "addr c d, addr e f"),
        "arm power rc11 lkmm",
    ),
    "IRIW+fences": (("a:Wx | b:Wy | c:Rx g:F d:Ry | e:Ry h:F f:Rx", "a c, b e"), ""),
    # Forwarding: a load takes a store's value early, once it is known.
    "PPOAA": (
        ("a:Wx f:F b:Wy | c:Ry d:Wz e:Rz g:Rx", "b c, d e", "", "addr c d, addr e g"),
        "rc11",
    ),
    "PPOCA": (
        ("a:Wx f:F b:Wy | c:Ry d:Wz e:Rz g:Rx", "b c, d e", "", "ctrl c d, addr e g, ctrl c e, ctrl c g"),
        ALL,
    ),
    # Early commitment, which tells ARM from Power.
    "MP+fence+fri-rfi-ctrlisb": (
        ("a:Wx f:F b:Wy | c:Ry d:Wy e:Ry g:F[isb] h:Rx", "b c, d e", "b d", "ctrl e g, ctrl e h"),
        "arm8 arm",
    ),
    # One location
    "CoRR": (("a:Wx | b:Rx c:Rx", "a b"), ""),
    "CoWW": (("a:Wx b:Wx", "", "b a"), ""),
    "CoRW2": (("a:Rx b:Wx | c:Wx", "c a", "b c"), ""),
    "CoWR": (("a:Wx b:Rx", ""), ""),
    "RMW, with a write between": (("a:Rx b:Wx | c:Wx", "", "c b", "rmw a b"), ""),
    "RMW, with a write before": (("a:Rx b:Wx | c:Wx", "c a", "c b", "rmw a b"), ALL),
}


@pytest.mark.parametrize("model", ALL.split())
@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str, model: str) -> None:
    given, allowing = SHAPES[name]
    assert execution(model, *given).allowed(load_model(model)) == (model in allowing.split())


OWN: dict[str, dict[str, tuple[tuple[str, ...], bool]]] = {
    # Of each model alone: name: (threads, rf, mo, dependencies), whether the model allows it.
    "arm8": {
        "MP+rel+acq": (("a:Wx b:Wy[release] | c:Ry[acquire] d:Rx", "b c"), False),
        "MP+rel+acqpc": (("a:Wx b:Wy[release] | c:Ry[acquire_pc] d:Rx", "b c"), False),
        "MP+rel+po": (("a:Wx b:Wy[release] | c:Ry d:Rx", "b c"), True),
        "SB+rel+acq": (("a:Wx[release] b:Ry[acquire] | c:Wy[release] d:Rx[acquire]", ""), False),
        "SB+rel+acqpc": (("a:Wx[release] b:Ry[acquire_pc] | c:Wy[release] d:Rx[acquire_pc]", ""), True),
        "MP+dmb.st+dmb.ld": (("a:Wx f:F[dmb.st] b:Wy | c:Ry g:F[dmb.ld] d:Rx", "b c"), False),
        "MP+dmb.ld+dmb.ld": (("a:Wx f:F[dmb.ld] b:Wy | c:Ry g:F[dmb.ld] d:Rx", "b c"), True),
        "MP+dmb.st+dmb.st": (("a:Wx f:F[dmb.st] b:Wy | c:Ry g:F[dmb.st] d:Rx", "b c"), True),
        "SB+dmb.lds": (("a:Wx f:F[dmb.ld] b:Ry | c:Wy g:F[dmb.ld] d:Rx", ""), True),
        "SB+dmb.nshs": (("a:Wx f:F[dmb.nsh] b:Ry | c:Wy g:F[dmb.nsh] d:Rx", ""), False),
        "SB+dmb.sts": (("a:Wx f:F[dmb.st] b:Ry | c:Wy g:F[dmb.st] d:Rx", ""), True),
        "SB+dsb.sts": (("a:Wx f:F[dsb.st] b:Ry | c:Wy g:F[dsb.st] d:Rx", ""), False),
        "SB+dsb.nshsts": (("a:Wx f:F[dsb.nshst] b:Ry | c:Wy g:F[dsb.nshst] d:Rx", ""), False),
        "SB+dsb.lds": (("a:Wx f:F[dsb.ld] b:Ry | c:Wy g:F[dsb.ld] d:Rx", ""), True),
        "R+dsb.st+dmb": (("a:Wx f:F[dsb.st] b:Wy | c:Wy g:F d:Rx", "", "b c"), False),
        "S+dmb.st+dsb.st": (("a:Wx f:F[dmb.st] b:Wy | c:Ry g:F[dsb.st] d:Wx", "b c", "d a"), True),
        "MP+dmb.nshst+dmb.nshld": (("a:Wx f:F[dmb.nshst] b:Wy | c:Ry g:F[dmb.nshld] d:Rx", "b c"), False),
        "SB+dsb.ishs": (("a:Wx f:F[dsb.ish] b:Ry | c:Wy g:F[dsb.ish] d:Rx", ""), False),
        "SB+isbs": (("a:Wx f:F[isb] b:Ry | c:Wy g:F[isb] d:Rx", ""), True),
        "SB+dsb.st-isbs": (("a:Wx f:F[dsb.st] h:F[isb] b:Ry | c:Wy g:F[dsb.st] i:F[isb] d:Rx", ""), False),
        "SB+isb-dsb.sts": (("a:Wx f:F[isb] h:F[dsb.st] b:Ry | c:Wy g:F[isb] i:F[dsb.st] d:Rx", ""), False),
        "MP+dmb+addr-isb": (
            ("a:Wx f:F b:Wy | c:Ry e:Rz g:F[isb] d:Rx", "b c", "", "addr c e"),
            False,
        ),
        "a write of another thread in a pair of exclusives": (
            ("a:Rx[exclusive] b:Wx[exclusive] | c:Wx", "", "c b", "rmw a b"),
            False,
        ),
        "also one of its own": (
            ("a:Rx[exclusive] d:Wx b:Wx[exclusive] | c:Wx", "", "c d b", "rmw a b"),
            True,
        ),
        "MP+rel+rmw of exclusives": (
            ("a:Wx b:Wy[release] | c:Ry[exclusive] d:Wy[exclusive] e:Rx", "b c", "b d", "rmw c d"),
            True,
        ),
        "an update that acquires and releases is a fence": (
            ("a:Wx e:Rz[acquire] f:Wz[release] b:Ry | c:Wy g:F d:Rx", "", "", "rmw e f"),
            False,
        ),
        "its own write is before what follows": (
            ("e:Rz[acquire] f:Wz[release] b:Ry | c:Wy g:F d:Rz", "", "", "rmw e f"),
            False,
        ),
        "exclusives are none": (
            ("e:Rz[acquire+exclusive] f:Wz[release+exclusive] b:Ry | c:Wy g:F d:Rz", "", "", "rmw e f"),
            True,
        ),
        "MP+dmb.st+noret-dmb.ld": (
            ("a:Wx f:F[dmb.st] b:Wy | c:Ry[noret] h:Wy g:F[dmb.ld] d:Rx", "b c", "b h", "rmw c h"),
            True,
        ),
    },
    "riscv": {
        "MP+fence.w.w+fence.r.r": (("a:Wx f:F[fence.w.w] b:Wy | c:Ry g:F[fence.r.r] d:Rx", "b c"), False),
        "MP+fence.r.rw+fence.r.r": (("a:Wx f:F[fence.r.rw] b:Wy | c:Ry g:F[fence.r.r] d:Rx", "b c"), True),
        "MP+fence.w.w+fence.r.w": (("a:Wx f:F[fence.w.w] b:Wy | c:Ry g:F[fence.r.w] d:Rx", "b c"), True),
        "MP+fence.tsos": (("a:Wx f:F[fence.tso] b:Wy | c:Ry g:F[fence.tso] d:Rx", "b c"), False),
        "SB+fence.tsos": (("a:Wx f:F[fence.tso] b:Ry | c:Wy g:F[fence.tso] d:Rx", ""), True),
        "SB+fence.w.rs": (("a:Wx f:F[fence.w.r] b:Ry | c:Wy g:F[fence.w.r] d:Rx", ""), False),
        "SB+fence.w.ws": (("a:Wx f:F[fence.w.w] b:Ry | c:Wy g:F[fence.w.w] d:Rx", ""), True),
        "SB+fence.is": (("a:Wx f:F[fence.i] b:Ry | c:Wy g:F[fence.i] d:Rx", ""), True),
        "LB+fence.r.w+fence.rw.w": (("a:Rx f:F[fence.r.w] b:Wy | c:Ry g:F[fence.rw.w] d:Wx", "d a, b c"), False),
        "fence.r.w, fence.w.r make no fence.r.r": (
            ("a:Wx f:F b:Wy | c:Ry g:F[fence.r.w] h:F[fence.w.r] d:Rx", "b c"),
            True,
        ),
        "MP+rl+aq": (
            ("a:Wx e:Ry[release+rmw] b:Wy[release+rmw] | c:Ry[acquire+exclusive] d:Rx", "b c", "", "rmw e b"),
            False,
        ),
        "MP+po+aq": (("a:Wx b:Wy | c:Ry[acquire+exclusive] d:Rx", "b c"), True),
        "forwarding from an update": (
            ("a:Wx f:F b:Wy | c:Ry[rmw] d:Wy[rmw] e:Ry h:Rx", "b c, d e", "b d", "rmw c d, addr e h"),
            False,
        ),
        "forwarding from a store": (
            ("a:Wx f:F b:Wy | c:Ry d:Wy e:Ry h:Rx", "b c, d e", "b d", "addr e h"),
            True,
        ),
    },
    "power": {
        "MP+lwsync+addr": (("a:Wx f:F[lwsync] b:Wy | c:Ry d:Rx", "b c", "", "addr c d"), False),
        "MP+eieio+addr": (("a:Wx f:F[eieio] b:Wy | c:Ry d:Rx", "b c", "", "addr c d"), False),
        "MP+eieios": (("a:Wx f:F[eieio] b:Wy | c:Ry g:F[eieio] d:Rx", "b c"), True),
        "MP+lwsyncs": (("a:Wx f:F[lwsync] b:Wy | c:Ry g:F[lwsync] d:Rx", "b c"), False),
        "SB+lwsyncs": (("a:Wx f:F[lwsync] b:Ry | c:Wy g:F[lwsync] d:Rx", ""), True),
        "R+lwsync+sync": (("a:Wx f:F[lwsync] b:Wy | c:Wy g:F[sync] d:Rx", "", "b c"), True),
        "2+2W+lwsyncs": (("a:Wx f:F[lwsync] b:Wy | c:Wy g:F[lwsync] d:Wx", "", "d a; b c"), False),
        "WRC+lwsync+addr": (
            ("a:Wx | b:Rx f:F[lwsync] c:Wy | d:Ry e:Rx", "a b, c d", "", "addr d e"),
            False,
        ),
        "ISA2+lwsync+addr+addr": (
            ("a:Wx f:F[lwsync] b:Wy | c:Ry d:Wz | e:Rz g:Rx", "b c, d e", "", "addr c d, addr e g"),
            False,
        ),
        "IRIW+lwsyncs": (
            ("a:Wx | b:Wy | c:Rx g:F[lwsync] d:Ry | e:Ry h:F[lwsync] f:Rx", "a c, b e"),
            True,
        ),
        "RDW": (
            ("a:Wx f:F[lwsync] b:Wy | c:Ry d:Rz e:Rz g:Rx | h:Wz", "b c, h e", "", "addr c d, addr e g"),
            False,
        ),
        "RSW": (
            ("a:Wx f:F[lwsync] b:Wy | c:Ry d:Rz e:Rz g:Rx", "b c", "", "addr c d, addr e g"),
            True,
        ),
    },
    "arm": {
        "2+2W+dmb.sts": (("a:Wx f:F[dmb.st] b:Wy | c:Wy g:F[dmb.st] d:Wx", "", "d a; b c"), False),
        "SB+dmb.sts": (("a:Wx f:F[dmb.st] b:Ry | c:Wy g:F[dmb.st] d:Rx", ""), True),
        "MP+dmb.st+addr": (("a:Wx f:F[dmb.st] b:Wy | c:Ry d:Rx", "b c", "", "addr c d"), False),
        "SB+isbs": (("a:Wx f:F[isb] b:Ry | c:Wy g:F[isb] d:Rx", ""), True),
    },
    "rc11": {
        "MP+rel+acq": (("a:Wx b:Wy[release] | c:Ry[acquire] d:Rx", "b c"), False),
        "MP+rel+rlx": (("a:Wx b:Wy[release] | c:Ry d:Rx", "b c"), True),
        "MP+frel+facq": (("a:Wx f:F[release] b:Wy | c:Ry g:F[acquire] d:Rx", "b c"), False),
        "MP+facq+frel": (("a:Wx f:F[acquire] b:Wy | c:Ry g:F[release] d:Rx", "b c"), True),
        "MP+release sequence": (("a:Wx b:Wy[release] e:Wy | c:Ry[acquire] d:Rx", "e c", "b e"), False),
        "MP+release sequence of an update": (
            ("a:Wx b:Wy[release] | e:Ry f:Wy | c:Ry[acquire] d:Rx", "b e, f c", "b f", "rmw e f"),
            False,
        ),
        "MP+another write": (
            ("a:Wx b:Wy[release] | e:Ry f:Wy | c:Ry[acquire] d:Rx", "b e, f c", "b f"),
            True,
        ),
        "SB+rel+acq": (("a:Wx[release] b:Ry[acquire] | c:Wy[release] d:Rx[acquire]", ""), True),
        "SB+scs": (("a:Wx[seq_cst] b:Ry[seq_cst] | c:Wy[seq_cst] d:Rx[seq_cst]", ""), False),
        "SB+sc+rlx": (("a:Wx[seq_cst] b:Ry[seq_cst] | c:Wy[seq_cst] d:Rx", ""), True),
        "IRIW+acqs": (
            ("a:Wx[release] | b:Wy[release] | c:Rx[acquire] d:Ry[acquire] | e:Ry[acquire] f:Rx[acquire]", "a c, b e"),
            True,
        ),
        "IRIW+scs": (
            ("a:Wx[seq_cst] | b:Wy[seq_cst] | c:Rx[seq_cst] d:Ry[seq_cst] | e:Ry[seq_cst] f:Rx[seq_cst]", "a c, b e"),
            False,
        ),
        "WRC+acq-rel": (
            ("a:Wx | b:Rx[acquire] c:Wy[release] | d:Ry[acquire] e:Rx", "a b, c d"),
            False,
        ),
        "ISA2+rel+acq": (
            ("a:Wx b:Wy[release] | c:Ry[acquire] d:Wz[release] | e:Rz[acquire] f:Rx", "b c, d e"),
            False,
        ),
    },
    "lkmm": {
        "MP+wmb+rmb": (("a:Wx f:F[wmb] b:Wy | c:Ry g:F[rmb] d:Rx", "b c"), False),
        "MP+rmb+wmb": (("a:Wx f:F[rmb] b:Wy | c:Ry g:F[wmb] d:Rx", "b c"), True),
        "MP+barriers": (("a:Wx f:F[barrier] b:Wy | c:Ry g:F[barrier] d:Rx", "b c"), True),
        "MP+release+acquire": (("a:Wx b:Wy[release] | c:Ry[acquire] d:Rx", "b c"), False),
        "SB+release+acquire": (("a:Wx[release] b:Ry[acquire] | c:Wy[release] d:Rx[acquire]", ""), True),
        "ISA2+release+acquire": (
            ("a:Wx b:Wy[release] | c:Ry[acquire] d:Wz[release] | e:Rz[acquire] f:Rx", "b c, d e"),
            False,
        ),
        "WRC+release+addr": (("a:Wx | b:Rx c:Wy[release] | d:Ry e:Rx", "a b, c d", "", "addr d e"), False),
        "WRC+wmb+addr": (("a:Wx | b:Rx f:F[wmb] c:Wy | d:Ry e:Rx", "a b, c d", "", "addr d e"), True),
        "IRIW+acquires": (
            ("a:Wx | b:Wy | c:Rx[acquire] d:Ry[acquire] | e:Ry[acquire] f:Rx[acquire]", "a c, b e"),
            True,
        ),
        "SB+full updates": (
            (
                "a:Wx h:Rz[mb+rmw] i:Wz[mb+rmw] b:Ry | c:Wy j:Rw[mb+rmw] k:Ww[mb+rmw] d:Rx",
                "", "", "rmw h i, rmw j k",
            ),
            False,
        ),
        "SB+updates": (
            (
                "a:Wx h:Rz[once+rmw] i:Wz[once+rmw] b:Ry | c:Wy j:Rw[once+rmw] k:Ww[once+rmw] d:Rx",
                "", "", "rmw h i, rmw j k",
            ),
            True,
        ),
        "SB+after-atomics": (
            (
                "h:Rx[noreturn+rmw] a:Wx[once+rmw] f:F[after-atomic] b:Ry | c:Wy g:F d:Rx",
                "", "", "rmw h a",
            ),
            False,
        ),
        "RCU-MP": (
            ("a:Wx f:F[sync-rcu] b:Wy | l:F[rcu-lock] c:Ry d:Rx u:F[rcu-unlock]", "b c"),
            False,
        ),
        "RCU-MP, the thread ends within its section": (
            ("a:Wx f:F[sync-rcu] b:Wy | l:F[rcu-lock] c:Ry d:Rx", "b c"),
            False,
        ),
        "RCU-MP, it ends so with the read of the flag": (
            ("a:Wx f:F[sync-rcu] b:Wy | l:F[rcu-lock] d:Rx c:Ry", "b c"),
            False,
        ),
        "RCU-MP, it ends so in a section within, behind another one": (
            (
                "a:Wx f:F[sync-rcu] b:Wy | "
                "l:F[rcu-lock] c:Ry m:F[rcu-lock] u:F[rcu-unlock] n:F[rcu-lock] d:Rx",
                "b c",
            ),
            False,
        ),
        "RCU-MP, it ends so in the second section": (
            ("a:Wx f:F[sync-rcu] b:Wy | l:F[rcu-lock] c:Ry u:F[rcu-unlock] m:F[rcu-lock] d:Rx", "b c"),
            False,
        ),
        "RCU-MP, the reads in two sections": (
            (
                "a:Wx f:F[sync-rcu] b:Wy | l:F[rcu-lock] c:Ry u:F[rcu-unlock] m:F[rcu-lock] d:Rx v:F[rcu-unlock]",
                "b c",
            ),
            False,
        ),
        "RCU-MP, without a section": (
            ("a:Wx f:F[sync-rcu] b:Wy | c:Ry d:Rx", "b c"),
            True,
        ),
        "RCU-MP, without a grace period": (
            ("a:Wx b:Wy | l:F[rcu-lock] c:Ry d:Rx u:F[rcu-unlock]", "b c"),
            True,
        ),
        "RCU-MP, with sections inside": (
            (
                "a:Wx f:F[sync-rcu] b:Wy | "
                "l:F[rcu-lock] c:Ry m:F[rcu-lock] v:F[rcu-unlock] n:F[rcu-lock] w:F[rcu-unlock] d:Rx u:F[rcu-unlock]",
                "b c",
            ),
            False,
        ),
        "RCU-SB": (
            ("a:Wx f:F[sync-rcu] b:Ry | l:F[rcu-lock] c:Wy d:Rx u:F[rcu-unlock]", ""),
            False,
        ),
        "RCU: two sections need two grace periods": (
            (
                "a:Wx f:F[sync-rcu] b:Ry | l:F[rcu-lock] c:Wy d:Rz u:F[rcu-unlock] | "
                "m:F[rcu-lock] e:Wz g:Rx v:F[rcu-unlock]",
                "",
            ),
            True,
        ),
        "plain accesses in order": (
            ("a:Wx[] f:F[wmb] b:Wy | c:Ry g:F[rmb] d:Rx[]", "b c"),
            False,
        ),
    },
}  # fmt: skip


@pytest.mark.parametrize(("model", "name"), [(model, name) for model, shapes in OWN.items() for name in shapes])
def test_own_shape(model: str, name: str) -> None:
    given, allowed = OWN[model][name]
    assert execution(model, *given).allowed(load_model(model)) == allowed


RACES: dict[str, dict[str, tuple[tuple[str, ...], list[str]]]] = {
    # Executions that are allowed, and the flags that they raise.
    "rc11": {
        "two plain accesses": (("a:Wx[] | b:Rx[]", "a b"), ["data_race"]),
        "two plain reads": (("a:Rx[] | b:Rx[]", ""), []),
        "one atomic access": (("a:Wx | b:Rx[]", "a b"), ["data_race"]),
        "two atomic accesses": (("a:Wx | b:Rx", "a b"), []),
        "in one thread": (("a:Wx[] b:Rx[]", "a b"), []),
        "in order": (("a:Wx[] b:Wy[release] | c:Ry[acquire] d:Rx[]", "b c, a d"), []),
        "relaxed order": (("a:Wx[] b:Wy | c:Ry d:Rx[]", "b c, a d"), ["data_race"]),
    },
    "lkmm": {
        "two plain accesses": (("a:Wx[] | b:Rx[]", "a b"), ["data_race"]),
        "one marked access": (("a:Wx | b:Rx[]", "a b"), ["data_race"]),
        "two marked accesses": (("a:Wx | b:Rx", "a b"), []),
        "in order": (("a:Wx[] b:Wy[release] | c:Ry[acquire] d:Rx[]", "b c, a d"), []),
        "a lock alone": (("l:F[rcu-lock] a:Wx", ""), ["unmatched_rcu"]),
        "locks in pairs": (("l:F[rcu-lock] m:F[rcu-lock] a:Wx u:F[rcu-unlock] v:F[rcu-unlock]", ""), []),
    },
}


@pytest.mark.parametrize(("model", "name"), [(model, name) for model, shapes in RACES.items() for name in shapes])
def test_flags(model: str, name: str) -> None:
    given, flags = RACES[model][name]
    graph = execution(model, *given)
    assert (graph.allowed(load_model(model)), graph.flags(load_model(model))) == (True, flags)
