// real: open-s4c/libvsync dd93f802704c9c941eb7397fa101039bf21118ff: (headers)
// One thread enqueues, one dequeues, in a queue of two blocks of one entry each.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

// What C11's Annex K has; here of whole entries, since a copy of so many bytes is refused where nobody knows how many.
static int memcpy_s(void *target, size_t room, const void *source, size_t size) {
    for (size_t i = 0; i < size / sizeof(uintptr_t); i++)
        ((uintptr_t *)target)[i] = ((const uintptr_t *)source)[i];
    return size > room;
}

#define VSYNC_MEMCPY_S_EXISTS
#define BBQ_BLOCK_NUM_LOG 1U
#include <vsync/queue/bbq_spsc.h>

#define ENTRIES 2

static bbq_spsc_t *queue;

static void *enqueue(void *nothing) {
    vuintptr_t numbers[ENTRIES] = {1, 2};
    vuint32_t count = 0;
    for (int i = 0; i < ENTRIES; i++)
        count += bbq_spsc_enqueue(queue, &numbers[i], 1, false);
    assert(count == ENTRIES);
    return nothing;
}

int main(void) {
    pthread_t thread;
    vsize_t size = bbq_spsc_memsize(ENTRIES);
    queue = malloc(size);
    assert(queue && bbq_spsc_init(queue, size));
    pthread_create(&thread, 0, enqueue, 0);
    vuintptr_t number = 0;
    for (vuintptr_t i = 1; i <= ENTRIES && bbq_spsc_dequeue(queue, &number, 1, false); i++)
        assert(number == i);
    pthread_join(thread, 0);
    return 0;
}
