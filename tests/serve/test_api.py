"""Questions and answers of the playground, over HTTP; what is hostile gets an error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cli.fake import run
from starlette.testclient import TestClient

from xgen.frontends.c.text import preprocess
from xgen.frontends.litmus.reader import READ
from xgen.resources import shipped
from xgen.serve import work
from xgen.serve.app import LARGEST_BODY, LARGEST_TEXT, TASKS, WAITING, Playground
from xgen.serve.examples import EXAMPLES, example_text

SB = """X86 SB
{ }
 P0         | P1         ;
 MOV [x],$1 | MOV [y],$1 ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""
PETERSON = (shipped("programs") / "peterson.xcfa").read_text(encoding="utf-8")
ENDLESS = "var x : int\n" + "".join(
    f"process p{n} {{ var a : int\n init loc A final loc B\n A -> B {{ {f'{n} -> x; a <- x; ' * 8}}} }}\n"
    for n in range(4)
)
"""Graphs that stay small, and more of them than anybody waits for."""


@pytest.fixture(scope="module")
def _alone() -> Iterator[None]:
    """Each process imports the main module first: here one that is empty, instead of all of pytest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", ModuleType("__main__"))
        yield


@pytest.fixture(scope="module")
def playground() -> Playground:
    return Playground(("testserver",), 20.0, 2048)


@pytest.fixture(scope="module")
def client(_alone: None, playground: Playground) -> Iterator[TestClient]:
    with TestClient(playground.app()) as client:
        yield client


@pytest.mark.parametrize(
    ("embed", "ancestors"),
    [
        ((), "'none'"),
        (("https://course.example", "http://localhost:8080"), "https://course.example http://localhost:8080"),
    ],
)
@pytest.mark.usefixtures("_alone")
def test_who_may_show_the_page_in_a_frame(embed: tuple[str, ...], ancestors: str) -> None:
    with TestClient(Playground(("testserver",), 1.0, 400, embed).app()) as client:
        policy = client.get("/").headers["Content-Security-Policy"]
    assert policy.endswith(f"; frame-ancestors {ancestors}")


@pytest.mark.parametrize(
    "origin",
    [
        "*",
        "course.example",
        "https://*",
        "https://a;script-src *",
        "https://a/b",
        "file:///",
        "https://a b",
        "https://",
    ],
)
def test_what_is_no_origin(origin: str) -> None:
    done = run("serve", "--embed", origin)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"`{origin}` is no origin, which is written https://HOST or https://HOST:PORT." in " ".join(
        done.stderr.split()
    )


@pytest.fixture(scope="module")
def hurried(_alone: None) -> Iterator[TestClient]:
    """With half a second for an answer, and little memory."""
    with TestClient(Playground(("testserver",), 0.5, 400).app()) as client:
        yield client


def ask(client: TestClient, task: str, program: str, **asked: Any) -> Any:
    model = {} if "model_text" in asked else {"model": "tso"}
    response = client.post(f"/{task}", json={"program": program, **model, **asked})
    assert response.status_code == 200
    return response.json()


def test_a_litmus_test(client: TestClient) -> None:
    answer = ask(client, "check", SB)
    assert answer["sentence"] == "Yes: tso allows 0:EAX=0 /\\ 1:EAX=0 (in 1 of 4 executions; herd: Ok, Sometimes)"
    assert len(answer["outcomes"]) == len(answer["pictures"]) == 4
    answer = ask(client, "check", SB, model="sc")
    assert answer["sentence"] == "Never: sc forbids 0:EAX=0 /\\ 1:EAX=0 (in none of 3 executions; herd: No, Never)"


def test_a_program(client: TestClient) -> None:
    answer = ask(client, "check", PETERSON)
    assert answer["blocked"] == 3
    assert (answer["verdict"], answer["bad"], answer["executions"]) == ("violation", True, 25)
    assert answer["pictures"][0]["fault"] == "error location Error reached, line 60"
    assert sum(outcome["violations"] for outcome in answer["outcomes"]) == 8
    assert ask(client, "check", PETERSON, model="sc")["verdict"] == "safe"


def test_options_of_a_program(client: TestClient) -> None:
    """Bounds, waiting, and the machine that C is compiled for; what is noted is beside the verdict."""
    few = ask(client, "check", PETERSON, max_depth=3)
    assert few["sentence"].startswith("no execution completes within the bound of 3 events per thread")
    assert "(model tso, at most 9 events per thread)" in ask(client, "fences", PETERSON, max_depth=9)["text"]
    waits = "var x : int\nprocess p { var a : int do { a <- x; } while (a = 0); }\n"
    assert ask(client, "check", waits, model="sc")["verdict"] == "vacuous"
    assert ask(client, "check", waits, model="sc", liveness=True)["verdict"] == "violation"
    assert ask(client, "explain", waits, model="sc", liveness=True)["picture"]
    loop = "var x : int\nprocess p { var a : int while (a < 9) { a <- x; 1 -> x; } }\n"
    assert ask(client, "check", loop, model="sc", unroll=2)["verdict"] in ("safe-within-bound", "vacuous")
    c = "#include <stdatomic.h>\n#include <assert.h>\natomic_int x;\nint main(void) { x = 1; assert(x); }\n"
    plain, on = (ask(client, "check", c, model="tso", **more) for more in ({}, {"on": "x86"}))
    assert (len(plain["notes"]) > 0, on["notes"], on["verdict"]) == (True, [], "safe")
    c = c.replace("int main", "#include <pthread.h>\nvoid *f(void *a) { x = 2; return a; }\nint main")
    c = c.replace("x = 1;", "pthread_t t; pthread_create(&t, 0, f, 0); x = 1;")
    plain, on, none = (ask(client, "check", c, model="tso", **more) for more in ({}, {"on": "x86"}, {"on": "none"}))
    assert plain["error"]["message"] == "the model tso does not know `memory_order_seq_cst` of a write"
    assert (on["verdict"], none["verdict"]) == ("safe", "safe")
    assert none["sentence"].startswith("safe (model tso, map none, ")


def test_executions_that_do_not_end_come_last(client: TestClient) -> None:
    waiting = "process p { var a : int a <- x; assume a = 1; }"
    answer = ask(client, "check", f"var x : int {waiting} process q {{ 1 -> x; }}", model="sc")
    assert answer["complete"] == [True, False]
    wrong = "process p { var a : int a <- x; assume a = 1; assert false; }"
    answer = ask(client, "check", f"var x : int {wrong} process q {{ 1 -> x; }}", model="sc")
    assert [bool(picture["fault"]) for picture in answer["pictures"]] == [True, False]
    assert answer["complete"] == [True, False]


def test_a_model_of_ones_own(client: TestClient) -> None:
    weak = 'model "mine"\norder = rf | mo | fr | (po & loc)\norder acyclic\n'
    assert ask(client, "check", SB, model_text=weak)["sentence"].startswith("Yes: mine allows")
    strong = "order = po | rf | mo | fr\norder acyclic\n"
    assert ask(client, "check", SB, model_text=strong)["sentence"].startswith("Never: ")


def test_constraints_can_be_left_out(client: TestClient) -> None:
    """The model's name says so, and all that it demands is told."""
    whole = ask(client, "check", SB, model="sc")
    names = [name for name, _ in whole["constraints"]]
    assert all(sentence for _, sentence in whole["constraints"])
    body = {"program": SB, "model": "sc", "without": [names[-1], "nonsense"]}
    less = client.post("/check", json=body).json()
    assert less["sentence"].startswith(f"Yes: sc without {names[-1]} allows ")
    assert less["constraints"] == whole["constraints"]
    told = client.post("/explain", json=body).json()
    assert told["text"].startswith(f"allowed by sc without {names[-1]}: ")
    none = client.post("/check", json={**body, "without": names}).json()
    assert none["executions"] >= less["executions"] >= whole["executions"]
    assert client.post("/check", json={**body, "without": []}).json()["sentence"] == whole["sentence"]


