"""Threads that wait: which executions are left out, and that no other is."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from oracle.against import expected_executions
from oracle.compare import key_of_execution
from oracle.enumerate import TooManyError
from oracle.expressions import Binary, Const, Local
from oracle.programs import Assign, Assume, Block, If, Load, Mutex, Program, Rmw, Store, Thread, Variable, While

import xgen

HEAD = "var next : int\nvar serving : int\nvar l : int\nvar m : synthetic\n"
TICKET = (
    "process T{0} {{ var t : int var s : int init loc A loc B loc C final loc E\n"
    "A -> B {{ t <- fetch_add(next, 1) @ relaxed }} B -> C {{ s <- serving @ acquire }}\n"
    "C -> B {{ assume s /= t }} C -> E {{ assume s = t t + 1 -> serving @ release }} }}\n"
)
TTAS = (
    "process T{0} {{ var r : int init loc A loc B loc C final loc E\n"
    "A -> B {{ r <- l @ relaxed }} B -> A {{ assume r /= 0 }} B -> C {{ assume r = 0 r <- cas(l, 0, 1) @ acq_rel }}\n"
    "C -> A {{ assume r /= 0 }} C -> E {{ assume r = 0 0 -> l @ release }} }}\n"
)
MUTEX = "process T{0} {{ init loc A final loc E A -> E {{ lock(m) unlock(m) }} }}\n"


@pytest.mark.parametrize("memory", ["sc", "tso", "rc11"])
@pytest.mark.parametrize(
    ("thread", "count", "executions", "blocked"),
    [(TICKET, 4, 24, 0), (TICKET, 5, 120, 0), (TTAS, 3, 36, 26), (MUTEX, 3, 6, 5), (MUTEX, 4, 24, 29)],
    ids=["ticket 4", "ticket 5", "test and test-and-set 3", "mutex 3", "mutex 4"],
)
def test_locks(thread: str, count: int, executions: int, blocked: int, memory: str) -> None:
    text = HEAD + "".join(map(thread.format, range(count)))
    result = xgen.check(xgen.parse(text, "xcfa"), xgen.model(memory), all_states=True)
    assert (result.verdict, result.executions, result.blocked, result.stuck) == ("safe", executions, blocked, 0)


def test_a_race_with_what_a_thread_waits_for_is_found() -> None:
    """It shows only where the thread reads what is overwritten: else it has synchronised."""
    text = (
        "var x : int\nprocess w { init loc A final loc E A -> E { 2 -> x 1 -> x @ release } }\n"
        "process r { var a : int init loc A loc B final loc E A -> B { a <- x @ acquire }\n"
        " B -> A { assume a /= 1 } B -> E { assume a = 1 } }"
    )
    program = xgen.parse(text, "xcfa")
    assert xgen.check(program, xgen.model("rc11")).verdict == "violation"
    assert xgen.check(program, xgen.model("ra"), all_states=True).blocked == 0


def test_who_asks_for_executions_gets_all() -> None:
    program = xgen.parse(HEAD + "".join(map(TICKET.format, range(3))), "xcfa")
    found = list(xgen.executions(program, xgen.model("sc")))
    assert (len(found), sum(execution.complete for execution in found)) == (30, 6)
    assert len(list(xgen.executions(program, xgen.model("sc"), complete=True))) == 6


def compared(local: str, comparison: str, value: int) -> Binary:
    return Binary(comparison, Local(local), Const(value))


class Waiting:
    """A thread with loops that wait; and as it goes through them, an assume in the place of all but the last round."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.looping: list[Block] = []
        self.through: list[Block] = []
        for _ in range(rng.randint(1, 3)):
            rng.choice((self.store, self.store, self.wait, self.wait, self.update, self.lock, self.take))()

    def both(self, block: Block) -> None:
        self.looping.append(block)
        self.through.append(block)

    def loop(self, body: Block, condition: Binary) -> None:
        done = Assign("s", Const(0))
        self.looping.append((Assign("s", Const(1)), While(compared("s", "=", 1), (*body, If(condition, (done,))))))
        self.through.append((*body, Assume(condition), done))

    def name(self) -> str:
        return self.rng.choice("xy")

    def store(self) -> None:
        self.both((Store(self.name(), self.rng.choice((Const(1), Const(2), Const(0), Local("a")))),))

    def wait(self) -> None:
        self.loop((Load("a", self.name()),), compared("a", self.rng.choice(("=", "/=")), self.rng.randint(0, 2)))

    def update(self) -> None:
        self.both((Rmw("b", "fetch_add", self.name(), (Const(1),)),))

    def take(self) -> None:
        new = self.rng.choice((Const(1), Const(2), Const(0)))
        self.loop((Rmw("a", "cas", self.name(), (Const(0), new)),), compared("a", "=", 0))

    def lock(self) -> None:
        access: Block = (Load("a", self.name()),) if self.rng.random() < 0.5 else (Store(self.name(), Const(1)),)
        self.both((Mutex("lock", "m"), *access, Mutex("unlock", "m")))


