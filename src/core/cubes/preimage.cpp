#include "preimage.hpp"

#include <map>

#include "instance.hpp"

namespace xgen::cubes {

namespace {

// All ways to put `parameters` different processes beside `processes` others, some of them among these.
// Calls f(arguments, from, total): `from` is where the others go; without an order that is where they were.
class Placing {
public:
    using F = std::function<void(const Places&, const Places&, int)>;

    // `complete`: add processes until there are all that there can be.
    Placing(const System& system, int processes, int parameters, bool complete, F f)
        : system_(system), processes_(processes), parameters_(parameters), complete_(complete && system.processes), f_(std::move(f)) {}

    void run() { choose(0, processes_); }

private:
    int limit() const { return system_.processes ? system_.processes : MAX_PROCESSES; }

    void choose(int parameter, int total) {
        if (parameter == parameters_) return place(complete_ ? std::max(total, system_.processes) : total);
        for (int p = 0; p < processes_; ++p) {
            if (std::find(arguments_.begin(), arguments_.end(), p) != arguments_.end()) continue;
            arguments_.push_back(p);
            choose(parameter + 1, total);
            arguments_.pop_back();
        }
        if (total == limit()) {
            if (!system_.processes) throw TooLarge("more processes at a time than the search has room for");
            return;
        }
        arguments_.push_back(total);
        choose(parameter + 1, total + 1);
        arguments_.pop_back();
    }

    void place(int total) {
        Places order;
        for (int p = 0; p < processes_; ++p) order.push_back(p);
        if (system_.ordered) return insert(order, total);
        f_(arguments_, order, total);
    }

    // In an order, new processes come anywhere between the others.
    void insert(Places& order, int total) {
        const int next = int(order.size());
        if (next == total) {
            Places at(total), from, arguments;
            for (int p = 0; p < total; ++p) at[order[p]] = p;
            from.assign(at.begin(), at.begin() + processes_);
            for (const int a : arguments_) arguments.push_back(at[a]);
            f_(arguments, from, total);
            return;
        }
        for (int position = 0; position <= next; ++position) {
            order.insert(order.begin() + position, next);
            insert(order, total);
            order.erase(order.begin() + position);
        }
    }

    const System& system_;
    int processes_, parameters_;
    bool complete_;
    F f_;
    Places arguments_;
};

// Adds what universal conditions say of the processes at hand; false if that cannot be.
bool add_universal(const Universal& universal, Instance& instance, int processes, Choices& choices, std::size_t n = 0) {
    if (n == universal.variables.size()) {
        std::vector<Literals> alternatives = instance.alternatives(universal.condition);
        return choices.add(std::move(alternatives));
    }
    for (int p = 0; p < processes; ++p) {
        bool apart = true;
        for (const int other : universal.apart[n]) apart &= instance.process(other) != p;
        if (!apart) continue;
        instance.bind(universal.variables[n], p);
        if (!add_universal(universal, instance, processes, choices, n + 1)) return false;
    }
    return true;
}

// The states before one instance of a rule: its parameters are processes now.
class Step {
public:
    Step(const System& system, const Transition& transition, const Rule& rule, Cube&& cube, Origin&& origin, const Sink& sink)
        : system_(system), transition_(transition), rule_(rule), cube_(std::move(cube)), origin_(std::move(origin)), sink_(sink),
          locked_(transition.reads && transition.writes), late_(system.lagging && transition.reads && !locked_),
          instance_(system, cube_.processes, late_ ? cube_.times() : Instance::NOW) {
        if (cube_.times() >= MAX_TIMES) throw TooLarge("more reads at a time than the search has room for");
        for (std::size_t k = 0; k < origin_.arguments.size(); ++k) instance_.bind(int(k), origin_.arguments[k]);
        actor_ = transition.actor < 0 ? -1 : origin_.arguments[transition.actor];
    }

    void run() {
        std::vector<bool> late(cube_.times(), false);
        bool touched = false;
        for (const Literal& l : cube_.literals)
            for (const Term t : {l.a, l.b})
                if ((t.kind() == Term::CELL || t.kind() == Term::READ) && written_by(t)) {
                    touched = true;
                    if (t.kind() == Term::READ && t.reader() != actor_) late[t.time()] = true;
                }
        if (touched) bind_times(late);
    }

private:
    using Bound = std::vector<bool>;  // of each time: whether it is now, after the write

