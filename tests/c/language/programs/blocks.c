// What names mean in blocks and between pragmas, what is evaluated once, and the types that compilers name.
#include <assert.h>

int v = 3;
int calls, memory;

int *place(void) {
  calls++;
  return &memory;
}

int hidden(void) {
  int v = 4;
  {
    extern int v;
    assert(v == 3);
    v = 5;
  }
  return v;
}

#define SIZE 2
#pragma push_macro("SIZE")
#undef SIZE
#define SIZE 1
int first[SIZE];
#pragma pop_macro("SIZE")
int second[SIZE];
#pragma push_macro("NONE")
#define NONE 7
#pragma pop_macro("NONE")

int main(void) {
  assert(hidden() == 4);
  assert(v == 5);
  asm volatile("" : "+r"(*place()));
  assert(calls == 1);
  asm volatile("" : "+m"(*place()) : "r"(calls));
  assert(calls == 2);
  assert(sizeof(first) == sizeof(int));
  assert(sizeof(second) == 2 * sizeof(int));
#ifdef NONE
  assert(0);
#else
  assert(memory == 0);
#endif
  assert(sizeof(__INT8_TYPE__) == 1);
  assert(sizeof(__UINT16_TYPE__) == 2);
  assert((__UINT32_TYPE__)-1 > 0);
  assert(sizeof(__INT64_TYPE__) == 8);
  assert(sizeof(__UINTPTR_TYPE__) == sizeof(void *));
  assert((__WCHAR_TYPE__)-1 < 0);
  assert(__INT_MAX__ == 2147483647);
  assert(__LONG_MAX__ / 2 + 1 > 0);
  return 0;
}
