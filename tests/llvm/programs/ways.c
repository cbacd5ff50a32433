#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int first, second;
};

atomic_int a, b;
atomic_int first, second, third, fourth;

static void *writer(void *unused) {
    atomic_store(&a, 2);
    atomic_store(&b, 1);
    return unused;
}

static void add(struct pair *to, int more) {
    struct pair copy = *to;
    if (more > 1)
        copy.second = 9;
    copy.first += more;
    *to = copy;
}

static void *reader(void *unused) {
    int x = atomic_load(&a), y = atomic_load(&b);
    struct pair one = {1, 2}, two, *both[2] = {&one, &two}, *volatile kept = both[0];
    two.first = y ? 5 : 6; // on both ways
    two.second = 7;
    if (x) {
        two.second = 8; // on one
        for (int i = 0; i < x; i++) {
            int before = one.first;
            add(&one, y); // in a loop, and before
            if (before == 1)
                two.first++;
            else if (y)
                break;
        }
    }
    switch (y + x) {
    case 0:
        one.second = 3;
        break;
    case 2:
        one.second = 4; // falls through
    default:
        one.second += two.second;
    }
    int n = 0;
    do {
        int last = n ? two.second : one.second; // of the round before
        two.second = last + 1;
        n++;
    } while (n < 2 + y);
    atomic_store(&first, one.first);
    atomic_store(&second, one.second);
    atomic_store(&third, two.first);
    atomic_store(&fourth, two.second);
    assert(kept == both[0]);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
