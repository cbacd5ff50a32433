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
    // `values`: for each cell of so many processes the states in which it has its first value, its second one, ...
    Instances(int processes, std::map<std::uint32_t, std::vector<States>> values, std::vector<Cube> bad)
        : processes_(processes), values_(std::move(values)), bad_(std::move(bad)) {}

    // One to three of the cube's conditions on memory that no state satisfies, and that are not known to be reachable.
    std::optional<Cube> candidate(const System& system, const Cube& cube) const;

private:
    std::optional<Cube> made(const System& system, const Cube& cube, const Literals& literals) const;
    bool satisfied(const System& system, const Cube& cube) const;
    States states(const System& system, const Literal& literal, int processes) const;

    int processes_;
    std::map<std::uint32_t, std::vector<States>> values_;
    std::vector<Cube> bad_;
};

}  // namespace xgen::cubes
