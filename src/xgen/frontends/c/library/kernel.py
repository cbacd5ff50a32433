"""The Linux kernel's own functions, in a program that is checked as a part of it (--kernel).

What each is to the kernel's model is in frontends/library/kernel.py. Pointers may lead to a number or a pointer, or to
a structure that begins with one: atomic_t, spinlock_t, struct mutex. A lock is a cell that holds 1 while it is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Literal

from pycparser import c_ast

from xgen.frontends.assembly import Step
from xgen.frontends.c.control import QUESTION
from xgen.frontends.c.interrupts import BOTTOM, OFF, Context, has_interrupts
from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.language.flow import SINGLE_THREADED
from xgen.frontends.c.language.kcsan import EXCLUSIVE_ACCESS, EXCLUSIVE_WRITER, SCOPE_BEGIN, SCOPE_END, UNWATCHED
from xgen.frontends.c.language.kthread import Kthread
from xgen.frontends.c.library import atomics
from xgen.frontends.c.library.call import Call, Handler
from xgen.frontends.c.text.preprocess import is_of_headers
from xgen.frontends.c.values.arithmetic import convert, truth
from xgen.frontends.c.values.places import InMemory, InRegisters, Place, Value, literal
from xgen.frontends.c.values.types import INT, ULONG, CType, Pointer, Record, is_scalar, leaves, plain, size_of
from xgen.frontends.conditions import negated, number
from xgen.frontends.library import kernel
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, IntLiteral, Name
from xgen.records import replace

ON_CPU = "_on_cpu"
"""What ends the names of the functions that CPU(n, f) defines, and START(f) starts."""
KTHREADS = (
    "note: each thread of kthread_run and the like has a CPU of its own, as if there were a CPU for each thread: "
    "no thread takes the CPU of another one"
)
_LOAD = re.compile(r"(?:atomic(?:64|_long)?_read|__xgen_read_once|smp_load)(?P<order>_acquire)?\Z")
_STORE = re.compile(r"(?:atomic(?:64|_long)?_set|__xgen_write_once|smp_store)(?P<order>_release)?\Z")
_UNLESS = re.compile(r"atomic(?:64|_long)?_(?P<op>fetch_add_unless|add_unless|inc_not_zero)\Z")
_REFUSED = {
    **dict.fromkeys(("rcu_barrier", "srcu_barrier"), "a wait for callbacks of RCU"),
    **dict.fromkeys(
        (
            f"{name}_synchronize_{kind}"
            for name in ("get_state", "start_poll", "poll_state")
            for kind in ("rcu", "srcu")
        ),
        "a grace period that is polled",
    ),
    **dict.fromkeys(("srcu_read_lock_fast", "srcu_read_unlock_fast", "srcu_notifier_call_chain"), "another SRCU"),
    **dict.fromkeys(("dma_rmb", "dma_wmb", "dma_mb", "readl", "writel"), "a barrier or an access of a device"),
    **dict.fromkeys(
        ("schedule_timeout", "msleep", "mod_timer", "hrtimer_start", "wait_for_completion_timeout"), "a timer"
    ),
    **dict.fromkeys(("prepare_to_wait", "finish_wait", "add_wait_queue"), "an entry of a wait queue"),
    **dict.fromkeys(("wait_event_interruptible", "wait_for_completion_interruptible"), "a wait that signals end"),
    **dict.fromkeys(("kthread_bind", "kthread_bind_mask", "set_cpus_allowed_ptr"), "another CPU for a thread"),
    **dict.fromkeys(
        (f"kthread_{word}" for word in ("park", "unpark", "parkme", "should_park")), "a thread that is parked"
    ),
    **dict.fromkeys(
        (f"kthread_{word}" for word in ("create_worker", "run_worker", "queue_work", "flush_worker", "stop_put")),
        "more than a thread of the kernel",
    ),
    **dict.fromkeys(("__alloc_percpu", "free_percpu"), "a variable of each CPU that is allocated"),
}
"""What is not there yet, or never will be, and what it is."""


def handler(name: str) -> Handler | None:
    """What a call of a function of the kernel does; None of any other name."""
    if name in _HANDLERS:
        return _HANDLERS[name]
    if name in kernel.FENCES:
        return partial(_fence, tag=kernel.FENCES[name])
    for pattern, made in _PATTERNS:
        if found := pattern.match(name):
            return made(found)
    if name in _REFUSED:
        return _refused
    if name in atomics.HANDLERS and name not in atomics.QUESTIONS:
        return _of_c
    return None


# ---- operands


def _place(call: Call, at: int) -> Place:
    """What a pointer argument leads to: a number, a pointer, or what a structure begins with."""
    node, body = call.arguments[at], call.body
    value = body.number(node)
    target = value.type.target if isinstance(value.type, Pointer) else None
    if target is None:
        body.wrong(f"a pointer to a number or a pointer is needed here, not {value.type}", node)
    place = body.target(value, target)
    while isinstance(record := plain(place.type), Record) and record.members:
        place = body.moved(place, record.members[0].offset, record.members[0].type)
    if not is_scalar(plain(place.type)):
        body.wrong(f"a pointer to a number or a pointer is needed here, not {value.type}", node)
    return atomics.not_atomic(place)


def _counted(call: Call, least: int, most: int | None = None) -> None:
    count = len(call.arguments)
    if not least <= count <= (most or least):
        call.body.wrong(f"`{call.name}` takes {least} argument{'s' * (least != 1)}, not {count}", call.node)


# ---- accesses and fences


def _fence(call: Call, tag: str) -> Value:
    _counted(call, 0)
    if tag == "sync-rcu":
        _sleeps(call)
    call.body.flow.emit(xcfa.Fence(tag, call.body.position(call.node)))
    return NOTHING


def _load(found: re.Match[str]) -> Handler:
    def load(call: Call) -> Value:
        _counted(call, 1)
        return call.body.load(_place(call, 0), call.node, "acquire" if found["order"] else "once")

    return load


def _store(found: re.Match[str]) -> Handler:
    def store(call: Call) -> Value:
        _counted(call, 2)
        place, (value,) = atomics.values_of(call, _place(call, 0), 1, 2)
        call.body.store(place, value, call.node, "release" if found["order"] else "once")
        return NOTHING

    return store


# ---- updates


def _exchange(found: re.Match[str]) -> Handler:
    tags, compares = kernel.tags(found["order"] or ""), found["op"] == "cmpxchg"

    def exchange(call: Call) -> Value:
        _counted(call, 3 if compares else 2)
        place, values = atomics.values_of(call, _place(call, 0), 1, 3 if compares else 2)
        if not compares:
            return call.body.update("exchange", place, values[0], call.node, (), tags=tags)
        return call.body.update("cas", place, values[1], call.node, (), values[0], tags=tags)

    return exchange


def _update(found: re.Match[str]) -> Handler:
    """`atomic_OP(value, place)`: without a result, with the new value, with the old one, or with a test."""
    operation, returns, old_value = found["op"], found["returns"], bool(found["fetch"])
    tags = kernel.tags(found["order"] or "") if old_value or returns else kernel.WITHOUT_RESULT

    def update(call: Call) -> Value:
        body, node, counted = call.body, call.node, operation in ("inc", "dec")
        if (old_value and returns) or (found["order"] and tags is kernel.WITHOUT_RESULT):
            body.refuse(f"the function `{call.name}` is", node)
        _counted(call, 1 if counted else 2)
        place = _place(call, 0 if counted else 1)
        type_ = plain(place.type)
        value = literal(1, type_)
        if not counted:
            place, (value,) = atomics.values_of(call, place, 0, 1)
        op = kernel.OPERATIONS[operation]
        if op == "fetch_andnot":
            op, value = "fetch_and", body.keep(convert(body.operate("^", value, literal(-1, type_), node), type_), node)
        found_ = body.keep(convert(body.update(op, place, value, node, (), tags=tags), type_), node)
        if old_value:
            return found_
        if returns is None:
            return NOTHING
        new = convert(body.operate(_SIGNS[op], found_, value, node), type_)
        if returns == "_return":
            return new
        zero = literal(0, type_)
        return body.operate("==" if returns == "_and_test" else "<", new, zero, node)

    return update


_SIGNS = {"fetch_add": "+", "fetch_sub": "-", "fetch_and": "&", "fetch_or": "|", "fetch_xor": "^"}


def _unless(found: re.Match[str]) -> Handler:
    """`atomic_add_unless(place, value, unless)`: whether it adds; atomic_fetch_add_unless: the old value."""

    def add(call: Call) -> Value:
        body, node, counted = call.body, call.node, found["op"] == "inc_not_zero"
        _counted(call, 1 if counted else 3)
        place = _place(call, 0)
        type_ = plain(place.type)
        value, unless = literal(1, type_), literal(0, type_)
        if not counted:
            place, (value, unless) = atomics.values_of(call, place, 1, 3)
        old = body.keep(body.update("add_unless", place, unless, node, (), value, tags=kernel.tags("")), node)
        return old if found["op"] == "fetch_add_unless" else body.operate("!=", old, convert(unless, type_), node)

    return add


# ---- locks


def _mutex(call: Call, op: Literal["lock", "unlock"]) -> Value:
    _counted(call, 1)
    place, body = _place(call, 0), call.body
    if isinstance(place, InRegisters):
        body.escape(place.variable)
    body.note_write(place, None, call.node)
    cell = body.cell(place, call.node)[0]
    body.flow.emit(xcfa.Mutex(op, cell, body.position(call.node)))
    return NOTHING


def _trylock(call: Call) -> Value:
    _counted(call, 1)
    place, body = _place(call, 0), call.body
    old = body.update("cas", place, literal(1, INT), call.node, ("lock", "lock-fail"), literal(0, INT))
    return body.operate("==", old, literal(0, INT), call.node)


# ---- SRCU


def _structure(call: Call) -> Record:
    """The type of the structure of SRCU that the first argument leads to."""
    type_ = call.body.type_of_value(call.arguments[0])
    found = plain(type_.target) if isinstance(type_, Pointer) else None
    if not (isinstance(found, Record) and found.name == "srcu_struct" and found.members):
        call.body.wrong(f"a pointer to struct srcu_struct is needed here, not {type_}", call.node)
    return found


def _read_srcu(call: Call, place: Place, tag: str) -> Value:
    """A read of the structure, of which only the model knows what it is for."""
    body = call.body
    if isinstance(place, InRegisters):
        body.escape(place.variable)
    body.note_write(place, None, call.node)  # it has an event wherever it is
    name = body.fresh()
    cell, position = body.cell(place, call.node)[0], body.position(call.node)
    body.flow.emit(xcfa.Load(Name(name), cell, order=tag, position=position))
    return Value(Name(name), INT)


def _srcu_lock(call: Call) -> Value:
    _counted(call, 1)
    _structure(call)
    given = _read_srcu(call, _place(call, 0), "srcu-lock")
    mark = kernel.SRCU_OVER if call.name == "srcu_down_read" else kernel.SRCU_BEGUN  # another thread may end that one
    call.body.flow.emit(xcfa.Fence(mark, call.body.position(call.node)))
    return given


def _srcu_wait(call: Call) -> Value:
    _counted(call, 1)
    _structure(call)
    _sleeps(call)
    _read_srcu(call, _place(call, 0), "sync-srcu")
    return NOTHING


def _srcu_later(call: Call) -> Value:
    """call_srcu: the thread that its second argument starts waits for the structure that the first one leads to."""
    _counted(call, 2)
    body = call.body
    _structure(call)
    structure, before = body.number(call.arguments[0]), len(body.world.threads)
    if structure.constant is None and not body.is_idle:
        body.refuse("call_srcu of a structure that is not known by its name is", call.node)
    value = _later(replace(call, arguments=call.arguments[1:]))
    for spec in body.world.threads[before:]:
        spec.waits_for = structure
    return value


def _waits_for(call: Call) -> Value:
    """The structure for which a thread waits that call_srcu has started."""
    threads, handle = call.body.world.threads, call.body.handle
    return (0 <= handle < len(threads) and threads[handle].waits_for) or literal(0, ULONG)


def _srcu_unlock(call: Call) -> Value:
    """It writes what the lock has given to a cell of its CPU, which nobody reads."""
    _counted(call, 2)
    body, ended = call.body, (_structure(call).members or [])[1]
    place, (cookie,) = atomics.values_of(call, _place(call, 0), 1, 2)
    end = _read_srcu(call, place, kernel.SRCU_END)
    own = body.moved(place, ended.offset + size_of(INT) * body.cpu, INT)
    body.store(own, body.operate("+", convert(cookie, INT), end, call.node), call.node, "srcu-unlock")
    body.flow.emit(xcfa.Fence(kernel.SRCU_OVER, body.position(call.node)))
    return NOTHING


# ---- CPUs, threads, assertions


def _on_cpu(call: Call) -> Value:
    """The thread is that CPU from here on."""
    _counted(call, 1)
    body, cpu = call.body, _number_of_cpu(call, 0)
    body.cpu, body.context = cpu, "task"
    body.world.on_cpu.setdefault(cpu, []).append(body.world.threads[body.handle])
    return NOTHING


def _number_of_cpu(call: Call, at: int) -> int:
    cpu = call.body.number(call.arguments[at]).constant
    if cpu is None or cpu < 0:
        call.body.refuse("a number of a CPU that is no constant is", call.node)
    return cpu


def _cpu(call: Call) -> Value:
    return literal(call.body.cpu, INT)


def _task(call: Call) -> Value:
    """The CPU whose task `current` is: main is CPU 0, if no other thread is."""
    body, source = call.body, call.body.position(call.node).source
    shipped = source is not None and is_of_headers(source.name)  # as a macro, it says the same where it is used
    if body.handle == 0 and not body.is_idle and not shipped and 0 in cpus_of_driver(body):
        hint = "give CPU(0, ...) another number: main is CPU 0 then"
        body.refuse("`current`, and what sleeps, in main where CPU(0, ...) is another thread is", call.node, hint)
    return _cpu(call)


def cpus_of_driver(body: Body) -> dict[int, str]:
    """The numbers of the CPUs that the driver has, each with the function that says what it does."""
    found: dict[int, str] = {}
    for routine in body.world.routines.values():
        if routine.name.endswith(ON_CPU) and routine.definition is not None:
            for statement in routine.definition.body.block_items or ():
                if isinstance(statement, c_ast.FuncCall) and statement.name.name == "__xgen_on_cpu":
                    number = body.number(statement.args.exprs[0]).constant
                    if number is not None:
                        found.setdefault(number, routine.name.removesuffix(ON_CPU))
    return found


def _next_cpu(call: Call) -> Value:
    """The number of the CPU of the next thread of the kernel. The arguments are -1, or that number, and how many CPUs
    there are."""
    _counted(call, 2)
    body = call.body
    given, cpus = (body.number(argument).constant for argument in call.arguments)
    if given is None or given < -1:
        body.refuse("a thread of the kernel on a CPU whose number is no constant is", call.node)
    cpu = 1 + max((0, *cpus_of_driver(body))) + body.world.kthreads if given == -1 else given
    if cpus is not None and cpu >= cpus:
        message = f"a thread on CPU {cpu}, where there are {cpus} CPUs, is"
        body.refuse(message, call.node, f"-D NR_CPUS={cpu + 1}")
    return literal(cpu, INT)


def _kthread(call: Call, waits: bool) -> Value:
    """The thread that its last argument starts runs the function that is the first one; the number of its CPU."""
    _counted(call, 4)
    body, world = call.body, call.body.world
    function = body.plain_number(body.number(call.arguments[0]))
    routine = next((r for r in world.routines.values() if r.address == function.constant), None)
    if function.constant is None or routine is None:
        body.refuse("a thread whose function is not known where it is created is", call.arguments[0])
    given = body.number(call.arguments[1]).constant
    cpu = _next_cpu(replace(call, arguments=call.arguments[1:3]))
    before, number = len(world.threads), cpu.constant
    assert number is not None
    world.kthread = Kthread(routine.name, function, number, waits)
    _later(replace(call, arguments=call.arguments[3:]))
    world.kthread = None
    if len(world.threads) > before:
        world.kthreads += given == -1
        world.remarks[KTHREADS] = None
    return cpu


def _of_kthread(call: Call) -> Kthread | None:
    return call.body.world.threads[call.body.handle].kthread if call.body.handle >= 0 else None


def _kthread_runs(call: Call) -> Value:
    """What a thread of the kernel does; from here on it is its CPU."""
    body, found = call.body, _of_kthread(call)
    if found is None:
        return literal(0, ULONG)
    body.cpu, body.context = found.cpu, "task"
    body.world.on_cpu.setdefault(found.cpu, []).append(body.world.threads[body.handle])
    return replace(found.function, type=ULONG)


def _kthread_waits(call: Call) -> Value:
    found = _of_kthread(call)
    return literal(int(found is not None and found.waits), INT)


# ---- interrupts


def _state(call: Call, name: str) -> Value | None:
    """A local that says whether interrupts are off; None where there are none."""
    body = call.body
    if not has_interrupts(body.world.routines, body.world.options.interrupts):
        return None
    body.variables.setdefault(name, xcfa.Variable(name, xcfa.INT))
    return Value(Name(name), ULONG)


def _irqs_off(call: Call) -> Value:
    """Whether hard interrupts are off."""
    state = _state(call, OFF)
    return literal(0, ULONG) if state is None else call.body.keep(state, call.node)


def _set_irqs(call: Call) -> Value:
    """Hard interrupts are off, or on, from here on."""
    body = call.body
    value = convert(body.number(call.arguments[0]), ULONG)
    if body.context == "hard" and value.constant == 0:
        body.refuse("to turn interrupts on in the handler of one is", call.node)
    if _state(call, OFF) is not None:
        body.flow.emit(xcfa.Assign(Name(OFF), value.expression, body.position(call.node)))
    return NOTHING


def _bottom(call: Call, step: int) -> Value:
    """Bottom halves are turned off once more, or once less."""
    body = call.body
    if body.context == "hard":
        body.refuse("to turn bottom halves off or on in the handler of an interrupt is", call.node)
    if _state(call, BOTTOM) is not None:
        value = Binary("+", Name(BOTTOM), IntLiteral(step))
        body.flow.emit(xcfa.Assign(Name(BOTTOM), value, body.position(call.node)))
    return NOTHING


def _bottom_off(call: Call) -> Value:
    """How often bottom halves are off."""
    state = _state(call, BOTTOM)
    return literal(0, ULONG) if state is None else call.body.keep(state, call.node)


def _runs_in(call: Call, context: Context) -> Value:
    return literal(int(call.body.context == context), INT)


def _sleeps(call: Call) -> Value:
    """What may sleep is for no handler."""
    if call.body.context in ("soft", "hard"):
        call.body.refuse("what may sleep, in the handler of an interrupt, is", call.node)
    return NOTHING


def _later(call: Call) -> Value:
    """The threads that its argument starts do what is done later: to start them is no barrier, but they get their
    argument without a race."""
    steps = call.body.flow.steps
    first = len(steps)
    value = call.body.number(call.arguments[0])
    for at, step in enumerate(steps[first:], first):
        if isinstance(step, xcfa.Control):
            steps[at] = replace(step, tags=("later",))
        elif isinstance(step, xcfa.Store):
            steps[at] = replace(step, tags=(*step.tags, UNWATCHED))
    return value


# ---- KCSAN


def _marked(call: Call, step: int) -> Value:
    """KCSAN's regions: plain accesses of the text up to the region's end are marked ones."""
    _counted(call, 0)
    kcsan = call.body.kcsan
    kcsan.regions = max(0, kcsan.regions + step)
    return NOTHING


def _flat(call: Call, inside: bool) -> Value:
    """The same, of a region that has no depth."""
    _counted(call, 0)
    call.body.kcsan.flat = inside
    return NOTHING


def _marked_next(call: Call) -> Value:
    """So many plain accesses that follow are marked ones."""
    _counted(call, 1)
    count = call.body.number(call.arguments[0]).constant
    if count is None or count < 0:
        call.body.refuse("a number of accesses that is less than 0, or no constant, is", call.node)
    if not call.body.is_idle:
        call.body.kcsan.following = count
    return NOTHING


def _unwatched(call: Call, step: int) -> Value:
    """KCSAN does not look at accesses of the text up to its being on again."""
    _counted(call, 0)
    kcsan = call.body.kcsan
    kcsan.unwatched = max(0, kcsan.unwatched + step)
    return NOTHING


def _data_race(call: Call) -> Value:
    """The value of an expression, whose accesses are in no race."""
    _counted(call, 1)
    kcsan = call.body.kcsan
    kcsan.unwatched += 1
    value = call.body.evaluate(call.arguments[0])
    if is_scalar(plain(value.type)):
        value = call.body.keep(value, call.node)
    kcsan.unwatched -= 1
    return value


def _exclusive(call: Call, tag: str, scoped: str = "") -> Value:
    """An assertion that no other thread writes, or accesses, what a pointer leads to at that time: a read that the
    model asks about, and nothing else."""
    _counted(call, 1)
    body, kcsan = call.body, call.body.kcsan
    if not kcsan.asked:
        return NOTHING
    value, target = _pointer(call, body.number(call.arguments[0]))
    if scoped == SCOPE_END:  # what was said at its beginning is in a variable
        value, target = _pointer(call, body.load(body.target(value, target), call.node))
    place = body.target(value, target)
    if isinstance(place, InRegisters) or SINGLE_THREADED in (body.flow.known or {}):
        return value
    outer, kcsan.unwatched = (kcsan.unwatched, kcsan.following), 0
    for leaf in leaves(place.type):
        part = body.moved(place, leaf.offset, plain(leaf.type))
        if tag == EXCLUSIVE_ACCESS and isinstance(part, InMemory):
            body.note_write(part, None, call.node)  # or who reads it might have no event
        mark = len(body.flow.steps)
        body.load(part, call.node, uninitialised=True)
        tags = (tag, scoped) if scoped else (tag,)
        body.flow.steps[mark:] = [_claim(step, tags) for step in body.flow.steps[mark:]]
    kcsan.unwatched, kcsan.following = outer
    return value


def _pointer(call: Call, value: Value) -> tuple[Value, CType]:
    """A value that has to be a pointer, and the type of what it leads to."""
    if not isinstance(value.type, Pointer):
        call.body.wrong(f"a pointer is needed here, not {value.type}", call.arguments[0])
    return value, value.type.target


def _claim(step: Step, tags: tuple[str, ...]) -> Step:
    """A step of a read that says nothing but these tags."""
    return replace(step, order=None, tags=(*step.tags, *tags)) if isinstance(step, xcfa.Load) else step


def _is_asked(call: Call) -> Value:
    """Whether KCSAN's rules hold."""
    return literal(int(call.body.kcsan.asked), INT)


