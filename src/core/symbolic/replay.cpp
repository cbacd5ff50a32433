#include "replay.hpp"

#include <algorithm>
#include <utility>

namespace xgen::symbolic {

Replay::Replay(Automata& automata) : automata_(automata), code_(automata.code()) {}

// A value that is missing somewhere comes from one more round of each loop before that stores it, unless an atomic block
// might be at a later moment.
std::optional<Trace> Replay::find(const std::vector<Prover::Step>& path, bool deadlock, std::pair<int, int> racing) {
    const int length = static_cast<int>(path.size());
    rounds_.assign(path.size(), 0);
    earliest_.clear();
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        reset();
        stored_.assign(path.size(), {});
        if (play(path, 0, length)) {
            end(deadlock, racing);
            return trace_;
        }
        bool more = retry_;
        for (int k = 0; k <= place_ && trace_.events.size() <= MAX_EVENTS && !retry_; ++k) {
            if (path[k].loop < 0) continue;
            bool stores = false;
            for (int inside = path[k].loop + 1; inside <= k; ++inside)
                stores |= std::find(stored_[inside].begin(), stored_[inside].end(), missing_) != stored_[inside].end();
            rounds_[k] += stores;
            more |= stores;
        }
        if (!more) break;
    }
    return std::nullopt;
}

void Replay::reset() {
    const std::size_t threads = code_.threads.size(), cells = code_.cells.size();
    trace_ = {};
    stands_.clear();
    for (const ThreadCode& t : code_.threads) {
        ThreadState state;
        state.pc = t.entry;
        stands_.push_back({state, t.initial, {}});
    }
    at_.assign(threads, 0);
    pledges_.clear();
    block_moves_.clear();
    counts_.assign(threads, 0);
    last_.assign(threads, -1);
    started_.assign(threads, -1);
    loaded_.assign(threads, -1);
    writes_.assign(cells, {});
    buffers_.assign(threads, std::vector<std::vector<std::int32_t>>(cells));
    now_ = blocks_ = block_ = committed_ = 0;
    retry_ = false;
    block_of_.assign(threads, 0);
    in_block_.clear();
    for (std::size_t cell = 0; cell < cells; ++cell) {
        Event event;
        event.index = event.cell = static_cast<std::int32_t>(cell);
        event.value = code_.cells[cell];
        trace_.events.push_back({event, static_cast<std::int32_t>(cell)});
        writes_[cell].push_back({static_cast<std::int32_t>(cell), 0, -1});
    }
}

bool Replay::play(const std::vector<Prover::Step>& path, int from, int to) {
    auto moves = [&](int k) {
        place_ = k;
        return std::all_of(path[k].moves.begin(), path[k].moves.end(), [&](const Move& move) { return play(move); });
    };
    for (int k = from; k < to; ++k) {
        if (!moves(k)) return false;
        if (path[k].loop < 0 || path[k].loop < from - 1) continue;
        for (int round = 0; round < rounds_[k]; ++round)
            if (!play(path, path[k].loop + 1, k) || !moves(k)) return false;
    }
    return true;
}

bool Replay::play(const Move& move) {
    automata_.pulse();
    if (trace_.events.size() > MAX_EVENTS) return false;
    if (move.kind == Move::BEGIN) return begin(move);
    if (move.kind == Move::STEP) return step(move);
    return commit(move);
}

bool Replay::begin(const Move& move) {
    const Automata::Stand from = stands_[move.thread];
    at_[move.thread] = now_;
    if (code_.threads[move.thread].waits && started_[move.thread] < 0) return true;  // it stays where it is
    std::vector<Automata::Stand> stands;
    return automata_.run(move.thread, from, stands) && go(move.thread, move.node, stands, from);
}

