// A thread puts an element into a list, while main takes all that are there: none is lost.
#include <cassert>
#include <thread>

#include <folly/AtomicIntrusiveLinkedList.h>

struct Element {
    folly::AtomicIntrusiveLinkedListHook<Element> hook;
};

int main() {
    using List = folly::AtomicIntrusiveLinkedList<Element, &Element::hook>;
    List list;
    Element element;
    int seen = 0;
    auto count = [&](Element *) { ++seen; };
    std::thread other([&] { list.insertHead(&element); });
    List taken(std::move(list));
    taken.sweep(count);
    other.join();
    list.sweep(count);
    assert(seen == 1);
}
