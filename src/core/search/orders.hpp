// The consistent modification orders of a whole graph of which reads-from is known, and how many there are. For
// resolve.hpp.
//
// Executions are put together by the last writes of those cells that are looked at: what final states list or, where a
// thread waits, what it reads again and again. Of each such part one order is found, and handed on as an execution with the
// number of all of them. To find orders, what is known is made to follow (saturate), and where that leaves two writes open,
// one order of them is tried, then the other. Where nothing that is open can break a constraint any more, what is left is
// the number of linear extensions of what is known, cell by cell; they are counted by a table over down-sets.
#pragma once

#include <map>
#include <vector>

#include "graph/order.hpp"
#include "model/bounds.hpp"
#include "recorder.hpp"

namespace xgen {

// Makes known what follows for modification order from the model, after bounds.begin(). False where the model forbids it.
template <int W>
bool saturate(Graph<W>& graph, Order<W>& order, Bounds<W>& bounds, bool upper) {
    for (;;) {
        if (!bounds.refine(graph, upper)) return false;
        if (bounds.forced().empty()) return true;
        for (const auto& [first, second] : bounds.forced())
            if (!order.know(graph, first, second)) return false;
    }
}

// A read of which it is known what it makes of its thread: the writes that it may read from; `open`: others may come.
// `found`: one of these from which that was possible together with all others, -1: none is known.
template <int W>
struct Choice {
    int read = -1;
    Row<W> writes;
    bool open = false;
    int found = -1;
};

// Whether reads-from and dependencies, or what else decides whether a read's thread gets to an event, have a cycle.
template <int W>
bool is_from_thin_air(const Task& task, const Graph<W>& graph) {
    std::vector<Row<W>> after(graph.size());
    for (int e = graph.cells; e < graph.size(); ++e) {
        const Event& event = graph.events[e];
        if (event.kind == EventKind::CHOICE) continue;
        (graph.addr[e] | graph.data[e] | graph.ctrl[e]).each([&](int before) { after[before].set(e); });
        if (event.kind == EventKind::READ && graph.visible.test(e) && event.rf >= 0) after[event.rf].set(e);
        const bool updates = event.kind == EventKind::WRITE && event.rmw;
        if (updates && !replaces(task.code.rmws[task.code.instructions[event.pc].c].kind))
            after[graph.at(event.thread, event.index - 1)].set(e);
        for (int k = event.index + 1; graph.addr[e].any() && k < graph.length(event.thread); ++k)
            graph.addr[e].each([&](int before) { after[before].set(graph.line(event.thread)[k]); });
    }
    return !is_acyclic<W>(Rows<W>(after.data(), 1), graph.size());
}

// A read becomes a part of the graph, and reads from a write; if it is that of an update, that one's write, which is there
// already, comes right after it. False where that cannot be.
template <int W>
bool read_from(const Task& task, Graph<W>& graph, Order<W>& order, int read, int write) {
    graph.events[read].rf = write;
    graph.readers[write].set(read);
    graph.show(read, task.plan.class_sets[graph.events[read].event_class]);
    const Event& event = graph.events[read];
    const int update = event.rmw ? graph.at(event.thread, event.index + 1) : -1;
    if (update >= 0 && !order.join_behind(graph, write, update)) return false;
    return !task.plan.buffering || !is_from_thin_air(task, graph);
}

// Takes that back, but for the order.
template <int W>
void read_from_nothing(const Task& task, Graph<W>& graph, int read) {
    Event& event = graph.events[read];
    graph.hide(read, task.plan.class_sets[event.event_class]);
    graph.readers[event.rf].reset(read);
    event.rf = -1;
}

template <int W>
class Orders {
public:
    using Bits = Row<W>;

    explicit Orders(const Task& task)
        : task_(task), bounds_(task.plan.final), lasting_(task.plan.in_situ), flags_(task.plan.flags) {}

