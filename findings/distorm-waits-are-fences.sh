#!/usr/bin/env bash
# diStorm: TPAUSE, UMWAIT and UMONITOR are read as MFENCE, and CLFLUSHOPT of a line of memory as an SFENCE with an
# operand.
#
# Expected: these four (in Intel's manuals of 2014 to 2018) have the bytes of older instructions behind a prefix, and a
# decoder knows them, or says that it does not: diStorm writes `DB` for bytes that it does not know. Seen: the prefix
# is taken as one that means nothing, and the older instruction is told, with a length that includes it. So who looks
# for fences finds one where a thread waits, and none of the right kind where a line is written back to memory.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check distorm3==3.5.2 iced-x86==1.21.0
cat > run.py <<'PYTHON'
from importlib.metadata import version

import distorm3
from iced_x86 import Decoder

print("distorm3", version("distorm3"))
for text in ("0faef0", "660faef0", "f20faef0", "f30faef0", "660fae3e"):
    code = bytes.fromhex(text)
    told = [one[2] for one in distorm3.Decode(0, code, distorm3.Decode64Bits)]
    print(f"{text}: {', '.join(told)}; iced-x86: {Decoder(64, code).decode()}")
PYTHON
venv/bin/python run.py | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
distorm3 3.5.2
0faef0: MFENCE; iced-x86: mfence
660faef0: MFENCE; iced-x86: tpause eax
f20faef0: MFENCE; iced-x86: umwait eax
f30faef0: MFENCE; iced-x86: umonitor rax
660fae3e: SFENCE [RSI]; iced-x86: clflushopt [rsi]
END