// The thread goes on to where it stands after the move.
bool Replay::go(int thread, std::int32_t node, std::vector<Automata::Stand>& stands, const Automata::Stand& from) {
    if (stands.empty()) {
        stands.push_back(from);
        stands.back().state.status = Status::BLOCKED;
    }
    for (Automata::Stand& stand : stands) {
        if (automata_.node_of(thread, stand) != node) continue;
        stands_[thread] = std::move(stand);
        return true;
    }
    return false;
}

std::int32_t Replay::add(int thread, EventKind kind, std::int32_t event_class, std::int32_t cell, std::int64_t v) {
    const auto slot = static_cast<std::int32_t>(trace_.events.size());
    Event event;
    event.kind = kind;
    event.thread = thread;
    event.index = counts_[thread]++;
    event.pc = stands_[thread].state.pc;
    event.event_class = event_class;
    event.cell = cell;
    event.value = v == NOTHING ? code_.cells[cell] : v;
    event.block = block_;
    if (cell >= 0) event.object = code_.objects[cell];
    trace_.events.push_back({event, slot});
    in_block_.resize(trace_.events.size());
    in_block_[slot] = block_;
    if (last_[thread] < 0 && started_[thread] >= 0) trace_.forks.emplace_back(started_[thread], slot);
    last_[thread] = slot;
    return slot;
}

bool Replay::is_fresh(int thread, const std::vector<Write>& order, std::size_t place) const {
    return std::all_of(order.begin() + static_cast<std::ptrdiff_t>(place) + 1, order.end(),
                       [&](const Write& w) { return w.thread == thread; });
}

// The write that a read with that value takes place after. False where there is none.
bool Replay::read(int thread, std::int32_t cell, const Move& move, bool at_once, std::int32_t& source) {
    const std::int64_t v = move.value;
    if (at_once || automata_.settings().memory == Memory::SC) at_[thread] = now_;
    const auto& own = buffers_[thread][cell];
    if (!own.empty()) {
        source = own.back();
        return !at_once && value(source) == v;
    }
    const auto& order = writes_[cell];
    std::int32_t first = at_[thread];
    std::size_t newest = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (order[k].thread != thread || order[k].moment <= at_[thread]) continue;
        first = order[k].moment;
        newest = k;
    }
    source = order[newest].slot;
    if (first > at_[thread] && value(source) == v && (!move.fresh || is_fresh(thread, order, newest))) return true;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::int32_t moment = std::max(first, order[k].moment);
        if (value(order[k].slot) != v || (k + 1 < order.size() && order[k + 1].moment <= moment)) continue;
        if (move.fresh && !is_fresh(thread, order, k)) continue;
        at_[thread] = moment;
        source = order[k].slot;
        return true;
    }
    missing_ = {-1, cell, v};
    return false;
}

// All loads of an atomic block are at one moment. Where it is not now, it is looked for.
bool Replay::read_in_block(int thread, std::int32_t cell, const Move& move, bool first, std::int32_t& source) {
    if (move.block & Space::READ) at_[thread] = now_;
    const bool in_past = move.block & Space::PAST;
    earliest_.resize(std::max<std::size_t>(earliest_.size(), blocks_ + 1));
    std::int32_t& earliest = earliest_[block_];
    if (in_past && first) at_[thread] = std::max(at_[thread], earliest);
    const std::int32_t moment = at_[thread];
    const bool found = read(thread, cell, move, false, source);
    if (found && (first || at_[thread] == moment)) {
        if (first) earliest = at_[thread];
        return true;
    }
    retry_ = in_past && !first && ++earliest <= now_;
    return false;
}

// The stores of an atomic block reach the memory at one moment.
void Replay::commit(int thread, std::int32_t slot) {
    const Event& event = trace_.events[slot].event;
    if (in_block_[slot] == 0 || in_block_[slot] != committed_) ++now_;
    committed_ = in_block_[slot];
    writes_[event.cell].push_back({slot, now_, thread});
    stored_[place_].push_back({-1, event.cell, event.value});
}

