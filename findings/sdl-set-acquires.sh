#!/usr/bin/env bash
# SDL 2.26.5, AArch64: SDL_AtomicSet() is an exchange that acquires, and no full barrier.
#
# Expected: its header says of SDL_AtomicSet that it "also acts as a full memory barrier", so it may give a lock back,
# and a store before it is seen before a load after it, as with SDL_AtomicAdd. Seen: in Debian's library the exchanges,
# SDL_AtomicSet's and SDL_AtomicSetPtr's, are `swpa` (gcc's __sync_lock_test_and_set, which acquires only); additions
# and compare-exchanges are `ldaddal` and `casal`. On x86 each of them is a full barrier.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=2.26.5+dfsg-1
mkdir lists cache
apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::Lists="$work/lists"
    -o Dir::Cache="$work/cache" -o Dir::State::status=/dev/null -o Acquire::Languages=none)
"${apt[@]}" update 2> /dev/null
"${apt[@]}" download "libsdl2-2.0-0=$version" "libsdl2-dev=$version" 2> /dev/null
for package in libsdl2*.deb; do dpkg -x "$package" root; done
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check capstone==5.0.9 pyelftools==0.32
cat > atomics.py <<'PYTHON'
import sys

from capstone import CS_ARCH_ARM64, CS_MODE_ARM, Cs
from elftools.elf.elffile import ELFFile

text = ELFFile(open(sys.argv[1], "rb")).get_section_by_name(".text")
machine = Cs(CS_ARCH_ARM64, CS_MODE_ARM)
machine.skipdata = True
for _, _, name, operands in machine.disasm_lite(text.data(), text["sh_addr"]):
    if name.startswith(("swp", "ldadd", "cas")):
        print(name, operands)
PYTHON
echo "SDL $version, arm64"
tr -d '\n' < root/usr/include/SDL2/SDL_atomic.h | grep -oE 'Set an atomic variable to a value\. \* \* [^.]*\.'
venv/bin/python atomics.py root/usr/lib/aarch64-linux-gnu/libSDL2-2.0.so.0.2600.5 | tee out
diff out - <<'SEEN' && echo "as stated" || { echo CHANGED; exit 1; }
casal w0, w1, [x2]
casal x0, x1, [x2]
swpa w0, w0, [x1]
ldaddal w0, w0, [x1]
swpa x0, x0, [x1]
SEEN
