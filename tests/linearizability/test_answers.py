"""Answers: forms of functions, specifications, roles, what is published, what waits, and how far a run has come."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.fake import run

import xgen
from xgen import sources
from xgen.analyses.linearizability.graphs import ByGraphs
from xgen.clock import OutOfTime

HEAD = "#include <stdatomic.h>\n#include <stdbool.h>\n#include <pthread.h>\n"
LOCKED = "pthread_mutex_t m;\n"
FORMS = {
    # A place for one value under a lock, in each form that functions may have.
    "void f(T), T f(void)": "int s;\nvoid put(int v) { LOCK s = v; UNLOCK }\n"
        "int take(void) { LOCK int v = s; s = 0; UNLOCK return v; }",
    "bool f(T), bool f(T *)": "int s;\nbool put(int v) { LOCK bool ok = !s; if (ok) s = v; UNLOCK return ok; }\n"
    "bool take(int *v) { LOCK bool ok = s; if (ok) *v = s; s = 0; UNLOCK return ok; }",
    "int f(T), int f(T *): 0 is success": "int s;\n"
        "int put(int v) { LOCK int no = s != 0; if (!no) s = v; UNLOCK return no; }\n"
    "int take(int *v) { LOCK int no = !s; if (s) *v = s; s = 0; UNLOCK return no ? -11 : 0; }",
    "int f(T), int f(T *): 1 is success": "int s;\n"
        "int put(int v) { LOCK int ok = !s; if (ok) s = v; UNLOCK return ok; }\n"
    "int take(int *v) { LOCK int ok = s != 0; if (ok) *v = s; s = 0; UNLOCK return ok; }",
    "-1 where there is nothing": "long s = -1;\nvoid put(unsigned char v) { LOCK s = v; UNLOCK }\n"
    "long take(void) { LOCK long v = s; s = -1; UNLOCK return v; }",
    "pointers": "void *s;\nbool put(void *v) { LOCK bool ok = !s; if (ok) s = v; UNLOCK return ok; }\n"
    "void *take(void) { LOCK void *v = s; s = 0; UNLOCK return v; }",
    "pointers through pointers": "int *s;\nvoid put(int *v) { LOCK s = v; UNLOCK }\n"
    "bool take(int **v) { LOCK bool ok = s != 0; if (ok) *v = s; s = 0; UNLOCK return ok; }",
    "the object first": "typedef struct { int s; pthread_mutex_t l; } box_t;\n"
    "void box_init(box_t *b) { b->s = 0; pthread_mutex_init(&b->l, 0); }\n"
    "bool box_put(box_t *b, const int v) { pthread_mutex_lock(&b->l); b->s = v; pthread_mutex_unlock(&b->l); "
        "return true; }\n"
    "int box_take(box_t *b) { pthread_mutex_lock(&b->l); int v = b->s; b->s = 0; pthread_mutex_unlock(&b->l); "
        "return v; }",
    "static, of a header": "static int s;\nstatic inline void put(int v) { LOCK s = v; UNLOCK }\n"
    "static inline int take(void) { LOCK int v = s; s = 0; UNLOCK return v; }",
}  # fmt: skip


def text(body: str, lock: bool = True) -> str:
    words = ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);") if lock else ("", "")
    return HEAD + LOCKED + body.replace("UNLOCK", words[1]).replace("LOCK", words[0]) + "\n"


LEFT_OUT = [
    ("", {}, []),
    ("bool up(void) { return true; } static void own(void) {}", {}, ["note: clients do not call `up`; --ops says"]),
    (" ".join(f"void f{k}(void) {{}}" for k in range(6)), {}, ["`f0`, `f1`, `f2`, `f3` and 2 others;"]),
    ("void up(void) {}", {"ops": "put=put,get=take"}, []),
]


@pytest.mark.parametrize(("more", "options", "notes"), LEFT_OUT)
def test_functions_that_no_client_calls_are_named(
    more: str, options: dict[str, Any], notes: list[str], folder: Path
) -> None:
    (folder / "box.c").write_text(text(FORMS["void f(T), T f(void)"] + more))
    answer = xgen.linearizable("box.c", model=xgen.model("sc"), calls=1, **options)
    assert len(answer.notes) == len(notes)
    assert all(said in note for said, note in zip(notes, answer.notes, strict=True))


@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_functions(form: str, folder: Path) -> None:
    """It is right with its lock. Of two calls without it, a data race is found."""
    (folder / "box.c").write_text(text(FORMS[form]))
    answer = xgen.linearizable("box.c", model=xgen.model("rc11"), calls=2)
    assert (answer.verdict, answer.clients, answer.stopped) == ("linearizable", 6, None)
    if "box_t" in FORMS[form]:
        return
    (folder / "box.c").write_text(text(FORMS[form], lock=False))
    answer = xgen.linearizable("box.c", model=xgen.model("rc11"), calls=2)
    assert answer.verdict == "violation"
    assert answer.wrong is not None
    assert answer.wrong.violation is not None
    assert answer.wrong.violation.kind == "race"


@pytest.mark.parametrize("form", FORMS)
def test_a_client_is_written_that_check_sees_fail(form: str, folder: Path) -> None:
    """A take that gives the value back without taking it: with the file itself it is right, a queue it is not."""
    broken = (
        FORMS[form].replace("b->s = 0; pthread_mutex_unlock", "pthread_mutex_unlock").replace("s = 0; UNLOCK", "UNLOCK")
    )
    broken = broken.replace("s = -1; UNLOCK", "UNLOCK")
    (folder / "box.c").write_text(text(broken))
    (folder / "sub").mkdir()
    found = run(
        "linearizable", "box.c", "--spec", "queue", "--calls", "2", "--write", "sub/client.c", "--format", "json"
    )
    document = json.loads(found.stdout)
    assert (found.exit_code, document["verdict"]) == (1, "not-linearizable"), found.stdout
    assert '#include "../box.c"' in (folder / "sub" / "client.c").read_text()
    checked = run("check", "sub/client.c", "-q")
    assert (checked.exit_code, checked.stdout.split(" at ")[0]) == (1, "violation: assertion violated")


RELAXED = (
    HEAD
    + """atomic_int slot;