bool Replay::commit(const Move& move) {
    if (move.kind == Move::COMMIT_BLOCK || move.kind == Move::COMMIT_LAST_BLOCK) return commit_block(move);
    auto& own = buffers_[move.thread][move.cell];
    while (!own.empty()) {
        const std::int32_t slot = own.front();
        own.erase(own.begin());
        commit(move.thread, slot);
        if (move.kind != Move::COMMIT || own.empty() || value(slot) != move.value || pledge_of(slot) != move.pledge) continue;
        if (in_block_[slot] == 0 || in_block_[slot] != in_block_[own.front()]) return true;
    }
    missing_ = {move.thread, move.cell, move.value};
    return move.kind == Move::COMMIT_LAST;
}

// The cells of which stores of the block are in buffers.
std::vector<std::int32_t> Replay::waiting_in(int thread, std::int32_t block) const {
    std::vector<std::int32_t> cells;
    for (std::size_t cell = 0; cell < buffers_[thread].size(); ++cell) {
        const auto& own = buffers_[thread][cell];
        if (std::any_of(own.begin(), own.end(), [&](std::int32_t slot) { return in_block_[slot] == block; }))
            cells.push_back(static_cast<std::int32_t>(cell));
    }
    return cells;
}

// The stores of a block that have waited in several buffers: of blocks with the same cells and nothing between, the last one
// or the first one of the others that stores these values. What is before it comes at once.
bool Replay::commit_block(const Move& move) {
    block_moves_.push_back(move);
    if (static_cast<int>(block_moves_.size()) < move.node) return true;
    const std::vector<Move> moves = std::exchange(block_moves_, {});
    auto& buffers = buffers_[move.thread];
    std::vector<std::int32_t> cells;
    for (const Move& m : moves) cells.push_back(m.cell);
    missing_ = {move.thread, move.cell, move.value};
    std::vector<std::size_t> at(cells.size(), 0);  // in each buffer
    std::int32_t found = 0, before = 0;
    while (true) {
        // The next block, which has to be next in each buffer once one was found.
        std::int32_t block = -1;
        bool stores_that = true;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            const auto& own = buffers[cells[k]];
            auto alone = [&](std::int32_t slot) {
                return in_block_[slot] == 0 || waiting_in(move.thread, in_block_[slot]).size() < 2;
            };
            while (before == 0 && at[k] < own.size() && alone(own[at[k]])) ++at[k];
            const std::int32_t here = at[k] < own.size() ? in_block_[own[at[k]]] : 0;
            if (here == 0 || (block >= 0 && here != block)) block = 0;
            if (block < 0) block = here;
            if (block == 0) break;
            std::size_t end = at[k];
            while (end < own.size() && in_block_[own[end]] == block) ++end;
            stores_that &= value(own[end - 1]) == moves[k].value && pledge_of(own[end - 1]) == moves[k].pledge;
            at[k] = end;
        }
        if (block <= 0 || waiting_in(move.thread, block) != cells) break;
        before = block;
        if (move.kind == Move::COMMIT_LAST_BLOCK || (found == 0 && stores_that)) found = block;
    }
    // One that is not the last has another one behind it.
    if (found == 0 || (move.kind == Move::COMMIT_BLOCK && found == before)) return false;
    std::vector<std::int32_t> slots;
    for (std::int32_t cell : cells) {
        auto& own = buffers[cell];
        auto end = own.begin();
        for (auto k = own.begin(); k != own.end(); ++k)
            if (in_block_[*k] == found) end = k + 1;
        slots.insert(slots.end(), own.begin(), end);
        own.erase(own.begin(), end);
    }
    std::sort(slots.begin(), slots.end());
    for (std::int32_t slot : slots) commit(move.thread, slot);
    return true;
}

// A store exclusive follows on the newest store in the buffer that was reserved; where there is none, on what is in memory.
void Replay::pledge(int thread, std::int32_t cell) {
    const auto& own = buffers_[thread][cell];
    auto from = own.begin();
    for (auto k = own.begin(); k != own.end(); ++k)
        if (pledge_of(*k) == Ideals::RESERVED) from = k;
    for (; from != own.end(); ++from) pledges_[*from] = Ideals::TAKEN;
}

