#include "system.hpp"

namespace xgen::states {

std::int64_t Successors::value(const Formula& code, const Word* state, int process) {
    const auto cell = [&](int c) {
        Word own = state[c];
        buffers_.newest(state, process, c, own);
        return own;
    };
    return evaluate(code, state, cell, stack_, fault);
}

std::uint64_t Successors::propositions(const Word* state) {
    std::uint64_t found = 0;
    for (std::size_t n = 0; n < system_.propositions.size(); ++n) {
        const std::int64_t holds = evaluate(system_.propositions[n], state, [&](int c) { return state[c]; }, stack_, fault);
        found |= static_cast<std::uint64_t>(holds != 0) << n;
    }
    return found;
}

bool Successors::holds_asserts(const Word* state) {
    for (std::size_t p = 0; p < system_.processes.size(); ++p) {
        const Process& process = system_.processes[p];
        const Formula& claim = process.asserts[state[process.place]];
        if (claim.empty() || value(claim, state, static_cast<int>(p))) continue;
        fault = Fault::ASSERTION;
        culprit = static_cast<int>(p);
        return false;
    }
    return true;
}

// The place of a target; -1 where the index is out of range.
std::int64_t Successors::index(const Target& target, const Word* state, int process) {
    const std::int64_t index = target.index.empty() ? 0 : value(target.index, state, process);
    if (index >= 0 && index < target.size) return target.first + index;
    fault = Fault::INDEX;
    return -1;
}

// Whether the guard holds, and the buffers are as empty as the transition wants them.
bool Successors::may_start(const Word* state, const Transition& t) {
    if (!t.guard.empty() && !value(t.guard, state, t.process)) return false;
    if (t.atomic && !buffers_.is_drained(state, t.process)) return false;
    if (t.partner >= 0 && !buffers_.is_drained(state, t.partner)) return false;
    if (!t.waits) return true;
    const std::int64_t cell = index(t.cell, state, t.process);
    return cell >= 0 && buffers_.is_clear(state, t.process, static_cast<int>(cell));
}

// The state after a transition, in `next_`. False: it has to wait, or something goes wrong.
bool Successors::move(const Word* state, int number, std::vector<Word>& after) {
    const Transition& t = system_.transitions[number];
    if (!may_start(state, t)) return false;
    next_.assign(state, state + words());
    next_[system_.processes[t.process].place] = t.to;
    if (t.partner >= 0) next_[system_.processes[t.partner].place] = t.partner_to;
    for (const Effect& e : t.effects) {
        const auto place = static_cast<int>(index(e.target, next_.data(), t.process));
        if (place < 0) return false;
        const std::int64_t low = e.target.low, span = static_cast<std::int64_t>(e.target.high) - low + 1;
        const std::int64_t raw = value(e.value, next_.data(), t.process);
        if (span == 1LL << 32 && raw != static_cast<Word>(raw)) fault = Fault::RANGE;
        if (fault != Fault::NONE) return false;
        const Word stored = static_cast<Word>(low + ((raw - low) % span + span) % span);
        if (!e.target.shared || t.atomic || t.waits || system_.order == Order::SC) {
            next_[place] = stored;
            continue;
        }
        if (!buffers_.takes(next_.data(), t.process, place)) {
            waited = true;
            return false;
        }
        buffers_.store(next_.data(), t.process, place, stored);
    }
    if (t.fences) buffers_.fence(next_.data(), t.process);
    after.insert(after.end(), next_.begin(), next_.end());
    return true;
}

bool Successors::of(const Word* state, std::vector<Step>& steps, std::vector<Word>& after) {
    steps.clear();
    after.clear();
    fault = Fault::NONE;
    if (!holds_asserts(state)) return false;
    bool committed = false;
    for (const Process& p : system_.processes) committed |= p.committed[state[p.place]] != 0;
    std::uint64_t moving = 0;
    for (std::size_t p = 0; p < system_.processes.size(); ++p) {
        const Process& process = system_.processes[p];
        for (const int number : by_process_[p]) {
            const Transition& t = system_.transitions[number];
            if (t.from != state[process.place]) continue;
            bool may = !committed || process.committed[state[process.place]];
            if (t.partner >= 0) {
                const Process& partner = system_.processes[t.partner];
                if (t.partner_from != state[partner.place]) continue;
                may |= partner.committed[state[partner.place]] != 0;
            }
            if (!may) continue;
            const bool moved = move(state, number, after);
            if (fault != Fault::NONE) {
                culprit = number;
                return false;
            }
            if (!moved) continue;
            moving |= movers_[number];
            steps.push_back({Step::MOVE, static_cast<std::uint32_t>(number)});
        }
    }
    for (int queue = 0; queue < buffers_.queues(); ++queue) {
        if (!buffers_.flushes(state, queue)) continue;
        const std::size_t at = after.size();
        after.insert(after.end(), state, state + words());
        buffers_.flush(after.data() + at, queue);
        steps.push_back({Step::FLUSH, static_cast<std::uint32_t>(queue)});
        moving |= marks(steps.back());
    }
    if (steps.empty()) {
        steps.push_back({Step::STAND});
        after.insert(after.end(), state, state + words());
    }
    rested = (((1ULL << marks()) - 1) << system_.first_mark) & ~moving;
    return true;
}

}  // namespace xgen::states
