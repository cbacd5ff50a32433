"""The text of programs as people write them: what is printed is read as the same, comments stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from program.written import texts

from xgen.errors import Source
from xgen.program import parse, surface
from xgen.program.parser import parse_text
from xgen.program.printer import print_program
from xgen.program.text import comments_in, print_text


def read(text: str) -> surface.Text:
    return parse_text(Source("test.xcfa", text))


@given(texts)
def test_printed_texts_are_read_as_the_same(text: surface.Text) -> None:
    printed = print_text(text)
    assert read(printed) == text
    assert print_text(read(printed)) == printed


COMMENTS = ["// one", "/* two */", "/* three\n   lines */\n", "// four: -> { ; }"]


@given(texts, st.data())
def test_comments_stay(text: surface.Text, data: st.DataObject) -> None:
    """Comments at the ends of lines, between them and inside of them: all are printed, in their order."""
    lines = print_text(text).split("\n")
    for number in range(len(lines)):
        comment = data.draw(st.none() | st.sampled_from(COMMENTS))
        if comment is not None:
            lines[number] += f" {comment}" if data.draw(st.booleans()) else f"\n{comment}"
    commented = "\n".join(lines) + "\n"
    printed = print_text(read(commented))
    assert read(printed) == text
    assert [comment.text for comment in comments_in(printed)] == [c.text for c in comments_in(commented)]
    assert print_text(read(printed)) == printed


TIDY = """\
// A program.

const N = 2  // how many

struct Node { val : int  ok : bool }
var node : Node[N] (1, true, 2, false)

// What is shared.
int procedure get(i : int) {
  var v : int
  v <- node[i].val @ acquire;  // the value
  if v = 0 {
    return 1;
  } else if v = 1 {
    // nothing
  } else {
    return 2;
  }
  return v;
}

process worker[N](me) {
  var a : int[N + 1]
  for i in 0 .. N {
    a[i] := i;
  }
  while a[0] < 3 {
    a[0] := call get(me);
    break;
  }
  do {
    skip;
  } while false;
  choose {
    a[1] -> node[me].val;
  } or {
    continue_();
  }
}

process old {
  init loc A
  loc B
  A -> B { assume true; }
  A -> A { else; }
}
""".replace("    continue_();\n", "    skip;\n")


def test_tidy_texts_stay_as_they_are() -> None:
    assert print_text(read(TIDY)) == TIDY
    program = parse(Source("tidy.xcfa", TIDY))
    assert parse(Source("again.xcfa", print_program(program))) == program


@pytest.mark.parametrize(
    "written", ["process p { 1 -> x; } // end", "process p{/* a */1->x;/* b */}", "var x : int // c"]
)
def test_comments_of_one_line(written: str) -> None:
    printed = print_text(read(written))
    assert [comment.text for comment in comments_in(printed)] == [comment.text for comment in comments_in(written)]
