"""AArch64: what instructions become, and what is wrong with them."""

from __future__ import annotations

import re
from itertools import zip_longest

import pytest

from tests.litmus.reading import read, statements
from xgen.analyses.suite.litmus import run_litmus
from xgen.errors import UnsupportedError, XgenError
from xgen.frontends.litmus.values import Register
from xgen.memory.library import load_model


@pytest.mark.parametrize(
    ("instructions", "expected"),
    [
        ("LDR W0,[X1]", "X0 <- x; X0 := wrap(X0, 32)"),
        ("LDR X0,[X1]", "X0 <- x"),
        ("LDR WZR,[X1]", "$1 <- x; $1 := wrap($1, 32)"),
        ("LDR X0,[X1,W2,SXTW]", "X0 <- *(&x + wrap(X2, -32))"),
        ("LDR X0,[X1,W2,UXTW #3]", "X0 <- *(&x + (wrap(X2, 32) shl 3))"),
        ("LDR X0,[X1,X2]", "X0 <- *(&x + X2)"),
        ("LDR X0,[X1,X2,LSL #3]", "X0 <- *(&x + (X2 shl 3))"),
        ("LDR X0,[X1],#8", "X0 <- *X1; X1 := X1 + 8"),
        ("LDR X0,[X3,#0]!", "X0 <- *X3; X3 := X3"),
        ("LDRB W0,[X1]", "X0 <- x; X0 := wrap(X0, 8)"),
        ("LDRSB W0,[X1]", "X0 <- x; X0 := wrap(wrap(X0, -8), 32)"),
        ("LDRSW X0,[X1]", "X0 <- x; X0 := wrap(X0, -32)"),
        ("LDUR X0,[X1]", "X0 <- x"),
        ("LDAR W0,[X1]", "X0 <- x @ acquire; X0 := wrap(X0, 32)"),
        ("LDAPR X0,[X1]", "X0 <- x @ acquire_pc"),
        ("LDAPURH W0,[X1]", "X0 <- x @ acquire_pc; X0 := wrap(X0, 16)"),
        ("LDXR X0,[X1]", "X0 <- load_exclusive(x)"),
        ("LDAXRB W0,[X1]", "X0 <- load_exclusive(x) @ acquire; X0 := wrap(X0, 8)"),
        ("STR W0,[X1]", "wrap(X0, -32) -> x"),
        ("STR XZR,[X1]", "0 -> x"),
        ("STR X0,[X1],#8", "X0 -> *X1; X1 := X1 + 8"),
        ("STRH W0,[X1]", "wrap(X0, 16) -> x"),
        ("STLR W0,[X1]", "wrap(X0, -32) -> x @ release"),
        ("STXR W0,X2,[X1]", "X0 <- store_exclusive(x, X2)"),
        ("STLXR WZR,W2,[X1]", "$1 <- store_exclusive(x, wrap(X2, -32)) @ release"),
    ],
)
def test_access(instructions: str, expected: str) -> None:
    assert statements("AArch64", instructions, "0:X1=x;") == expected


@pytest.mark.parametrize(
    ("instructions", "expected"),
    [
        ("LDADD X0,X2,[X1]", "X2 <- wrap(fetch_add(x, X0), -64)"),
        (
            "LDADDAL W0,W2,[X1]",
            "X2 <- wrap(fetch_add(x, wrap(X0, -32)), -32) @ R[acquire] @ W[release]; X2 := wrap(X2, 32)",
        ),
        ("LDCLRA X0,X2,[X1]", "X2 <- fetch_andnot(x, X0) @ R[acquire]"),
        ("LDEORL X0,X2,[X1]", "X2 <- fetch_xor(x, X0) @ W[release]"),
        ("LDSETB W0,W2,[X1]", "X2 <- fetch_or(x, wrap(X0, 8)); X2 := wrap(X2, 8)"),
        ("LDSMAX X0,X2,[X1]", "X2 <- wrap(fetch_max(x, X0), -64)"),
        ("LDSMIN X0,X2,[X1]", "X2 <- wrap(fetch_min(x, X0), -64)"),
        ("LDUMAX X0,X2,[X1]", "X2 <- fetch_umax(x, X0)"),
        ("LDUMIN X0,X2,[X1]", "X2 <- fetch_umin(x, X0)"),
        # without a result, there is no acquire either
        ("LDADDAL X0,XZR,[X1]", "wrap(fetch_add(x, X0), -64) @ R[noret] @ W[release]"),
        ("STADD X0,[X1]", "wrap(fetch_add(x, X0), -64) @ R[noret]"),
        ("STSETLH W0,[X1]", "fetch_or(x, wrap(X0, 16)) @ R[noret] @ W[release]"),
        ("SWPAL X0,X2,[X1]", "X2 <- exchange(x, X0) @ R[acquire] @ W[release]"),
        ("SWP X0,XZR,[X1]", "exchange(x, X0) @ R[noret]"),
        ("CAS X0,X2,[X1]", "$1 <- cas(x, X0, X2) @ W[compared]"),
        (
            "CASA W0,W2,[X1]",
            "$1 <- cas(x, wrap(X0, -32), wrap(X2, -32)) @ R[acquire] @ W[compared]",
        ),
        ("CASL XZR,X2,[X1]", "cas(x, 0, X2) @ R[noret] @ W[release, compared]"),
    ],
)
def test_update(instructions: str, expected: str) -> None:
    assert statements("AArch64", instructions, "0:X1=x;") == expected


