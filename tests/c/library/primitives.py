"""Programs of mutexes, condition variables, barriers, locks for readers and writers, semaphores, futexes, made at
random; and an interpreter of what POSIX and Linux say of these, one interleaving after the other, which shares nothing
with xgen.

A thread is a list of instructions, tuples that begin with a word:

    read V              the thread's number = V           write V N           V = that number + N
    set V N             V = N                             note V              V = that number
    jump AT             go to an instruction              unless V N AT       go there if V < N
    taken AT            go on if the number is 0, else there
    lock M, try M, timed M, unlock M                      the number: 0, or 1 where it was held
    wait C M, patient C M                                 the latter may be over without a signal: the number is 1 then
    signal C, broadcast C
    init B N, destroy B, meet B                           the number: 1 for the serial thread, else 0
    down S, trydown S, up S
    rd L, wr L, tryrd L, trywr L, done L
    begin O AT, end O                                     pthread_once: go on, or to AT where it is done
    doze V N, nap V N                                     FUTEX_WAIT while V = N, the latter for a time; the number: 1
                                                          where it fails, else 0
    rouse V N                                             FUTEX_WAKE; the number: how many were woken
    create T, join T
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random
from typing import Any

Instruction = tuple[object, ...]
VARIABLES = ("x", "y", "z")


def changed(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


@dataclass
class Program:
    """The threads' instructions, main first, and how they are said in C."""

    threads: list[list[Instruction]]
    text: str


