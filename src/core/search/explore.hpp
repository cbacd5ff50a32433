// The exploration: all consistent executions of a program, each once.
//
// The algorithm is TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic Partial
// Order Reduction, POPL 2022). A graph is extended by the next event of the first thread that can step: a read reads
// from each write, a write goes to each place in modification order. A write then revisits reads: what was added after
// the read and is not in the write's (base order u rf)-prefix is dropped, and the read reads from the write. Of the many
// graphs from which one revisit leads to the same graph, only that one counts in which all that is dropped was added
// maximally (see `may_revisit`).
//
// The base order is program order; models that do not make po u rf acyclic are explored in another way (resolve.hpp).
//
// The search is an explicit stack, so that it can stop and go on anywhere: a stack of contexts, one per revisit, each
// with a graph and a stack of frames, one per event that was added to the graph in this context. Where nothing is left to
// take from a context, the next one takes over its graph's room: long chains of revisits hold two graphs.
#pragma once

#include <memory>
#include <vector>

#include "checker.hpp"
#include "like.hpp"
#include "recorder.hpp"
#include "runner.hpp"
#include "threads.hpp"

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
    std::int32_t floor = -1;             // the last of them (see floor_of)
    Row<W> reads;                        // (WRITE) reads that may yet be revisited
    std::int32_t read = -1;              // (REVISIT) the read
    Row<W> read_prefix;                  // (REVISIT) its prefix without the new write
    std::vector<std::int32_t> targets;   // (CHOICE at a CHOOSE) the enabled edges
    std::int64_t next = 0, end = 0;      // (CHOICE) the next option, and the last one
    std::int32_t branches = 0;           // options taken: consistent ones
};

template <int W>
struct Context {
    Graph<W> graph;
    Kept<W> kept;
    std::vector<Frame<W>> frames;
    int depth = 0;  // frames in use
    // The options that each frame had taken, where none has any left and the room for graph and frames is given away.
    std::vector<std::int32_t> taken;
    bool spent() const { return !taken.empty(); }
};

template <int W>
class Explorer final : public Runner {
public:
    Explorer(const Task& task, const Sharing& sharing, WorkerFindings& findings);
    template <int V>
    explicit Explorer(const Explorer<V>& narrow);

    Halt run(double seconds) override;
    std::unique_ptr<Runner> widened() const override;
    std::unique_ptr<Runner> split() override;
    Interval left() const override;
    std::int64_t take_work() override { return checker_.take_work() + recorder_.take_work() + like_.take_work(); }
    bool step(Random& random, Probe& probe) override;

private:
    template <int V>
    friend class Explorer;
    using Bits = Row<W>;

    // What is left of one frame of one of the other's contexts.
    Explorer(const Explorer& whole, const Context<W>& context, int frame);
    int take_branches(int count, bool alone) override;
    bool open();
    bool take_next(int context);
    void turn_back() override;
    static bool has_options(const Frame<W>& frame);
    static void drop_options(Frame<W>& frame);
    using Step = typename Frame<W>::Step;

    // --- the search ---
    void start();
    void advance_search();
    void finish();
    bool descend();                       // opens a frame for the next event; false where there is none
    bool advance();                       // next option of the top frame; false where it has none left
    bool next_option(Frame<W>& frame);
    bool next_read(Frame<W>& frame);
    bool next_place(Frame<W>& frame);
    int take_place(const Graph<W>& graph, Frame<W>& frame) const;
    int floor_of(const Graph<W>& graph, const Event& event) const;
    bool next_choice(Frame<W>& frame);
    bool next_revisit(Frame<W>& frame);
    bool next_revisited_place(Frame<W>& frame);
    void take_back(Frame<W>& frame);
    Frame<W>& open_frame(Context<W>& context, Step step);
    void open_event(int thread, const ThreadState& state);
    void open_choice(int thread, const ThreadState& state);

    // --- threads that wait ---
    bool may_wait() const;
    bool would_wait(int thread, const ThreadState& state);
    bool is_detour(const Frame<W>& frame) const;
    bool waits_in_vain(const Graph<W>& graph, int thread, int revisited) const;

    // --- load buffering ---
    bool may_be_read_before(const Context<W>& context, int write) const;
    bool would_be_read_before(Context<W>& context, Frame<W>& frame);
    bool write_of_may_be_read_before(Context<W>& context, int read);
    void buffers();

    // --- revisits ---
    bool may_revisit(const Graph<W>& graph, int read, const Bits& prefix) const;
    bool is_maximal(const Graph<W>& graph, int d, const Bits& prefix) const;
    bool is_over(Context<W>& context);
    void hand_on();
    Context<W>& open_context();
    void revisit(const Context<W>& from, const Frame<W>& write, const Bits& prefix, int read);
    void copy_part(const Context<W>& from, const Bits& keep, int open_read, Context<W>& to);
    void copy_kept(const Context<W>& from, const Bits& keep, int open_read, Context<W>& to) const;

    // --- events ---
    int add(Context<W>& context, const Frame<W>& frame);
    void find_dependencies(const Graph<W>& graph, Frame<W>& frame) const;
    Bits po_prefix(const Graph<W>& graph, const Event& event) const;
    bool arrive(Frame<W>& frame, int e, std::int32_t pc);
    void go_on(Context<W>& context, int slot, std::int32_t pc);
    bool refuse(Frame<W>& frame, int broken);
    bool is_another(Context<W>& context, int e);
    bool put(Frame<W>& frame, int e);
    void found_violation();

    Context<W>& top() { return *contexts_[depth_ - 1]; }

    Threads<W> threads_;
    Checker<W> checker_;
    Recorder<W> recorder_;
    Like<W> like_;
    const bool waits_ = may_wait();
    std::vector<std::unique_ptr<Context<W>>> contexts_;  // those behind depth_ are reused
    int depth_ = 0;                                      // contexts in use
    bool again_ = false;                                 // the options that are taken now will be taken again
    Closing<W> closing_;            // of the last revisit
    int pending_ = -1;              // >= 0: this thread has read for an RMW and writes next
};

}  // namespace xgen