@pytest.mark.parametrize(
    ("instructions", "expected"),
    [
        ("DMB SY", "fence[dmb.sy]"),
        ("DMB ISHLD", "fence[dmb.ishld]"),
        ("DSB ST", "fence[dsb.st]"),
        ("ISB", "fence[isb]"),
        ("MOV W0,#-1", "X0 := 4294967295"),
        ("MOV X0,#-1", "X0 := -1"),
        ("MOV W0,W2", "X0 := wrap(X2, 32)"),
        ("MOV X0,XZR", "X0 := 0"),
        ("MOVZ X0,#1,LSL #48", "X0 := 281474976710656"),
        ("MOVN W0,#0", "X0 := 4294967295"),
        ("MOVK X0,#1,LSL #16", "X0 := X0 bitand -4294901761 bitor 65536"),
        ("EOR W0,W2,W2", "X0 := wrap(X2 bitxor X2, 32)"),
        ("EON X0,X2,X3", "X0 := X2 bitxor bitnot X3"),
        ("AND W0,W2,#0", "X0 := wrap(X2 bitand 0, 32)"),
        ("MVN X0,X2", "X0 := bitnot X2"),
        ("ADD W0,W2,W3", "X0 := wrap(X2 + X3, 32)"),
        ("ADD X0,X2,X3,LSR #1", "X0 := wrap(X2 + (X3 shr 1), -64)"),
        ("ADD X0,X2,#1,LSL #12", "X0 := wrap(X2 + (1 shl 12), -64)"),
        ("ADD X0,X2,W3,SXTB 2", "X0 := wrap(X2 + (wrap(X3, -8) shl 2), -64)"),
        ("SUB W0,WZR,W2", "X0 := wrap(0 - X2, 32)"),
        ("NEG X0,X2", "X0 := wrap(0 - X2, -64)"),
        ("SXTW X0,W2", "X0 := wrap(X2, -32)"),
        ("UXTB W0,W2", "X0 := wrap(X2, 8)"),
        ("LSL W0,W2,#3", "X0 := wrap(X2 shl 3, 32)"),
        ("LSR W0,W2,W3", "X0 := wrap(wrap(X2, 32) shr (X3 bitand 31), 32)"),
        ("ASR X0,X2,#1", "X0 := (X2 bitxor -(X2 shr 63)) shr 1 bitxor -(X2 shr 63)"),
        ("ROR W0,W2,#3", "X0 := wrap(wrap(X2, 32) shr 3 bitor X2 shl 29, 32)"),
        ("UBFM X0,X2,#4,#32", "X0 := wrap(X2, 33) shr 4"),
        ("SBFM X0,X2,#56,#7", "X0 := wrap(X2, -8) shl 8"),
        ("MADD X0,X2,X3,X4", "X0 := wrap(X4 + wrap(X2 * X3, -64), -64)"),
        ("UMSUBL X0,W2,W3,X4", "X0 := wrap(X4 - wrap(wrap(X2, 32) * wrap(X3, 32), -64), -64)"),
        ("NOP", "skip"),
    ],
)
def test_computation(instructions: str, expected: str) -> None:
    assert statements("AArch64", instructions, "0:X1=x;") == expected


