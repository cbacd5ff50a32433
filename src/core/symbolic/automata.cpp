#include "automata.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace xgen::symbolic {

namespace {

bool insert(std::vector<std::int64_t>& sorted, std::int64_t value) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), value);
    if (at != sorted.end() && *at == value) return false;
    sorted.insert(at, value);
    return true;
}

// What a thread does at an operation; nothing: it is none that the machines know as an event.
std::optional<Act> act_of(Op op) {
    switch (op) {
    case Op::LOAD:
    case Op::LOADX: return Act::READ;
    case Op::STORE:
    case Op::UNLOCK:
    case Op::STOREX: return Act::WRITE;
    case Op::RMW: return Act::UPDATE;
    case Op::FENCE:
    case Op::OBJECT: return Act::FENCE;  // or as the class says
    case Op::START: return Act::START;
    case Op::JOIN: return Act::JOIN;
    default: return std::nullopt;
    }
}

// What the local that counts the events of a block is behind something that others see, where deadlocks matter; else it is 2.
constexpr std::int64_t SEEN = 3;

}  // namespace

const Control::Edge* Control::edge(std::int64_t value) const {
    const auto at = std::lower_bound(edges.begin(), edges.end(), value,
                                     [](const Edge& e, std::int64_t v) { return e.value < v; });
    return at != edges.end() && at->value == value ? &*at : nullptr;
}

Automata::Automata(const Code& code, MachineSettings settings)
    : code_(code), settings_(std::move(settings)), machine_(code, 1) {
    const auto cells = static_cast<std::int32_t>(code.cells.size());
    for (std::int32_t cell = 0; cell < cells; ++cell) values.push_back({first(cell)});
    unlocked_.assign(code.cells.size(), false);
    std::set<std::int32_t> starts;
    for (const ThreadCode& t : code.threads) starts.insert(t.entry);
    for (const auto& targets : code.targets) starts.insert(targets.begin(), targets.end());
    for (const Instruction& i : code.instructions)
        if (i.op == Op::GOTO) starts.insert(i.c);
    for (std::int32_t pc = 0; pc < static_cast<std::int32_t>(code.instructions.size()); ++pc)
        piece_.push_back(starts.count(pc) || pc == 0 ? pc : piece_.back());
    for (const Instruction& i : code.instructions) {
        lifetimes_ |= i.op == Op::OBJECT && settings_.lifetimes[i.c] != Act::FENCE;
        if (i.op != Op::UNLOCK) continue;
        for (std::int32_t cell = 0; cell < cells; ++cell)
            if (i.a >= 0 || code.constants[~i.a] == cell) unlocked_[cell] = true;
    }
}

void Automata::lose(Lost why, std::int32_t pc) {
    constexpr Fault faults[] = {Fault::NONE, Fault::RUNAWAY, Fault::MIXED, Fault::WAITING};
    fault = faults[static_cast<int>(why)];
    fault_item = pc;
}

bool Automata::knows(std::int32_t cell, std::int64_t value) const {
    return std::binary_search(expected_[cell].begin(), expected_[cell].end(), value);
}

bool Automata::add(std::int32_t cell, std::int64_t value) {
    if (!insert(values[cell], value) || values[cell].size() <= MAX_VALUES) return true;
    fault = Fault::VALUES;
    fault_item = cell;
    return false;
}

// All that the threads can write, whatever they read, is expected from the start where that is not too much; else only so
// many values more than were met.
bool Automata::build() {
    for (std::size_t pc = 0; pc < code_.instructions.size(); ++pc) {
        const Op op = code_.instructions[pc].op;
        if (operation(op).kind != OpKind::EVENT || act_of(op)) continue;
        fault = Fault::OPERATION;
        fault_item = static_cast<std::int32_t>(pc);
        return false;
    }
    if (build(true)) return true;
    fault = Fault::NONE;
    return build(false);
}

