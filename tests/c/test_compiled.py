"""What compilers make of compare-exchanges, minima and maxima, and libraries of mutexes, as litmus tests of their
instructions: a map allows what shows with the weakest of them, and nothing else.

Read from the assembly of clang 22 and gcc 12 (-O2), and from that of glibc 2.36. Two shapes ask what follows a
compare-exchange that succeeds or fails (message passing), two what comes before it.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest
from c.running import load, model, threads
from c.test_mapping import MODELS, language

import xgen
from tests.litmus.reading import read
from tests.litmus.test_hardware import observation
from xgen.analyses.suite.litmus import run_litmus
from xgen.frontends.mapping import compiled, mapping

ORDERS, FAILURES = ("relaxed", "acquire", "release", "acq_rel", "seq_cst"), ("relaxed", "acquire", "seq_cst")
ACQUIRES, RELEASES = ("acquire", "acq_rel", "seq_cst"), ("release", "acq_rel", "seq_cst")


class Code(NamedTuple):
    """A compare-exchange: what is before its load, the tags of load and store, what is between them, and what is behind
    it where it succeeds and where it fails."""

    before: str = ""
    load: str = ""
    between: str = ""
    store: str = ""
    succeeds: str = ""
    fails: str = ""


def joined(success: str, failure: str) -> str:
    """An order that is at least both."""
    if "seq_cst" in (success, failure):
        return "seq_cst"
    if failure == "acquire" and success in ("relaxed", "release"):
        return "acq_rel" if success == "release" else "acquire"
    return success


def of_gcc(success: str, failure: str) -> tuple[str, str]:
    """GCC makes both seq_cst where that of the failure is the stronger one; it does not compare acquire and release."""
    stronger = ORDERS.index(failure) > ORDERS.index(success)
    return ("seq_cst", "seq_cst") if stronger else (success, failure)


def clang_power(success: str, failure: str) -> Code:
    between = {"release": "lwsync", "acq_rel": "lwsync", "seq_cst": "sync"}.get(success, "")
    fences = ("lwsync" if order in ACQUIRES else "" for order in (success, failure))
    return Code("", "", between, "", *fences)


def gcc_power(success: str, failure: str) -> Code:
    success, failure = of_gcc(success, failure)
    before = {"release": "lwsync", "acq_rel": "lwsync", "seq_cst": "sync"}.get(success, "")
    behind = "isync" if success in ACQUIRES else ""
    return Code(before, "", "", "", behind, behind if failure != "relaxed" else "")


def clang_armv7(success: str, failure: str) -> Code:
    between = "DMB ISH" if success in RELEASES else ""
    behind = "DMB ISH" if success in ACQUIRES else ""
    return Code("", "", between, "", behind, "DMB ISH" if failure != "relaxed" else "")


def gcc_armv7(success: str, failure: str) -> Code:
    success, failure = of_gcc(success, failure)
    behind = "DMB ISH" if success in ACQUIRES else ""
    return Code("DMB ISH" if success in RELEASES else "", "", "", "", behind, behind if failure != "relaxed" else "")


def armv8(success: str, failure: str) -> Code:
    order = joined(success, failure)
    return Code("", "A" if order in ACQUIRES else "", "", "L" if order in RELEASES else "")


def riscv(success: str, failure: str) -> Code:
    order = joined(success, failure)
    tag = ".aqrl" if order == "seq_cst" else ".aq" if order in ACQUIRES else ""
    return Code("", tag, "", ".rl" if order in RELEASES else "")


COMPILERS = {
    "power": (clang_power, gcc_power),
    "armv7": (clang_armv7, gcc_armv7),
    "armv8": (armv8,),
    "riscv": (riscv,),
}


class Machine(NamedTuple):
    """Its instructions. Registers 10 and 11 hold the addresses of x and y."""

    arch: str
    constant: str
    load: str
    store: str
    fence: str
    exclusive: tuple[str, str]
    differs: tuple[str, ...]
    failed: tuple[str, ...]

    def cas(self, code: Code, expected: int, follows: tuple[str, ...]) -> tuple[str, ...]:
        """From `expected` to 2 at y: register 6 has what was there; what follows is there on both ways."""
        lines = [
            *self.set(7, expected),
            *self.set(8, 2),
            code.before,
            self.exclusive[0].format(code.load, 6),
            *(each.format(6, 7, "F") for each in self.differs),
            code.between,
            self.exclusive[1].format(code.store, 9, 8),
            *(each.format(9, "Z") for each in self.failed),
            code.succeeds,
            *follows,
            *(each.format(8, 6, "Z") for each in self.differs),
        ]
        failing = [*([code.fails] if code.fails else []), *follows, *self.set(9, 0)]
        last = self.set(9, 1)
        return (*filter(None, lines), f"F: {failing[0]}", *failing[1:], f"Z: {last[0]}", *last[1:])

    def set(self, register: int, value: int) -> tuple[str, ...]:
        return (self.constant.format(register, value),)

    def read(self, register: int, place: int) -> tuple[str, ...]:
        return (self.load.format(register, place),)

    def write(self, value: int, place: int) -> tuple[str, ...]:
        return (*self.set(5, value), self.store.format(5, place))


MACHINES = {
    "power": Machine(
        "PPC", "li r{},{}", "lwz r{},0(r{})", "stw r{},0(r{})", "sync",
        ("lwarx{} r{},r0,r11", "stwcx.{0} r{2},r0,r11"), ("cmpw r{},r{}", "bne {2}"), ("bne {1}",),
    ),
    "armv7": Machine(
        "ARM", "MOV R{},#{}", "LDR R{},[R{}]", "STR R{},[R{}]", "DMB ISH",
        ("LDREX{} R{},[R11]", "STREX{} R{},R{},[R11]"), ("CMP R{},R{}", "BNE {2}"), ("CMP R{},#0", "BNE {1}"),
    ),
    "armv8": Machine(
        "AArch64", "MOV W{},#{}", "LDR W{},[X{}]", "STR W{},[X{}]", "DMB ISH",
        ("LD{}XR W{},[X11]", "ST{}XR W{},W{},[X11]"), ("CMP W{},W{}", "B.NE {2}"), ("CBNZ W{},{}",),
    ),
    "riscv": Machine(
        "RISCV", "li x{},{}", "lw x{},0(x{})", "sw x{},0(x{})", "fence rw,rw",
        ("lr.w{} x{},0(x11)", "sc.w{} x{},x{},0(x11)"), ("bne x{},x{},{}",), ("bne x{},x0,{}",),
    ),
}  # fmt: skip
REGISTER = {"PPC": "r", "ARM": "R", "AArch64": "X", "RISCV": "x"}

C = {
    "takes": ("W(x, 1); F; W(y, 1);", "int e = 1; ok = CAS(); d = R(x); old = e;", "ok == 1 && d == 0"),
    "fails": ("W(x, 1); F; W(y, 1);", "int e = 7; ok = CAS(); d = R(x); old = e;", "old == 1 && d == 0"),
    "publishes": ("b = R(y); F; a = R(x);", "int e = 0; W(x, 1); ok = CAS();", "b == 2 && a == 0"),
    "buffers": ("W(y, 1); F; a = R(x);", "int e = 7; W(x, 1); ok = CAS(); old = e;", "old == 0 && a == 0"),
}
"""What the other thread does, what the one with the compare-exchange does, and what is asked."""


def of_machine(name: str, shape: str, code: Code) -> bool:
    """Whether the instructions allow it."""
    machine = MACHINES[name]
    fence, x, y = (machine.fence,), 10, 11
    other, own, condition = {
        "takes": ((*machine.write(1, x), *fence, *machine.write(1, y)), (1, machine.read(4, x)), "y=2 /\\ 1:{0}4=0"),
        "fails": (
            (*machine.write(1, x), *fence, *machine.write(1, y)),
            (7, machine.read(4, x)),
            "1:{0}6=1 /\\ 1:{0}4=0",
        ),
        "publishes": ((*machine.read(3, y), *fence, *machine.read(4, x)), (0, ()), "0:{0}3=2 /\\ 0:{0}4=0"),
        "buffers": ((*machine.write(1, y), *fence, *machine.read(4, x)), (7, ()), "1:{0}6=0 /\\ 0:{0}4=0"),
    }[shape]
    before = machine.write(1, x) if shape in ("publishes", "buffers") else ()
    thread = (*before, *machine.cas(code, *own))
    return observation(machine.arch, condition.format(REGISTER[machine.arch]), other, thread) != "Never"


def of_map(name: str, shape: str, success: str, failure: str) -> bool:
    """Whether the map allows it; without a name, C."""
    other, own, condition = C[shape]
    cas = (
        f"atomic_compare_exchange_strong_explicit(&y, &e, 2, memory_order_{success}, memory_order_{failure})",
        "atomic_thread_fence(memory_order_seq_cst)",
    )
    bodies = []
    for body in (other, own):
        body = body.replace("CAS()", cas[0]).replace("F;", f"{cas[1]};")
        body = body.replace("R(", "atomic_load_explicit(&").replace("W(", "atomic_store_explicit(&")
        bodies.append(body.replace("(&x)", "(&x, memory_order_relaxed)").replace("(&y)", "(&y, memory_order_relaxed)"))
    return shows(name, bodies, condition)


def shows(name: str, bodies: list[str], condition: str, before: str = "") -> bool:
    """Whether a program may end so on a machine, or in C."""
    bodies = [
        body.replace("(&x, 1)", "(&x, 1, memory_order_relaxed)").replace("(&y, 1)", "(&y, 1, memory_order_relaxed)")
        for body in bodies
    ]
    text = threads(
        *bodies,
        before=f"atomic_int x, y; int a, b, d, ok, old; {before}",
        after=f"assert(!({condition}));",
    )
    head = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
    program = load(head + text, map=name) if name else load(head + text)
    return xgen.check(program, model(MODELS[name]) if name else language()).verdict == "violation"


@pytest.mark.parametrize("shape", C)
@pytest.mark.parametrize("name", sorted(COMPILERS))
def test_compare_exchanges(name: str, shape: str) -> None:
    for success in ORDERS:
        for failure in FAILURES:
            compiled = any(of_machine(name, shape, make(success, failure)) for make in COMPILERS[name])
            mapped = of_map(name, shape, success, failure)
            assert mapped or not compiled, (success, failure)
            assert compiled or not mapped or of_map("", shape, success, failure), (success, failure)


MUTEXES = {
    "armv8": (
        ("LDAXR W2,[X12]", "STXR W9,W8,[X12]", "CBNZ W9,Z"),
        ("LDXR W3,[X12]", "STLXR W9,WZR,[X12]", "CBNZ W9,Z"),
    ),
    "armv8-lse": (("MOV W2,#0", "CASA W2,W8,[X12]"), ("SWPL WZR,W3,[X12]",)),
    "armv7": (
        ("LDREX R2,[R12]", "STREX R9,R8,[R12]", "CMP R9,#0", "BNE Z", "DMB ISH"),
        ("DMB ISH", "LDREX R3,[R12]", "STREX R9,R7,[R12]", "CMP R9,#0", "BNE Z"),
    ),
    "power": (
        ("lwarx r2,r0,r12", "cmpw r2,r7", "bne Z", "stwcx. r8,r0,r12", "bne Z", "isync"),
        ("lwsync", "lwarx r3,r0,r12", "stwcx. r7,r0,r12", "bne Z"),
    ),
    "riscv": (
        ("lr.w.aq x2,0(x12)", "sc.w x9,x8,0(x12)", "bne x9,x0,Z"),
        ("amoswap.w.rl x3,x0,0(x12)",),
    ),
}
"""How glibc locks and unlocks a mutex that is free, at z; registers 7 and 8 hold 0 and 1. On RISC-V as GCC has compiled
it since 14; gcc 12 has a fence before the update.
"""


def through_mutex(name: str, before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """A thread that locks and unlocks a mutex on its way; register 1 is 1 where it has come through."""
    machine = MACHINES["armv8" if name == "armv8-lse" else name]
    lock, unlock = MUTEXES[name]
    begin = (*machine.set(7, 0), *machine.set(8, 1))
    end = machine.set(5, 0)
    return (*begin, *before, *lock, *unlock, *after, *machine.set(1, 1), f"Z: {end[0]}")


@pytest.mark.parametrize("name", sorted(MUTEXES))
def test_mutexes_are_no_fences(name: str) -> None:
    """glibc's are updates with acquire and release: what is before a lock and what is behind an unlock is not ordered,
    but by fences of Armv7, and of Power where it is not a write and a read."""
    machine = MACHINES["armv8" if name == "armv8-lse" else name]
    register = REGISTER[machine.arch]
    x, y = 10, 11
    seen = (*machine.read(3, y), machine.fence, *machine.read(4, x))
    took = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"
    mutex = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
    buffering = (
        (*machine.write(1, y), machine.fence, *machine.read(4, x)),
        through_mutex(name, machine.write(1, x), machine.read(4, y)),
    )
    passing = (seen, through_mutex(name, machine.write(1, x), machine.write(1, y)))
    weak = [name != "armv7", name not in ("armv7", "power")]
    found = [
        observation(machine.arch, f"0:{register}4=0 /\\ 1:{register}4=0 /\\ 1:{register}1=1", *buffering),
        observation(machine.arch, f"0:{register}3=1 /\\ 0:{register}4=0 /\\ 1:{register}1=1", *passing),
    ]
    assert [each != "Never" for each in found] == weak
    stores = "atomic_store_explicit(&x, 1); MUTEX atomic_store_explicit(&y, 1);".replace("MUTEX", took)
    loads = [f"{local} = atomic_load_explicit(&{at}, memory_order_relaxed);" for local, at in (("a", "x"), ("b", "y"))]
    fence = "atomic_thread_fence(memory_order_seq_cst);"
    one = f"atomic_store_explicit(&y, 1); {fence} {loads[0]}"
    two = f"atomic_store_explicit(&x, 1); {took} {loads[1]}"
    assert shows(name, [one, two], "a == 0 && b == 0", mutex) == weak[0]
    assert shows(name, [f"{loads[1]} {fence} {loads[0]}", stores], "a == 0 && b == 1", mutex) == weak[1]


@pytest.mark.parametrize("clang", [False, True])
@pytest.mark.parametrize("take", ["pthread_mutex_lock(&m); if (1)", "if (!pthread_mutex_trylock(&m))"])
@pytest.mark.parametrize("name", [*sorted(MODELS), *(f"--map none, {model}" for model in ("arm8", "power", "weak"))])
def test_mutexes_order_what_they_protect(name: str, take: str, clang: bool) -> None:
    """Also without a map, where each lock and unlock is a full fence."""
    if clang:
        pytest.importorskip("llvmlite")
        pytest.importorskip("ziglang")
    before = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int a, b;"
    writes = f"{take} {{ a = 1; b = 1; pthread_mutex_unlock(&m); }}"
    reads = f"{take} {{ int second = b, first = a; pthread_mutex_unlock(&m); assert(first == second); }}"
    text = "#include <assert.h>\n#include <pthread.h>\n" + threads(writes, reads, before=before)
    map_ = name if name in MODELS else "none"
    program = xgen.parse(text, "c", "test.c", map=map_, clang=clang)
    result = xgen.check(program, model(MODELS[name] if name in MODELS else name.split()[-1]), all_states=True)
    assert (result.verdict, result.executions) == ("safe", 2 if "lock(&m); if (1)" in take else 4)


def test_a_mutex_without_a_map_is_a_fence() -> None:
    took = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"
    other = took.replace("&m", "&n")
    bodies = [f"x = 1; {took} a = y;", f"y = 1; {other} b = x;"]
    before = (
        "volatile int x, y; int a, b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;"
    )
    text = "#include <pthread.h>\n" + threads(*bodies, before=before)
    for mcm in ("tso", "arm8", "arm", "power", "riscv", "weak"):
        assert xgen.check(load(text, races=False, map="none"), model(mcm), all_states=True).executions == 3


MAXIMUM = """PPC maximum
{ x=5; 0:r3=x; 0:r4=3; 0:r6=d; 0:r7=1; 1:r3=x; 1:r4=7; 1:r6=d; }
 P0              | P1              ;
 stw r7,0(r6)    | lwarx r5,r0,r3  ;
 lwsync          | stwcx. r4,r0,r3 ;
 lwarx r5,r0,r3  | bne F           ;
 cmpw r5,r4      | lwsync          ;
 bgt O           | lwz r8,0(r6)    ;
 stwcx. r4,r0,r3 | F:              ;
 O:              |                 ;
