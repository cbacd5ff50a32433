/* Selections by type, copies, and initial values without braces. */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>
#define kind(x) _Generic((x), int: 1, long: 2, char *: 3, unsigned: 4, struct s *: 5, default: 6, double: 7)
struct s { int a; };
static int fi(int x) { return x + 1; }
static int fl(long x) { return x + 2; }
#define f(x) _Generic((x), int: fi, long: fl)(x)
int main() {
  int i = 0; long l = 0; char c = 0; struct s v; unsigned u = 0; atomic_int a = 3;
  assert(kind(i) == 1 && kind(l) == 2 && kind("x") == 3 && kind(u) == 4 && kind(&v) == 5 && kind(c) == 6 && kind(&i) == 6);
  assert(kind(c + 1) == 1 && kind(1ul) == 6 && kind('a') == 1 && kind(a) == 1);
  assert(f(i) == 1 && f(l) == 2);
  _Generic(i, int: i, default: l) = 5;
  assert(i == 5 && sizeof(_Generic(l, long: l, default: c)) == 8);
  struct { int a[2]; int b; } w = {.a = 1, 2, .b = 3};
  assert(w.a[0] == 1 && w.b == 3 + 0 * w.a[1]);
  short from[3] = {1, 2, 3}, to[3];
  memcpy(to, from + 1, 2 * sizeof *to);
  assert(to[0] == 2 && to[1] == 3);
  int k, total = 0;
  for (k = 0; k < 3; k++) total += from[k];
  assert(total == 6 && k == 3);
  int n = _Generic(i++, int: i ? 10 : 20); assert(i == 5 && n == 10);
}
