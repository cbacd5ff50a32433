#include "instances.hpp"

#include <set>

namespace xgen::cubes {

namespace {

constexpr std::size_t MAX_PARTS = 16;  // of which three are chosen in all ways

// What can be said of states that are stored.
bool stored(const System& system, const Literal& l) {
    if (l.a.kind() == Term::HIDDEN || l.b.kind() == Term::HIDDEN) return false;
    if (l.kind == Literal::LE) return true;
    const Sort sort = l.a.kind() == Term::ZERO ? Sort::INT : system.arrays[l.a.array()].sort;
    return l.kind == Literal::IN && (sort == Sort::ENUM || sort == Sort::PROC);
}

bool of_memory(const Literal& l) { return l.a.kind() != Term::READ && l.b.kind() != Term::READ; }

// How far apart numbers are depends on how many processes there are; that one is less than the other does not.
Literal blurred(const Literal& l) { return l.kind == Literal::LE ? Literal{l.kind, l.a, l.b, std::max<std::int64_t>(l.c, -1)} : l; }

// Where what is somewhere came from.
std::vector<int> inverse(const std::vector<int>& to) {
    std::vector<int> from;
    for (std::size_t n = 0; n < to.size(); ++n) {
        if (to[n] < 0) continue;
        from.resize(std::max(from.size(), std::size_t(to[n]) + 1));
        from[to[n]] = int(n);
    }
    return from;
}

Literal turned(const Literal& l) { return {Literal::LE, l.b, l.a, -l.c}; }

}  // namespace

std::vector<Guess> Instances::guesses(const System& system, const Cube& cube) const {
    if (values_.empty() && numbers_.empty()) return {};
    Parts parts, memory;
    for (const Literal& l : cube.literals) {
        if (!stored(system, l)) continue;
        parts.push_back({blurred(l)});
        if (of_memory(l)) memory.push_back({blurred(l)});
    }
    if (auto found = few(system, cube, memory)) return {*std::move(found)};
    if (numbers_.empty()) return {};
    if (auto found = few(system, cube, parts)) return {*std::move(found)};
    if (std::vector<Guess> found = split(system, cube); !found.empty()) return found;
    if (auto found = least(system, cube, std::move(parts))) return {*std::move(found)};
    return {};
}

// Up to three conditions.
std::optional<Guess> Instances::few(const System& system, const Cube& cube, const Parts& parts) const {
    const std::size_t n = parts.size();
    for (std::size_t a = 0; a < n; ++a)
        if (auto found = made(system, cube, {&parts[a]})) return found;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b)
            if (auto found = made(system, cube, {&parts[a], &parts[b]})) return found;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b)
            for (std::size_t c = b + 1; c < n; ++c)
                if (auto found = made(system, cube, {&parts[a], &parts[b], &parts[c]})) return found;
    return std::nullopt;
}

// One number is less than another, equal to it, or more: often each is impossible for a reason of its own.
std::vector<Guess> Instances::split(const System& system, const Cube& cube) const {
    const Facts facts(system, cube.literals, cube.processes, everybody(system, cube.processes));
    Literals bounds = facts.bounds();
    std::set<Term> numbers;
    for (const Literal& l : bounds) numbers.insert({l.a, l.b});
    for (const Term a : numbers)
        for (const Term b : numbers)
            if (a < b && a.array() == b.array() && std::none_of(bounds.begin(), bounds.end(), [&](const Literal& l) {
                    return (l.a == a && l.b == b) || (l.a == b && l.b == a);
                }))
                bounds.push_back({Literal::LE, a, b, 0});
    for (const Literal& l : bounds) {
        // What is said of constants depends on how many processes there are.
        if (!stored(system, l) || l.a.kind() == Term::ZERO || l.b.kind() == Term::ZERO) continue;
        if (l.c % 2 != 0 && system.arrays[l.a.array()].sort == Sort::REAL) continue;  // less anyway
        const Literal less{Literal::LE, l.a, l.b, l.c - 1}, more{Literal::LE, l.b, l.a, -l.c - 1};
        std::vector<Guess> found;
        bool all = true;
        for (const Literals& part : {Literals{less}, Literals{l, turned(l)}, Literals{more}}) {
            Cube some = cube;
            some.literals.insert(some.literals.end(), part.begin(), part.end());
            const Facts known(system, some.literals, some.processes, everybody(system, some.processes));
            if (!known.consistent()) continue;
            auto guess = all ? of_part(system, cube, known) : std::nullopt;
            all &= guess.has_value();
            if (guess) found.push_back(*std::move(guess));
        }
        if (all && found.size() > 1) return found;
    }
    return {};
}

