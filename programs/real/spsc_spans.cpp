// real: joz-k/LockFreeSpscQueue e79457b22c7c9ecb04ff8a1bc6e13348e8c5fc34: (headers)
// One thread writes numbers, another one reads what is there.
#include <array>
#include <cassert>
#include <thread>

#include "LockFreeSpscQueue.h"

int main() {
    std::array<int, 2> buffer{};
    LockFreeSpscQueue<int> queue(buffer);
    std::thread producer([&] {
        for (int k = 1; k <= VALUES; ++k)
            for (bool done = false; !done;) {
                auto scope = queue.prepare_write(1);
                for (int &slot : scope.get_block1()) {
                    slot = k;
                    done = true;
                }
            }
    });
    int next = 1;
    for (int tries = 0; tries < VALUES; ++tries) {
        auto scope = queue.prepare_read(1);
        for (int &value : scope.get_block1()) {
            assert(value == next);
            ++next;
        }
    }
    producer.join();
}
