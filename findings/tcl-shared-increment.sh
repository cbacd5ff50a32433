#!/usr/bin/env bash
# Tcl's Thread extension: tsv::incr of a shared variable wraps at 2^63, where incr goes on.
#
# Expected: what its page says, that it is like incr for a variable that threads share, so that 9223372036854775807 and
# 1 are 9223372036854775808: integers of Tcl have no end (since 8.5). Seen: -9223372036854775808, without an error, and
# a step that is larger is refused as "integer value too large to represent". So a counter is right as long as one
# thread has it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=1:2.8.8-2
fetch() { apt-get -qq download "$@" 2>/dev/null; }
packages=("tcl-thread=$version" tcl8.6=8.6.13+dfsg-2 libtcl8.6=8.6.13+dfsg-2)
fetch "${packages[@]}" || { apt-get -qq update; fetch "${packages[@]}"; }
for file in *.deb; do dpkg -x "$file" root; done
cat > a.tcl <<'TCL'
lappend auto_path [file join [pwd] root usr lib tcltk x86_64-linux-gnu]
puts "Tcl [info patchlevel], Thread [package require Thread]"
proc told {what} { if {[catch {uplevel #0 $what} is]} { set is "error: $is" }; puts "$what: $is" }
set one 9223372036854775807
tsv::set shared one 9223372036854775807
told {incr one}
told {tsv::incr shared one}
set one 0
tsv::set shared one 0
told {incr one 18446744073709551616}
told {tsv::incr shared one 18446744073709551616}
TCL
export LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu TCL_LIBRARY=$work/root/usr/share/tcltk/tcl8.6
root/usr/bin/tclsh8.6 a.tcl | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
Tcl 8.6.13, Thread 2.8.8
incr one: 9223372036854775808
tsv::incr shared one: -9223372036854775808
incr one 18446744073709551616: 18446744073709551616
tsv::incr shared one 18446744073709551616: error: integer value too large to represent
END
