// The states that were met, each once, and what follows them.
//
// With several workers, all but the first expand states ahead, while the first asks for those that it needs. They go on
// from what they have met themselves, the first step first, as the search will: what it asks for one after the other then
// stands together in memory. Numbers depend on who was faster; what is said of a state, and the order of its steps, do not.
#pragma once

#include <cstdlib>
#include <deque>
#include <memory>
#include <memory_resource>

#include "gate.hpp"
#include "packing.hpp"
#include "system.hpp"

namespace xgen::states {

// What follows a state: steps, each with the number of the state that it leads to; none where something goes wrong.
struct Expansion {
    const Step* steps = nullptr;
    std::int32_t count = 0;
    std::uint64_t holds = 0;  // propositions
    std::uint64_t marks = 0;  // that all steps have
    Fault fault = Fault::NONE;
    int culprit = -1;     // of the fault
    bool waited = false;    // a process had to wait for room in its buffer
    bool doubtful = false;  // a step may be none of the model
};

class Store {
public:
    // `again`: the first worker may ask for the same state again. The first state has the number 0.
    Store(const System& system, int workers, bool again);
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    // What follows a state. For the first worker, until it asks again.
    const Expansion& expand(std::int32_t number);
    // What formulas say is not asked any more, of the states that the first worker expands.
    void forget_propositions() { asks_ = false; }
    // That a state will be asked for soon.
    void prepare(std::int32_t number) {
        if (!shares()) return;
        __builtin_prefetch(&node(number));
        workers_.front().next.push_back(number);
    }
    std::vector<Word> state(std::int32_t number);
    // How many there are; with several workers, perhaps more than the first one has met.
    std::size_t count() const { return count_.load(std::memory_order_relaxed); }
    std::uint64_t marks(Step step) const { return workers_.front().successors.marks(step); }
    const Buffers& buffers() const { return workers_.front().successors.buffers(); }

    // While it lives, the other workers are at work, as long as there are fewer states than `most`.
    class Helpers {
    public:
        explicit Helpers(Store& store);
        Helpers(const Helpers&) = delete;
        Helpers& operator=(const Helpers&) = delete;
        ~Helpers();

    private:
        Store& store_;
        std::vector<std::thread> threads_;
    };
    void allow(std::size_t most) { most_.store(most, std::memory_order_relaxed); }

private:
    static constexpr std::size_t BATCH = 64;  // states that a worker adds before it looks whether there is room
    static constexpr std::size_t AT_ONCE = 8;  // states that a worker expands ahead before it gives numbers to what follows
    static constexpr std::size_t FEWER = 2;    // and that the first one does, which wants one of them now
    static constexpr std::int32_t BLOCK = 32;  // numbers that a worker gets at once, so that workers rarely meet
    static constexpr std::size_t AGAIN = 8 * BLOCK;  // states behind one that is being made, until it is left to the first worker
    static constexpr std::int32_t NONE = -1;
    static constexpr std::size_t FEW = 5;

    // Of a state that several workers may expand: what follows it, if it is there. One line of a processor's cache.
    struct alignas(64) Node {
        enum Phase : std::uint8_t { ABSENT, PRESENT, TAKEN, EXPANDED };
        std::atomic<Phase> phase{ABSENT};
        bool waited, doubtful, faulty;
        std::int32_t count;
        std::uint64_t holds, marks;
        union {
            Step few[FEW];
            const Step* many;  // if there are more
        };
    };

    struct Made {
        std::int32_t number;  // others see what follows the state; NONE: they do not
        Expansion expansion;
    };

    struct alignas(64) Worker {
        explicit Worker(const System& system) : successors(system) { made.reserve(AT_ONCE); }
        void clear() {
            made.clear();
            steps.clear();
            after.clear();
        }

        Successors successors;
        std::vector<Word> here;
        std::vector<Made> made;  // what it expands at once
        std::vector<Step> steps;  // of all of these, one after the other, and what they lead to
        std::vector<Word> after;
        std::vector<std::uint8_t> packed;
        std::vector<std::uint32_t> tags;
        std::vector<std::int32_t> next;  // states that it may expand; of the first worker, those that it will ask for
        std::int32_t spare = 0, end = 0;  // the numbers of its next states
        std::pmr::monotonic_buffer_resource kept;  // steps, where a node has many
    };
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    using Slot = std::atomic<std::uint64_t>;
    // Room for some nodes, all absent; touched where it is used.
    struct Piece {
        static constexpr std::size_t SIZE = 1 << 14;
        Piece() : memory(std::calloc(SIZE + 1, sizeof(Node))) {
            std::size_t bytes = (SIZE + 1) * sizeof(Node);
            void* aligned = memory.get();
            nodes = static_cast<Node*>(std::align(alignof(Node), SIZE * sizeof(Node), aligned, bytes));
            if (nodes == nullptr) throw std::bad_alloc();
        }
        std::unique_ptr<void, Free> memory;
        Node* nodes;
    };

    bool shares() const { return workers_.size() > 1; }
    Node& node(std::int32_t number) const { return nodes_[number / Piece::SIZE].nodes[number % Piece::SIZE]; }
    std::uint8_t* packed_at(std::int32_t number) const { return arena_.get() + static_cast<std::size_t>(number) * bytes_; }
    Node::Phase read(int worker, std::int32_t number, Node::Phase least);
    void compute(Worker& worker, std::int32_t number);
    void intern(int worker);
    std::int32_t intern(Worker& worker, const std::uint8_t* packed, std::uint32_t tag);
    void is_new(Worker& worker, std::int32_t number);
    void make_room();
    void resize(std::size_t slots);
    void move_slots(Slot* table, std::size_t mask, std::size_t part) const;
    Node::Phase take(std::int32_t number, Node::Phase least);
    bool is_there(std::int32_t number);
    static void publish(Worker& worker, const Expansion& expansion, Node& node);
    std::int32_t next(int worker);
    bool help(int worker);

    bool again_;
    bool asks_ = true;
    Packing packing_;
    std::size_t bytes_;
    int words_;
    std::deque<Worker> workers_;
    Gate gate_;
    // What all write is apart from what all read.
    alignas(64) std::atomic<std::size_t> count_{0};
    alignas(64) std::atomic<std::size_t> next_{0};  // the state that is expanded ahead next
    alignas(64) std::atomic<std::size_t> room_{0};  // as many states may there be where a worker adds some
    std::atomic<std::size_t> most_{0};
    std::atomic<bool> over_{false};
    // These are moved with the gate closed only.
    std::unique_ptr<std::uint8_t[], Free> arena_;          // packed states, one after the other
    std::unique_ptr<Slot[], Free> table_;  // a tag and a number plus 1; 0: nothing there
    std::vector<Piece> nodes_;  // per state, with several workers; they stay where they are, and so do the pieces
    std::size_t mask_ = 0;
};

}  // namespace xgen::states
