"""Numbers of which some bits have no value, as those of a structure of which a part is set."""

from __future__ import annotations

from random import Random

from tests.ptx.kernels import check, kernel, kind
from xgen.frontends.ptx.numbers import UNSET, Nothing, Number, computed, partly, resized, signed, unsigned
from xgen.program.automaton import IntLiteral


def bits_of(value: Number, bits: int) -> tuple[int, int]:
    """The bits that have a value, and which have none."""
    if isinstance(value, Nothing):
        assert isinstance(value.part, int)
        undefined = unsigned(value.undefined, bits)
        return unsigned(value.part, bits) & ~undefined, undefined
    found = value.value if isinstance(value, IntLiteral) else value
    assert isinstance(found, int)
    return unsigned(found, bits), 0


def test_what_has_a_value_does_not_depend_on_what_has_none() -> None:
    """Operations of numbers in which bits without a value are any: what is said to have a value is the same for all."""
    rng = Random(68)
    kept = 0
    for _ in range(3000):
        bits = rng.choice((8, 16, 32))
        known = rng.getrandbits(bits)
        undefined = rng.choice((rng.getrandbits(bits), 0xFF & rng.getrandbits(8), unsigned(-1, bits)))
        given = partly(UNSET, signed(known, bits), undefined, bits)
        other = rng.choice((rng.getrandbits(bits), 0xF0, 1, unsigned(-1, bits) << 4))
        other = signed(other, bits)
        does = rng.choice(("and", "or", "xor", "shl", "shr", "sar", "not", "add", "sub", "resize"))
        after = rng.choice((8, 16, 32, 64)) if does == "resize" else bits
        with_sign = rng.random() < 0.5

        def done(value: Number, does: str = does, bits: int = bits, after: int = after, other: int = other) -> Number:
            if does == "resize":
                return resized(value, bits, after, with_sign)  # noqa: B023
            if does == "not":
                return computed(does, bits, value)
            return computed(does, bits, value, other % bits if does in ("shl", "shr", "sar") else other)

        found, missing = bits_of(done(given), after)
        kept += missing != unsigned(-1, after)
        for filling in (0, -1, rng.getrandbits(bits)):
            whole, none = bits_of(done(signed(known & ~undefined | filling & undefined, bits)), after)
            assert none == 0
            assert whole & ~missing == found, (does, bits, after, known, undefined, other, with_sign)
    assert kept > 1000


def test_a_structure_of_which_a_part_is_set_is_copied() -> None:
    """Eight bytes of which four are set: these may be asked, the others may not."""
    copy = "ld.local.u64 %d1, [s]; st.local.u64 [t], %d1; ld.local.u32 %r3, [t+AT]; setp.eq.u32 %p1, %r3, 7;"
    declared = ".local .align 8 .b8 s[8]; .local .align 8 .b8 t[8];"
    for value in ("mov.u32 %r1, 7;", "ld.volatile.global.u32 %r1, [x];"):
        for at, told in ((0, "safe"), (4, "uninitialised")):
            body = f"{declared} {value} st.local.u32 [s], %r1; {copy.replace('AT', str(at))} @%p1 bra $E; trap; $E:"
            body += " st.volatile.global.u32 [x], 7;"
            assert kind(check(kernel(body, ".global .align 4 .u32 x = 7;"), "k<<<1,1>>>()")) == told
    field = "ld.local.u32 %r1, [s]; and.b32 %r1, %r1, 255; or.b32 %r1, %r1, 512; st.local.u32 [s], %r1;"
    asked = "ld.local.u32 %r3, [s]; shr.u32 %r3, %r3, SHIFT; setp.eq.u32 %p1, %r3, 2; @%p1 bra $E; trap; $E:"
    for shift, told in ((8, "safe"), (7, "uninitialised")):
        body = f"{declared} {field} {asked.replace('SHIFT', str(shift))}"
        assert kind(check(kernel(body), "k<<<1,1>>>()")) == told
