#include "instances.hpp"

namespace xgen::cubes {

std::optional<Cube> Instances::candidate(const System& system, const Cube& cube) const {
    if (values_.empty() && numbers_.empty()) return std::nullopt;
    Literals usable;
    const auto now = [](Term t) { return t.tag() == Term::CELL || t.tag() == Term::ZERO; };
    for (const Literal& l : cube.literals) {
        if (!now(l.a) || !now(l.b)) continue;
        const Sort sort = l.a.tag() == Term::ZERO ? Sort::INT : system.arrays[l.a.array()].sort;
        if (l.kind == Literal::IN && (sort == Sort::ENUM || sort == Sort::PROC)) usable.push_back(l);
        // How far apart numbers are depends on how many processes there are; that one is less than the other does not.
        if (l.kind == Literal::LE) usable.push_back({l.kind, l.a, l.b, std::max<std::int64_t>(l.c, -1)});
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
    return numbers_.empty() ? std::nullopt : least(system, cube, usable);
}

// What takes more conditions, as with numbers that are the same: all of them, less those that can be done without.
std::optional<Cube> Instances::least(const System& system, const Cube& cube, Literals literals) const {
    std::optional<Cube> found = made(system, cube, literals);
    for (std::size_t n = literals.size(); n-- > 0;) {
        Literals fewer = literals;
        fewer.erase(fewer.begin() + std::ptrdiff_t(n));
        if (auto better = made(system, cube, fewer)) {
            found = std::move(better);
            literals = std::move(fewer);
        }
    }
    return found;
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

States Instances::states_of_numbers(const System& system, const Literal& l) const {
    const auto numbers = [&](Term t) { return t.tag() == Term::ZERO ? nullptr : &numbers_.at(t.raw()); };
    const std::vector<std::int64_t>* const a = numbers(l.a);
    const std::vector<std::int64_t>* const b = numbers(l.b);
    const std::size_t count = (a ? a : b)->size();
    const bool real = system.arrays[(a ? l.a : l.b).array()].sort == Sort::REAL;
    States found((count + 63) / 64, 0);
    for (std::size_t n = 0; n < count; ++n) {
        const std::int64_t difference = (a ? (*a)[n] : 0) - (b ? (*b)[n] : 0);
        if ((real ? 2 * difference : difference) <= l.c) found[n / 64] |= std::uint64_t(1) << n % 64;
    }
    return found;
}

States Instances::states(const System& system, const Literal& l, int processes) const {
    if (l.kind == Literal::LE) return states_of_numbers(system, l);
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
