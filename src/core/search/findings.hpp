// What is found, and how what several have found is put together: workers, slices of a search, samples.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "outcomes.hpp"

namespace xgen {

// The numbers of what was found, and how those of several are put together (see `together` below). Results list them by
// their names.
#define XGEN_COUNTERS(X)                                                                           \
    X(SUM, executions)         /* complete and consistent */                                       \
    X(SUM, blocked)            /* consistent, with a blocked thread */                             \
    X(SUM, stuck)              /* of those blocked: threads wait for ever, and no other goes on */ \
    X(SUM, bounded)            /* consistent, with a thread cut by the bound */                    \
    X(SUM, violations)         /* consistent, with a violation */                                  \
    X(SUM, explored)           /* consistent graphs visited */                                     \
    X(SUM, revisits_tried)     /* backward revisits considered */                                  \
    X(SUM, revisits)           /* and carried out */                                               \
    X(SUM, dead_ends)          /* graphs in which some read can no longer read from any write */   \
    X(MAX, held)               /* the most graphs that were held at one time */                    \
    X(SUM, classes)            /* of executions with the same reads-from, where those are visited */ \
    X(SUM, orbits)             /* of those, or of executions: but for the names of threads that do the same */       \
    X(SUM, refused)            /* graphs whose reads could not all see what they were to, likewise */ \
    X(SUM, lost)               /* whole graphs without a modification order, likewise */           \
    X(SUM, duplicates)         /* executions met twice */                                          \
    X(SUM, duplicates_checked) /* among so many */

// What else was found, likewise: how it is put together, its type, its name, and what it is where nothing was found.
#define XGEN_FINDINGS(X)                                                                               \
    X(SUM, std::vector<std::int64_t>, flags, {})  /* by constraint: consistent whole executions that raise it; there may \
                                                     be fewer than constraints: the others are 0 */    \
    X(OR, std::set<std::int32_t>, cuts, {})       /* instructions at which the bound stopped a thread: in a whole \
                                                     execution, or while a read waited for what it may write */ \
    X(OR, std::set<std::int32_t>, waits, {})      /* instructions at which a thread waits for ever */  \
    X(OR, std::uint64_t, reached, 0)              /* the ASSERTs that executions come to, by their b */ \
    X(AND, bool, counted, true)                   /* each class's executions were */                   \
    X(AND, bool, outcomes_complete, true)         /* none was left out for being too many */

// How one is put together with another.
namespace together {

inline void SUM(std::int64_t& one, std::int64_t other) { one += other; }
inline void SUM(std::vector<std::int64_t>& one, const std::vector<std::int64_t>& other) {
    one.resize(std::max(one.size(), other.size()));
    for (std::size_t i = 0; i < other.size(); ++i) one[i] += other[i];
}
inline void MAX(std::int64_t& one, std::int64_t other) { one = std::max(one, other); }
inline void OR(std::uint64_t& one, std::uint64_t other) { one |= other; }
inline void OR(std::set<std::int32_t>& one, const std::set<std::int32_t>& other) { one.insert(other.begin(), other.end()); }
inline void AND(bool& one, bool other) { one = one && other; }

}  // namespace together

struct Counters {
#define XGEN_COUNTER(rule, name) std::int64_t name = 0;
    XGEN_COUNTERS(XGEN_COUNTER)
#undef XGEN_COUNTER

    void merge(const Counters& other) {
#define XGEN_COUNTER(rule, name) together::rule(name, other.name);
        XGEN_COUNTERS(XGEN_COUNTER)
#undef XGEN_COUNTER
    }
};

struct Findings {
    // `width`: values per outcome.
    explicit Findings(std::size_t width) : outcomes(width) {}

    Counters counters;
#define XGEN_FINDING(rule, type, name, nothing) type name = nothing;
    XGEN_FINDINGS(XGEN_FINDING)
#undef XGEN_FINDING
    Outcomes outcomes;  // of the same width

    void merge(const Findings& other) {
        counters.merge(other.counters);
#define XGEN_FINDING(rule, type, name, nothing) together::rule(name, other.name);
        XGEN_FINDINGS(XGEN_FINDING)
#undef XGEN_FINDING
        outcomes.add(other.outcomes);
    }
};

}  // namespace xgen
