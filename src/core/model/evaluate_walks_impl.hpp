// Looking for closed walks through a new event (plan.hpp). Part of evaluate.hpp.
#pragma once

#include "evaluate.hpp"

namespace xgen {

template <int W>
int Evaluator<W>::check_walks(const Graph<W>& g, const Kept<W>& kept, int e) {
    for (const WalkCheck& check : event_plan_->walks)
        if (closes_walk(g, kept, check, e)) return checks_.walks[check.walks].number;
    return -1;
}

// Most often no path leads back to the event, in whatever states.
template <int W>
bool Evaluator<W>::closes_walk(const Graph<W>& g, const Kept<W>& kept, const WalkCheck& check, int e) {
    const Walks& walks = checks_.walks[check.walks];
    if (!is_come_to(walks)) return false;
    const std::pair<std::int32_t, std::int32_t> any(walks.states.size() - 1, walks.states.size() - 1);
    if (!comes_back(g, kept, walks, e, {&any, 1}) || !comes_back(g, kept, walks, e, check.ends)) return false;
    return check.ends.size() == 1 ||
           std::ranges::any_of(check.ends, [&](const auto& pair) { return comes_back(g, kept, walks, e, {&pair, 1}); });
}

// Whether there is a last step of a path that leads back to the event of the last step(). Most new events come last: nothing
// comes before them where paths are followed backwards.
template <int W>
bool Evaluator<W>::is_come_to(const Walks& walks) const {
    return std::ranges::any_of(walks.states.back(), [&](const Walks::Step& step) {
        const Pairs<W>& pairs = step_[step.node];
        return (step.backwards ? pairs.after : pairs.before).any();
    });
}

// Whether a path of one step or more leads from the event in one of the first states to the event in one of the second.
template <int W>
bool Evaluator<W>::comes_back(const Graph<W>& g, const Kept<W>& kept, const Walks& walks, int e, Ends ends) {
    const int count = static_cast<int>(walks.states.size());
    if (static_cast<int>(seen_.size()) < count) seen_.resize(count), next_.resize(count);
    int first = count;  // no state before has events that are still to be followed
    const int least = ends[0].first == count - 1 ? count - 1 : 0;  // the last one leads to itself
    std::fill(seen_.begin() + least, seen_.begin() + count, Bits{});
    std::fill(next_.begin() + least, next_.begin() + count, Bits{});
    for (const auto& [start, goal] : ends) {
        next_[start].set(e);
        first = std::min(first, start);
    }
    while (first < count) {
        const int state = first++;
        if (!next_[state].any()) continue;
        const Bits events = next_[state];
        next_[state] = {};
        for (const Walks::Step& step : walks.states[state]) {
            const int k = checks_.nodes[step.node].kept;
            Bits to, from = events & g.class_bits[step.set];
            // Of a transitive relation, what is reached leads to nothing else. The last events are behind most others.
            for (int x; (x = step.backwards ? from.last() : from.first()) >= 0;) {
                const Bits& more = step.backwards ? kept.of(x)[k].before : kept.of(x)[k].after;
                to |= more;
                from.reset(x);
                if (step.transitive) from -= more;
            }
            for (int target : step.states) {
                const Bits more = to - seen_[target];
                if (!more.any()) continue;
                seen_[target] |= more;
                next_[target] |= more;
                first = std::min(first, target);
                if (!more.test(e)) continue;
                for (const auto& pair : ends)
                    if (pair.second == target) return true;
            }
        }
    }
    return false;
}

}  // namespace xgen
