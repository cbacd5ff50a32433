#!/usr/bin/env bash
# Ghidra's p-code (pypcode): store-conditionals never store on Power, always on MIPS, and twice on RISC-V.
#
# Expected: a store-conditional stores, and says so, if its thread holds the reservation that lwarx, ll or lr.w made.
# Seen: for Power lwarx makes none, and stwcx. looks for one, so nothing is stored, and cr0, which says so, is left as
# it was; for MIPS ll makes none and sc looks for none, so a lone sc stores and gives 1; for RISC-V an sc.w that fails
# keeps the reservation, so that the next one stores, though each sc.w, whether it fails or not, ends the reservation
# (RISC-V's manual, chapter "A"). An emulator or a symbolic execution made of it inherits all three.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check pypcode==3.3.3
cat > "$work/run.py" <<'PYTHON'
import importlib.metadata

from pypcode import Context

print("pypcode", importlib.metadata.version("pypcode"))


class Machine:
    """What p-code does, for the few operations of these instructions; a branch leads out of its instruction."""

    def __init__(self, language, **values):
        self.context, self.order = Context(language), "big" if ":BE:" in language else "little"
        self.bytes_of, self.at = {}, 0x1000
        for name, value in values.items():
            self.put(self.context.registers[name], value)

    def load(self, space, offset, size):
        return int.from_bytes(bytes(self.bytes_of.get((space, offset + i), 0) for i in range(size)), self.order)

    def store(self, space, offset, value, size):
        for i, byte in enumerate((value & (1 << 8 * size) - 1).to_bytes(size, self.order)):
            self.bytes_of[space, offset + i] = byte

    def get(self, node):
        return node.offset if node.space.name == "const" else self.load(node.space.name, node.offset, node.size)

    def put(self, node, value):
        self.store(node.space.name, node.offset, value, node.size)

    def register(self, name):
        return self.get(self.context.registers[name])

    def run(self, word):
        for step in self.context.translate(word.to_bytes(4, self.order), self.at).ops:
            name, nodes = step.opcode.name, step.inputs
            if name == "STORE":
                self.store("ram", self.get(nodes[1]), self.get(nodes[2]), nodes[2].size)
            elif name == "CBRANCH" and self.get(nodes[1]):
                break
            elif name == "LOAD":
                self.put(step.output, self.load("ram", self.get(nodes[1]), step.output.size))
            elif step.output is not None:
                numbers = [self.get(node) for node in nodes]
                value = {
                    "COPY": lambda a: a,
                    "INT_ZEXT": lambda a: a,
                    "INT_SEXT": lambda a: a,  # of numbers that are not below 0
                    "INT_ADD": lambda a, b: a + b,
                    "INT_EQUAL": lambda a, b: a == b,
                    "INT_NOTEQUAL": lambda a, b: a != b,
                    "BOOL_OR": lambda a, b: a or b,
                }[name](*numbers)
                self.put(step.output, int(value))
        self.at += 4


power = Machine("PowerPC:BE:64:default", r4=0x2000, r5=7, cr0=9)
power.run(0x7C602028)  # lwarx r3, 0, r4
power.run(0x7CA0212D)  # stwcx. r5, 0, r4
print(f"Power, lwarx and stwcx. of 7: memory {power.load('ram', 0x2000, 4)}, cr0 was 9, is {power.register('cr0')}")
mips = Machine("MIPS:BE:32:default", a0=0x2000, a1=7)
mips.run(0xE0850000)  # sc a1, 0(a0)
print(f"MIPS, sc of 7 alone: memory {mips.load('ram', 0x2000, 4)}, result {mips.register('a1')}")
riscv = Machine("RISCV:LE:64:default", a0=0x2000, a1=7, a2=0x2100)
riscv.run(0x1005272F)  # lr.w a4, (a0)
riscv.run(0x18B627AF)  # sc.w a5, a1, (a2)
riscv.run(0x18B5282F)  # sc.w a6, a1, (a0)
print(
    f"RISC-V, lr.w, sc.w elsewhere, sc.w of 7: memory {riscv.load('ram', 0x2000, 4)}, results",
    riscv.register("a5"),
    riscv.register("a6"),
    "(0 is success)",
)
PYTHON
"$work/venv/bin/python" "$work/run.py" | tee "$work/told"
diff "$work/told" - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
pypcode 3.3.3
Power, lwarx and stwcx. of 7: memory 0, cr0 was 9, is 9
MIPS, sc of 7 alone: memory 7, result 1
RISC-V, lr.w, sc.w elsewhere, sc.w of 7: memory 7, results 1 0 (0 is success)
END
