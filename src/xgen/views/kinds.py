"""What the kinds of violations and refusals mean, each with an example that a test runs, and what to do.

`xgen kinds` prints them, docs/errors.md is made of them, and the rules of SARIF lead there.
"""

from __future__ import annotations

from textwrap import dedent, indent

from xgen.records import dataclass
from xgen.version import __version__
from xgen.views.answers.json import document

PAGE = "docs/errors.md"


@dataclass(frozen=True)
class KindOf:
    """A kind: `what` it means, an `example` (a program, or what one types), and what to `do`.

    `asked` are the options with which `xgen check` finds it in the example, whose file has the suffix `suffix`; None:
    the example is a command.
    """

    name: str
    what: str
    example: str
    do: str
    asked: str | None = ""
    suffix: str = "c"


def _kind(name: str, what: str, do: str, example: str, asked: str | None = "", suffix: str = "c") -> KindOf:
    return KindOf(name, " ".join(what.split()), dedent(example).strip("\n"), " ".join(do.split()), asked, suffix)


def _of_c(headers: str, text: str) -> str:
    """A program of C with the headers of these names."""
    return "".join(f"#include <{name}.h>\n" for name in headers.split()) + dedent(text).strip("\n")


VIOLATIONS = (
    _kind(
        "assertion",
        "An assertion of the program does not hold: `assert`, `assert!`, `__VERIFIER_error`, `reach_error`, a panic.",
        """Read the execution from top to bottom: each read says which write it reads from. If the values are
        ones that you
        did not expect, an order is missing: `xgen fences` finds which, `xgen explain` says why the model allows it.""",
        "#include <assert.h>\nint main(void) { int x = 1; assert(x == 2); }",
    ),
    _kind(
        "race",
        """Two threads access the same object, at least one of them writes, at least one access is not atomic,
        and nothing
        orders them. A program with a data race has no meaning in C, C++ and Rust.""",
        """Make the accesses atomic, hold a lock around both, or publish the object by a release store that an
        acquire load
        reads. The report names an order that is missing where there is one; `--no-check races` leaves races out.""",
        _of_c(
            "pthread",
            """
        int x;
        void *other(void *p) { x = 1; return p; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, other, 0);
          x = 2;
          pthread_join(t, 0);
        }
        """,
        ),
    ),
    _kind(
        "uninitialised",
        """The program uses a variable, or a part of allocated memory, that has no value yet: no write to it
        happens before
        the read. In C++ and Rust, copying such bytes is no violation, but a calculation or a branch on them is.""",
        "Give it a value first; memory of `malloc` has none, that of `calloc` is 0.",
        "int main(void) { int x; return x - x; }",
    ),
    _kind(
        "bad-address",
        """An access, where the memory has no object: through a null pointer, behind the end of an object, or to a local
        variable of a function or block that has ended; also a write to a constant or a string literal.""",
        "The report names the access and the calls that lead there. Look where its pointer comes from.",
        "int main(void) { int *p = 0; return *p; }",
    ),
    _kind(
        "out-of-bounds",
        "The index of an array with a declared size is less than 0, or not less than the size.",
        "Check the index; in a ring, the two counters may be further apart than the ring is long.",
        "int a[2];\nint main(void) { int i = 2; return a[i]; }",
    ),
    _kind(
        "use-after-free",
        "An access to memory that was freed before: `free`, `delete`, the drop of a `Box`.",
        """Find who may still use the memory when it is freed. Deferred reclamation (hazard pointers, epochs, reference
        counts) is how lock-free structures avoid it.""",
        _of_c("stdlib", "int main(void) { int *p = malloc(4); *p = 1; free(p); return *p; }"),
    ),
    _kind(
        "race-with-free",
        "Nothing orders an access to allocated memory before the `free` of that memory, so it may also come after it.",
        "Let the thread that frees it wait for those that use it: a join, a lock, or an acquire of their last release.",
        _of_c(
            "pthread stdlib",
            """
        int *p;
        void *other(void *a) { *p = 2; return a; }
        int main(void) {
          pthread_t t;
          p = malloc(4);
          pthread_create(&t, 0, other, 0);
          free(p);
        }
        """,
        ),
    ),
    _kind(
        "use-before-allocation",
        "Nothing orders an access after the allocation: the thread has got the pointer without synchronisation.",
        "Publish the pointer by a release store, and read it by an acquire load.",
        _of_c(
            "pthread stdlib",
            """
        #include <stdatomic.h>
        _Atomic(int *) p;
        void *other(void *a) {
          int *q = atomic_load_explicit(&p, memory_order_relaxed);
          if (q) *q = 2;
          return a;
        }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, other, 0);
          atomic_store_explicit(&p, malloc(4), memory_order_relaxed);
        }
        """,
        ),
    ),
    _kind(
        "double-free",
        "Memory is freed a second time.",
        "One thread must own the memory: exchange the pointer for null, and free what the exchange returned.",
        _of_c("stdlib", "int main(void) { int *p = malloc(4); free(p); free(p); }"),
    ),
    _kind(
        "leak",
        """With `--leaks`: memory is not freed when the program ends, and no pointer leads to it that could still be
        used.""",
        """Free it where the last pointer to it is overwritten, or goes out of scope. Memory to which a global variable
        leads is no leak. In Rust, make one reference of a circle of `Arc`s a `Weak`.""",
        _of_c("stdlib", "int main(void) { int *p = malloc(4); p = malloc(8); free(p); }"),
        "--leaks",
    ),
    _kind(
        "bad-free",
        "`free`, `realloc` or `delete` of a pointer that no allocation returned.",
        "Free the pointer that the allocation returned, not one into its middle, and no variable.",
        _of_c("stdlib", "int main(void) { int *p = malloc(8); free(p + 1); }"),
    ),
    _kind(
        "bad-allocation",
        "An allocation of 0 bytes, or with an alignment that is none: what it returns may not be used.",
        "Check the size before the allocation.",
        _of_c("stdlib", "int main(void) { malloc(0); }"),
    ),
    _kind(
        "deadlock",
        "Every thread that has not ended waits for a mutex, or joins a thread that waits.",
        "Take locks in the same order everywhere. The report names the thread, and what it waits for.",
        """
        #include <threads.h>
        int main(void) {
          mtx_t m;
          mtx_init(&m, mtx_plain);
          mtx_lock(&m);
          mtx_lock(&m);
        }
        """,
    ),
    _kind(
        "await",
        """With `--liveness`: a thread waits for ever, in a loop that it cannot leave since no write comes that
        would let it,
        or for a signal that was lost.""",
        """Look for the write or the signal that should come: it may have come before the thread began to wait.
        A wait has
        to look at its condition again after each wake-up.""",
        """
        #include <stdatomic.h>
        atomic_int flag;
        int main(void) { while (!flag) { } }
        """,
        "--liveness",
    ),
    _kind(
        "livelock",
        """With `--liveness`: threads go round in loops that write, undo each other's work (or a thread its own), and
        come back to where they were. Each thread takes steps again and again, or cannot take one.""",
        """Let one of the threads win: by a compare-exchange, by an order in which locks are taken, or by who waits for
        whom. The report shows the last round twice.""",
        """
        #include <stdatomic.h>
        atomic_int x;
        int main(void) { while (x != 2) x = !x; }
        """,
        "--liveness",
    ),
    _kind(
        "unlock",
        "A thread unlocks a mutex or read-write lock that it does not hold.",
        "Unlock in the thread that has locked, and once; after a failed `trylock` there is nothing to unlock.",
        """
        #include <threads.h>
        int main(void) {
          mtx_t m;
          mtx_init(&m, mtx_plain);
          mtx_unlock(&m);
        }
        """,
    ),
    _kind(
        "destroyed",
        "A thread locks a mutex that is destroyed, or destroys one that is held.",
        "Destroy a lock when no thread can use it any more: after their joins.",
        _of_c(
            "pthread",
            """
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        int main(void) { pthread_mutex_destroy(&m); pthread_mutex_lock(&m); }
        """,
        ),
    ),
    _kind(
        "barrier",
        "A barrier is used before it is initialised, after it is destroyed, for 0 threads, or is initialised twice.",
        "Initialise it once before the threads start, and destroy it after they have joined.",
        _of_c("pthread", "pthread_barrier_t b;\nint main(void) { pthread_barrier_wait(&b); }"),
    ),
    _kind(
        "bad-join",
        "A join of something that is no thread, or of a thread that is joined or detached already.",
        "Join each thread once.",
        _of_c(
            "pthread",
            """
        void *other(void *p) { return p; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, other, 0);
          pthread_join(t, 0);
          pthread_join(t, 0);
        }
        """,
        ),
    ),
    _kind(
        "bad-call",
        "A call through a pointer that leads to no function of that type, or to none at all.",
        "Look where the pointer comes from; a null pointer to a function is the usual case.",
        "int main(void) { int (*f)(void) = 0; return f(); }",
    ),
    _kind(
        "division-by-zero",
        "A division by 0, or a remainder of one.",
        "Check the divisor; under a weak model it may be an older value than you expect.",
        "int main(void) { int x = 0; return 1 / x; }",
    ),
    _kind(
        "shift",
        "A shift by less than 0, or by at least as many bits as the number has.",
        "Check the distance, or use a wider type: `1ull << n`.",
        "int main(void) { int n = 40; return 1 << n; }",
    ),
    _kind(
        "overflow",
        """A signed number that its type cannot have. Only `--check overflow` looks for it, but INT_MIN / -1 is
        always one.""",
        "Use an unsigned or a wider type. Atomic updates wrap around, and are no violation.",
        "#include <limits.h>\nint main(void) { int x = INT_MAX; return x + 1 < 0; }",
        "--check overflow",
    ),
    _kind(
        "exit",
        "The program ends with an error: `abort()`, `exit(1)`, `return 1` of main; a `#[should_panic]` that does not.",
        "The report names the place. `--no-check exit` says that this is no violation.",
        _of_c("stdlib", "int main(void) { abort(); }"),
    ),
    _kind(
        "undefined",
        "Something else that the language, or a flag of the model, leaves without a meaning: `__builtin_ctz(0)`.",
        "The message names it; for a flag of a model, `xgen models show MODEL` prints its definition.",
        "int main(void) { unsigned x = 0; return __builtin_ctz(x); }",
    ),
    _kind(
        "error-location",
        "A process of an XCFA program reaches a location that is declared as an error.",
        "Read the execution from top to bottom; `xgen explain` says why the model allows it.",
        "process p { init loc A error loc B A -> B { } }",
        "--mcm sc",
        "xcfa",
    ),
    _kind(
        "out-of-range",
        "The index of an array of an XCFA program is less than 0, or not less than its size.",
        "Check the index with `assume`, or make the array longer.",
        "var a : int[2] process p { var i : int 2 -> a[i + 3]; }",
        "--mcm sc",
        "xcfa",
    ),
    _kind(
        "not-allowed",
        """Of `xgen fences --robust MODEL`: an execution that the stronger MODEL does not allow, though the
        program's model does.""",
        "Put in one of the sets of fences that the command prints.",
        "xgen fences peterson --mcm tso --robust sc",
        None,
    ),
    _kind(
        "final-state",
        "The final state of an execution is not as a litmus test's condition (`forall`, `~exists`) wants it.",
        "`xgen explain TEST` says which execution has that state, and why the model allows it.",
        "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n"
        " MOV EAX,[y] | MOV EAX,[x] ;\n~exists (0:EAX=0 /\\ 1:EAX=0)",
        "--mcm tso",
        "litmus",
    ),
    _kind(
        "claim",
        "Of `xgen test`: a file says something of itself that is not so, such as a number of executions.",
        "`xgen test FILE --update` writes the numbers again; a verdict that changed is yours to look at.",
        "xgen test programs",
        None,
    ),
)
REFUSALS = (
    _kind(
        "input",
        """xgen cannot read the program, the model or the claim: it is wrong, or has something that xgen does
        not support.""",
        "The message names the file, the line and the column, and most often a next step. The exit code is 2.",
        "int main(void) { return x; }",
    ),
    _kind(
        "usage",
        "Options or arguments do not fit together, or do not exist. The exit code is 2.",
        "The message names the option, and what does what you want, where that is known; so does `--help`.",
        "xgen check peterson --mcm tso --quiet --verbose",
        None,
    ),
    _kind(
        "limit",
        "An execution is longer than xgen can build (16,384 events). There is no answer, and the exit code is 3.",
        "Check less at a time: fewer rounds or threads (`-D N=3`, `--unroll 4`, `--max-depth 20`).",
        "int main(void) { static volatile int x; for (int i = 0; i < 20000; i++) x = i; }",
    ),
    _kind(
        "internal",
        "xgen has made a mistake of its own. The exit code is 4.",
        "Please report it with its input.",
        "xgen --version",
        None,
    ),
)
KINDS = (*VIOLATIONS, *REFUSALS)
BY_NAME = {kind.name: kind for kind in KINDS}