def programs(rng: Random) -> tuple[Program, Program]:
    """A program that waits, and one with the same complete executions that does not."""
    threads = [Waiting(rng) for _ in range(rng.choice((2, 3)))]
    shared = (*(Variable(name, "int", rng.choice((0, 0, 1))) for name in "xy"), Variable("m", mutex=True))

    def program(bodies: list[list[Block]]) -> Program:
        flat = [tuple(statement for block in blocks for statement in block) for blocks in bodies]
        own = tuple(Variable(name) for name in "abs")
        return Program(shared, tuple(Thread(f"P{n}", own, body) for n, body in enumerate(flat)))

    return program([t.looping for t in threads]), program([t.through for t in threads])


@pytest.mark.parametrize("start", [0, 20, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1000, 1400, 50))])
def test_random_programs(start: int) -> None:
    met = 0
    for seed in range(start, start + (20 if start < 1000 else 50)):
        rng = Random(seed)
        looping, through = programs(rng)
        memory = xgen.model(rng.choice(("sc", "tso", "pso", "weak")))
        try:
            expected = [e for e in expected_executions(through, memory) if {t.end for t in e.threads} == {"ended"}]
        except TooManyError:
            continue
        found = xgen.executions(xgen.parse(str(looping), "xcfa"), memory, complete=True)
        keys = (key_of_execution(e) for e in found)
        assert Counter(k.seen_from_outside() for k in keys) == Counter(e.seen_from_outside() for e in expected), seed
        met += len(expected) > 1
    assert met > 5


# --- Where threads run ahead -----------------------------------------------------------------------------------------


def at_a_barrier(count: int) -> xgen.Program:
    """Threads that write, meet, each with a flag of its own, and read what the next one has written."""
    flags = "".join(f"var f{k} : int\nvar x{k} : int\n" for k in range(count))
    threads = ""
    for k in range(count):
        others = [n for n in range(count) if n != k]
        waits = "".join(
            f" A{n} -> B{n} {{ r <- f{other} @ acquire }} B{n} -> A{n} {{ assume r = 0 }}"
            f" B{n} -> A{n + 1} {{ assume r = 1 }}"
            for n, other in enumerate(others)
        )
        end = f"A{count - 1} -> E {{ r <- x{(k + 1) % count}; assert r = 1 }}"
        places = " ".join(f"loc A{n} loc B{n}" for n in range(count - 1))
        threads += (
            f"process t{k} {{ var r : int init loc S {places} loc A{count - 1} final loc E\n"
            f"S -> A0 {{ 1 -> x{k} 1 -> f{k} @ release }}{waits} {end} }}\n"
        )
    return xgen.parse(flags + threads)


@pytest.mark.parametrize("count", [3, 8])
def test_a_barrier(count: int) -> None:
    """Each flag is written anyhow: who reads it before waits in vain."""
    result = xgen.check(at_a_barrier(count), xgen.model("arm8"), all_states=True)
    assert (result.verdict, result.executions, result.blocked) == ("safe", 1, 0)
    assert result.explored < 4 * count * count


@pytest.mark.parametrize(("memory", "blocked"), [("arm8", 0), ("power", 0), ("arm", 0), ("coherence", 0), ("lkmm", 1)])
def test_where_the_model_is_not_seen_to_go_on_all_is_explored(memory: str, blocked: int) -> None:
    text = (
        "var f : int\nprocess w { init loc S final loc E S -> E { 1 -> f } }\n"
        "process r { var a : int init loc S loc A final loc E"
        " S -> A { a <- f } A -> S { assume a = 0 } A -> E { assume a = 1 } }"
    )
    result = xgen.check(xgen.parse(text), xgen.model(memory), all_states=True)
    assert (result.executions, result.blocked) == (1, blocked)
    assert len(list(xgen.executions(xgen.parse(text), xgen.model(memory)))) == 2


@pytest.mark.parametrize("memory", ["arm8", "power", "arm", "coherence"])
def test_what_is_wrong_beside_a_wait_in_vain(memory: str) -> None:
    """It needs that the reader is still there when the flag has been written; it is found though the execution is left
    out in which the reader stays there for ever."""
    text = (
        "var f : int\nvar x : int\n"
        "process w { var a : int init loc S final loc E S -> E { 1 -> f; a <- x; assert a /= 0 } }\n"
        "process r { var a : int init loc S loc A final loc E S -> A { a <- f } A -> S { assume a = 0 }"
        " A -> E { assume a = 1; 1 -> x } }"
    )
    for all_states in (False, True):
        assert xgen.check(xgen.parse(text), xgen.model(memory), all_states=all_states).verdict == "violation"
