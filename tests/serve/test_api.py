"""Questions and answers of the playground, over HTTP; what is hostile gets an error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from starlette.testclient import TestClient

from xgen.resources import shipped
from xgen.serve import work
from xgen.serve.app import LARGEST_BODY, LARGEST_TEXT, WAITING, Playground
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
    f"process p{n} {{ var a : int\n init loc A\n A -> A {{ {n} -> x; a <- x }} }}\n" for n in range(4)
)


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


@pytest.fixture(scope="module")
def hurried(_alone: None) -> Iterator[TestClient]:
    """With half a second for an answer, and little memory."""
    with TestClient(Playground(("testserver",), 0.5, 400).app()) as client:
        yield client


def ask(client: TestClient, task: str, program: str, **model: str) -> Any:
    response = client.post(f"/{task}", json={"program": program, **(model or {"model": "tso"})})
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
    assert (answer["verdict"], answer["bad"], answer["executions"]) == ("violation", True, 25)
    assert answer["pictures"][0]["fault"] == "error location Error reached, line 60"
    assert sum(outcome["violations"] for outcome in answer["outcomes"]) == 8
    assert ask(client, "check", PETERSON, model="sc")["verdict"] == "safe"


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


def test_a_file_that_is_there_is_not_read(client: TestClient, tmp_path: Path) -> None:
    model, header = tmp_path / "secret.mcm", tmp_path / "secret.h"
    model.write_text('model "s" "TOPSECRET"\npo acyclic\n')
    header.write_text('#error "TOPSECRET"\n')
    said = [
        ask(client, "check", SB, model_text=f'include "{model}"\n'),
        ask(client, "check", f'#include "{header}"\nint main() {{ return 0; }}', model="rc11"),
    ]
    for answer in said:
        assert "error" in answer
        assert "TOPSECRET" not in json.dumps(answer)
    included = 'include "tso.mcm"\n'
    assert "error" not in ask(client, "check", SB, model_text=included)  # shipped ones are there


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
