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

std::unique_ptr<Runner> make_runner(const Task& task, const Sharing& sharing, WorkerFindings& findings, int events) {
    if (events < WORD) return make_runner_of_width<1>(task, sharing, findings);
    if (events < 2 * WORD) return make_runner_of_width<2>(task, sharing, findings);
    if (events < 4 * WORD) return make_runner_of_width<4>(task, sharing, findings);
    if (events < 16 * WORD) return make_runner_of_width<16>(task, sharing, findings);
    if (events < 64 * WORD) return make_runner_of_width<64>(task, sharing, findings);
    if (events < 256 * WORD) return make_runner_of_width<256>(task, sharing, findings);
    return nullptr;
}

}  // namespace xgen
