// The exploration: all consistent executions of a program, each once.
//
// The algorithm is TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic Partial
// Order Reduction, POPL 2022). A graph is extended by the next event of the first thread that can step: a read reads
// from each write, a write goes to each place in modification order. A write then revisits reads: what was added after
// the read and is not in the write's (base order u rf)-prefix is dropped, and the read reads from the write. Of the many
// graphs from which one revisit leads to the same graph, only that one counts in which all that is dropped was added
// maximally (see `may_revisit`).
//
// The base order is program order where the model makes po u rf acyclic. Else it is dependencies: a revisit may keep
// events that program order puts after a dropped one, and then their thread has a hole, which is its next event. What is
// maximal then need not be consistent, so that no constraint may be checked before an execution is whole.
//
// The search is an explicit stack, so that it can stop and go on anywhere: a stack of contexts, one per revisit, each
// with a graph and a stack of frames, one per event that was added to the graph in this context.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "evaluate.hpp"
#include "graph.hpp"
#include "machine.hpp"
#include "search.hpp"

namespace xgen {

// One step of the search: an event to add, and which of its options come next. The first option of a forward step is
// the maximal one.
template <int W>
struct Frame {
    enum class Step : std::uint8_t { READ, WRITE, FENCE, CHOICE, REVISIT } step = Step::FENCE;
    Event event;
    Row<W> addr, data, ctrl;             // what the event depends on, where that is tracked
    bool added = false;                  // the current option is in the graph
    bool first = true;                   // no option was tried yet
    bool revisiting = false;             // (WRITE) all places were tried, revisits come now
    std::int32_t candidate = -1;         // READ: the next write to read from; WRITE, REVISIT: the next place in mo
    Row<W> reads;                        // (WRITE) reads that may yet be revisited
    std::int32_t read = -1;              // (REVISIT) the read
    Row<W> read_prefix;                  // (REVISIT) its prefix without the new write
    std::vector<std::int32_t> targets;   // (CHOICE at a CHOOSE) the enabled edges
    std::int64_t next = 0, end = 0;      // (CHOICE) the next option, and the last one
};

template <int W>
struct Context {
    Graph<W> graph;
    Kept<W> kept;
    std::vector<Frame<W>> frames;
    int depth = 0;  // frames in use
};

class AnyExplorer {
public:
    virtual ~AnyExplorer() = default;
    // Explores for about `seconds`, or until there is a reason to halt.
    virtual Halt run(double seconds) = 0;
    // Whether the next event needs wider graphs; then run() has returned BUDGET.
    virtual bool full() const = 0;
    // Hands over a subtree that this search has not begun, as near to the root as can be; null where there is none.
    virtual std::unique_ptr<AnyExplorer> split() = 0;
    // From now on the search counts there.
    virtual void attach(Search& search) = 0;
    // Before run(): goes to a graph and leaves the rest of the search out. `path` says which branch to take at the start,
    // which at the graph that it leads to, and so on. False where there is no such branch.
    virtual bool enter(const std::vector<std::int32_t>& path) = 0;
    // How many branches there are from here; after that the search is of no more use. 0: the graph is whole, or leads
    // nowhere.
    virtual int branches() = 0;
    virtual Halt reason() const = 0;  // to halt, BUDGET: there is none
    // The same search with wider graphs, or null where there are none.
    virtual std::unique_ptr<AnyExplorer> widened() const = 0;
};

// An explorer at the narrowest width that holds `events` events, or null where there is none.
std::unique_ptr<AnyExplorer> make_explorer(Search& search, int events);

template <int W>
class Explorer final : public AnyExplorer {
public:
    using Bits = Row<W>;

    explicit Explorer(Search& search);
    template <int V>
    explicit Explorer(const Explorer<V>& narrow);

    Halt run(double seconds) override;
    bool full() const override { return full_; }
    std::unique_ptr<AnyExplorer> widened() const override;
    std::unique_ptr<AnyExplorer> split() override;
    void attach(Search& search) override { search_ = &search; }
    bool enter(const std::vector<std::int32_t>& path) override;
    int branches() override;
    Halt reason() const override { return halt_; }

private:
    template <int V>
    friend class Explorer;
    // What is left of one frame of one of the other's contexts.
    Explorer(const Explorer& whole, const Context<W>& context, int frame);
    int take_branches(int count);
    static bool has_options(const Frame<W>& frame);
    static void drop_options(Frame<W>& frame);
    using Step = typename Frame<W>::Step;

