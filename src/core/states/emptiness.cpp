#include "emptiness.hpp"

#include <chrono>
#include <deque>
#include <limits>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace xgen::states {

Emptiness::Emptiness(System system, Automaton automaton, int workers)
    : system_(std::move(system)), automaton_(std::move(automaton)), store_(system_, workers, automaton_.edges.size() > 1), looks_on_(system_.can_fail()) {
    const int marks = automaton_.marks + Successors(system_).marks();
    all_ = marks == 64 ? ~0ULL : (1ULL << marks) - 1;
    meet(0);
}

// The search comes to a state, for the first time perhaps.
void Emptiness::meet(std::int32_t number) {
    const auto n = static_cast<std::size_t>(number);
    if (n >= met_.size()) {
        met_.resize(std::max(n + 1, 2 * met_.size()));
        order_.resize(met_.size() * automaton_.edges.size(), 0);
    }
    if (met_[n] != Met::NO) return;
    met_[n] = Met::MET;
    ++states_;
    if (looks_on_) left_.push_back(number);
    store_.prepare(number);
}

// Calls `use` for the edges of a node of the product: a state, times the automaton's states, plus one of these; with a node,
// marks, and the step. False: a fault.
template <class Use>
bool Emptiness::expand(std::int64_t node, Use&& use) {
    const Expansion& expansion = store_.expand(static_cast<std::int32_t>(node / automata()));
    waited_ |= expansion.waited;
    doubtful_ |= expansion.doubtful;
    if (expansion.fault != Fault::NONE) {
        faulty_ = node;
        fault_ = expansion.fault;
        culprit_ = expansion.culprit;
        return false;
    }
    for (std::int32_t n = 0; n < expansion.count; ++n) meet(expansion.steps[n].to);
    if (plain_) {
        for (std::int32_t n = 0; n < expansion.count; ++n) use(expansion.steps[n].to * automata(), 0, expansion.steps[n]);
        return true;
    }
    for (const Automaton::Edge& e : automaton_.edges[node % automata()]) {
        if ((expansion.holds & e.holds) != e.holds || (expansion.holds & e.fails) != 0) continue;
        for (std::int32_t n = 0; n < expansion.count; ++n) {
            const Step& step = expansion.steps[n];
            use(step.to * automata() + e.to, e.marks | expansion.marks | store_.marks(step), step);
        }
    }
    return true;
}

