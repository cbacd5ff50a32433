#include "resolve.hpp"

#include <algorithm>
#include <limits>

#include "runner_results.hpp"

namespace xgen {

namespace {

// Whether an RMW may be a plain read, or a blocked one, because of what it reads.
bool may_fail(RmwKind kind) {
    return kind == RmwKind::CAS || kind == RmwKind::ADD_UNLESS || kind == RmwKind::LOCK;
}

}  // namespace

// ---- the search ----

template <int W>
Resolver<W>::Resolver(Search& search) : Runner<W>(search) {
    nodes_.push_back(std::make_unique<Stage<W>>());
    Stage<W>& root = *nodes_[0];
    if (this->add_initial_writes(root.graph, root.kept) >= 0 || !this->start_threads()) return;  // there is no execution
    root.excluded.resize(root.graph.size());
    root.unknown.assign(search.code.threads.size() * W, 0);
    depth_ = 1;
    arrived_ = true;
    ++search_->counters.explored;
    search_->counters.held = 1;
}

template <int W>
template <int V>
Resolver<W>::Resolver(const Resolver<V>& o) : Runner<W>(o), depth_(o.depth_), arrived_(o.arrived_) {
    for (int i = 0; i < depth_; ++i) {
        const Stage<V>& from = *o.nodes_[i];
        auto to = std::make_unique<Stage<W>>();
        to->graph = resized_graph<V, W>(from.graph);
        to->kept = resized_kept<V, W>(from.kept);
        to->pending = resized<W>(from.pending);
        to->excluded = resized_rows<V, W>(from.excluded);
        to->unknown = resized_sets<V, W>(from.unknown);
        to->decision = from.decision;
        nodes_.push_back(std::move(to));
    }
}

template <int W>
Resolver<W>::Resolver(const Resolver& whole, const Stage<W>& node) : Runner<W>(whole), depth_(1) {
    halt_ = Halt::BUDGET;
    nodes_.push_back(std::make_unique<Stage<W>>(node));
}

template <int W>
std::unique_ptr<AnyExplorer> Resolver<W>::widened() const {
    if constexpr (wider(W) > 0)
        return std::make_unique<Resolver<wider(W)>>(*this);
    else
        return nullptr;
}

template <int W>
Halt Resolver<W>::run(double seconds) {
    return this->run_steps(seconds, [&] {
        if (depth_ == 0)
            halt(Halt::DONE);
        else if (arrived_)
            return step();
        else if (!advance())
            --depth_;
        return true;
    });
}

// Goes on from a new graph: to a decision, or to the end. False where the graph has to be wider.
template <int W>
bool Resolver<W>::step() {
    if (!prepare()) return false;
    if (!arrived_) return true;
    arrived_ = false;
    const Stage<W>& node = top();
    if (node.decision.kind != Kind::NONE) return true;
    if (node.pending.any())
        ++search_->counters.dead_ends;
    else
        this->finish(node.graph);
    --depth_;
    return true;
}

// Lets the threads of the graph at the top run ahead and finds out what to decide. False where the graph has to be wider.
template <int W>
bool Resolver<W>::prepare() {
    Stage<W>& node = top();
    full_ = !run_ahead(node);
    if (full_) return false;
    if (halt_ == Halt::BUDGET) decide(node);
    return true;
}

// Goes to the next consistent graph from the top; false where there is none. The last option takes the top's place.
template <int W>
bool Resolver<W>::advance() {
    const int depth = depth_;
    while (top().decision.any()) {
        const std::int64_t option = top().decision.take();
        if (apply(option)) {
            arrived_ = true;
            return true;
        }
        depth_ = depth;
    }
    return false;
}

template <int W>
Stage<W>& Resolver<W>::copy_top() {
    if (depth_ == static_cast<int>(nodes_.size())) nodes_.push_back(std::make_unique<Stage<W>>());
    Stage<W>& copy = *nodes_[depth_];
    copy = *nodes_[depth_ - 1];
    copy.decision.drop();
    ++depth_;
    search_->counters.held = std::max<std::int64_t>(search_->counters.held, depth_);
    return copy;
}

// Takes an option of the decision at the top: a new node on it is at the top then, or the node itself has become it.
// False where that is inconsistent.
template <int W>
bool Resolver<W>::apply(std::int64_t option) {
    const Kind kind = top().decision.kind;
    const int slot = top().decision.slot, thread = top().decision.thread;
    const bool last = !top().decision.any();
    auto next = [&]() -> Stage<W>& { return last ? top() : copy_top(); };
    if (kind == Kind::CHOICE) {
        Stage<W>& node = next();
        const std::int64_t* locals;
        Event event;
        event.kind = EventKind::CHOICE;
        event.thread = thread;
        event.pc = state_of(node.graph, thread, locals).pc;
        event.value = option;
        const int e = add_known(node, event);
        this->run_after(node.graph, e, pc_after(node.graph, e), node.unknown_of(thread));
        ++search_->counters.explored;
        return true;
    }
    if (kind == Kind::OUTCOME) {
        extend(next(), thread, option == 1);
        ++search_->counters.explored;
        return true;
    }
    if (kind == Kind::SOURCE && option == Decision::LATER) {
        Stage<W>& node = next();
        node.excluded[slot] |= node.graph.cell_bits[node.graph.events[slot].cell];
        return true;
    }
    // The edges are tried in place, and taken back after the node was copied.
    Stage<W>& node = top();
    Graph<W>& graph = node.graph;
    const bool update = kind == Kind::SOURCE && graph.events[slot].rmw;
    const int write = update ? graph.at(graph.events[slot].thread, graph.events[slot].index + 1) : slot;
    const std::int64_t placeholder = graph.events[slot].value;
    const Bits prefix = graph.prefix[slot];
    const auto place = static_cast<std::int32_t>(option);
    if (kind == Kind::SOURCE) graph.set_rf(slot, place);
    if (kind == Kind::PLACE || update) graph.insert_mo(write, place);
    bool good = join(node, slot);
    if (good && update && !join(node, write)) {
        leave(node, slot);
        good = false;
    }
    if (good) {
        ++search_->counters.explored;
        Stage<W>& result = next();
        if (kind == Kind::SOURCE) good = learn(result, slot);
        if (last) return good;
        if (update) leave(node, write);
        leave(node, slot);
    }
    if (kind == Kind::PLACE || update) graph.remove_mo(write);
    if (kind == Kind::SOURCE) {
        graph.clear_rf(slot);
        graph.events[slot].value = placeholder;
        graph.prefix[slot] = prefix;
    }
    return good;
}

// A known event becomes a part of the graph, if that is consistent; else it does not.
template <int W>
bool Resolver<W>::join(Stage<W>& node, int slot) {
    Graph<W>& graph = node.graph;
    const auto& sets = class_sets(graph.events[slot].event_class);
    const Bits present = graph.visible;
    graph.show(slot, sets);
    if (check_step(graph, node.kept, slot, present) >= 0) {
        graph.hide(slot, sets);
        return false;
    }
    node.pending.reset(slot);
    return true;
}

template <int W>
void Resolver<W>::leave(Stage<W>& node, int slot) {
    in_situ_.withdraw(node.kept, slot);
    node.graph.hide(slot, class_sets(node.graph.events[slot].event_class));
    node.pending.set(slot);
}

// ---- threads run ahead ----

// Runs each thread to where it depends on what is not known, or decided. False where the graph is full.
template <int W>
bool Resolver<W>::run_ahead(Stage<W>& node) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int t = 0; t < node.graph.thread_count(); ++t)
            while (halt_ == Halt::BUDGET && may_run(node, t)) {
                if (node.graph.size() + 2 > 64 * W) return false;
                extend(node, t, false);
                changed = true;
            }
    }
    for (std::size_t n = 0; n < node.kept.size(); ++n)
        if (search_->plan.in_situ.nodes[n].kept) node.kept[n].grow(node.graph.size());
    return true;
}

