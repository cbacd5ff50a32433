#include "instances.hpp"

namespace xgen::cubes {

std::optional<Cube> Instances::candidate(const System& system, const Cube& cube) const {
    if (values_.empty()) return std::nullopt;
    Literals usable;
    for (const Literal& l : cube.literals) {
        const Sort sort = l.a.tag() == Term::ZERO ? Sort::INT : system.arrays[l.a.array()].sort;
        if (l.kind == Literal::IN && l.a.tag() == Term::CELL && (sort == Sort::ENUM || sort == Sort::PROC)) usable.push_back(l);
    }
    const std::size_t n = usable.size();
    for (std::size_t a = 0; a < n; ++a)
        if (auto found = made(system, cube, {usable[a]})) return found;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b)
            if (auto found = made(system, cube, {usable[a], usable[b]})) return found;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b)
            for (std::size_t c = b + 1; c < n; ++c)
                if (auto found = made(system, cube, {usable[a], usable[b], usable[c]})) return found;
    return std::nullopt;
}

std::optional<Cube> Instances::made(const System& system, const Cube& cube, const Literals& literals) const {
    Cube smaller;
    smaller.processes = cube.processes;
    smaller.literals = literals;
    smaller.chains.resize(cube.processes);
    Places to;
    if (!normalise(system, smaller, to) || smaller.processes > processes_) return std::nullopt;
    // In an order, a state speaks of processes at certain places; only where it has no others are they these.
    if (system.ordered && smaller.processes < processes_) return std::nullopt;
    if (smaller.literals == cube.literals && smaller.processes == cube.processes && !cube.times()) return std::nullopt;
    if (satisfied(system, smaller) || meets_init(system, smaller)) return std::nullopt;
    if (std::find(bad_.begin(), bad_.end(), smaller) != bad_.end()) return std::nullopt;
    return smaller;
}

bool Instances::satisfied(const System& system, const Cube& cube) const {
    States all;
    for (const Literal& l : cube.literals) {
        States some = states(system, l, cube.processes);
        if (all.empty()) all = std::move(some);
        else
            for (std::size_t w = 0; w < all.size(); ++w) all[w] &= some[w];
    }
    return std::any_of(all.begin(), all.end(), [](std::uint64_t w) { return w != 0; });
}

States Instances::states(const System& system, const Literal& l, int processes) const {
    const std::vector<States>& values = values_.at(l.a.raw());
    States found(values.at(0).size(), 0);
    for (std::size_t v = 0; v < values.size(); ++v) {
        const bool other = system.arrays[l.a.array()].sort == Sort::PROC && int(v) >= processes;
        if (!(l.mask() >> (other ? 63 : v) & 1)) continue;
        for (std::size_t w = 0; w < found.size(); ++w) found[w] |= values[v][w];
    }
    return found;
}

}  // namespace xgen::cubes
