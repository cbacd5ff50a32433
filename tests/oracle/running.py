"""How a thread runs: `settle` does local steps up to its next event, `resume` does the event.

There are several ways to settle where there is a choice; what a read sees is told to `resume`. Nothing here knows what
other threads do.

What an event depends on is tracked on the way: each local variable has the reads from which its value was computed, and
the thread has those that decided which way it went. These are the reads in every guard that it looked at, whether the
guard held or not, in assertions, in divisors, and in the bounds of a havoc.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, NamedTuple

from oracle.expressions import NONE, Events, Expr, Flow, Value, fit, flow_of, value_of
from oracle.programs import (
    Assert,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Automaton,
    Edge,
    EventStatement,
    Fence,
    Give,
    Havoc,
    Held,
    Indexed,
    Load,
    MutexFence,
    Place,
    Predict,
    Rmw,
    Scope,
    Select,
    Simple,
    Skip,
    Store,
    StoreExclusive,
    Take,
    Thread,
)

End = Literal["ended", "blocked", "bounded", "error"]
Choices = tuple[tuple[int, Value], ...]
"""The choices that a thread made: how many events it had done before, and the edge or the value chosen."""
LOCAL_STEPS = 10_000
"""More local steps than any program of ours does between two events."""


class Dependencies(NamedTuple):
    """The earlier events of its thread, by index, on which an event depends.

    `rmw`: the read of an RMW's write; `pair`: the exclusive load of a store exclusive. And the number of the atomic
    block that the event is in, of those of its thread; 0 outside. `pick_addr` and so on: what was picked by them.
    `needs`: what has to be known before the event is; `address`: before its address is. `computed`: the read of an
    RMW's write, unless that writes the same whatever is read.
    """

    addr: Events = NONE
    data: Events = NONE
    ctrl: Events = NONE
    rmw: Events = NONE
    pair: Events = NONE
    block: int = 0
    pick_addr: Events = NONE
    pick_data: Events = NONE
    pick_ctrl: Events = NONE
    needs: Events = NONE
    address: Events = NONE
    computed: Events = NONE


class State(NamedTuple):
    """Where a thread stands: what is left of an edge, the location it leads to, local values, choices, events done.

    `taint` has what each local value was computed from, `control` what decided the way. A thread is `broken` where an
    RMW has read a value for which what it would write does not fit. The variable of the last exclusive load and the
    index of that event are `reserved`; at a store exclusive, `trying` says that it is to succeed. The thread holds the
    mutexes `held`, and is `stuck` where it has found one taken. `block` is the number of the atomic block that it is
    in, or 0; there were `blocks` so far.

    Of what was predicted, `guesses` says what it is computed from, and whether it picks. In sets of events, ~n stands
    for guess n. What has decided on the way and does so no more is in `waited`.
    """

    rest: tuple[Simple, ...]
    target: int
    env: Mapping[str, Value]
    choices: Choices = ()
    events: tuple[Dependencies, ...] = ()
    taint: Mapping[str, Events] = MappingProxyType({})
    control: Events = NONE
    broken: bool = False
    reserved: tuple[str, int] | None = None
    trying: bool = False
    block: int = 0
    blocks: int = 0
    held: frozenset[str] = frozenset()
    stuck: bool = False
    guesses: tuple[tuple[Events, bool], ...] = ()
    waited: Events = NONE


class Pause(NamedTuple):
    """A thread that can do no more local steps: it stands at an event, or it is over (`end`).

    The event's variable is that of a cell; `address` is what it depends on.
    """

    state: State
    event: EventStatement | None
    end: End | None
    address: Events = NONE


def start(thread: Thread) -> State:
    """The state in which a thread starts."""
    return State((), 0, {variable.name: variable.initial for variable in thread.locals})


def settle(auto: Automaton, state: State) -> Iterator[Pause]:
    """All ways for a thread to go on by local steps, up to its next event or its end."""
    stack = [state]
    for _ in range(LOCAL_STEPS):
        if not stack:
            return
        following = _local_step(auto, stack.pop())
        if isinstance(following, Pause):
            yield following
        else:
            stack += following
    raise ValueError("a thread does not come to its next event")


def _local_step(auto: Automaton, state: State) -> list[State] | Pause:
    """The states after the next local step, or a pause where there is none."""
    if state.broken or state.stuck:
        return Pause(state, None, "error" if state.broken else "blocked")
    if not state.rest:
        return _choose_edge(auto, state)
    try:
        return _statement_step(_with_control(state, operands(state.rest[0])))
    except ArithmeticError:
        return Pause(state, None, "error")


def operands(statement: Simple) -> tuple[Expr, ...]:
    """The expressions of a statement."""
    match statement:
        case Store(variable, expr):
            return (expr, *_indices(variable))
        case Load(_, variable):
            return _indices(variable)
        case Assign(_, expr) | Assume(expr) | Assert(expr) | Predict(_, expr):
            return (expr,)
        case Havoc(_, low, high):
            return (low, high) if low and high else ()
        case Rmw(_, _, variable, arguments):
            return (*arguments, *_indices(variable))
        case _:
            return ()


def _indices(place: Place) -> tuple[Expr, ...]:
    return (place.index,) if isinstance(place, Indexed) else ()


def _cell(place: Place, env: Mapping[str, Value]) -> str:
    """The name of a cell; an ArithmeticError is raised where the index is out of range."""
    if isinstance(place, str):
        return place
    index = value_of(place.index, env)
    if not 0 <= index < place.size:
        raise ArithmeticError("index out of range")
    return f"{place.array}[{index}]"


def _with_control(state: State, evaluated: tuple[Expr, ...]) -> State:
    """The state in which expressions have been evaluated: their divisors have decided on the way."""
    control = state.control.union(*(flow_of(expr, state.env, state.taint).control for expr in evaluated))
    return state if control == state.control else state._replace(control=control)


def _deciding(state: State, *decisive: Expr) -> State:
    """The state in which the values of expressions have decided on the way."""
    return state._replace(control=state.control | _flow(state, decisive).value)


def _flow(state: State, exprs: Iterable[Expr]) -> Flow:
    flows = [flow_of(expr, state.env, state.taint) for expr in exprs]
    return Flow(NONE.union(*(flow.value for flow in flows)), NONE.union(*(flow.control for flow in flows)))


def _statement_step(state: State) -> list[State] | Pause:
    statement, env = state.rest[0], state.env
    after = state._replace(rest=state.rest[1:])
    match statement:
        case Skip():
            return [after]
        case Held(name):
            return [after] if name in state.held else Pause(state, None, "error")
        case AtomicBegin():
            return [after._replace(block=state.blocks + 1, blocks=state.blocks + 1)]
        case AtomicEnd():
            return [after._replace(block=0)]
        case Assign(local, expr):
            taint = {**state.taint, local: _flow(state, [expr]).value}
            return [after._replace(env={**env, local: value_of(expr, env)}, taint=taint)]
        case Predict(local, expr, picks):
            taint = {**state.taint, local: frozenset([~len(state.guesses)])}
            guesses = (*state.guesses, (_flow(state, [expr]).value, picks))
            return [after._replace(env={**env, local: value_of(expr, env)}, taint=taint, guesses=guesses)]
        case Select():
            return [_select(state, after, statement)]
        case Scope("keep", local):
            return [after._replace(env={**env, local: 0}, taint={**state.taint, local: state.control})]
        case Scope(_, local):
            control = state.taint.get(local, NONE)
            return [after._replace(control=control, waited=state.waited | state.control)]
        case Assume(condition):
            after = _deciding(after, condition)
            return [after] if value_of(condition, env) else Pause(after, None, "blocked")
        case Assert(condition):
            if value_of(condition, env):
                return [_deciding(after, condition)]
            return Pause(_deciding(state, condition), None, "error")
        case Havoc(local, low, high):
            values: Iterable[Value] = (False, True)
            if low and high:
                values = range(value_of(low, env), value_of(high, env) + 1)
                after = _deciding(after, low, high)
            after = after._replace(taint={**state.taint, local: NONE})
            chosen = [_choosing(after._replace(env={**env, local: value}), value) for value in values]
            return chosen or Pause(state, None, "blocked")
        case StoreExclusive() if not state.trying:
            return _try(state, after, statement)
        case Store(_, expr) | StoreExclusive(_, _, expr):
            value_of(expr, env)  # so that an error is one before the event, not at it
        case Rmw():
            for expr in statement.arguments:
                value_of(expr, env)
    if isinstance(statement, Fence | MutexFence | Take | Give):
        return Pause(state, statement, None)
    event = replace(statement, variable=_cell(statement.variable, env))
    return Pause(state, event, None, _flow(state, _indices(statement.variable)).value)


def _select(state: State, after: State, statement: Select) -> State:
    """The state after a selection: only what is chosen is computed."""
    chosen = bool(state.env[statement.choice])
    expr = statement.positive if chosen else statement.negative
    after = _with_control(after, (expr,))
    value = _flow(state, [expr]).value
    if chosen or not statement.one_sided:
        value |= state.taint.get(statement.choice, NONE)
    env = {**state.env, statement.local: value_of(expr, state.env)}
    waited = state.waited | state.taint.get(statement.choice, NONE)  # what was not predicted has to be known
    return after._replace(env=env, taint={**state.taint, statement.local: value}, waited=waited)


def _try(state: State, after: State, statement: StoreExclusive) -> list[State]:
    """The states in which a store exclusive has failed, or is to succeed, if it can (or is an error)."""
    state = _with_control(state, [statement.expr, *_indices(statement.variable)])
    env, taint = {**state.env, statement.local: 1}, {**state.taint, statement.local: NONE}
    failed = after._replace(env=env, taint=taint, reserved=None, control=state.control)
    try:
        value_of(statement.expr, state.env)
        cell = _cell(statement.variable, state.env)
        if state.reserved is None or state.reserved[0] != cell:
            return [failed]
    except ArithmeticError:
        pass
    return [_choosing(failed, 1), _choosing(state._replace(trying=True), 0)]


def _choosing(state: State, value: Value) -> State:
    return state._replace(choices=(*state.choices, (len(state.events), value)))


def _choose_edge(auto: Automaton, state: State) -> list[State] | Pause:
    """The states on each of the enabled edges of the location that the thread has reached."""
    kind = auto.kinds[state.target]
    if kind in ("final", "error"):
        return Pause(state, None, "ended" if kind == "final" else "error")
    edges = auto.edges[state.target]
    ahead = [_look_ahead(edge, state) for edge in edges]
    enabled = [number for number, (possible, _) in enumerate(ahead) if possible]
    state = state._replace(control=state.control.union(*(control for _, control in ahead)))
    following = []
    for number in enabled:
        chosen = _choosing(state, number) if len(enabled) > 1 else state
        following.append(chosen._replace(rest=edges[number].statements, target=edges[number].target))
    return following or Pause(state, None, "blocked")


_LOOKED_AT = Assign | Assume | Assert | Select | Skip | Held | AtomicBegin | AtomicEnd


def _look_ahead(edge: Edge, state: State) -> tuple[bool, Events]:
    """What an edge does before its first event or choice: whether no assume fails, and what that depends on."""
    state = state._replace(rest=edge.statements, target=edge.target)
    while state.rest and isinstance(state.rest[0], _LOOKED_AT):
        following = _local_step(Automaton(), state)
        if isinstance(following, Pause):
            return following.end != "blocked", following.state.control
        (state,) = following
    try:
        return True, _with_control(state, operands(state.rest[0]) if state.rest else ()).control
    except ArithmeticError:
        return True, state.control


def resume(pause: Pause, read: Value | None = None) -> State:
    """The state of a thread after the event (of an RMW: the events) that it stands at; a read gets the value `read`."""
    state, event = pause.state, pause.event
    env, taint, broken, index = state.env, state.taint, False, len(state.events)
    done = [Dependencies(addr=pause.address, ctrl=state.control)]
    if isinstance(event, Store | StoreExclusive):
        done = [done[0]._replace(data=_flow(state, [event.expr]).value)]
    reserved = state.reserved
    if isinstance(event, Load) and event.exclusive:
        reserved = (str(event.variable), index)
    if isinstance(event, StoreExclusive):
        assert reserved is not None
        done = [done[0]._replace(pair=frozenset([reserved[1]]))]
        env, taint = {**env, event.local: 0}, {**taint, event.local: frozenset([index])}
        reserved = None
    if isinstance(event, Rmw) and read is not None:
        try:
            writes = new_value(event, state, read) is not None
        except ArithmeticError:
            writes, broken = False, True
        if writes:
            data = _flow(state, event.arguments[event.picks :]).value
            compared = _flow(state, event.arguments[: event.picks]).value
            pair = frozenset([index])
            computed = NONE if event.op in ("exchange", "cas") else pair
            done.append(Dependencies(pause.address, data, state.control, pair, pick_data=compared, computed=computed))
    held, stuck = state.held, False
    if isinstance(event, Take) and read == 0:
        done.append(Dependencies(ctrl=state.control, rmw=frozenset([index])))
        held |= {event.variable}
    elif isinstance(event, Take):
        stuck = True
    elif isinstance(event, Give):
        held -= {event.variable}
    if isinstance(event, Load | Rmw) and event.local is not None and read is not None:
        env = {**env, event.local: read}
        taint = {**taint, event.local: frozenset([index])}
    done = [_resolved(state, dependencies)._replace(block=state.block) for dependencies in done]
    state = state._replace(rest=state.rest[1:], env=env, taint=taint, events=(*state.events, *done), broken=broken)
    return state._replace(reserved=reserved, trying=False, held=held, stuck=stuck)


def _resolved(state: State, found: Dependencies) -> Dependencies:
    """What an event depends on, with what was predicted put down to what that is computed from.

    `pick_data` is what a cas that picks compares.
    """

    def behind(items: Events, through: bool) -> Events:
        """The reads, and guesses that pick, behind some items; or only reads, with `through` those guesses."""
        done: set[int] = set()
        left = list(items)
        while left:
            item = left.pop()
            if item >= 0 or (state.guesses[~item][1] and not through):
                done.add(item)
            else:
                left += state.guesses[~item][0]
        return frozenset(done)

    def both(items: Events) -> tuple[Events, Events]:
        known = behind(items, False)
        guesses = frozenset(item for item in known if item < 0)
        return known - guesses, behind(guesses, True)

    (addr, pick_addr), (data, pick_data), (ctrl, pick_ctrl) = map(both, found[:3])
    needs = frozenset(item for item in found.addr | found.data | found.ctrl | state.waited if item >= 0)
    return found._replace(
        addr=addr,
        data=data,
        ctrl=ctrl,
        pick_addr=pick_addr,
        pick_data=pick_data | behind(found.pick_data, True),
        pick_ctrl=pick_ctrl,
        needs=needs,
        address=frozenset(item for item in found.addr if item >= 0),
    )


def expected_value(cas: Rmw, state: State) -> Value | None:
    """What a cas compares with what it reads; None where that cannot be computed."""
    try:
        return value_of(cas.arguments[0], state.env)
    except ArithmeticError:
        return None


def new_value(rmw: Rmw, state: State, old: Value) -> Value | None:
    """What an RMW writes where it reads `old`; None where it does not write, being a cas that fails.

    An ArithmeticError is raised where that does not fit 64 bits.
    """
    first, *others = (value_of(argument, state.env) for argument in rmw.arguments)
    match rmw.op:
        case "exchange":
            return first
        case "fetch_add":
            return fit(old + first)
        case "fetch_sub":
            return fit(old - first)
        case "fetch_and":
            return old & first
        case "fetch_or":
            return old | first
        case "fetch_xor":
            return old ^ first
        case "cas":
            return others[0] if old == first else None