// Whether a thread stands at an event that it does whatever it reads.
template <int W>
bool Resolver<W>::may_run(const Stage<W>& node, int thread) const {
    const std::int64_t* locals;
    const ThreadState& state = state_of(node.graph, thread, locals);
    if (state.status != Status::EVENT || !may_step(node.graph, thread, state)) return false;
    const Instruction& i = search_->code.instructions[state.pc];
    const std::int32_t bound = search_->settings.max_depth;
    if (bound >= 0 && state.events + (i.op == Op::RMW ? 2 : 1) > bound) return false;
    return i.op != Op::RMW || !may_fail(search_->code.rmws[i.c].kind);
}

// Adds a thread's next event to the known ones; of an RMW, both of them, or its read alone where it fails.
template <int W>
void Resolver<W>::extend(Stage<W>& node, int thread, bool fails) {
    const std::int64_t* locals;
    const ThreadState& state = state_of(node.graph, thread, locals);
    const Instruction& i = search_->code.instructions[state.pc];
    Event event;
    event.thread = thread;
    event.pc = state.pc;
    const bool reads = i.op == Op::LOAD || i.op == Op::LOADX || i.op == Op::RMW;
    const bool write = i.op == Op::STORE || i.op == Op::STOREX;
    event.kind = write ? EventKind::WRITE : reads ? EventKind::READ : EventKind::FENCE;
    event.exclusive = i.op == Op::LOADX;
    if (i.op == Op::STOREX) event.partner = static_cast<std::int32_t>(state.expected);
    event.event_class = i.c;
    if (event.kind != EventKind::FENCE) event.cell = static_cast<std::int32_t>(state.a);
    if (i.op == Op::RMW) {
        const RmwCode& rmw = search_->code.rmws[i.c];
        event.rmw = !fails;
        event.event_class = fails ? rmw.failed_class : rmw.read_class;
    }
    const int e = add_known(node, event);
    this->run_after(node.graph, e, event.pc + 1, node.unknown_of(thread));
    if (!event.rmw || is_error(node.graph.states[e].status)) return;
    event.kind = EventKind::WRITE;
    event.event_class = search_->code.rmws[i.c].write_class;
    const int written = add_known(node, event);
    this->run_after(node.graph, written, event.pc + 1, node.unknown_of(thread));
}

