"""The exploration engine, in C++ (src/core). Private: use `xgen.engine.graphs.run`."""

import enum
from collections.abc import Callable, Sequence
from typing import Any, final

class Op(enum.Enum):
    MOV = 0
    NEG = 1
    NOT = 2
    ADD = 3
    SUB = 4
    MUL = 5
    DIV = 6
    MOD = 7
    REM = 8
    QUO = 9
    REMT = 10
    UQUO = 11
    UREM = 12
    EQ = 13
    NE = 14
    LT = 15
    LE = 16
    ULT = 17
    ULE = 18
    BITNOT = 19
    BITAND = 20
    BITOR = 21
    BITXOR = 22
    SHL = 23
    SHR = 24
    SAR = 25
    REAL = 26
    WRAP = 27
    SELECT = 28
    JMP = 29
    JZ = 30
    GOTO = 31
    ASSUME = 32
    ASSERT = 33
    FAIL = 34
    END = 35
    STUCK = 36
    CHOOSE = 37
    LOAD = 38
    STORE = 39
    FENCE = 40
    LOADX = 41
    STOREX = 42
    HAVOC = 43
    INDEX = 44
    PREDICT = 45
    KEEP = 46
    LEAVE = 47
    DEREF = 48
    TAINT = 49
    RMW = 50
    START = 51
    JOIN = 52
    MEET = 53
    GATHER = 54
    BLOCK = 55
    CUT = 56
    BOUND = 57
    UNLOCK = 58
    OBJECT = 59

class Real(enum.Enum):
    ADD32 = 0
    SUB32 = 1
    MUL32 = 2
    DIV32 = 3
    REM32 = 4
    ADD64 = 5
    SUB64 = 6
    MUL64 = 7
    DIV64 = 8
    REM64 = 9
    SQRT32 = 10
    CEIL32 = 11
    FLOOR32 = 12
    TRUNC32 = 13
    RINT32 = 14
    ROUND32 = 15
    SQRT64 = 16
    CEIL64 = 17
    FLOOR64 = 18
    TRUNC64 = 19
    RINT64 = 20
    ROUND64 = 21
    WIDEN = 22
    NARROW = 23
    OF_SIGNED32 = 24
    OF_UNSIGNED32 = 25
    OF_SIGNED64 = 26
    OF_UNSIGNED64 = 27
    TO_SIGNED32 = 28
    TO_UNSIGNED32 = 29
    TO_SIGNED64 = 30
    TO_UNSIGNED64 = 31

class OpKind(enum.Enum):
    COMPUTE = 0
    TEST = 1
    JUMP = 2
    BRANCH = 3
    CHOICE = 4
    EVENT = 5
    END = 6

OPERATIONS: dict[Op, tuple[list[str], bool, OpKind]]
"""The table of src/core/code/code.hpp: the fields that are operands, whether dst is written, and the kind."""

class RmwKind(enum.Enum):
    EXCHANGE = 0
    ADD = 1
    SUB = 2
    AND = 3
    ANDNOT = 4
    OR = 5
    XOR = 6
    MIN = 7
    MAX = 8
    UMIN = 9
    UMAX = 10
    REAL_ADD32 = 11
    REAL_ADD64 = 12
    CAS = 13
    ADD_UNLESS = 14
    LOCK = 15

class NodeOp(enum.Enum):
    CLASS = 0
    BOUND = 1
    DOMAIN = 2
    RANGE = 3
    SET_UNION = 4
    SET_INTERSECT = 5
    SET_DIFFERENCE = 6
    REC_SET = 7
    FIX_SET = 8
    PO = 9
    RF = 10
    MO = 11
    FR = 12
    ECO = 13
    LOC = 14
    INT = 15
    EXT = 16
    ID = 17
    RMW = 18
    SI = 19
    BLOCK = 20
    OBJ = 21
    ADDR = 22
    DATA = 23
    CTRL = 24
    PICK_ADDR = 25
    PICK_DATA = 26
    PICK_CTRL = 27
    EMPTY = 28
    UNION = 29
    INTERSECT = 30
    DIFFERENCE = 31
    SEQUENCE = 32
    INVERSE = 33
    PLUS = 34
    OPTIONAL = 35
    CROSS = 36
    IDENTITY = 37
    RESTRICT = 38
    REC = 39
    FIX = 40

