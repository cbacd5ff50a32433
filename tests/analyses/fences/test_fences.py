"""Placements of fences: the table of the shipped programs, and small random programs against all subsets."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import pytest

import xgen
from analyses.fences.fenced import text_with
from analyses.never import Never
from xgen.analyses.fences.fences import Placements, find_fences
from xgen.analyses.fences.kinds import default_kinds, read_kinds
from xgen.analyses.fences.sites import find_gaps, insert
from xgen.engine.graphs.diagnosis import ENDLESS
from xgen.engine.graphs.options import Options
from xgen.errors import UsageError
from xgen.memory.statics.insertion import only_forbids
from xgen.program.automaton import Program
from xgen.program.printer import print_statement
from xgen.resources import shipped


def load(name: str) -> Program:
    return xgen.load(shipped("programs") / f"{name}.xcfa")


def confirmed(answer: Placements, model: xgen.Model) -> None:
    """Each placement is safe, written out and read again; and the first is not with any one piece less."""
    for number in range(len(answer.placements)):
        text = text_with(answer, number)
        assert text is not None
        assert xgen.check(xgen.parse(text), model, max_depth=answer.demand.max_depth).verdict.startswith("safe")
    pieces = answer.placements[0].pieces
    for left in range(len(pieces)):
        fewer = insert(answer.base, pieces[:left] + pieces[left + 1 :])
        assert xgen.check(fewer, model, max_depth=answer.demand.max_depth).verdict == "violation"


# With one kind of fence: program, model, how many fences, how many placements (gaps passed together count once).
TABLE = [
    ("peterson", "tso", 2, 4),
    ("peterson", "pso", 6, 16),
    ("peterson", "weak", 8, 64),
    ("dekker", "tso", 2, 4),
    ("dekker", "pso", 4, 36),
    pytest.param("dekker", "weak", 6, 144, marks=pytest.mark.slow),
    ("burns", "tso", 2, 2),
    ("burns", "pso", 4, 8),
    ("burns", "weak", 6, 32),
    ("szymanski", "tso", 2, 1),
    ("szymanski", "pso", 4, 10),
    pytest.param("szymanski", "weak", 6, 120, marks=pytest.mark.slow),
    ("bakery", "tso", 2, 3),
    ("bakery", "pso", 5, 12),
    pytest.param("bakery", "weak", 8, 96, marks=pytest.mark.slow),
    ("bakery", "arm8", 6, 24),
    ("dijkstra", "tso", 2, 4),
    ("treiber", "tso", 0, 1),
    ("treiber", "pso", 2, 1),
    ("treiber", "weak", 4, 1),
    ("treiber", "power", 2, 1),
    ("ticket_lock", "tso", 0, 1),
    ("ticket_lock", "pso", 2, 1),
    ("ticket_lock", "weak", 4, 4),
    ("ticket_lock", "power", 4, 4),
    ("msqueue", "tso", 0, 1),
    ("msqueue", "pso", 1, 7),
    ("msqueue", "weak", 3, 14),
    ("chase_lev", "tso", 1, 1),
    ("chase_lev", "pso", 2, 1),
    ("chase_lev", "weak", 4, 2),
]


@pytest.mark.sweep
@pytest.mark.parametrize(("program", "name", "fences", "number"), TABLE)
def test_shipped_programs(program: str, name: str, fences: int, number: int) -> None:
    model = xgen.model(name)
    answer = find_fences(load(program), model, kinds="fence=1")
    assert (answer.placements[0].cost, len(answer.placements)) == (fences, number)
    assert (answer.verdict, answer.complete, answer.monotone) == ("fenced" if fences else "safe", True, True)
    confirmed(answer, model)


@pytest.mark.parametrize(
    ("name", "cost", "words"),
    [("pso", 10, ["mfence"] * 2 + ["sfence"] * 4), ("power", 14, ["lwsync"] * 2 + ["sync"] * 4)],
)
def test_two_kinds(name: str, cost: int, words: list[str]) -> None:
    answer = find_fences(load("peterson"), xgen.model(name), cheapest=True)
    assert answer.placements[0].cost == cost
    assert {tuple(sorted(piece.word for piece in p.pieces)) for p in answer.placements} == {tuple(words)}
    assert not answer.complete
    confirmed(answer, xgen.model(name))


# ---- small programs, all subsets


Thread = list[str]


def text_of(threads: list[Thread]) -> str:
    """Straight-line threads; `r0`, `r1`, ... are their locals."""
    parts = ["var x : int\nvar y : int\n"]
    for number, statements in enumerate(threads):
        body = ";\n".join(statements)
        parts.append(
            f"process p{number} {{\nvar r0 : int\nvar r1 : int\nvar r2 : int\ninit loc A\nfinal loc B\n"
            f"A -> B {{\n{body};\n}}\n}}\n"
        )
    return "".join(parts)


def random_threads(seed: int, sizes: tuple[int, ...], order: str = "") -> list[Thread]:
    chance = random.Random(seed)
    threads = []
    for size in sizes:
        statements = []
        for n in range(size):
            place = chance.choice("xy")
            access = chance.choice([f"r{n} <- {place}", f"{chance.randint(1, 2)} -> {place}"])
            statements.append(access + order)
        threads.append(statements)
    return threads


def forbidden(program: Program, model: xgen.Model, chance: random.Random) -> Never | None:
    """An outcome of the model, one that sc has not if there is one."""
    found = [tuple(o.state.items()) for o in xgen.check(program, model, all_states=True).outcomes]
    usual = {tuple(o.state.items()) for o in xgen.check(program, xgen.model("sc"), all_states=True).outcomes}
    weak = [state for state in found if state not in usual]
    if not weak and model.name != "sc":
        return None
    return Never(chance.choice(weak or found))


def closed(kinds: str) -> list[tuple[str, ...]]:
    """The closed sets of kinds."""
    known = read_kinds(kinds)
    sets = []
    for bits in product((False, True), repeat=len(known)):
        names = {kind.name for kind, taken in zip(known, bits, strict=True) if taken}
        if all(set(kind.below) <= names for kind in known if kind.name in names):
            sets.append(tuple(sorted(names)))
    return sets


def fence(names: tuple[str, ...]) -> list[str]:
    """The strongest kinds are enough; those below them are written too: they change nothing."""
    words = {"": "fence", "acquire": "fence @ acquire", "release": "fence @ release", "seq_cst": "fence @ seq_cst"}
    return [words.get(name, f"fence[{name}]") for name in names]


def brute_force(threads: list[Thread], model: xgen.Model, never: Never, kinds: str) -> set[frozenset[tuple[int, str]]]:
    """The minimal safe sets of (gap, kind), by checking all closed ones."""
    levels = closed(kinds)
    gaps = [(t, n) for t, statements in enumerate(threads) for n in range(1, len(statements))]
    safe = []
    for choice in product(levels, repeat=len(gaps)):
        put = dict(zip(gaps, choice, strict=True))
        fenced = [
            [line for n, s in enumerate(statements) for line in (*fence(put.get((t, n), ())), s)]
            for t, statements in enumerate(threads)
        ]
        program = replace(xgen.parse(text_of(fenced)), requirement=never)
        if xgen.check(program, model).verdict == "safe":
            safe.append(frozenset((g, name) for g, names in enumerate(choice) for name in names))
    return {one for one in safe if not any(other < one for other in safe)}


def found_by_search(answer: Placements, kinds: str) -> set[frozenset[tuple[int, str]]]:
    known = {kind.name: (kind.name, *kind.below) for kind in read_kinds(kinds)}
    known["acq_rel"] = ("acquire", "release")
    sites = [(s.places[0].process, s.places[0].index) for s in find_gaps(answer.base)]
    gaps = {site: number for number, site in enumerate(sites)}
    return {
        frozenset(
            (gaps[piece.site.places[0].process, piece.site.places[0].index], name)
            for piece in placement.pieces
            for name in known[piece.word]
        )
        for placement in answer.placements
    }


CASES = [
    ("sc", "fence=1", (2, 2), ""),
    ("tso", "mfence=1", (3, 3), ""),
    ("tso", "mfence=1", (2, 2, 2), ""),
    ("pso", "sfence=1<mfence=3", (3, 3), ""),
    ("weak", "fence=1", (3, 3), ""),
    ("weak", "fence=1", (2, 2, 2), ""),
    pytest.param("power", "lwsync=1<sync=3", (3, 3), "", marks=pytest.mark.slow),
    pytest.param("arm8", "dmb.ld=1<dmb.sy=3,dmb.st=1<dmb.sy", (3, 2), "", marks=pytest.mark.slow),
    pytest.param("rc11", "acquire=1<seq_cst=3,release=1<seq_cst", (3, 2), " @ relaxed", marks=pytest.mark.slow),
]


def problems(name: str, sizes: tuple[int, ...], order: str, number: int) -> Iterator[tuple[list[Thread], Never]]:
    """Random programs with an outcome that is to be forbidden."""
    model, seed = xgen.model(name), 0
    while number:
        seed += 1
        threads = random_threads(seed, sizes, order)
        never = forbidden(xgen.parse(text_of(threads)), model, random.Random(seed))
        if never is not None:
            number -= 1
            yield threads, never


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "kinds", "sizes", "order"), CASES)
def test_all_subsets(name: str, kinds: str, sizes: tuple[int, ...], order: str) -> None:
    model, seen = xgen.model(name), set()
    for threads, never in problems(name, sizes, order, 5):
        program = replace(xgen.parse(text_of(threads)), requirement=never)
        answer = find_fences(program, model, kinds=kinds)
        assert answer.complete
        assert found_by_search(answer, kinds) == brute_force(threads, model, never, kinds), text_of(threads)
        seen.add(answer.verdict)
    assert seen == ({"not-repairable"} if name == "sc" else {"fenced"}) or name in ("rc11", "pso", "power", "arm8")


ORDERS = {"<-": ("", "acquire", "seq_cst"), "->": ("", "release", "seq_cst")}


@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 1, 2, 4, 5))])
def test_orders_against_all_subsets(seed: int) -> None:
    """Orders alone, of two threads with two accesses each: all 81 choices."""
    model = xgen.model("rc11")
    *_, (threads, never) = problems("rc11", (2, 2), " @ relaxed", seed + 1)
    base = [s.removesuffix(" @ relaxed") for thread in threads for s in thread]
    safe = []
    for choice in product(*(range(3) for _ in base)):
        words = [ORDERS["<-" if "<-" in s else "->"][n] or "relaxed" for s, n in zip(base, choice, strict=True)]
        lines = [f"{s} @ {word}" for s, word in zip(base, words, strict=True)]
        program = replace(xgen.parse(text_of([lines[:2], lines[2:]])), requirement=never)
        if xgen.check(program, model).verdict == "safe":
            safe.append(choice)
    least = {
        one
        for one in safe
        if not any(other != one and all(a <= b for a, b in zip(other, one, strict=True)) for other in safe)
    }
    program = replace(xgen.parse(text_of(threads)), requirement=never)
    answer = find_fences(program, model, kinds="seq_cst=100", orders=True)
    found = set()
    for placement in answer.placements:
        if any(piece.site.is_gap for piece in placement.pieces):
            continue
        put = {(p.site.places[0].process, p.site.places[0].statement): p.word for p in placement.pieces}
        words = [put.get((n // 2, n % 2), "") for n in range(4)]
        found.add(tuple(ORDERS["<-" if "<-" in s else "->"].index(w) for s, w in zip(base, words, strict=True)))
    assert answer.complete
    assert found == least


# ---- sites, options, bounds


def test_sites_of_peterson() -> None:
    """Not before the first event, nor behind the last; the end of an edge and the start of the next are one."""
    gaps = [site for site in find_gaps(load("peterson")) if site.thread == "p0"]
    told = [f"{site.where} {print_statement(site.statement)}" for site in gaps]
    assert told == [
        "before 1 -> turn",
        "after 1 -> turn",
        "before flag <- flag1",
        "after flag <- flag1",
        "before t <- turn",
        "after t <- turn",
        "before 0 -> cs",
        "before c <- cs",
        "after c <- cs",
    ]


def test_a_program_that_never_needs_any() -> None:
    answer = find_fences(load("peterson"), xgen.model("sc"))
    assert (answer.verdict, answer.runs, len(answer.placements)) == ("safe", 1, 1)
    assert text_with(answer) == load("peterson").source.text


def test_fences_that_are_there_are_taken_out_or_kept() -> None:
    model = xgen.model("tso")
    fewer = find_fences(load("peterson_fenced"), model)
    assert (fewer.verdict, fewer.placements[0].cost, len(fewer.placements)) == ("fenced", 2, 4)
    kept = find_fences(load("peterson_fenced"), model, keep=True)
    assert (kept.verdict, kept.runs) == ("safe", 1)


def test_only_one_process() -> None:
    answer = find_fences(load("peterson"), xgen.model("tso"), only=["p0"])
    assert answer.verdict == "not-repairable"
    assert answer.witness is not None
    with pytest.raises(UsageError, match="there is no process `p2`"):
        find_fences(load("peterson"), xgen.model("tso"), only=["p2"])


def test_like_processes_get_the_same() -> None:
    answer = find_fences(load("peterson"), xgen.model("tso"), uniform=True)
    assert [(p.cost, len(p.pieces)) for p in answer.placements] == [(2, 1), (2, 1)]
    assert [len(p.site.places) for p in answer.placements[0].pieces] == [2]
    confirmed(answer, xgen.model("tso"))


def test_inserted_fences_do_not_count_for_the_bound() -> None:
    """With a bound of two events per thread the store and the load are seen, whatever stands between them."""
    text = text_of([["1 -> x", "r0 <- y"], ["1 -> y", "r0 <- x"]])
    found = xgen.check(xgen.parse(text), xgen.model("tso"), all_states=True).outcomes
    never = Never(next(tuple(o.state.items()) for o in found if not o.state["p0:r0"] and not o.state["p1:r0"]))
    program = replace(xgen.parse(text), requirement=never)
    for name in ("tso", "arm8"):  # both explorations
        answer = find_fences(program, xgen.model(name), kinds="fence=1", max_depth=2)
        assert (answer.verdict, answer.placements[0].cost) == ("fenced", 2)
        placed = xgen.check(answer.apply(), xgen.model(name), max_depth=2)
        assert (placed.executions, placed.bounded) == (3, 0)
        read = xgen.check(xgen.parse(text_with_fences(text)), xgen.model(name), max_depth=2)
        assert (read.executions, read.bounded > 0) == (0, True)


def text_with_fences(text: str) -> str:
    return text.replace(";\nr0", ";\nfence;\nr0")


def test_within_a_bound() -> None:
    answer = find_fences(load("dijkstra"), xgen.model("pso"), kinds="fence=1", max_depth=12, cheapest=True)
    assert answer.verdict == "fenced-within-bound"
    assert answer.placements[0].cost >= 2


def test_why() -> None:
    answer = find_fences(load("peterson"), xgen.model("tso"), why=True)
    for placement in answer.placements:
        assert len(placement.needed) == len(placement.pieces) == 2
        assert all(execution is not None and execution.violations for execution in placement.needed)


def test_the_limit() -> None:
    answer = find_fences(load("peterson"), xgen.model("tso"), limit=2)
    assert (len(answer.placements), answer.complete, answer.why_not) == (2, False, "the search ended after 2")


def test_no_time() -> None:
    answer = find_fences(load("peterson"), xgen.model("tso"), timeout=1e-9)
    assert (answer.verdict, answer.stopped, answer.complete) == ("interrupted", "timeout", False)


@pytest.mark.parametrize("last", [5, 20, 60])
def test_what_was_found_before_an_interrupt(last: int) -> None:
    """Ctrl-C in a run: the placements so far, each of them safe, and nothing claimed of others."""

    def stop(runs: int, _: int) -> None:
        if runs == last:
            raise KeyboardInterrupt

    model = xgen.model("weak")
    answer = find_fences(load("peterson"), model, on_progress=stop)
    assert (answer.stopped, answer.complete, answer.why_not) == ("interrupt", False, "the search was interrupted")
    assert answer.verdict == ("fenced" if answer.placements else "interrupted")
    assert (last < 10) == (not answer.placements)
    for number in range(len(answer.placements)):
        assert xgen.check(answer.apply(number), model).verdict == "safe"


def test_orders_of_the_spinlock() -> None:
    model = xgen.model("rc11")
    answer = find_fences(load("spinlock"), model, orders=True, cheapest=True)
    assert answer.verdict == "fenced"
    confirmed(answer, model)


def test_orders_need_a_model_that_has_them() -> None:
    with pytest.raises(UsageError, match="the model weak knows no orders"):
        find_fences(load("peterson"), xgen.model("weak"), orders=True)


# ---- kinds


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("sc", "fence=1"),
        ("tso", "mfence=1"),
        ("pso", "sfence=1<mfence=3"),
        ("power", "lwsync=1<sync=3"),
        ("arm8", "dmb.ld=1<dmb.sy=3,dmb.st=1<dmb.sy"),
        ("arm", "dmb.st=1<dmb=3"),
        ("riscv", "fence.r.rw=1<fence.tso=3<fence.rw.rw=4,fence.rw.w=1<fence.tso"),
        ("rc11", "acquire=1<seq_cst=3,release=1<seq_cst"),
        ("lkmm", "rmb=1<mb=3,wmb=1<mb"),
        ("weak", "fence=1"),
    ],
)
def test_the_kinds_of_models(name: str, kinds: str) -> None:
    assert default_kinds(xgen.model(name)) == kinds
    assert read_kinds(kinds)


def test_kinds_are_read() -> None:
    kinds = read_kinds("lwsync < sync, isync=5")
    assert [(k.name, k.cost, k.weight, k.below) for k in kinds] == [
        ("lwsync", 1, 1, ()),
        ("isync", 5, 5, ()),
        ("sync", 2, 1, ("lwsync",)),
    ]


@pytest.mark.parametrize(
    ("kinds", "message", "hint"),
    [
        ("", "`` is no kind of fence", "kinds are written lwsync=1<sync=3"),
        ("sync=", "`sync=` is no kind of fence", "kinds are written lwsync=1<sync=3"),
        ("sync=-1", "`sync=-1` is no kind of fence", "kinds are written lwsync=1<sync=3"),
        ("synk=1", "there is no kind of fence `synk`", "did you mean `sync`?"),
        ("relaxed=1", "there is no kind of fence `relaxed`", None),
        ("sync=0", "`sync` costs 0, and what is weaker costs 0 already", "a stronger kind has to cost more"),
        ("lwsync=3<sync=3", "`sync` costs 3, and what is weaker costs 3 already", "a stronger kind has to cost more"),
        ("lwsync=1<sync=3,sync=4", "`sync` has two costs, 3 and 4", None),
        ("lwsync<sync,sync<lwsync", "each of these would be weaker than itself", None),
    ],
)
def test_kinds_that_make_no_sense(kinds: str, message: str, hint: str | None) -> None:
    with pytest.raises(UsageError) as error:
        read_kinds(kinds)
    assert error.value.message == message
    assert hint is None or (error.value.hint or "").startswith(hint)


# ---- do fences only forbid?


@pytest.mark.parametrize("name", ["sc", "tso", "pso", "weak", "weak-a9", "power", "arm", "arm8", "riscv", "rc11", "ra"])
def test_fences_only_forbid(name: str) -> None:
    assert only_forbids(xgen.model(name)) == (True, "")


def test_orders_only_forbid_in_rc11() -> None:
    assert only_forbids(xgen.model("rc11"), orders=True) == (True, "")


def test_a_model_in_which_a_fence_adds_behaviour() -> None:
    """Only what stands directly behind a store is ordered: a fence between allows store buffering."""
    lines = ["next = (po \\ (po ; po))(W -> R)", "all = next | rf | mo | fr", 'all acyclic as next_first "x"']
    model = xgen.parse_model("\n".join(['model "immediate"', *lines, ""]))
    assert only_forbids(model) == (
        False,
        "the form of the constraint `next_first` does not show that fences only forbid",
    )
    threads = [["1 -> x", "r0 <- y"], ["1 -> y", "r0 <- x"]]
    found = xgen.check(xgen.parse(text_of(threads)), xgen.model("tso"), all_states=True).outcomes
    never = Never(next(tuple(o.state.items()) for o in found if not o.state["p0:r0"] and not o.state["p1:r0"]))
    bare = replace(xgen.parse(text_of(threads)), requirement=never)
    assert xgen.check(bare, model).verdict == "safe"
    fenced = replace(xgen.parse(text_with_fences(text_of(threads))), requirement=never)
    assert xgen.check(fenced, model).verdict == "violation"


@pytest.mark.parametrize("name", ["tso", "pso", "power", "arm8", "rc11"])
def test_nothing_is_said_of_the_tags_of_fences_that_are_tried(name: str) -> None:
    """A full fence has a tag that pso does not name; of one that is the program's, that is told."""
    text = "var x : int var y : int process p { var a : int 1 -> x; FENCE a <- y; assert a < 2; 2 -> y; }"
    model = xgen.model(name)
    assert find_fences(xgen.parse(text.replace("FENCE", "")), model, limit=1).warnings == ()
    own = find_fences(xgen.parse(text.replace("FENCE", "fence[smp];")), model, limit=1).warnings
    assert any("`fence[smp]`" in sentence for sentence in own)
    assert not any(sentence.startswith("note: ") for sentence in own)