bool Automata::build(bool all) {
    all_ = all;
    expected_ = values;
    raw_.clear();
    numbers_.clear();
    there_.clear();
    readers_.assign(code_.cells.size(), {});
    if (!make()) return false;
    minimise();
    find_blocks();
    find_seen();
    if (lifetimes_) find_ahead();
    find_veiled();
    find_eager();
    return true;
}

// Makes room for a value that may be written; where it is new, the edges of the cell's readers. False where there are too
// many to expect all of them.
bool Automata::expect(std::int32_t cell, std::int64_t value) {
    if (knows(cell, value)) return true;
    const std::size_t met = values[cell].size(), room = raw_.size() > SMALL ? met / 4 : met + 1;
    if (!all_ && expected_[cell].size() >= met + room) return true;
    insert(expected_[cell], value);
    if (all_ && expected_[cell].size() > KNOWN) return false;
    for (std::size_t k = 0; k < readers_[cell].size(); ++k)
        if (!raw_[readers_[cell][k]].node.edge(value) && !connect(readers_[cell][k], value)) return false;
    return true;
}

bool Automata::make() {
    const int count = static_cast<int>(code_.threads.size());
    raw_initial_.assign(count, {});
    raw_begin_.assign(count, {});
    for (int t = 0; t < count; ++t) {
        const ThreadCode& thread = code_.threads[t];
        ThreadState state;
        state.pc = thread.entry;
        std::vector<Stand> stands;
        if (!run(t, {state, thread.initial}, stands)) return false;
        auto& first = thread.waits ? raw_begin_[t] : raw_initial_[t];
        if (!targets(-1 - t, stands, true, first)) return false;
        if (!thread.waits) continue;
        Raw idle{t, {state, thread.initial}, {}};
        idle.node.act = Act::IDLE;
        idle.node.pc = thread.entry;
        // What outcomes list of a thread that is never started: its locals before its first event.
        machine_.run(t, state, idle.at.locals.data(), {});
        std::vector<std::int64_t> locals;
        for (std::int32_t local : settings_.observe ? settings_.shown[t] : std::vector<std::int32_t>{})
            locals.push_back(idle.at.locals[local]);
        idle.node.shown = shown.number(locals);
        raw_initial_[t].push_back(static_cast<std::int32_t>(raw_.size()));
        raw_.push_back(std::move(idle));
    }
    for (std::size_t n = 0; n < raw_.size(); ++n) {
        pulse();
        if (all_ && raw_.size() > SMALL) return false;
        if (raw_.size() > MAX_NODES) {
            name_local();
            return false;
        }
        const auto number = static_cast<std::int32_t>(n);
        const Act act = raw_[n].node.act;
        if (act == Act::READ || act == Act::UPDATE) {
            const std::int32_t cell = raw_[n].node.cell;
            readers_[cell].push_back(number);
            for (std::int64_t value : std::vector<std::int64_t>(expected_[cell]))
                if (!connect(number, value)) return false;
        } else if (act == Act::WRITE || act == Act::FENCE || act == Act::ALLOC || act == Act::FREE || act == Act::START ||
                   act == Act::JOIN) {
            if (!connect(number, 0)) return false;
        }
    }
    return true;
}

// Adds the edge of a raw state for a value that it reads.
bool Automata::connect(std::int32_t n, std::int64_t value) {
    pulse();
    const int thread = raw_[n].thread;
    const Act act = raw_[n].node.act;
    const std::int32_t cell = raw_[n].node.cell;
    const Stand from = raw_[n].at;
    const Instruction& i = code_.instructions[from.state.pc];
    Control::Edge edge;
    edge.value = value;
    edge.writes = act == Act::WRITE;
    edge.written = from.state.b;
    if (act == Act::UPDATE) {
        const RmwCode& rmw = code_.rmws[i.c];
        const std::int64_t there = value == NOTHING ? code_.cells[cell] : value;
        edge.writes = Machine::writes(rmw.kind, there, from.state.expected);
        edge.strength = settings_.strengths[edge.writes ? rmw.read_class : rmw.failed_class];
        edge.writes = edge.writes && (value != NOTHING || code_.reads_blindly(i));
    }
    std::vector<Stand> stands;
    if (!step(thread, from, value, edge.writes, edge.written, stands)) return false;
    const bool overflows = act == Act::UPDATE && edge.writes && stands.size() == 1 && is_error(stands[0].state.status) &&
                           stands[0].state.pc == from.state.pc;
    if (overflows) edge.writes = false;
    const bool visible = edge.writes || (act != Act::READ && act != Act::UPDATE);
    if (!targets(n, stands, visible, edge.next)) return false;
    if (edge.next.empty()) return true;
    auto& edges = raw_[n].node.edges;
    edges.insert(std::upper_bound(edges.begin(), edges.end(), value,
                                  [](std::int64_t v, const Control::Edge& e) { return v < e.value; }),
                 edge);
    return !edge.writes || expect(cell, edge.written);
}

