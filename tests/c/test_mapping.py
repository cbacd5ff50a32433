"""C programs as they are compiled: nothing shows on the hardware that C's model forbids, and what it allows may show.

Load buffering is the exception: rc11 forbids it for relaxed accesses, hardware does not, and no compiler prevents it.
So the comparison is with rc11 without that constraint. Known results: RC11's mappings are sound (PLDI 2017, POPL 2019).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from c.running import load, main, model, threads

import xgen
from xgen.frontends.mapping import MAPPINGS

MODELS = {"x86": "tso", "armv8": "arm8", "armv8-lse": "arm8", "armv7": "arm", "power": "power", "riscv": "riscv"}
LOADS, STORES = ("relaxed", "acquire", "seq_cst"), ("relaxed", "release", "seq_cst")
ALL = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
PROGRAMS = 12


@cache
def language() -> xgen.Model:
    rc11 = model("rc11")
    return replace(rc11, constraints=tuple(c for c in rc11.constraints if c.name != "no_thin_air"))


def states(text: str, mcm: xgen.Model, **options: object) -> set[str]:
    found = xgen.check(load(text, **options), mcm, all_states=True, trace_limit=0)
    assert found.bounded == 0
    return {str(sorted(outcome.state.items())) for outcome in found.outcomes}


def random_program(random: Random) -> str:
    """Two or three threads with a few atomic accesses to two variables; what is read goes to variables of its own."""
    results = 0
    bodies = []
    for _ in range(random.choice((2, 2, 3))):
        statements = []
        for _ in range(random.choice((1, 2, 2, 3))):
            place, kind = random.choice("xy"), random.choice(("load", "load", "store", "store", "add", "cas", "fence"))
            order = f"memory_order_{random.choice({'load': LOADS, 'store': STORES}.get(kind, ALL))}"
            failure = f"memory_order_{random.choice(LOADS)}"
            result = f"r{results}"
            results += kind in ("load", "add", "cas")
            statements.append(
                {
                    "load": f"{result} = atomic_load_explicit(&{place}, {order});",
                    "store": f"atomic_store_explicit(&{place}, {random.randint(1, 3)}, {order});",
                    "add": f"{result} = atomic_fetch_add_explicit(&{place}, 4, {order});",
                    "cas": f"{{ int e = {random.randint(0, 2)}; {result} = "
                    f"atomic_compare_exchange_strong_explicit(&{place}, &e, 8, {order}, {failure}) ? -1 : e; }}",
                    "fence": f"atomic_thread_fence({order});",
                }[kind]
            )
        bodies.append(" ".join(statements))
    names = "".join(f", r{n}" for n in range(results))
    return "#include <pthread.h>\n#include <stdatomic.h>\n" + threads(
        *bodies, before=f"atomic_int x, y; int none{names};"
    )


@pytest.mark.sweep
@pytest.mark.parametrize("name", sorted(MODELS))
def test_nothing_shows_that_the_language_forbids(name: str) -> None:
    random = Random(name)
    for _ in range(PROGRAMS):
        text = random_program(random)
        assert states(text, model(MODELS[name]), map=name) <= states(text, language()), text


def litmus(order: tuple[str, str], fence: str, *shape: str) -> str:
    load_, store = order
    bodies = [
        part.replace("R(", "atomic_load_explicit(&")
        .replace("W(", "atomic_store_explicit(&")
        .replace("LO", f"memory_order_{load_}")
        .replace("SO", f"memory_order_{store}")
        .replace("FENCE", fence)
        for part in shape
    ]
    return "#include <pthread.h>\n#include <stdatomic.h>\n" + threads(*bodies, before="atomic_int x, y; int a, b;")


SB = ("W(x, 1, SO); FENCE a = R(y, LO);", "W(y, 1, SO); FENCE b = R(x, LO);")
MP = ("W(x, 1, SO); W(y, 1, SO);", "a = R(y, LO); b = R(x, LO);")
RELAXED, ORDERED, STRONG = ("relaxed", "relaxed"), ("acquire", "release"), ("seq_cst", "seq_cst")


@pytest.mark.parametrize(
    ("name", "shape", "order", "fence", "outcomes"),
    [
        *((name, SB, ORDERED, "", 3 if name == "armv8" else 4) for name in MODELS),  # STLR, LDAR: in order
        *((name, SB, STRONG, "", 3) for name in MODELS),
        *((name, SB, RELAXED, "atomic_thread_fence(memory_order_seq_cst);", 3) for name in MODELS),
        *((name, MP, RELAXED, "", 3 if name == "x86" else 4) for name in MODELS),
        *((name, MP, ORDERED, "", 3) for name in MODELS),
    ],
)
def test_classic_shapes(name: str, shape: tuple[str, ...], order: tuple[str, str], fence: str, outcomes: int) -> None:
    assert len(states(litmus(order, fence, *shape), model(MODELS[name]), map=name)) == outcomes


@pytest.mark.parametrize("name", sorted(MODELS))
def test_updates_are_atomic(name: str) -> None:
    for body in ("atomic_fetch_add(&x, 1);", "int e = 0; while (!atomic_compare_exchange_strong(&x, &e, e + 1));"):
        text = "#include <pthread.h>\n#include <stdatomic.h>\n" + threads(body, body, before="atomic_int x;")
        assert states(text, model(MODELS[name]), map=name) == {"[('x', 2)]"}


def test_a_mapping_that_there_is_not() -> None:
    with pytest.raises(xgen.UsageError, match="there is no mapping to `arm`"):
        main("", map="arm")
    assert set(MAPPINGS) == set(MODELS)


def test_weak_compare_exchanges() -> None:
    body = "int e = 0; int ok = atomic_compare_exchange_weak(&x, &e, 1); assert(ok);"
    assert main(body, "atomic_int x;").verdict == "safe"
    result = main(body, "atomic_int x;", weak_cas=True)
    assert result.witness is not None
    assert result.witness.violations[0].kind == "assertion"
    strong = body.replace("_weak", "_strong")
    assert main(strong, "atomic_int x;", weak_cas=True).verdict == "safe"
    loop = "int e = 0; while (!atomic_compare_exchange_weak(&x, &e, e + 1)) ; assert(x == 1);"
    assert main(loop, "atomic_int x;", weak_cas=True).verdict == "safe"


FIRST = {
    "allocated": "atomic_int *p = malloc(sizeof *p); atomic_store(p, 1); shared = p;",
    "a local": "atomic_int own; atomic_store(&own, 1); shared = &own; while (shared) ;",
    "a flag": "atomic_flag *p = malloc(sizeof *p); atomic_flag_clear(p); atomic_flag_test_and_set(p); other = p;",
    "16 bytes": "__int128 *p = aligned_alloc(16, 16); __atomic_store_n(p, 1, __ATOMIC_SEQ_CST); wide = p;",
}
"""Memory that has no value before the first store to it."""
SHARED = "_Atomic(atomic_int *) shared; _Atomic(atomic_flag *) other; _Atomic(__int128 *) wide;"


@pytest.mark.parametrize("what", FIRST)
@pytest.mark.parametrize("name", ["x86", "armv8"])
def test_a_first_store_reads_nothing(name: str, what: str) -> None:
    """Also where it is an update, as on x86."""
    head = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
    text = head + threads(FIRST[what], "atomic_int *p = shared; if (p) { atomic_load(p); shared = 0; }", before=SHARED)
    for classes in ("off", "rf", "values", "seen") if name == "x86" and what != "16 bytes" else ("off",):
        result = xgen.check(load(text, map=name), model(MODELS[name]), classes=classes)
        assert (result.verdict, result.witness) == ("safe", None), classes


@pytest.mark.parametrize("name", sorted(MODELS))
def test_an_update_of_what_has_no_value(name: str) -> None:
    head = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
    for update in ("atomic_exchange(p, 1)", "atomic_fetch_add(p, 1)", "atomic_flag_test_and_set((atomic_flag *)p)"):
        text = head + threads(
            f"atomic_int *p = malloc(sizeof *p); {update}; shared = p;", "none = 1;", before=f"{SHARED} int none;"
        )
        result = xgen.check(load(text, map=name), model(MODELS[name]))
        assert result.witness is not None
        assert result.witness.violations[0].kind == "uninitialised"
