"""Numbers, times and sentences as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xgen.tags import NO_MAP


def plural(number: int, noun: str, many: str | None = None) -> str:
    """`1 execution`, `2 executions`; `many` where the noun has no plural with s."""
    return f"{number} {noun}" if number == 1 else f"{number} {many or noun + 's'}"


def named(model: str, map: str | None) -> str:
    """`power`, or `power, map none` where a text was taken as it stands."""
    return f"{model}, map {NO_MAP}" if map == NO_MAP else model


def modelled(model: str, map: str | None) -> str:
    """The same with the word: `model power`."""
    return f"model {named(model, map)}"


def about(number: float) -> str:
    """Two digits, which is what an estimate is good for: `3`, `120`, `1,200`, `3.4e+12`; of whole numbers, any size."""
    if number >= 1e9:
        from decimal import Decimal  # long to import, and rarely met

        return f"{Decimal(number):.1e}"
    return f"{float(f'{number:.1e}'):,.0f}"


def duration(seconds: float) -> str:
    """A run time with the digits that matter: `0.012 s`, `3.4 s`, `2 min 05 s`, `7 h 30 min`, `40 days`, `20 years`."""
    if seconds < 0.1:
        return f"{seconds:.3f} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours = minutes // 60
    if hours < 100:
        return f"{hours} h {minutes % 60:02d} min"
    days = hours // 24
    if days < 1000:
        return f"{days} days"
    return f"{days / 365.25:,.0f} years" if days < 10**9 else f"{about(days * 4 // 1461)} years"


def one_line(text: str, width: int = 60) -> str:
    """A statement with its blanks and line ends made single, cut where it is long."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 3] + "..."


def folded(head: str, parts: Sequence[str], separator: str, width: int = 110) -> list[str]:
    """A head and parts with something between them, in lines of at most `width` characters; parts stay whole."""
    lines, indent = [head], " " * min(len(head), 24)
    for number, part in enumerate(parts):
        text = part + (separator if number < len(parts) - 1 else "")
        if lines[-1].strip() and len(lines[-1] + text.rstrip()) > width and number:
            lines.append(indent)
        lines[-1] += text
    return [line.rstrip() for line in lines]


def wrapped(text: str, indent: str, width: int = 110) -> list[str]:
    """A text in lines of at most `width` characters, the second and later ones indented; words stay whole."""
    import textwrap  # long to import

    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def warned(sentences: Iterable[str]) -> list[str]:
    """What the user should know: each sentence with what it is, broken where it is long."""
    told = [sentence if sentence.startswith("note: ") else f"warning: {sentence}" for sentence in sentences]
    return [line for sentence in told for line in wrapped(sentence, "  ")]