def test_why_and_fences(client: TestClient) -> None:
    answer = ask(client, "explain", SB, model="sc")
    assert answer["text"].startswith("forbidden by sc")
    assert len(answer["story"]) == len(
        [e for e in answer["picture"]["edges"] + answer["picture"]["steps"] if e["step"]]
    )
    answer = ask(client, "fences", PETERSON)
    assert "minimal placement" in answer["text"]


def test_examples_have_answers(client: TestClient) -> None:
    """Each says what it is, and is read as what it is."""
    offered = client.get("/start").json()
    assert [example["title"] for example in offered["examples"]] == [example.title for example in EXAMPLES]
    assert set(offered["models"]) >= {"sc", "tso", "arm8", "rc11", "lkmm"}
    for example in EXAMPLES:
        assert work.kind_of(example_text(example)) == Path(example.path).suffix[1:], example.title
    for name in READ:
        assert work.kind_of(f"{name} MP\n{{ }}") == "litmus"
        answer = ask(client, "check", example_text(example), model=example.model)
        assert "error" not in answer, example.title
        assert example.hint


def test_errors_have_places(client: TestClient) -> None:
    error = ask(client, "check", "var x : int\nprocess p {\n  init loc A\n  A -> B { 1 -> y }\n}\n")["error"]
    assert (error["where"], error["line"]) == ("program", 4)
    error = ask(client, "check", SB, model_text="po\npoo acyclic\n")["error"]
    assert error["where"] == "model"
    assert error["line"] in (1, 2)