// Of a part of a cube, in which more is known of numbers.
std::optional<Guess> Instances::of_part(const System& system, const Cube& cube, const Facts& facts) const {
    Parts parts;
    for (const Literal& l : cube.literals)
        if (l.kind != Literal::LE && stored(system, l)) parts.push_back({l});
    for (const Literal& l : facts.bounds()) {
        if (!stored(system, l)) continue;
        parts.push_back({blurred(l)});
        if (l.a < l.b && facts.implies(turned(l))) parts.push_back({l, turned(l)});
    }
    return parts.size() <= MAX_PARTS ? few(system, cube, parts) : std::nullopt;
}

// What takes more conditions: all of them, less those that can be done without.
std::optional<Guess> Instances::least(const System& system, const Cube& cube, Parts parts) const {
    const auto all = [&] {
        std::vector<const Literals*> some;
        for (const Literals& part : parts) some.push_back(&part);
        return some;
    };
    std::optional<Guess> found = made(system, cube, all());
    for (std::size_t n = parts.size(); n-- > 0;) {
        std::vector<const Literals*> fewer = all();
        fewer.erase(fewer.begin() + std::ptrdiff_t(n));
        if (auto better = made(system, cube, fewer)) {
            found = std::move(better);
            parts.erase(parts.begin() + std::ptrdiff_t(n));
        }
    }
    return found;
}

std::optional<Guess> Instances::made(const System& system, const Cube& cube, const std::vector<const Literals*>& parts) const {
    Cube smaller = cube;
    smaller.literals.clear();
    for (const Literals* part : parts) smaller.literals.insert(smaller.literals.end(), part->begin(), part->end());
    Moved to;
    if (!normalise(system, smaller, to) || smaller.processes > processes_) return std::nullopt;
    // In an order, a state speaks of processes at certain places; only where it has no others are they these.
    if (system.ordered && smaller.processes < processes_) return std::nullopt;
    if (smaller == cube) return std::nullopt;
    if (satisfied(system, smaller) || meets_init(system, smaller)) return std::nullopt;
    if (std::find(bad_.begin(), bad_.end(), smaller) != bad_.end()) return std::nullopt;
    return Guess{std::move(smaller), {inverse(to.processes), inverse(to.times)}};
}

bool Instances::satisfied(const System& system, const Cube& cube) const {
    States all;
    const auto now = [](Term t) { return t.kind() == Term::READ ? t.now() : t; };
    for (const Literal& literal : cube.literals) {
        const Literal l{literal.kind, now(literal.a), now(literal.b), literal.c};
        if (l.binary() && l.a == l.b) {
            if (l.c < 0) return false;
            continue;
        }
        const States& some = states(system, l, cube.processes);
        if (all.empty()) all = some;
        else
            for (std::size_t w = 0; w < all.size(); ++w) all[w] &= some[w];
    }
    return all.empty() || std::any_of(all.begin(), all.end(), [](std::uint64_t w) { return w != 0; });
}

States Instances::states_of_numbers(const System& system, const Literal& l) const {
    const auto numbers = [&](Term t) { return t.kind() == Term::ZERO ? nullptr : &numbers_.at(t.raw()); };
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

const States& Instances::states(const System& system, const Literal& l, int processes) const {
    const auto key = std::pair(l, processes);
    if (const auto at = known_.find(key); at != known_.end()) return at->second;
    return known_[key] = l.kind == Literal::LE ? states_of_numbers(system, l) : states_of_values(system, l, processes);
}

States Instances::states_of_values(const System& system, const Literal& l, int processes) const {
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
