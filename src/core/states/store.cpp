#include "store.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <future>
#include <new>

namespace xgen::states {

namespace {

std::int32_t number_in(std::uint64_t slot) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(slot) - 1); }

constexpr auto NAP = std::chrono::microseconds(50);

}  // namespace

Store::Store(const System& system, int workers, bool again)
    : again_(again), packing_(Successors(system).ranges()), bytes_(packing_.bytes()), words_(Successors(system).words()), gate_(workers) {
    if (workers > 1) nodes_.reserve((std::size_t{1} << 31) / Piece::SIZE);
    for (int n = 0; n < workers; ++n) workers_.emplace_back(system).here.resize(static_cast<std::size_t>(words_));
    resize(std::bit_ceil(static_cast<std::size_t>(workers) * 16 * BATCH));  // four times what is needed
    Worker& first = workers_.front();
    first.after = system.initial;
    first.after.resize(static_cast<std::size_t>(words_), 0);
    first.steps.resize(1);
    intern(0);
}

std::vector<Word> Store::state(std::int32_t number) {
    std::vector<Word> words(static_cast<std::size_t>(words_));
    const Gate::Pass pass(gate_, 0);
    packing_.unpack(packed_at(number), words.data());
    return words;
}

const Expansion& Store::expand(std::int32_t number) {
    Worker& first = workers_.front();
    if (shares() && is_there(number)) return first.made.front().expansion;
    const Node::Phase seen = read(0, number, Node::ABSENT);
    first.clear();
    compute(first, shares() && again_ && seen < Node::TAKEN ? number : NONE);
    while (first.made.size() < FEWER && !first.next.empty()) {
        const std::int32_t soon = first.next.back();
        first.next.pop_back();
        if (node(soon).phase.load(std::memory_order_relaxed) == Node::PRESENT && read(0, soon, Node::PRESENT) == Node::PRESENT)
            compute(first, soon);
    }
    intern(0);
    return first.made.front().expansion;
}

// Reads a state that a worker is to expand; its phase before. One that another worker is at the first one expands, too: that
// may take a while.
Store::Node::Phase Store::read(int worker, std::int32_t number, Node::Phase least) {
    const Gate::Pass pass(gate_, worker);
    const Node::Phase seen = shares() ? take(number, least) : Node::PRESENT;
    if (worker == 0 || seen == Node::PRESENT) packing_.unpack(packed_at(number), workers_[worker].here.data());
    return seen;
}

// What follows the state that a worker has read, in its own place.
void Store::compute(Worker& worker, std::int32_t number) {
    Successors& successors = worker.successors;
    const std::size_t before = worker.steps.size();
    Expansion& made = worker.made.emplace_back(Made{number, {}}).expansion;
    successors.waited = successors.doubtful = false;
    bool right = successors.of(worker.here.data(), worker.steps, worker.after);
    if (right && (asks_ || &worker != &workers_.front())) {
        made.holds = successors.propositions(worker.here.data());
        right = successors.fault == Fault::NONE;  // else a proposition has no value
        if (!right) successors.culprit = -1;
    }
    if (!right) {
        worker.steps.resize(before);
        worker.after.resize(before * static_cast<std::size_t>(words_));
    }
    made.count = static_cast<std::int32_t>(worker.steps.size() - before);
    made.marks = successors.rested;
    made.fault = successors.fault;
    made.culprit = successors.culprit;
    made.waited = successors.waited;
    made.doubtful = successors.doubtful;
}

// Gives numbers to the states that a worker's steps lead to, and shows what it has made. What is looked at is far apart in
// memory: it is asked for before it is needed.
void Store::intern(int number_of_worker) {
    Worker& worker = workers_[number_of_worker];
    const std::size_t count = worker.steps.size();
    worker.packed.resize(count * bytes_);
    worker.tags.resize(count);
    for (std::size_t n = 0; n < count; ++n) {
        packing_.pack(worker.after.data() + n * static_cast<std::size_t>(words_), worker.packed.data() + n * bytes_);
        worker.tags[n] = packing_.hash(worker.packed.data() + n * bytes_);
    }
    const Step* steps = worker.steps.data();
    for (Made& made : worker.made) {
        made.expansion.steps = steps;
        steps += made.expansion.count;
    }
    std::size_t first = 0;
    do {
        const std::size_t last = std::min(first + BATCH, count);
        make_room();
        const Gate::Pass pass(gate_, number_of_worker);
        for (std::size_t n = first; n < last; ++n) __builtin_prefetch(&table_[worker.tags[n] & mask_]);
        for (std::size_t n = first; n < last; ++n) {
            const std::uint64_t slot = table_[worker.tags[n] & mask_].load(std::memory_order_relaxed);
            if (slot != 0) __builtin_prefetch(packed_at(number_in(slot)));
        }
        for (std::size_t n = first; n < last; ++n)
            worker.steps[n].to = intern(worker, worker.packed.data() + n * bytes_, worker.tags[n]);
        first = last;
        if (last < count) continue;
        for (const Made& made : worker.made)
            if (made.number != NONE) publish(worker, made.expansion, node(made.number));
    } while (first < count);
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
                if (shares()) is_new(worker, worker.spare);
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
    const std::size_t most = slots / 4 * 3;
    auto* bigger = static_cast<std::uint8_t*>(std::realloc(arena_.get(), most * bytes_));
    if (bigger == nullptr) throw std::bad_alloc();
    static_cast<void>(arena_.release());
    arena_.reset(bigger);
    while (shares() && nodes_.size() * Piece::SIZE < most) nodes_.emplace_back();
    std::unique_ptr<Slot[], Free> table(static_cast<Slot*>(std::calloc(slots, sizeof(Slot))));
    if (!table) throw std::bad_alloc();
    if (table_) {
        std::vector<std::future<void>> others;
        for (std::size_t n = 1; n < workers_.size(); ++n)
            others.push_back(std::async(&Store::move_slots, this, table.get(), slots - 1, n));
        move_slots(table.get(), slots - 1, 0);
        for (std::future<void>& other : others) other.get();
    }
    table_ = std::move(table);
    mask_ = slots - 1;
    room_.store(slots / 2, std::memory_order_relaxed);
}