HEADERS = [
    ({"host": "evil.example"}, 421),
    ({"host": "testserver:81"}, 421),
    ({"origin": "http://evil.example"}, 403),
    ({"origin": "null"}, 403),
    ({"content-type": "text/plain"}, 415),
    ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ({"origin": "http://testserver"}, 200),
]


@pytest.mark.parametrize(("headers", "status"), HEADERS)
def test_who_may_ask(client: TestClient, headers: dict[str, str], status: int) -> None:
    body = json.dumps({"program": SB, "model": "tso"})
    response = client.post("/check", content=body, headers={"content-type": "application/json", **headers})
    assert response.status_code == status
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in response.headers


BODIES = [
    (b"", 400),
    (b"{", 400),
    (b"[" * 100_000, 400),
    (b"[]", 400),
    (b'{"program": 3, "model": "tso"}', 400),
    (b'{"program": "x"}', 400),
    (b'{"program": "x", "model": "tso", "model_text": "x"}', 400),
    (b'{"program": "x", "model": "tso", "file": "/etc/passwd"}', 400),
    (b'{"program": "x", "model": "tso", "without": "x"}', 400),
    (b'{"program": "x", "model": "tso", "without": [3]}', 400),
    (json.dumps({"program": "x", "model": "tso", "without": ["x"] * 101}).encode(), 400),
    *(
        (json.dumps({"program": "x", "model": "tso", name: value}).encode(), 400)
        for name, values in {
            "on": ("vax", 3, None, []),
            "unroll": (0, -1, 1001, "3", 1.5, True, None),
            "max_depth": (0, 10**9),
            "liveness": (1, "yes"),
        }.items()
        for value in values
    ),
    (json.dumps({"program": "x" * (LARGEST_TEXT + 1), "model": "tso"}).encode(), 413),
    (b" " * (LARGEST_BODY + 1), 413),
]


@pytest.mark.parametrize(("body", "status"), BODIES)
def test_what_is_no_question(client: TestClient, body: bytes, status: int) -> None:
    response = client.post("/check", content=body, headers={"content-type": "application/json"})
    assert response.status_code == status
    assert response.json()["error"]["message"]


def test_other_addresses(client: TestClient) -> None:
    for path in ("/etc/passwd", "/assets/app.py", "/assets/..%2fapp.py", "/assets/../work.py", "/docs"):
        assert client.get(path).status_code == 404
    assert client.get("/check").status_code == 405
    page = client.get("/")
    assert "default-src 'none'; script-src 'self'" in page.headers["content-security-policy"]
    for name in ("codemirror.min.js", "elements.js", "draw.js", "playground.js", "playground.css", "drawing.css"):
        assert client.get(f"/assets/{name}").status_code == 200


DEEP = (
    "process p { var a : int\n init loc A\n final loc B\n A -> B { a := " + "(" * 20_000 + "1" + ")" * 20_000 + " } }"
)
MACROS = "".join(f"#define C{n} C{n + 1} C{n + 1}\n" for n in range(60))
BOMBS: list[tuple[str, dict[str, str]]] = [
    ("", {"model": "tso"}),
    ("\0", {"model": "tso"}),
    ("(" * 50_000, {"model": "tso"}),
    ("#include </etc/passwd>\nint main() { return 0; }", {"model": "rc11"}),
    ('#include "/etc/hostname"\nint main() { return 0; }', {"model": "rc11"}),
    (SB, {"model": "../../etc/passwd"}),
    (SB, {"model": "/etc/passwd"}),
    (SB, {"model_text": 'include "/etc/passwd"\n'}),
    (SB, {"model_text": 'include "/tmp/some.mcm"\n'}),
    (SB, {"model_text": "(" * 20_000 + "po" + ")" * 20_000 + " acyclic"}),
]


@pytest.mark.parametrize("number", range(len(BOMBS)))
def test_hostile_texts(client: TestClient, number: int) -> None:
    program, model = BOMBS[number]
    error = ask(client, "check", program, **model)["error"]
    assert error["message"]
    assert "root:" not in json.dumps(error)
    assert not error["message"].startswith("an error in xgen itself")


