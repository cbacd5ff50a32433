// Sets of states: some different processes, and what holds of them and of what they read.
//
// A time is a point in the past at which one or more processes read the memory; the reads that it decides are terms with
// its number. The times of each process are in order, and none is before its view (docs/cub.md, section on TSO).
#pragma once

#include <optional>
#include <vector>

#include "facts.hpp"

namespace xgen::cubes {

using Chain = std::vector<int>;  // times, the earliest first
using Places = std::vector<int>;  // where processes go; -1: they are dropped

constexpr int MAX_TIMES = 60;

struct Cube {
    int processes = 0;
    Literals literals;
    std::vector<Chain> chains;          // of each process
    std::vector<std::uint32_t> fenced;  // of each time: the processes whose earlier writes it has to see
    // What a cube that it covers has to speak of: a filter.
    Mask arrays = 0;
    Mask values = 0;

    int times() const { return int(fenced.size()); }
    int size() const;
    bool operator==(const Cube& other) const {
        return processes == other.processes && literals == other.literals && chains == other.chains && fenced == other.fenced;
    }
};

// The cube with its processes moved: `to` is injective, what is not in its image is new.
Cube embedded(const System& system, const Cube& cube, const Places& to, int processes);

// Where the processes and the times of a cube go in another one; -1: nowhere, and of times, to now.
struct Moved {
    Places processes;
    Chain times;
};

// Drops what says nothing, and tells in `to` where the rest went. False if the cube is empty.
bool normalise(const System& system, Cube& cube, Moved& to);

// Notes of what a cube speaks (`arrays`, `values`).
void sign(const System& system, Cube& cube);

// Whether all states of the cube `special`, whose closure is `facts`, are in `general`; `to`: how that goes into `special`.
bool covers(const System& system, const Cube& general, const Cube& special, const Facts& facts, Moved& to);

// A way in which all literals of one cube but one hold in all states of another: how it goes into that, and the literal.
struct Missing {
    Moved to;
    std::optional<Literal> literal;  // none: all hold
};

// How the states of the cube `special` that are in `general` can be told: all such ways, or one in which all hold.
std::vector<Missing> nearly(const System& system, const Cube& general, const Cube& special, const Facts& facts);

// What holds where the literal does not.
Literals negated(const System& system, const Literal& literal, int processes);

// All that is common to renaming: a process mask whose bits are moved; what is new is like all others.
Mask moved_mask(Mask mask, const Places& to, int processes);

bool everybody(const System& system, int processes);  // whether there are no more processes

}  // namespace xgen::cubes
