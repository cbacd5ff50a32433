"""Mutual exclusion algorithms in DVE, for any number of processes; programs/dve has those for two."""

from __future__ import annotations


def peterson() -> str:
    """The textbook's form, for two."""

    def process(i: int) -> str:
        return f"""process P_{i} {{
  state NCS, q1, wait, CS;
  init NCS;
  trans
    NCS -> q1 {{ effect flag[{i}] = 1; }},
    q1 -> wait {{ effect turn = {1 - i}; }},
    wait -> CS {{ guard flag[{1 - i}] == 0; }},
    wait -> CS {{ guard turn == {i}; }},
    CS -> NCS {{ effect flag[{i}] = 0; }};
}}
"""

    return "\n".join(["byte flag[2];\nbyte turn;\n", process(0), process(1), "system async;\n"])


def peterson_n(n: int) -> str:
    """The form for n: a process passes one level after the other."""

    def process(i: int) -> str:
        return f"""process P_{i} {{
  byte j, k;
  state NCS, wait, q2, q3, CS;
  init NCS;
  trans
    NCS -> wait {{ effect j = 1; }},
    wait -> q2 {{ guard j < {n}; effect pos[{i}] = j; }},
    q2 -> q3 {{ effect step[j - 1] = {i}, k = 0; }},
    q3 -> q3 {{ guard k < {n} && (k == {i} || pos[k] < j); effect k = k + 1; }},
    q3 -> wait {{ guard step[j - 1] != {i} || k == {n}; effect j = j + 1; }},
    wait -> CS {{ guard j == {n}; }},
    CS -> NCS {{ effect pos[{i}] = 0; }};
}}
"""

    return "\n".join([f"byte pos[{n}];\nbyte step[{n}];\n", *map(process, range(n)), "system async;\n"])


def anderson(n: int) -> str:
    """A queue in an array: each process waits at a slot of its own."""

    def process(i: int) -> str:
        return f"""process P_{i} {{
  byte m;
  state NCS, p1, wait, p3, CS;
  init NCS;
  trans
    NCS -> p1 {{ effect m = next, next = next + 1; }},
    p1 -> wait {{ guard m == {n - 1}; effect next = next - {n}; }},
    p1 -> wait {{ guard m != {n - 1}; effect m = m % {n}; }},
    wait -> p3 {{ guard Slot[m] == 1; }},
    p3 -> CS {{ effect Slot[m] = 0; }},
    CS -> NCS {{ effect Slot[(m + 1) % {n}] = 1; }};
}}
"""

    return "\n".join([f"byte Slot[{n}] = {{1}};\nbyte next;\n", *map(process, range(n)), "system async;\n"])


def lamport(n: int) -> str:
    """The fast one; y = 0: nobody is inside."""

    def process(i: int) -> str:
        return f"""process P_{i} {{
  byte j;
  state NCS, p1, wait, p3, p4, p5, p6, p7, p8, CS, e1;
  init NCS;
  trans
    NCS -> p1 {{ effect b[{i}] = 1; }},
    p1 -> wait {{ effect x = {i}; }},
    wait -> p3 {{ guard y != 0; effect b[{i}] = 0; }},
    p3 -> NCS {{ guard y == 0; }},
    wait -> p4 {{ guard y == 0; }},
    p4 -> p5 {{ effect y = {i}; }},
    p5 -> CS {{ guard x == {i}; }},
    p5 -> p6 {{ guard x != {i}; effect b[{i}] = 0, j = 1; }},
    p6 -> p6 {{ guard j <= {n} && b[j] == 0; effect j = j + 1; }},
    p6 -> p7 {{ guard j > {n}; effect j = 0; }},
    p7 -> CS {{ guard y == {i}; }},
    p7 -> p8 {{ guard y != {i}; }},
    p8 -> NCS {{ guard y == 0; }},
    CS -> e1 {{ effect y = 0; }},
    e1 -> NCS {{ effect b[{i}] = 0; }};
}}
"""

    return "\n".join([f"byte x, y;\nbyte b[{n + 1}];\n", *map(process, range(1, n + 1)), "system async;\n"])
