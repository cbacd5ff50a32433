"""Threads that wait for ever where not each thread goes on (`--schedule`)."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest
from oracle.buffers.fair import Memory, Schedule, Threads, Writer, hangs, random_handing_on, random_threads, to_xcfa

import xgen
from xgen.errors import UnsupportedError, UsageError
from xgen.executions.result import Result
from xgen.records import replace
from xgen.views.answers import text
from xgen.views.answers.json import render
from xgen.views.answers.witness import thread_end

SCHEDULES: tuple[Schedule, ...] = ("fair", "lobe", "obe", "hsa")


@cache
def model(name: str) -> xgen.Model:
    return xgen.model(name)


def check(program: str | xgen.Program, schedule: Schedule, memory: str = "sc", **options: object) -> Result:
    parsed = xgen.parse(program, "xcfa") if isinstance(program, str) else program
    return xgen.check(parsed, model(memory), schedule=schedule, liveness=True, **options)  # type: ignore[arg-type]


def hanging(program: str | xgen.Program, memory: str = "sc") -> str:
    """The schedules under which a thread waits for ever."""
    found = {schedule: check(program, schedule, memory) for schedule in SCHEDULES}
    assert {each.verdict for each in found.values()} <= {"safe", "violation"}
    for each in found.values():
        if each.witness is not None:
            assert {violation.kind for violation in each.witness.violations} == {"await"}
    return " ".join(schedule for schedule in SCHEDULES if found[schedule].verdict == "violation")


def threads(*writers: Writer) -> Threads:
    return tuple(tuple(writer.steps) for writer in writers)


def locks(count: int) -> Threads:
    """Each takes a lock, and gives it back."""
    writers = [Writer() for _ in range(count)]
    for writer in writers:
        writer.take("m", waiting_first=False)
        writer.store("m", 0)
    return threads(*writers)


def message(up: bool) -> Threads:
    """One tells the other something, which waits for that: the one with the lower number, if it goes `up`."""
    teller, waiter = Writer(), Writer()
    teller.store("x", 1)
    waiter.wait(("x", 1))
    return threads(teller, waiter) if up else threads(waiter, teller)


def barrier() -> Threads:
    """Each says that it has come, and waits for all others."""
    writers = [Writer() for _ in range(3)]
    for number, writer in enumerate(writers):
        writer.store("abc"[number], 1)
        for other in "abc".replace("abc"[number], ""):
            writer.wait((other, 1))
    return threads(*writers)


def looking_back() -> Threads:
    """Each waits for what the one before it says (a scan with decoupled look-back)."""
    writers = [Writer() for _ in range(3)]
    for number, writer in enumerate(writers):
        if number:
            writer.wait(("abc"[number - 1], 1))
        writer.store("abc"[number], 1)
    return threads(*writers)


def lock_with_message() -> Threads:
    """The last one sets free what the first one waits for, who holds a lock that the last one needs."""
    first, last = Writer(), Writer()
    for writer in (first, last):
        writer.take("m", waiting_first=False)
        writer.wait(("x", 1)) if writer is first else writer.store("x", 1)
        writer.store("m", 0)
    return threads(first, last)


@pytest.mark.parametrize("memory", ["sc", "tso", "rc11", "arm8"])
@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (locks(2), "hsa"),
        (locks(3), "hsa"),
        (message(up=True), "obe"),
        (message(up=False), "lobe obe hsa"),
        (barrier(), "lobe obe hsa"),
        (looking_back(), "obe"),
        (lock_with_message(), "fair lobe obe hsa"),
    ],
    ids=["lock", "three locks", "message up", "message down", "barrier", "look-back", "wait in a lock"],
)
def test_what_each_schedule_allows(program: Threads, expected: str, memory: str) -> None:
    tag = "relaxed" if memory == "rc11" else ""
    assert hanging(to_xcfa(program, tag), memory) == expected
    if memory in ("sc", "tso") and len(program) < 3:
        assert " ".join(each for each in SCHEDULES if hangs(program, "tso", each)) == expected


@pytest.mark.parametrize("seeds", [range(16), pytest.param(range(16, 120), marks=pytest.mark.slow)], ids=str)
def test_against_the_runs_of_machines(seeds: range) -> None:
    seen = set()
    for seed in seeds:
        program = (random_handing_on if seed % 4 else random_threads)(Random(seed))
        memory: Memory = "sc" if seed % 3 else "tso"
        for schedule in SCHEDULES:
            expected = hangs(program, memory, schedule)
            seen.add((schedule, expected))
            found = check(to_xcfa(program), schedule, memory)
            assert found.verdict == ("violation" if expected else "safe"), f"{to_xcfa(program)}{memory}, {schedule}"
    assert len(seen) == 2 * len(SCHEDULES)


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 60), marks=pytest.mark.slow)], ids=str)
def test_a_host_that_starts_all_at_first_changes_nothing(seeds: range) -> None:
    for seed in seeds:
        rng = Random(seed)
        program = random_handing_on(rng)
        names = [f"p{number}" for number in range(len(program))]
        does = [*(f"start {name}" for name in names), *(f"join {name}" for name in rng.sample(names, len(names)))]
        host = f"process host {{ init loc A final loc B A -> B {{ {'; '.join(does)} }} }}\n"
        for schedule in SCHEDULES:
            expected = hangs(program, "sc", schedule)
            found = check(to_xcfa(program) + host, schedule)
            assert found.verdict == ("violation" if expected else "safe"), f"{to_xcfa(program)}{host}{schedule}"


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 80), marks=pytest.mark.slow)], ids=str)
def test_locks_that_are_taken_by_exchanges(seeds: range) -> None:
    """One that fails writes what it has read, so that the verdicts are those of compare-and-swaps."""
    taken = 0
    for seed in seeds:
        program = random_handing_on(Random(seed))
        text = to_xcfa(program).replace("cas(m, 0, 1)", "exchange(m, 1)")
        taken += "exchange" in text
        for schedule in SCHEDULES if "exchange" in text else ():
            expected = hangs(program, "sc", schedule)
            assert check(text, schedule).verdict == ("violation" if expected else "safe"), f"{text}{schedule}"
    assert taken > 3


@pytest.mark.parametrize("memory", ["sc", "tso", "arm8"])
def test_a_thread_stops_with_a_lock_that_others_try_to_exchange(memory: str) -> None:
    """Rounds that write what they have read have an end where threads may stop in them."""
    body = """{ var r : int init loc A loc B loc C final loc D
  A -> B { r <- exchange(m, 1) } B -> A { assume r = 1 } B -> C { assume r = 0 } C -> D { 0 -> m } }