void put(int v) { atomic_store_explicit(&slot, v, ORDER); }
int get(void) { return atomic_load_explicit(&slot, memory_order_acquire); }
"""
)


def test_values_are_published(folder: Path) -> None:
    (folder / "slot.c").write_text(RELAXED)
    right = run("linearizable", "slot.c", "--calls", "2", "-q", "-DORDER=memory_order_release")
    assert (right.exit_code, right.stdout.split(" (")[0]) == (0, "linearizable: all clients of up to 2 calls")
    wrong = run("linearizable", "slot.c", "--calls", "2", "-q", "-DORDER=memory_order_relaxed")
    assert (wrong.exit_code, wrong.stdout) == (
        1,
        "violation: values are not published (model rc11, client 3, 2 calls)\n",
    )
    # On a machine there are no races: the cell is seen before it is written.
    for order, code in (("release", 0), ("relaxed", 1)):
        found = run("linearizable", "slot.c", "--calls", "2", "--on", "armv8", f"-DORDER=memory_order_{order}")
        assert found.exit_code == code, found.stdout


RACE = "int slot;\nvoid put(int v) { slot = v; }\nint get(void) { return slot; }\n"
LOST = """atomic_int s, n;
void put(int v) { if (atomic_fetch_add(&n, 1) == 0) atomic_store(&s, v); }
int take(void) { int v; while (!(v = atomic_exchange(&s, 0))) ; return v; }
"""
HASTY = """atomic_int slot;
void put(int v) { atomic_store(&slot, v); }
int get(void) { int v = atomic_load(&slot); atomic_store(&slot, 0); return v; }
"""


@pytest.mark.parametrize(
    ("text", "options", "line"),
    [
        (
            RACE,
            [],
            "object.c:{2}:19: error: data race on slot in thread_2 (model rc11) [race]\nobject.c:{3}:24: note: ",
        ),
        (
            LOST,
            ["--spec", "queue"],
            "object.c:{3}:5: error: not linearizable: take() waits for ever, and may not (model",
        ),
        (HASTY, [], "object.c:{3}:5: error: not linearizable: no order of the calls explains get() = 1 and get() = 1"),
        (
            RELAXED[len(HEAD) :],
            ["-DORDER=memory_order_relaxed"],
            "object.c:{3}:5: error: values are not published (mod",
        ),
        (RELAXED[len(HEAD) :], ["-DORDER=memory_order_release"], ""),
    ],
    ids=["race", "await", "not-linearizable", "unpublished", "right"],
)
def test_lines_on_standard_error(
    text: str, options: list[str], line: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    """At the error, or at the operation whose call nothing explains; none where nothing is wrong."""
    (folder / "object.c").write_text(HEAD + text)
    before = HEAD.count("\n")
    found = run("linearizable", "object.c", "--calls", "2", "-q", *options).stderr
    assert found.startswith(line.format(*(before + n for n in range(9))))
    assert found.count("error:") == (1 if line else 0)
    kind = {"unpublished": "race"}.get(name := request.node.callspec.id, name)
    assert not line or found.split("\n")[0].endswith(f"[{kind}]")
    assert run("linearizable", "object.c", "--calls", "2", "-q", "--errors", "none", *options).stderr == ""


FLAGS = (
    HEAD
    + """atomic_int a, b;