class Property(enum.Enum):
    ACYCLIC = 0
    IRREFLEXIVE = 1
    EMPTY = 2

class Over(enum.Enum):
    NODES = 0
    THREADS = 1
    VARIABLES = 2

class EventKind(enum.Enum):
    READ = 0
    WRITE = 1
    FENCE = 2

class Status(enum.Enum):
    EVENT = 0
    CHOICE = 1
    ENDED = 2
    BLOCKED = 3
    OPEN = 4
    CUT = 5
    ASSERTION = 6
    FAILED = 7
    OVERFLOWED = 8
    DIVISION = 9
    UNDEFINED = 10
    RANGE = 11
    MIXED = 12
    RUNAWAY = 13
    UNSTARTED = 14

class Judgement(enum.Enum):
    COUNTS = 0
    FORBIDDEN = 1
    LEFT_OUT = 2

class Partition(enum.Enum):
    RF = 0
    VALUES = 1
    SEEN = 2

class Halt(enum.Enum):
    BUDGET = 0
    DONE = 2
    VIOLATION = 3
    UNCERTIFIED = 4
    RUNAWAY = 5
    MIXED = 6
    UNLIKE = 7
    TOO_LARGE = 8
    BUFFERING = 9

COUNTERS: list[str]
"""What explorations count; src/core/search/search.hpp says what each is."""

