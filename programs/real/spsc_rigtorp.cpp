// real: rigtorp/SPSCQueue 1053918dbd251fbff69b24ef27fa5d51c29ec2af: (headers)
// One thread pushes numbers into the ring, another one takes them out.
#include <cassert>
#include <thread>

#include "rigtorp/SPSCQueue.h"

int main() {
    rigtorp::SPSCQueue<int> queue(2);
    std::thread producer([&] {
        for (int k = 1; k <= VALUES; ++k)
            queue.push(k);
    });
    std::thread consumer([&] {
        for (int k = 1; k <= VALUES; ++k) {
            while (!queue.front()) {
            }
            assert(*queue.front() == k);
            queue.pop();
        }
    });
    producer.join();
    consumer.join();
}