    // Begins with a graph to which no thread adds any more; there are `orbit` like it.
    void open(const Graph<W>& graph, const Threads<W>& threads, const std::vector<Choice<W>>& choices, std::int64_t orbit);
    // Whether a graph has been begun and is not done.
    bool busy() const { return busy_; }
    // A step of the search. True where it is to end: there is a violation, and one is enough.
    bool step(const Threads<W>& threads, Recorder<W>& recorder, WorkerFindings& findings);
    // The work since it was asked for last.
    std::int64_t take_work() {
        return bounds_.take_work() + lasting_.take_work() + flags_.take_work() + std::exchange(work_, 0);
    }

private:
    // Steps after which the orders of a part are not counted to the end, and sets of writes that are counted with.
    static constexpr int STEPS = 10'000;
    static constexpr std::size_t SETS = 100'000;
    static constexpr std::int32_t LEFT_OUT = -1;
    // More executions than this are not counted.
    static constexpr std::int64_t MOST = std::int64_t{1} << 52;

    // Something to decide: which write of a cell is the last one; what a read reads from; else which of two comes first.
    struct Frame {
        int cell = -1, read = -1;
        std::vector<std::int32_t> options;  // of a cell, or a read: the writes; else the two
        std::size_t next = 0;
        int mark = 0;
    };

    void choose_cells(const Threads<W>& threads);
    bool is_possible();
    bool is_settled() const;
    bool is_whole() const;
    bool guesses(const Frame& frame) const;
    bool look_for_cuts(const Threads<W>& threads);
    bool is_cut(const Threads<W>& threads, int thread) const;
    void note_cuts(const Threads<W>& threads, WorkerFindings& findings) const;
    bool take_option(Frame& frame);
    bool descend();
    void take_back(const Frame& frame);
    void drop_frame();
    bool open_last();
    bool open_read(bool all);
    bool is_known_end() const;
    std::vector<std::int64_t> last_values(const Graph<W>& graph) const;
    bool open_pair(const Bits& first);
    void found(std::int64_t count);
    void order_writes();
    std::int64_t extensions(int cell);
    bool record(const Threads<W>& threads, Recorder<W>& recorder, WorkerFindings& findings);

