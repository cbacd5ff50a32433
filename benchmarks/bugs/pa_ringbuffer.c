// One thread writes a number into a ring, another one reads it if it is there.
#include <assert.h>
#include <pthread.h>

#include "pa_ringbuffer.h"

static PaUtilRingBuffer ring;
static int memory[2];

static void *put(void *nothing) {
    int seven = 7;
    PaUtil_WriteRingBuffer(&ring, &seven, 1);
    return nothing;
}

int main(void) {
    PaUtil_InitializeRingBuffer(&ring, sizeof(int), 2, memory);
    pthread_t writer;
    pthread_create(&writer, 0, put, 0);
    int got = 0;
    if (PaUtil_ReadRingBuffer(&ring, &got, 1))
        assert(got == 7);
    pthread_join(writer, 0);
    return 0;
}