def test_macros_that_grow_without_end_take_no_longer_than_the_time(hurried: TestClient) -> None:
    error = ask(hurried, "check", f"{MACROS}int main() {{ C0; }}", model="rc11")["error"]
    assert error["message"]
    assert not error["message"].startswith("an error in xgen itself")


def test_what_is_deep_but_right_has_an_answer(client: TestClient) -> None:
    assert ask(client, "check", DEEP)["verdict"] == "safe"


ASKED = {
    # what a text may ask for a file in, and the kind of text
    "c": '#include "NAME"\nint main() { return 0; }',
    "c, in angles": "#include <NAME>\nint main() { return 0; }",
    "c, by a macro": '#define N "NAME"\n#include N\nint main() { return 0; }',
    "c, a condition": '#include <assert.h>\nint main() {\n#if __has_include("NAME")\nassert(0);\n#endif\nreturn 0; }',
    "c, a condition in angles": "#include <assert.h>\nint main() {\n#if __has_include(<NAME>)\nassert(0);\n#endif\n}",
    "mcm": 'model "mine"\ninclude "NAME"\npo acyclic\n',
}


@pytest.mark.parametrize("form", ASKED)
def test_nobody_learns_which_files_are_there(form: str, client: TestClient, tmp_path: Path) -> None:
    """A file that is there is as one that is not, whether it may be read or not."""
    suffix = "mcm" if form == "mcm" else "h"
    secret = tmp_path / f"secret.{suffix}"
    secret.write_text('model "s" "TOPSECRET"\npo acyclic\n' if form == "mcm" else '#error "TOPSECRET"\n')
    (tmp_path / f"link.{suffix}").symlink_to(secret)
    (tmp_path / f"folder.{suffix}").mkdir()
    unreadable = tmp_path / f"mine.{suffix}"
    unreadable.write_text("")
    unreadable.chmod(0)
    up = "../" * 9 + str(secret)[1:]
    names = [
        str(tmp_path / f"nothing.{suffix}"),
        str(secret),
        str(tmp_path / f"link.{suffix}"),
        str(tmp_path / f"folder.{suffix}"),
        str(unreadable),
        up,
        os.path.relpath(secret),
        f"{tmp_path}/../{tmp_path.name}/secret.{suffix}",
    ]
    if form == "mcm":
        names += [str(shipped("mcm") / "tso.mcm"), "../mcm/tso.mcm", "thesis/../tso.mcm"]
    else:
        names += ["/etc/passwd", "/proc/self/environ", "/dev/stdin", "/nothing/at/all", "-.c", "/", ".", ".."]
        names += [str(preprocess.HEADERS / "assert.h"), "../include/assert.h", os.__file__, work.__file__]
        names += ["/usr/include/signal.h", "sys/socket.h", "linux/types.h"]  # a compiler would find these
    said = set()
    for name in names:
        text = ASKED[form].replace("NAME", name)
        asked = (SB, {"model_text": text}) if form == "mcm" else (text, {"model": "rc11"})
        answer = ask(client, "check", asked[0], **asked[1])
        assert "TOPSECRET" not in json.dumps(answer)
        error = answer.get("error", {})
        shown = error.get("message", "").replace(name if len(name) <= 60 else f"{name[:57]}...", "NAME")
        said.add((shown.replace(name, "NAME"), error.get("line"), error.get("column"), answer.get("sentence")))
    assert len(said) == 1, said


def test_what_comes_with_xgen_can_be_included(client: TestClient) -> None:
    for name in ("tso.mcm", "thesis/tso.mcm", "./tso.mcm"):
        assert "error" not in ask(client, "check", SB, model_text=f'include "{name}"\n')
    for name in ("<stdatomic.h>", '"stdatomic.h"', "<sys/types.h>"):
        text = f"#include {name}\n#if __has_include({name})\nint main() {{ return 0; }}\n#endif"
        assert "error" not in ask(client, "check", text, model="rc11")


def test_nobody_learns_where_xgen_is_installed(client: TestClient) -> None:
    """What goes wrong in a header or a shipped model is told without its folder, and so is all else."""
    header = "#define memory_order 1 2\n#include <stdatomic.h>\nint main() { }"
    told = [ask(client, "check", header, model="rc11")]
    assert told[0]["error"]["file"] == "stdatomic.h"
    told += [ask(client, "check", SB, model_text=text) for text in ('include "sc.mcm"', 'mo = po\ninclude "sc.mcm"')]
    told += [ask(client, task, text, model="sc") for task in TASKS for text in (SB, PETERSON, header[25:])]
    for folder in (preprocess.HEADERS, shipped("mcm"), shipped("programs"), Path(work.__file__).parents[1]):
        assert str(folder) not in json.dumps(told)