    const Task& task_;
    Bounds<W> bounds_, lasting_, flags_;  // lasting_: of the constraints of which violations last
    Bounds<W>* model_ = nullptr;          // the constraints that are looked at: all, or these
    bool busy_ = false;
    bool arrived_ = false;      // something has been decided, and nothing is known to be wrong
    bool each_ = false;         // each order is handed on, because it matters
    Graph<W> graph_, whole_;
    Order<W> order_;
    std::vector<std::int32_t> cells_;   // of which the last write is decided first
    std::vector<Choice<W>> choices_;
    Bits left_out_;             // reads that may read from what comes behind the bound
    Bits single_;               // reads of which each write that they may read from matters
    std::set<std::vector<std::int64_t>> ends_;  // the last values of the cells in executions that were recorded
    std::vector<Frame> frames_;
    int base_ = -1;             // the frames of the part that is looked at; -1: the last writes are not decided yet
    // Of that part:
    std::int64_t count_ = 0;    // orders so far; -1: too many to count
    int steps_ = 0;
    bool found_ = false;        // any
    std::vector<std::vector<std::int32_t>> order_found_;  // by cell: one of them
    std::vector<std::pair<std::int32_t, std::int32_t>> sources_found_;  // by read: what it reads from
    std::int64_t orbit_ = 1;    // graphs that this one stands for
    bool any_ = false;          // of the graph: an execution was recorded
    bool settled_ = false;      // likewise: is_settled()
    bool guessing_ = false;     // what reads read from is taken to be what was possible before: see guesses()
    bool begun_ = false;        // the bounds have been begun for what reads read from now
    std::int64_t work_ = 0;
};

template <int W>
void Orders<W>::open(const Graph<W>& graph, const Threads<W>& threads, const std::vector<Choice<W>>& choices,
                     std::int64_t orbit) {
    busy_ = true;
    choices_ = choices;
    ends_.clear();
    orbit_ = orbit;
    any_ = guessing_ = begun_ = false;
    model_ = &bounds_;
    graph_ = graph;
    order_.forget();
    frames_.clear();
    left_out_ = {};
    base_ = -1;
    choose_cells(threads);
    settled_ = is_settled();
    // What is known of the graph without the reads that are left has been made to follow when the last event joined.
    arrived_ = settled_ || !choices_.empty() || is_possible();
}

// Whether the graph has one order, and is known to be allowed: all constraints have been checked when the last event joined.
template <int W>
bool Orders<W>::is_settled() const {
    const bool checked = task_.plan.final.whole_checks.size() == task_.plan.in_situ.whole_checks.size();
    return checked && choices_.empty() && graph_.size() > graph_.cells && !Bounds<W>::has_open_pair(graph_);
}

// Whether an order is possible as far as is seen; what follows is known then. While reads are left that read from nothing
// yet, what the model forbids need not last.
template <int W>
bool Orders<W>::is_possible() {
    const bool whole = is_whole();
    guessing_ = guessing_ && !whole;
    Bounds<W>& model = whole ? *model_ : lasting_;
    if (!begun_ && !model.begin(graph_)) return false;
    begun_ = true;
    return saturate(graph_, order_, model, &model == model_);
}

// Whether all reads read from something.
template <int W>
bool Orders<W>::is_whole() const {
    return std::ranges::all_of(choices_, [&](const Choice<W>& choice) { return graph_.visible.test(choice.read); });
}

// Whether what a read reads from need not be checked yet: it, and what others are to read from, is what was possible before.
// If it is not, this time, all of it is taken back, and looked for step by step.
template <int W>
bool Orders<W>::guesses(const Frame& frame) const {
    return guessing_ && frame.read >= 0 && !is_whole();
}

// What of modification order is seen besides by the model.
template <int W>
void Orders<W>::choose_cells(const Threads<W>& threads) {
    std::set<std::int32_t> cells;
    single_ = {};
    bool whole = true;
    for (int t = 0; t < graph_.thread_count(); ++t) {
        const ThreadState& state = threads.state_of(graph_, t);
        if (!threads.is_started(graph_, t)) continue;
        whole = whole && (state.status == Status::ENDED || has_failed(state.status));
        if (state.status != Status::BLOCKED || state.round < 0) continue;
        for (int k = state.round; k < graph_.length(t); ++k) {
            const Event& event = graph_.events[graph_.at(t, k)];
            if (event.kind != EventKind::READ) continue;
            cells.insert(event.cell);
            single_.set(graph_.at(t, k));
        }
    }
    each_ = flags_.depends() || (!whole && task_.settings.lasting);
    if (!task_.plan.flags.whole_checks.empty()) single_ = Bits::below(graph_.size());
    if (whole) cells.insert(task_.settings.shown_cells.begin(), task_.settings.shown_cells.end());
    cells_.assign(cells.begin(), cells.end());
}

//----------------------------------------------------------------------------------------------------------------------
// step: goes on with the search for orders.
//
// Output  whether the whole search is to end.
// Before  busy().
// After   One decision more has been taken, or taken back. Each part whose orders are known, or are too many to be counted,
//         has been recorded.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Orders<W>::step(const Threads<W>& threads, Recorder<W>& recorder, WorkerFindings& findings) {
    if (arrived_) {
        arrived_ = false;
        if (descend()) return false;
        if (model_ == &lasting_) {
            note_cuts(threads, findings);
            busy_ = false;
        } else if (each_ && found_) {
            return record(threads, recorder, findings);
        }
        return false;
    }
    const bool enough = task_.settings.partition != Partition::RF ? found_ : ++steps_ > STEPS && found_;
    if (base_ >= 0 && (static_cast<int>(frames_.size()) == base_ || (enough && !each_))) {
        if (static_cast<int>(frames_.size()) > base_) count_ = -1;
        while (static_cast<int>(frames_.size()) > base_) drop_frame();
        base_ = -1;
        guessing_ = false;
        if (found_) return record(threads, recorder, findings);
        return false;
    }
    if (frames_.empty()) {
        const bool lost = !any_ && model_ == &bounds_;
        findings.counters.lost += lost;
        busy_ = lost && look_for_cuts(threads);
        return false;
    }
    Frame& frame = frames_.back();
    if (frame.next == frame.options.size()) {
        drop_frame();
        return false;
    }
    take_back(frame);
    const bool guessed = guessing_;
    arrived_ = take_option(frame) && (guesses(frame) || is_possible());
    if (guessed && !arrived_) {
        guessing_ = false;
        while (static_cast<int>(frames_.size()) > base_) drop_frame();
        arrived_ = true;
    }
    return false;
}