// Adds an event to the known ones, as the next of its thread. Its values come from where the thread stands.
template <int W>
int Resolver<W>::add_known(Stage<W>& node, Event event) {
    Graph<W>& graph = node.graph;
    event.index = graph.length(event.thread);
    const auto [addr, data, ctrl] = this->dependencies(graph, event);
    const int e = graph.add(event, {});
    graph.addr[e] = addr;
    graph.data[e] = data;
    graph.ctrl[e] = ctrl;
    if (graph.forks) this->fork(graph, e);
    node.excluded.emplace_back();
    if (event.kind == EventKind::CHOICE) return e;
    node.pending.set(e);
    take_operands(node, e);
    if (event.kind == EventKind::READ)
        node.unknown_of(event.thread)[event.index >> 6] |= 1ULL << (event.index & 63);
    return e;
}

// Gives an event the values that it writes, or compares with, from where its thread stands before it.
template <int W>
void Resolver<W>::take_operands(Stage<W>& node, int slot) {
    Event& event = node.graph.events[slot];
    const std::int64_t* locals;
    const ThreadState& before = state_before(node.graph, event.thread, event.index, locals);
    if (event.kind == EventKind::WRITE) event.value = before.b;
    event.expected = before.expected;
}

// Where a thread goes on after an event.
template <int W>
std::int32_t Resolver<W>::pc_after(const Graph<W>& graph, int slot) {
    const Event& event = graph.events[slot];
    if (event.kind != EventKind::CHOICE || search_->code.instructions[event.pc].op != Op::CHOOSE) return event.pc + 1;
    const std::int64_t* locals;
    const ThreadState& before = state_before(graph, event.thread, event.index, locals);
    return machine_.enabled(event.thread, before, locals)[event.value];
}

// A read has got a write to read from: where the value is known, its thread runs again from there, and so do those that
// read what it writes. False where the values refute what was assumed of an RMW.
template <int W>
bool Resolver<W>::learn(Stage<W>& node, int read) {
    Graph<W>& graph = node.graph;
    std::vector<std::int32_t> known;
    if (is_known(node, graph.events[read].rf)) known.push_back(read);
    while (!known.empty()) {
        const int r = known.back();
        known.pop_back();
        Event& event = graph.events[r];
        event.value = graph.events[event.rf].value;
        node.unknown_of(event.thread)[event.index >> 6] &= ~(1ULL << (event.index & 63));
        if (!rerun(node, r)) return false;
        const std::int32_t* line = graph.line(event.thread);
        for (int k = event.index + 1; k < graph.length(event.thread); ++k)
            if (graph.events[line[k]].kind == EventKind::WRITE && graph.readers[line[k]].any() && is_known(node, line[k]))
                graph.readers[line[k]].each([&](int reader) {
                    if (node.is_unknown(reader)) known.push_back(reader);
                });
    }
    return true;
}

