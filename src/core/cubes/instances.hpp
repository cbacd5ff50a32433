// The states of a small instance, as sets of states for each value of each cell: what no state satisfies is a candidate
// for an invariant (BRAB: Conchon, Goel, Krstic, Mebsout, Zaidi, Invariants for finite instances and beyond, FMCAD 2013).
#pragma once

#include <map>
#include <optional>

#include "preimage.hpp"

namespace xgen::cubes {

using States = std::vector<std::uint64_t>;  // a bit each

// A cube that is guessed to be unreachable, and how it goes into another one.
struct Guess {
    Cube cube;
    Moved to;
};

class Instances {
public:
    // `values`: for each cell of so many processes the states in which it has its first value, its second one, ...;
    // `numbers`: for each cell that holds a number what it is in each of the states.
    Instances(int processes, std::map<std::uint32_t, std::vector<States>> values,
              std::map<std::uint32_t, std::vector<std::int64_t>> numbers, std::vector<Cube> bad)
        : processes_(processes), values_(std::move(values)), numbers_(std::move(numbers)), bad_(std::move(bad)) {}

    // Cubes that no state satisfies, all reads being of memory as it is, and that are not known to be reachable, which have
    // all that the cube has. It is one with up to three of its conditions; or, with numbers, there are two or three, for that
    // one number is less than another, equal to it or more; or it is one with as few conditions as can be found.
    std::vector<Guess> guesses(const System& system, const Cube& cube) const;

private:
    using Parts = std::vector<Literals>;  // each of them holds as a whole

    std::optional<Guess> few(const System& system, const Cube& cube, const Parts& parts) const;
    std::vector<Guess> split(const System& system, const Cube& cube) const;
    std::optional<Guess> of_part(const System& system, const Cube& cube, const Facts& facts) const;
    std::optional<Guess> least(const System& system, const Cube& cube, Parts parts) const;
    std::optional<Guess> made(const System& system, const Cube& cube, const std::vector<const Literals*>& parts) const;
    bool satisfied(const System& system, const Cube& cube) const;
    const States& states(const System& system, const Literal& literal, int processes) const;
    States states_of_values(const System& system, const Literal& literal, int processes) const;
    States states_of_numbers(const System& system, const Literal& literal) const;

    int processes_;
    std::map<std::uint32_t, std::vector<States>> values_;
    std::map<std::uint32_t, std::vector<std::int64_t>> numbers_;
    std::vector<Cube> bad_;
    mutable std::map<std::pair<Literal, int>, States> known_;
};

}  // namespace xgen::cubes
