// Enumerations, alignment, characters and strings: what GNU C says of them, as assertions that all hold.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdalign.h>
enum plain { A, B, C = 7 };
enum negative { N = -1, P };
enum wide { HIGH = 0xffffffff, LOW = 2 };
enum wider { FAR = 1ul << 40, NEAR = 1 };
enum both { MINUS = -1, PLUS = 0x80000000 };
typedef enum { X, Y } xy;
struct enums { enum plain a; xy b; enum negative n; };
struct member { char a; alignas(64) int b; char c; };
struct behind { int x; } __attribute__((aligned(32)));
struct __attribute__((__aligned__(16))) front { char c; struct behind in; _Alignas(long) char d; };
struct members { char a; int b __attribute__((aligned(32))); __attribute__((aligned(16))) char c, d; };
struct tail { int a; char t[]; } __attribute__((aligned(8)));
typedef struct { _Alignas(64) long head; _Alignas(64) long tail; int buffer[4]; } ring;
typedef union { char c; int i; } __attribute__((aligned(128))) line;
char side[] = "\0" "12", hex[] = "\x41" "1\1" "11";
ring r;
line here;
struct member two[2] = { { 1, 2, 3 }, { .b = 5 } };
#if '\377' < 0
enum { CHARS_ARE_SIGNED = 1 };
#endif
static unsigned char cut(int x) { return x; }
static int sum(int *p, int n) { int s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }
int main(void) {
  struct enums e = { -1, -2, -3 };
  assert(e.a > 0 && e.a == 4294967295u);
  assert(e.b == 4294967294u && (long)e.b > 0);
  assert(e.n == -3 && e.n < 0);
  assert((enum plain)-1 > 5 && (enum negative)-1 < 0);
  assert(A - B < 0);
  xy w = X; w--;
  assert(w > Y && w >> 31 == 1);
  assert(HIGH > 0 && HIGH + 1 == 0 && sizeof HIGH == 4);
  assert(LOW - 3 < 0);
  assert(FAR >> 39 == 2 && sizeof(enum wider) == 8 && sizeof NEAR == 4);
  assert(PLUS == 2147483648 && MINUS < 0 && sizeof(enum both) == 8);
  { enum plain { Q = -5, R }; enum plain v = Q; assert(v < 0 && R == -4); }
  assert(sizeof(struct member) == 128);
  assert(offsetof(struct member, b) == 64 && offsetof(struct member, c) == 68);
  assert(sizeof(struct behind) == 32);
  assert(offsetof(struct front, in) == 32 && offsetof(struct front, d) == 64 && sizeof(struct front) == 96);
  assert(offsetof(struct members, b) == 32 && offsetof(struct members, c) == 48);
  assert(offsetof(struct members, d) == 64 && sizeof(struct members) == 96);
  assert(sizeof(struct tail) == 8 && sizeof(ring) == 128 && offsetof(ring, buffer) == 72);
  assert(sizeof(line) == 128 && alignof(line) == 128 && _Alignof(struct member) == 64);
  assert((uintptr_t)&r.tail % 64 == 0 && (uintptr_t)&here % 128 == 0);
  assert((char *)&two[1] - (char *)two == 128 && two[1].b == 5);
  struct tail *t = malloc(sizeof(struct tail) + 3);
  t->a = 4; t->t[2] = 5;
  line *l = aligned_alloc(128, sizeof(line));
  l->i = 6;
  assert(t->a + t->t[2] + l->i == 15);
  assert(sizeof side == 4 && side[1] == '1' && side[2] == '2');
  assert(sizeof hex == 6 && hex[0] == 'A' && hex[2] == 1 && hex[3] == '1');
  assert('\e' == 27 && '\?' == '?' && '\'' == 39 && "\"\\"[0] == '"' && "\"\\"[1] == 92);
  assert(CHARS_ARE_SIGNED && '\x80' == -128 && '\0' == 0);
  int *p = (int[]){ 5, 6, 7 }; p[1] = 60;
  assert(p[0] + p[1] + p[2] == 72 && sizeof((int[]){ 1, 2, 3 }) == 12 && sum((int[]){ 1, 2, 3 }, 3) == 6);
  int x = 0, n = 0; unsigned u = 9;
  assert((x ?: 7) == 7 && (u ?: -1) == 9 && ((u - 9) ?: -1) > 0);
  assert((x++ ?: 4) == 4 && x == 1);
  assert((x++ ?: 4) == 1 && x == 2);
  assert(((n = 3) ?: (n = 5)) == 3 && n == 3 && (0 ?: 0 ?: 4) == 4 && (n > 2 ?: 9) == 1);
  assert(cut(300) == 44);
  _Static_assert(sizeof(int) == 4, "int");
  return 0;
}
