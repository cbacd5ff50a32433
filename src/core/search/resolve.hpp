// The exploration for models that allow load buffering, or any model at all: all consistent executions, each once.
//
// Threads run ahead of their reads: what they do is known as far as it does not depend on values that are not. Such
// events are *known*; a known event joins the graph when its place in it is decided: a fence at once, a write by its
// place in modification order, a read by the write that it reads from. A known read that has not been decided is *open*.
// Writes and fences are decided first. Then comes an open read: it reads from one of the writes of its variable that are
// in the graph, or from none of these but a later one, where one may come. These options exclude each other, and leave
// out none, so that every execution is reached in exactly one way; nothing is ever revisited. A read for which no write
// comes is the end of a branch that leads to no execution.
//
// The graph only grows, by events and their edges, so that a constraint may be checked on the way if it is monotone (see
// src/xgen/memory/statics/polarity.py), whether it is extensible or not. What is not built are executions with a cycle in
// dependencies and rf: values out of thin air. Dependencies are addr, data and ctrl from reads, rmw of RMWs (but of those
// that write the same whatever they read), and those of an address on what comes after the access in program order. The
// success of a store exclusive depends on no value (Arm and Power do not order what depends on it), and one that fails is
// no access. Nor does a choice of edges depend on the addresses of what they start with.
//
// Where classes of executions are explored, writes are not placed: see classes.hpp.
//
// There is one graph, and a stack of decisions. An option is taken in place, and taken back before the next one is tried.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "checker.hpp"
#include "classes.hpp"
#include "recorder.hpp"
#include "resize.hpp"
#include "runner.hpp"
#include "threads.hpp"

namespace xgen {

// The known events that are not in the graph yet, and the reads, open or not, of which the value is not known.
template <int W>
struct Ahead {
    Row<W> joining;  // fences and writes, which join first
    Row<W> open;     // reads
    Row<W> late;     // those of them that read from a write which was not there when that was decided
    Row<W> updates;  // the writes of RMWs, which join with their reads; those that are detached are in `joining`
    Row<W> observed; // reads of which it is known what they make of their threads, not what they read from (observe_impl.hpp)
    Row<W> unknown;

    bool any() const { return (joining | open | updates).any(); }
    void drop(int slot) {
        for (Row<W>* set : {&joining, &open, &late, &updates, &observed}) set->reset(slot);
    }
};

// What a thread makes of a value: where it stands then, and `words`, what matters of it there. `open`: that depends on what
// is not known, together with the value; `mixed`: something of it does; then it is the same as what the thread makes of
// another value if the conditions that it has met are.
struct View {
    bool possible = false, open = false, mixed = false;
    Status status = Status::ENDED;
    std::int32_t pc = -1;
    std::vector<std::int64_t> words;
    Trail trail;
};

// Values of which a thread makes the same, `view`: any, these or, where there are none, that there is none. `exact`: each
// value is an option of its own.
struct Option {
    bool any = false, exact = false;
    std::vector<std::int64_t> values;
    View view;
};

// What is to be decided, which option has been taken, and which are left: numbers in `options`, or, where that is empty,
// `next` to `end` themselves.
template <int W>
struct Decision {
    enum class Kind : std::uint8_t {
        CHOICE,   // of an edge or a value
        OUTCOME,  // of an RMW that may fail: 0, it does not, or 1
        JOINING,  // a fence joins the graph
        PLACE,    // of a write, right after another one in modification order
        SOURCE,   // of a read: a write, or -1 for one that comes later
        OBSERVED, // what a read makes of its thread: one of `seen`, or -1 for none of these
        WAITING,  // whether a thread waits in a loop, before that is known: 0, it goes on, or 1
    } kind = Kind::JOINING;
    std::int32_t thread = -1, slot = -1;  // where a thread stands, or a known event
    std::vector<std::int32_t> options;
    std::int64_t next = 0, end = -1;
    bool taken = false;       // an option is
    std::int64_t option = 0;  // that one
    // What the graph was before.
    std::int32_t size = 0, saved = 0;  // events; records in Resolver::saved_
    std::int32_t outer = -1;           // the same of the last decision below that has options left; -1: none has
    std::int32_t joined = 0;           // events that have joined the graph since
    std::int32_t known = 0;            // what was known of modification order (Classes::mark)
    Ahead<W> ahead;
    Row<W> excluded;                   // of the read
    std::int32_t branches = 0;         // options taken: consistent ones
    std::vector<Option> seen;          // OBSERVED
    std::int32_t never = 0;            // likewise: values that the read does not read
    std::vector<std::int32_t> last;    // where what is seen is explored: see Classes::last()

    bool any() const { return next <= end; }
    void drop() { next = 1, end = 0; }
    void take() {
        taken = true;
        option = options.empty() ? next : options[next];
        if (next == end)
            drop();  // the next number might not exist
        else
            ++next;
    }
};

template <int W>
class Resolver final : public Runner {
public:
    Resolver(const Task& task, const Sharing& sharing, WorkerFindings& findings);
    template <int V>
    explicit Resolver(const Resolver<V>& narrow);

