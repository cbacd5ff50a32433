// real: progschj/ThreadPool 9a42ec1329f259a5f4881a291db1dcb8f2ad9040: (headers)
// A pool of one thread runs a task.
#include <cassert>

#include "ThreadPool.h"

int main() {
    ThreadPool pool(1);
    int data = 1;
    auto found = pool.enqueue([&] { return data + 1; });
    assert(found.get() == 2);
}
