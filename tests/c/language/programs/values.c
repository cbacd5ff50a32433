// Statements, types, structs, pointers, functions: what the language says, as assertions that all hold.
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
struct P { int x, y; char tag; };
struct Q { struct P p[2]; struct Q *next; union { int i; unsigned u; } v; };
enum E { A = 3, B, C = -2, D };
static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
static int counter(void) { static int k = 5; return k++; }
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
typedef int (*op)(int, int);
static op table[2] = { add, sub };
int grid[3][4];
int order[4], at;
static int log_(int v) { order[at++] = v; return v; }
int main(void) {
  struct P p = { .y = 2, .tag = 'z' };
  struct P q = p; q.x += 7; assert(p.x == 0 && q.x == 7 && q.y == 2 && q.tag == 'z');
  struct Q s = { { { 1, 2, 'a' }, { 3, 4, 'b' } }, 0, { 9 } }, t;
  t = s; t.p[1] = p; assert(s.p[1].x == 3 && t.p[1].y == 2 && t.v.u == 9u);
  struct P *pp = &t.p[0]; pp++; pp->x = 11; assert(t.p[1].x == 11 && pp - t.p == 1);
  int *ip = &pp->y; *ip = -1; assert(t.p[1].y == -1);
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) grid[i][j] = 10 * i + j;
  assert(grid[2][3] == 23 && *(*(grid + 1) + 2) == 12 && grid[0][3] == 3 && (&grid[1][0])[3] == 13);
  int (*row)[4] = &grid[1]; assert((*row)[1] == 11 && row[1][0] == 20);
  assert(fact(6) == 720);
  assert(counter() == 5 && counter() == 6);
  assert(table[0](3, 4) == 7 && table[1](3, 4) == -1 && (*table[1])(1, 1) == 0 && (at ? add : sub)(5, 2) == 3);
  assert(A + B == 7 && C == -2 && D == -1 && sizeof(enum E) == 4);
  int k = 0; again: if (k < 3) { k++; goto again; } assert(k == 3);
  int r = 0;
  for (int v = 0; v < 6; v++) switch (v) { case 0: r += 1; case 1: r += 10; break; case 2 ... 3: r += 100; break; default: r += 1000; }
  assert(r == 1 + 10 + 10 + 200 + 2000);
  int z = 0; (z = 0) && (r = 99); (z = 1) || (r = 98); assert(r == 2221);
  { int r = 5; { int r = 6; assert(r == 6); } assert(r == 5); } assert(r == 2221);
  assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1 && (-8 >> 1) == -4);
  unsigned char c = 250; c += 10; assert(c == 4);
  signed char sc = 127; sc++; assert(sc == -128);
  short sh = (short)70000; assert(sh == 4464);
  unsigned u = -1; assert(u > 0 && u == 4294967295u && (int)u == -1 && (long)u == 4294967295L);
  long l = (int)0x80000000u; assert(l == -2147483648L);
  assert((unsigned long)-1 > 0 && -1 > 1u && sizeof(char) + sizeof(long) == 9);
  assert((uint8_t)~0 == 255 && (int8_t)200 == -56 && !!42 == 1);
  char text[] = "hi\n"; assert(sizeof text == 4 && text[2] == 10 && text[3] == 0 && "abc"[1] == 'b');
  const char *str = "xyz"; assert(*(str + 2) == 'z');
  int side = 0; assert(side++ == 0); assert(side == 1);
  int a = 1, b = 2; int m = (a++, b += a, b * 2); assert(m == 8 && a == 2);
  int arr[3] = { [2] = 5, [0] = 1 }; assert(arr[0] == 1 && arr[1] == 0 && arr[2] == 5);
  log_(1) + log_(2) * log_(3); assert(order[0] == 1 && order[2] == 3);
  printf("%d %s\n", log_(7), str); assert(order[3] == 7);
  memset(grid, 0, sizeof grid); assert(grid[1][1] == 0); memset(&p, 255, sizeof p); assert(p.x == -1 && p.tag == -1);
  memcpy(&q, &s.p[0], sizeof q); assert(q.tag == 'a');
  _Bool bo = 7; assert(bo == 1); 
  do { if (k == 3) break; k = 9; } while (0); assert(k == 3);
  int w = 10; while (w --> 0) { if (w == 5) continue; if (w == 2) break; } assert(w == 2);
  return 0;
}
