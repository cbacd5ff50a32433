// real: rmind/thmap b8ade060ebae1147b0c0f886387cb3dbf5761979: src/thmap.c src/murmurhash.c
// A thread puts a key into the map while main looks for it: it is not there, or with its value.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

#include "thmap.h"

static thmap_t *map;
static const uint32_t key = 7;
static int value;

static void *put(void *nothing) {
    thmap_put(map, &key, sizeof key, &value);
    return nothing;
}

int main(void) {
    pthread_t thread;
    map = thmap_create(0, 0, 1 /* THMAP_NOCOPY */);
    pthread_create(&thread, 0, put, 0);
    void *got = thmap_get(map, &key, sizeof key);
    assert(got == 0 || got == &value);
    pthread_join(thread, 0);
    return 0;
}
