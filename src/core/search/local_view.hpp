// What matters of a thread after an event: its local view.
#pragma once

#include <vector>

#include "graph/graph.hpp"
#include "search.hpp"

namespace xgen {

// Of what is appended of a thread that stands somewhere, the place of the cell that it accesses next, if it does.
inline constexpr std::size_t VIEW_CELL = 3;

// Appends what matters of a thread where it stands after an event: where that is, and the locals that are read from there on.
// Where the model looks at dependencies, those of all this too.
template <int W>
void append_view(const Task& task, const Graph<W>& graph, int slot, std::vector<std::int64_t>& words) {
    const int thread = graph.events[slot].thread;
    const ThreadState& state = graph.states[slot];
    const ThreadCode& code = task.code.threads[thread];
    words.push_back(static_cast<std::int64_t>(state.status));
    words.push_back(state.pc - code.entry);
    if (state.status == Status::BLOCKED) return;
    const std::int64_t* locals = graph.locals_of(slot);
    const auto& matters = is_error(state.status) ? task.settings.shown[thread] : task.settings.matters[state.pc];
    if (stands(state.status)) words.insert(words.end(), {state.writing, state.a, state.b, state.expected});
    for (std::int32_t local : matters) words.push_back(locals[local]);
    if (!task.plan.dependent) return;
    const TaintSets taint{graph.taint_of(slot), W};
    auto add = [&](int set) {
        for (int k = 0; k < W; ++k) words.push_back(static_cast<std::int64_t>(taint[set][k]));
    };
    for (std::int32_t local : matters) add(local);
    if (!stands(state.status)) return;
    for (int set : {Taint::control(code.locals), Taint::address(code.locals), Taint::data(code.locals), Taint::compared(code.locals)})
        add(set);
}

}  // namespace xgen
