// real: dougbinks/enkiTS 771a0876f7b1b26a9c9381f476b31b08798583cf: (headers)
// The writer of a pipe writes twice and takes one back at the front; a reader reads at the back.
#include <cassert>
#include <cstring>
#include <thread>

#include "LockLessMultiReadPipe.h"

int main() {
    enki::LockLessMultiReadPipe<1, int> pipe;
    int front = 0, back = 0;
    std::thread reader([&] {
        if (!pipe.ReaderTryReadBack(&back))
            back = 0;
    });
    pipe.WriterTryWriteFront(1);
    pipe.WriterTryWriteFront(2);
    if (!pipe.WriterTryReadFront(&front))
        front = 0;
    reader.join();
    assert(!front || front != back);
}