// Runs a thread again from a read of which the value is known now, over its known events.
template <int W>
bool Resolver<W>::rerun(Stage<W>& node, int read) {
    Graph<W>& graph = node.graph;
    const int thread = graph.events[read].thread;
    for (int k = graph.events[read].index; k < graph.length(thread); ++k) {
        const int e = graph.line(thread)[k];
        const std::int64_t* locals;
        const ThreadState& before = state_before(graph, thread, k, locals);
        if (is_error(before.status)) {  // nothing follows it any more
            graph.states[e] = before;
            std::copy(locals, locals + graph.stride, graph.locals_of(e));
            node.pending.reset(e);
            continue;
        }
        if (graph.events[e].kind != EventKind::CHOICE) take_operands(node, e);
        if (is_refuted(node, e)) return false;
        this->run_after(graph, e, pc_after(graph, e), node.unknown_of(thread));
    }
    return true;
}

// Whether an RMW is known to read what it was assumed not to read.
template <int W>
bool Resolver<W>::is_refuted(const Stage<W>& node, int read) const {
    const Event& event = node.graph.events[read];
    const Instruction& i = search_->code.instructions[event.pc];
    if (event.kind != EventKind::READ || i.op != Op::RMW) return false;
    const RmwKind kind = search_->code.rmws[i.c].kind;
    if (!may_fail(kind) || node.is_unknown(read)) return false;
    return knows_operands(node, read) && Machine::writes(kind, event.value, event.expected) != event.rmw;
}

// Whether it is known what an RMW's read is compared with.
template <int W>
bool Resolver<W>::knows_operands(const Stage<W>& node, int read) const {
    const Event& event = node.graph.events[read];
    const int previous = node.graph.at(event.thread, event.index - 1);
    if (previous < 0) return true;
    const int locals = search_->code.threads[event.thread].locals;
    const std::uint64_t* data = node.graph.taint_of(previous) + static_cast<std::size_t>(Taint::data(locals)) * W;
    for (int k = 0; k < W; ++k)
        if (data[k] & node.unknown_of(event.thread)[k]) return false;
    return true;
}

// ---- what to decide ----

// Finds the next decision of a node whose threads have run ahead; it has none (NONE) where everything is decided, or
// where some read can no longer read from anything.
template <int W>
void Resolver<W>::decide(Stage<W>& node) {
    const Graph<W>& graph = node.graph;
    const std::int32_t bound = search_->settings.max_depth;
    Decision& decision = node.decision;
    decision.kind = Kind::NONE;
    decision.options.clear();
    for (int t = 0; t < graph.thread_count(); ++t) {
        const std::int64_t* locals;
        const ThreadState& state = state_of(graph, t, locals);
        const Instruction& i = search_->code.instructions[state.pc];
        if (!is_started(graph, t)) continue;
        if (state.status == Status::CHOICE && (bound < 0 || state.choices < CHOICES)) {
            decision.set(Kind::CHOICE, t, -1, 0);
            decision.next = i.op == Op::HAVOC ? state.a : 0;
            decision.end = i.op == Op::HAVOC
                               ? state.b
                               : static_cast<std::int64_t>(machine_.enabled(t, state, locals).size()) - 1;
            return;
        }
        if (state.status == Status::EVENT && i.op == Op::RMW && (bound < 0 || state.events + 2 <= bound)) {
            decision.set(Kind::OUTCOME, t, -1, 2);
            return;
        }
    }
    Bits rest = node.pending;
    for (int e; (e = rest.first()) >= 0; rest.reset(e)) {
        const Event& event = graph.events[e];
        if (event.kind == EventKind::FENCE) {
            decision.set(Kind::JOINING, event.thread, e, 1);
            return;
        }
        if (event.kind == EventKind::READ || event.rmw) continue;
        for (int place = graph.mo_last[event.cell]; place >= 0; place = graph.mo_previous[place])
            if (graph.is_place(place)) decision.options.push_back(place);
        decision.set(Kind::PLACE, event.thread, e, static_cast<std::int64_t>(decision.options.size()));
        return;
    }
    decide_read(node);
}

