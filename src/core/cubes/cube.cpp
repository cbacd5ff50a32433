#include "cube.hpp"

#include <algorithm>
#include <optional>

namespace xgen::cubes {

namespace {

bool has_processes(const System& system, const Literal& l) {
    return l.kind == Literal::IN && system.arrays[l.a.array()].sort == Sort::PROC;
}

int moved(int process, const Places& to) { return process == Term::NONE ? process : to[process]; }

Term moved_term(Term t, const Places& to, const Chain& times) {
    switch (t.kind()) {
        case Term::CELL: return Term::cell(t.array(), moved(t.i(), to), moved(t.j(), to));
        case Term::READ: return Term::read(times[t.time()], moved(t.reader(), to), t.array(), moved(t.i(), to), moved(t.j(), to));
        default: return t;
    }
}

Literal moved_literal(const System& system, const Literal& l, const Places& to, const Chain& times, int processes) {
    Literal m = l;
    m.a = moved_term(l.a, to, times);
    m.b = moved_term(l.b, to, times);
    if (has_processes(system, l)) m.c = std::int64_t(moved_mask(l.mask(), to, processes));
    if (m.kind == Literal::EQ || m.kind == Literal::NE) {
        if (m.b < m.a) std::swap(m.a, m.b);
    } else if (m.kind == Literal::DIFFER && m.b < m.a) {
        std::swap(m.a, m.b);
        m.c = -m.c;
    }
    return m;
}

template <class F>
void each_process(Term t, F f) {
    if (t.kind() == Term::HIDDEN || t.kind() == Term::ZERO) return;
    for (const int p : {t.i(), t.j(), t.kind() == Term::READ ? t.reader() : int(Term::NONE)})
        if (p != Term::NONE) f(p);
}

Mask bit_of(int array, Mask mask) { return Mask(1) << ((std::uint64_t(array) * 0x9E3779B97F4A7C15u + mask * 0xC2B2AE3D27D4EB4Fu) >> 58); }

}  // namespace

void sign(const System& system, Cube& cube) {
    cube.arrays = cube.values = 0;
    for (const Literal& l : cube.literals) {
        for (const Term t : {l.a, l.b})
            if (t.kind() != Term::ZERO) cube.arrays |= Mask(1) << (t.array() & 63);
        if (l.kind == Literal::IN && system.arrays[l.a.array()].sort == Sort::ENUM && !(l.mask() & (l.mask() - 1)))
            cube.values |= bit_of(l.a.array(), l.mask());
    }
}

bool everybody(const System& system, int processes) { return system.processes && processes == system.processes; }

int Cube::size() const {
    int reads = 0;
    for (const Literal& l : literals) reads += (l.a.kind() == Term::READ) + (l.b != l.a && l.b.kind() == Term::READ);
    return int(literals.size()) + reads;
}

Mask moved_mask(Mask mask, const Places& to, int processes) {
    Mask m = mask & OTHER;
    if (mask & OTHER) m |= (Mask(1) << processes) - 1;
    for (std::size_t p = 0; p < to.size(); ++p)
        if (to[p] >= 0) m = mask >> p & 1 ? m | Mask(1) << to[p] : m & ~(Mask(1) << to[p]);
    return m;
}

Cube embedded(const System& system, const Cube& cube, const Places& to, int processes) {
    Cube result;
    result.processes = processes;
    result.fenced.resize(cube.times());
    Chain same(cube.times());
    for (int t = 0; t < cube.times(); ++t) same[t] = t;
    for (const Literal& l : cube.literals) {
        Literal m = moved_literal(system, l, to, same, processes);
        if (has_processes(system, l) && everybody(system, processes)) m.c &= ~std::int64_t(OTHER);
        result.literals.push_back(m);
    }
    result.chains.resize(processes);
    for (int p = 0; p < cube.processes; ++p) {
        result.chains[to[p]] = cube.chains[p];
        for (int t = 0; t < cube.times(); ++t)
            if (cube.fenced[t] >> p & 1) result.fenced[t] |= 1u << to[p];
    }
    return result;
}

bool normalise(const System& system, Cube& cube, Moved& moved) {
    const Facts facts(system, cube.literals, cube.processes, everybody(system, cube.processes));
    if (!facts.consistent()) return false;
    cube.literals = facts.literals();
    std::vector<bool> spoken(cube.processes, false), read(cube.times(), false);
    for (int p = 0; p < system.fixed; ++p) spoken[p] = true;
    for (const Literal& l : cube.literals) {
        for (const Term t : {l.a, l.b}) {
            each_process(t, [&](int p) { spoken[p] = true; });
            if (t.kind() == Term::READ) read[t.time()] = true;
        }
        if (has_processes(system, l))
            for (int p = 0; p < cube.processes; ++p)
                if ((l.mask() >> p & 1) != (l.mask() >> 63)) spoken[p] = true;
    }
    Places& to = moved.processes;
    to.assign(cube.processes, -1);
    int processes = 0;
    for (int p = 0; p < cube.processes; ++p)
        if (spoken[p]) to[p] = processes++;
    // Times in the order in which the chains mention them.
    Chain& times = moved.times;
    times.assign(cube.times(), -1);
    std::vector<std::uint32_t> fenced;
    std::vector<Chain> chains(processes);
    for (int p = 0; p < cube.processes; ++p) {
        if (to[p] < 0) continue;
        for (const int t : cube.chains[p]) {
            if (!read[t]) continue;
            if (times[t] < 0) {
                times[t] = int(fenced.size());
                fenced.push_back(0);
            }
            chains[to[p]].push_back(times[t]);
            if (cube.fenced[t] >> p & 1) fenced[times[t]] |= 1u << to[p];
        }
    }
    for (Literal& l : cube.literals) l = moved_literal(system, l, to, times, processes);
    std::sort(cube.literals.begin(), cube.literals.end());
    cube.processes = processes;
    cube.chains = std::move(chains);
    cube.fenced = std::move(fenced);
    sign(system, cube);
    return true;
}

namespace {

// Looks for the processes and times of `special` that those of `general` are.
class Matcher {
public:
    Matcher(const System& system, const Cube& general, const Cube& special, const Facts& facts)
        : system_(system), general_(general), special_(special), facts_(facts), to_(general.processes, -1),
          times_(general.times(), 0), levels_(general.processes + 1) {
        for (const Literal& l : general.literals) {
            int last = -1;
            bool reads = false;
            for (const Term t : {l.a, l.b}) {
                each_process(t, [&](int p) { last = std::max(last, p); });
                reads |= t.kind() == Term::READ;
            }
            if (has_processes(system, l))
                for (int p = 0; p < general.processes; ++p)
                    if ((l.mask() >> p & 1) != (l.mask() >> 63)) last = std::max(last, p);
            if (reads) reading_.push_back(&l);
            else levels_[last + 1].push_back(&l);
        }
    }

