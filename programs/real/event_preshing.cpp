// real: preshing/cpp11-on-multicore 41ac9c73dfa32e2fbc0af6668358092fafdfcae4: (headers)
// A thread writes and signals; another one waits, and reads.
#include <cassert>
#include <thread>

#include "autoresetevent.h"

int main() {
    AutoResetEvent event;
    int data = 0;
    std::thread writer([&] {
        data = 1;
        event.signal();
    });
    event.wait();
    assert(data == 1);
    writer.join();
}
