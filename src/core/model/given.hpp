// A graph that is given as a whole, and what a model says of it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "plan.hpp"

namespace xgen {

// Events in slots: initial writes first, cell by cell, then thread by thread in program order. There are no choices.
struct Given {
    using Pair = std::pair<std::int32_t, std::int32_t>;  // of slots
    int threads = 0, cells = 0;
    std::vector<Event> events;                    // `index`, `rf` and `value` do not matter
    std::vector<Pair> rf;                         // from the write to the read
    std::vector<std::vector<std::int32_t>> mo;    // per cell, the initial write first
    std::vector<Pair> addr, data, ctrl;           // from the read
    std::vector<Pair> forks;                      // immediate program order between threads
};

// The numbers of the constraints and flags of a plan that do not hold, of those that it checks on whole executions.
// Requires: at most LARGEST events.
constexpr int LARGEST = WORD * 16;
std::vector<std::int32_t> failing(const Plan& plan, const Given& given);

}  // namespace xgen
