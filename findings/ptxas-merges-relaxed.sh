#!/usr/bin/env bash
# ptxas 13.5: of two relaxed atomic stores of one address the first is left out, and a relaxed load whose value nobody
# needs as well; of an acquire load the order stays without the load.
#
# Expected, as gcc and clang do for processors: atomic accesses stay as they are written. PTX's manual says that
# ld.volatile and st.volatile are relaxed accesses of the whole system that the compiler may not merge, split or leave
# out; so relaxed ones it may, and here it does: two `st.relaxed.sys` of one address are one STG, two `st.volatile` are
# two. With another access of memory between them both stay. So a thread that waits for the first of two values may
# never see it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check nvidia-cuda-nvcc==13.5.37 nvidia-cuda-nvdisasm==13.5.37
tools=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)
chmod +x "$tools/ptxas" "$tools/nvdisasm"
"$tools/ptxas" --version | tail -2 | head -1
sass() {
    cat > a.ptx <<PTX
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p, .param .u64 q) {
    .reg .b64 %p, %q;
    .reg .b32 %r;
    ld.param.u64 %p, [p];
    ld.param.u64 %q, [q];
    $1
    ret;
}
PTX
    "$tools/ptxas" -arch=sm_90 -O3 a.ptx -o a.cubin
    "$tools/nvdisasm" -c a.cubin | grep -oE '(LDG|STG|CCTL)\.[A-Z.]*' | paste -sd';'
}
{
    for order in relaxed.sys volatile; do
        echo "two stores, $order: $(sass "st.$order.global.u32 [%p], 1; st.$order.global.u32 [%p], 2;")"
        echo "a load, $order: $(sass "ld.$order.global.u32 %r, [%p];")"
    done
    echo "stores around one: $(sass 'st.relaxed.sys.global.u32 [%p], 1; st.relaxed.sys.global.u32 [%q], 1;
        st.relaxed.sys.global.u32 [%p], 2;')"
    echo "a load, acquire: $(sass 'ld.acquire.sys.global.u32 %r, [%p];')"
} | tee out
diff out - <<'SEEN' && echo "as stated" || { echo CHANGED; exit 1; }
two stores, relaxed.sys: STG.E.STRONG.SYS
a load, relaxed.sys: 
two stores, volatile: STG.E.STRONG.SYS;STG.E.STRONG.SYS
a load, volatile: LDG.E.STRONG.SYS
stores around one: STG.E.STRONG.SYS;STG.E.STRONG.SYS;STG.E.STRONG.SYS
a load, acquire: CCTL.IVALL
SEEN