    // The update that writes the cell, and in `instance_` the processes that its own variables stand for.
    const Update* written_by(Term t) {
        for (const Update& update : transition_.updates) {
            if (update.array != t.array()) continue;
            for (const int v : update.fresh) instance_.bind(v, -1);
            bool matches = true;
            const int index[] = {t.i(), t.j()};
            for (std::size_t k = 0; k < update.index.size(); ++k) {
                const int v = update.index[k];
                const bool fresh = std::find(update.fresh.begin(), update.fresh.end(), v) != update.fresh.end();
                if (fresh && instance_.process(v) < 0) instance_.bind(v, index[k]);
                else matches &= instance_.process(v) == index[k];
            }
            if (matches) return &update;
        }
        return nullptr;
    }

    // Chooses which reads see the write. Those of a process that come later than one that does see it too.
    void bind_times(const std::vector<bool>& candidates) {
        Bound bound(cube_.times(), false);
        if (!transition_.writes || !system_.lagging) return write(bound);
        for (const int t : cube_.chains[actor_]) bound[t] = locked_ || (cube_.fenced[t] >> actor_ & 1);
        close(bound);
        choose_times(candidates, bound, 0);
    }

    void close(Bound& bound) const {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Chain& chain : cube_.chains) {
                bool after = false;
                for (const int t : chain) {
                    changed |= after && !bound[t];
                    after = bound[t] = after || bound[t];
                }
            }
        }
    }

    void choose_times(const std::vector<bool>& candidates, const Bound& bound, int t) {
        if (t == cube_.times()) return write(bound);
        if (!candidates[t] || bound[t]) return choose_times(candidates, bound, t + 1);
        Bound more = bound;
        more[t] = true;
        close(more);
        // What comes with it has been decided already if its number is less: then this choice is not one.
        bool decided = false;
        for (int s = 0; s < t; ++s) decided |= more[s] && !bound[s] && candidates[s];
        if (!decided) choose_times(candidates, more, t + 1);
        choose_times(candidates, bound, t + 1);
    }

    // Reads that are now become memory, and so do those of a process that see its own write.
    void write(const Bound& bound) {
        const auto settled = [&](Term t) {
            if (t.kind() == Term::READ && (bound[t.time()] || (t.reader() == actor_ && written_by(t)))) return t.now();
            return t;
        };
        Literals literals = cube_.literals;
        std::vector<Term> cells;
        for (Literal& l : literals) {
            l.a = settled(l.a);
            l.b = settled(l.b);
            for (const Term t : {l.a, l.b})
                if (t.kind() == Term::CELL && written_by(t)) cells.push_back(t);
        }
        std::sort(cells.begin(), cells.end());
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
        Cube before;
        before.processes = cube_.processes;
        before.fenced = cube_.fenced;
        for (const Chain& chain : cube_.chains) {
            before.chains.emplace_back();
            for (const int t : chain)
                if (!bound[t]) before.chains.back().push_back(t);
        }
        std::map<Term, Operand> values;
        choose_values(cells, 0, literals, {}, values, before);
    }

    // Chooses for each written cell the case of its update.
    void choose_values(const std::vector<Term>& cells, std::size_t n, const Literals& literals, const Literals& conditions,
                       std::map<Term, Operand>& values, const Cube& before) {
        if (n == cells.size()) return guard(literals, conditions, values, before);
        const Update& update = *written_by(cells[n]);
        for (const Case& c : update.cases) {
            written_by(cells[n]);  // binds the variables of the index again
            const std::vector<Literals> alternatives = instance_.alternatives(c.condition);
            values[cells[n]] = c.value.kind == Pattern::ANY ? instance_.plain(Term::hidden(update.array, int(n))) : instance_.operand(c.value);
            for (const Literals& alternative : alternatives) {
                Literals more = conditions;
                more.insert(more.end(), alternative.begin(), alternative.end());
                choose_values(cells, n + 1, literals, more, values, before);
            }
        }
    }