// Puts a part of the slots, one for each worker, where they belong in a bigger table.
void Store::move_slots(Slot* table, std::size_t mask, std::size_t part) const {
    const std::size_t size = mask_ + 1, parts = workers_.size();
    for (std::size_t n = size * part / parts; n < size * (part + 1) / parts; ++n) {
        const std::uint64_t slot = table_[n].load(std::memory_order_relaxed);
        if (slot == 0) continue;
        std::size_t place = slot >> 32 & mask;
        for (std::uint64_t none = 0; !table[place].compare_exchange_strong(none, slot, std::memory_order_relaxed); none = 0)
            place = (place + 1) & mask;
    }
}

// ---- with several workers --------------------------------------------------------------------------------------------

void Store::is_new(Worker& worker, std::int32_t number) {
    Node::Phase absent = Node::ABSENT;
    node(number).phase.compare_exchange_strong(absent, Node::PRESENT, std::memory_order_acq_rel);
    if (&worker != &workers_.front()) worker.next.push_back(number);
}

// Takes a state to expand it, if its phase is `least` at least and nobody has; its phase before.
Store::Node::Phase Store::take(std::int32_t number, Node::Phase least) {
    std::atomic<Node::Phase>& phase = node(number).phase;
    Node::Phase seen = phase.load(std::memory_order_acquire);
    while (seen >= least && seen < Node::TAKEN && !phase.compare_exchange_weak(seen, Node::TAKEN, std::memory_order_acquire)) {
    }
    return seen;
}

// Gives the first worker what follows a state, if another one has shown it; what goes wrong is found out again. Nobody
// writes to it any more, and it stays where it is: the gate may be closed.
bool Store::is_there(std::int32_t number) {
    const Node& at = node(number);
    if (at.phase.load(std::memory_order_acquire) != Node::EXPANDED || at.faulty) return false;
    const Step* steps = static_cast<std::size_t>(at.count) > FEW ? at.many : at.few;
    const Expansion found{steps, at.count, at.holds, at.marks, Fault::NONE, -1, at.waited, at.doubtful};
    workers_.front().made.assign(1, {NONE, found});
    return true;
}

void Store::publish(Worker& worker, const Expansion& expansion, Node& node) {
    const auto count = static_cast<std::size_t>(expansion.count);
    Step* many = count > FEW ? std::pmr::polymorphic_allocator<Step>(&worker.kept).allocate(count) : nullptr;
    std::uninitialized_copy_n(expansion.steps, count, many ? many : node.few);
    if (many) node.many = many;
    node.waited = expansion.waited;
    node.doubtful = expansion.doubtful;
    node.faulty = expansion.fault != Fault::NONE;
    node.count = expansion.count;
    node.holds = expansion.holds;
    node.marks = expansion.marks;
    node.phase.store(Node::EXPANDED, std::memory_order_release);
}

// The next state that a worker expands ahead, which it has read: one of its own, else the first one that nobody has taken;
// NONE: there is none. One that is still being made may be looked at again, but not for ever: a worker may have no use for
// its last numbers.
std::int32_t Store::next(int worker) {
    std::vector<std::int32_t>& own = workers_[worker].next;
    while (!over_.load(std::memory_order_relaxed)) {
        const std::size_t known = count();
        if (known >= most_.load(std::memory_order_relaxed)) break;
        if (!own.empty()) {
            const std::int32_t number = own.back();
            own.pop_back();
            if (read(worker, number, Node::PRESENT) == Node::PRESENT) return number;
            continue;
        }
        std::size_t next = next_.load(std::memory_order_relaxed);
        if (next >= known) break;
        const auto number = static_cast<std::int32_t>(next);
        const Node::Phase seen = read(worker, number, Node::PRESENT);
        if (seen == Node::ABSENT && known - next < AGAIN) break;
        next_.compare_exchange_strong(next, next + 1, std::memory_order_relaxed);
        if (seen == Node::PRESENT) return number;
    }
    return NONE;
}

// Expands some states ahead. False: there are none.
bool Store::help(int number_of_worker) {
    Worker& worker = workers_[number_of_worker];
    worker.clear();
    try {
        while (worker.made.size() < AT_ONCE) {
            const std::int32_t number = next(number_of_worker);
            if (number == NONE) break;
            compute(worker, number);
        }
        if (worker.made.empty()) return false;
        const auto known = static_cast<std::ptrdiff_t>(worker.next.size());
        intern(number_of_worker);
        std::reverse(worker.next.begin() + known, worker.next.end());
    } catch (...) {
        const Gate::Pass pass(gate_, number_of_worker);
        for (const Made& made : worker.made) {
            Node::Phase taken = Node::TAKEN;
            node(made.number).phase.compare_exchange_strong(taken, Node::PRESENT, std::memory_order_relaxed);
        }
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
