"""Fences and orders in the text of C++: what is written is what was meant, and is safe."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cli.fake import run
from llvm.compiling import compiles

import xgen
from xgen.analyses.fences.c_text import accesses_of, c_texts_with, gaps_of
from xgen.analyses.fences.fences import confirmed, find_fences
from xgen.analyses.fences.kinds import own_kinds, read_kinds
from xgen.analyses.fences.sites import Piece, insert, make_atoms, pieces_of
from xgen.memory.statics.vocabulary import known_tags
from xgen.program.automaton import Program

pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install '.[cpp]'")
pytestmark = compiles
SHIPPED = Path(__file__).parents[2] / "programs" / "cpp"
KINDS = "acquire=1<seq_cst=3,release=1<seq_cst"

HEAD = """#include <atomic>
#include <pthread.h>
#define PUT(v) z.store(v, std::memory_order_relaxed)
constexpr auto R = std::memory_order_relaxed;
std::atomic<int> x{0}, y{0}, z{0};
struct Box { std::atomic<int> v[2]; int get() { return v[1].load(R); } } box, *to = &box;
template <class T> void put(T t) { y.store(t, R); }
struct Reader { int seen; Reader() : seen(x.load(R)) {} };
"""
MAIN = """
int main() {
  pthread_t s, t;
  pthread_create(&s, nullptr, f, nullptr);
  pthread_create(&t, nullptr, g, nullptr);
  pthread_join(s, nullptr);
  pthread_join(t, nullptr);
}
"""
PLACES = """void *f(void *) {
  z.exchange(3, R); /* ü */ x.store(1, R);
  put(1); put(2L);
  PUT(1); x += 8;
  int seen = box.get() + (y.load(R) ? 1 : 0), other(x.load(R) + seen), more(x.load(R));
  if (y.load(R)) to->v[0].fetch_add(1);
  else
    box . v [ 1 ] . exchange(2, R);
  return nullptr;
}
void *g(void *) {
  int e = 1;
  auto take = [&](int k) { return box.v[k].load(); };
  while (!z.compare_exchange_weak(e, 2, std::memory_order_acq_rel) && take(0) > 1) {}
  return reinterpret_cast<void *>(Reader().seen + box.get() + (e ? take(1) : 0));
}
"""
WRITTEN = {
    "x.store(1, {})": "x.store(1, R)",
    "z.exchange(3, {})": "z.exchange(3, R)",
    "y.store(t, {})": "y.store(t, R)",
    "int seen = box.get() + (y.load({})": "int seen = box.get() + (y.load(R)",
    "if (y.load({})": "if (y.load(R)",
    "other(x.load({})": "other(x.load(R)",
    "more(x.load({})": "more(x.load(R)",
    "to->v[0].fetch_add(1, {})": "to->v[0].fetch_add(1)",
    "exchange(2, {})": "exchange(2, R)",
    "take = [&](int k) {{ return box.v[k].load({})": "take = [&](int k) { return box.v[k].load()",
    "z.compare_exchange_weak(e, 2, {}, std::memory_order_acquire)": "z.compare_exchange_weak(e, 2, "
    "std::memory_order_acq_rel)",
    "seen(x.load({}))": "seen(x.load(R))",
    "v[1].load({})": "v[1].load(R)",
}
"""What the text has with each access in another order, and what is there now."""


def program_of(text: str) -> Program:
    return xgen.parse(text, "cpp", "test.cpp")


def with_pieces(base: Program, pieces: list[Piece]) -> str | None:
    texts = c_texts_with(base, pieces, [])
    return None if texts is None else texts[base.source.name]


@pytest.fixture(scope="module")
def places() -> Program:
    return program_of(HEAD + PLACES + MAIN)


def test_each_order_is_written_where_it_is_said(places: Program) -> None:
    """Also where the order has no argument; that of a compare-exchange which does not write stays."""
    before = places.source.text
    found = set()
    for site in accesses_of(places):
        text = with_pieces(places, [Piece(site, "seq_cst")])
        if text is None:
            assert before.splitlines()[site.position.line - 1][site.position.column - 1 :].startswith(("PUT", "+= 8"))
            continue
        (new,) = (new for new, old in WRITTEN.items() if text == before.replace(old, new.format(SEQ_CST)))
        found.add(new)
    assert found == WRITTEN.keys()


SEQ_CST = "std::memory_order_seq_cst"


def test_fences_stand_alone_or_before_a_whole_expression(places: Program) -> None:
    fence = f"std::atomic_thread_fence({SEQ_CST})"
    texts = [with_pieces(places, [Piece(site, "seq_cst")]) for site in gaps_of(places)]
    said = [line.strip() for text in texts if text is not None for line in text.splitlines() if fence in line]
    assert said.count(f"{fence};") == 7
    assert f"z.exchange(3, R); {fence}; /* ü */ x.store(1, R);" in said
    assert [line for line in said if line.startswith("int seen")] == [
        f"int seen = box.get() + (({fence}, y.load(R)) ? 1 : 0), other(x.load(R) + seen), more(x.load(R));",
        f"int seen = box.get() + (y.load(R) ? 1 : 0), other(({fence}, x.load(R)) + seen), more(x.load(R));",
        f"int seen = box.get() + (y.load(R) ? 1 : 0), other(x.load(R) + seen), more(({fence}, x.load(R)));",
    ]
    assert f"PUT(1); {fence}; x += 8;" in said
    assert f"auto take = [&](int k) {{ {fence}; return box.v[k].load(); }};" in said
    assert f"struct Reader {{ int seen; Reader() : seen(({fence}, x.load(R))) {{}} }};" in said
    assert f"if (y.load(R)) {fence}; to->v[0].fetch_add(1);" not in said
    assert not [line for line in said if "PUT" in line and f"{fence}, " in line]


def outcomes(program: Program) -> object:
    result = xgen.check(program, xgen.model("rc11"), all_states=True)
    return result.verdict, result.executions, sorted((sorted(o.state.items()), o.count) for o in result.outcomes)


@pytest.mark.slow
def test_what_is_written_is_what_was_meant(places: Program) -> None:
    """Half of all changes, and the others, read again: the executions of the program with them. g++ compiles it."""
    kinds = read_kinds(KINDS, own_kinds(xgen.model("rc11")))
    atoms = make_atoms(gaps_of(places), accesses_of(places), kinds, known_tags(xgen.model("rc11")), None)
    single_threaded = [piece for atom in atoms for piece in pieces_of(atoms, atom.below) if atom.kind.name == "seq_cst"]
    told = [piece for piece in single_threaded if with_pieces(places, [piece]) is not None]
    assert len(told) > 15
    for pieces in (told[::2], told[1::2]):
        text = with_pieces(places, pieces)
        assert text is not None
        assert outcomes(program_of(text)) == outcomes(insert(places, pieces))
        assert_compiles(text)


def assert_compiles(text: str) -> None:
    """By another compiler than that which xgen asks."""
    if shutil.which("g++"):
        command = ["g++", "-std=c++20", "-fsyntax-only", "-x", "c++", "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("options", "placements"),
    [({}, 1), ({"orders": "only"}, 1)],
)
@pytest.mark.slow
def test_every_placement_of_a_queue_is_safe_as_it_is_written(options: dict[str, Any], placements: int) -> None:
    """In a file that the program's own includes; each is checked again."""
    model = xgen.model("rc11")
    program = xgen.load(SHIPPED / "spsc_us.cpp")
    answer = find_fences(program, model, **options)
    assert len(answer.placements) == placements

    def read(text: str) -> Program:
        return xgen.parse(text, "cpp", str(SHIPPED / "spsc_us.cpp"))

    for number in range(placements):
        texts = confirmed(answer, model, read, None, number)
        assert texts is not None
        own, header = texts
        assert texts[own] == program.source.text
        changed = [line for line in texts[header].splitlines() if line not in answer.texts[header].splitlines()]
        assert [line.strip() for line in changed] in (
            ["std::atomic_thread_fence(std::memory_order_release);"],
            ["tail_.store(next, std::memory_order_release);"],
        )