@pytest.mark.parametrize(
    ("instructions", "expected"),
    [
        ("CMP W0,#1", ""),
        ("CMP W0,#1; B.EQ L; L:", "$result := wrap(X0 - 1, -32) | assume $result = 0 | assume not $result = 0"),
        (
            "SUBS X0,X2,X3; B.HS L; L:",
            "$carry := if not X2 bitxor -9223372036854775808 < X3 bitxor -9223372036854775808 then 1 else 0; "
            "X0 := wrap(X2 - X3, -64) | assume $carry = 1 | assume not $carry = 1",
        ),
        (
            "CMN X2,X3; B.VS L; L:",
            "$overflow := if (X2 bitxor wrap(X2 + X3, -64)) bitand (X3 bitxor wrap(X2 + X3, -64)) < 0 then 1 else 0 "
            "| assume $overflow = 1 | assume not $overflow = 1",
        ),
        (
            "TST W0,W2; B.LE L; L:",
            "$result := wrap(X0 bitand X2, -32); $overflow := X0 bitand X2 bitand 0 "
            "| assume not (not $result = 0 and $result shr 63 = $overflow) "
            "| assume not $result = 0 and $result shr 63 = $overflow",
        ),
        (
            "ANDS W0,W2,W3; CSET W4,NE",
            "$result := wrap(X2 bitand X3, -32); X0 := wrap(X2 bitand X3, 32); "
            "X4 := wrap(if $result = 0 then 0 else 1, 32)",
        ),
        ("CBZ W0,L; L:", "assume wrap(X0, 32) = 0 | assume not wrap(X0, 32) = 0"),
        ("CBNZ X0,L; L:", "assume not X0 = 0 | assume X0 = 0"),
        ("TBNZ X0,#3,L; L:", "assume X0 shr 3 bitand 1 = 1 | assume not X0 shr 3 bitand 1 = 1"),
        ("B L; DMB SY; L:", ""),
        (
            "CMP X0,X2; CSEL X2,X3,X4,LT; CSINC X2,X3,X4,LT",
            "$result := wrap(X0 - X2, -64); "
            "$overflow := if (X0 bitxor X2) bitand (X0 bitxor wrap(X0 - X2, -64)) < 0 then 1 else 0; "
            "X2 := if not $result shr 63 = $overflow then X3 else X4; "
            "X2 := if not $result shr 63 = $overflow then X3 else wrap(X4 + 1, -64)",
        ),
        ("TST X0,X0; CSETM W2,MI", "$result := X0 bitand X0; X2 := wrap(if not $result < 0 then 0 else -1, 32)"),
        ("TST X0,X0; CINV X2,X3,MI", "$result := X0 bitand X0; X2 := if not $result < 0 then X3 else bitnot X3"),
        (
            "TST X0,X0; CNEG X2,X3,EQ",
            "$result := X0 bitand X0; X2 := if not $result = 0 then X3 else wrap(0 - X3, -64)",
        ),
    ],
)
def test_flags_and_branches(instructions: str, expected: str) -> None:
    found = statements("AArch64", instructions, "0:X1=x;")
    assert found == expected


def test_flags_through_labels() -> None:
    """What sets flags need not stand just before what tests them."""
    found = statements("AArch64", "CBZ W0,A; CMP W2,#1; B C; A: CMP W2,#2; C: B.EQ D; D:", "")
    assert found == (
        "assume wrap(X0, 32) = 0 | assume not wrap(X0, 32) = 0 | $result := wrap(X2 - 1, -32) "
        "| $result := wrap(X2 - 2, -32) | assume $result = 0 | assume not $result = 0"
    )


def test_cells_of_arrays() -> None:
    init = "int64_t v[3]; 0:X1=v; 0:X2=v[1];"
    found = statements("AArch64", "STR X0,[X1]; STR X0,[X1,#8]; STR X0,[X2,#8]", init)
    assert found == "X0 -> v[0]; X0 -> v[1]; X0 -> v[2]"


