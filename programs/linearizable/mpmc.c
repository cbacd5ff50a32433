// Vyukov's queue of two places for any number of threads: each place has a turn.
// Wrong ones: -DTURN_RELAXED, push leaves the turn with relaxed, -DBACK_RELAXED, pop does; -DTAKEN_STORED, pop takes its
// place with a store; -DROUND_EARLY, pop gives the place back a round early.
#include <stdatomic.h>
#include <stdbool.h>

#define SIZE 2
#ifdef TURN_RELAXED
#define PUSHED memory_order_relaxed
#else
#define PUSHED memory_order_release
#endif
#ifdef BACK_RELAXED
#define POPPED memory_order_relaxed
#else
#define POPPED memory_order_release
#endif
#ifdef ROUND_EARLY
#define ROUND 0
#else
#define ROUND SIZE
#endif

static struct {
  atomic_uint turn;
  int value;
} places[SIZE];
static atomic_uint in, out;

void init(void) {
  for (unsigned i = 0; i < SIZE; i++) atomic_init(&places[i].turn, i);
}

bool push(int value) {
  unsigned at = atomic_load_explicit(&in, memory_order_relaxed);
  while (1) {
    int lag = (int)(atomic_load_explicit(&places[at % SIZE].turn, memory_order_acquire) - at);
    if (lag < 0) return false;
    if (lag > 0)
      at = atomic_load_explicit(&in, memory_order_relaxed);
    else if (atomic_compare_exchange_strong_explicit(&in, &at, at + 1, memory_order_relaxed, memory_order_relaxed))
      break;
  }
  places[at % SIZE].value = value;
  atomic_store_explicit(&places[at % SIZE].turn, at + 1, PUSHED);
  return true;
}

bool pop(int *value) {
  unsigned at = atomic_load_explicit(&out, memory_order_relaxed);
  while (1) {
    int lag = (int)(atomic_load_explicit(&places[at % SIZE].turn, memory_order_acquire) - (at + 1));
    if (lag < 0) return false;
    if (lag > 0) {
      at = atomic_load_explicit(&out, memory_order_relaxed);
      continue;
    }
#ifdef TAKEN_STORED
    atomic_store_explicit(&out, at + 1, memory_order_relaxed);
    break;
#else
    if (atomic_compare_exchange_strong_explicit(&out, &at, at + 1, memory_order_relaxed, memory_order_relaxed)) break;
#endif
  }
  *value = places[at % SIZE].value;
  atomic_store_explicit(&places[at % SIZE].turn, at + ROUND, POPPED);
  return true;
}
