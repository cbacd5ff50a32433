#include "runner.hpp"

#include <iterator>

namespace xgen {

bool Runner::enter(const Interval& interval) {
    const auto& [path, rest] = interval;
    if (path.empty()) return true;
    auto next = rest.begin();
    for (std::int32_t level = 0; level < std::ssize(path); ++level) {
        const bool alone = next == rest.end() || *next != level;
        if (!alone) ++next;
        if (take_branches(path[level] + 1, alone) != path[level] + 1) return false;
    }
    if (next == rest.end()) turn_back();
    // What was passed on the way is counted by who explores it.
    const std::int64_t held = findings_->counters.held;
    findings_->counters = {};
    findings_->counters.held = held;
    findings_->witness = {};
    confirming_ = -1;
    return true;
}

void Runner::halt_at(const ThreadState& state) {
    if (state.status != Status::RUNAWAY && state.status != Status::MIXED) return;
    const bool absent = state.status == Status::MIXED && state.a < 0;
    findings_->culprit = absent ? static_cast<std::int32_t>(state.a) : state.pc;
    halt(state.status == Status::MIXED ? Halt::MIXED : Halt::RUNAWAY);
}

}  // namespace xgen
