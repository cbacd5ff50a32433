"""What the language server tells an editor, over its streams."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from xgen.resources import shipped

pytest.importorskip("pygls", reason="the language server needs pygls")

from lsp.client import Client

ROOT = Path(__file__).parents[2]
MP = (ROOT / "docs" / "mp.c").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    client = Client("--timeout", "30", folder=tmp_path_factory.mktemp("work"))
    yield client
    assert client.close() == 0


def address(folder: Path, name: str) -> str:
    return (folder / name).as_uri()


def ends(diagnostic: dict[str, Any]) -> tuple[int, int, int, int]:
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    return start["line"], start["character"], end["line"], end["character"]


def shown(diagnostics: list[dict[str, Any]]) -> list[tuple[int, int, str, str]]:
    """Line and column, counted from 0, kind and the first line of what is told."""
    return [(*ends(each)[:2], each["code"], each["message"].partition("\n")[0]) for each in diagnostics]


def test_syntax_as_one_types(client: Client, tmp_path: Path) -> None:
    uri = address(tmp_path, "mp.c")
    assert client.open(uri, MP) == []
    assert client.lens(uri) == "check under rc11"
    (wrong,) = client.change(uri, MP.replace("order_relaxed", "order_relaxd"))
    assert ends(wrong) == (10, 34, 10, 53)
    assert wrong["message"] == "there is no variable `memory_order_relaxd`\ndid you mean `memory_order_relaxed`?"
    assert (wrong["code"], wrong["source"], wrong["severity"]) == ("input", "xgen", 1)
    assert client.change(uri, MP) == []


def test_a_violation_on_save(client: Client, tmp_path: Path) -> None:
    uri = address(tmp_path, "race.c")
    client.open(uri, MP)
    (race,) = client.save(uri)
    assert ends(race) == (18, 4, 18, 10)
    assert (race["code"], race["message"]) == ("race", "data race on message in main (model rc11)")
    other, order = race["relatedInformation"]
    assert "`memory_order_release` is missing here" in order["message"]
    assert (other["location"]["uri"], ends(other["location"])) == (uri, (9, 2, 9, 9))
    assert other["message"] == "the other access, in writer"
    assert client.lens(uri).startswith("violation: data race on message at ")
    assert client.change(uri, MP + "\n") == []  # it is not known of this text
    assert client.lens(uri) == "check under rc11"


def test_what_is_read_and_what_orders_mean(client: Client, tmp_path: Path) -> None:
    uri = address(tmp_path, "hover.c")
    client.open(uri, MP)
    client.save(uri)
    assert client.at("hover", uri, 17, 8)["contents"]["value"] == "main reads flag = 1, from writer, line 11"
    assert client.at("hover", uri, 10, 40)["contents"]["value"] == "atomic, without an order"
    assert client.at("hover", uri, 0, 0) is None
    assert client.at("hover", uri, 4000, 0) is None


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """A text with edits of single lines."""
    lines = text.split("\n")
    for edit in edits:
        line, start, last, end = ends(edit)
        assert line == last
        lines[line] = lines[line][:start] + edit["newText"] + lines[line][end:]
    return "\n".join(lines)


def actions(client: Client, uri: str, line: int) -> list[dict[str, Any]]:
    place = {"line": line, "character": 5}
    asked = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": []},
    }
    found: list[dict[str, Any]] = client.ask("textDocument/codeAction", asked)
    return found


OF_GCC = re.sub(r"memory_order_(\w+)", lambda order: f"__ATOMIC_{order[1].upper()}", MP).replace(
    "<stdatomic.h>", "<stddef.h>"
)
OF_GCC = re.sub(r"atomic_(\w+)_explicit", r"__atomic_\1_n", OF_GCC).replace("atomic_int flag", "int flag")


@pytest.mark.parametrize(("wrong", "order"), [(MP, "memory_order_release"), (OF_GCC, "__ATOMIC_RELEASE")])
def test_the_order_that_is_missing_is_put_in(wrong: str, order: str, client: Client, tmp_path: Path) -> None:
    uri = address(tmp_path, "fix.c")
    client.open(uri, wrong)
    client.save(uri)
    (action,) = actions(client, uri, 18)
    assert action["title"] == f"use {order} (checked: the program is safe then)"
    assert action["kind"] == "quickfix"
    assert actions(client, uri, 0) == []
    text = edited(wrong, action["edit"]["changes"][uri])
    assert text == re.sub(r"(&flag, 1, )\w+", rf"\1{order}", wrong)
    assert client.change(uri, text) == []
    assert actions(client, uri, 18) == []
    assert client.save(uri) == []
    assert client.lens(uri) == "safe (model rc11, no bound, 2 executions, exhaustive)"


def test_a_race_in_another_file_is_told_there(client: Client, tmp_path: Path) -> None:
    (tmp_path / "writer.h").write_text(MP.partition("int main")[0], encoding="utf-8")
    uri, header = address(tmp_path, "main.c"), address(tmp_path, "writer.h")
    client.open(uri, '#include "writer.h"\nint main' + MP.partition("int main")[2])
    (race,) = client.save(uri)
    assert race["relatedInformation"][0]["location"]["uri"] == header
    (action,) = actions(client, uri, 5)
    ((line, *_),) = [ends(edit) for edit in action["edit"]["changes"][header]]
    assert line == 10
    broken = MP.partition("int main")[0].replace("int message", "int message message")
    (tmp_path / "writer.h").write_text(broken, encoding="utf-8")
    assert client.change(uri, '#include "writer.h"\nint main() {}') == []
    while not client.diagnostics.get(header):
        client.told(header)
    assert shown(client.diagnostics[header])[0][:2] == (5, 12)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.told(header) == []


def test_texts_that_are_not_saved_are_read(client: Client, tmp_path: Path) -> None:
    (tmp_path / "a.mcm").write_text("nonsense", encoding="utf-8")
    model, uri = address(tmp_path, "a.mcm"), address(tmp_path, "own.xcfa")
    assert client.open(model, 'model "a" "b"\nall = po | rf | mo | fr\nall acyclic\n', "mcm") == []
    assert client.open(uri, "// xgen: --mcm a.mcm\nvar x : int\nprocess p { 1 -> x; }", "xcfa") == []
    assert client.save(uri) == []
    assert client.lens(uri) == "safe (model a, no bound, 1 execution, exhaustive)"


@pytest.mark.parametrize(
    ("directive", "lens"),
    [
        ("--mcm sc", "safe (model sc, no bound, 2 executions, exhaustive)"),
        ("--on armv8", "violation: assertion violated"),
        ("--no-check races", "violation: assertion violated"),
    ],
)
def test_lines_that_say_options(client: Client, tmp_path: Path, directive: str, lens: str) -> None:
    uri = address(tmp_path, "options.c")
    client.open(uri, f"// xgen: {directive}\n{MP}")
    client.save(uri)
    assert client.lens(uri).startswith(lens)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("// xgen: --mcmx sc", (0, 3, "input", "`--mcmx` is no option of a claim")),
        ("// xgen: --unroll 0", (0, 3, "input", "`0` is no value of `--unroll`")),
        ("// xgen: --mcm nosuch", (0, 0, "input", "there is no memory model `nosuch`")),
        ("// xgen: --mcm none.mcm", (0, 0, "input", "none.mcm: there is no such file")),
    ],
)
def test_lines_that_say_what_is_no_option(
    client: Client, tmp_path: Path, line: str, wrong: tuple[int, int, str, str]
) -> None:
    uri = address(tmp_path, "wrong.c")
    client.open(uri, f"{line}\n{MP}")
    assert shown(client.save(uri)) == [wrong]


def test_litmus_tests(client: Client, tmp_path: Path) -> None:
    uri = address(tmp_path, "SB.litmus")
    text = (shipped("litmus") / "X86" / "SB.litmus").read_text(encoding="utf-8")
    assert client.open(uri, text, "litmus") == []
    assert client.save(uri) == []
    assert client.lens(uri).startswith("Yes: tso allows 0:EAX=0")
    assert client.change(uri, text.replace("exists", "exsts")) != []


def test_models(client: Client, tmp_path: Path) -> None:
    uri = address(tmp_path, "my.mcm")
    text = 'model "my" "mine"\nppo = po(R -> A)\nall = ppo | rf\nall acyclic as order "one order"\n'
    assert client.open(uri, text, "mcm") == []
    assert client.at("hover", uri, 2, 7)["contents"]["value"].startswith("ppo = ")
    assert client.at("hover", uri, 2, 14)["contents"]["value"] == "from a write to each read that reads from it"
    (wrong,) = client.change(uri, text.replace("| rf", "| rff"))
    assert (ends(wrong), wrong["message"].partition("\n")[0]) == ((2, 12, 2, 15), "there is no set or relation `rff`")
    labels = [item["label"] for item in client.at("completion", uri, 2, 8)]  # behind `pp`, of the text before
    assert labels == ["ppo"]
    cat = address(tmp_path, "my.cat")
    assert client.open(cat, '"my"\ninclude "cos.cat"\nacyclic po | rf as x\n', "cat") == []
    assert len(client.change(cat, '"my"\nacyclic po | as x\n')) == 1


@pytest.mark.parametrize(
    ("line", "some", "none"),
    [
        ("// xgen: --mcm ", {"rc11", "tso", "sc"}, {"--mcm", "x86"}),
        ("// xgen: --mcm ar", {"arm", "arm8"}, {"tso"}),
        ("// xgen: --on ", {"x86", "armv8"}, {"tso"}),
        ("// xgen: --un", {"--unroll"}, {"--mcm"}),
        ("// verdict ", {"rc11", "tso"}, {"safe"}),
        ("// verdict rc11: s", {"safe", "safe within the bound"}, {"sc", "violation"}),
        ("int x; ", set(), {"rc11"}),
        ("// a verdict ", set(), {"rc11"}),
    ],
)
def test_completion(client: Client, tmp_path: Path, line: str, some: set[str], none: set[str]) -> None:
    uri = address(tmp_path, "complete.c")
    client.open(uri, f"{line}\n{MP}")
    found = {item["label"] for item in client.at("completion", uri, 0, len(line))}
    assert some <= found
    assert not none & found
    assert bool(found) == bool(some)


def test_other_texts(client: Client, tmp_path: Path) -> None:
    """What is empty, binary, nested deeply, cut in half, or in no file yet."""
    texts = {"empty.xcfa": "", "bin.c": "main" + "\0\1" * 50, "big.xcfa": "process p {" * 3000}
    texts["cut.c"] = MP[: MP.index("pthread_t")]
    for name, text in texts.items():
        uri = address(tmp_path, name)
        assert len(client.open(uri, text)) >= 1, name
        assert client.change(uri, MP if name.endswith(".c") else "var x : int process p { 1 -> x; }") == [], name
    assert client.open("untitled:Untitled-1", MP) == []
    assert shown(client.save("untitled:Untitled-1"))[0][2] == "race"
    (wrong,) = client.change("untitled:Untitled-1", "int main( {}")
    assert wrong["code"] == "input"


def test_a_part_of_a_program(client: Client, tmp_path: Path) -> None:
    """A file of C without main is not told that it has none, unless it says how it is to be checked."""
    uri = address(tmp_path, "part.c")
    text = "int f(void) { return unknown; }\n"
    assert client.open(uri, text) == []
    assert client.save(uri) == []
    assert client.at("codeLens", uri, 0, 0) == []
    (wrong,) = client.change(uri, "// verdict: safe\n" + text)
    assert wrong["message"].startswith("there is no function `main`")
    (wrong,) = client.change(uri, "// xgen: --entry f\n" + text)
    assert wrong["message"].startswith("there is no variable `unknown`")


def test_columns_are_units_of_the_encoding(tmp_path: Path) -> None:
    uri = address(tmp_path, "wide.c")
    text = "/* 😀é */ int main() { return xx; }\n"
    (wrong,) = (client := Client(folder=tmp_path)).open(uri, text)
    column = len("/* 😀é */ int main() { return ")
    assert ends(wrong) == (0, column + 1, 0, column + 3)  # UTF-16: the face has two units
    assert client.close() == 0
    (wrong,) = (client := Client(encodings=("utf-32",), folder=tmp_path)).open(uri, text)
    assert client.capabilities["positionEncoding"] == "utf-32"
    assert ends(wrong) == (0, column, 0, column + 2)
    assert client.close() == 0


def test_a_check_has_a_time_limit_and_ends_where_the_text_changes(tmp_path: Path) -> None:
    client = Client("--timeout", "3", folder=tmp_path)
    uri = address(tmp_path, "endless.c")
    endless = "#include <stdatomic.h>\natomic_int x;\nint main() { for (;;) x = x + 1; }\n"
    assert client.open(uri, endless) == []
    (told,) = client.save(uri)
    assert (told["code"], told["severity"]) == ("no-answer", 3)
    client.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    time.sleep(0.3)
    assert client.change(uri, MP) == []
    assert client.lens(uri) == "check under rc11"
    client.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert client.close() == 0  # while it checks


def test_the_lens_checks(client: Client, tmp_path: Path) -> None:
    uri = address(tmp_path, "p.xcfa")
    text = (shipped("programs") / "peterson.xcfa").read_text(encoding="utf-8")
    assert client.open(uri, text, "xcfa") == []
    assert client.lens(uri) == "check under tso"
    client.ask("workspace/executeCommand", {"command": "xgen.check", "arguments": [uri]})
    assert shown(client.told(uri))[0][2] == "error-location"
    assert client.lens(uri).startswith("violation: error location ")