"""
    text = f"var m : int\nprocess p {body}process q {body}"
    assert [check(text, schedule, memory).verdict for schedule in ("obe", "hsa")] == ["safe", "violation"]


PHASES = """var x : int
process host {{ init loc A final loc B A -> B {{ {0} }} }}
process p {{ var r : int init loc A loc B final loc C
  A -> B {{ r <- x }} B -> A {{ assume r = 0 }} B -> C {{ assume r = 1 }} }}
process q {{ init loc A final loc B A -> B {{ 1 -> x }} }}
process s {{ init loc A final loc B A -> B {{ 1 -> x }} }}
"""


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("start q; start s; join q; start p; join s; join p", ""),
        ("start q; start p; start s; join q; join p; join s", "obe"),
        ("start p; start q; start s; join q; join p; join s", "lobe obe hsa"),
    ],
    ids=["who waits begins behind who tells", "between those who tell", "before these"],
)
def test_threads_have_numbers_as_they_are_started(host: str, expected: str) -> None:
    """The first waits for one that has begun, and ended, before it is there."""
    assert hanging(PHASES.format(host)) == expected


def test_like_threads_with_which_a_host_does_not_do_the_same() -> None:
    """Without q the host never starts p, and without s, which is like q, it does, and p waits for both."""
    text = PHASES.format("start q; start s; join q; start p; join s; join p").replace("1 -> x", "r <- fetch_add(x, 1)")
    both = text.replace("assume r = 0", "assume r < 2").replace("assume r = 1", "assume r = 2")
    both = both.replace("process q {", "process q { var r : int").replace("process s {", "process s { var r : int")
    assert hanging(both) == "obe"


def test_who_is_started_behind_the_end_of_one_with_a_higher_number() -> None:
    text = """var x : int
process host { var r : int init loc A loc B final loc C
  A -> B { r <- x; start q; join q } B -> C { assume r = 0; start p } B -> C { assume r /= 0; start p } }