MESSAGE = """#include <atomic>
#include <cassert>
#include <pthread.h>
std::atomic<int> data, flag;
#define RAISE flag.store(1, std::memory_order_relaxed)
void *writer(void *) { data.store(1, std::memory_order_relaxed); WRITE; return nullptr; }
int main() {
  pthread_t t;
  pthread_create(&t, nullptr, writer, nullptr);
  if (flag.load(std::memory_order_acquire)) assert(data.load(std::memory_order_relaxed) == 1);
  pthread_join(t, nullptr);
}
"""


def test_write(tmp_path: Path) -> None:
    path, target = tmp_path / "message.cpp", tmp_path / "written.cpp"
    path.write_text(MESSAGE.replace("WRITE", "flag.store(1, std::memory_order_relaxed)"), encoding="utf-8")
    done = run("fences", str(path), "--orders", "only", "--write", str(target))
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, f"placement 1 was written to {target}")
    new = target.read_text(encoding="utf-8")
    assert new == MESSAGE.replace("WRITE", "flag.store(1, std::memory_order_release)")
    assert xgen.check(xgen.load(target), xgen.model("rc11")).verdict == "safe"


def test_what_a_macro_does_is_refused_with_its_place(tmp_path: Path) -> None:
    path, target = tmp_path / "message.cpp", tmp_path / "written.cpp"
    path.write_text(MESSAGE.replace("WRITE", "RAISE"), encoding="utf-8")
    done = run("fences", str(path), "--orders", "only", "--write", str(target))
    assert done.exit_code == 2
    assert "message.cpp:6:66: nothing was written" in done.stderr
    assert not target.exists()


def test_columns_are_those_of_characters(places: Program) -> None:
    """Compilers count bytes."""
    sites = (site for site in accesses_of(places) if site.position.line == 10)
    told = [places.source.line(10)[site.position.column - 1 :][:7] for site in sites]
    assert told == ["exchang", "store(1"]


def test_what_mends_a_race_is_the_next_command(tmp_path: Path) -> None:
    text = """#include <atomic>
    #include <pthread.h>
    int data;
    std::atomic<int> flag;
    void *put(void *) { data = 1; flag.store(1, std::memory_order_relaxed); return nullptr; }
    int main() {
      pthread_t other;
      pthread_create(&other, nullptr, put, nullptr);
      if (flag.load(std::memory_order_acquire)) __builtin_printf("%d", data);
      pthread_join(other, nullptr);
    }
    """
    path = tmp_path / "flag.cpp"
    path.write_text(text)
    found = run("check", str(path))
    assert (found.exit_code, found.stdout.splitlines()[-1]) == (1, f"next: xgen fences {path} --orders --cheapest")
