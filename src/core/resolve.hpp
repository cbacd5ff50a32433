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
// src/xgen/memory/polarity.py), whether it is extensible or not. What is not built are executions with a cycle in
// dependencies and rf: values out of thin air. Dependencies are addr, data, ctrl, rmw, and those of an address on what
// comes after the access in program order.
#pragma once

#include <memory>
#include <vector>

#include "resize.hpp"
#include "runner.hpp"

namespace xgen {

// What is to be decided next, and the options that are left: numbers in `options`, or, where that is empty, `next` to
// `end` themselves.
struct Decision {
    enum class Kind : std::uint8_t {
        NONE,
        CHOICE,   // of an edge or a value
        OUTCOME,  // of an RMW that may fail: 0, it does not, or 1
        JOINING,  // a fence joins the graph
        PLACE,    // of a write, right after another one in modification order
        SOURCE,   // of a read: a write, or LATER
    } kind = Kind::NONE;
    std::int32_t thread = -1, slot = -1;
    std::vector<std::int32_t> options;
    std::int64_t next = 0, end = -1;

    static constexpr std::int32_t LATER = -1;

    void set(Kind kind_, std::int32_t thread_, std::int32_t slot_, std::int64_t count) {
        kind = kind_;
        thread = thread_;
        slot = slot_;
        next = 0;
        end = count - 1;
    }
    bool any() const { return next <= end; }
    void drop() { next = 1, end = 0; }
    std::int64_t take() {
        const std::int64_t number = next;
        if (number == end)
            drop();  // the next number might not exist
        else
            ++next;
        return options.empty() ? number : options[number];
    }
};

// A consistent graph on the way from the empty one to where the search is, with what is left to be tried from it.
template <int W>
struct Stage {
    Graph<W> graph;
    Kept<W> kept;
    Row<W> pending;                      // known events that are not in the graph yet
    std::vector<Row<W>> excluded;        // by slot: the writes that an open read does not read from
    std::vector<std::uint64_t> unknown;  // per thread, by index: the reads of which the value is not known
    Decision decision;

    std::uint64_t* unknown_of(int thread) { return unknown.data() + static_cast<std::size_t>(thread) * W; }
    const std::uint64_t* unknown_of(int thread) const { return unknown.data() + static_cast<std::size_t>(thread) * W; }
    // Whether an event of a thread has read a value that is not known.
    bool is_unknown(int slot) const {
        const Event& e = graph.events[slot];
        return e.thread >= 0 && (unknown_of(e.thread)[e.index >> 6] >> (e.index & 63) & 1);
    }
};

template <int W>
class Resolver final : public AnyExplorer, private Runner<W> {
public:
    explicit Resolver(Search& search);
    template <int V>
    explicit Resolver(const Resolver<V>& narrow);

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
    friend class Resolver;
    using Bits = Row<W>;
    using Runner<W>::search_;
    using Runner<W>::machine_;
    using Runner<W>::in_situ_;
    using Runner<W>::halt_;
    using Runner<W>::check_step;
    using Runner<W>::class_sets;
    using Runner<W>::halt;
    using Runner<W>::is_started;
    using Runner<W>::may_step;
    using Runner<W>::state_before;
    using Runner<W>::state_of;
    using Kind = Decision::Kind;

    Resolver(const Resolver& whole, const Stage<W>& node);

    // --- the search ---
    bool step();
    bool prepare();
    bool advance();
    bool apply(std::int64_t option);
    int take_branches(int count);
    Stage<W>& copy_top();
    Stage<W>& top() { return *nodes_[depth_ - 1]; }

    // --- threads run ahead ---
    bool run_ahead(Stage<W>& node);
    bool may_run(const Stage<W>& node, int thread) const;
    void extend(Stage<W>& node, int thread, bool fails);
    int add_known(Stage<W>& node, Event event);
    std::int32_t pc_after(const Graph<W>& graph, int slot);
    bool learn(Stage<W>& node, int read);
    bool rerun(Stage<W>& node, int read);
    void take_operands(Stage<W>& node, int slot);
    bool is_refuted(const Stage<W>& node, int read) const;
    bool knows_operands(const Stage<W>& node, int read) const;

    // --- what to decide ---
    void decide(Stage<W>& node);
    void decide_read(Stage<W>& node);
    void find_sources(const Stage<W>& node, int read, std::vector<std::int32_t>& sources) const;
    bool may_come(const Stage<W>& node, int read) const;
    bool is_known(const Stage<W>& node, int write) const;
    Bits waited_for(const Graph<W>& graph, int thread) const;
    Bits unknown_sources(const Stage<W>& node, int write) const;
    bool depends(const Stage<W>& node, Bits reads, int read) const;
    const std::vector<bool>& written_from(std::int32_t pc) const;

    bool join(Stage<W>& node, int slot);
    void leave(Stage<W>& node, int slot);

    std::vector<std::unique_ptr<Stage<W>>> nodes_;  // reused
    int depth_ = 0;                                // nodes in use
    bool arrived_ = false;                         // the top is new
    bool full_ = false;
    // By instruction: the cells that may be written from there on; found when asked for.
    mutable std::vector<std::vector<bool>> written_;
};

template <int W>
std::unique_ptr<AnyExplorer> make_resolver(Search& search) {
    return std::make_unique<Resolver<W>>(search);
}

extern template class Resolver<1>;
extern template class Resolver<2>;
extern template class Resolver<4>;
extern template class Resolver<16>;
extern template class Resolver<64>;
extern template class Resolver<256>;

}  // namespace xgen