// ---- running a thread ----

bool Automata::is_waiting(const ThreadState& state) const {
    if (state.status != Status::BLOCKED) return false;
    const Op op = code_.instructions[state.pc].op;
    return op == Op::ASSUME || op == Op::CHOOSE || op == Op::HAVOC || op == Op::RMW;
}

bool Automata::run(int thread, const Stand& start, std::vector<Stand>& stands) {
    struct Choosing {
        Stand at;
        std::size_t spot;
        bool arrived;  // by the end of an edge
    };
    std::vector<Choosing> open;
    std::vector<Spot> spots(1);
    std::map<std::pair<std::int32_t, std::vector<std::int64_t>>, std::size_t> arrivals;
    auto go = [&](ThreadState state, std::vector<std::int64_t> now, std::size_t spot) {
        state.index = state.events = state.choices = 0;
        state.writing = false;
        const std::int32_t from = state.pc;
        machine_.run(thread, state, now.data(), {});
        if (state.status == Status::EVENT && code_.instructions[state.pc].op == Op::UNLOCK &&
            !std::binary_search(start.held.begin(), start.held.end(), state.a))
            state.status = Status::ASSERTION;
        if (state.status == Status::EVENT && code_.instructions[state.pc].op == Op::OBJECT && code_.objects[state.a] != state.a)
            state.status = Status::ASSERTION;
        const bool arrived = piece_[state.pc] != piece_[from] || state.pc < from;
        if (arrived) {
            spots[spot].next.push_back(spots.size());
            spot = spots.size();
            spots.emplace_back();
        }
        if (state.status == Status::CHOICE) {
            open.push_back({{state, std::move(now), start.held}, spot, arrived});
        } else {
            spots[spot].stands.push_back(stands.size());
            stands.push_back({state, std::move(now), start.held});
        }
    };
    go(start.state, start.locals, 0);
    while (!open.empty()) {
        const auto [at, spot, arrived] = open.back();
        open.pop_back();
        if (arrived || !settings_.deadlocks) {
            const auto [place, added] = arrivals.try_emplace({at.state.pc, at.locals}, spot);
            if (!added) spots[spot].next.push_back(place->second);
            if (!added) continue;
        }
        const Instruction& i = code_.instructions[at.state.pc];
        if (i.op == Op::CHOOSE) {
            for (std::int32_t target : std::vector<std::int32_t>(machine_.enabled(thread, at.state, at.locals.data()))) {
                ThreadState state = at.state;
                state.pc = target;
                go(state, at.locals, spot);
            }
            continue;
        }
        const std::uint64_t width = static_cast<std::uint64_t>(at.state.b) - static_cast<std::uint64_t>(at.state.a);
        if (width >= MAX_VALUES) {
            fault = Fault::LOCALS;
            fault_thread = thread;
            fault_item = i.dst;
            return false;
        }
        for (std::uint64_t k = 0; k <= width; ++k) {
            pulse();
            Stand next = at;
            next.locals[i.dst] = at.state.a + static_cast<std::int64_t>(k);
            ++next.state.pc;
            spots[spot].next.push_back(spots.size());
            spots.emplace_back();
            go(next.state, std::move(next.locals), spots.size() - 1);
        }
    }
    if (settings_.deadlocks) group(thread, spots, stands);
    return true;
}

