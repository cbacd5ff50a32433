#!/usr/bin/env bash
# ptxas 13.5, sm_90: of a warp's `atom.acq_rel.add` one lane alone has the fence and the atomic instruction.
#
# Expected: each thread that does `atom.acq_rel.gpu.add` has the release of its own stores, as with other operations:
# the SASS of `atom.inc` has MEMBAR in front of the atomic for all lanes, and CCTL.IVALL behind. Seen for
# `add` and `red.release.add` (of one address for the whole warp): the lanes vote, one lane does a single addition for
# all of them, and MEMBAR, ERRBAR and CCTL.IVALL have that lane's predicate too. For sm_80 the fence before is done by
# all lanes. So what the other lanes stored is released by a fence that they do not execute, and no other thread's
# addition comes between two of a warp.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check nvidia-cuda-nvcc==13.5.37 nvidia-cuda-nvdisasm==13.5.37
tools=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)
chmod +x "$tools/ptxas" "$tools/nvdisasm"
"$tools/ptxas" --version | tail -2 | head -1
sass() { # architecture, instruction
    cat > a.ptx <<PTX
.version 9.0
.target $1
.address_size 64
.visible .entry k(.param .u64 p) {
    .reg .b64 %p;
    .reg .b32 %r;
    ld.param.u64 %p, [p];
    $2
    ret;
}
PTX
    "$tools/ptxas" -arch="$1" -O3 a.ptx -o a.cubin
    "$tools/nvdisasm" -c a.cubin | grep -oE '(@!?U?P[0-9] )?(MEMBAR|ATOMG|REDG?|RED|CCTL)\.[A-Z.0-9]*' | paste -sd';'
}
{
    echo "sm_90 add: $(sass sm_90 'atom.acq_rel.gpu.global.add.u32 %r, [%p], 1;')"
    echo "sm_90 red: $(sass sm_90 'red.release.gpu.global.add.u32 [%p], 1;')"
    echo "sm_90 inc: $(sass sm_90 'atom.acq_rel.gpu.global.inc.u32 %r, [%p], 9;')"
    echo "sm_80 red: $(sass sm_80 'red.release.gpu.global.add.u32 [%p], 1;')"
} | tee out
diff out - <<'SEEN' && echo "as stated" || { echo CHANGED; exit 1; }
sm_90 add: @P0 MEMBAR.ALL.GPU;@P0 ATOMG.E.ADD.STRONG.GPU;@P0 CCTL.IVALL
sm_90 red: @P0 MEMBAR.ALL.GPU;@P0 REDG.E.ADD.STRONG.GPU
sm_90 inc: MEMBAR.ALL.GPU;ATOMG.E.INC.STRONG.GPU;CCTL.IVALL
sm_80 red: MEMBAR.ALL.GPU;@P0 RED.E.ADD.STRONG.GPU
SEEN