exists (0:r5=5 /\\ 1:r5=5 /\\ 1:r8=0 /\\ x=7)
"""


@pytest.mark.parametrize("update", ["fetch_max", "fetch_umax"])
def test_a_maximum_that_stays_is_not_written_on_power(update: str) -> None:
    """As LLVM 22 has it; its pairs of Armv7 and Armv8 store always, and other machines have updates."""
    assert run_litmus(read(MAXIMUM), model("power")).observation == "Sometimes"
    text = f"""
        var x : int (5)
        var d : int
        var old_a : int
        var old_b : int
        var seen : int
        process a {{ var old : int main procedure p() {{ init loc L0 final loc L1
          L0 -> L1 {{ 1 -> d; old <- {update}(x, 3) @ release; old -> old_a }} }} }}
        process b {{ var old : int var read : int main procedure p() {{ init loc L0 final loc L1
          L0 -> L1 {{ old <- exchange(x, 7) @ acquire; read <- d; old -> old_b; read -> seen }} }} }}
    """
    for name in MODELS:
        found = xgen.check(compiled(xgen.parse(text), mapping(name)), model(MODELS[name]), all_states=True)
        ends = [tuple(outcome.state[name] for name in ("old_a", "old_b", "seen")) for outcome in found.outcomes]
        assert ((5, 5, 0) in ends) == (name == "power"), name


@pytest.mark.parametrize("name", sorted(MODELS))
def test_minima_and_maxima(name: str) -> None:
    """With a sign and without, in so many bits: what they write, and that this is one step."""
    for update, first, last in (
        ("fetch_max", -1, 5),
        ("fetch_min", -1, -3),
        ("fetch_umax", 1, -1),
        ("fetch_umin", -1, 2),
    ):
        one, two = (-3, 5) if update in ("fetch_max", "fetch_min") else (2, -1)
        for written in (f"{update}(x, {{}})", f"wrap({update}(x, {{}}), -32)"):
            step = f"init loc L0 final loc L1 L0 -> L1 {{{{ {written} @ acq_rel }}}}"
            processes = "".join(
                f"process p{number} {{ main procedure p() {{ {step.format(value)} }} }}\n"
                for number, value in enumerate((one, two))
            )
            text = f"var x : int ({first})\n{processes}"
            found = xgen.check(compiled(xgen.parse(text), mapping(name)), model(MODELS[name]), all_states=True)
            assert {outcome.state["x"] for outcome in found.outcomes} == {last}, (update, written)


@pytest.mark.parametrize(
    ("take", "attempt"),
    [
        ("pthread_rwlock_wrlock(&l);", "pthread_rwlock_tryrdlock(&l)"),
        ("pthread_rwlock_rdlock(&l);", "pthread_rwlock_trywrlock(&l)"),
        ("sem_wait(&s);", "sem_trywait(&s)"),
    ],
)
def test_who_does_not_get_a_lock_has_no_order(take: str, attempt: str) -> None:
    """glibc looks at it by a relaxed load, and returns. (On Armv8 and RISC-V the map has one load for both ways.)"""
    before = "atomic_int x; int a, ok; sem_t s; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;"
    writer = f"atomic_store_explicit(&x, 1, memory_order_relaxed); atomic_thread_fence(memory_order_seq_cst); {take}"
    reader = f"ok = {attempt}; a = atomic_load_explicit(&x, memory_order_relaxed); assert(ok == 0 || a == 1);"
    head = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
    text = head + threads(writer, reader, before=before).replace("int main() {", "int main() { sem_init(&s, 0, 1);")
    for name in ("armv7", "power"):
        assert xgen.check(load(text, map=name), model(MODELS[name])).verdict == "violation", name
    assert xgen.check(load(text), model("rc11")).verdict == "violation"
    assert xgen.check(load(text, map="x86"), model("tso")).verdict == "safe"
