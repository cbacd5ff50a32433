"""Programs in which each thread reads what the one before it writes, and updates may fail: a third has no load
buffering, of which most would have some if an update that fails had written.
"""

from __future__ import annotations

from random import Random


class _Thread:
    """Writes one thread: edges, and the statements of the one that comes next."""

    def __init__(self, rng: Random, unasked: bool = False) -> None:
        self.rng = rng
        self.unasked = unasked
        self.edges: list[str] = []
        self.body: list[str] = []
        self.place = 0

    def order(self, *orders: str) -> str:
        return f" @ {self.rng.choice(orders)}" if self.rng.random() < 0.1 else ""

    def end_edge(self) -> None:
        if self.body:
            self.edge(*self.body)
            self.place += 1
        self.body = []

    def edge(self, *statements: str) -> None:
        self.edges.append(f"L{self.place} -> L{self.place + 1} {{ " + "\n ".join(statements) + " }")

    def cas_of_which_nobody_asks(self, cell: str) -> None:
        """One that releases: before anything else but stores, there is an acquire behind it, mostly; or it helps others
        in a loop until the cell has another value."""
        expected, new = self.rng.sample(("0", "1", "2"), 2)
        made = f"cas({cell}, {expected}, {new}) @ release, relaxed"
        if self.rng.random() < 0.3:
            self.end_edge()
            self.edges.append(f"L{self.place} -> H{self.place} {{ a <- {cell} @ acquire }}")
            self.edges.append(f"H{self.place} -> L{self.place} {{ assume a = {expected}\n {made} }}")
            self.edges.append(f"H{self.place} -> L{self.place + 1} {{ assume a /= {expected} }}")
            self.place += 1
            return
        self.body.append(made)
        for _ in range(self.rng.choice((0, 0, 1, 2))):
            self.body.append(f"{self.rng.choice('12a')} -> {self.rng.choice('xyz')}")
        if self.rng.random() < 0.9:
            self.body.append(f"{self.rng.choice('ab')} <- {self.rng.choice('xyz')} @ acquire")

    def cas(self, cell: str, last: bool) -> None:
        """A compare-exchange after which the thread asks whether it has written, mostly."""
        if self.unasked and self.rng.random() < 0.7:
            self.cas_of_which_nobody_asks(cell)
            return
        expected, new = self.rng.choice("00112"), self.rng.choice("1120b")
        self.body.append(f"a <- cas({cell}, {expected}, {new}){self.order('acquire', 'release', 'acq_rel')}")
        if last and self.rng.random() < 0.6:
            return
        self.end_edge()
        way = self.rng.random()
        if way < 0.3 or way >= 0.45:
            self.edge(f"assume a = {expected}")
        if way >= 0.3:
            self.edge(f"assume a /= {expected}")
        self.place += 1

    def read(self, cell: str, last: bool) -> None:
        way = self.rng.random()
        if way < 0.35:
            self.body.append(f"b <- {cell}{self.order('acquire')}")
        elif way < 0.65:
            self.body.append(f"b <- fetch_add({cell}, 1){self.order('acquire', 'release')}")
        elif way < 0.75:
            self.body.append(f"b <- exchange({cell}, {self.rng.choice('12')}){self.order('acquire', 'release')}")
        else:
            self.cas(cell, last)

    def write(self, cell: str, last: bool) -> None:
        way, value = self.rng.random(), self.rng.choice(("1", "1", "1", "2", "b", "b + 1"))
        if way < 0.45:
            self.body.append(f"{value} -> {cell}{self.order('release')}")
        elif way < 0.6:
            self.body.append(f"c <- fetch_add({cell}, 1){self.order('acquire', 'release')}")
        elif way < 0.68:
            self.body.append(f"c <- exchange({cell}, {value}){self.order('acquire', 'release')}")
        else:
            self.cas(cell, last)

    def text(self, name: str) -> str:
        self.end_edge()
        places = ["init loc L0", *(f"loc L{n}" for n in range(1, self.place)), f"final loc L{self.place}"]
        places += [f"loc H{n}" for n in range(self.place) if any(f"-> H{n} " in edge for edge in self.edges)]
        return "\n".join([f"process {name} {{ var a : int var b : int var c : int", *places, *self.edges, "}"])


def buffering_program(rng: Random, unasked: bool = False) -> str:
    """The text of such a program, in XCFA. `unasked`: with compare-exchanges of which nobody asks whether they have
    written."""
    cells = "xyz"[: rng.choice((2, 2, 2, 3))]
    shared = "xyz" if unasked else cells
    lines = [f"var {cell} : int{'' if rng.random() < 0.8 else ' (1)'}" for cell in shared] + ["var m : synthetic"]
    for number, own in enumerate(cells):
        following, thread = cells[(number + 1) % len(cells)], _Thread(rng, unasked)
        steps = [(thread.read, own), (thread.write, following)]
        for _ in range(rng.choice((0, 1, 1, 2))):
            more = rng.choice((thread.read, thread.read, thread.write)), rng.choice((own, own, following))
            steps.insert(rng.randint(0, len(steps)), more)
        for step, (access, cell) in enumerate(steps):
            access(cell, step == len(steps) - 1)
        if rng.random() < 0.08:
            thread.body.insert(0, "lock(m)")
            thread.body.append("unlock(m)")
        lines.append(thread.text(f"p{number}"))
    return "\n".join(lines)


