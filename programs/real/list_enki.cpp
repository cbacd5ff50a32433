// real: dougbinks/enkiTS 771a0876f7b1b26a9c9381f476b31b08798583cf: (headers)
// Two threads put a node each into a list, from which their owner takes.
#include <atomic>
#include <cassert>
#include <thread>

#include "LockLessMultiReadPipe.h"

struct Node {
    std::atomic<Node *> pNext;
    int value;
};

int main() {
    enki::LocklessMultiWriteIntrusiveList<Node> list;
    Node one{{nullptr}, 0}, two{{nullptr}, 0};
    std::thread first([&] {
        one.value = 1;
        list.WriterWriteFront(&one);
    });
    std::thread second([&] {
        two.value = 2;
        list.WriterWriteFront(&two);
    });
    if (Node *found = list.ReaderReadBack())
        assert(found->value == (found == &one ? 1 : 2));
    first.join();
    second.join();
}
