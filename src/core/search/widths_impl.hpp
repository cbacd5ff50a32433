// Both searches at a width of graphs. A file of widths is compiled as one, so that what the searches have in common is
// compiled once for each width; what the widest ones have is compiled for less time, and runs for more (CMakeLists.txt).
#pragma once

#include "explore_impl.hpp"
#include "observe_impl.hpp"
#include "resolve_impl.hpp"

namespace xgen {

template <int W>
std::unique_ptr<Runner> make_runner_of_width(const Task& task, const Sharing& sharing, WorkerFindings& findings) {
    if (task.plan.ahead) return std::make_unique<Resolver<W>>(task, sharing, findings);
    return std::make_unique<Explorer<W>>(task, sharing, findings);
}

// Another file has these widths.
#define XGEN_WIDTH_ELSEWHERE(W)        \
    extern template class Explorer<W>; \
    extern template class Resolver<W>;
#define XGEN_WIDTH(W)           \
    template class Explorer<W>; \
    template class Resolver<W>; \
    template std::unique_ptr<Runner> make_runner_of_width<W>(const Task&, const Sharing&, WorkerFindings&);

}  // namespace xgen
