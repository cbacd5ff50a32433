// One thread writes a byte, another one reads it.
#include <assert.h>
#include <pthread.h>

#include "lwrb/lwrb.h"

static lwrb_t ring;
static unsigned char memory[4];

static void *write(void *nothing) {
    unsigned char byte = 7;
    lwrb_write(&ring, &byte, 1);
    return nothing;
}

int main(void) {
    lwrb_init(&ring, memory, sizeof memory);
    pthread_t writer;
    pthread_create(&writer, 0, write, 0);
    unsigned char got = 0;
    if (lwrb_read(&ring, &got, 1))
        assert(got == 7);
    pthread_join(writer, 0);
    return 0;
}
