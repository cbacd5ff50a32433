// real: preshing/turf 9ae0d4b984fa95ed5f823274b39c87ee742f6650: (headers)
// A thread publishes a number by an exchange; if main gets the flag, the number is there.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include <turf/c/atomic.h>

static turf_atomic32_t flag;
static int number;

static void *put(void *nothing) {
    number = 1;
    turf_exchange32(&flag, 1, TURF_MEMORY_ORDER_RELEASE);
    return nothing;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, put, 0);
    if (turf_compareExchange32(&flag, 1, 2, TURF_MEMORY_ORDER_ACQUIRE) == 1)
        assert(number == 1);
    pthread_join(thread, 0);
    return 0;
}