// Takes the first open read that can only read from what is there already, or else the first that can read from that.
template <int W>
void Resolver<W>::decide_read(Stage<W>& node) {
    const Graph<W>& graph = node.graph;
    Decision& decision = node.decision;
    std::vector<std::int32_t> sources;
    Bits rest = node.pending;
    int chosen = -1;
    for (int r; (r = rest.first()) >= 0; rest.reset(r)) {
        if (graph.events[r].kind != EventKind::READ) continue;
        find_sources(node, r, sources);
        const bool later = may_come(node, r);
        if (sources.empty() && !later) return;
        if (sources.empty() || (later && chosen >= 0)) continue;
        chosen = r;
        decision.options = sources;
        if (!later) break;
        decision.options.push_back(Decision::LATER);
    }
    if (chosen >= 0)
        decision.set(Kind::SOURCE, graph.events[chosen].thread, chosen, static_cast<std::int64_t>(decision.options.size()));
}

// The writes of the graph that an open read can read from, the mo-last one first.
template <int W>
void Resolver<W>::find_sources(const Stage<W>& node, int read, std::vector<std::int32_t>& sources) const {
    const Graph<W>& graph = node.graph;
    const Event& event = graph.events[read];
    const Instruction& i = search_->code.instructions[event.pc];
    const bool compares = i.op == Op::RMW && may_fail(search_->code.rmws[i.c].kind) && knows_operands(node, read);
    sources.clear();
    for (int w = graph.mo_last[event.cell]; w >= 0; w = graph.mo_previous[w]) {
        if (node.excluded[read].test(w) || (event.rmw && !graph.is_place(w))) continue;
        const Bits open = unknown_sources(node, w);
        if (open.any() ? depends(node, open, read)
                       : compares && Machine::writes(search_->code.rmws[i.c].kind, graph.events[w].value,
                                                     event.expected) != event.rmw)
            continue;
        sources.push_back(w);
    }
}

// Whether a write that is not in the graph yet may be one for an open read to read from.
template <int W>
bool Resolver<W>::may_come(const Stage<W>& node, int read) const {
    const Graph<W>& graph = node.graph;
    const int cell = graph.events[read].cell;
    Bits rest = node.pending;
    for (int w; (w = rest.first()) >= 0; rest.reset(w)) {
        const Event& event = graph.events[w];
        if (event.kind != EventKind::WRITE || event.cell != cell) continue;
        Bits sources = unknown_sources(node, w);
        if (!depends(node, sources, read)) return true;
    }
    for (int t = 0; t < graph.thread_count(); ++t) {
        const std::int64_t* locals;
        const ThreadState& state = state_of(graph, t, locals);
        const bool waits = !is_started(graph, t) || (state.status == Status::EVENT && !may_step(graph, t, state));
        if (!waits && state.status != Status::OPEN) continue;
        if (!written_from(state.pc)[cell]) continue;
        if (waits || !depends(node, waited_for(graph, t), read)) return true;
    }
    return false;
}

// The reads of unknown value that an OPEN thread waits for.
template <int W>
Row<W> Resolver<W>::waited_for(const Graph<W>& graph, int thread) const {
    Bits result;
    const int locals = search_->code.threads[thread].locals;
    const std::uint64_t* words =
        graph.taint_of(graph.last(thread)) + static_cast<std::size_t>(Taint::address(locals)) * W;
    for (int k = 0; k < W; ++k)
        for (std::uint64_t rest = words[k]; rest; rest &= rest - 1)
            result.set(graph.line(thread)[64 * k + std::countr_zero(rest)]);
    return result;
}