def test_nothing_is_written(tmp_path: Path) -> None:
    """Not even what is kept of a model or a grammar that is read for the first time."""
    script = """
import json, sys
from xgen.serve import work
from multiprocessing import Pipe
ours, theirs = Pipe(duplex=False)
work.serve_one(theirs, json.loads(sys.argv[1]), 60, 4096)
print(ours.recv_bytes().decode())
"""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    for question in ({"program": SB, "model": "pso"}, {"program": SB, "model_text": 'model "m" po acyclic'}):
        asked = json.dumps({"task": "check", **question})
        run = [sys.executable, "-c", script, asked]
        done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
        assert "error" not in json.loads(done.stdout), done.stdout
    kept = {path.suffix for path in tmp_path.rglob("*") if path.is_file()}
    assert kept <= {".pyc"}  # of modules, before the question is looked at


def test_markup_in_names_stays_text(client: TestClient) -> None:
    """What an answer has is JSON; the page escapes it."""
    error = ask(client, "check", "<img src=x onerror=alert(1)>")["error"]
    assert error["message"]


def test_time_and_memory_end_a_check(hurried: TestClient) -> None:
    answer = ask(hurried, "check", ENDLESS)
    assert answer.get("verdict") == "interrupted" or "time" in answer["error"]["message"]
    huge = "var a : int[100000000]\nprocess p { init loc A\n final loc B\n A -> B { 1 -> a[3] } }\n"
    answer = ask(hurried, "check", huge)
    assert "error" in answer
    assert ask(hurried, "check", "nonsense")["error"]["line"] == 1  # and the next one is answered


def test_many_at_once(client: TestClient) -> None:
    """Each gets an answer, or is told to come back: no more than may wait."""
    body = {"program": SB, "model": "sc"}
    with ThreadPoolExecutor(30) as pool:
        codes = list(pool.map(lambda _: client.post("/check", json=body).status_code, range(30)))
    assert set(codes) <= {200, 429}
    assert codes.count(200) >= min(30, WAITING + (os.cpu_count() or 1))
    assert ask(client, "check", SB, model="sc")["sentence"].startswith("Never")


def test_who_comes_when_others_wait(
    client: TestClient, playground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One more question than may wait is refused, whatever it is, and the page is still there."""
    monkeypatch.setattr(playground, "asked", WAITING + (os.cpu_count() or 1))
    response = client.post("/check", json={"program": SB, "model": "sc"})
    assert (response.status_code, response.json()["error"]["message"]) == (429, "too many questions at once: try again")
    assert client.get("/").status_code == 200
    monkeypatch.setattr(playground, "asked", WAITING + (os.cpu_count() or 1) - 1)
    assert ask(client, "check", SB, model="sc")["sentence"].startswith("Never")


SLOT = """#include <stdatomic.h>
atomic_int x;
void put(int v) { atomic_store(&x, v); }
int take(void) { int v = atomic_load(&x); if (v) atomic_store(&x, 0); return v; }
"""


def test_data_structures(client: TestClient) -> None:
    """C without a main is an object: its clients are made, and the calls that cannot be are drawn."""
    answer = ask(client, "check", SLOT, model="sc")
    assert answer["bad"]
    assert answer["sentence"].startswith("not linearizable: no order of the calls explains take() = 1 and take() = ")
    assert answer["text"].startswith(answer["sentence"])
    assert answer["calls"]["picture"].count("take()") >= 2
    assert answer["calls"]["client"].startswith("#include <stdatomic.h>\natomic_int x;")
    assert len(answer["pictures"]) == 1
    assert answer["constraints"]
    right = ask(
        client,
        "check",
        SLOT.replace("int v = atomic_load(&x); if (v)", "return atomic_exchange(&x, 0); int v;"),
        model="sc",
    )
    assert (right["verdict"], right["bad"], right["calls"]) == (
        "linearizable",
        False,
        {"picture": None, "client": None},
    )
    assert right["sentence"].startswith("linearizable: all clients of up to 3 calls (model sc, ")
    none = ask(client, "check", "#include <stdio.h>\nint frob;\n", model="sc")
    assert none["error"]["message"] == "no function here has a name that is known of a data structure"
    ruined = ask(client, "check", '#include "/etc/passwd"\nvoid put(int v) {}', model="sc")
    assert "passwd" in ruined["error"]["message"]
    assert "root:" not in str(ruined)
