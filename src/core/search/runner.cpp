#include "runner.hpp"

namespace xgen {

bool Runner::enter(const std::vector<std::int32_t>& path) {
    if (path.empty()) return true;
    for (std::int32_t branch : path)
        if (take_branches(branch + 1, true) != branch + 1) return false;
    // What was passed on the way is counted by who explores it.
    findings_->counters = {};
    findings_->witness = {};
    confirming_ = -1;
    return true;
}

void Runner::halt_at(const ThreadState& state) {
    if (state.status != Status::RUNAWAY && state.status != Status::MIXED) return;
    findings_->culprit = state.pc;
    halt(state.status == Status::MIXED ? Halt::MIXED : Halt::RUNAWAY);
}

}  // namespace xgen
