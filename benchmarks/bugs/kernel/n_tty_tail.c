// A reader takes the byte out of a full buffer and says so; the driver sees that there is room and writes the next one.
#include <xgen/kernel_test.h>

char buffer = 7;
int tail, got;

CPU(0, reader) {
    WRITE_ONCE(got, READ_ONCE(buffer));
#ifdef BEFORE
    WRITE_ONCE(tail, 1);
#else
    smp_store_release(&tail, 1);
#endif
}

CPU(1, driver) {
#ifdef BEFORE
    int room = READ_ONCE(tail);
#else
    int room = smp_load_acquire(&tail);
#endif
    if (room)
        WRITE_ONCE(buffer, 8);
}

int main(void) {
    pthread_t a = START(reader), b = START(driver);
    JOIN(a);
    JOIN(b);
    BUG_ON(got != 7);
}
