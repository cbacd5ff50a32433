#!/usr/bin/env bash
# Ghidra's p-code for AArch64 (pypcode): CASP compares crosswise, STLRH stores four bytes, and narrow maxima are wrong.
#
# Expected, on a little-endian machine (Arm's manual, C6.2): CASP x0, x1, x2, x3 compares the lower word in memory with
# x0, and the higher one with x1, and stores x2 and x3 so; a store-release of a halfword leaves what is behind it; an
# update of a byte looks at the byte of the register, with its sign where the name has an S; what is written to w1
# clears the upper half of x1. Seen: CASP stores where memory holds x1 and x0, and then x3 and x2, and does not where it
# holds x0 and x1, though what it loads into them is in the right order; STLRH overwrites two more bytes; LDSMAXB takes
# the byte -16 for 240, LDUMAXB the whole of w0 for a byte; and LDADD keeps the upper half of x1, as LDXR does not.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check pypcode==3.3.3
cat > "$work/run.py" <<'PYTHON'
import importlib.metadata
import struct

from pypcode import Context

print("pypcode", importlib.metadata.version("pypcode"))
context = Context("AARCH64:LE:64:v8A")
registers = context.registers


def signed(value, size):
    return value - (1 << 8 * size) if value >> 8 * size - 1 else value


def run(word, memory, **values):
    """The memory at address 0 of `memory` and x0, x1 after the instruction."""
    bytes_of = {("ram", place): byte for place, byte in enumerate(memory)}

    def load(space, offset, size):
        return int.from_bytes(bytes(bytes_of.get((space, offset + i), 0) for i in range(size)), "little")

    def store(space, offset, value, size):
        for i, byte in enumerate((value & (1 << 8 * size) - 1).to_bytes(size, "little")):
            bytes_of[space, offset + i] = byte

    def get(node):
        return node.offset if node.space.name == "const" else load(node.space.name, node.offset, node.size)

    def put(node, value):
        store(node.space.name, node.offset, value, node.size)

    for name, value in values.items():
        put(registers[name], value)
    steps, at = list(context.translate(struct.pack("<I", word), 0x1000).ops), 0
    while at < len(steps):
        step, name = steps[at], steps[at].opcode.name
        nodes, at = step.inputs, at + 1
        if name == "STORE":
            store("ram", get(nodes[1]), get(nodes[2]), nodes[2].size)
        elif name == "CBRANCH" and get(nodes[1]):
            at += nodes[0].offset - 1
        if step.output is None:
            continue
        if name == "LOAD":
            value = load("ram", get(nodes[1]), step.output.size)
        else:
            size, numbers = nodes[0].size, [get(node) for node in nodes]
            value = {
                "COPY": lambda a: a,
                "INT_ZEXT": lambda a: a,
                "INT_ADD": lambda a, b: a + b,
                "INT_MULT": lambda a, b: a * b,
                "INT_NOTEQUAL": lambda a, b: a != b,
                "INT_LESS": lambda a, b: a < b,
                "INT_LESSEQUAL": lambda a, b: a <= b,
                "INT_SLESS": lambda a, b: signed(a, size) < signed(b, size),
                "INT_SLESSEQUAL": lambda a, b: signed(a, size) <= signed(b, size),
            }[name](*numbers)
        put(step.output, int(value))
    left = bytes(bytes_of["ram", place] for place in range(len(memory)))
    return left, load("register", registers["x0"].offset, 8), load("register", registers["x1"].offset, 8)


def pair(low, high):
    return struct.pack("<QQ", low, high)


for name, memory in ("x0, x1", pair(10, 11)), ("x1, x0", pair(11, 10)):
    left, x0, x1 = run(0x48207C82, memory, x0=10, x1=11, x2=22, x3=33, x4=0)
    print(f"casp, memory {name}: memory", *struct.unpack("<QQ", left), "x0, x1", x0, x1)
print("stlrh of 0x1122 to ffffffff:", run(0x489FFC80, b"\xff" * 4, x0=0x1122, x4=0)[0].hex())
print("ldsmaxb of -16 and 1:", signed(run(0x38204081, b"\xf0\0\0\0", x0=1, x4=0)[0][0], 1))
print("ldumaxb of 240 and the byte of 0x121:", run(0x38206081, b"\xf0\0\0\0", x0=0x121, x4=0)[0][0])
print("ldadd to w1:", hex(run(0xB8200081, b"\x05\0\0\0", x0=1, x1=(1 << 64) - 1, x4=0)[2]))
print("ldxr to w1:", hex(run(0x885F7C81, b"\x05\0\0\0", x1=(1 << 64) - 1, x4=0)[2]))
PYTHON
"$work/venv/bin/python" "$work/run.py" | tee "$work/told"
diff "$work/told" - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
pypcode 3.3.3
casp, memory x0, x1: memory 10 11 x0, x1 10 11
casp, memory x1, x0: memory 33 22 x0, x1 11 10
stlrh of 0x1122 to ffffffff: 22110000
ldsmaxb of -16 and 1: -16
ldumaxb of 240 and the byte of 0x121: 33
ldadd to w1: 0xffffffff00000005
ldxr to w1: 0x5
END