    bool match() { return holds(levels_[0]) && processes(0); }
    Moved moved() const {
        Chain times = times_;
        std::replace(times.begin(), times.end(), NOW, -1);
        return {to_, times};
    }

    // The ways in which all literals but one hold; or one in which all do.
    std::vector<Missing> match_but_one() {
        std::vector<Missing> found;
        found_ = &found;
        if (match()) return {{moved(), {}}};
        return found;
    }

private:
    static constexpr int NOW = MAX_TIMES + 1;  // after all times

    bool holds(const std::vector<const Literal*>& literals) {
        return std::all_of(literals.begin(), literals.end(), [&](const Literal* l) { return holds(*l); });
    }

    bool holds(const Literal& l) {
        Literal m = moved_literal(system_, l, to_, times_, special_.processes);
        const auto now = [](Term t) { return t.kind() == Term::READ && t.time() == NOW ? t.now() : t; };
        m.a = now(m.a);
        m.b = now(m.b);
        if (m.a == m.b && m.binary()) return m.kind == Literal::EQ || (m.kind == Literal::LE && m.c >= 0);
        if (facts_.implies(m)) return true;
        if (!found_ || missing_) return false;
        const Literals no = negated(system_, m, special_.processes);
        if (std::all_of(no.begin(), no.end(), [&](const Literal& n) { return facts_.implies(n); })) return false;
        missing_ = m;
        return true;
    }

