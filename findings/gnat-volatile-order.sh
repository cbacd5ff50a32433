#!/usr/bin/env bash
# GNAT for AArch64: two Volatile variables have no order, though Ada 2012 promises one to all tasks.
#
# Expected: all tasks, on all processors, see the updates of volatile variables in the same order (Ada 2012, C.6; its
# Rationale, 5.5, has a task that sets Data and then Flag, both Volatile, and one that waits for Flag and reads Data).
# So on a machine whose stores change places the store of Flag is `stlr`, or has a barrier before it, and the load of
# it is `ldar`. Seen: `str` and `strb`, `ldrb` and `ldr`, as for C's volatile, which orders nothing between processors;
# with Flag declared Atomic they are `stlrb` and `ldarb`.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fetch() { apt-get -qq download "$@" 2>/dev/null; }
package=gnat-12-aarch64-linux-gnu=12.2.0-14cross1
fetch $package || { apt-get -qq update; fetch $package; }
dpkg -x ./*.deb root
cat > shared.ads <<'ADA'
package Shared is
   Data : Integer := 0 with Volatile;
   Flag : Boolean := False with Volatile;
   Sign : Boolean := False with Atomic;
   procedure Send_Volatile;
   procedure Send_Atomic;
   function Receive_Volatile return Integer;
   function Receive_Atomic return Integer;
end Shared;
ADA
cat > shared.adb <<'ADA'
package body Shared is
   procedure Send_Volatile is
   begin
      Data := 42;
      Flag := True;
   end Send_Volatile;
   procedure Send_Atomic is
   begin
      Data := 42;
      Sign := True;
   end Send_Atomic;
   function Receive_Volatile return Integer is
   begin
      while not Flag loop
         null;
      end loop;
      return Data;
   end Receive_Volatile;
   function Receive_Atomic return Integer is
   begin
      while not Sign loop
         null;
      end loop;
      return Data;
   end Receive_Atomic;
end Shared;
ADA
gcc=root/usr/lib/gcc-cross/aarch64-linux-gnu/12
$gcc/gnat1 -quiet -O2 -gnat2012 -gnatwa -I$gcc/adainclude shared.adb -o shared.s
echo "GNAT 12.2 of Debian: $package"
for name in send_volatile receive_volatile send_atomic receive_atomic; do
    echo "$name: $(awk -v n="shared__$name:" '$1 == n { on = 1; next } on && /\.size/ { exit } on' shared.s |
        grep -oE '^\s(str|stlr|ldr|ldar|dmb|dsb)[a-z]*' | paste -sd' ' | tr -d '\t')"
done | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
send_volatile: str strb
receive_volatile: ldrb ldr
send_atomic: str stlrb
receive_atomic: ldarb ldr
END
