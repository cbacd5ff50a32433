"""What the language server tells of programs that are compiled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs pygls")

from llvm.compiling import compiles
from lsp.client import Client

pytestmark = compiles

RACE = """\
#include <atomic>
#include <thread>
int x;
std::atomic<int> flag;
int main() {
  std::thread writer([] { x = 1; flag.store(1, std::memory_order_relaxed); });
  if (flag.load(std::memory_order_acquire)) x = 2;
  writer.join();
}
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    client = Client("--timeout", "60", folder=tmp_path_factory.mktemp("work"))
    yield client
    assert client.close() == 0


def test_cpp_is_checked_where_it_says_so(client: Client, tmp_path: Path) -> None:
    """Not as one types: then the compiler has not seen the text."""
    uri = (tmp_path / "race.cpp").as_uri()
    (tmp_path / "race.cpp").write_text(RACE)
    assert client.open(uri, RACE) == []
    assert client.lens(uri) == "check under rc11-c20"
    assert client.save(uri) == []
    told = "// verdict: violation race\n" + RACE
    (tmp_path / "race.cpp").write_text(told)
    assert client.change(uri, told) == []
    (race,) = client.save(uri)
    assert (race["range"]["start"]["line"], race["code"]) == (7, "race")
    assert [each["location"]["range"]["start"]["line"] for each in race["relatedInformation"]] == [6, 6]
    assert client.lens(uri).startswith("violation: data race on x at ")


def test_cpp_that_a_compiler_refuses(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "bad.cpp").as_uri()
    (tmp_path / "bad.cpp").write_text("// xgen:\nint main() { return foo; }\n")
    client.open(uri, (tmp_path / "bad.cpp").read_text())
    (wrong,) = client.save(uri)
    assert (wrong["range"]["start"], wrong["code"]) == ({"line": 1, "character": 20}, "input")
    assert wrong["message"] == "use of undeclared identifier 'foo'"