bool Replay::drained(int thread) const {
    return std::all_of(buffers_[thread].begin(), buffers_[thread].end(), [](const auto& b) { return b.empty(); });
}

// The block that the thread's next event is in; says whether that is its first one.
bool Replay::enter(int thread) {
    const int block = code_.threads[thread].block;
    const std::int64_t where = block < 0 ? 0 : stands_[thread].locals[block];
    if (where == 1) block_of_[thread] = ++blocks_;
    block_ = where == 0 ? 0 : block_of_[thread];
    return where == 1;
}

bool Replay::step(const Move& move) {
    const int t = move.thread;
    const Automata::Stand from = stands_[t];
    const Instruction& i = code_.instructions[from.state.pc];
    const auto cell = static_cast<std::int32_t>(from.state.a);
    const bool first = enter(t);
    std::vector<Automata::Stand> stands;
    std::int64_t written = from.state.b;
    bool writes = false;
    auto read_there = [&](bool at_once, std::int32_t& source) {
        const bool searched = move.block != 0 && !at_once;
        return searched ? read_in_block(t, cell, move, first, source) : read(t, cell, move, at_once, source);
    };
    if (i.op == Op::LOAD || i.op == Op::LOADX) {
        std::int32_t source = -1;
        if (!read_there(false, source)) return false;
        const std::int32_t slot = add(t, EventKind::READ, i.c, cell, move.value);
        trace_.events[slot].event.rf = source;
        if (i.op == Op::LOADX) loaded_[t] = slot;
        if (i.op == Op::LOADX && !buffers_[t][cell].empty()) pledges_[source] = Ideals::RESERVED;
    } else if (i.op == Op::STORE || i.op == Op::STOREX || i.op == Op::UNLOCK) {
        const std::int32_t slot = add(t, EventKind::WRITE, i.c, cell, written);
        if (i.op == Op::STOREX) trace_.rmw.emplace_back(loaded_[t], slot);
        if (automata_.settings().memory == Memory::PSO && move.cell < 0) {
            if (i.op == Op::STOREX) pledge(t, cell);
            buffers_[t][cell].push_back(slot);
            stored_[place_].push_back({t, cell, written});
        } else {
            commit(t, slot);
            if (move.block & Space::READ) at_[t] = now_;
        }
    } else if (i.op == Op::RMW) {
        const RmwCode& rmw = code_.rmws[i.c];
        writes = Machine::writes(rmw.kind, move.value == NOTHING ? code_.cells[cell] : move.value, from.state.expected);
        const std::int32_t read_class = writes ? rmw.read_class : rmw.failed_class;
        const Strength strength = automata_.settings().strengths[read_class];
        std::int32_t source = -1;
        if (strength == Strength::FULL && !drained(t)) return false;
        if (!read_there(writes || strength != Strength::NONE, source)) return false;
        const std::int32_t slot = add(t, EventKind::READ, read_class, cell, move.value);
        trace_.events[slot].event.rf = source;
    } else {
        if (automata_.settings().strengths[i.c] != Strength::NONE && !drained(t)) return false;
        if (automata_.settings().strengths[i.c] == Strength::FULL) at_[t] = now_;
        const std::int32_t slot = add(t, EventKind::FENCE, i.c, -1, 0);
        if (i.op == Op::OBJECT) trace_.events[slot].event.object = code_.objects[cell];
        if (i.op == Op::START && started_[i.a] < 0) started_[i.a] = slot;
        if (i.op == Op::JOIN && last_[i.a] >= 0) trace_.forks.emplace_back(last_[i.a], slot);
    }
    writes = writes && (move.value != NOTHING || code_.reads_blindly(i));
    if (!automata_.step(t, from, move.value, writes, written, stands)) return false;
    if (writes && !(stands.size() == 1 && is_error(stands[0].state.status) && stands[0].state.pc == from.state.pc)) {
        const std::int32_t slot = add(t, EventKind::WRITE, code_.rmws[i.c].write_class, cell, written);
        trace_.rmw.emplace_back(slot - 1, slot);
        commit(t, slot);
        at_[t] = now_;
    }
    return go(t, move.node, stands, from);
}