process p { init loc A final loc B A -> B { 1 -> x } }
process q { init loc A final loc B A -> B { 1 -> x } }
"""
    assert hanging(text) == ""
    wrong = text.replace("A -> B { r <- x; start q; join q }", "A -> B { r <- x } A -> B { start p; start q; join q }")
    with pytest.raises(UnsupportedError, match="host may start p when it has waited for the end of q"):
        check(wrong, "hsa")


def in_blocks(program: Threads, blocks: list[int]) -> str:
    """The text of a program whose threads are in these blocks."""
    head, *processes = to_xcfa(program, "TAG").split("process ")
    told = [each.replace("TAG", f"cta.g0.c{block}") for each, block in zip(processes, blocks, strict=True)]
    return "process ".join((head, *told))


@pytest.mark.parametrize("tag", ["cta.g0.c{}", "wg.d0.w{}", "workgroup.a0.w{}"], ids=["PTX", "OpenCL", "HIP"])
def test_blocks_have_the_names_that_readers_give_them(tag: str) -> None:
    program = in_blocks(message(up=False), [0, 0]).replace("cta.g0.c0", tag.format(0))
    assert hanging(program) == ""
    apart = in_blocks(message(up=False), [0, 1]).replace("cta.g0.c0", tag.format(0)).replace("cta.g0.c1", tag.format(1))
    assert hanging(apart) == "lobe obe hsa"


@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(10, 60), marks=pytest.mark.slow)], ids=str)
def test_blocks_against_the_runs_of_a_machine(seeds: range) -> None:
    """The threads of a block begin together, and go on together; the order of blocks is that of their numbers."""
    differs = 0
    for seed in seeds:
        rng = Random(seed)
        program = (*random_handing_on(rng), *(random_handing_on(rng)[:1] if seed % 2 else ()))
        blocks = [rng.randrange(2) for _ in program]
        units = tuple(tuple(n for n, block in enumerate(blocks) if block == number) for number in sorted(set(blocks)))
        for schedule in SCHEDULES:
            expected = hangs(program, "sc", schedule, units)
            differs += expected != hangs(program, "sc", schedule)
            found = check(in_blocks(program, blocks), schedule)
            assert found.verdict == ("violation" if expected else "safe"), f"{in_blocks(program, blocks)}{schedule}"
    assert differs


LOOK_BACK = """PTX lookback
{{ a=0; b=0; }}
 P0@cta {0},gpu 0          | P1@cta {1},gpu 0          | P2@cta 2,gpu 0            ;
 st.release.gpu a, 1       | L1:                       | L2:                       ;
                           | ld.acquire.gpu r0, a      | ld.acquire.gpu r0, b      ;
                           | bne r0, 1, L1             | bne r0, 1, L2             ;
                           | st.release.gpu b, 1       |                           ;
