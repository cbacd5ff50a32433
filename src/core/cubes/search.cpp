#include "search.hpp"

#include "instance.hpp"

namespace xgen::cubes {

using Clock = std::chrono::steady_clock;

Search::Search(System system, Instances instances) : system_(std::move(system)), instances_(std::move(instances)) {
    for (const Property& invariant : system_.invariants)
        for (Cube& cube : cubes_of(system_, invariant)) nodes_.push_back({std::move(cube), NodeKind::INVARIANT, -1, 0, {}, {}});
    for (std::size_t n = 0; n < system_.unsafe.size(); ++n)
        for (Cube& cube : cubes_of(system_, system_.unsafe[n])) pending_.emplace_back(std::move(cube), Origin{.rule = int(n)});
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
    const int transition = origin.transition;
    const auto note = [&](int node) {
        if (parent >= 0) nodes_[parent].covers.emplace(transition, node);
    };
    const int by = covering(cube);
    const bool known = by >= 0 && nodes_[by].kind == NodeKind::INVARIANT;
    const int number = int(nodes_.size());
    if (!known && meets_init(system_, cube)) {
        reached_ = number;
    } else if (by >= 0) {
        ++covered_;
        return note(by);
    } else if (const std::vector<int> some = together(cube); !some.empty()) {
        ++covered_;
        for (const int n : some) note(n);
        return;
    } else if (auto general = instances_.candidate(system_, cube)) {
        cube = std::move(*general);
        kind = NodeKind::APPROXIMATION;
    }
    note(number);
    const int depth = parent < 0 ? 0 : nodes_[parent].depth + 1;
    nodes_.push_back({std::move(cube), kind, parent, depth, std::move(origin), {}});
    // Small ones first, but none of them for ever: cubes of growing numbers stay small.
    waiting_.push({60 * nodes_.back().cube.processes + 10 * nodes_.back().cube.size() + 3 * depth, number});
}

int Search::covering(const Cube& cube) const {
    const Facts facts(system_, cube.literals, cube.processes, everybody(system_, cube.processes));
    Covering found;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
        if (covers(system_, nodes_[n].cube, cube, facts, found)) return int(n);
    return -1;
}

// What is in none of them: as long as one literal tells it from what is in one of them, it is the cube with one more.
std::vector<int> Search::together(const Cube& cube) const {
    Cube rest = cube;
    std::vector<int> used;
    const auto known = [&] { return Facts(system_, rest.literals, rest.processes, everybody(system_, rest.processes)); };
    std::optional<Facts> facts(known());
    std::size_t unchanged = 0;
    for (std::size_t n = 0; unchanged < nodes_.size(); n = (n + 1) % nodes_.size(), ++unchanged) {
        Literals missing;
        const bool within = !apart(system_, nodes_[n].cube, rest, *facts, missing);
        if (!within && missing.empty()) continue;
        used.push_back(int(n));
        if (within) return used;
        for (const Literal& l : missing) {
            const Literals no = negated(system_, l, rest.processes);
            rest.literals.insert(rest.literals.end(), no.begin(), no.end());
        }
        unchanged = 0;
        facts.emplace(known());
        if (!facts->consistent()) return used;
        rest.literals = facts->literals();
        sign(system_, rest);
    }
    return {};
}

}  // namespace xgen::cubes