template <int W>
void Orders<W>::take_back(const Frame& frame) {
    begun_ = begun_ && frame.read < 0;
    if (frame.read >= 0 && left_out_.test(frame.read))
        left_out_.reset(frame.read);
    else if (frame.read >= 0 && frame.next > 0)
        read_from_nothing(task_, graph_, frame.read);
    order_.take_back(graph_, frame.mark);
}

template <int W>
void Orders<W>::drop_frame() {
    take_back(frames_.back());
    frames_.pop_back();
}

// A graph that the model forbids may go on where the bound has stopped a thread. That matters if what forbids it need not
// last, or if a read may read from what comes then: an order is to be looked for that all other constraints allow, with such
// reads left out or not. Whether that is so.
template <int W>
bool Orders<W>::look_for_cuts(const Threads<W>& threads) {
    bool cut = false;
    for (int t = 0; t < graph_.thread_count(); ++t) cut = cut || is_cut(threads, t);
    const bool beyond = std::ranges::any_of(choices_, [](const Choice<W>& choice) { return choice.open; });
    const bool lasting = task_.plan.final.whole_checks.size() == task_.plan.in_situ.whole_checks.size();
    if (!cut || (lasting && !beyond)) return false;
    order_.take_back(graph_, 0);
    model_ = &lasting_;
    begun_ = false;
    cells_.clear();
    each_ = false;
    arrived_ = is_possible();
    return true;
}

// Whether a bound has stopped a thread.
template <int W>
bool Orders<W>::is_cut(const Threads<W>& threads, int thread) const {
    const ThreadState& state = threads.state_of(graph_, thread);
    if (!threads.is_started(graph_, thread)) return false;
    return stands(state.status) ? threads.may_step(graph_, thread, state) : state.status == Status::CUT;
}

template <int W>
void Orders<W>::note_cuts(const Threads<W>& threads, WorkerFindings& findings) const {
    for (int t = 0; t < graph_.thread_count(); ++t)
        if (is_cut(threads, t)) findings.cuts.insert(threads.state_of(graph_, t).pc);
}

template <int W>
bool Orders<W>::take_option(Frame& frame) {
    const int option = frame.options[frame.next++];
    if (option == LEFT_OUT) {
        left_out_.set(frame.read);
        return true;
    }
    if (frame.read >= 0) {
        graph_.events[frame.read].value = graph_.events[option].value;
        return read_from(task_, graph_, order_, frame.read, option);
    }
    if (frame.cell < 0) return order_.know(graph_, option, frame.options[frame.next % 2]);
    bool good = true;
    graph_.cell_bits[frame.cell].each([&](int other) {
        if (good && other != option && graph_.events[other].kind == EventKind::WRITE) good = order_.know(graph_, other, option);
    });
    return good;
}

