// Backward reachability: from the unsafe states to all from which they can be reached, until nothing new is found.
//
// Sources: Ghilardi, Ranise: Backward reachability of array-based systems by SMT solving, LMCS 6(4), 2010; Conchon, Goel,
// Krstic, Mebsout, Zaidi: Cubicle, CAV 2012; for approximations the same and others: Invariants for finite instances and
// beyond, FMCAD 2013.
#pragma once

#include <array>
#include <chrono>
#include <queue>

#include "instances.hpp"

namespace xgen::cubes {

enum class NodeKind : std::uint8_t { UNSAFE, INVARIANT, FOUND, APPROXIMATION };

// A step of a rule into a cube, and a node that states before it are in. Processes have numbers: those of the cube come
// first, then the other parameters, then all others; `places` are those of the processes of the node. `times` are its
// times: those of the cube, then the one at which the step reads; -1 is now.
struct Hint {
    using Row = std::array<std::int8_t, MAX_PROCESSES>;  // -1: no more
    static Row none() {
        Row row;
        row.fill(-1);
        return row;
    }

    int transition, rule, node;
    Row arguments = none(), places = none();
    std::vector<std::int8_t> times = {};
};

struct Node {
    Cube cube;
    NodeKind kind;
    int parent = -1;  // of what was found: the cube that a step leads into
    int depth = 0;    // steps to an unsafe state
    Origin origin;
    std::vector<Hint> covers;  // what the states before a step into it are in
};

enum class End : std::uint8_t { SAFE, REACHED, TIME, CUBES };

class Search {
public:
    Search(System system, Instances instances);

    // Goes on until everything is covered, a cube with an initial state is found, or a limit is reached.
    End run(double seconds, std::size_t max_cubes);

    const System& system() const { return system_; }
    const std::vector<Node>& nodes() const { return nodes_; }
    // What the states of the unsafe properties are in: of `transition` -1, with the number of the property as `rule`.
    const std::vector<Hint>& unsafe() const { return unsafe_; }
    int reached() const { return reached_; }
    std::uint64_t images() const { return images_; }
    std::uint64_t covered() const { return covered_; }

private:
    struct Waiting {
        int weight, node;
        bool operator<(const Waiting& other) const {  // the least comes first
            return std::tie(weight, node) > std::tie(other.weight, other.node);
        }
    };

    using Covering = std::pair<int, Moved>;  // a node, and how it goes into the cube that it covers

    void add(Cube&& cube, NodeKind kind, int parent, Origin&& origin);
    // A new node. `to`: how it goes into the cube that `origin` speaks of.
    void keep(Cube&& cube, NodeKind kind, int parent, const Origin& origin, const Moved& to);
    void note(int parent, const Origin& origin, const Covering& covering);
    Facts closed(const Cube& cube) const;
    std::optional<Covering> covering(const Cube& cube) const;
    // The nodes that cover the cube together; none if they do not.
    std::vector<Covering> together(const Cube& cube) const;

    System system_;
    Instances instances_;
    std::vector<Node> nodes_;
    std::vector<Hint> unsafe_;
    std::priority_queue<Waiting> waiting_;
    int reached_ = -1;
    int current_ = -1;  // being expanded, and how far
    std::uint64_t images_ = 0, covered_ = 0;
    std::vector<std::pair<Cube, Origin>> pending_;  // images of the current node that are still to be looked at
};

}  // namespace xgen::cubes
