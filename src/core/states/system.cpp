#include "system.hpp"

namespace xgen::states {

std::int64_t Successors::value(const Formula& code, const Word* state, int process) {
    const auto cell = [&](int c) {
        Word own = state[c];
        forwarded_ |= buffers_.newest(state, process, c, own);
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
    return t.partner < 0 || buffers_.is_drained(state, t.partner);
}

// A store gets into memory, now. False: another process has reserved the cell.
bool Successors::write(const Transition& t, const Buffers::Store& store) {
    held_ |= buffers_.is_claimed(next_.data(), t.process, store.cell);
    if (held_) return false;
    buffers_.to_memory(next_.data(), t.process, store.cell, store.value);
    return true;
}

// A store of a step: into memory, into its queue, or to the others that go there together. False: it has to wait.
bool Successors::put(const Transition& t, const Buffers::Store& store) {
    if (t.atomic || t.direct || system_.order == Order::SC)
        return (t.atomic || buffers_.is_clear(next_.data(), t.process, store.cell)) && write(t, store);
    if (t.together) {
        std::erase_if(group_, [&](const Buffers::Store& other) { return other.cell == store.cell; });
        group_.push_back(store);
        return true;
    }
    if (!buffers_.takes(next_.data(), t.process, store.cell)) {
        waited = true;
        return false;
    }
    buffers_.store(next_.data(), t.process, store);
    return store.read == Buffers::PLAIN || buffers_.can_drain(next_);
}

// The stores of a step that reach memory together. Where there never is room for them, they do at once.
bool Successors::put_together(const Transition& t) {
    Word* next = next_.data();
    waited |= !buffers_.takes(next, t.process, group_);
    if (buffers_.takes(next, t.process, group_)) {
        buffers_.store(next, t.process, group_);
        return !buffers_.has_claims(next) || buffers_.can_drain(next_);
    }
    return !buffers_.fits(group_) && buffers_.is_drained(next, t.process) &&
           std::all_of(group_.begin(), group_.end(), [&](const Buffers::Store& store) { return write(t, store); });
}

// False: it has to wait, or something goes wrong.
bool Successors::assign(const Effect& e, const Transition& t, int place) {
    const std::int64_t low = e.target.low, span = static_cast<std::int64_t>(e.target.high) - low + 1;
    const std::int64_t raw = value(e.value, next_.data(), t.process);
    if (span == 1LL << 32 && raw != static_cast<Word>(raw)) fault = Fault::RANGE;
    if (fault != Fault::NONE) return false;
    const Word stored = static_cast<Word>(low + ((raw - low) % span + span) % span);
    if (e.target.shared)
        return put(t, {place, stored, e.kind == Effect::EXCLUSIVE ? buffers_.what_was_read(next_.data(), t.process) : Buffers::PLAIN});
    next_[place] = stored;
    return true;
}

bool Successors::carry_out(const Effect& e, const Transition& t) {
    if (e.kind == Effect::ASSUME || e.kind == Effect::ASSERT) {
        const bool holds = value(e.value, next_.data(), t.process) != 0;
        if (!holds && fault == Fault::NONE && e.kind == Effect::ASSERT) fault = Fault::ASSERTION;
        return holds && fault == Fault::NONE;
    }
    if (e.kind == Effect::RELEASE) {
        buffers_.release(next_.data(), t.process);
        return true;
    }
    const auto place = static_cast<int>(index(e.target, next_.data(), t.process));
    if (place < 0) return false;
    if (e.kind == Effect::CLEAR) return buffers_.is_clear(next_.data(), t.process, place);
    if (e.kind == Effect::RESERVE) {
        buffers_.reserve(next_.data(), t.process, place);
        return true;
    }
    return (e.kind != Effect::EXCLUSIVE || buffers_.has_reserved(next_.data(), t.process, place)) && assign(e, t, place);
}

// The state after a transition, in `next_`. False: it has to wait, or something goes wrong.
bool Successors::move(const Word* state, int number, std::vector<Word>& after) {
    const Transition& t = system_.transitions[number];
    forwarded_ = held_ = false;
    if (!may_start(state, t)) return false;
    next_.assign(state, state + words());
    next_[system_.processes[t.process].place] = t.to;
    if (t.partner >= 0) next_[system_.processes[t.partner].place] = t.partner_to;
    group_.clear();
    if (t.fences) buffers_.fence(next_.data(), t.process);
    const bool done = std::all_of(t.effects.begin(), t.effects.end(), [&](const Effect& e) { return carry_out(e, t); }) &&
                      (group_.empty() || put_together(t));
    if (t.watches && forwarded_ && system_.strict) {
        fault = Fault::NONE;
        return false;
    }
    doubtful |= t.watches && forwarded_;
    if (!done) return false;
    if (t.fences) buffers_.fence(next_.data(), t.process);
    after.insert(after.end(), next_.begin(), next_.end());
    return true;
}

bool Successors::of(const Word* state, std::vector<Step>& steps, std::vector<Word>& after) {
    const std::size_t before = steps.size();
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
                culprit = fault == Fault::ASSERTION ? static_cast<int>(p) : number;
                return false;
            }
            if (moved || held_) moving |= movers_[number];
            if (!moved) continue;
            steps.push_back({Step::MOVE, static_cast<std::uint32_t>(number)});
        }
    }
    for (int queue = 0; queue < buffers_.queues(); ++queue) {
        if (buffers_.is_empty(state, queue)) continue;
        moving |= marks({Step::FLUSH, static_cast<std::uint32_t>(queue)});  // every store reaches memory in the end
        if (!buffers_.flushes(state, queue) || !buffers_.can_flush(state, queue)) continue;
        const std::size_t at = after.size();
        after.insert(after.end(), state, state + words());
        buffers_.flush(after.data() + at, queue);
        steps.push_back({Step::FLUSH, static_cast<std::uint32_t>(queue)});
    }
    if (steps.size() == before) {
        steps.push_back({Step::STAND});
        after.insert(after.end(), state, state + words());
    }
    rested = (((1ULL << marks()) - 1) << system_.first_mark) & ~moving;
    return true;
}

}  // namespace xgen::states
