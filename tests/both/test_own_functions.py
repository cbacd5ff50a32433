"""What the program defines counts: functions with names of the library, and macros that options define, too."""

from __future__ import annotations

import pytest
from both.asked import READERS, read, said


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("before", "behind", "test"),
    [
        ("long syscall(long n, ...) { return n + 1; }", "", "syscall(7) == 8"),
        ("long syscall(long n, ...);", "long syscall(long n, ...) { return n + 1; }", "syscall(7) == 8"),
        ("static int syscall(int a, int b) { return a + b; }", "", "syscall(3, 4) == 7"),
        ("static int sem_post(int n) { return n; }", "", "sem_post(3) == 3"),
        ("int gettid(int n) { return n; }", "", "gettid(3) == 3"),
        ("static int sched_yield(void) { return 5; }", "", "sched_yield() == 5"),
        ("static int usleep(int n) { return n; }", "", "usleep(3) == 3"),
        (
            "static int printf_(int n) { return n; } static int puts_(int n);",
            "static int puts_(int n) { return n; }",
            "puts_(3) == printf_(3)",
        ),
        ("static int assume_all(int n) { return n; }", "", "assume_all(2) == 2"),
    ],
)
def test_the_program_s_own_counts(reader: str, before: str, behind: str, test: str) -> None:
    text = f"#include <assert.h>\n{before}\nint main(void) {{ assert({test}); }}\n{behind}\n"
    assert said(reader, text, head="") == ("safe", 1, [])


def test_what_verification_says_counts_all_the_same() -> None:
    text = "void reach_error(void) {} int main(void) { reach_error(); }"
    assert said("own", text, head="")[::2] == ("violation", ["assertion"])


AGAIN = "#include <assert.h>\n#define N 10\nint main(void) { assert(N == 10); }"


@pytest.mark.parametrize("reader", READERS)
def test_a_macro_of_an_option_is_defined_again(reader: str) -> None:
    """GCC and Clang warn, and take the file's."""
    assert said(reader, AGAIN, head="", defines=("N=2",)) == ("safe", 1, [])


def test_that_is_said() -> None:
    (remark,) = read("own", AGAIN, head="", defines=("N=2",)).remarks
    assert remark.startswith("test.c:2:9: the macro `N` is defined again, not as -D says (`2`)")
    assert read("own", AGAIN, head="", defines=("N=10",)).remarks == ()


ASSERTS = "#include <assert.h>\nint main(void) { assert(0); }"
WITHOUT = "note: NDEBUG is defined: the program's `assert` checks nothing"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "options", "verdict", "remarks"),
    [
        (ASSERTS, {}, "violation", []),
        (ASSERTS, {"defines": ("NDEBUG",)}, "safe", [f"{WITHOUT}; -U NDEBUG leaves them there"]),
        (ASSERTS, {"defines": ("NDEBUG",), "undefines": ("NDEBUG",)}, "violation", []),
        (f"#define NDEBUG\n{ASSERTS}", {}, "safe", [WITHOUT]),
        ("int main(void) { }", {"defines": ("NDEBUG",)}, "safe", []),
    ],
)
def test_without_assertions(reader: str, text: str, options: dict, verdict: str, remarks: list[str]) -> None:  # type: ignore[type-arg]
    assert said(reader, text, head="", **options)[0] == verdict
    assert list(read(reader, text, head="", **options).remarks) == remarks
