#!/usr/bin/env bash
# Free Pascal for AArch64: InterlockedExchange and its like have no barrier, so a lock that is made of one lets what it
# guards out.
#
# Expected: what functions of these names are elsewhere: full barriers on Windows, and in Free Pascal's own library
# `sync` before and behind the loop for MIPS, `lock` for x86. Seen: `ldxr` and `stxr`, which neither acquire nor
# release, and no `dmb`, in all five functions of four bytes and of eight. So what stands behind an
# InterlockedCompareExchange that takes a lock may be done before the lock is held, and what stands before an exchange
# that gives it back after it, unless the program adds a ReadWriteBarrier, which is `dmb ish`.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=3.2.2+dfsg-20
mkdir lists cache
apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::Lists="$work/lists"
    -o Dir::Cache="$work/cache" -o Dir::State::status=/dev/null -o Acquire::Languages=none)
"${apt[@]}" update 2> /dev/null
"${apt[@]}" download "fp-units-rtl-3.2.2=$version" 2> /dev/null
dpkg -x fp-units-rtl-*.deb root
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check capstone==5.0.9 pyelftools==0.32
cat > read.py <<'PYTHON'
import sys

from capstone import CS_ARCH_ARM64, CS_MODE_ARM, Cs
from elftools.elf.elffile import ELFFile

file = ELFFile(open(sys.argv[1], "rb"))
names = {symbol.name: symbol for symbol in file.get_section_by_name(".symtab").iter_symbols()}
for name in ("Exchange", "ExchangeAdd", "Increment", "Decrement", "CompareExchange", "barrier"):
    for width in ("", "64"):
        symbol = names.get(f"FPC_INTERLOCKED{name.upper()}{width}")
        if name == "barrier":
            symbol = names["SYSTEM_$$_READWRITEBARRIER"] if not width else None
        if symbol is not None:
            code = file.get_section(symbol["st_shndx"]).data()[symbol["st_value"] :]
            words = [one.mnemonic for one in Cs(CS_ARCH_ARM64, CS_MODE_ARM).disasm(code, 0)]
            print(f"{name}{width}:", *words[: words.index("ret") + 1])
PYTHON
echo "Free Pascal $version, arm64"
venv/bin/python read.py "$(find root -path '*rtl/system.o')" | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
Exchange: ldxr stxr cbnz mov ret
Exchange64: ldxr stxr cbnz mov ret
ExchangeAdd: ldxr add stxr cbnz mov ret
ExchangeAdd64: ldxr add stxr cbnz mov ret
Increment: ldxr add stxr cbnz mov ret
Increment64: ldxr add stxr cbnz mov ret
Decrement: ldxr sub stxr cbnz mov ret
Decrement64: ldxr sub stxr cbnz mov ret
CompareExchange: ldxr cmp csel stxr cbnz mov ret
CompareExchange64: ldxr cmp csel stxr cbnz mov ret
barrier: dmb ret
END