    void guard(const Literals& literals, const Literals& conditions, const std::map<Term, Operand>& values, const Cube& before) {
        Literals all = conditions;
        const auto substitute = [&](Term t) {
            const auto at = values.find(t);
            return at == values.end() ? instance_.plain(t) : at->second;
        };
        for (const Literal& l : literals)
            if (!instance_.add(l, substitute, all)) return;
        for (const Comparison& c : rule_.literals)
            if (!instance_.add(c, all)) return;
        Choices choices(system_, cube_.processes);
        for (const Universal& universal : rule_.universals)
            if (!add_universal(universal, instance_, cube_.processes, choices)) return;
        choices.each(all, [&](const Literals& found) {
            finish(found, before);
            return true;
        });
    }

    void finish(const Literals& literals, const Cube& before) {
        Cube cube = before;
        cube.literals = literals;
        if (late_) {
            cube.chains[actor_].insert(cube.chains[actor_].begin(), cube.times());
            cube.fenced.push_back(0);
        }
        if (transition_.fence && system_.lagging)
            for (const int t : cube.chains[actor_]) cube.fenced[t] |= 1u << actor_;
        Origin origin = origin_;
        if (normalise(system_, cube, origin.to)) sink_(std::move(cube), std::move(origin));
    }

    const System& system_;
    const Transition& transition_;
    const Rule& rule_;
    const Cube cube_;
    const Origin origin_;
    const Sink& sink_;
    const bool locked_, late_;
    Instance instance_;
    int actor_;
};

}  // namespace

void preimages(const System& system, const Cube& cube, int number, const Sink& sink) {
    const Transition& transition = system.transitions[number];
    const auto spoken = [&](const Update& u) { return (cube.arrays >> (u.array & 63) & 1) != 0; };
    if (std::none_of(transition.updates.begin(), transition.updates.end(), spoken)) return;
    for (std::size_t r = 0; r < transition.rules.size(); ++r) {
        const Rule& rule = transition.rules[r];
        Placing(system, cube.processes, rule.parameters, !rule.universals.empty(),
                [&](const Places& arguments, const Places& from, int total) {
                    Origin origin{number, int(r), from, arguments, {}};
                    Step(system, transition, rule, embedded(system, cube, from, total), std::move(origin), sink).run();
                })
            .run();
    }
}

void cubes_of(const System& system, const Property& property, const Sink& sink) {
    Placing(system, system.fixed, property.parameters, false, [&](const Places& arguments, const Places& from, int total) {
        Instance instance(system, total, system.lagging ? 0 : Instance::NOW);
        for (std::size_t k = 0; k < arguments.size(); ++k) instance.bind(int(k), arguments[k]);
        for (Literals& literals : instance.alternatives(property.condition)) {
            Cube cube;
            cube.processes = total;
            cube.chains.assign(total, system.lagging ? Chain{0} : Chain{});
            if (system.lagging) cube.fenced.push_back(0);
            cube.literals = std::move(literals);
            Origin origin{-1, -1, from, arguments, {}};
            if (!normalise(system, cube, origin.to)) continue;
            // Only those who read at that time have it in their chains.
            std::vector<bool> reads(cube.processes, false);
            for (const Literal& l : cube.literals)
                for (const Term t : {l.a, l.b})
                    if (t.kind() == Term::READ) reads[t.reader()] = true;
            for (int p = 0; p < cube.processes; ++p)
                if (!reads[p]) cube.chains[p].clear();
            sink(std::move(cube), std::move(origin));
        }
    }).run();
}

bool meets_init(const System& system, const Cube& cube) {
    const int processes = std::max(cube.processes, 1);
    Instance instance(system, processes, Instance::NOW);
    Literals literals = cube.literals;
    for (Literal& l : literals) {
        if (l.a.kind() == Term::READ) l.a = l.a.now();
        if (l.b.kind() == Term::READ) l.b = l.b.now();
    }
    Literals settled;
    const auto plain = [&](Term t) { return instance.plain(t); };
    for (const Literal& l : literals)
        if (!instance.add(l, plain, settled)) return false;
    Choices choices(system, processes);
    Places tuple(system.init.parameters, 0);
    for (bool more = true; more;) {
        for (std::size_t k = 0; k < tuple.size(); ++k) instance.bind(int(k), tuple[k]);
        if (!choices.add(instance.alternatives(system.init.condition))) return false;
        more = false;
        for (int& p : tuple) {
            if (++p < processes) {
                more = true;
                break;
            }
            p = 0;
        }
    }
    bool met = false;
    choices.each(settled, [&](const Literals&) {
        met = true;
        return false;
    });
    return met;
}

}  // namespace xgen::cubes
