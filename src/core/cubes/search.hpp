// Backward reachability: from the unsafe states to all from which they can be reached, until nothing new is found.
//
// Sources: Ghilardi, Ranise: Backward reachability of array-based systems by SMT solving, LMCS 6(4), 2010; Conchon, Goel,
// Krstic, Mebsout, Zaidi: Cubicle, CAV 2012; for approximations the same and others: Invariants for finite instances and
// beyond, FMCAD 2013.
#pragma once

#include <atomic>
#include <chrono>
#include <queue>
#include <set>

#include "instances.hpp"

namespace xgen::cubes {

enum class NodeKind : std::uint8_t { UNSAFE, INVARIANT, FOUND, APPROXIMATION };

struct Node {
    Cube cube;
    NodeKind kind;
    int parent = -1;  // of what was found: the cube that a step leads into
    int depth = 0;    // steps to an unsafe state
    Origin origin;
    std::set<std::pair<int, int>> covers;  // (transition, node): what the states before a step of that transition are in
};

enum class End : std::uint8_t { SAFE, REACHED, TIME, CUBES };

class Search {
public:
    Search(System system, Instances instances);

    // Goes on until everything is covered, a cube with an initial state is found, or a limit is reached.
    End run(double seconds, std::size_t max_cubes);

    const System& system() const { return system_; }
    const std::vector<Node>& nodes() const { return nodes_; }
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

    void add(Cube&& cube, NodeKind kind, int parent, Origin&& origin);
    int covering(const Cube& cube) const;  // the number of the node; -1: none does
    // The nodes that cover the cube together; none if they do not.
    std::vector<int> together(const Cube& cube) const;

    System system_;
    Instances instances_;
    std::vector<Node> nodes_;
    std::priority_queue<Waiting> waiting_;
    int reached_ = -1;
    int current_ = -1;  // being expanded, and how far
    std::uint64_t images_ = 0, covered_ = 0;
    std::vector<std::pair<Cube, Origin>> pending_;  // images of the current node that are still to be looked at
};

}  // namespace xgen::cubes