    Halt run(double seconds) override;
    std::unique_ptr<Runner> widened() const override;
    std::unique_ptr<Runner> split() override;
    Interval left() const override;
    std::int64_t take_work() override {
        const std::int64_t views = std::exchange(work_, 0);
        return views + checker_.take_work() + recorder_.take_work() + (classes_ ? classes_->take_work() : 0);
    }
    bool step(Random& random, Probe& probe) override;
    bool settled() const override { return Runner::settled() && !(classes_ && classes_->busy()); }

private:
    template <int V>
    friend class Resolver;
    using Bits = Row<W>;
    using Kind = typename Decision<W>::Kind;
    static constexpr std::int32_t LATER = -1;

    // What is left of one decision of the other.
    Resolver(const Resolver& whole, int decision);

    // --- the search ---
    // For what one decision, or one step of a thread, adds: a read-modify-write is two events.
    bool has_room() const { return graph_.size() + 2 <= WORD * W; }
    void end();
    bool descend();  // opens a decision; false where there is none, or where the graph is full
    bool advance();  // next option of the decision at the top; false where it has none left
    bool apply(Decision<W>& decision);
    void take_back(Decision<W>& decision);
    bool is_place(int write) const;
    RmwKind kind_of(int update) const;
    int read_of(int update) const { return graph_.at(graph_.events[update].thread, graph_.events[update].index - 1); }
    int update_of(int read) const { return graph_.at(graph_.events[read].thread, graph_.events[read].index + 1); }
    bool join(Decision<W>& decision, int slot, bool whole = true);
    bool join_source(Decision<W>& decision, int read);
    void leave(int slot);
    void save(int slot);
    int take_branches(int count, bool alone) override;
    Decision<W>& top() { return decisions_[depth_ - 1]; }

    // --- threads run ahead ---
    void find_stopping();
    bool run_ahead();
    bool run_ahead(int thread);
    bool may_run(int thread) const;
    void extend(int thread, bool fails);
    void choose(int thread, std::int64_t option);
    int add_known(const Event& event);
    void remove_known();
    bool run_past(int slot);
    bool run_from(int slot);
    std::int32_t foresee(int read);
    bool learn(int read);
    bool rerun(int read);
    bool is_refuted(int read) const;
    bool cannot_succeed(const ThreadState& state) const;
    bool mispredicted(const Event& event, const ThreadState& before) const;
    bool predicted_cell(const Event& event) const;
    bool knows_operands(int read) const { return knows_next(graph_.events[read].thread, graph_.events[read].index); }
    bool knows_next(int thread, int index) const;
    // By index: the reads of a thread of which the value is not known.
    std::uint64_t* unknown_of(int thread) { return unknown_.data() + static_cast<std::size_t>(thread) * W; }
    const std::uint64_t* unknown_of(int thread) const { return unknown_.data() + static_cast<std::size_t>(thread) * W; }
    void set_unknown(int slot);
    void set_known(int slot);
    bool predicts_cell(int slot) const;
    Bits needed_for(int slot) const;
    bool decides_itself(int read) const;

    // --- what to decide ---
    bool decide();
    bool decide_thread(int thread, const ThreadState& state);
    void decide_choice(int thread, const ThreadState& state);
    bool is_outcome(const ThreadState& state) const;
    bool knows_all(int thread) const;
    bool decide_outcome(int thread);
    void find_late();
    bool decide_joining();
    std::pair<int, int> places_of(int slot) const;
    void leave_out_incoherent(Decision<W>& decision) const;
    bool decide_read();
    Decision<W>& open_decision(Kind kind, int thread, int slot);
    void find_sources(int read);
    template <class F>
    bool any_source(int read, F&& f) const;
    bool waits(int thread, const ThreadState& state) const;
    bool decide_waiting();
    bool any_waits_in_vain() const;
    bool waits_in_vain(int thread) const;
    bool is_behind(int read, const Bits& reads) const;
    bool cannot_be_served(const Bits& reads) const;
    bool may_be_served(int read);
    bool has_rivals(int read);
    bool detach();
    bool may_read_update(int read, int write) const;
    bool may_come(int read) const;
    bool may_come_beyond(int read) const;
    bool may_come_behind(int read) const;
    bool may_write(int thread, const ThreadState& state, int read) const;
    bool may_be_read(const Written& written, int read) const;
    int bar_of(int read) const;
    Bits barred(int read) const;
    template <class F>
    void each_seen(int read, F&& f) const;
    void note_cuts();