def test_the_loop_that_goes_on_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no answer, for want of a bound perhaps: one place of each thread."""
    from xgen.analyses.fences import demands, fences

    class Endless:
        core, outgrown = SimpleNamespace(witness=None), False

        def __init__(self, _: object, options: Options) -> None:
            self.seconds = 1.0
            self.gave_up = options.graphs is not None
            self.stopped = None if self.gave_up else "timeout"

        def finish(self) -> None: ...

    places = [("p", 3), ("p", 4), ("q", 7)]
    said = tuple(
        f"{t} still goes on after 64 events, at line {n}, before `a`; {ENDLESS}--max-depth 20" for t, n in places
    )
    said = (*said, f"r went round a loop 32 times: line 8 (`b`), and again; {ENDLESS}--max-depth 20")
    monkeypatch.setattr(demands, "Run", Endless)
    monkeypatch.setattr(demands, "found_by", lambda _: SimpleNamespace(cuts=said))
    monkeypatch.setattr(demands, "result_of", lambda *_: SimpleNamespace(warnings=("other", *said)))
    found = find_fences(xgen.parse("var x : int process p { 1 -> x; 2 -> x; }"), xgen.model("tso"))
    assert (found.verdict, found.complete) == ("interrupted", False)
    assert found.warnings == (
        "p still goes on after 64 events, at line 3, before `a`",
        "q still goes on after 64 events, at line 7, before `a`",
        "r went round a loop 32 times: line 8 (`b`), and again",
        fences.ENDLESS,
    )
