// What the model sees of a graph, and says of it: event by event where its constraints allow that, else as a whole.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "graph/graph.hpp"
#include "model/evaluate.hpp"
#include "search.hpp"

namespace xgen {

template <int W>
class Checker {
public:
    using Bits = Row<W>;

    explicit Checker(const Task& task) : task_(task), in_situ_(task.plan.in_situ, task.plan.class_steps, !task.plan.ahead) {}
    // The same checker, for graphs of another width.
    template <int V>
    explicit Checker(const Checker<V>& other) : Checker(other.task_) {}

    // Makes a graph of the initial writes; the number of a constraint that they break, or -1. `stride`: locals per thread.
    int begin(Graph<W>& graph, Kept<W>& kept, int stride);
    // The model sees an event from now on, or no longer; it is not a choice.
    void show(Graph<W>& graph, int e) const { graph.show(e, sets_of(graph, e)); }
    void hide(Graph<W>& graph, int e) const { graph.hide(e, sets_of(graph, e)); }
    // Takes back the last event, with its edges gone.
    void remove(Graph<W>& graph) const;

    int step(const Graph<W>& graph, Kept<W>& kept, int e, const Bits& present, bool whole = true);
    // Takes back what step() has kept of the event, the last one first.
    void withdraw(const Graph<W>& graph, Kept<W>& kept, int e) const { in_situ_.withdraw(graph, kept, e); }
    // What a thread does before an event in an order that the model has for all (Plan::order): the event of the last step, or
    // any other one.
    Bits ordered_before_last() const { return in_situ_.before(task_.plan.order); }
    Bits ordered_before(const Kept<W>& kept, int e) const { return in_situ_.before(task_.plan.order, kept, e); }
    // Whether the rows of a kept relation are used, not its columns alone.
    bool uses_rows(int relation) const { return task_.plan.in_situ.forwards[relation]; }
    // The work since it was asked for last.
    std::int64_t take_work() { return in_situ_.take_work(); }
    // The debug build's check on what is kept.
    bool verify(const Graph<W>& graph, const Kept<W>& kept, const Bits& present) const {
        // Recomputing costs the square of the size: large graphs run the same code.
        return graph.size() > 100 || in_situ_.verify(graph, kept, present);
    }

private:
    template <int V>
    friend class Checker;

    const std::vector<std::int32_t>& sets_of(const Graph<W>& graph, int e) const {
        return task_.plan.class_sets[graph.events[e].event_class];
    }
    bool is_last(const Graph<W>& graph, int e, const Bits& present) const;

    const Task& task_;
    Evaluator<W> in_situ_;
};

template <int W>
int Checker<W>::begin(Graph<W>& graph, Kept<W>& kept, int stride) {
    const Code& code = task_.code;
    const Plan& plan = task_.plan;
    kept.reset(plan.in_situ.kept);
    graph.reset(static_cast<int>(code.threads.size()), static_cast<int>(code.cells.size()), plan.class_set_count, stride,
                plan.tracking, code.forks, plan.classes);
    int broken = in_situ_.whole(graph, kept);
    for (std::size_t cell = 0; cell < code.cells.size() && broken < 0; ++cell) {
        Event event;
        event.index = event.cell = static_cast<std::int32_t>(cell);
        event.value = code.cells[cell];
        const int e = graph.add(event, {});
        show(graph, e);
        graph.insert_mo(e, -1);
        broken = step(graph, kept, e, Bits::below(e));
    }
    return broken;
}

template <int W>
void Checker<W>::remove(Graph<W>& graph) const {
    const int last = graph.size() - 1;
    if (graph.forks) std::replace(graph.starts.begin(), graph.starts.end(), last, -1);
    if (graph.visible.test(last)) hide(graph, last);
    graph.remove_last();
}

// Whether nothing of `present` comes after event e: in its thread, in modification order, or by reading from it.
template <int W>
bool Checker<W>::is_last(const Graph<W>& graph, int e, const Bits& present) const {
    const Event& event = graph.events[e];
    if (event.kind == EventKind::READ && (event.rf < 0 || graph.mo_after(event.rf).meets(present))) return false;
    if (event.kind == EventKind::WRITE && (graph.mo_after(e) | graph.readers[e]).meets(present)) return false;
    if (!task_.plan.ahead || event.thread < 0) return true;
    if (graph.forks) return false;
    for (int k = event.index + 1; k < graph.length(event.thread); ++k)
        if (present.test(graph.line(event.thread)[k])) return false;
    return true;
}

//----------------------------------------------------------------------------------------------------------------------
// step: checks the graph with one event more.
//
// Input   e: the event, with its edges. present: the rest of the graph. whole: false where only e's own pairs are to be
//         checked, because another event follows before the graph is one to be checked.
// Output  the number of a constraint that fails, or -1.
// Before  The model sees e; the graph without it is consistent, and `kept` has its pairs.
// After   -1: the graph is consistent (as far as asked), and `kept` has e's pairs too. Else `kept` is what it was.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
int Checker<W>::step(const Graph<W>& graph, Kept<W>& kept, int e, const Bits& present, bool whole) {
    const bool safe = task_.plan.in_situ.extensible && is_last(graph, e, present);
#ifdef XGEN_ASSERT
    in_situ_.unpaid([&] {
        in_situ_.step(graph, kept, e, present, true);
        if (safe && in_situ_.check(kept, e) >= 0) std::abort();
    });
#endif
    in_situ_.step(graph, kept, e, present, !safe);
    int broken = safe ? -1 : in_situ_.check(kept, e);
    if (broken >= 0) return broken;
    in_situ_.commit(kept, e);
#ifdef XGEN_ASSERT
    in_situ_.unpaid([&] {
        Bits all = present;
        all.set(e);
        if (!verify(graph, kept, all)) std::abort();
        if (safe && whole && in_situ_.whole(graph, kept) >= 0) std::abort();
        if (all != graph.visible || graph.size() > 100) return;
        const bool holds = in_situ_.find_broken_walks(graph) < 0;
        if (holds != (in_situ_.check_walks(graph, kept, e) < 0) || (safe && !holds)) std::abort();
    });
#endif
    if (safe) return -1;
    broken = in_situ_.check_walks(graph, kept, e);
    if (broken < 0 && whole) broken = in_situ_.whole(graph, kept);
    if (broken >= 0) in_situ_.withdraw(graph, kept, e);
    return broken;
}

}  // namespace xgen
