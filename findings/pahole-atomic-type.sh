#!/usr/bin/env bash
# pahole: a struct with an _Atomic member has a member that it cannot tell, and sizes that do not add up.
#
# Expected: DWARF 5 (2017) has DW_TAG_atomic_type, one more word beside those of `const` and `volatile`, and gcc writes
# it: where a `volatile long` has offset 8 and 8 bytes, an `_Atomic long` has, too. Seen: "tag not supported 0x47", an
# ERROR in the place of the member, 1 byte as the sum of the members of a struct of 16, and a warning about its own
# sums. So what a tool made of pahole is for, where the padding is and what shares a line of the cache, is wrong for
# structs of atomics.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=1.24-4.1
fetch() { apt-get -qq download "$@" 2>/dev/null; }
packages=("pahole=$version" libbpf1 libdw1 libelf1)
fetch "${packages[@]}" || { apt-get -qq update; fetch "${packages[@]}"; }
for file in *.deb; do dpkg -x "$file" root; done
export LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu
gcc --version | head -1
for word in volatile _Atomic; do
    printf 'struct s { char c; %s long n; } g;\n' $word > a.c
    LD_LIBRARY_PATH='' gcc -g -c a.c -o a.o
    echo "pahole $(root/usr/bin/pahole --version), $word"
    root/usr/bin/pahole a.o 2>&1 | grep -E 'not supported|c;|n;|ERROR|members:' |
        sed 's/^[ \t]*//; s/[ \t]\{1,\}/ /g' | sort -u
done | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
pahole v1.24, volatile
/* size: 16, cachelines: 1, members: 2 */
/* sum members: 9, holes: 1, sum holes: 7 */
char c; /* 0 1 */
volatile long int n; /* 8 8 */
pahole v1.24, _Atomic
/* size: 16, cachelines: 1, members: 2 */
/* sum members: 1, holes: 1, sum holes: 7 */
<ERROR(__class__fprintf:1609): 0 not found!>
char c; /* 0 1 */
die__process_unit: tag not supported 0x47 ((null))!
END
