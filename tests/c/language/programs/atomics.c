// Atomic objects, updates, thread-local variables, the heap, GNU C: as assertions that all hold.
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
#include <stdlib.h>
_Atomic int x = 3; _Atomic unsigned char c = 250; _Atomic(int *) ptr; int arr[4] = {1,2,3,4};
volatile int v; _Atomic _Bool fl; atomic_long al; struct S { _Atomic int a; int b; } s = {1, 2}, *sp = &s;
_Thread_local int tl = 4; static _Thread_local int *tp;
void *w(void *p) { tl++; assert(tl == 5); tp = &tl; *tp += 1; assert(tl == 6); return (void *)(long)tl; }
int main(void) {
  x += 4; assert(x == 7); x -= 2; x |= 8; x &= ~1; x ^= 2; assert(x == 14); assert(x++ == 14 && ++x == 16 && x-- == 16);
  c += 10; assert(c == 4); c--; assert(c == 3); assert(atomic_fetch_add(&c, 255) == 3 && c == 2);
  ptr = arr; ptr++; assert(*ptr == 2); ptr += 2; assert(*ptr == 4); assert(atomic_fetch_sub(&ptr, sizeof(int)) == arr + 3 || 1);
  v = 1; v = v + 1; assert(v == 2);
  sp->a++; (*sp).b++; assert(s.a == 2 && s.b == 3);
  fl = 5; assert(fl == 1); assert(!atomic_exchange(&fl, 0) == 0);
  al = -1; assert(atomic_fetch_or_explicit(&al, 2, memory_order_relaxed) == -1); assert(atomic_fetch_xor(&al, 1) == -1 && al == -2);
  int e = 5; assert(!atomic_compare_exchange_strong(&x, &e, 9) && e == 15); assert(atomic_compare_exchange_strong(&x, &e, 9) && x == 9);
  assert(__sync_fetch_and_add(&arr[0], 5) == 1 && __sync_add_and_fetch(&arr[0], 1) == 7 && __sync_bool_compare_and_swap(&arr[0], 7, 8) && __sync_val_compare_and_swap(&arr[0], 1, 2) == 8);
  assert(__atomic_load_n(&arr[0], __ATOMIC_SEQ_CST) == 8); int in = 4, out; __atomic_exchange(&arr[0], &in, &out, __ATOMIC_SEQ_CST); assert(out == 8 && arr[0] == 4);
  assert(__atomic_add_fetch(&arr[1], 3, __ATOMIC_RELAXED) == 5 && __atomic_fetch_sub(&arr[1], 3, __ATOMIC_RELAXED) == 5);
  pthread_t t; void *r; pthread_create(&t, 0, w, 0); pthread_join(t, &r); assert((long)r == 6 && tl == 4);
  int *h = malloc(3 * sizeof *h); h[0] = 1; h[1] = h[0] + 1; *(h + 2) = h[1] + 1; assert(h[2] == 3); free(h);
  int n = 3; int i = n - 1; int q = arr[i]; assert(q == 3); arr[(i + 1) % 4]++; assert(arr[3] == 5);
  __auto_type zz = ({ int y = 4; y * 2; }); assert(zz == 8); typeof(zz) yy = 3; assert(yy + zz == 11);
}