@final
class TraceEvent(tuple[Any, ...]):
    """An event of a trace, a named tuple; thread -1: an initial write.

    `rf` is a slot; `number` is that of the event in its thread, choices counted; `part`: which one of its access.
    """

    @property
    def slot(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def kind(self) -> EventKind: ...
    @property
    def thread(self) -> int: ...
    @property
    def pc(self) -> int: ...
    @property
    def event_class(self) -> int: ...
    @property
    def cell(self) -> int: ...
    @property
    def object(self) -> int: ...
    @property
    def rf(self) -> int: ...
    @property
    def value(self) -> int: ...
    @property
    def block(self) -> int: ...
    @property
    def part(self) -> int: ...

class Trace:
    """An execution: its events thread by thread in program order, initial writes first; slots in modification order per
    cell, status and pc of each thread; relations of slots. Each attribute is made anew when it is asked for.

    `depth` is the least bound on events per thread that cuts nothing of it.
    """

    @property
    def events(self) -> list[TraceEvent]: ...
    @property
    def mo(self) -> list[list[int]]: ...
    @property
    def ends(self) -> list[tuple[Status, int]]: ...
    @property
    def gathered(self) -> list[int]: ...
    @property
    def leaked(self) -> list[int]: ...
    @property
    def locals(self) -> list[list[int]]: ...
    @property
    def rmw(self) -> list[tuple[int, int]]: ...
    @property
    def forks(self) -> list[tuple[int, int]]: ...
    @property
    def addr(self) -> list[tuple[int, int]]: ...
    @property
    def data(self) -> list[tuple[int, int]]: ...
    @property
    def ctrl(self) -> list[tuple[int, int]]: ...
    @property
    def pick_addr(self) -> list[tuple[int, int]]: ...
    @property
    def pick_data(self) -> list[tuple[int, int]]: ...
    @property
    def pick_ctrl(self) -> list[tuple[int, int]]: ...
    @property
    def decided(self) -> list[int]: ...
    @property
    def rounds(self) -> list[int]: ...
    @property
    def deadlock(self) -> bool: ...
    @property
    def flags(self) -> list[int]: ...
    @property
    def calls(self) -> list[int]: ...
    @property
    def depth(self) -> int: ...
    @property
    def hash(self) -> int: ...

class Code:
    def __init__(
        self,
        instructions: list[tuple[Op, int, int, int, int, int]],
        constants: Sequence[int],
        targets: Sequence[Sequence[int]],
        rmws: list[tuple[RmwKind, int, int, int, int, int, int, bool, int]],
        threads: Sequence[tuple[int, int, int, Sequence[int], int, int]],
        cells: Sequence[int],
        places: list[tuple[int, int, int]],
        undefined: list[bool],
        objects: list[int],
        live: list[list[int]],
        written: list[tuple[list[int] | None, list[int] | None]],
        groups: Sequence[Sequence[int]] = ...,
    ) -> None: ...

class Checks:
    def __init__(
        self,
        nodes: list[tuple[NodeOp, int, int, int, bool]],
        steps: list[tuple[list[int], list[tuple[Property, int, int]], list[tuple[int, list[tuple[int, int]]]]]],
        whole: list[int],
        conditions: list[
            tuple[Property, int, list[tuple[Over, int, int, list[int]]], bool, list[int]] | tuple[bool, list[int]]
        ],
        whole_checks: list[tuple[int, int]],
        binders: int,
        recursions: list[list[tuple[int, int, list[int]]]],
        walks: list[tuple[Property, int, int, list[list[tuple[int, int, bool, bool, list[int]]]]]],
        extensible: bool,
    ) -> None: ...

class Plan:
    def __init__(
        self,
        class_sets: list[list[int]],
        class_set_count: int,
        class_steps: list[int],
        tracking: bool,
        dependent: bool,
        ahead: bool,
        coherent: bool,
        classes: bool,
        buffering: bool,
        whole: bool,
        in_situ: Checks,
        final: Checks,
        flags: Checks,
        constraints: int,
        order: list[int] = ...,
    ) -> None: ...

LARGEST: int
"""The most events of a graph that `failing` takes."""

NOTED_ASSERTION: int
"""`Exploration.reached` has a bit for so many of the ASSERTs with c = 0; more of them share these."""

WHOLE_OBJECT: int
"""The c of a DEREF whose address has to be that of an allocated object, whatever is there."""

NO_CELL: int
"""The cell of places that are bytes of an object at which, as its translation saw it, there is no access."""

def failing(
    plan: Plan,
    threads: int,
    cells: int,
    events: list[tuple[EventKind, int, int, int, int, int, bool, int, int]],
    rf: list[tuple[int, int]],
    mo: list[list[int]],
    addr: list[tuple[int, int]],
    data: list[tuple[int, int]],
    ctrl: list[tuple[int, int]],
    forks: list[tuple[int, int]],
) -> list[int]:
    """The numbers of the constraints and flags that a whole graph does not satisfy; src/core/model/given.hpp."""

class Settings:
    """How to explore; src/core/search/search.hpp says what each field means."""

    max_depth: int
    all_states: bool
    waiting: bool
    locking: bool
    silent: bool
    in_order: bool
    liveness: bool
    trace_limit: int
    stream: bool
    outcome_limit: int
    outcome_pause: int
    graph_pause: int
    duplicate_limit: int
    shown: Sequence[Sequence[int]]
    shown_cells: Sequence[int]
    renamings: Sequence[Sequence[int]]
    generators: int
    like: Sequence[Sequence[int]]
    moved: Sequence[bool]
    names_counted: bool
    detours: Sequence[bool]
    partition: Partition
    matters: Sequence[Sequence[int]]
    alone: Sequence[bool]
    undefined: Sequence[int]
    demanded: Sequence[int]
    call_ends: Sequence[int]
    call_leads: bool
    call_total: bool
    releases: Sequence[bool]
    acquires: Sequence[bool]
    judge: Callable[[list[int]], Judgement] | None
    filtered: bool
    lasting: Callable[[Trace], bool] | None

    def look_for_leaks(
        self,
        blocks: Sequence[
            tuple[int, int, bool, bool, int, int, Sequence[int], Sequence[tuple[bytes, Sequence[tuple[int, int, int]]]]]
        ],
        lifetimes: Sequence[int],
        unless: int,
    ) -> None: ...

class Outcomes:
    """Final states of so many values each, with the numbers of executions and of those with a violation.

    A state is bytes, which sort as the values do. `rows` are in that order.
    """

    def __init__(self, width: int) -> None: ...
    def merge(self, packed: bytes) -> None: ...
    def add(self, rows: Sequence[tuple[bytes, int, int]]) -> None: ...
    def rows(self, first: int, count: int) -> list[tuple[bytes, int, int]]: ...
    def clear(self) -> None: ...
    @property
    def packed(self) -> bytes: ...
    @property
    def memory(self) -> int: ...
    def __len__(self) -> int: ...

FINDINGS: list[str]
"""The fields of `Findings` besides its counters and outcomes."""

class Findings:
    """What was found: by a search, or by several, as `merge` puts it together; src/core/search/findings.hpp lists it.

    counters  by their names, which are `COUNTERS`
    flags     by constraint: how many executions raise it
    cuts      instructions at which the bound stopped a thread; waits: at which a thread waits for ever
    reached   the assertions that executions come to, a bit each
    counted   the executions of each class were

    `width` is that of the outcomes. It can be pickled.
    """

    counters: dict[str, int]
    flags: list[int]
    cuts: set[int]
    waits: set[int]
    reached: int
    counted: bool
    outcomes_complete: bool
    def __init__(self, width: int) -> None: ...
    def merge(self, other: Findings) -> None: ...
    @property
    def outcomes(self) -> Outcomes: ...

def real(operation: Real, a: int, b: int) -> int:
    """What a floating point operation gives (src/core/code/reals.hpp), of numbers that are their bits."""

def together(counters: Sequence[dict[str, int]]) -> dict[str, int]:
    """The counters of several put together."""

def outcome_values(state: bytes) -> list[int]:
    """The values of a state of `Outcomes`."""

class Exploration:
    """A search of all workers in an interval (see xgen.engine.intervals).

    Of one worker, between two runs: `left` is what it has not explored yet, if the search is `settled`.
    """

    def __init__(
        self, code: Code, plan: Plan, settings: Settings, workers: int, path: Sequence[int], rest: Sequence[int]
    ) -> None: ...
    @property
    def left(self) -> tuple[list[int], list[int]]: ...
    @property
    def settled(self) -> bool: ...
    def run(self, seconds: float, work: int | None = None) -> Halt: ...
    def branches(self) -> int: ...
    def begin_probe(self, seed: int) -> None: ...
    def go_on(self, seconds: float) -> Halt: ...
    @property
    def probe(self) -> tuple[list[int], list[int], list[int]]: ...
    @property
    def reason(self) -> Halt: ...
    @property
    def counters(self) -> dict[str, int]: ...
    @property
    def findings(self) -> Findings:
        """What was found so far; it stays as it is."""

    @property
    def work(self) -> int: ...
    @property
    def culprit(self) -> int: ...
    @property
    def outcome_count(self) -> int: ...
    @property
    def witness(self) -> Trace | None: ...
    def take_traces(self) -> list[Trace]: ...

class SearchEnd(enum.Enum):
    SAFE = 0
    REACHED = 1
    TIME = 2
    CUBES = 3

class NodeKind(enum.Enum):
    UNSAFE = 0
    INVARIANT = 1
    FOUND = 2
    APPROXIMATION = 3

class CubeSort(enum.Enum):
    ENUM = 0
    ABSTRACT = 1
    INT = 2
    REAL = 3
    PROC = 4

class CubePattern(enum.Enum):
    CELL = 0
    PROCESS = 1
    VALUE = 2
    NUMBER = 3
    ANY = 4

class CubeRelation(enum.Enum):
    EQ = 0
    NE = 1
    LT = 2
    LE = 3

class CubeTerm(enum.Enum):
    CELL = 0
    READ = 1
    HIDDEN = 2
    ZERO = 3

class CubeLiteral(enum.Enum):
    IN = 0
    EQ = 1
    NE = 2
    LE = 3
    DIFFER = 4

CUBE_NONE: int
"""For a process in a pattern that has none."""
CUBE_OTHER: int
"""The bit of a set of processes that stands for all that the cube does not speak of."""

class CubeSystem:
    """A parameterised system, as src/core/cubes/system.hpp has it: nested tuples for its structures."""

    def __init__(
        self,
        arrays: Sequence[tuple[CubeSort, int, bool, int]],
        shape: tuple[int, int, bool, bool],
        init: tuple[int, Any],
        unsafe: Sequence[tuple[int, Any]],
        invariants: Sequence[tuple[int, Any]],
        transitions: Sequence[tuple[Any, ...]],
    ) -> None: ...

class CubeSearch:
    """Backward reachability; raises OverflowError where a cube has more processes or times than there is room for."""

    def __init__(
        self,
        system: CubeSystem,
        processes: int,
        values: Sequence[tuple[int, int, int, Sequence[Sequence[int]]]],
        numbers: Sequence[tuple[int, int, int, Sequence[int]]],
        bad: Sequence[tuple[Any, ...]],
    ) -> None:
        """`values`: for each cell of an instance of so many processes, and each of its values, the states as bits;
        `numbers`: for each cell that holds a number, what it is in each state."""
    def run(self, seconds: float, max_cubes: int) -> SearchEnd: ...
    def node(self, number: int) -> tuple[Any, ...]:
        """(kind, cube, parent, (transition, rule, from, arguments, to), covers).

        A cube is (processes, literals (kind, a, b, c), chains, fenced), a term (kind, time, reader, array, i, j), where
        -1 is for what it has not (facts.hpp). `covers` are hints (search.hpp).
        """
    @property
    def unsafe(self) -> list[tuple[int, int, list[int], int, list[int], list[int]]]: ...
    def __len__(self) -> int: ...
    @property
    def reached(self) -> int: ...
    @property
    def images(self) -> int: ...
    @property
    def covered(self) -> int: ...

class Memory(enum.Enum):
    SC = 0
    TSO = 1
    PSO = 2

class Strength(enum.Enum):
    """What an event of some class waits for; automata.hpp says what each means."""

    NONE = 0
    STORES = 1
    FULL = 2

class Act(enum.Enum):
    """What a thread does where it stands."""

    READ = 0
    WRITE = 1
    UPDATE = 2
    FENCE = 3
    ALLOC = 4
    FREE = 5
    START = 6
    JOIN = 7
    IDLE = 8
    ENDED = 9
    STUCK = 10
    ENDLESS = 11
    ERROR = 12
    CUT = 13
    LOST = 14

class AtomKind(enum.Enum):
    """What an atom of a past or a buffer is: one letter, any number of letters of a set, or a mark."""

    LETTER = 0
    MANY = 1
    MARK = 2

MAX_VALUES: int
"""The values of a cell at most."""
NOTHING: int
"""What a cell holds whose first value may not be read."""

class ProofEnd(enum.Enum):
    BUDGET = 0
    SAFE = 1
    VIOLATION = 2
    DEADLOCK = 3
    STATES = 4
    FAULT = 5

class ProofFault(enum.Enum):
    NONE = 0
    VALUES = 1
    LOCALS = 2
    RUNAWAY = 3
    MIXED = 4
    WAITING = 5
    OPERATION = 6

_Word = list[tuple[AtomKind, list[list[int]]]]
"""A past or a buffer, atom by atom: 0 and a letter, 1 and the letters that come in any number, or 2 and a mark. A
letter of a past is [cell, value, cell, value, ...], a mark [cell, value, freshness]; in a letter, what is said of a
cell plus the number of cells is its freshness: 1, or 2 where another thread has stored. A letter of a buffer is
[value], or [value, pledge]: 1, or 2 where a store exclusive follows; a mark is the number of a family, where a run of
it is. A letter of a run is [cell, value, pledge, cell, value, pledge, ...], and there is a mark between two runs."""
_Covering = tuple[
    list[int],
    list[int],
    list[_Word],
    list[tuple[int, int, _Word]],
    int,
    int,
    list[int],
    list[int],
    list[tuple[int, int]],
    list[int],
    list[tuple[int, list[int], _Word]],
]
"""A symbolic state: the node of each thread, the memory, the pasts of the threads (none: all see what is there now),
and the buffers: thread, cell and content; which reservations are broken, by threads; of an atomic block how it is,
its pin and the memory before it; the buffers, by thread and cell, that hold their cells; the objects that are freed
and, plus the number of cells, those that were accessed; and the families: thread, cells and runs
(src/core/symbolic/space.hpp, stores.hpp)."""
_Edge = tuple[int, int | None, Strength, list[int]]
"""The value that is read, the one that is written, what an update waits for, the nodes that may follow."""
_Node = tuple[Act, int, int, int, Strength, int, list[_Edge], bool, int, int]
"""What is done there, the instruction, the cell, the other thread, what a fence waits for; 1: it is the first event of
an atomic block, 2: a later one; then the edges, whether it is exclusive, the cell that is reserved, and the
allocated object."""

class Prover:
    """Explores a program symbolically; src/core/symbolic/prove.hpp says how.

    `strengths`: per event class. `shown`: the locals that outcomes list, per thread; None: outcomes are not asked for.
    `plain`: per event class, whether it is an access that is not atomic; empty: data races do not matter. `lifetimes`:
    per event class, what it does with an object; FENCE: nothing that matters. `racing`: the threads of a race.
    `widening`: K, or -1. `most`: atoms of a past or buffer, what does not fit is left out, or -1.
    `strict`: what is doubtful (see space.hpp) is left out. `largest`: the
    largest states go first, not the oldest. `eager`: threads move first where that
    loses nothing. `veiled`: an access in an atomic block with which there may be a data race or a
    misuse of an object all the same, -1: none. `fault`: what went wrong, the thread and the item:
    a cell, a local, an instruction. `run` takes about so many `seconds`; what cannot be done in slices ends when `left`
    is over, as `witness` does, or after Ctrl-C.
    """

    def __init__(
        self,
        code: Code,
        memory: Memory,
        strengths: list[Strength],
        shown: list[list[int]] | None,
        plain: list[bool],
        lifetimes: list[Act],
        deadlocks: bool,
        widening: int,
        most: int,
        strict: bool,
        largest: bool,
        eager: bool,
    ) -> None: ...
    def run(self, seconds: float, limit: int, left: float | None) -> ProofEnd: ...
    def witness(self, deadlock: bool, state: int, left: float | None) -> Trace | None: ...
    @property
    def stored(self) -> int: ...
    @property
    def visited(self) -> int: ...
    @property
    def accelerated(self) -> int: ...
    @property
    def atoms(self) -> int: ...
    @property
    def racing(self) -> tuple[int, int]: ...
    @property
    def exact(self) -> bool: ...
    @property
    def cut(self) -> int: ...
    @property
    def veiled(self) -> int: ...
    @property
    def left_out(self) -> bool: ...
    @property
    def doubtful(self) -> bool: ...
    @property
    def fault(self) -> tuple[ProofFault, int, int]: ...
    @property
    def growing(self) -> tuple[int, int, int]: ...
    @property
    def local_states(self) -> list[int]: ...
    @property
    def values(self) -> list[list[int]]: ...
    @property
    def outcomes(self) -> list[tuple[list[int], int]]: ...
    @property
    def automata(self) -> list[tuple[list[int], list[int], list[_Node]]]: ...
    @property
    def invariant(self) -> list[_Covering]: ...

class StoreOrder(enum.Enum):
    """Which store buffers there are; src/core/states/buffers.hpp says what each means."""

    SC = 0
    TSO = 1
    PSO = 2
    CAM = 3

class StateOp(enum.Enum):
    """Operations of a stack machine; src/core/states/formula.hpp says what each does."""

    CONSTANT = 0
    CELL = 1
    CELL_AT = 2
    LOCAL = 3
    LOCAL_AT = 4
    IS = 5
    NEGATE = 6
    NOT = 7
    COMPLEMENT = 8
    ADD = 9
    SUBTRACT = 10
    MULTIPLY = 11
    DIVIDE = 12
    MODULO = 13
    AND = 14
    OR = 15
    XOR = 16
    LEFT = 17
    RIGHT = 18
    EQ = 19
    NE = 20
    LT = 21
    LE = 22
    GT = 23
    GE = 24
    UNLESS = 25
    IF = 26
    TRUTH = 27

class StateEffect(enum.Enum):
    """What a step does; src/core/states/system.hpp says what each means."""

    ASSIGN = 0
    ASSUME = 1
    ASSERT = 2
    CLEAR = 3
    RESERVE = 4
    RELEASE = 5
    EXCLUSIVE = 6

class StateStep(enum.Enum):
    """A process moves, a buffer flushes, or nothing can move any more."""

    MOVE = 0
    FLUSH = 1
    STAND = 2

class StateFault(enum.Enum):
    NONE = 0
    INDEX = 1
    DIVISION = 2
    ASSERTION = 3
    RANGE = 4

class EmptinessEnd(enum.Enum):
    BUDGET = 0
    EMPTY = 1
    ACCEPTED = 2
    FAULT = 3
    STATES = 4

class Turns:
    """Runs of a code in which threads take turns, and fair cycles in them; src/core/states/turns.hpp.

    A turn: thread, instruction, cell (-1: none), whether it reads and writes, what it reads (or has chosen) and writes.
    """

    def __init__(self, code: Code, counts: Sequence[bool], takes: Sequence[bool]) -> None: ...
    def explore(self, limit: int) -> bool:
        """Goes on until so many states are there; whether there are more."""
    def find(self) -> bool:
        """Whether there is a fair cycle among them, in which something changes."""
    @property
    def states(self) -> int: ...
    @property
    def width(self) -> int:
        """Words that a state takes."""
    @property
    def complete(self) -> bool:
        """Nothing was left out that threads may do."""
    @property
    def wrong(self) -> bool:
        """A thread comes to an error."""
    @property
    def prefix(self) -> list[tuple[int, int, int, bool, bool, int, int]]: ...
    @property
    def cycle(self) -> list[tuple[int, int, int, bool, bool, int, int]]: ...
    @property
    def standing(self) -> list[tuple[Status, int]]:
        """Where threads stand in the cycle's first state."""

class Emptiness:
    """Looks for a run of a system that an automaton accepts; src/core/states/system.hpp has the structures.

    Code is a list of (operation, a, b). A process: the word of its place, which places are committed, what is asserted
    at each. A transition: its process, from and to, the guard, its parts (kind, target: shared, first, size, index,
    range; value), whether it is atomic, is a fence between stores, stores directly, stores together, watches, and who
    else moves, from and to where. An edge of the automaton: propositions that hold, that fail, target, marks.
    """

    def __init__(
        self,
        cells: int,
        initial: Sequence[int],
        ranges: Sequence[tuple[int, int]],
        processes: Sequence[tuple[int, Sequence[bool], Sequence[Any]]],
        transitions: Sequence[tuple[Any, ...]],
        propositions: Sequence[Any],
        order: StoreOrder,
        room: int,
        fair: bool,
        strict: bool,
        automaton: Sequence[Sequence[tuple[int, int, int, int]]],
        marks: int,
        workers: int,
    ) -> None: ...
    def run(self, seconds: float, limit: int) -> EmptinessEnd: ...
    @property
    def end(self) -> EmptinessEnd:
        """What the last `run` came to."""
    def stores(self, state: Sequence[int]) -> list[tuple[int, list[tuple[int, int]]]]:
        """For each buffer of a state its process, and the stores in it, cell and value, the oldest one first."""
    @property
    def states(self) -> int: ...
    @property
    def product(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def waited(self) -> bool: ...
    @property
    def doubtful(self) -> bool: ...
    @property
    def fault(self) -> StateFault: ...
    @property
    def culprit(self) -> int: ...
    @property
    def prefix(self) -> list[tuple[StateStep, int, list[int]]]: ...
    @property
    def cycle(self) -> list[tuple[StateStep, int, list[int]]]: ...