@dataclass(frozen=True)
class State:
    """Where each thread stands, and what it and the primitives hold. `asleep` has the threads that sleep at each
    condition variable, `there` those that wait at each barrier; locks have -1 for a writer."""

    at: tuple[int, ...]
    number: tuple[int, ...]
    running: tuple[bool, ...]
    values: tuple[int, ...]
    held: frozenset[str] = frozenset()
    asleep: frozenset[tuple[str, int]] = frozenset()
    there: frozenset[tuple[str, int]] = frozenset()
    sizes: tuple[tuple[str, int], ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    phase: tuple[int, ...] = ()  # 1: it sleeps or waits at a barrier, 2: it was woken

    def moved(self, t: int, **changes: object) -> State:
        """The thread at its next instruction, or at `to`; it `gets` a number."""
        at = changed(self.at, t, changes.pop("to", self.at[t] + 1))
        phase = changed(self.phase, t, 0)
        number = changed(self.number, t, changes.pop("gets", self.number[t]))
        return replace(self, at=at, phase=phase, number=number, **changes)  # type: ignore[arg-type]

    def gave(self, t: int, number: int) -> State:
        return replace(self, number=changed(self.number, t, number))

    def waiting(self, t: int, phase: int, **changes: object) -> State:
        return replace(self, phase=changed(self.phase, t, phase), **changes)  # type: ignore[arg-type]

    def count(self, name: str) -> int:
        return dict(self.counts).get(name, 0)

    def counting(self, name: str, value: int) -> tuple[tuple[str, int], ...]:
        return tuple(sorted({**dict(self.counts), name: value}.items()))


@dataclass
class Interpreter:
    """All that a program may do, if it is run to its end. `spurious`: threads wake up without a signal, too."""

    program: Program
    spurious: bool = False
    ends: set[tuple[int, ...]] = field(default_factory=set)
    stuck: bool = False

    def run(self, limit: int = 60_000) -> bool:
        """Whether all was looked at: `ends` has the final values, `stuck` says whether some state leads to no end."""
        count = len(self.program.threads)
        running = (True,) + (False,) * (count - 1)
        start = State((0,) * count, (0,) * count, running, (0,) * len(VARIABLES), phase=(0,) * count)
        before: dict[State, list[State]] = {start: []}
        todo, good = [start], []
        while todo:
            state = todo.pop()
            if self.is_end(state):
                self.ends.add(state.values)
                good.append(state)
            following = list(self.steps(state))
            for found in [*following, *self.woken_for_nothing(state)]:
                if found not in before:
                    before[found] = []
                    todo.append(found)
            for found in following:  # nobody may count on being woken for nothing
                before[found].append(state)
            if len(before) > limit:
                return False
        leads = set(good)
        while good:
            for earlier in before[good.pop()]:
                if earlier not in leads:
                    leads.add(earlier)
                    good.append(earlier)
        self.stuck = len(leads) < len(before)
        return True

    def woken_for_nothing(self, state: State) -> Iterator[State]:
        for one in state.asleep if self.spurious else ():
            yield state.waiting(one[1], 2, asleep=state.asleep - {one})

    def over(self, state: State, t: int) -> bool:
        return state.running[t] and state.at[t] == len(self.program.threads[t])

    def is_end(self, state: State) -> bool:
        return all(self.over(state, t) or not state.running[t] for t in range(len(state.at))) and self.over(state, 0)

    def steps(self, state: State) -> Iterator[State]:
        for t in range(len(state.at)):
            if state.running[t] and not self.over(state, t):
                yield from self.step(state, t, *self.program.threads[t][state.at[t]])

    def step(self, s: State, t: int, word: str, *a: object) -> Iterator[State]:  # type: ignore[override]
        method = getattr(self, f"do_{word}")
        yield from method(s, t, *a)

    # ---- numbers

    def do_read(self, s: State, t: int, v: str) -> Iterator[State]:
        yield s.moved(t, gets=s.values[VARIABLES.index(v)])

    def put(self, s: State, t: int, v: str, value: int) -> State:
        k = VARIABLES.index(v)
        return s.moved(t, values=changed(s.values, k, value))

    def do_write(self, s: State, t: int, v: str, n: int) -> Iterator[State]:
        yield self.put(s, t, v, s.number[t] + n)

    def do_set(self, s: State, t: int, v: str, n: int) -> Iterator[State]:
        yield self.put(s, t, v, n)

    def do_note(self, s: State, t: int, v: str) -> Iterator[State]:
        yield self.put(s, t, v, s.number[t])

    def do_jump(self, s: State, t: int, at: int) -> Iterator[State]:
        yield s.moved(t, to=at)

    def do_taken(self, s: State, t: int, at: int) -> Iterator[State]:
        yield s.moved(t, to=at if s.number[t] else s.at[t] + 1)

    def do_unless(self, s: State, t: int, v: str, n: int, at: int) -> Iterator[State]:
        yield s.moved(t, to=at if s.values[VARIABLES.index(v)] < n else s.at[t] + 1)

    # ---- mutexes and condition variables

    def do_lock(self, s: State, t: int, m: str) -> Iterator[State]:
        if m not in s.held:
            yield s.moved(t, held=s.held | {m})

    def do_try(self, s: State, t: int, m: str) -> Iterator[State]:
        yield s.moved(t, held=s.held | {m}, gets=int(m in s.held))

    def do_timed(self, s: State, t: int, m: str) -> Iterator[State]:
        yield from self.do_try(s, t, m)  # who waits for it longer gets it, as if it had come later

    def do_unlock(self, s: State, t: int, m: str) -> Iterator[State]:
        yield s.moved(t, held=s.held - {m})

    def do_wait(self, s: State, t: int, c: str, m: str, patient: bool = False) -> Iterator[State]:
        if s.phase[t] == 0:
            yield s.waiting(t, 1, held=s.held - {m}, asleep=s.asleep | {(c, t)})
        elif s.phase[t] == 1 and (c, t) not in s.asleep:
            yield s.waiting(t, 2)
        elif s.phase[t] == 1:
            if patient:
                yield s.waiting(t, 3, asleep=s.asleep - {(c, t)})
        elif m not in s.held:
            gets = {"gets": int(s.phase[t] == 3)} if patient else {}
            yield s.moved(t, held=s.held | {m}, **gets)

    def do_patient(self, s: State, t: int, c: str, m: str) -> Iterator[State]:
        yield from self.do_wait(s, t, c, m, patient=True)

    def do_signal(self, s: State, t: int, c: str) -> Iterator[State]:
        sleeping = [one for one in s.asleep if one[0] == c]
        if not sleeping:
            yield s.moved(t)
        for one in sleeping:
            yield s.moved(t, asleep=s.asleep - {one})

    def do_broadcast(self, s: State, t: int, c: str) -> Iterator[State]:
        yield s.moved(t, asleep=frozenset(one for one in s.asleep if one[0] != c))

    # ---- barriers

    def do_init(self, s: State, t: int, b: str, n: int) -> Iterator[State]:
        yield s.moved(t, sizes=tuple(sorted({**dict(s.sizes), b: n}.items())))

    def do_destroy(self, s: State, t: int, _b: str) -> Iterator[State]:
        yield s.moved(t)

    def do_meet(self, s: State, t: int, b: str) -> Iterator[State]:
        if s.phase[t] == 0:
            there = [*(other for name, other in sorted(s.there) if name == b), t]
            if len(there) < dict(s.sizes)[b]:
                yield s.waiting(t, 1, there=s.there | {(b, t)})
                return
            for serial in there:
                new = replace(s, there=frozenset(one for one in s.there if one[0] != b))
                for other in there:
                    new = new.waiting(other, 3 if other == serial else 2)
                yield new
        elif s.phase[t] > 1:
            yield s.moved(t, gets=int(s.phase[t] == 3))

    # ---- semaphores, locks for readers and writers, once

    def do_down(self, s: State, t: int, name: str) -> Iterator[State]:
        if s.count(name) > 0:
            yield s.moved(t, counts=s.counting(name, s.count(name) - 1))

    def do_trydown(self, s: State, t: int, name: str) -> Iterator[State]:
        some = s.count(name) > 0
        yield s.moved(t, counts=s.counting(name, s.count(name) - some), gets=int(not some))

    def do_up(self, s: State, t: int, name: str) -> Iterator[State]:
        yield s.moved(t, counts=s.counting(name, s.count(name) + 1))

    def do_rd(self, s: State, t: int, name: str) -> Iterator[State]:
        if s.count(name) >= 0:
            yield s.moved(t, counts=s.counting(name, s.count(name) + 1))

    def do_wr(self, s: State, t: int, name: str) -> Iterator[State]:
        if s.count(name) == 0:
            yield s.moved(t, counts=s.counting(name, -1))

    def do_tryrd(self, s: State, t: int, name: str) -> Iterator[State]:
        yield from [one.gave(t, 0) for one in self.do_rd(s, t, name)] or [s.moved(t, gets=1)]

    def do_trywr(self, s: State, t: int, name: str) -> Iterator[State]:
        yield from [one.gave(t, 0) for one in self.do_wr(s, t, name)] or [s.moved(t, gets=1)]

    def do_done(self, s: State, t: int, name: str) -> Iterator[State]:
        count = s.count(name)
        yield s.moved(t, counts=s.counting(name, 0 if count < 0 else count - 1))

    def do_begin(self, s: State, t: int, name: str, at: int) -> Iterator[State]:
        if s.count(name) == 0:
            yield s.moved(t, counts=s.counting(name, 1))
        elif s.count(name) == 2:
            yield s.moved(t, to=at)

    def do_end(self, s: State, t: int, name: str) -> Iterator[State]:
        yield s.moved(t, counts=s.counting(name, 2))

    # ---- futexes

    def do_doze(self, s: State, t: int, v: str, n: int, patient: bool = False) -> Iterator[State]:
        if s.phase[t] == 0:
            if s.values[VARIABLES.index(v)] == n:
                yield s.waiting(t, 1, asleep=s.asleep | {(v, t)})
            else:
                yield s.moved(t, gets=1)
        elif (v, t) not in s.asleep:
            yield s.moved(t, gets=0)
        elif patient:
            yield s.moved(t, gets=1, asleep=s.asleep - {(v, t)})

    def do_nap(self, s: State, t: int, v: str, n: int) -> Iterator[State]:
        yield from self.do_doze(s, t, v, n, patient=True)

    def do_rouse(self, s: State, t: int, v: str, n: int) -> Iterator[State]:
        sleeping = sorted(one for one in s.asleep if one[0] == v)
        for woken in combinations(sleeping, min(n, len(sleeping))):
            yield s.moved(t, gets=len(woken), asleep=s.asleep - set(woken))

    # ---- threads

    def do_create(self, s: State, t: int, other: int) -> Iterator[State]:
        yield s.moved(t, running=changed(s.running, other, True))

    def do_join(self, s: State, t: int, other: int) -> Iterator[State]:
        if self.over(s, other):
            yield s.moved(t)


# ---- programs at random

HEAD = """#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#define futex(word, what, value, end) syscall(SYS_futex, word, what, value, end, 0, 0)
struct timespec late;
int x, y, z;
pthread_mutex_t m, n;
pthread_cond_t c, d;
pthread_barrier_t b;
pthread_rwlock_t l;
pthread_once_t o = PTHREAD_ONCE_INIT;
sem_t s;
void init(void) { y += 2; }
"""


class Maker:
    """Makes a program: instructions and C text side by side."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.code: list[Instruction] = []
        self.lines: list[str] = []

    def say(self, text: str, *instructions: Instruction) -> None:
        self.lines.append(text)
        self.code += instructions

    def noted(self, call: str, instruction: Instruction, error: str) -> None:
        """A call whose result is dropped, or kept in a variable."""
        if self.rng.random() < 0.5:
            self.say(f"{call};", instruction)
        else:
            v = self.rng.choice(VARIABLES)
            self.say(f"{v} = {call} {error};", instruction, ("note", v))

    def assign(self) -> None:
        v = self.rng.choice(VARIABLES)
        n = self.rng.randint(1, 2)
        if self.rng.random() < 0.5:
            self.say(f"{v} += {n};", ("read", v), ("write", v, n))
        else:
            self.say(f"{v} = {n};", ("set", v, n))

    def wait(self, mutex: str) -> None:
        rng = self.rng
        c, v, n = rng.choice("ccd"), rng.choice(VARIABLES), rng.randint(1, 2)
        patient = rng.random() < 0.35
        kind = rng.choice(["while", "while", "if", "once"])
        head = len(self.code)
        if kind != "once":
            self.code += [("unless", v, n, head + 2), ("jump", -1)]
            self.lines.append(f"{kind} ({v} < {n}) {{")
        if patient:
            self.noted(f"pthread_cond_timedwait(&{c}, &{mutex}, 0)", ("patient", c, mutex), "!= 0")
        else:
            self.say(f"pthread_cond_wait(&{c}, &{mutex});", ("wait", c, mutex))
        if kind != "once":
            self.lines.append("}")
            if kind == "while":
                self.code.append(("jump", head))
            self.code[head + 1] = ("jump", len(self.code))

    def wake(self) -> None:
        c = self.rng.choice("ccd")
        if self.rng.random() < 0.6:
            self.say(f"pthread_cond_signal(&{c});", ("signal", c))
        else:
            self.say(f"pthread_cond_broadcast(&{c});", ("broadcast", c))

    def critical(self, waits: bool) -> None:
        rng = self.rng
        m = rng.choice("mmmn")
        taken = rng.choice(["lock"] * 4 + ["try", "timed"])
        if taken == "lock":
            self.say(f"pthread_mutex_lock(&{m});", ("lock", m))
        else:
            call = "trylock" if taken == "try" else "timedlock"
            at = len(self.code)
            extra = "" if taken == "try" else ", 0"
            self.say(f"if (!pthread_mutex_{call}(&{m}{extra})) {{", (taken, m), ("taken", -1))
        for _ in range(rng.randint(1, 2)):
            chosen = rng.random()
            if waits and chosen < 0.4:
                self.wait(m)
            elif chosen < 0.7:
                self.assign()
            else:
                self.wake()
        self.say(f"pthread_mutex_unlock(&{m});", ("unlock", m))
        if taken != "lock":
            self.lines.append("}")
            self.code[at + 1] = ("taken", len(self.code))

    def sleeper(self) -> None:
        """One of several that sleep at the same place, and may wake the next one."""
        self.say("pthread_mutex_lock(&m);", ("lock", "m"))
        head = len(self.code)
        kind = self.rng.choice(["while", "while", "if"])
        self.code += [("unless", "x", 1, head + 2), ("jump", -1), ("wait", "c", "m")]
        self.lines.append(f"{kind} (x < 1) pthread_cond_wait(&c, &m);")
        if kind == "while":
            self.code.append(("jump", head))
        self.code[head + 1] = ("jump", len(self.code))
        self.say("y += 1;", ("read", "y"), ("write", "y", 1))
        if self.rng.random() < 0.3:
            self.say("pthread_cond_signal(&c);", ("signal", "c"))
        self.say("pthread_mutex_unlock(&m);", ("unlock", "m"))

    def waker(self) -> None:
        self.say("pthread_mutex_lock(&m);", ("lock", "m"))
        self.say("x = 1;", ("set", "x", 1))
        for word in self.rng.choice([["signal"], ["signal"], ["signal", "signal"], ["broadcast"], ["broadcast"]]):
            self.say(f"pthread_cond_{word}(&c);", (word, "c"))
        self.say("pthread_mutex_unlock(&m);", ("unlock", "m"))

    def held_for_reading(self) -> None:
        rng = self.rng
        word, call = rng.choice([("rd", "rdlock"), ("wr", "wrlock")])
        if rng.random() < 0.3:
            at = len(self.code)
            self.say(f"if (!pthread_rwlock_try{call}(&l)) {{", (f"try{word}", "l"), ("taken", -1))
            self.assign()
            self.say("pthread_rwlock_unlock(&l); }", ("done", "l"))
            self.code[at + 1] = ("taken", len(self.code))
            return
        self.say(f"pthread_rwlock_{call}(&l);", (word, "l"))
        self.assign()
        self.say("pthread_rwlock_unlock(&l);", ("done", "l"))

    def meet(self) -> None:
        if self.rng.random() < 0.5:
            self.say("pthread_barrier_wait(&b);", ("meet", "b"))
        else:
            v = self.rng.choice(VARIABLES)
            self.say(f"{v} = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;", ("meet", "b"), ("note", v))

    def futex(self) -> None:
        """A word is waited for, or changed, or its sleepers are woken; mostly a change is told."""
        rng = self.rng
        v, n = rng.choice("xxy"), rng.randint(0, 1)
        chosen = rng.random()
        if chosen < 0.4:
            word, end = ("nap", "&late") if rng.random() < 0.25 else ("doze", "0")
            head = len(self.code)
            again = rng.random() < 0.5
            if again:
                self.code += [("read", v), ("taken", -1)]
                self.lines.append(f"while ({v} == 0) {{")
                n = 0
            self.noted(f"futex(&{v}, FUTEX_WAIT, {n}, {end})", (word, v, n), "!= 0")
            if again:
                self.lines.append("}")
                self.code.append(("jump", head))
                self.code[head + 1] = ("taken", len(self.code))
        else:
            if chosen < 0.8:
                self.say(f"{v} = 1;", ("set", v, 1))
            if chosen > 0.5:
                count = rng.choice([1, 1, 2, 9])
                self.noted(f"futex(&{v}, FUTEX_WAKE, {count}, 0)", ("rouse", v, count), "")

    def statement(self, kinds: str) -> None:
        match self.rng.choice(kinds):
            case "c":
                self.critical(True)
            case "k":
                self.critical(False)
            case "w":
                self.wake()
            case "z":
                self.sleeper()
            case "Z":
                self.waker()
            case "b" | "B":
                self.meet()
            case "l":
                self.held_for_reading()
            case "s":
                self.say("sem_post(&s);", ("up", "s"))
            case "t":
                self.say("sem_wait(&s);", ("down", "s"))
            case "q":
                self.noted("sem_trywait(&s)", ("trydown", "s"), "!= 0")
            case "f":
                self.futex()
            case "o":
                at = len(self.code)
                self.say(
                    "pthread_once(&o, init);", ("begin", "o", at + 4), ("read", "y"), ("write", "y", 2), ("end", "o")
                )
            case _:
                self.assign()


PROFILES = [
    "z",
    "z",
    "z",
    "z",
    "B",
    "B",
    "cckw",
    "cckwa",
    "ckb",
    "bba",
    "bbk",
    "lla",
    "lk",
    "stqa",
    "stk",
    "oak",
    "cstb",
    "aklb",
]
FUTEXES = ["f", "f", "f", "ff", "fa", "fk"]


def random_program(rng: Random, profiles: Sequence[str] = PROFILES) -> Program:
    """Main starts threads, in one or two rounds between which the barrier is initialised again, and joins them."""
    kinds = rng.choice(profiles)
    main = Maker(rng)
    threads: list[list[Instruction]] = [[]]
    functions: list[str] = []
    main.say("sem_init(&s, 0, 0);")
    meets = "b" in kinds.lower()
    exact = kinds == "B"  # just as many meet as the barrier is for, once each
    for round_ in range(1 + (rng.random() < 0.4 and meets)):
        count = 2 if kinds in "zB" else rng.choice([1, 2, 2]) if round_ == 0 else rng.choice([1, 1, 2])
        if meets:
            size = count + 1 if exact else max(1, count + rng.choice([-1, 0, 0, 1]))
            if round_:
                main.say("pthread_barrier_destroy(&b);", ("destroy", "b"))
            main.say(f"pthread_barrier_init(&b, 0, {size});", ("init", "b", size))
        started = []
        for _ in range(count):
            one, number = Maker(rng), len(threads)
            for _ in range(1 if kinds in "zB" else rng.randint(1, 2)):
                one.statement(kinds)
            threads.append(one.code)
            functions.append(f"void *t{number}(void *p) {{\n  " + "\n  ".join(one.lines) + "\n  return 0;\n}\n")
            main.say(f"pthread_t id{number}; pthread_create(&id{number}, 0, t{number}, 0);", ("create", number))
            started.append(number)
        if exact or kinds == "z" or rng.random() < 0.6:
            main.statement("Z" if kinds == "z" else kinds)
        for number in started:
            main.say(f"pthread_join(id{number}, 0);", ("join", number))
    threads[0] = main.code
    text = HEAD + "".join(functions) + "int main(void) {\n  " + "\n  ".join(main.lines) + "\n  return 0;\n}\n"
    return Program(threads, text)