// Whether it may be that the thread cannot do what comes next, and does something else instead. Whom a lock or a join is to
// wait for, it waits for.
bool Automata::may_wait(const Stand& at) const {
    if (at.state.status != Status::EVENT) return false;
    const Instruction& i = code_.instructions[at.state.pc];
    if (i.op == Op::RMW) return code_.rmws[i.c].kind != RmwKind::LOCK;
    return i.op == Op::LOAD || i.op == Op::LOADX || i.op == Op::STOREX;
}

// Finds the siblings of all that may wait. Where a thread may go without any event, it may do what it can there, but not
// the other way round.
void Automata::group(int thread, const std::vector<Spot>& spots, std::vector<Stand>& stands) {
    if (stands.size() < 2) return;
    std::vector<std::int32_t> places;
    for (const Stand& at : stands) {
        const bool goes = !may_wait(at) && !is_waiting(at.state);
        places.push_back(goes ? Control::OTHERWISE : may_wait(at) ? places_.number(place_of(thread, at)) : 0);
    }
    for (std::size_t from = 0; from < spots.size(); ++from) {
        if (spots[from].stands.empty()) continue;
        std::set<std::int32_t> all;
        std::set<std::size_t> reached{from};
        std::vector<std::size_t> open{from};
        while (!open.empty()) {
            const Spot& spot = spots[open.back()];
            open.pop_back();
            for (std::size_t n : spot.stands)
                if (places[n] != 0) all.insert(places[n]);
            for (std::size_t next : spot.next)
                if (reached.insert(next).second) open.push_back(next);
        }
        if (all.count(Control::OTHERWISE)) all = {Control::OTHERWISE};
        for (std::size_t n : spots[from].stands) {
            if (!may_wait(stands[n])) continue;
            std::vector<std::int32_t> others(all.begin(), all.end());
            std::erase(others, places[n]);
            stands[n].group = groups_.number(others);
        }
    }
}

// What the thread's event in a cell says of the mutex there: it holds one where its last write is that of an update.
void Automata::hold(const Instruction& i, std::int32_t cell, bool writes, Stand& next) const {
    const bool stores = i.op == Op::STORE || i.op == Op::STOREX || i.op == Op::UNLOCK || (i.op == Op::RMW && writes);
    if (!unlocked_[cell] || !stores) return;
    const auto at = std::lower_bound(next.held.begin(), next.held.end(), cell);
    const bool there = at != next.held.end() && *at == cell, holds = i.op == Op::RMW;
    if (there && !holds) next.held.erase(at);
    if (!there && holds) next.held.insert(at, cell);
}

bool Automata::step(int thread, const Stand& from, std::int64_t value, bool writes, std::int64_t& written,
                    std::vector<Stand>& stands) {
    const Instruction& i = code_.instructions[from.state.pc];
    const int reservation = code_.threads[thread].reservation;
    const int block = code_.threads[thread].block;
    Stand next = from;
    const bool reads = i.op == Op::LOAD || i.op == Op::LOADX || i.op == Op::RMW;
    if (operation(i.op).place != 0 || i.op == Op::RMW) hold(i, static_cast<std::int32_t>(from.state.a), writes, next);
    if (block >= 0 && next.locals[block] != 0) {  // one that starts on the way gets a 1
        const bool seen = next.locals[block] == SEEN || !reads || writes;
        next.locals[block] = settings_.deadlocks && seen ? SEEN : 2;
    }
    if (reads && value == NOTHING && !code_.reads_blindly(i)) {
        next.state.status = Status::UNDEFINED;
        stands.push_back(std::move(next));
        return true;
    }
    if (reads && i.dst >= 0) next.locals[i.dst] = value;
    if (i.op == Op::STOREX) next.locals[i.dst] = 0;
    if (i.op == Op::LOADX || i.op == Op::STOREX) {
        next.locals[reservation] = i.op == Op::LOADX ? from.state.a + 1 : 0;
        next.locals[reservation + 1] = 0;
    }
    if (i.op == Op::RMW) {
        next.state.index = 0;
        if (!writes && code_.rmws[i.c].kind == RmwKind::LOCK) {
            next.state.status = value < 0 ? Status::ASSERTION : Status::BLOCKED;  // below 0: it is destroyed
            stands.push_back(std::move(next));
            return true;
        }
        if (writes) {
            machine_.run_rmw(thread, next.state, value, true, true, next.locals.data(), {}, nullptr, 0);
            written = next.state.b;
            if (is_error(next.state.status)) {
                stands.push_back(std::move(next));
                return true;
            }
        }
    }
    ++next.state.pc;
    return run(thread, next, stands);
}

