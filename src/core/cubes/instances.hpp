// The states of a small instance, as sets of states for each value of each cell: what no state satisfies is a candidate
// for an invariant (BRAB: Conchon, Goel, Krstic, Mebsout, Zaidi, Invariants for finite instances and beyond, FMCAD 2013).
#pragma once

#include <map>
#include <optional>

#include "preimage.hpp"

namespace xgen::cubes {

using States = std::vector<std::uint64_t>;  // a bit each

class Instances {
public:
    // `values`: for each cell of so many processes the states in which it has its first value, its second one, ...;
    // `numbers`: for each cell that holds a number what it is in each of the states.
    Instances(int processes, std::map<std::uint32_t, std::vector<States>> values,
              std::map<std::uint32_t, std::vector<std::int64_t>> numbers, std::vector<Cube> bad)
        : processes_(processes), values_(std::move(values)), numbers_(std::move(numbers)), bad_(std::move(bad)) {}

    // Some of the cube's conditions on memory that no state satisfies, and that are not known to be reachable: up to three,
    // and with numbers as few as can be found.
    std::optional<Cube> candidate(const System& system, const Cube& cube) const;

private:
    std::optional<Cube> made(const System& system, const Cube& cube, const Literals& literals) const;
    std::optional<Cube> least(const System& system, const Cube& cube, Literals literals) const;
    bool satisfied(const System& system, const Cube& cube) const;
    States states(const System& system, const Literal& literal, int processes) const;
    States states_of_numbers(const System& system, const Literal& literal) const;

    int processes_;
    std::map<std::uint32_t, std::vector<States>> values_;
    std::map<std::uint32_t, std::vector<std::int64_t>> numbers_;
    std::vector<Cube> bad_;
};

}  // namespace xgen::cubes
