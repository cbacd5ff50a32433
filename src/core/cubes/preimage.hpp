// The states from which one step of a transition leads into a cube (docs/cub.md).
#pragma once

#include <functional>

#include "cube.hpp"

namespace xgen::cubes {

// One way to come into a cube. Processes are numbered anew: first `from` tells where those of the cube are, new ones come
// between or behind; `arguments` are the parameters of the rule; `to` leads to the processes and times of `cube`. The times
// are those of the cube, with one more for what the step reads.
struct Origin {
    int transition = -1, rule = -1;  // of the system's unsafe states: no transition, and the number of the property
    Places from, arguments;
    Moved to;
};

using Sink = std::function<void(Cube&&, Origin&&)>;

// All of them, simplified; those that are in the cube itself since nothing that it speaks of is written are left out.
void preimages(const System& system, const Cube& cube, int transition, const Sink& sink);

// The cubes of a property: `unsafe` or an invariant.
void cubes_of(const System& system, const Property& property, const Sink& sink);

// Whether an initial state is in the cube.
bool meets_init(const System& system, const Cube& cube);

}  // namespace xgen::cubes
