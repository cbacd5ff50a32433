"""With `weak_cas`, a weak compare-exchange may fail for no reason, wherever it stands."""

from __future__ import annotations

import pytest
from both.asked import READERS, said

ONCE = "int e = 0; int ok = atomic_compare_exchange_weak(&x, &e, 1); assert(ok TEST);"
ROUNDS = "int e = 0; while (!atomic_compare_exchange_weak(&x, &e, e + 1)) ; assert(x == 1);"
PAIR = """typedef struct { long a, b; } pair; _Atomic pair p;
int main(void) { pair e = {0, 0}, n = {1, 2}; int ok = atomic_compare_exchange_weak(&p, &e, n); assert(ok TEST); }"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "strong", "weak"),
    [
        (f"atomic_int x; int main(void) {{ {ONCE.replace('TEST', '')} }}", "safe", "violation"),
        (f"atomic_int x; int main(void) {{ {ONCE.replace('TEST', '|| x == 0')} }}", "safe", "safe"),
        (f"atomic_int x; int main(void) {{ {ROUNDS} }}", "safe", "safe"),
        (f"int main(void) {{ atomic_int x = 0; {ONCE.replace('TEST', '')} }}", "safe", "violation"),
        (
            f"atomic_int x; void *t(void *a) {{ {ONCE.replace('TEST', '')} return a; }}"
            "int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); }",
            "safe",
            "violation",
        ),
        (PAIR.replace("TEST", ""), "safe", "violation"),
        (PAIR.replace("TEST", "|| 1"), "safe", "safe"),
    ],
)
def test_a_weak_one_may_fail(reader: str, text: str, strong: str, weak: str) -> None:
    assert said(reader, text)[0] == strong
    assert said(reader, text, weak_cas=True)[0] == weak