// Other workers may run ahead, but not too far.
void Emptiness::allow(std::size_t limit) { store_.allow(std::min(limit, AHEAD * (states_ + 100'000))); }

// BUDGET: the search goes on.
Emptiness::End Emptiness::enter(std::int64_t node, std::uint64_t marks) {
    order_[node] = ++last_;
    met_[static_cast<std::size_t>(node / automata())] = Met::EXPANDED;
    ++nodes_;
    live_.push_back(node);
    roots_.push_back({last_, 0, marks});
    stack_.push_back({node, edges_.size(), edges_.size()});
    const bool right = expand(node, [this](std::int64_t to, std::uint64_t edge_marks, const Step&) {
        __builtin_prefetch(&order_[to]);
        edges_.push_back({to, edge_marks});
    });
    if (!right) return End::FAULT;
    return accepts_all(node) ? End::ACCEPTED : End::BUDGET;
}

// ------------------------------------------------------------------------------------------------------------------------
// search: resumable.
//   in      seconds and states that it may take
//   out     EMPTY: no run is accepted. ACCEPTED: one is; prefix() and cycle() show it. FAULT: a step goes wrong.
//   before  numbers of live nodes grow along the stack; roots_ holds the parts of the live nodes, each with the marks of the
//           edges inside it and of the edge that led into it
//   after   the same
// ------------------------------------------------------------------------------------------------------------------------
Emptiness::End Emptiness::search(double seconds, std::size_t limit) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    allow(limit);
    const Store::Helpers helpers(store_);
    if (last_ == 0)
        if (const End e = enter(0, 0); e != End::BUDGET) return found(e);
    for (std::size_t turns = 1; !stack_.empty(); ++turns) {
        if (turns % 1024 == 0) {
            allow(limit);
            if (std::chrono::steady_clock::now() > end) return End::BUDGET;
        }
        if (states_ > limit) return End::STATES;
        Frame& frame = stack_.back();
        if (frame.next == edges_.size()) {
            const std::int64_t node = frame.node;
            edges_.resize(frame.first);
            stack_.pop_back();
            if (roots_.back().number != order_[node]) continue;
            roots_.pop_back();
            for (std::int64_t left = -1; left != node;) {
                left = live_.back();
                live_.pop_back();
                order_[left] = -1;
            }
            continue;
        }
        const Edge edge = edges_[frame.next++];
        ++transitions_;
        if (order_[edge.to] == 0) {
            if (const End e = enter(edge.to, edge.marks); e != End::BUDGET) return found(e);
        } else if (order_[edge.to] > 0) {
            std::uint64_t marks = edge.marks;
            while (roots_.back().number > order_[edge.to]) {
                marks |= roots_.back().inside | roots_.back().before;
                roots_.pop_back();
            }
            roots_.back().inside |= marks;
            if (roots_.back().inside == all_) return found(End::ACCEPTED);
        }
    }
    return End::EMPTY;
}

Emptiness::End Emptiness::run(double seconds, std::size_t limit) {
    const auto start = std::chrono::steady_clock::now();
    if (!plain_) {
        end_ = search(seconds, limit);
        if (end_ != End::EMPTY || !looks_on_) return end_;
        plain_ = true;
        store_.forget_propositions();
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    return end_ = look_on(seconds - spent.count(), limit);
}

// Expands the states that no run which is still open has come to: something may go wrong there. Resumable.
Emptiness::End Emptiness::look_on(double seconds, std::size_t limit) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (std::size_t turns = 1; !left_.empty(); ++turns) {
        if (turns % 1024 == 0 && std::chrono::steady_clock::now() > end) return End::BUDGET;
        if (states_ > limit) return End::STATES;
        const std::int32_t number = left_.back();
        left_.pop_back();
        if (std::exchange(met_[static_cast<std::size_t>(number)], Met::EXPANDED) == Met::EXPANDED) continue;
        if (!expand(number * automata(), [](std::int64_t, std::uint64_t, const Step&) {})) return found(End::FAULT);
    }
    return End::EMPTY;
}

bool Emptiness::accepts_all(std::int64_t node) const {
    return automaton_.accepts_all(static_cast<std::int32_t>(node % static_cast<std::int64_t>(automaton_.edges.size())));
}

// The shortest way from a node over an edge that is a goal: INSIDE, among the live nodes from the last root on; SEEN, among
// those that the search has met. None where it takes a look at more than so many nodes.
template <class Goal>
std::vector<Emptiness::Taken> Emptiness::way(std::int64_t from, Where where, std::size_t most, Goal&& goal) {
    std::unordered_map<std::int64_t, std::pair<std::int64_t, Taken>> parent;
    std::deque<std::int64_t> queue{from};
    const auto back = [&](std::int64_t node, const Taken& last) {
        std::vector<Taken> edges{last};
        for (; node != from; node = parent.at(node).first) edges.push_back(parent.at(node).second);
        std::reverse(edges.begin(), edges.end());
        return edges;
    };
    for (; !queue.empty() && most > 0; --most) {
        const std::int64_t node = queue.front();
        queue.pop_front();
        std::vector<Taken> edges;
        expand(node, [&](std::int64_t to, std::uint64_t marks, const Step& step) { edges.push_back({to, marks, step}); });
        for (const Taken& e : edges) {
            if (where == Where::SEEN && order_[e.to] == 0) continue;
            if (where == Where::INSIDE && !is_inside(e.to)) continue;
            if (goal(e)) return back(node, e);
            if (e.to != from && parent.try_emplace(e.to, node, e).second) queue.push_back(e.to);
        }
    }
    return {};
}

// The way from the start to a goal; a shorter one than the search has gone, if that is not far to look for.
template <class Goal>
std::vector<Emptiness::Taken> Emptiness::prefix(Goal&& goal) {
    if (plain_) return way(0, Where::ANYWHERE, std::numeric_limits<std::size_t>::max(), goal);
    std::vector<Taken> edges = way(0, Where::ANYWHERE, SHORT, goal);
    if (edges.empty()) edges = way(0, Where::SEEN, nodes_ + 1, goal);
    return edges;
}

void Emptiness::show(std::vector<Moment>& moments, const std::vector<Taken>& edges) {
    for (const Taken& e : edges) moments.push_back({e.step, state(e.to)});
}

Emptiness::End Emptiness::found(End end) {
    // Looking for a shorter way meets more than the search has.
    const auto seen = std::tuple(states_, waited_, doubtful_, fault_, culprit_);
    find_lasso(end);
    std::tie(states_, waited_, doubtful_, fault_, culprit_) = seen;
    return end;
}

void Emptiness::find_lasso(End end) {
    prefix_.push_back({{}, state(0)});
    if (end == End::FAULT) {
        const std::int64_t goal = faulty_;
        if (goal != 0) show(prefix_, prefix([&](const Taken& e) { return e.to == goal; }));
        return;
    }
    if (accepts_all(stack_.back().node)) {
        // What leads into such a node has decided before it was made.
        if (stack_.back().node != 0) show(prefix_, prefix([&](const Taken& e) { return accepts_all(e.to); }));
        if (prefix_.size() > 1) prefix_.pop_back();
        return;
    }
    std::int64_t at = 0;
    if (!is_inside(0)) {
        const std::vector<Taken> edges = prefix([&](const Taken& e) { return is_inside(e.to); });
        show(prefix_, edges);
        at = edges.back().to;
    }
    const std::int64_t first = at;
    for (std::uint64_t missing = all_; missing != 0 || at != first || cycle_.empty();) {
        const std::vector<Taken> edges =
            way(at, Where::INSIDE, nodes_ + 1, [&](const Taken& e) { return missing ? (e.marks & missing) != 0 : e.to == first; });
        for (const Taken& e : edges) missing &= ~e.marks;
        show(cycle_, edges);
        at = edges.back().to;
    }
}

}  // namespace xgen::states