int set_a(void) { atomic_store_explicit(&a, 1, memory_order_release); return 1; }
int set_b(void) { atomic_store_explicit(&b, 1, memory_order_release); return 1; }
int get_a(void) { return atomic_load_explicit(&a, memory_order_acquire) + 1; }
int get_b(void) { return atomic_load_explicit(&b, memory_order_acquire) + 1; }
"""
)
OPS = "do=set_a,do=set_b,do=get_a,do=get_b"


@pytest.mark.parametrize(
    ("model", "options", "client", "orders"),
    [
        ("rc11", {}, "set_a | set_b | get_a | get_b", 2),
        ("tso", {}, "set_a get_b | set_b get_a", 0),
        ("tso", {}, "set_a | set_b | get_a | get_b", None),
        ("sc", {}, "set_a | set_b | get_a | get_b", None),
        ("arm8", {"map": "armv8"}, "set_a get_b | set_b get_a", None),
    ],
)
def test_two_flags(model: str, options: dict[str, Any], client: str, orders: int | None, folder: Path) -> None:
    """Store buffering as an object: what the client knows of its calls shows it, or that threads make several "
    "calls."""
    (folder / "flags.c").write_text(FLAGS)
    answer = xgen.linearizable("flags.c", model=xgen.model(model), ops=OPS, client=client, **options)
    assert answer.verdict == ("linearizable" if orders is None else "not-linearizable")
    assert answer.wrong is None or len(answer.wrong.orders) == orders
    assert answer.wrong is None or answer.wrong.witness is not None


def test_what_waits_for_ever(folder: Path) -> None:
    """A take that waits is right where nothing was put, and wrong where a value was lost."""
    (folder / "box.c").write_text(
        HEAD + "atomic_int s;\nvoid put(int v) { while (atomic_load(&s)) ; atomic_store(&s, KEPT); }\n"
        "int take(void) { int v; while (!(v = atomic_exchange(&s, 0))) ; return v; }\n"
    )
    answer = xgen.linearizable(
        "box.c", model=xgen.model("rc11"), client="put | take | take", before=0, defines=("KEPT=v",)
    )
    assert (answer.verdict, answer.executions) == ("linearizable", 0)
    lost = HEAD + "atomic_int s, n;\nvoid put(int v) { if (atomic_fetch_add(&n, 1) == 0) atomic_store(&s, v); }\n"
    (folder / "lost.c").write_text(
        lost + "int take(void) { int v; while (!(v = atomic_exchange(&s, 0))) ; return v; }\n"
    )
    (folder / "right.c").write_text(
        HEAD + "atomic_int s, n;\nvoid put(int v) { atomic_store(&s, v); }\n"
        "int take(void) { int v; while (!(v = atomic_exchange(&s, 0))) ; return v; }\n"
    )
    found = run("linearizable", "lost.c", "--spec", "queue", "--calls", "2")
    assert found.exit_code == 1
    assert found.stdout.startswith("not linearizable: take() waits for ever, and may not (model rc11, client ")


