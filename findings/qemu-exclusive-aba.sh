#!/usr/bin/env bash
# QEMU (user mode, AArch64): a store-exclusive succeeds though another thread stored in between, if the value is back.
#
# Expected: STLXR fails where another thread has stored to the place since this one's LDAXR, whatever it stored (Arm's
# manual: such a store clears the global exclusive monitor). This is why stacks and queues made of load- and
# store-exclusive need no counter against ABA. Seen: one thread loads 0, the other stores 1 and then 0, and only then
# the first one's STLXR stores 7 and reports success: it is a compare-and-swap with the value that was loaded. So a
# test under QEMU finds failures that no machine has. Where the other thread leaves 1, it fails as it should.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fetch() { apt-get -qq download "$@" 2>/dev/null; }
packages="qemu-user-static=1:7.2+dfsg-7+deb12u18+b3 binutils-aarch64-linux-gnu=2.40-2"
# shellcheck disable=SC2086
fetch $packages || { apt-get -qq update; fetch $packages; }
for package in ./*.deb; do dpkg -x "$package" root; done
cat > a.s <<'ASM'
        .globl  _start
_start: mov     w0, #0x0f00             // clone: VM, FS, FILES, SIGHAND, THREAD, SYSVSEM
        movk    w0, #5, lsl #16
        adrp    x1, end
        add     x1, x1, :lo12:end
        mov     x2, #0
        mov     x3, #0
        mov     x4, #0
        mov     x8, #220
        svc     #0
        adrp    x2, value
        adrp    x3, turn
        add     x3, x3, :lo12:turn
        mov     w4, #1
        mov     w5, #7
        cbz     x0, other
        ldaxr   w9, [x2]
        stlr    w4, [x3]                // turn = 1, and wait until it is 2
wait:   ldar    w1, [x3]
        cmp     w1, #2
        b.ne    wait
        stlxr   w0, w5, [x2]            // 0 for success
        mov     x8, #94
        svc     #0
other:  ldar    w1, [x3]
        cmp     w1, #1
        b.ne    other
        str     w4, [x2]
        mov     w6, #LEFT
        stlr    w6, [x2]
        mov     w6, #2
        stlr    w6, [x3]
        mov     x0, #0
        mov     x8, #93
        svc     #0
        .bss
        .balign 4096
value:  .skip   4096
turn:   .skip   4096
        .skip   16384
end:
ASM
prefix=root/usr/bin/aarch64-linux-gnu
export LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu
root/usr/bin/qemu-aarch64-static --version | head -1
for left in 0 1; do
    $prefix-as --defsym LEFT=$left a.s -o a.o
    $prefix-ld a.o -o a
    failed=0
    root/usr/bin/qemu-aarch64-static a || failed=$?
    echo "loads 0, the other thread stores 1 and $left: stlxr gives $failed"
done | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
loads 0, the other thread stores 1 and 0: stlxr gives 0
loads 0, the other thread stores 1 and 1: stlxr gives 1
END