    // --- the search ---
    void start();
    void advance_search();
    bool descend();                       // opens a frame for the next event; false where there is none
    bool advance();                       // next option of the top frame; false where it has none left
    bool next_read(Frame<W>& frame);
    bool next_place(Frame<W>& frame);
    int take_place(const Graph<W>& graph, Frame<W>& frame) const;
    bool next_choice(Frame<W>& frame);
    bool next_revisit(Frame<W>& frame);
    bool next_revisited_place(Frame<W>& frame);
    void take_back(Frame<W>& frame);
    Frame<W>& open_frame(Context<W>& context, Step step);
    bool is_started(const Graph<W>& graph, int thread) const;
    bool may_step(const Graph<W>& graph, int thread, const ThreadState& state) const;
    void open_event(int thread, const ThreadState& state);
    void open_choice(int thread, const ThreadState& state, const std::int64_t* locals);

    // --- revisits ---
    bool may_revisit(const Graph<W>& graph, int read, const Bits& prefix) const;
    bool is_maximal(const Graph<W>& graph, int d, const Bits& prefix) const;
    void revisit(const Context<W>& from, const Frame<W>& write, const Bits& prefix, int read);
    std::vector<std::int32_t> copy_part(const Context<W>& from, const Bits& keep, int open_read, Context<W>& to);

    // --- events ---
    int add(Context<W>& context, const Frame<W>& frame);
    void fork(Graph<W>& graph, int e) const;
    std::array<int, 2> po_previous(const Graph<W>& graph, const Event& event) const;
    void find_dependencies(const Graph<W>& graph, Frame<W>& frame) const;
    Bits base_prefix(const Graph<W>& graph, const Frame<W>& frame) const;
    Bits base_prefix(const Graph<W>& graph, int slot) const;
    void remove(Context<W>& context);
    int check_step(Context<W>& context, int e, const Bits& present);
    bool is_waiting(const Graph<W>& graph, int slot, const ThreadState& state) const;
    Taint taint_after(Graph<W>& graph, int slot, int target) const;
    void reserve(const Event& event, std::int64_t* locals, Taint taint) const;
    void run_after(Context<W>& context, int slot, std::int32_t pc);
    void run_from(Context<W>& context, int slot, std::int32_t pc);
    bool arrive(Frame<W>& frame, int e, std::int32_t pc);
    bool refuse(Frame<W>& frame, int broken);
    void found_violation();
    const std::vector<std::int32_t>& class_sets(int event_class) const {
        return search_->plan.class_sets[event_class];
    }
    void set_read_class(Event& event, std::int64_t value) const;
    ThreadState state_before(const Graph<W>& graph, int thread, int index, const std::int64_t*& locals) const;
    ThreadState state_of(const Graph<W>& graph, int thread, const std::int64_t*& locals) const;

    // --- whole executions ---
    void finish();
    void count_outcome(const Graph<W>& graph, bool violation);
    std::uint64_t hash(const Graph<W>& graph) const;
    bool is_stuck_at_lock(const Graph<W>& graph, int thread, const ThreadState& state) const;
    Trace trace(const Graph<W>& graph, bool deadlock) const;
    void relate(const Graph<W>& graph, Trace& trace) const;

    Context<W>& top() { return *contexts_[depth_ - 1]; }
    void halt(Halt why) { halt_ = why; }

    Search* search_;
    Machine machine_;
    Evaluator<W> in_situ_, final_, flags_;
    const bool load_buffering_;
    std::vector<std::unique_ptr<Context<W>>> contexts_;  // reused
    int depth_ = 0;                                      // contexts in use
    bool arrived_ = false;                               // a new consistent graph is at the top
    bool full_ = false;
    Halt halt_ = Halt::BUDGET;
    std::int64_t confirming_ = -1;  // >= 0: a violation was found, steps left for reaching a whole execution
    int pending_ = -1;              // >= 0: this thread has read for an RMW and writes next
    std::vector<ThreadState> initial_states_;
    std::vector<std::int64_t> initial_locals_;           // `stride_` per thread
    std::int32_t stride_ = 0;
    std::vector<std::int64_t> outcome_;
};

}  // namespace xgen
