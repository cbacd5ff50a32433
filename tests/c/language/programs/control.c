/* What a translator may get wrong between statements: values of assignments, jumps in loops, what is not evaluated. */
#include <assert.h>
#include <pthread.h>

struct pair { int a, b[2]; };
int g, h, k, flag, table[3] = {4, 5, 6};

static struct pair make(int a) { struct pair r = {0}; r.a = a; r.b[1] = a ^ 1; return r; }
static int set(int *p, int value) { *p = value; return value; }

/* The translator does not know what this thread leaves alone. */
static void *change(void *argument) {
  if (flag) { g = 1; h = 1; k = 1; table[0] = 1; }
  return argument;
}

static void values_of_assignments(int x) {
  int i = x;
  assert(++i == x + 1 && i == x + 1);
  assert((i = i + 2) == x + 3);
  assert((i *= 2) == 2 * x + 6 && --i == 2 * x + 5);
  assert((i -= x) + i == 2 * x + 10);
  int rounds = 0, n = x;
again:
  rounds++;
  if (++n < 3 && n != 7) goto again;
  assert(rounds == 3 && n == 3);
  int a = x, b;
  b = a = a + 4;
  assert(a == 4 && b == 4);
  int shown = (a = a + 1, a) + (b = b + 2);
  assert(shown == 11);
}

static void labels_in_loops(int x) {
  int sum = 0, i = 0;
  do {
    if (x == i) goto next;
    sum += 10;
  next:
    sum++;
  } while (++i < 3);
  assert(sum == 23);
  for (i = 0; i < 3; i++) {
    int tries = 0;
  retry:
    sum++;
    if (++tries < 2) goto retry;
    if (i == x + 1) goto out;
  }
  assert(0);
out:
  assert(sum == 27);
  i = 0;
  if (x == 0) goto middle;
  for (; i < 3; i++) {
    sum = 0;
  middle:
    sum += 5;
  }
  assert(i == 3 && sum == 5);
}

static void not_evaluated(int x) {
  assert(sizeof(g = 5) == 4 && g == 0);
  assert(sizeof(set(&h, 3)) == 4 && h == 0);
  assert(!(x && (k = 5)) && k == 0);
  assert((x ? (k = 7) : 2) == 2 && k == 0);
  assert((x || (k = 9)) && k == 9);
  assert(x || set(&k, 0) || k == 0);
}

static void structs_in_loops(int x) {
  struct pair last = {9};
  int i = 0;
again:
  last = make(x ? table[(unsigned)i % 3u] : last.a);
  if (++i < 3) goto again;
  assert(last.a == 9 && last.b[0] == 0 && last.b[1] == 8);
}

static void switches(int x) {
  int path = 0;
  for (int i = 0; i < 5; i++) {
    switch (i + x) {
    case 0: path = path * 10 + 1;
    case 1: path = path * 10 + 2; break;
    case 3: continue;
    default: path = path * 10 + 4;
      switch (i) { case 2: path++; break; default: path += 2; }
    }
    if (i == 3) path = -1;
  }
  assert(path == 122 * 100 + 5 * 10 + 6);
}

static void skipped_declarations(int x) {
  switch (x) {
    int z;
  case 0:
    z = 3;
    assert(z == 3);
  }
  if (x == 0) goto over;
  int y = 1;
over:
  y = 2;
  assert(y == 2);
  goto end;
  int w;
end:
  w = 4;
  assert(w == 4);
}

int main() {
  pthread_t t;
  not_evaluated(0);
  k = 0;
  pthread_create(&t, 0, change, 0);
  pthread_join(t, 0);
  flag = 0;
  values_of_assignments(g);
  labels_in_loops(g);
  not_evaluated(g);
  structs_in_loops(g);
  switches(g);
  skipped_declarations(g);
}