    bool processes(int p) {
        const std::optional<Literal> missing = missing_;
        if (p == general_.processes) return times(0);
        const int first = system_.ordered && p > 0 ? to_[p - 1] + 1 : 0;
        for (int q = p < system_.fixed ? p : first; q < (p < system_.fixed ? p + 1 : special_.processes); ++q) {
            if (std::find(to_.begin(), to_.begin() + p, q) != to_.begin() + p) continue;
            to_[p] = q;
            if (holds(levels_[p + 1]) && processes(p + 1)) return true;
            missing_ = missing;
        }
        to_[p] = -1;
        return false;
    }

    // A time goes to one of all its processes' times, not before what is earlier in their chains, or to now.
    bool times(int t) {
        if (t == general_.times()) {
            const std::optional<Literal> missing = missing_;
            if (holds(reading_)) {
                if (!missing_) return true;
                found_->push_back({moved(), missing_});
            }
            missing_ = missing;
            return false;
        }
        for (int s = 0; s <= special_.times(); ++s) {
            times_[t] = s == special_.times() ? NOW : s;
            if (fits(t) && times(t + 1)) return true;
        }
        return false;
    }

    static int position(const Chain& chain, int t) { return int(std::find(chain.begin(), chain.end(), t) - chain.begin()); }

    bool fits(int t) {
        for (int p = 0; p < general_.processes; ++p) {
            const Chain& chain = general_.chains[p];
            const int at = position(chain, t);
            if (at == int(chain.size())) continue;
            const Chain& other = special_.chains[to_[p]];
            const auto rank = [&](int time) { return time == NOW ? int(other.size()) : position(other, time); };
            if (times_[t] != NOW) {
                if (rank(times_[t]) == int(other.size())) return false;
                if (general_.fenced[t] >> p & 1 && !(special_.fenced[times_[t]] >> to_[p] & 1)) return false;
            }
            for (int k = 0; k < int(chain.size()); ++k)  // only those that have a place already
                if (chain[k] < t && (k < at ? rank(times_[chain[k]]) > rank(times_[t]) : rank(times_[chain[k]]) < rank(times_[t])))
                    return false;
        }
        return true;
    }

    const System& system_;
    const Cube& general_;
    const Cube& special_;
    const Facts& facts_;
    Places to_;
    Chain times_;
    std::vector<std::vector<const Literal*>> levels_;  // by the last process that they speak of
    std::vector<const Literal*> reading_;
    std::vector<Missing>* found_ = nullptr;  // else all literals have to hold
    std::optional<Literal> missing_;
};

}  // namespace

bool covers(const System& system, const Cube& general, const Cube& special, const Facts& facts, Moved& to) {
    if (general.processes > special.processes || (general.arrays & ~special.arrays) || (general.values & ~special.values)) return false;
    Matcher matcher(system, general, special, facts);
    if (!matcher.match()) return false;
    to = matcher.moved();
    return true;
}

Literals negated(const System& system, const Literal& l, int processes) {
    switch (l.kind) {
        case Literal::IN: return {Literal::in(l.a, ~l.mask() & Facts::domain(system, l.a, processes, everybody(system, processes)))};
        case Literal::EQ: return {{Literal::NE, l.a, l.b}};
        case Literal::NE: return {{Literal::EQ, l.a, l.b}};
        case Literal::LE: return {{Literal::LE, l.b, l.a, -l.c - 1}};
        default: {
            const Sort sort = l.a.kind() == Term::ZERO ? Sort(l.a.array()) : system.arrays[l.a.array()].sort;
            const std::int64_t c = sort == Sort::REAL ? 2 * l.c : l.c;
            return {{Literal::LE, l.a, l.b, c}, {Literal::LE, l.b, l.a, -c}};
        }
    }
}

std::vector<Missing> nearly(const System& system, const Cube& general, const Cube& special, const Facts& facts) {
    if (general.processes > special.processes || (general.arrays & ~special.arrays)) return {};
    if (const Mask unmet = general.values & ~special.values; unmet & (unmet - 1)) return {};  // two of them do not hold
    return Matcher(system, general, special, facts).match_but_one();
}

}  // namespace xgen::cubes