def text_of(kind: KindOf) -> str:
    """A kind as people read it."""
    return f"{kind.name}: {kind.what}\n\n{indent(kind.example, '    ')}\n\n{_shown(kind)}{kind.do}"


def _shown(kind: KindOf) -> str:
    if kind.asked is None:
        return ""
    return f"`{' '.join(filter(None, ('xgen check', f'example.{kind.suffix}', kind.asked)))}` finds it. "


def listed() -> str:
    """All kinds, a line each, with the first sentence."""
    width = max(len(kind.name) for kind in KINDS) + 2
    return "\n".join(kind.name.ljust(width) + kind.what.partition(". ")[0].rstrip(".") for kind in KINDS)


def render_json(kinds: tuple[KindOf, ...]) -> str:
    """The document for scripts."""
    rows = [{"name": kind.name, "what": kind.what, "example": kind.example, "do": kind.do} for kind in kinds]
    return document({"xgen": __version__, "kinds": rows})


def page() -> str:
    """docs/errors.md."""
    parts = [
        "# Kinds of violations and refusals",
        "```sh\nxgen kinds shift\n```",
        f"```text\n{text_of(BY_NAME['shift']).splitlines()[0]}\n...\n```",
        "Every message has a kind: in brackets at its end, as `kind` in JSON, as the rule in SARIF. `xgen kinds`\n"
        "lists them, and `xgen kinds race` prints one. A test runs each example here.",
        "## Violations",
        *map(_section, VIOLATIONS),
        "## Refusals",
        *map(_section, REFUSALS),
    ]
    return "\n\n".join(parts) + "\n"


def _section(kind: KindOf) -> str:
    from textwrap import fill

    example = indent(kind.example, "    ") if kind.asked is None else f"```{kind.suffix}\n{kind.example}\n```"
    return "\n\n".join(
        (
            f"### {kind.name}",
            fill(kind.what, 120, break_long_words=False, break_on_hyphens=False),
            example,
            fill(_shown(kind) + kind.do, 120, break_long_words=False, break_on_hyphens=False),
        )
    )