// The reads of unknown value from which a write's value is computed, and the read of an RMW.
template <int W>
Row<W> Resolver<W>::unknown_sources(const Stage<W>& node, int write) const {
    const Graph<W>& graph = node.graph;
    const Event& event = graph.events[write];
    Bits result;
    if (event.thread < 0) return result;
    graph.data[write].each([&](int d) {
        if (node.is_unknown(d)) result.set(d);
    });
    const int previous = event.rmw ? graph.at(event.thread, event.index - 1) : -1;
    if (previous >= 0 && node.is_unknown(previous)) result.set(previous);
    return result;
}

template <int W>
bool Resolver<W>::is_known(const Stage<W>& node, int write) const {
    return !unknown_sources(node, write).any();
}

// Whether reads of unknown value depend on an open read: are it, or read what is computed from it.
template <int W>
bool Resolver<W>::depends(const Stage<W>& node, Bits reads, int read) const {
    Bits seen = reads;
    for (int r; (r = reads.first()) >= 0;) {
        if (r == read) return true;
        reads.reset(r);
        if (node.graph.events[r].rf < 0) continue;
        const Bits more = unknown_sources(node, node.graph.events[r].rf) - seen;
        seen |= more;
        reads |= more;
    }
    return false;
}

// The cells that may be written from an instruction on.
template <int W>
const std::vector<bool>& Resolver<W>::written_from(std::int32_t pc) const {
    const Code& code = search_->code;
    written_.resize(code.instructions.size());
    std::vector<bool>& cells = written_[pc];
    if (!cells.empty()) return cells;
    cells.resize(code.cells.size());
    auto write = [&](std::int32_t address) {
        if (address >= 0)
            cells.assign(cells.size(), true);
        else
            cells[code.constants[~address]] = true;
    };
    std::vector<bool> seen(code.instructions.size());
    std::vector<std::int32_t> left{pc};
    while (!left.empty()) {
        const std::int32_t at = left.back();
        left.pop_back();
        if (seen[at]) continue;
        seen[at] = true;
        const Instruction& i = code.instructions[at];
        if (i.op == Op::STORE || i.op == Op::STOREX) write(i.a);
        if (i.op == Op::RMW) write(code.rmws[i.c].address);
        if (i.op == Op::CHOOSE) left.insert(left.end(), code.targets[i.c].begin(), code.targets[i.c].end());
        if (i.op == Op::JMP || i.op == Op::JZ || i.op == Op::GOTO) left.push_back(i.c);
        const bool ends = i.op == Op::FAIL || i.op == Op::END || i.op == Op::STUCK || i.op == Op::CUT;
        if (!ends && i.op != Op::CHOOSE && i.op != Op::JMP && i.op != Op::GOTO) left.push_back(at + 1);
    }
    return cells;
}

// ---- parts ----

template <int W>
std::unique_ptr<AnyExplorer> Resolver<W>::split() {
    for (int n = 0; n < depth_; ++n) {
        Decision& decision = nodes_[n]->decision;
        if (!decision.any()) continue;
        std::unique_ptr<AnyExplorer> part(new Resolver(*this, *nodes_[n]));
        decision.drop();
        return part;
    }
    return nullptr;
}

// Takes branches of the graph at the top, one after the other, up to `count`; returns how many there were. The last one
// taken stays.
template <int W>
int Resolver<W>::take_branches(int count) {
    if (depth_ == 0 || (arrived_ && (!prepare() || top().decision.kind == Kind::NONE))) return 0;
    const int base = depth_;
    int taken = 0;
    for (; taken < count && halt_ == Halt::BUDGET; ++taken) {
        depth_ = base;
        arrived_ = false;
        if (!advance()) break;
    }
    return taken;
}

template <int W>
bool Resolver<W>::enter(const std::vector<std::int32_t>& path) {
    if (path.empty()) return true;
    for (std::int32_t branch : path) {
        const int base = depth_;
        if (take_branches(branch + 1) != branch + 1) return false;
        nodes_[base - 1]->decision.drop();
    }
    // What was passed on the way is counted by who explores it.
    search_->counters = {};
    return true;
}

template <int W>
int Resolver<W>::branches() {
    return take_branches(std::numeric_limits<int>::max());
}

template class Resolver<1>;
template class Resolver<2>;
template class Resolver<4>;
template class Resolver<16>;
template class Resolver<64>;
template class Resolver<256>;

}  // namespace xgen
