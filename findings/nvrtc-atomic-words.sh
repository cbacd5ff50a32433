#!/usr/bin/env bash
# NVRTC and libcu++: the words of an `atom` come in three orders, none of which is the ISA's; an atomic of one thread
# has a fence for its block.
#
# Expected: PTX's manual writes `atom{.sem}{.scope}{.space}.op.type`, so one pattern reads all. Seen in the text of one
# kernel: `atom.add.acquire.sys.s32` (libcu++: operation, order, scope), `atom.global.cta.add.u32` (the compiler's own
# functions: space, scope, operation) and `atom.exch.acquire.cta.b32`, with `b` for an exchange and `s` for an addition.
# And `cuda::thread_scope_thread`, in which no other thread has a part, is `cta` in libcu++: fetch_add and store have
# `fence.sc.cta`, though a fence of that scope is no instruction.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check nvidia-cuda-nvrtc==13.5.37 nvidia-cuda-cccl==13.3.5.0.6 \
    nvidia-cuda-runtime==13.5.37 nvidia-cuda-crt==13.5.37
cat > "$work/look.py" <<'PYTHON'
import ctypes
import os
import re
import sys
from importlib.metadata import version
from pathlib import Path

TEXT = """
#include <cuda/atomic>
#define KERNEL(name, ...) extern "C" __global__ void name(int *p, int v, int *o) { __VA_ARGS__; }
template <cuda::thread_scope S> using ref = cuda::atomic_ref<int, S>;
KERNEL(library, *o = ref<cuda::thread_scope_system>(*p).fetch_add(v, cuda::memory_order_acquire))
KERNEL(exchange, *o = ref<cuda::thread_scope_block>(*p).exchange(v, cuda::memory_order_acquire))
KERNEL(builtin, *o = atomicAdd_block(p, v))
KERNEL(thread_add, *o = ref<cuda::thread_scope_thread>(*p).fetch_add(v))
KERNEL(thread_store, ref<cuda::thread_scope_thread>(*p).store(v))
KERNEL(thread_fence, cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_thread))
"""
root = next(Path(folder) / "nvidia" for folder in sys.path if (Path(folder) / "nvidia").is_dir())
builtins, *_ = root.rglob("libnvrtc-builtins.so*")
ctypes.CDLL(str(builtins), ctypes.RTLD_GLOBAL)
nvrtc = ctypes.CDLL(str(next(each for each in root.rglob("libnvrtc.so*") if "alt" not in each.name)))
folders = {each.parent for each in root.rglob("cuda_runtime.h")} | {each.parents[1] for each in root.rglob("cuda/atomic")}
options = [b"-arch=compute_90", b"-std=c++17", *(b"-I" + os.fsencode(each) for each in sorted(folders))]
program = ctypes.c_void_p()
nvrtc.nvrtcCreateProgram(ctypes.byref(program), TEXT.encode(), b"kernels.cu", 0, None, None)
if nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)):
    raise SystemExit("CHANGED: the text is not compiled")
size = ctypes.c_size_t()
nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
ptx = ctypes.create_string_buffer(size.value)
nvrtc.nvrtcGetPTX(program, ptx)
print("nvidia-cuda-nvrtc", version("nvidia-cuda-nvrtc"))
found = {}
for kernel in re.finditer(r"\.entry (\w+)\(.*?\n\}", ptx.value.decode(), re.S):
    found[kernel[1]] = re.findall(r"^\s*((?:atom|fence|membar|st\.relaxed)[\w.]*)", kernel[0], re.M)
    print(f"  {kernel[1]}:", " ".join(found[kernel[1]]) or "nothing")
ok = found == {
    "library": ["atom.add.acquire.sys.s32"],
    "exchange": ["atom.exch.acquire.cta.b32"],
    "builtin": ["atom.global.cta.add.u32"],
    "thread_add": ["fence.sc.cta", "atom.add.acquire.cta.s32"],
    "thread_store": ["fence.sc.cta", "st.relaxed.cta.b32"],
    "thread_fence": [],
}
print("as stated" if ok else "CHANGED")
sys.exit(not ok)
PYTHON
"$work/venv/bin/python" "$work/look.py"