// The nodes of where a thread may stand after a step; where it waits there, the step is not one, unless others see it.
bool Automata::targets(std::int32_t from, const std::vector<Stand>& stands, bool visible, std::vector<std::int32_t>& next) {
    const int thread = from < 0 ? -1 - from : raw_[from].thread;
    // A block of which others have seen nothing is not taken where it would end there, as `Space::is_deadlock` has it.
    const bool seen_in_block = !settings_.deadlocks || visible || (from >= 0 && raw_[from].node.seen_in_block);
    const bool inside = from >= 0 && raw_[from].node.block == 2 && seen_in_block;
    bool waits = stands.empty();
    for (const Stand& at : stands) {
        if (is_waiting(at.state) && !inside) {
            waits = true;
            continue;
        }
        const std::int32_t n = intern(thread, at);
        if (std::find(next.begin(), next.end(), n) == next.end()) next.push_back(n);
    }
    if (!next.empty() || !waits || !(visible || stands.empty())) return true;
    Stand blocked;
    if (!stands.empty()) {
        blocked = stands[0];
    } else if (from >= 0) {
        blocked = raw_[from].at;
    } else {
        blocked.state.pc = code_.threads[thread].entry;
        blocked.locals = code_.threads[thread].initial;
    }
    blocked.state.status = Status::BLOCKED;
    const std::int32_t n = intern(thread, blocked);
    raw_[n].node.act = stands.empty() ? Act::ENDLESS : Act::STUCK;
    next.push_back(n);
    return true;
}

// What tells apart where a thread may stand: the locals as far as they matter.
std::vector<std::int64_t> Automata::key(int thread, const Stand& at) const {
    std::vector<std::int64_t> k = place_of(thread, at);
    if (may_wait(at)) k.push_back(at.group);
    return k;
}

// The same, whatever its siblings are.
std::vector<std::int64_t> Automata::place_of(int thread, const Stand& at) const {
    const ThreadState& state = at.state;
    const std::vector<std::int64_t>& locals = at.locals;
    std::vector<std::int64_t> k{thread, state.pc, static_cast<std::int64_t>(state.status)};
    const ThreadCode& t = code_.threads[thread];
    auto value = [&](std::int32_t local) {
        if (t.reservation >= 0 && local == t.reservation + 1) return std::int64_t{0};
        return locals[local];
    };
    if (state.status == Status::ENDED) {
        for (std::int32_t local : settings_.observe ? settings_.shown[thread] : std::vector<std::int32_t>{}) k.push_back(value(local));
        return k;
    }
    if (state.status != Status::EVENT) return k;
    const Act act = *act_of(code_.instructions[state.pc].op);
    if (code_.instructions[state.pc].op == Op::OBJECT) k.push_back(state.a);
    if (is_access(act)) {
        k.push_back(state.a);
        if (act != Act::READ) k.push_back(state.b);
        if (act == Act::UPDATE) k.push_back(state.expected);
    }
    for (std::int32_t local : code_.live[state.pc])
        if (local >= 0) k.push_back(value(local));
    if (t.block >= 0) k.push_back(locals[t.block]);
    k.insert(k.end(), at.held.begin(), at.held.end());
    return k;
}

