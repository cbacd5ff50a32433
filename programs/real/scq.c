// real: rusnikola/lfqueue 708c0052872950dcb15b487fa7a5dd77ce2a2746: (headers)
// A thread puts an index into the ring of 16, and main takes one out: none, or that one.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "lfring_cas1.h"

#define ORDER LFRING_MIN

static struct {
    _Alignas(LF_CACHE_BYTES) _Atomic(lfatomic_t) head;
    _Alignas(LF_CACHE_BYTES) _Atomic(lfsatomic_t) threshold;
    _Alignas(LF_CACHE_BYTES) _Atomic(lfatomic_t) tail;
    _Alignas(LF_CACHE_BYTES) _Atomic(lfatomic_t) array[2 << ORDER];
} ring;

static void *put(void *nothing) {
    lfring_enqueue((struct lfring *)&ring, ORDER, 3, false);
    return nothing;
}

int main(void) {
    pthread_t thread;
    lfring_init_empty((struct lfring *)&ring, ORDER);
    pthread_create(&thread, 0, put, 0);
    size_t got = lfring_dequeue((struct lfring *)&ring, ORDER, false);
    assert(got == 3 || got == LFRING_EMPTY);
    pthread_join(thread, 0);
    return 0;
}
