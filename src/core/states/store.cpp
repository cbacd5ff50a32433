#include "store.hpp"

#include <bit>
#include <chrono>
#include <new>

namespace xgen::states {

namespace {

std::int32_t number_in(std::uint64_t slot) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(slot) - 1); }

constexpr auto NAP = std::chrono::microseconds(50);

}  // namespace

Store::Store(const System& system, int workers, bool again)
    : again_(again), packing_(Successors(system).ranges()), bytes_(packing_.bytes()), words_(Successors(system).words()), gate_(workers) {
    for (int n = 0; n < workers; ++n) workers_.emplace_back(system).here.resize(static_cast<std::size_t>(words_));
    resize(std::bit_ceil(static_cast<std::size_t>(workers) * 16 * BATCH));  // four times what is needed
    Worker& first = workers_.front();
    first.after = system.initial;
    first.after.resize(static_cast<std::size_t>(words_), 0);
    first.steps.resize(1);
    intern(0, NONE);
}

std::vector<Word> Store::state(std::int32_t number) {
    std::vector<Word> words(static_cast<std::size_t>(words_));
    const Gate::Pass pass(gate_, 0);
    packing_.unpack(packed_at(number), words.data());
    return words;
}

const Expansion& Store::expand(std::int32_t number) {
    const Node::Phase seen = read(0, number, Node::ABSENT);
    if (seen != Node::EXPANDED) compute(0, shares() && again_ && seen < Node::TAKEN ? number : NONE);
    return workers_.front().expansion;
}

// Reads a state that a worker is to expand; its phase before. Of one that is expanded, the first worker is given what follows
// it; one that another worker is at it expands, too: that may take a while.
Store::Node::Phase Store::read(int worker, std::int32_t number, Node::Phase least) {
    const Gate::Pass pass(gate_, worker);
    const Node::Phase seen = shares() ? take(worker, number, least) : Node::PRESENT;
    if (worker == 0 ? seen != Node::EXPANDED : seen == Node::PRESENT) packing_.unpack(packed_at(number), workers_[worker].here.data());
    return seen;
}

// What follows the state that a worker has read, in its own place; others see it if a number is given.
void Store::compute(int number_of_worker, std::int32_t shown) {
    Worker& worker = workers_[number_of_worker];
    Successors& successors = worker.successors;
    successors.waited = successors.doubtful = false;
    bool right = successors.of(worker.here.data(), worker.steps, worker.after);
    std::uint64_t holds = 0;
    if (right) {
        holds = successors.propositions(worker.here.data());
        right = successors.fault == Fault::NONE;  // else a proposition has no value
        if (!right) successors.culprit = -1;
    }
    if (!right) worker.steps.clear();
    worker.expansion = {worker.steps.data(), static_cast<std::int32_t>(worker.steps.size()), holds, successors.rested, successors.fault,
                        successors.culprit, successors.waited, successors.doubtful};
    intern(number_of_worker, shown);
}

// Gives numbers to the states that a worker's steps lead to. What is looked at is far apart in memory: it is asked for
// before it is needed.
void Store::intern(int number_of_worker, std::int32_t shown) {
    Worker& worker = workers_[number_of_worker];
    const std::size_t count = worker.steps.size();
    worker.packed.resize(count * bytes_);
    worker.tags.resize(count);
    for (std::size_t n = 0; n < count; ++n) {
        packing_.pack(worker.after.data() + n * static_cast<std::size_t>(words_), worker.packed.data() + n * bytes_);
        worker.tags[n] = packing_.hash(worker.packed.data() + n * bytes_);
    }
    for (std::size_t first = 0, last = 0; first < count || shown != NONE; first = last) {
        last = std::min(first + BATCH, count);
        make_room();
        const Gate::Pass pass(gate_, number_of_worker);
        for (std::size_t n = first; n < last; ++n) __builtin_prefetch(&table_[worker.tags[n] & mask_]);
        for (std::size_t n = first; n < last; ++n) {
            const std::uint64_t slot = table_[worker.tags[n] & mask_].load(std::memory_order_relaxed);
            if (slot != 0) __builtin_prefetch(packed_at(number_in(slot)));
        }
        for (std::size_t n = first; n < last; ++n)
            worker.steps[n].to = intern(worker, worker.packed.data() + n * bytes_, worker.tags[n]);
        if (last < count || shown == NONE) continue;
        publish(worker, nodes_[shown]);
        shown = NONE;
    }
}

std::int32_t Store::intern(Worker& worker, const std::uint8_t* packed, std::uint32_t tag) {
    for (std::size_t at = tag & mask_;;) {
        std::uint64_t slot = table_[at].load(std::memory_order_acquire);
        if (slot == 0) {
            if (worker.spare == worker.end) {
                const std::int32_t block = shares() ? BLOCK : 1;
                worker.spare = static_cast<std::int32_t>(count_.fetch_add(static_cast<std::size_t>(block), std::memory_order_relaxed));
                worker.end = worker.spare + block;
            }
            std::memcpy(packed_at(worker.spare), packed, bytes_);
            const std::uint64_t own = static_cast<std::uint64_t>(tag) << 32 | static_cast<std::uint32_t>(worker.spare + 1);
            if (table_[at].compare_exchange_strong(slot, own, std::memory_order_acq_rel)) {
                Node::Phase absent = Node::ABSENT;
                if (shares()) nodes_[worker.spare].phase.compare_exchange_strong(absent, Node::PRESENT, std::memory_order_acq_rel);
                return worker.spare++;
            }
        }
        const auto number = number_in(slot);
        if (slot >> 32 == tag && std::memcmp(packed, packed_at(number), bytes_) == 0) return number;
        at = (at + 1) & mask_;
    }
}