TRY = "atomic_int l;\nbool trylock(void) { int z = 0; return atomic_compare_exchange_weak(&l, &z, 1); }\n"
ADD = "atomic_int n;\nint next(void) { int v = n; while (!atomic_compare_exchange_weak(&n, &v, v + 1)) ; return v; }\n"


def test_what_fails_for_no_reason(folder: Path) -> None:
    """A lock that is not got for no reason is no order of calls; a loop that tries again is no call that waits for
    ever, and the file as its own specification has an end."""
    (folder / "try.c").write_text(HEAD + TRY)
    (folder / "add.c").write_text(HEAD + ADD)
    verdicts = [("try.c", "linearizable", "not-linearizable"), ("add.c", "linearizable", "linearizable")]
    for name, strong, weak in verdicts:
        for options, verdict in (([], strong), (["--weak-cas", "--unroll", "2"], weak)):
            found = run("linearizable", name, "--calls", "2", "--format", "json", *options)
            document = json.loads(found.stdout)
            assert (document["verdict"], document["headers"]) == (verdict, "own")
            assert any("fails for no reason" in note for note in document["warnings"]) == (
                name == "add.c" and bool(options)
            )


def test_a_file_from_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is piped stands in the client, which can be checked by itself; a main that does nothing is left out."""
    text = HEAD + HASTY + "int main(void) { return 0; }\n"
    monkeypatch.setattr(sources, "_standard_input", lambda _: text.encode())
    found = run("linearizable", "c:-", "--calls", "2", "--write", "client.c")
    assert found.exit_code == 1
    assert found.stderr.startswith("<stdin>:6:5: error: not linearizable: ")
    assert "\nnote: main does nothing, and is left out: clients have their own\n" in found.stdout
    assert (folder / "client.c").read_text().startswith(f"#define main main_of_the_file\n{HEAD}{HASTY}")
    checked = run("check", "client.c", "-q")
    assert (checked.exit_code, checked.stdout.split(" at ")[0]) == (1, "violation: assertion violated")


def test_how_far_it_has_come(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of time, and at Ctrl-C, in the middle: what is done is said, and the exit code is 3."""
    (folder / "slot.c").write_text(RELAXED)
    count, stop, explore = 0, BaseException(), ByGraphs.explored

    def late(*arguments: Any) -> Any:
        nonlocal count
        count += 1
        if count == 5:
            raise stop
        return explore(*arguments)

    monkeypatch.setattr(ByGraphs, "explored", late)
    for error, word in (
        (OutOfTime(), "interrupted by the time limit after "),
        (KeyboardInterrupt(), "interrupted after "),
    ):
        count, stop = 0, error
        command = ["linearizable", "slot.c", "--calls", "2", "-DORDER=memory_order_release"]
        found = run(*command)
        assert found.exit_code == 3
        assert found.stdout.startswith(word)
        assert "nothing wrong so far in some clients (model rc11, 4 clients, " in found.stdout
        count = 0
        document = json.loads(run(*command, "--format", "json").stdout)
        assert (document["verdict"], document["exhaustive"], document["clients"]) == ("interrupted", False, 4)
    assert run("linearizable", "slot.c", "--timeout", "0.0001", "-DORDER=memory_order_release").exit_code == 3


def test_a_bound_is_said(folder: Path) -> None:
    loop = "while (atomic_fetch_add(&n, 1) < 5) { }"
    (folder / "count.c").write_text(
        HEAD + f"atomic_int n;\nvoid inc(void) {{ {loop} }}\nint get(void) {{ return n; }}\n"
    )
    found = run("linearizable", "count.c", "--calls", "2", "--unroll", "1")
    assert found.exit_code == 3
    assert found.stdout.startswith("no answer: of 2 clients no execution comes to its end: a bound has cut it")
    some = "atomic_int n;\nvoid inc(void) { if (atomic_fetch_add(&n, 1)) while (atomic_fetch_add(&n, 1) < 5) { } }\n"
    (folder / "count.c").write_text(HEAD + some + "int get(void) { return n; }\n")
    found = run("linearizable", "count.c", "--client", "inc | get", "--unroll", "1")
    assert found.exit_code == 0
    found = run("linearizable", "count.c", "--client", "inc inc | get", "--unroll", "1", "-q")
    assert (found.exit_code, found.stdout.split(":")[0]) == (3, "no answer")