std::int32_t Automata::intern(int thread, const Stand& at) {
    const auto [found, added] = numbers_.try_emplace(key(thread, at), static_cast<std::int32_t>(raw_.size()));
    if (!added) return found->second;
    raw_.push_back({thread, at, {}});
    describe(raw_.back());
    if (settings_.deadlocks && may_wait(at)) there_.try_emplace(places_.number(place_of(thread, at)), found->second);
    return found->second;
}

std::int32_t Automata::node_of(int thread, const Stand& at) const {
    const auto found = numbers_.find(key(thread, at));
    return found == numbers_.end() ? -1 : class_of_[found->second];
}

void Automata::describe(Raw& raw) {
    const ThreadState& state = raw.at.state;
    Control& node = raw.node;
    node.pc = state.pc;
    switch (state.status) {
    case Status::EVENT: return describe_event(raw);
    case Status::ENDED: {
        node.act = Act::ENDED;
        std::vector<std::int64_t> locals;
        if (settings_.observe)
            for (std::int32_t local : settings_.shown[raw.thread]) locals.push_back(raw.at.locals[local]);
        node.shown = shown.number(locals);
        return;
    }
    case Status::CUT: node.act = Act::CUT; return;
    case Status::RUNAWAY:
    case Status::MIXED:
        node.act = Act::LOST;
        node.why = state.status == Status::MIXED ? Lost::MIXED : Lost::RUNAWAY;
        return;
    default: node.act = is_error(state.status) ? Act::ERROR : Act::STUCK; return;
    }
}

void Automata::describe_event(Raw& raw) {
    const ThreadState& state = raw.at.state;
    const ThreadCode& t = code_.threads[raw.thread];
    const Instruction& i = code_.instructions[state.pc];
    Control& node = raw.node;
    node.seen_in_block = t.block >= 0 && raw.at.locals[t.block] == SEEN;
    node.block = node.seen_in_block ? 2 : t.block >= 0 ? static_cast<std::int8_t>(raw.at.locals[t.block]) : 0;
    const auto& live = code_.live[state.pc];
    const bool reserves = t.reservation >= 0 && std::find(live.begin(), live.end(), t.reservation) != live.end();
    node.reserved = reserves ? static_cast<std::int32_t>(raw.at.locals[t.reservation]) - 1 : -1;
    node.exclusive = i.op == Op::LOADX || i.op == Op::STOREX;
    node.act = *act_of(i.op);
    node.locks = i.op == Op::RMW && code_.rmws[i.c].kind == RmwKind::LOCK;
    if (node.act == Act::JOIN && node.block == 2) {
        node.act = Act::LOST;
        node.why = Lost::WAITING;
        return;
    }
    if (is_access(node.act)) {
        node.cell = static_cast<std::int32_t>(state.a);
        if (lifetimes_) node.object = code_.objects[node.cell];
        node.plain = !settings_.plain.empty() && settings_.plain[i.op == Op::RMW ? code_.rmws[i.c].read_class : i.c];
    } else {
        node.strength = settings_.strengths[i.c];
        if (node.act != Act::FENCE) node.thread = i.a;
        if (i.op != Op::OBJECT) return;
        node.act = settings_.lifetimes[i.c];
        if (node.act != Act::FENCE) node.object = static_cast<std::int32_t>(state.a);
    }
}

// The local that has the most values, where there are too many states.
void Automata::name_local() {
    fault = Fault::LOCALS;
    std::size_t most = 0;
    std::map<std::pair<int, std::int32_t>, std::set<std::int64_t>> found;
    for (const Raw& raw : raw_) {
        pulse();
        for (std::size_t local = 0; local < raw.at.locals.size(); ++local)
            found[{raw.thread, static_cast<std::int32_t>(local)}].insert(raw.at.locals[local]);
    }
    for (const auto& [local, all] : found) {
        if (all.size() <= most) continue;
        most = all.size();
        fault_thread = local.first;
        fault_item = local.second;
    }
}

}  // namespace xgen::symbolic
