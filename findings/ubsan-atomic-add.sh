#!/usr/bin/env bash
# UBSan of gcc and of clang: signed overflow of an atomic integer is reported for `*=`, not for `+=`, `-=`, `++`.
#
# Expected: one answer for all, as for plain integers. C11 (6.5.16.2, its note on atomic types) says what `x op= y`
# means by one sequence for each operator, with `newval = oldval op val` in it, whose signed overflow is undefined.
# Seen: where the machine has an atomic instruction (`lock xadd`), both compilers make a fetch_add of `+=`, which wraps,
# and nothing is looked at; `*=` becomes that sequence, a loop, with the sanitizer's check in it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv there
there/bin/pip install -q --disable-pip-version-check ziglang==0.17.1
cat > a.c <<'C'
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

_Atomic int sum = INT_MAX, count = INT_MAX, difference = INT_MIN, product = INT_MAX;
int plain = INT_MAX;

int main(int argc, char **argv) {
    int one = atoi(argv[1]);
    sum += one;
    count++;
    difference -= one;
    printf("%d\n", sum == INT_MIN && count == INT_MIN && difference == INT_MAX);
    if (argc > 2 && *argv[2] == 'm') product *= 2 * one;
    if (argc > 2 && *argv[2] == 'p') plain += one;
    return 0;
}
C
export ZIG_GLOBAL_CACHE_DIR="$work/zig" ZIG_LOCAL_CACHE_DIR="$work/zig"
clang() { there/bin/python -m ziglang cc "$@"; }
gcc --version | head -1
clang --version | head -1
gcc -fsanitize=signed-integer-overflow -fno-sanitize-recover=all a.c -o by-gcc
clang -fsanitize=signed-integer-overflow -fno-sanitize-recover=all a.c -o by-clang 2> /dev/null
ok=yes
for of in gcc clang; do
    for words in "1" "1 multiply" "1 plain"; do
        said=$(./by-$of $words 2>&1) && status=0 || status=$?
        echo "$of, $words: status $status, $(grep -o 'signed integer overflow: [^ ]* [^ ]* [^ ]*' <<< "$said" | head -1)"
        case $words in
            1) [ "$status" = 0 ] && [ "$said" = 1 ] || ok=no ;;
            *multiply) [ "$status" != 0 ] && grep -q "overflow: 2147483647 \* 2" <<< "$said" || ok=no ;;
            *plain) [ "$status" != 0 ] && grep -Eq "overflow: (2147483647 \+ 1|1 \+ 2147483647)" <<< "$said" || ok=no ;;
        esac
    done
done
[ $ok = yes ] && echo "as stated" || { echo CHANGED; exit 1; }
