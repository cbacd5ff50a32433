// real: CharlesFrasch/cppcon2023 76b65f23739c3faa241aa83f4707280ca197a288: (headers)
// One thread pushes numbers into a ring for two, and tries again where it is full; another one takes them.
#include <cassert>
#include <thread>

#include "Fifo3.hpp"
#include "Fifo4a.hpp"
#include "Mutex.hpp"

#ifndef VALUES
#define VALUES 2
#endif

int main() {
    RING<int> ring(2);
    std::thread producer([&] {
        for (int i = 1; i <= VALUES; i++)
            while (!ring.push(i)) {
            }
    });
    for (int i = 1; i <= VALUES; i++) {
        int value = 0;
        while (!ring.pop(value)) {
        }
        assert(value == i);
    }
    producer.join();
}
