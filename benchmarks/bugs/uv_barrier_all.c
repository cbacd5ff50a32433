// A thread meets main at a barrier; main destroys it then.
#include <pthread.h>
#include <stdlib.h>

#include "uv.h"

static uv_barrier_t barrier;

void *uv__malloc(size_t size) {
    return malloc(size);
}

void uv__free(void *memory) {
    free(memory);
}

unsigned long uv__hrtime(int kind) {
    return 0;
}

static void *meet(void *nothing) {
    uv_barrier_wait(&barrier);
    return nothing;
}

int main(void) {
    uv_barrier_init(&barrier, 2);
    pthread_t other;
    pthread_create(&other, 0, meet, 0);
    meet(0);
    uv_barrier_destroy(&barrier);
    pthread_join(other, 0);
    return 0;
}