def test_what_waits_in_the_specification_too(folder: Path) -> None:
    """An assumption that does not hold is no end, and no wait either: the specification says which it is."""
    get = "int get(void) { int v = atomic_exchange(&x, 0); __VERIFIER_assume(v); return v; }\n"
    (folder / "slot.c").write_text(f"{HEAD}atomic_int x;\nvoid put(int v) {{ atomic_store(&x, v); }}\n{get}")
    found = run("linearizable", "slot.c", "--calls", "2", "--before", "0")
    assert found.exit_code == 0, found.stdout
    assert found.stdout.startswith("linearizable: all clients of up to 2 calls")
    assert "note: no execution of 2 clients, the first of which is `get | get`, comes to its end" in found.stdout
    found = run("linearizable", "slot.c", "--client", "get | get", "--before", "0", "-q")
    assert (found.exit_code, found.stdout.split(" (")[0]) == (
        3,
        "no answer: of 1 client no execution comes to its end",
    )
    (folder / "slot.py").write_text(
        "class Slot:\n    start = 0\n    def step(self, op, v, s):\n"
        "        return [(None, v)] if op == 'put' else [(s, 0)]\n"  # (here it need not wait)
    )
    found = run("linearizable", "slot.c", "--calls", "2", "--before", "0", "--spec", "slot.py:Slot", "-q")
    assert (found.exit_code, found.stdout.split(":")[0]) == (3, "no answer")


@pytest.mark.parametrize("result", ["None", "0", "1", "'done'"])
def test_what_returns_nothing(result: str, folder: Path) -> None:
    """In a specification of Python its result is None, or anything."""
    (folder / "cell.c").write_text(
        f"{HEAD}atomic_int x;\nvoid write(int v) {{ atomic_store(&x, v); }}\n"
        "int read(void) { return atomic_load(&x); }\n"
    )
    steps = "[({}, v)] if op == 'write' else [({}, s)]"
    text = "class Cell:\n    start = 0\n    def step(self, op, v, s):\n        return "
    (folder / "right.py").write_text(text + steps.format(result, "s"))
    (folder / "none.py").write_text(text + steps.format(result, "None"))
    found = run("linearizable", "cell.c", "--calls", "2", "--spec", "right.py:Cell", "-q")
    assert (found.exit_code, found.stdout.split(":")[0]) == (0, "linearizable")
    found = run("linearizable", "cell.c", "--calls", "2", "--spec", "none.py:Cell", "-q")
    assert found.exit_code == 2
    assert "`Cell.step` gives the result None for read(), which returns a value" in found.stderr


def test_specifications_agree(folder: Path) -> None:
    """By name, in C, in Python and by the file itself: the same answer about a queue under a lock, and with a bug."""
    queue = (
        "int s[9], h, t;\nvoid put(int v) { LOCK s[t++] = v; UNLOCK }\n"
        "int take(void) { LOCK int v = h < t ? s[h++] : 0; UNLOCK return v; }"
    )
    (folder / "spec.c").write_text(text(queue, lock=False))
    (folder / "spec.py").write_text(
        "class Q:\n    start = ()\n    def step(self, op, v, s):\n        if op == 'put':\n"
        "            return [(1, s + (v,))]\n"
        "        return [(s[0], s[1:])] if s else [(0, s)]\n"
    )
    torn = queue.replace("s[h++] : 0; UNLOCK", "s[h] : 0; UNLOCK LOCK h += v != 0; UNLOCK")
    for body, verdict in ((queue, "linearizable"), (torn, "not-linearizable")):
        (folder / "queue.c").write_text(text(body))
        found = set()
        for spec in (None, "queue", "spec.c", "spec.py:Q"):
            answer = xgen.linearizable("queue.c", model=xgen.model("sc"), calls=2, spec=spec)
            history = answer.wrong and tuple(answer.wrong.history.items())
            found.add((answer.verdict, answer.clients, answer.histories, history))
        assert [verdict] == [each[0] for each in found]


