// What GCC's functions on bits give, and what functions on bytes do: of values that are known and of ones that are not.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
unsigned v[] = { 1, 3, 0x80000000u, 0xffffffffu, 0x12345678u };
unsigned long w[] = { 1, 1ul << 63, 0xfedcba9876543210ul, -1ul, 1ul << 32 };
signed char small = -2;
int row[6] = { 1, 2, 3, 4, 5, 6 }, left[3] = { 1, -1, 256 }, right[3] = { 1, -1, 1 };
short low[2] = { 0x0102, 0x0201 }, high[2] = { 0x0201, 0x0102 };
union either { int number; void *pointer; long other; } one = { 5 }, two[2] = { { .number = 6 }, { 7 } };
struct padded { union { struct { int a, b; } pair; char pad[64]; } in; int after; } padded = { { { 1, 2 } }, 3 };
struct tagged { int tag; union { char c; long wide; struct { short a, b; } two; }; } tagged[2] = { { 1, .wide = 8 } };
int flag;
static void *change(void *arg) {
  if (flag) { v[0] = v[1] = v[2] = v[3] = v[4] = 9; w[0] = w[1] = w[2] = w[3] = w[4] = 9; small = 1; low[0] = 1; }
  if (flag) { one.number = two[1].number = padded.in.pair.b = 0; tagged[1].wide = 3; }
  if (flag) { row[0] = row[1] = row[2] = row[3] = 0; left[0] = left[2] = 7; high[1] = 2; }
  return arg;
}
static void bits(void) {
  int sum = 0;
  for (int k = 0; k < 5; k++) sum = 31 * sum + __builtin_popcount(v[k]) + 2 * __builtin_popcountl(w[k]);
  assert(sum == 2957167);
  sum = 0;
  for (int k = 0; k < 5; k++) sum = 31 * sum + __builtin_clz(v[k]) + 2 * __builtin_clzl(w[k]);
  assert(sum == 145886592);
  sum = 0;
  for (int k = 0; k < 5; k++) sum = 31 * sum + __builtin_ctz(v[k]) + 2 * __builtin_ctzll(w[k]);
  assert(sum == 3791212);
  sum = 0;
  for (int k = 0; k < 5; k++) sum = 31 * sum + __builtin_ffs(v[k]) + 2 * __builtin_ffsl(w[k]);
  assert(sum == 6654127);
  assert(__builtin_parity(v[1]) == 0 && __builtin_parity(v[4]) == 1 && __builtin_parityll(w[4]) == 1);
  assert(__builtin_ffs(v[0] - 1) == 0 && __builtin_popcount(small) == 31 && __builtin_popcountl(small) == 63);
  assert(__builtin_bswap16(v[4]) == 0x7856 && __builtin_bswap32(v[4]) == 0x78563412);
  assert(__builtin_bswap64(w[2]) == 0x1032547698badcfeul && sizeof(__builtin_bswap16(1)) == 2);
}
static void bytes(void) {
  memmove(row + 1, row, 16);
  assert(row[0] == 1 && row[1] == 1 && row[2] == 2 && row[4] == 4 && row[5] == 6);
  memmove(row, row + 1, 16);
  assert(row[0] == 1 && row[1] == 2 && row[3] == 4 && row[4] == 4);
  row[4] = 5;
  assert(memcmp(left, right, 12) < 0 && memcmp(right, left, 12) > 0 && memcmp(left, right, 8) == 0);
  assert(memcmp(low, high, 4) > 0 && memcmp(high, low, 4) < 0 && memcmp(&small, &small, 1) == 0);
}
static void unions(void) {  // of which one member is used, whatever else there is
  union either copy = two[1], *p = malloc(sizeof *p);
  p->number = copy.number + one.number;
  assert(p->number == 12 && two[0].number == 6 && sizeof copy == 8);
  free(p);
  struct padded other = padded;
  assert(other.in.pair.a == 1 && other.in.pair.b == 2 && other.after == 3 && sizeof other == 68);
  struct tagged *q = &tagged[1];
  assert(tagged[0].wide == 8 && q->wide == 0 && q->tag == 0);
  memcpy(q, tagged, sizeof *q);
  assert(q->wide == 8);
  memset(q, 0, sizeof *q);
  assert(q->wide == 0);
}
int main(void) {
  bits();
  bytes();
  unions();
  assert(memcmp("abc", "abd", 4) < 0 && memcmp("abc", "abd", 2) == 0);
  int *p = malloc(2 * sizeof(int));
  p[0] = 5;
  p = realloc(p, 4 * sizeof(int));  // the second has no value yet
  p[1] = 6;
  p[3] = 7;
  assert(p[0] + p[1] + p[3] == 18);
  p = realloc(p, sizeof(int));
  assert(p[0] == 5);
  int *q = realloc(0, sizeof(int));
  *q = *p;
  free(p);
  pthread_t t;
  pthread_create(&t, 0, change, 0);
  pthread_join(t, 0);
  flag = 0;
  bits();
  bytes();
  unions();
  assert(*q == 5);
  return 0;
}