// Opens a frame for what is decided next; false where nothing is left to decide, and an order has been found.
template <int W>
bool Orders<W>::descend() {
    if (base_ < 0) {
        if (open_last()) return true;
        if (is_known_end()) return false;
        if (open_read(false)) return true;
        base_ = static_cast<int>(frames_.size());
        count_ = steps_ = 0;
        found_ = false;
        guessing_ = model_ == &bounds_ && !is_whole();
    }
    if (open_read(true)) return true;
    if (settled_) {
        found(1);
        return false;
    }
    Bits entangled;
    if (!each_ && model_->all_hold(graph_, entangled)) {
        std::int64_t count = 1;
        const bool counting = task_.settings.partition == Partition::RF;
        for (int cell = 0; counting && cell < graph_.cells && count > 0; ++cell) {
            const std::int64_t more = extensions(cell);
            count = more < 0 || count > MOST / more ? -1 : count * more;
        }
        found(count);
        return false;
    }
    if (open_pair(entangled) || open_pair(graph_.visible)) return true;
    found(1);
    return false;
}

// Opens a frame for the last write of a cell of which it is to be decided, and is not known.
template <int W>
bool Orders<W>::open_last() {
    for (int cell : cells_) {
        std::vector<std::int32_t> last;
        graph_.cell_bits[cell].each([&](int e) {
            if (graph_.events[e].kind == EventKind::WRITE && !graph_.known_after[e].any()) last.push_back(e);
        });
        if (last.size() == 1) continue;
        frames_.push_back({cell, -1, std::move(last), 0, order_.mark()});
        return true;
    }
    return false;
}

// Opens a frame for a read that reads from nothing yet; where not of all, of those of which each write matters.
template <int W>
bool Orders<W>::open_read(bool all) {
    for (const Choice<W>& choice : choices_) {
        if ((graph_.visible | left_out_).test(choice.read) || (!all && !single_.test(choice.read))) continue;
        std::vector<std::int32_t> writes;
        if (choice.open && model_ == &lasting_) writes.push_back(LEFT_OUT);
        if (choice.found >= 0) writes.push_back(choice.found);
        choice.writes.each([&](int w) {
            if (w != choice.found) writes.push_back(w);
        });
        frames_.push_back({-1, choice.read, std::move(writes), 0, order_.mark()});
        return true;
    }
    return false;
}

// Where only what is seen matters: whether an execution with the same last values has been recorded.
template <int W>
bool Orders<W>::is_known_end() const {
    if (task_.settings.partition == Partition::RF || each_ || single_.any() || model_ != &bounds_) return false;
    return ends_.contains(last_values(graph_));
}

// The last values of the cells of which that is decided first.
template <int W>
std::vector<std::int64_t> Orders<W>::last_values(const Graph<W>& graph) const {
    std::vector<std::int64_t> values;
    for (int cell : cells_)
        graph.cell_bits[cell].each([&](int e) {
            if (graph.events[e].kind == EventKind::WRITE && !graph.known_after[e].any()) values.push_back(graph.events[e].value);
        });
    return values;
}

// Opens a frame for two of these events, writes of one cell of which the order is open.
template <int W>
bool Orders<W>::open_pair(const Bits& events) {
    Bits writes;
    events.each([&](int e) {
        if (graph_.events[e].kind == EventKind::WRITE) writes.set(e);
    });
    int first = -1, second = -1;
    writes.each([&](int e) {
        if (first >= 0) return;
        Bits open = (writes & graph_.cell_bits[graph_.events[e].cell]) - graph_.mo_before[e] - graph_.known_after[e];
        open.reset(e);
        if (!open.any()) return;
        first = e;
        second = open.first();
    });
    if (first < 0) return false;
    frames_.push_back({-1, -1, {first, second}, 0, order_.mark()});
    return true;
}

// Counts orders, -1 for too many; remembers one, with what the reads read from that were not part of the graph.
template <int W>
void Orders<W>::found(std::int64_t count) {
    if (!found_ || each_) {
        order_writes();
        sources_found_.clear();
        for (const Choice<W>& choice : choices_) sources_found_.emplace_back(choice.read, graph_.events[choice.read].rf);
    }
    found_ = true;
    count_ = count < 0 || count_ < 0 || count_ > MOST - count ? -1 : count_ + count;
}