exists (1:r0=1)
"""


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [(0, 1, "obe"), (1, 0, "lobe obe hsa"), (0, 0, "obe")],
    ids=["in order", "the wrong way round", "two in a block"],
)
def test_blocks_of_a_gpu(first: int, second: int, expected: str) -> None:
    assert hanging(xgen.parse(LOOK_BACK.format(first, second), "litmus"), "ptx") == expected


def test_threads_of_one_block_wait_for_each_other() -> None:
    test = LOOK_BACK.format(0, 0).replace("P2@cta 2", "P2@cta 0")
    assert hanging(xgen.parse(test, "litmus"), "ptx") == ""


C = """#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *wait(void *x) { while (!atomic_load(&flag)) ; return x; }
static void *tell(void *x) { atomic_store(&flag, 1); return x; }
static void *lock(void *x) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); return x; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, FIRST, 0);
  pthread_create(&u, 0, SECOND, 0);
  pthread_join(u, 0);
  pthread_join(t, 0);
}
"""


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("wait", "tell", "lobe obe hsa"),
        ("tell", "wait", "obe"),
        ("tell", "tell", ""),  # main waits for the end of one that has not begun, which is no waiting
        ("lock", "lock", "hsa"),
    ],
)
def test_main_that_starts_the_others_goes_on(first: str, second: str, expected: str) -> None:
    program = xgen.parse(C.replace("FIRST", first).replace("SECOND", second), "c")
    assert hanging(program, "rc11") == expected


def test_main_that_waits_itself() -> None:
    """It has begun, whoever else has; which threads go on beside it, `hsa` does not say."""
    text = C.replace("FIRST", "tell").replace("SECOND", "tell").replace("pthread_join(u, 0);", "wait(0);")
    program = xgen.parse(text, "c")
    assert [check(program, each, "rc11").verdict for each in ("fair", "lobe", "obe")] == ["safe", *["violation"] * 2]
    with pytest.raises(UnsupportedError, match=r"hsa.*main, which starts the others, may wait for them"):
        check(program, "hsa", "rc11")


NESTED = """var x : int
process host { init loc A final loc B A -> B { start p; join p } }
process p { init loc A final loc B A -> B { start q; join q } }
process q { init loc A final loc B A -> B { 1 -> x } }
"""


def test_who_goes_on_is_not_known_where_several_start_threads() -> None:
    with pytest.raises(UnsupportedError, match=r"`--schedule obe` does not say .*: host and p\n") as refused:
        check(NESTED, "obe")
    assert "one thread starts all others" in str(refused.value.hint)
    assert check(NESTED, "fair").verdict == "safe"


def test_a_lock_between_stops() -> None:
    """A thread may stop with a mutex, at a barrier before it has come, and not in an atomic block."""
    lock = "process {0} {{ init loc A final loc B A -> B {{ lock(m); unlock(m) }} }}\n"
    assert hanging("var m : synthetic\n" + lock.format("p") + lock.format("q")) == "hsa"
    meet = "process {0} {{ init loc A final loc B A -> B {{ meet(b, 0, p, q) }} }}\n"
    assert hanging(meet.format("p") + meet.format("q")) == "lobe obe hsa"
    block = """var x : int
process p { var r : int init loc A loc B final loc C
  A -> B { r <- x } B -> A { assume r = 1 } B -> C { assume r /= 1 } }
process q { init loc A final loc B A -> B { atomic-begin; 1 -> x; 2 -> x; atomic-end } }
"""
    assert hanging(block) == ""
    assert hanging(block.replace("atomic-begin; ", "").replace("; atomic-end", "")) == "hsa"


def test_what_is_said_of_threads_that_go_no_further() -> None:
    result = check(to_xcfa(locks(2)), "hsa")
    assert result.witness is not None
    assert result.witness.ends == ("blocked", "stopped")
    assert [violation.thread for violation in result.witness.violations] == [0]
    shown = text.render(result)
    assert "(model sc, schedule hsa, no bound" in shown.splitlines()[0]
    assert "(has stopped)" in shown
    assert "p1 has stopped" in shown
    part = replace(result.witness, hidden=(0, 3))
    assert thread_end(part, 1) == "3 more events, and it has stopped"
    told = json.loads(render(result))
    assert (told["schedule"], told["witness"]["ends"]) == ("hsa", ["blocked", "stopped"])
    late = check(to_xcfa(message(up=True)), "obe")
    assert late.witness is not None
    assert late.witness.ends == ("not-begun", "blocked")
    assert "(has not begun)" in text.render(late)
    assert "safe, and no thread waits for ever (model sc, schedule lobe, " in text.verdict_line(
        check(to_xcfa(message(up=True)), "lobe")
    )


def test_it_asks_for_liveness() -> None:
    program = xgen.parse(to_xcfa(message(up=True)), "xcfa")
    assert xgen.check(program, model("sc"), schedule="lobe").liveness
    assert xgen.check(program, model("sc"), schedule="obe").verdict == "violation"
    with pytest.raises(UsageError, match="needs `liveness`"):
        xgen.check(program, model("sc"), schedule="obe", liveness=False)


def test_no_answer_in_time() -> None:
    """What has not been looked at is not said to be safe."""
    result = check(to_xcfa(looking_back()), "hsa", timeout=1e-9)
    assert result.verdict == "interrupted"


def test_a_bound_is_told() -> None:
    counts = """var x : int
var y : int
process p { var n : int var r : int init loc A loc B final loc C A -> B { r <- x }
  B -> A { assume r = 0; n := n + 1; n -> y } B -> C { assume r = 1 } }
process q { init loc A final loc B A -> B { 1 -> x } }
"""
    result = check(counts, "hsa", max_depth=6)
    assert (result.verdict, result.cut) == ("safe-within-bound", True)
