#include "emptiness.hpp"

#include <chrono>
#include <deque>
#include <unordered_map>

namespace xgen::states {

Emptiness::Emptiness(System system, Automaton automaton)
    : system_(std::move(system)),
      automaton_(std::move(automaton)),
      successors_(system_),
      all_(0),
      words_(successors_.words()),
      packing_(successors_.ranges()),
      table_(1024) {
    const int marks = automaton_.marks + successors_.marks();
    all_ = marks == 64 ? ~0ULL : (1ULL << marks) - 1;
}

// The numbers of some states. What is looked at is far apart in memory: it is asked for before it is needed.
void Emptiness::intern(const std::vector<Word>& states, std::vector<std::int32_t>& numbers) {
    const std::size_t count = states.size() / words_, bytes = packing_.bytes();
    packed_.resize(count * bytes);
    tags_.resize(count);
    numbers.clear();
    const std::size_t mask = table_.size() - 1;
    for (std::size_t n = 0; n < count; ++n) {
        packing_.pack(states.data() + n * words_, packed_.data() + n * bytes);
        tags_[n] = packing_.hash(packed_.data() + n * bytes);
        __builtin_prefetch(&table_[tags_[n] & mask]);
    }
    for (std::size_t n = 0; n < count; ++n) {
        const Slot& slot = table_[tags_[n] & mask];
        if (slot.number >= 0) __builtin_prefetch(arena_.data() + slot.number * bytes);
    }
    for (std::size_t n = 0; n < count; ++n)
        numbers.push_back(intern(states.data() + n * words_, packed_.data() + n * bytes, tags_[n]));
}

std::int32_t Emptiness::intern(const Word* state, const std::uint8_t* packed, std::uint32_t tag) {
    const std::size_t mask = table_.size() - 1, bytes = packing_.bytes();
    std::size_t at = tag & mask;
    for (; table_[at].number >= 0; at = (at + 1) & mask)
        if (table_[at].tag == tag && std::equal(packed, packed + bytes, arena_.data() + table_[at].number * bytes)) return table_[at].number;
    const auto number = static_cast<std::int32_t>(count_++);
    table_[at] = {tag, number};
    arena_.insert(arena_.end(), packed, packed + bytes);
    holds_.push_back(successors_.propositions(state));
    order_.resize(count_ * automaton_.edges.size(), 0);
    if (2 * count_ > table_.size()) grow();
    return number;
}

void Emptiness::grow() {
    std::vector<Slot> bigger(2 * table_.size());
    const std::size_t mask = bigger.size() - 1;
    for (const Slot& slot : table_) {
        if (slot.number < 0) continue;
        std::size_t at = slot.tag & mask;
        while (bigger[at].number >= 0) at = (at + 1) & mask;
        bigger[at] = slot;
    }
    table_ = std::move(bigger);
}

std::vector<Word> Emptiness::state(std::int64_t node) const {
    std::vector<Word> words(words_);
    packing_.unpack(arena_.data() + node / static_cast<std::int64_t>(automaton_.edges.size()) * packing_.bytes(), words.data());
    return words;
}

// The edges of a node of the product: a state, times the automaton's states, plus one of these. False: a fault.
bool Emptiness::expand(std::int64_t node, std::vector<Edge>& edges) {
    const auto automata = static_cast<std::int64_t>(automaton_.edges.size());
    const std::int64_t state = node / automata;
    here_.resize(words_);
    packing_.unpack(arena_.data() + state * packing_.bytes(), here_.data());
    if (!successors_.of(here_.data(), steps_, after_)) {
        faulty_ = node;
        return false;
    }
    intern(after_, numbers_);
    if (successors_.fault != Fault::NONE) {  // a proposition has no value
        faulty_ = node;
        return false;
    }
    for (const Automaton::Edge& e : automaton_.edges[node % automata]) {
        if ((holds_[state] & e.holds) != e.holds || (holds_[state] & e.fails) != 0) continue;
        for (std::size_t n = 0; n < steps_.size(); ++n)
            edges.push_back({numbers_[n] * automata + e.to, e.marks | steps_[n].marks, steps_[n]});
    }
    return true;
}

// BUDGET: the search goes on.
Emptiness::End Emptiness::enter(std::int64_t node, std::uint64_t marks) {
    order_[node] = ++last_;
    ++nodes_;
    live_.push_back(node);
    roots_.push_back({last_, 0, marks});
    stack_.push_back({node, {}, 0});
    if (!expand(node, stack_.back().edges)) return End::FAULT;
    return accepts_all(node) ? End::ACCEPTED : End::BUDGET;
}

// ------------------------------------------------------------------------------------------------------------------------
// run: the search, resumable.
//   in      seconds and states that it may take
//   out     EMPTY: no run is accepted. ACCEPTED: one is; prefix() and cycle() show it. FAULT: a step goes wrong.
//   before  numbers of live nodes grow along the stack; roots_ holds the parts of the live nodes, each with the marks of the
//           edges inside it and of the edge that led into it
//   after   the same
// ------------------------------------------------------------------------------------------------------------------------
Emptiness::End Emptiness::run(double seconds, std::size_t limit) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    if (last_ == 0) {
        std::vector<Word> first = system_.initial;
        first.resize(words_, 0);
        intern(first, numbers_);
        if (const End e = enter(0, 0); e != End::BUDGET) return found(e);
    }
    for (std::size_t turns = 1; !stack_.empty(); ++turns) {
        if (turns % 1024 == 0 && std::chrono::steady_clock::now() > end) return End::BUDGET;
        if (count_ > limit) return End::STATES;
        Frame& frame = stack_.back();
        if (frame.next == frame.edges.size()) {
            const std::int64_t node = frame.node;
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
        const Edge edge = frame.edges[frame.next++];
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

bool Emptiness::accepts_all(std::int64_t node) const {
    return automaton_.accepts_all(static_cast<std::int32_t>(node % static_cast<std::int64_t>(automaton_.edges.size())));
}

// The shortest way from a node over an edge that is a goal: INSIDE, among the live nodes from the last root on; SEEN, among
// those that the search has met. None where it takes a look at more than so many nodes.
template <class Goal>
std::vector<Emptiness::Edge> Emptiness::way(std::int64_t from, Where where, std::size_t most, Goal&& goal) {
    std::unordered_map<std::int64_t, std::pair<std::int64_t, Edge>> parent;
    std::deque<std::int64_t> queue{from};
    const auto back = [&](std::int64_t node, const Edge& last) {
        std::vector<Edge> edges{last};
        for (; node != from; node = parent.at(node).first) edges.push_back(parent.at(node).second);
        std::reverse(edges.begin(), edges.end());
        return edges;
    };
    for (; !queue.empty() && most > 0; --most) {
        const std::int64_t node = queue.front();
        queue.pop_front();
        std::vector<Edge> edges;
        if (!expand(node, edges)) continue;
        for (const Edge& e : edges) {
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
std::vector<Emptiness::Edge> Emptiness::prefix(Goal&& goal) {
    std::vector<Edge> edges = way(0, Where::ANYWHERE, SHORT, goal);
    if (edges.empty()) edges = way(0, Where::SEEN, nodes_ + 1, goal);
    return edges;
}

void Emptiness::show(std::vector<Moment>& moments, const std::vector<Edge>& edges) const {
    for (const Edge& e : edges) moments.push_back({e.step, state(e.to)});
}

Emptiness::End Emptiness::found(End end) {
    shown_states_ = count_;
    const Fault fault = successors_.fault;
    const int culprit = successors_.culprit;
    const bool waited = successors_.waited;
    find_lasso(end);
    successors_.fault = fault;
    successors_.culprit = culprit;
    successors_.waited = waited;
    return end;
}

void Emptiness::find_lasso(End end) {
    prefix_.push_back({{}, state(0)});
    if (end == End::FAULT) {
        const std::int64_t goal = faulty_;
        if (goal != 0) show(prefix_, prefix([&](const Edge& e) { return e.to == goal; }));
        return;
    }
    if (accepts_all(stack_.back().node)) {
        // What leads into such a node has decided before it was made.
        if (stack_.back().node != 0) show(prefix_, prefix([&](const Edge& e) { return accepts_all(e.to); }));
        if (prefix_.size() > 1) prefix_.pop_back();
        return;
    }
    std::int64_t at = 0;
    if (!is_inside(0)) {
        const std::vector<Edge> edges = prefix([&](const Edge& e) { return is_inside(e.to); });
        show(prefix_, edges);
        at = edges.back().to;
    }
    const std::int64_t first = at;
    for (std::uint64_t missing = all_; missing != 0 || at != first || cycle_.empty();) {
        const std::vector<Edge> edges =
            way(at, Where::INSIDE, nodes_ + 1, [&](const Edge& e) { return missing ? (e.marks & missing) != 0 : e.to == first; });
        for (const Edge& e : edges) missing &= ~e.marks;
        show(cycle_, edges);
        at = edges.back().to;
    }
}

}  // namespace xgen::states