def test_registers_have_two_names() -> None:
    test = read("AArch64 T\n{0:W0=1;}\nP0 ;\nADD SP,SP,#0 ;\nexists (0:W0=1 /\\ 0:X10=0 /\\ 0:x2=0)")
    assert test.observed == (Register(0, "X0"), Register(0, "X2"), Register(0, "X10"))
    assert test.model == "arm8"


@pytest.mark.parametrize(
    ("instructions", "line", "column", "message", "hint"),
    [
        ("LDR W0,X1", 4, 8, "`X1` is no address", "expected, say, `[X1]`"),
        ("LDR W0,[W1]", 4, 9, "`W1` holds no address", "expected a 64-bit register such as X1"),
        ("LDR W0,[X31]", 4, 9, "there is no register `X31`", None),
        ("LDR W0,[X1,W2,FOO]", 4, 15, "`FOO` is no shift", "expected, say, `LSL #2` or `SXTW`"),
        ("ADD X0,X2", 4, 1, "`ADD` has 2 operands here", "expected, say, `ADD X0,X1,X2`"),
        ("MOVZ X0,#1,LSL #3", 4, 12, "3 is out of range", "expected a number from 0 to 48"),
        ("MOV X0,#1,LSL #16", 4, 11, "`MOV` takes no shift", None),
        ("DMB FOO", 4, 5, "`FOO` is no option of a fence", "expected, say, SY or ISH"),
        ("B.XX L", 4, 1, "`xx` is no condition", "expected, say, EQ or NE"),
        ("CBZ X0,.+8", 4, 1, "`CBZ X0,.+8`: branches by a distance are not supported, only those to labels", None),
        ("CSET W0,XX", 4, 9, "`XX` is no condition", "expected, say, EQ or NE"),
        ("TBZ W0,#32,L", 4, 8, "32 is out of range", "expected a number from 0 to 31"),
        ("FOO X0", 4, 1, "the instruction `FOO` is not supported", None),
        ("STNP X0,X2,[X1]", 4, 1, "`STNP X0,X2,[X1]`: accesses to pairs at once are not supported", None),
        ("CASP X1,X2,X4,X5,[X6]", 4, 6, "`CASP` takes a register of even number and the next one", None),
        ("CASP X0,X2,X4,X5,[X6]", 4, 6, "`CASP` takes a register of even number and the next one", None),
        ("CASP X0,X1,W4,W5,[X6]", 4, 12, "`CASP` takes registers of one size", None),
        ("LDXP X0,W1,[X6]", 4, 9, "`LDXP` takes registers of one size", None),
        ("LDXP X0,X0,[X6]", 4, 9, "`LDXP` takes two registers", None),
        ("STXP W0,X1,[X6]", 4, 1, "`STXP` has 3 operands here", "expected, say, `STXP W0,X1,X2,[X3]`"),
        ("MRS X0,CTR_EL0", 4, 1, "`MRS X0,CTR_EL0`: system instructions are not supported", None),
        ("DC CVAU,X1", 4, 1, "`DC CVAU,X1`: system instructions are not supported", None),
        ("STG X1,[X1]", 4, 1, "`STG X1,[X1]`: memory tags are not supported", None),
        ("PACDA X1,X2", 4, 1, "`PACDA X1,X2`: pointer authentication is not supported", None),
        ("LD1 {V0.4S},[X1]", 4, 1, "`LD1 {V0.4S},[X1]`: vectors are not supported", None),
        (
            "RET",
            4,
            1,
            "`RET`: calls, branches to computed addresses and addresses of code are not supported",
            None,
        ),
    ],
)
def test_errors(instructions: str, line: int, column: int, message: str, hint: str | None) -> None:
    lines = "\n".join(f"{instruction} ;" for instruction in instructions.split(";"))
    with pytest.raises(XgenError) as error:
        read(f"AArch64 T\n{{0:X1=x;}}\nP0 ;\n{lines}\nexists (x=0)")
    found = error.value
    assert (found.message, found.line, found.column, found.hint) == (message, line, column, hint)


def test_selections_after_loads_of_something_else() -> None:
    found = statements("AArch64", "LDR X0,[X1]; MOV X0,#1; TST X0,X0; CSET X2,EQ; CAS X0,X3,[X1]", "0:X1=x;")
    assert found.endswith("X2 := if not $result = 0 then 0 else 1; $1 <- cas(x, X0, X3) @ W[compared]")