// Orders the writes of each cell, so that the write of a read-modify-write comes right after what its read reads from.
template <int W>
void Orders<W>::order_writes() {
    order_found_.assign(graph_.cells, {});
    for (int cell = 0; cell < graph_.cells; ++cell) {
        Bits left;
        graph_.cell_bits[cell].each([&](int e) {
            if (graph_.events[e].kind == EventKind::WRITE) left.set(e);
        });
        while (left.any()) {
            int next = -1;
            left.each([&](int w) {
                if (next < 0 && !graph_.mo_before[w].meets(left)) next = w;
            });
            for (; next >= 0 && left.test(next); next = graph_.mo_next[next]) {
                order_found_[cell].push_back(next);
                left.reset(next);
            }
        }
    }
}

// The number of total orders of a cell's writes that have what is known, -1 where that is too much to count.
template <int W>
std::int64_t Orders<W>::extensions(int cell) {
    std::vector<std::int32_t> heads;  // of chains of read-modify-writes
    Bits all;
    bool open = false;
    Bits writes;
    graph_.cell_bits[cell].each([&](int e) {
        if (graph_.events[e].kind == EventKind::WRITE) writes.set(e);
    });
    writes.each([&](int e) {
        open |= ((writes - graph_.mo_before[e] - graph_.known_after[e]) - Bits::single(e)).any();
        if (graph_.mo_previous[e] >= 0) return;
        heads.push_back(e);
        all.set(e);
    });
    if (!open) return 1;
    auto less = [](const Bits& a, const Bits& b) {
        return std::lexicographical_compare(a.word, a.word + W, b.word, b.word + W);
    };
    std::map<Bits, std::int64_t, decltype(less)> sets(less);
    sets.emplace(Bits{}, 1);
    for (std::size_t k = 0; k < heads.size(); ++k) {
        std::map<Bits, std::int64_t, decltype(less)> larger(less);
        work_ += work::SET * static_cast<std::int64_t>(sets.size() * heads.size());
        for (const auto& [set, count] : sets)
            for (int w : heads) {
                if (set.test(w) || (graph_.mo_before[w] & all).meets(all - set)) continue;
                Bits more = set;
                more.set(w);
                std::int64_t& sum = larger[more];
                if (sum > MOST - count) return -1;
                sum += count;
            }
        if (larger.size() > SETS) return -1;
        sets = std::move(larger);
    }
    return sets.begin()->second;
}

// Hands on the order that was found as an execution, with how many others it stands for.
template <int W>
bool Orders<W>::record(const Threads<W>& threads, Recorder<W>& recorder, WorkerFindings& findings) {
    if (settled_)
        std::swap(whole_, graph_);  // nobody looks at it any more
    else
        whole_ = graph_;
    for (const auto& order : order_found_) {
        Bits before, after;
        for (int w : order) after.set(w);
        int previous = -1;
        for (int w : order) {
            after.reset(w);
            whole_.mo_before[w] = before;
            whole_.known_after[w] = after;
            whole_.mo_previous[w] = previous;
            whole_.mo_next[w] = -1;
            if (previous >= 0) whole_.mo_next[previous] = w;
            before.set(w);
            previous = w;
        }
        whole_.mo_last[whole_.events[order[0]].cell] = previous;
    }
    for (const auto& [read, write] : sources_found_) {
        whole_.events[read].rf = write;
        whole_.events[read].value = whole_.events[write].value;
        whole_.readers[write].set(read);
        whole_.show(read, task_.plan.class_sets[whole_.events[read].event_class]);
    }
    const Counters& counters = findings.counters;
    std::int64_t count = each_ ? 1 : count_;
    if (task_.settings.partition != Partition::RF) {
        count = -1;
        ends_.insert(last_values(whole_));
    }
    if (count < 0 || count > MOST / orbit_ || std::max({counters.executions, counters.blocked, counters.bounded}) > MOST) {
        findings.counted = false;
        count = 1;
    }
    if (each_) found_ = false;
    if (!any_) {
        findings.counters.classes += orbit_;
        ++findings.counters.orbits;
    }
    any_ = true;
    return recorder.finish(whole_, nullptr, threads, findings, count * orbit_);
}

}  // namespace xgen