def test_roles_and_several_files(folder: Path) -> None:
    """A ring for one thread that pushes and one that pops: with two of a kind there is a race; the file may "
    "be two."""
    ring = (
        '#include "ring.h"\natomic_uint h, t;\nint s[2];\n'
        "bool push(int v) { unsigned a = t; if (a - h == 2) return false;\n"
        "  s[a % 2] = v; t = a + 1; return true; }\n"
    )
    pop = (
        '#include "ring.h"\nextern int s[2];\n'
        "bool pop(int *v) { unsigned a = h; if (t == a) return false; *v = s[a % 2]; h = a + 1; return true; }\n"
    )
    (folder / "ring.h").write_text(HEAD + "extern atomic_uint h, t;\nbool push(int), pop(int *);\n")
    (folder / "push.c").write_text(ring)
    (folder / "pop.c").write_text(pop)
    model = xgen.model("rc11")
    answer = xgen.linearizable("push.c", "pop.c", model=model, calls=2)
    assert answer.verdict == "not-linearizable"  # two pops give the same
    answer = xgen.linearizable("push.c", "pop.c", model=model, calls=3, before=0, one=("push", "pop"), spec="queue:2")
    assert (answer.verdict, [sorted(names) for names in answer.together]) == ("linearizable", [["push"], ["pop"]])


def test_keys_and_max_puts(folder: Path) -> None:
    (folder / "set.c").write_text(
        HEAD + "atomic_int in[3];\nbool add(int k) { return !atomic_exchange(&in[k], 1); }\n"
        "bool remove(int k) { return atomic_exchange(&in[k], 0); }\n"
        "bool contains(int k) { return atomic_load(&in[k]); }\n"
    )
    answer = xgen.linearizable("set.c", model=xgen.model("rc11"), calls=2, before=0, spec="set")
    assert (answer.verdict, answer.clients) == ("linearizable", 12)  # of 21 pairs of six calls, up to names of keys
    (folder / "few.c").write_text(
        text(
            "int s[2], n;\nvoid put(int v) { LOCK s[n++] = v; UNLOCK }\n"
            "int take(void) { LOCK int v = n ? s[--n] : 0; UNLOCK return v; }"
        )
    )
    few = xgen.linearizable("few.c", model=xgen.model("rc11"), calls=2, spec="stack")
    assert few.wrong is not None
    assert few.wrong.violation is not None
    assert few.wrong.violation.kind == "out-of-bounds"
    assert (
        xgen.linearizable("few.c", model=xgen.model("rc11"), calls=2, spec="stack", max_puts=2).verdict
        == "linearizable"
    )


RING = """#include <stdatomic.h>
static atomic_uint head, tail;
static int slot[2];
int push(int v) {
  unsigned h = atomic_load(&head);
  if (h - atomic_load(&tail) == 2) return 0;
  slot[h % 2] = v;
  atomic_store(&head, h + 1);
  return 1;
}
int pop(int *v) {
  unsigned t = atomic_load(&tail);
  if (t == atomic_load(&head)) return 0;
  *v = slot[t % 2];
  atomic_store(&tail, t + 1);
  return 1;
}
"""


def test_a_structure_for_one_thread_at_each_end_is_asked_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What two threads break that call the same may be what one is to call: the report says how to say so."""
    monkeypatch.chdir(tmp_path)
    Path("ring.c").write_text(RING)
    told = run("linearizable", "ring.c", "--calls", "2")
    assert told.exit_code == 1
    assert "\n\nif only one thread of a program calls pop: --one pop\n\n" in told.stdout
    told = run("linearizable", "ring.c", "--calls", "2", "--one", "pop")
    assert "if only one thread of a program calls push: --one push" in told.stdout
    told = run("linearizable", "ring.c", "--calls", "2", "--one", "push", "--one", "pop")
    assert told.exit_code == 0
    assert "if only one" not in told.stdout
