// Bit fields: where they are, what they hold, what is beside them (GNU's layout on x86-64).
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct word { unsigned a : 3, b : 5; int c : 7; unsigned d : 17; };
struct tagged { uint64_t pointer : 48, tag : 16; };
union both { struct tagged parts; uint64_t whole; };
struct mixed { char x; unsigned f : 3; unsigned g : 21; char y; int h : 1; unsigned : 0; unsigned k : 4; _Bool z : 1; long long w : 40; };
struct __attribute__((packed)) tight { unsigned a : 13; unsigned b : 30; char c; };

struct word word = { 5, 17, -3, 70000 };
struct mixed list[] = { { 'a', 1, 2, 'b', -1, 3, 1, -5 }, { .k = 9, .w = 1ll << 38 } };
struct tight tight = { 8191, 1 << 29, 7 };

void numbers(void) {
  struct word v = { 1, 2, 3, 4 };
  assert(v.a == 1 && v.b == 2 && v.c == 3 && v.d == 4);
  v.c = -64;
  v.a += 7;
  v.b--;
  v.d = ~0u;
  assert(v.c == -64 && v.a == 0 && v.b == 1 && v.d == 131071);
  assert((v.a = 9) == 1);
  assert(v.a++ == 1 && ++v.a == 3);
  assert(v.a - 5 < 0);
  struct word w;
  w.d = 5;
  assert(w.d == 5);
  w = v;
  assert(w.c == -64 && w.d == 131071);
  struct word *q = &w;
  q->c = 5;
  assert(w.c == 5 && w.a == 3);
  memcpy(q, &word, sizeof word);
  assert(w.c == -3 && w.d == 70000);
}

void first_values(void) {
  assert(word.a == 5 && word.b == 17 && word.c == -3 && word.d == 70000);
  assert(list[0].f == 1 && list[0].g == 2 && list[0].h == -1 && list[0].y == 'b');
  assert(list[0].k == 3 && list[0].z == 1 && list[0].w == -5);
  assert(list[1].k == 9 && list[1].w == 1ll << 38 && list[1].x == 0);
  assert(sizeof list == 2 * sizeof(struct mixed));
  assert(tight.a == 8191 && tight.b == 1 << 29 && tight.c == 7 && sizeof tight == 7);
}

void beside(void) {
  tight.b = 12345;
  assert(tight.a == 8191 && tight.b == 12345 && tight.c == 7);
  struct mixed *c = &list[1];
  c->z = 2;
  assert(c->z == 1);
  c->w -= 1;
  assert(c->w == (1ll << 38) - 1);
  c->g = 0x1fffff;
  assert(c->x == 0 && c->y == 0 && c->g == 0x1fffff && c->f == 0);
  union both u = { .whole = 0x1234567890abcdefull };
  assert(u.parts.pointer == 0x567890abcdefull && u.parts.tag == 0x1234);
  u.parts.tag++;
  assert(u.whole == 0x1235567890abcdefull);
  u.parts.pointer = 1;
  assert(u.whole == 0x1235000000000001ull);
  struct word *p = malloc(sizeof *p);
  p->a = 2;
  p->b = 3;
  assert(p->a == 2 && p->b == 3);
}

int main(void) {
  numbers();
  first_values();
  beside();
  return 0;
}