def _assert(call: Call) -> Value:
    """An assertion that is only the question: it orders nothing, and the thread goes on."""
    body, position = call.body, call.body.position(call.node)
    holds = body.fresh(QUESTION)
    body.flow.assign(holds, number(truth(body.number(call.arguments[0]))), position)
    body.flow.emit(xcfa.Assert(Binary("/=", Name(holds), IntLiteral(0)), position, "assertion"))
    return NOTHING


def _bug(call: Call) -> Value:
    """BUG_ON: what follows is only done where the condition does not hold."""
    test = truth(call.body.number(call.arguments[0]))
    call.body.check(negated(test), "assertion", call.node)
    return NOTHING


# ---- what is refused


def _refused(call: Call) -> Value:
    hint = _INSTEAD.get(call.name)
    return call.body.refuse(f"`{call.name}`, {_REFUSED[call.name]}, is", call.node, hint)


def _of_c(call: Call) -> Value:
    message = f"`{call.name}` is C's, and the kernel's model knows nothing of C's atomic accesses; this is"
    return call.body.refuse(message, call.node, "the kernel's own: READ_ONCE, smp_store_release, atomic_inc, xchg")


_INSTEAD = {
    **dict.fromkeys(("kthread_bind", "kthread_bind_mask"), "kthread_run_on_cpu(f, data, n, name), with a constant n"),
    "set_cpus_allowed_ptr": "kthread_run_on_cpu(f, data, n, name), with a constant n",
}
_SRCU: dict[str, Handler] = {"srcu-lock": _srcu_lock, "srcu-unlock": _srcu_unlock, "sync-srcu": _srcu_wait}
_HANDLERS: dict[str, Handler] = {
    "spin_lock": partial(_mutex, op="lock"),
    "spin_unlock": partial(_mutex, op="unlock"),
    "spin_trylock": _trylock,
    **{name: _SRCU[tag] for name, tag in kernel.SRCU.items()},
    "__xgen_on_cpu": _on_cpu,
    "__xgen_later": _later,
    "__xgen_srcu_later": _srcu_later,
    "__xgen_waits_for": _waits_for,
    "__xgen_marked_begin": partial(_marked, step=1),
    "__xgen_marked_end": partial(_marked, step=-1),
    "__xgen_marked_flat_begin": partial(_flat, inside=True),
    "__xgen_marked_flat_end": partial(_flat, inside=False),
    "__xgen_marked_next": _marked_next,
    "__xgen_unwatched_begin": partial(_unwatched, step=1),
    "__xgen_unwatched_end": partial(_unwatched, step=-1),
    "__xgen_data_race": _data_race,
    "__xgen_kcsan": _is_asked,
    **{
        f"__xgen_{word}{name}": partial(_exclusive, tag=tag, scoped=scoped)
        for word, tag in (("writer", EXCLUSIVE_WRITER), ("access", EXCLUSIVE_ACCESS))
        for name, scoped in (("", ""), ("_begins", SCOPE_BEGIN), ("_ends", SCOPE_END))
    },
    "__xgen_cpu": _cpu,
    "__xgen_task": _task,
    "__xgen_next_cpu": _next_cpu,
    "__xgen_kthread_run": partial(_kthread, waits=False),
    "__xgen_kthread_made": partial(_kthread, waits=True),
    "__xgen_kthread_runs": _kthread_runs,
    "__xgen_kthread_waits": _kthread_waits,
    "__xgen_irqs_off": _irqs_off,
    "__xgen_set_irqs": _set_irqs,
    "__xgen_bottom_begin": partial(_bottom, step=1),
    "__xgen_bottom_end": partial(_bottom, step=-1),
    "__xgen_bottom_off": _bottom_off,
    "__xgen_in_hard": partial(_runs_in, context="hard"),
    "__xgen_in_soft": partial(_runs_in, context="soft"),
    "__xgen_sleeps": _sleeps,
    "__xgen_assert": _assert,
    "__xgen_bug_on": _bug,
}
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Handler]], ...] = (
    (_LOAD, _load),
    (_STORE, _store),
    (kernel.EXCHANGE, _exchange),
    (kernel.UPDATE, _update),
    (_UNLESS, _unless),
)
