#include "search.hpp"

#include <numeric>

#include "instance.hpp"

namespace xgen::cubes {

using Clock = std::chrono::steady_clock;

namespace {

Chain identity(int count) {
    Chain all(count);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace

Search::Search(System system, Instances instances) : system_(std::move(system)), instances_(std::move(instances)) {
    for (const Property& invariant : system_.invariants)
        cubes_of(system_, invariant, [&](Cube&& cube, Origin&&) { nodes_.push_back({std::move(cube), NodeKind::INVARIANT, -1, 0, {}, {}}); });
    for (std::size_t n = 0; n < system_.unsafe.size(); ++n)
        cubes_of(system_, system_.unsafe[n], [&](Cube&& cube, Origin&& origin) {
            origin.rule = int(n);
            pending_.emplace_back(std::move(cube), std::move(origin));
        });
    std::reverse(pending_.begin(), pending_.end());
}

End Search::run(double seconds, std::size_t max_cubes) {
    const auto until = Clock::now() + std::chrono::duration<double>(seconds);
    reached_ = -1;
    while (true) {
        while (!pending_.empty()) {
            auto [cube, origin] = std::move(pending_.back());
            pending_.pop_back();
            ++images_;
            add(std::move(cube), current_ < 0 ? NodeKind::UNSAFE : NodeKind::FOUND, current_, std::move(origin));
            if (reached_ >= 0) return End::REACHED;
            if (Clock::now() > until) return End::TIME;
        }
        if (waiting_.empty()) return End::SAFE;
        if (nodes_.size() >= max_cubes) return End::CUBES;
        if (Clock::now() > until) return End::TIME;
        current_ = waiting_.top().node;
        waiting_.pop();
        for (std::size_t t = 0; t < system_.transitions.size(); ++t)
            preimages(system_, nodes_[current_].cube, int(t),
                      [&](Cube&& cube, Origin&& origin) { pending_.emplace_back(std::move(cube), std::move(origin)); });
        std::reverse(pending_.begin(), pending_.end());
    }
}

void Search::add(Cube&& cube, NodeKind kind, int parent, Origin&& origin) {
    const Moved all{identity(cube.processes), identity(cube.times())};
    const std::optional<Covering> by = covering(cube);
    const bool known = by && nodes_[by->first].kind == NodeKind::INVARIANT;
    if (!known && meets_init(system_, cube)) {
        reached_ = int(nodes_.size());
        return keep(std::move(cube), kind, parent, origin, all);
    }
    std::vector<Covering> some = by ? std::vector{*by} : together(cube);
    if (!some.empty()) {
        ++covered_;
        for (const Covering& c : some) note(parent, origin, c);
        return;
    }
    std::vector<Guess> guesses = instances_.guesses(system_, cube);
    for (Guess& guess : guesses) keep(std::move(guess.cube), NodeKind::APPROXIMATION, parent, origin, guess.to);
    if (guesses.empty()) keep(std::move(cube), kind, parent, origin, all);
}

void Search::keep(Cube&& cube, NodeKind kind, int parent, const Origin& origin, const Moved& to) {
    const int number = int(nodes_.size());
    note(parent, origin, {number, to});
    const int depth = parent < 0 ? 0 : nodes_[parent].depth + 1;
    nodes_.push_back({std::move(cube), kind, parent, depth, origin, {}});
    // Small ones first, but none of them for ever: cubes of growing numbers stay small.
    waiting_.push({60 * nodes_.back().cube.processes + 10 * nodes_.back().cube.size() + 3 * depth, number});
}

void Search::note(int parent, const Origin& origin, const Covering& covering) {
    const auto& [node, moved] = covering;
    const Places& kept = origin.to.processes;
    Places numbers(kept.size(), -1);
    int next = 0;
    for (const int p : origin.from) numbers[p] = next++;
    for (const int p : origin.arguments)
        if (numbers[p] < 0) numbers[p] = next++;
    for (int& n : numbers)
        if (n < 0) n = next++;
    const auto before = [](const Chain& to, int now) { return int(std::find(to.begin(), to.end(), now) - to.begin()); };
    Hint hint{origin.transition, origin.rule, node};
    for (std::size_t k = 0; k < origin.arguments.size(); ++k) hint.arguments.at(k) = std::int8_t(numbers[origin.arguments[k]]);
    for (std::size_t k = 0; k < moved.processes.size(); ++k) hint.places.at(k) = std::int8_t(numbers[before(kept, moved.processes[k])]);
    for (const int t : moved.times) hint.times.push_back(std::int8_t(t < 0 ? -1 : before(origin.to.times, t)));
    (parent < 0 ? unsafe_ : nodes_[parent].covers).push_back(std::move(hint));
}

Facts Search::closed(const Cube& cube) const { return Facts(system_, cube.literals, cube.processes, everybody(system_, cube.processes)); }

std::optional<Search::Covering> Search::covering(const Cube& cube) const {
    const Facts facts = closed(cube);
    Moved to;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
        if (covers(system_, nodes_[n].cube, cube, facts, to)) return Covering{int(n), std::move(to)};
    return {};
}

// What is in none of them: as long as one literal tells it from what is in one of them, it is the cube with one more.
std::vector<Search::Covering> Search::together(const Cube& cube) const {
    Cube rest = cube;
    std::vector<Covering> used;
    std::optional<Facts> facts(closed(rest));
    std::size_t unchanged = 0;
    for (std::size_t n = 0; unchanged < nodes_.size(); n = (n + 1) % nodes_.size(), ++unchanged) {
        const std::vector<Missing> ways = nearly(system_, nodes_[n].cube, rest, *facts);
        if (ways.empty()) continue;
        for (const Missing& way : ways) {
            used.emplace_back(int(n), way.to);
            if (!way.literal) return used;
            const Literals no = negated(system_, *way.literal, rest.processes);
            rest.literals.insert(rest.literals.end(), no.begin(), no.end());
        }
        unchanged = 0;
        facts.emplace(closed(rest));
        if (!facts->consistent()) return used;
        rest.literals = facts->literals();
        sign(system_, rest);
    }
    return {};
}

}  // namespace xgen::cubes