def helping_program(rng: Random) -> str:
    """The text of a program with a compare-exchange of which nobody asks, with little else in it that might be load
    buffering: one that fails has no order, one that has written has."""
    pick = rng.choice

    def some(*texts: str, share: float = 0.5) -> list[str]:
        return [pick(texts)] if rng.random() < share else []

    first = [
        *some("3 -> w", "s <- w", "s <- y @acquire", share=0.3),
        f"cas(x, {pick('001')}, {pick('112')}) @ release, relaxed",
    ]
    first += some("1 -> w", "2 -> y", "2 -> x", "fence", share=0.25)
    first += [f"s <- {pick('yyxw')} @acquire", *some("r <- w", "fence", share=0.15), f"{pick('11s')} -> z"]
    second = [f"r <- {pick('zzzw')}{pick(('', '', '', ' @acquire'))}"]
    second += [f"{pick(('r + r', 'r + 1', '2', 'r'))} -> x", *some("fence", share=0.6), f"s <- {pick('xxyw')}"]
    second += some("1 -> y", "1 -> y @release", "r -> w", share=0.3)
    third = [
        pick(("1 -> y", "1 -> y @release", "r <- fetch_add(y, 1)")),
        pick(("fence", "1 -> w")),
        f"s <- {pick('xz')}",
    ]
    threads = [first, second, *([third] if rng.random() < 0.3 else [])]
    lines = [f"var {cell} : int" for cell in "wxyz"]
    for number, body in enumerate(threads):
        lines.append(f"process p{number} {{ var r : int var s : int init loc A final loc B")
        lines.append("A -> B { " + "\n ".join(body) + " } }")
    return "\n".join(lines)


def rereading_program(rng: Random) -> str:
    """The text of a program with a compare-exchange of which nobody asks, behind which its thread mostly reads the cell
    again by an acquire; it may write meanwhile, to what others read only later perhaps."""
    pick = rng.choice
    written = ("1 -> w", "1 -> v[1]", "2 -> v[2]", "2 -> y", "1 -> v[1] @ release", "s <- fetch_add(w, 1)")
    other = ("s <- y", "s <- x", "s <- w @ acquire", "fence")

    def some(*texts: str, share: float = 0.5) -> list[str]:
        return [pick(texts)] if rng.random() < share else []

    def edge(ends: str, *statements: str) -> str:
        return f"{ends} {{ " + "\n ".join(statements) + " }"

    def rereading() -> tuple[str, ...]:
        cell = pick("xxxy")
        before = some("3 -> w", "s <- w", "s <- y @ acquire", "r <- v[1]", share=0.25)
        tried = f"cas({cell}, {pick('001')}, {pick('112')}) @ release, relaxed"
        between = [pick(written + other) for _ in range(pick((0, 0, 1, 1, 2)))]
        behind = [*some("r <- w", "fence", "r <- y", share=0.2), f"{pick(('1', 's', 'r + 1'))} -> z"]
        behind += some("r <- x", "1 -> y", share=0.2)
        if rng.random() < 0.25:
            again = edge("H -> A", "assume s = 1", tried, *between)
            return edge("A -> H", *before, f"s <- {cell} @ acquire"), again, edge("H -> B", "assume s /= 1", *behind)
        return (edge("A -> B", *before, tried, *between, f"s <- {pick(cell * 5 + 'w')} @ acquire", *behind),)

    def following() -> tuple[str, ...]:
        first = f"r <- {pick('zzzwy')}{pick(('', '', ' @ acquire'))}"
        writes = ("r + r -> x", "1 -> x", "2 -> x", "r -> x", "1 -> y", "2 -> y", "s <- cas(x, 0, 1)")
        then = [
            *some("s <- v[r]", "2 -> v[r]"),
            pick((*writes, "s <- exchange(x, 2)", "cas(x, 0, 2) @ release, relaxed")),
        ]
        then += [*some("fence", share=0.3), *some("s <- x", "s <- y", "s <- w", "s <- x @ acquire", share=0.7)]
        then += some("1 -> y", "1 -> y @ release", "r -> w", share=0.3)
        if rng.random() < 0.5:
            return edge("A -> H", first), edge("H -> B", f"assume r {pick(('/= 0', '= 1', '= 0'))}", *then)
        return (edge("A -> B", first, *then),)

    makers = [rereading, pick((following, following, rereading))]
    if rng.random() < 0.35:
        makers.append(pick((following, rereading)))
    lines = ["var v : int[8]", *(f"var {cell} : int" for cell in "wxyz")]
    for number, make in enumerate(makers):
        lines += [f"process p{number} {{ var r : int var s : int init loc A loc H final loc B", *make(), "}"]
    return "\n".join(lines)
