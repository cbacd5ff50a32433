// The owner of a pipe writes two values where there is room for one, another thread reads: none is lost or torn.
#include <cassert>
#include <thread>

#include "LockLessMultiReadPipe.h"

int main() {
    enki::LockLessMultiReadPipe<1, int> pipe;
    int first = 1, second = 2;
    pipe.WriterTryWriteFront(first);
    pipe.WriterTryWriteFront(second);
    std::thread reader([&] {
        int got = 0;
        if (pipe.ReaderTryReadBack(&got))
            assert(got == 1 || got == 2 || got == 3);
    });
    int third = 3;
    pipe.WriterTryWriteFront(third);
    reader.join();
}