// A thread that waits: it reads what is there, and goes no further.
void Replay::block(int thread) {
    Automata::Stand& at = stands_[thread];
    const Instruction& i = code_.instructions[at.state.pc];
    if (at.state.status != Status::EVENT) return;
    enter(thread);
    if (i.op == Op::LOAD || i.op == Op::LOADX || i.op == Op::RMW) {
        const auto cell = static_cast<std::int32_t>(at.state.a);
        const std::int32_t source = writes_[cell].back().slot;
        const std::int32_t event_class = i.op == Op::RMW ? code_.rmws[i.c].failed_class : i.c;
        const std::int32_t slot = add(thread, EventKind::READ, event_class, cell, value(source));
        trace_.events[slot].event.rf = source;
        std::vector<Automata::Stand> stands;
        std::int64_t written = 0;
        if (automata_.step(thread, Automata::Stand(at), value(source), false, written, stands) && !stands.empty()) at = stands[0];
    }
    at.state.status = Status::BLOCKED;
}

// The next event of a thread, now that all stores are in memory.
void Replay::perform(int thread) {
    enter(thread);
    const Automata::Stand& at = stands_[thread];
    const Instruction& i = code_.instructions[at.state.pc];
    const auto cell = static_cast<std::int32_t>(at.state.a);
    if (i.op == Op::OBJECT) {
        trace_.events[add(thread, EventKind::FENCE, i.c, -1, 0)].event.object = cell;
        return;
    }
    const bool updates = i.op == Op::RMW;
    bool writes = i.op != Op::LOAD && i.op != Op::LOADX;
    std::int64_t written = at.state.b;
    if (updates || !writes) {
        const std::int32_t source = writes_[cell].back().slot;
        std::int32_t event_class = i.c;
        if (updates) {
            const RmwCode& rmw = code_.rmws[i.c];
            writes = Machine::writes(rmw.kind, value(source), at.state.expected);
            event_class = writes ? rmw.read_class : rmw.failed_class;
            std::vector<Automata::Stand> stands;
            automata_.step(thread, Automata::Stand(at), value(source), writes, written, stands);
        }
        const std::int32_t slot = add(thread, EventKind::READ, event_class, cell, value(source));
        trace_.events[slot].event.rf = source;
        if (updates && writes) trace_.rmw.emplace_back(slot, slot + 1);
    }
    if (writes) commit(thread, add(thread, EventKind::WRITE, updates ? code_.rmws[i.c].write_class : i.c, cell, written));
}

void Replay::end(bool deadlock, std::pair<int, int> racing) {
    for (std::size_t t = 0; t < buffers_.size(); ++t)
        for (auto& own : buffers_[t]) {
            for (std::int32_t slot : own) commit(static_cast<int>(t), slot);
            own.clear();
        }
    for (int thread : {racing.first, racing.second})
        if (thread >= 0) perform(thread);
    if (deadlock)
        for (std::size_t t = 0; t < stands_.size(); ++t)
            if (!code_.threads[t].waits || started_[t] >= 0) block(static_cast<int>(t));
    trace_.deadlock = deadlock;
    for (const auto& order : writes_) {
        auto& slots = trace_.mo.emplace_back();
        for (const Write& w : order) slots.push_back(w.slot);
    }
    for (std::size_t t = 0; t < stands_.size(); ++t) {
        trace_.ends.push_back(stands_[t].state);
        if (code_.threads[t].waits && started_[t] < 0) trace_.ends.back().status = Status::UNSTARTED;
        trace_.locals.push_back(stands_[t].locals);
    }
}

}  // namespace xgen::symbolic
