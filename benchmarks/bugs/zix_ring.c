// One thread writes two bytes into a ring, another one reads them if they are there.
#include <assert.h>
#include <pthread.h>

#include "zix/ring.h"

static ZixRing *ring;

static void *put(void *nothing) {
    zix_ring_write(ring, "\7\10", 2);
    return nothing;
}

int main(void) {
    ring = zix_ring_new(0, 4);
    pthread_t writer;
    pthread_create(&writer, 0, put, 0);
    char got[2] = {0, 0};
    if (zix_ring_read(ring, got, 2))
        assert(got[0] == 7 && got[1] == 8);
    pthread_join(writer, 0);
    return 0;
}