// A worker adds a batch where half of the slots are free; together they then leave a quarter of them free.
void Store::make_room() {
    if (count() < room_.load(std::memory_order_relaxed)) return;
    const Gate::Closed closed(gate_);
    if (count() >= room_.load(std::memory_order_relaxed)) resize(2 * (mask_ + 1));
}

void Store::resize(std::size_t slots) {
    const std::size_t most = slots / 4 * 3, known = mask_ + 1;
    auto* bigger = static_cast<std::uint8_t*>(std::realloc(arena_.get(), most * bytes_));
    if (bigger == nullptr) throw std::bad_alloc();
    static_cast<void>(arena_.release());
    arena_.reset(bigger);
    if (shares()) {
        std::size_t bytes = (most + 1) * sizeof(Node);
        std::unique_ptr<void, Free> memory(std::calloc(most + 1, sizeof(Node)));  // all absent; touched where it is used
        if (memory == nullptr) throw std::bad_alloc();
        void* aligned = memory.get();
        auto* nodes = static_cast<Node*>(std::align(alignof(Node), most * sizeof(Node), aligned, bytes));
        for (std::size_t n = 0; n < count(); ++n) nodes[n] = nodes_[n];
        room_for_nodes_ = std::move(memory);
        nodes_ = nodes;
    }
    auto table = std::make_unique<std::atomic<std::uint64_t>[]>(slots);
    for (std::size_t n = 0; n < known && table_; ++n) {
        const std::uint64_t slot = table_[n].load(std::memory_order_relaxed);
        if (slot == 0) continue;
        std::size_t place = slot >> 32 & (slots - 1);
        while (table[place].load(std::memory_order_relaxed) != 0) place = (place + 1) & (slots - 1);
        table[place].store(slot, std::memory_order_relaxed);
    }
    table_ = std::move(table);
    mask_ = slots - 1;
    room_.store(slots / 2, std::memory_order_relaxed);
}

// ---- with several workers --------------------------------------------------------------------------------------------

// Takes a state to expand it, if its phase is `least` at least and nobody has; its phase before. The first worker is also
// given what is there.
Store::Node::Phase Store::take(int worker, std::int32_t number, Node::Phase least) {
    Node& node = nodes_[number];
    Node::Phase seen = node.phase.load(std::memory_order_acquire);
    while (seen >= least && seen < Node::TAKEN && !node.phase.compare_exchange_weak(seen, Node::TAKEN, std::memory_order_acquire)) {
    }
    if (worker != 0 || seen != Node::EXPANDED) return seen;
    if (node.faulty) return Node::TAKEN;  // what it is, is found out again
    Worker& first = workers_.front();
    const auto count = static_cast<std::size_t>(node.count);
    const Step* steps = count > FEW ? node.many : node.few;
    first.steps.assign(steps, steps + count);
    for (const Step& step : first.steps) __builtin_prefetch(&nodes_[step.to]);
    first.expansion = {first.steps.data(), node.count, node.holds, node.marks, Fault::NONE, -1, node.waited, node.doubtful};
    return seen;
}

void Store::publish(Worker& worker, Node& node) {
    const std::size_t count = worker.steps.size();
    Step* many = count > FEW ? std::pmr::polymorphic_allocator<Step>(&worker.kept).allocate(count) : nullptr;
    std::uninitialized_copy(worker.steps.begin(), worker.steps.end(), many ? many : node.few);
    if (many) node.many = many;
    node.waited = worker.expansion.waited;
    node.doubtful = worker.expansion.doubtful;
    node.faulty = worker.expansion.fault != Fault::NONE;
    node.count = worker.expansion.count;
    node.holds = worker.expansion.holds;
    node.marks = worker.expansion.marks;
    node.phase.store(Node::EXPANDED, std::memory_order_release);
}

// Expands a state ahead. False: there is none. One that is still being made may be looked at again, but not for ever: a worker
// may have no use for its last numbers.
bool Store::help(int worker) {
    std::size_t next = next_.load(std::memory_order_relaxed);
    const std::size_t known = count();
    if (next >= known || known >= most_.load(std::memory_order_relaxed)) return false;
    const auto number = static_cast<std::int32_t>(next);
    const Node::Phase seen = read(worker, number, Node::PRESENT);
    if (seen == Node::ABSENT && known - next < AGAIN) return false;
    next_.compare_exchange_strong(next, next + 1, std::memory_order_relaxed);
    if (seen != Node::PRESENT) return true;
    try {
        compute(worker, number);
    } catch (...) {
        const Gate::Pass pass(gate_, worker);
        nodes_[number].phase.store(Node::PRESENT, std::memory_order_relaxed);
        throw;
    }
    return true;
}

Store::Helpers::Helpers(Store& store) : store_(store) {
    store_.over_.store(false);
    for (std::size_t n = 1; n < store_.workers_.size(); ++n)
        threads_.emplace_back([this, worker = static_cast<int>(n)] {
            try {
                while (!store_.over_.load(std::memory_order_relaxed))
                    if (!store_.help(worker)) std::this_thread::sleep_for(NAP);
            } catch (const std::bad_alloc&) {  // the first worker will meet it too, or get by
            }
        });
}

Store::Helpers::~Helpers() {
    store_.over_.store(true);
    for (std::thread& thread : threads_) thread.join();
}

}  // namespace xgen::states
