// Random probes of a search: ways down from the graph where it starts.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/bits.hpp"

namespace xgen {

// Random numbers that are the same everywhere (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA
// 2014: SplitMix64).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    // From 0 to count - 1, each as likely as the others.
    std::int32_t below(std::int32_t count) {
        const auto n = static_cast<std::uint64_t>(count);
        const std::uint64_t rest = (~std::uint64_t{0} % n + 1) % n;  // of 2^64 by n
        std::uint64_t number;
        do number = next(); while (number > ~rest);
        return static_cast<std::int32_t>(number % n);
    }

private:
    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

// A way down: at each graph that it came to, how many branches there are, which of them it went, and to how many graphs these
// branches lead. (A branch that opens a revisit leads to none yet.)
struct Probe {
    std::vector<std::int32_t> branches, taken, graphs;

    // Goes one of `count` branches, which lead to so many graphs: returns which.
    std::int32_t go(Random& random, std::int32_t count, std::int64_t followed) {
        branches.push_back(count);
        graphs.push_back(static_cast<std::int32_t>(followed));
        return taken.emplace_back(random.below(count));
    }
};

}  // namespace xgen