def test_the_result_of_a_cas_may_be_overwritten() -> None:
    found = statements("AArch64", "CAS X0,X2,[X1]; MOV X0,#1; STR X0,[X1]", "0:X1=x;")
    assert found == "$1 <- cas(x, X0, X2) @ W[compared]; X0 := 1; X0 -> x"


def test_selections_of_loaded_values() -> None:
    found = statements("AArch64", "LDR W0,[X1]; CMP W0,#1; CSINC W2,W3,W0,EQ; STR W2,[X1]", "0:X1=x;")
    assert found.endswith("pick($1, $result = 0); select(X2, $1, wrap(X3, 32), wrap(X0 + 1, 32)); wrap(X2, -32) -> x")
    found = statements("AArch64", "LDR W0,[X1]; CSEL W2,W0,W3,EQ; STR W2,[X1]", "0:X1=x;")
    assert found.endswith("$1 := $result = 0; select(X2, $1, wrap(X0, 32), wrap(X3, 32)); wrap(X2, -32) -> x")


def test_results_of_a_cas_of_loaded_values() -> None:
    """They come from the register, or (a choice of its own) from memory."""
    found = statements("AArch64", "LDR X0,[X1]; CAS X0,X2,[X1]; STR X0,[X1]", "0:X1=x;")
    assert "pick($2, $1 = X0); select_if(X0, $2, X0, $1)" in found
    assert "X0 := $1" in found


@pytest.mark.parametrize(
    ("update", "then", "observation"),
    [
        ("LDADD W4,W8,[X2]", "LDR W7,[X1,W6,SXTW]", "Never"),
        ("STADD W4,[X2]", "LDR W7,[X1,W6,SXTW]", "Never"),
        ("SWP W9,W8,[X2]", "LDR W7,[X1,W6,SXTW]", "Sometimes"),
        ("CAS W4,W9,[X2]", "LDR W7,[X1,W6,SXTW]", "Sometimes"),
        ("SWPA W9,W8,[X2]", "LDR W7,[X1,W6,SXTW]", "Never"),
        ("LDADD W4,W8,[X2]", "CBNZ W5,L | L: | ISB | LDR W7,[X1]", "Never"),
        ("CAS W4,W9,[X2]", "CBNZ W5,L | L: | ISB | LDR W7,[X1]", "Never"),
        ("SWP W9,W8,[X2]", "CBNZ W5,L | L: | ISB | LDR W7,[X1]", "Sometimes"),
        ("CAS W4,W9,[X2]", "CBNZ W5,L | L: | LDR W7,[X1]", "Sometimes"),
    ],
)
def test_dependencies_through_updates(update: str, then: str, observation: str) -> None:
    """They go on from what an update reads to a load of what it writes: where that is computed; as a pick, in a CAS."""
    reader = ["MOV W4,#1", "MOV W9,#2", update, "LDR W5,[X2]", "EOR W6,W5,W5", *then.split(" | ")]
    writer = ["MOV W0,#1", "STR W0,[X1]", "DMB SY", "STR W0,[X2]"]
    rows = zip_longest(["P0", *writer], ["P1", *reader], fillvalue="")
    text = "AArch64 T\n{ 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y; }\n" + "".join(f"{a} | {b} ;\n" for a, b in rows)
    test = read(text + "exists (1:X5=2 /\\ 1:X7=0 /\\ [y]=2)")
    assert run_litmus(test, load_model("arm8")).observation == observation


@pytest.mark.parametrize(
    ("initial", "message"),
    [
        ("[PTE(x)]=(oa:PA(y), valid:0);", "locations of this form (tags, page tables) are not supported"),
        ("x=(valid:0);", "values of this form (tags, labels, page tables) are not supported"),
        ("0:X1=(oa:PA(x),db:1);", "values of this form (tags, labels, page tables) are not supported"),
        ("int x=1; 0:X1=pte_x;", "page tables are not supported"),
    ],
)
def test_page_tables(initial: str, message: str) -> None:
    """As herd's tests of them begin, of which some say nothing else: these are not taken for others."""
    with pytest.raises(UnsupportedError, match=re.escape(message)):
        read(f"AArch64 T\n{{ {initial} }}\nP0 ;\nLDR X0,[X1] ;\nexists (0:X0=1)")
