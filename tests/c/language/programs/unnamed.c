/* Parameters without names, in functions with bodies: they are given, and nobody can ask for them. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

typedef void nothing;
static int done;

static int last(int, int c) { return c; }
static int first(int a, int) { return a; }
static int only(int, ...) { return 5; }
static int none(nothing) { return 7; }
static int sum(int, int n, ...) {
  va_list rest;
  va_start(rest, n);
  int s = 0;
  for (int i = 0; i < n; i++) s += va_arg(rest, int);
  va_end(rest);
  return s;
}
static void *worker(void *) {
  done++;
  return &done;
}

int main(int, char **) {
  pthread_t t;
  void *result;
  int a = 1, (*f)(int, int) = a ? last : first;
  assert(last(1, 2) == 2);
  assert(first(8, a++) == 8 && a == 2);
  assert(f(3, 4) == 4);
  assert(only(1, 2, 3) == 5);
  assert(none() == 7);
  assert(sum(9, 2, 3, 4) == 7);
  assert(worker(0) == &done && done == 1);
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, &result);
  assert(result == &done);
  assert(done == 2);
}