    // --- what reads wait for (resolve_grounds.hpp) ---
    void find_compared();
    void find_together();
    void find_outcomes();
    bool is_grounded(const Bits& settled, int later = -1, bool beyond = false);
    bool is_grounded_by_po(int later, bool beyond, int cell = -1);
    bool is_grounded_by_dependencies(const Bits& settled, int later, bool beyond) const;
    bool follows(int slot, int later, bool beyond, int cell) const;
    bool is_done(int slot) const;
    bool is_done_with(int thread) const { return done_[thread] == graph_.length(thread); }
    int joined_by(int thread) const;
    bool is_at_meet(int thread) const;
    bool may_meet(int thread, bool beyond, bool in_order) const;
    bool may_end(int thread, bool beyond) const;
    Bits needed_by(int thread) const;
    Bits needed_to_meet(int thread) const;
    Bits waited_for(int thread) const;
    Bits unknown_sources(int write) const;
    bool depends(Bits reads, int read) const;
    const std::vector<Written>& written_from(std::int32_t pc) const;

    // --- what is seen (observe_impl.hpp) ---
    // The values that a read of which the observation is known may read: any, `yes`; `no`: others. `exact`: no others than
    // `yes`. `never`: those that were left out before. `lasting`: what is found out of a value does not depend on others.
    struct Domain {
        bool any = false, exact = false, lasting = false;
        std::vector<std::int64_t> yes, no, never;
    };
    enum class Alike { NO, YES, OPEN };
    // Besides the options that were found: whether there is something else to come; `forced`: what is there and what comes
    // is all the same; `open`: what the thread makes of it is not known yet.
    struct Offer {
        bool later = false, forced = false, open = false;
    };
    void add_domain(int slot);
    template <class F>
    bool any_that_matters(int slot, F&& f) const;
    View look(int read, std::int64_t value);
    static Alike compare(const View& one, const View& other);
    bool is_idle(int read);
    // Whether what a thread makes of a value may depend on what others of its reads read that are not known.
    bool depends_on_others(int read) const { return is_behind(read, ahead_.unknown); }
    bool is_success(int read) const;
    bool has_value(int write) const;
    bool is_taken(int read, int write) const;
    Alike accepts(int read, std::int64_t value);
    Choice<W> domain_of(int read);
    const Written& held_in(int cell);
    bool add_option(int read, std::int64_t value, bool exact);
    Offer find_options(int read, bool exact);
    bool may_differ(int read, bool exact);
    bool decide_observation();
    bool may_go_on() const;
    bool may_wait(int read);
    bool observe(const Decision<W>& decision);
    bool settle_observed();
    void discount();
    bool waits_if_it_fails(int thread);

    Threads<W> threads_;
    Checker<W> checker_;
    Recorder<W> recorder_;
    Graph<W> graph_;
    Kept<W> kept_;
    std::optional<Classes<W>> classes_;      // where they are explored
    bool observes_ = false;                  // and are those of what threads see
    Ahead<W> ahead_;
    std::vector<Bits> excluded_;             // by slot: the writes that an open read does not read from
    const bool aims_;                        // cells are predicted
    std::vector<Bits> needs_;                // where they are, by slot: see needed_for()
    std::vector<std::int32_t> foreseen_;     // by slot of an update's write: see foresee(); -1: it is not known
    std::vector<std::uint64_t> unknown_;     // see unknown_of()
    std::vector<Decision<W>> decisions_;     // reused
    int depth_ = 0;                          // decisions in use
    Graph<W> saved_;                         // a stack of records, as they were before they were changed
    std::vector<std::int32_t> saved_at_;     // by slot: where it was saved last
    bool keeps_ = false;                     // a decision may be opened anew once it has no options left
    int needed_ = -1;                        // what has been saved from there on will be restored; -1: nothing will
    bool refused_ = false;                   // the reads of a graph cannot all read from something
    std::vector<std::int32_t> stepped_;      // the threads that may run ahead

    std::vector<std::int32_t> stopping_;     // the threads that may stop before they end
    std::vector<std::int32_t> late_;         // of those: they may yet do writes that are not known (see find_late())
    std::vector<std::int32_t> cut_;          // and these: the bound has stopped them (likewise)
    std::vector<std::int32_t> updating_;     // of the first: they stand at an update that may fail
    std::vector<std::int32_t> sources_, chosen_sources_, learnt_;  // room to work in
    std::vector<bool> compared_;             // by cell: an update of it may fail
    std::vector<std::int32_t> together_;     // by cell: the first of those that are only ever written as one with it
    std::vector<bool> outcomes_;             // by instruction: chooses whether an update of several parts fails
    std::vector<std::int32_t> done_;         // by thread: how many of its events come after what they wait for (likewise)
    std::vector<Domain> domains_;            // by slot
    std::vector<Option> found_;
    std::vector<Choice<W>> choices_;         // of the reads that are observed
    Graph<W> trial_;                         // room to work in: see look()
    std::vector<Written> held_;              // by cell
    // By instruction, then by cell: what may be written there from the instruction on; found when asked for.
    mutable std::vector<std::vector<Written>> written_;
    std::int64_t work_ = 0;                  // of options of reads
};

}  // namespace xgen
