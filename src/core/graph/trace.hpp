// Executions as they are handed out.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph.hpp"

namespace xgen {

// A consistent execution as it is handed out.
struct Trace {
    struct Item {
        Event event;
        std::int32_t slot;
    };
    using Pair = std::pair<std::int32_t, std::int32_t>;
    std::vector<Item> events;                          // without choices
    std::vector<std::vector<std::int32_t>> mo;         // slots, per cell
    std::vector<ThreadState> ends;                     // per thread
    std::vector<std::vector<std::int64_t>> locals;     // per thread
    std::vector<Pair> rmw, forks;                      // pairs of slots; forks: immediate program order across threads
    std::vector<Pair> addr, data, ctrl;                // empty where dependencies are not tracked
    std::vector<Pair> pick_addr, pick_data, pick_ctrl; // likewise: by way of predictions
    std::vector<std::int32_t> decided;                 // likewise: events that an error depends on
    std::vector<std::int32_t> rounds;                  // where the execution is stuck, per thread: see Recorder::rounds_
    bool deadlock = false;                             // each blocked thread waits for a mutex that stays held
    std::vector<std::int32_t> flags;                   // those that it raises, by constraint
    std::int32_t depth = 0;                            // the least bound on events per thread that cuts nothing of it
    std::vector<std::int32_t> gathered;                // the GATHERs that threads have passed
    std::vector<std::int32_t> leaked;                  // blocks of memory that nothing leads to at the end (search/leaks.hpp)
    std::vector<std::int64_t> calls;                   // what is known of the order of calls (search/calls.hpp)
    std::uint64_t hash = 0;                            // of the graph, choices included
};

}  // namespace xgen
