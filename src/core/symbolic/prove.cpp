#include "prove.hpp"

#include <algorithm>
#include <bit>
#include <chrono>

#include "replay.hpp"

namespace xgen::symbolic {

Prover::Prover(const Code& code, MachineSettings settings, Options options)
    : automata_(code, std::move(settings)), options_(options) {}

bool Prover::begin() {
    started_ = false;
    clear();
    if (!automata_.build()) return false;
    ideals_.count = std::max<std::int32_t>(1, static_cast<std::int32_t>(automata_.code().cells.size()));
    space_.emplace(automata_, ideals_, options_.most, options_.strict, options_.widening >= 0);
    wrote_.assign(space_->threads(), std::vector<char>(automata_.code().cells.size(), 0));
    started_ = true;
    for (const Space::Successor& s : space_->initial()) {
        add(-1, s);
        if (end_ != End::BUDGET) break;
    }
    return true;
}

void Prover::clear() {
    live_ = visited_ = accelerated_ = restart_at_ = 0;
    states_.clear();
    records_.clear();
    moves_.clear();
    places_.clear();
    outcomes_.clear();
    open_ = {};
    cut_ = -1;
}

Prover::End Prover::run(double seconds, std::int64_t limit, std::function<bool()> stop) {
    automata_.pulse.stop = std::move(stop);
    End end = End::BUDGET;
    try {
        end = explore(seconds, limit);
    } catch (const Stopped&) {
    }
    automata_.pulse.stop = nullptr;
    return end;
}

Prover::End Prover::explore(double seconds, std::int64_t limit) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    if (!started_ && !begin()) end_ = End::FAULT;
    while (end_ == End::BUDGET) {
        if (Clock::now() > deadline) return End::BUDGET;
        const bool done = open_.empty();
        if (space_->failed()) {
            end_ = End::FAULT;
        } else if (space_->grew() && (done || static_cast<std::int64_t>(records_.size()) >= restart_at_)) {
            if (!begin()) end_ = End::FAULT;
        } else if (done) {
            end_ = End::SAFE;
        } else if (visited_ >= limit) {
            return End::STATES;
        } else {
            const std::int32_t from = ~open_.top().second;
            open_.pop();
            if (records_[from].covered) continue;
            const bool grew = space_->grew();
            ++visited_;
            for (const Space::Successor& s : space_->successors(Space::State(state(from), state(from) + space_->size()).data())) {
                add(from, s);
                if (end_ != End::BUDGET || records_[from].covered) break;
            }
            if (!grew && space_->grew()) restart_at_ = 2 * static_cast<std::int64_t>(records_.size());
        }
    }
    return end_;
}

// ---- a new state ----

void Prover::add(std::int32_t parent, const Space::Successor& s) {
    Record record;
    record.parent = parent;
    record.depth = parent < 0 ? 0 : records_[parent].depth + 1;
    record.exact = (parent < 0 || records_[parent].exact) && !s.parted;
    record.cut_pasts = s.cut_pasts;
    record.cut_buffers = s.cut_buffers;
    Space::State now = s.state;
    added_ = s.moves;
    auto keep = [&] {
        record.moves = static_cast<std::uint32_t>(moves_.size());
        moves_.insert(moves_.end(), s.moves.begin(), s.moves.end());
        record.moves_end = static_cast<std::uint32_t>(moves_.size());
        records_.push_back(record);
        states_.insert(states_.end(), now.begin(), now.end());
    };
    auto stop = [&](End why) {
        keep();
        goal_ = static_cast<std::int32_t>(records_.size()) - 1;
        end_ = why;
        end_exact_ = record.exact;
    };
    if (s.failed >= 0) return stop(End::VIOLATION);
    if (s.misused || s.misusing.first >= 0) {
        racing_ = s.misusing;
        return stop(End::VIOLATION);
    }
    auto& here = places_[key(now.data())];
    auto covered = [&] {
        const std::uint64_t own = letters(now.data());
        return std::any_of(here.begin(), here.end(), [&](const Kept& k) {
            return (own & ~k.letters) == 0 && covers(state(k.number), now.data());
        });
    };
    if (covered()) return;
    bool larger = false;
    if (accelerate(record, now)) {
        ++accelerated_;
        larger = true;
    }
    if (options_.widening >= 0 && widen(now)) {
        record.exact = false;
        larger = true;
    }
    if (larger && covered()) return;
    if (!automata_.settings().plain.empty() && (racing_ = space_->race(now.data())).first >= 0 && space_->drain(now))
        return stop(End::VIOLATION);
    if (s.lost != Lost::NONE) {
        automata_.lose(s.lost, s.lost_at);
        return stop(End::FAULT);
    }
    if (!space_->grew() && space_->is_deadlock(now.data(), !options_.deadlocks)) return stop(End::DEADLOCK);
    if (automata_.settings().observe && space_->is_final(now.data())) note_outcome(now);
    if (const Control* cut = cut_ < 0 ? space_->find(now.data(), Act::CUT) : nullptr) cut_ = cut->pc;
    const std::uint64_t own = letters(now.data());
    std::erase_if(here, [&](const Kept& k) {
        if ((k.letters & ~own) != 0 || !covers(now.data(), state(k.number))) return false;
        records_[k.number].covered = true;
        --live_;
        return true;
    });
    here.push_back({static_cast<std::int32_t>(records_.size()), own});
    ++live_;
    open_.emplace(options_.largest ? largeness(now) : 0, ~static_cast<std::int32_t>(records_.size()));
    keep();
}

// How many letters may come any number of times.
int Prover::largeness(const Space::State& now) const {
    int count = 0;
    for (int k = space_->fixed(); k < space_->size(); ++k)
        for (Ideals::Token token : ideals_.words[now[k]])
            if (Ideals::kind(token) == Ideals::MANY) count += static_cast<int>(ideals_.sets[Ideals::index(token)].size());
    return count;
}

// Of what has to be equal where one state covers another.
std::uint64_t Prover::key(const std::int32_t* s) const {
    std::uint64_t h = 0x9e3779b97f4a7c15ULL;
    auto add = [&](std::int32_t x) { h = stir(h ^ static_cast<std::uint32_t>(x)) + 0x9e3779b97f4a7c15ULL; };
    for (int k = 0; k < space_->fixed(); ++k) add(s[k]);
    auto add_last = [&](std::int32_t word) { add(word == 0 ? -1 : ideals_.words[word].back()); };
    for (const Stores::Buffer& buffer : space_->stores().buffers()) add_last(s[buffer.slot]);
    for (const Stores::Family& family : space_->stores().families()) add_last(s[family.slot]);
    return h;
}

// A set that is within that of each state which covers this one: what to look at first.
std::uint64_t Prover::letters(const std::int32_t* s) {
    std::uint64_t all = 0;
    for (int k = space_->fixed(); k < space_->size(); ++k) all |= std::rotl(ideals_.letters_of(s[k]), 11 * k);
    return all;
}

bool Prover::same_place(const std::int32_t* a, const std::int32_t* b) const {
    return std::equal(a, a + space_->fixed(), b);
}

bool Prover::covers(const std::int32_t* large, const std::int32_t* small) {
    if (!same_place(large, small)) return false;
    if (space_->has_pasts())
        for (int t = 0; t < space_->threads(); ++t)
            if (!ideals_.past_within(small[space_->past(t)], large[space_->past(t)])) return false;
    for (const Stores::Buffer& buffer : space_->stores().buffers())
        if (!ideals_.buffer_within(small[buffer.slot], large[buffer.slot], false)) return false;
    for (const Stores::Family& family : space_->stores().families())
        if (!ideals_.buffer_within(small[family.slot], large[family.slot], true)) return false;
    return true;
}

// ---- acceleration and widening ----

bool Prover::accelerate(Record& record, Space::State& now) {
    if (space_->size() == space_->fixed()) return false;
    std::uint64_t cut_pasts = record.cut_pasts, cut_buffers = record.cut_buffers;
    std::int32_t earliest = record.depth;  // what comes after it may be within the rounds of a loop that starts there
    std::vector<std::pair<int, int>> written;
    auto note = [&](const Move& move) {
        if (move.cell < 0 || wrote_[move.thread][move.cell]) return;
        wrote_[move.thread][move.cell] = 1;
        written.emplace_back(move.thread, move.cell);
    };
    for (const Move& move : added_) note(move);
    Space::State result;
    std::int32_t ancestor = record.parent;
    const int most = record.depth % ANCESTORS == 0 ? record.depth : ANCESTORS;
    for (int k = 0; ancestor >= 0 && k < most; ++k) {
        const Record& a = records_[ancestor];
        if (a.depth <= earliest && same_place(state(ancestor), now.data()) &&
            repeat(now, ancestor, cut_pasts, cut_buffers, result)) {
            now.swap(result);
            record.loop = ancestor;
            break;
        }
        if (a.loop >= 0) earliest = std::min(earliest, records_[a.loop].depth);
        cut_pasts |= a.cut_pasts;
        cut_buffers |= a.cut_buffers;
        for (std::uint32_t m = a.moves; m < a.moves_end; ++m) note(moves_[m]);
        ancestor = a.parent;
    }
    for (const auto& [thread, cell] : written) wrote_[thread][cell] = 0;
    return record.loop >= 0;
}

// The state with any number of rounds from the ancestor to here.
bool Prover::repeat(const Space::State& now, std::int32_t ancestor, std::uint64_t cut_pasts, std::uint64_t cut_buffers,
                    Space::State& result) {
    const std::int32_t* before = state(ancestor);
    result = now;
    bool more = false;
    for (int t = 0; space_->has_pasts() && t < space_->threads(); ++t) {
        const std::int32_t first = before[space_->past(t)], second = now[space_->past(t)];
        if (first == second) continue;
        if (cut_pasts >> (t & 63) & 1) return false;
        int part = 0;
        bool renewed = false;  // the mark before was
        for (Ideals::Token token : ideals_.words[first]) {
            if (Ideals::kind(token) != Ideals::MARK) continue;
            if (wrote_[t][ideals_.marks[Ideals::index(token)][0]]) {
                renewed = true;
            } else if (renewed) {
                return false;
            } else {
                ++part;
            }
        }
        std::vector<std::int32_t> stored;
        for (int other = 0; other < space_->threads(); ++other)
            for (std::size_t cell = 0; cell < wrote_[other].size() && other != t; ++cell)
                if (wrote_[other][cell]) stored.push_back(static_cast<std::int32_t>(cell));
        const std::int32_t all = ideals_.repeat_past(first, second, part, stored);
        if (all < 0) return false;
        result[space_->past(t)] = all;
        more = true;
    }
    auto repeat_buffer = [&](int slot, bool runs) {
        const std::int32_t first = before[slot], second = now[slot];
        if (first == second) return true;
        if (cut_buffers >> (slot & 63) & 1) return false;
        const std::int32_t all = ideals_.repeat_buffer(first, second, runs);
        if (all < 0) return false;
        result[slot] = all;
        return more = true;
    };
    for (const Stores::Buffer& buffer : space_->stores().buffers())
        if (!repeat_buffer(buffer.slot, false)) return false;
    for (const Stores::Family& family : space_->stores().families())
        if (!repeat_buffer(family.slot, true)) return false;
    return more && result != now;
}

bool Prover::widen(Space::State& now) {
    const Space::State before = now;
    const int atoms = std::max(options_.widening, 1);
    for (int t = 0; space_->has_pasts() && t < space_->threads(); ++t)
        now[space_->past(t)] = ideals_.widen_past(now[space_->past(t)], atoms);
    for (const Stores::Buffer& buffer : space_->stores().buffers())
        now[buffer.slot] = ideals_.widen_buffer(now[buffer.slot], atoms);
    return now != before;
}

// ---- what was found ----

void Prover::note_outcome(const Space::State& now) {
    std::vector<std::int64_t> values;
    for (int t = 0; t < space_->threads(); ++t) {
        const auto& shown = automata_.shown[space_->node(now.data(), t).shown];
        values.insert(values.end(), shown.begin(), shown.end());
    }
    const auto& memory = ideals_.memories[now[space_->memory()]];
    values.insert(values.end(), memory.begin(), memory.end());
    outcomes_.try_emplace(std::move(values), static_cast<std::int32_t>(records_.size()));
}

std::vector<std::pair<std::vector<std::int64_t>, std::int32_t>> Prover::outcomes() const {
    return {outcomes_.begin(), outcomes_.end()};
}

std::int64_t Prover::atoms() const {
    std::size_t most = 0;
    for (std::size_t n = 0; n < records_.size(); ++n) {
        if (records_[n].covered) continue;
        for (int k = space_->fixed(); k < space_->size(); ++k)
            most = std::max(most, ideals_.words[state(static_cast<std::int32_t>(n))[k]].size());
    }
    return static_cast<std::int64_t>(most);
}

std::tuple<int, int, int> Prover::growing() const {
    std::tuple<int, int, int> where{-1, -1, -1};
    std::size_t most = 0;
    auto look = [&](const std::int32_t* s, std::int32_t word, int thread, int cell) {
        if (ideals_.words[word].size() <= most) return;
        most = ideals_.words[word].size();
        where = {thread, cell, space_->node(s, thread).pc};
    };
    for (std::size_t n = 0; n < records_.size(); ++n) {
        if (records_[n].covered) continue;
        const std::int32_t* s = state(static_cast<std::int32_t>(n));
        for (int t = 0; space_->has_pasts() && t < space_->threads(); ++t) look(s, s[space_->past(t)], t, -1);
        for (const Stores::Buffer& b : space_->stores().buffers()) look(s, s[b.slot], b.thread, b.cell);
        for (const Stores::Family& f : space_->stores().families()) look(s, s[f.slot], f.thread, f.cells[0]);
    }
    return where;
}

std::vector<Prover::Step> Prover::path(std::int32_t to) {
    std::vector<std::int32_t> way;
    for (std::int32_t n = to < 0 ? goal_ : to; n >= 0; n = records_[n].parent) way.push_back(n);
    std::reverse(way.begin(), way.end());
    std::vector<Step> steps;
    for (std::int32_t n : way) {
        const Record& r = records_[n];
        Step& step = steps.emplace_back();
        step.moves.assign(moves_.begin() + r.moves, moves_.begin() + r.moves_end);
        if (r.loop >= 0) step.loop = records_[r.loop].depth;
    }
    const std::int32_t* end = state(way.back());
    if (auto moves = space_->drain(Space::State(end, end + space_->size()))) steps.push_back({std::move(*moves), -1});
    return steps;
}

std::optional<Trace> Prover::witness(bool deadlock, std::int32_t state, std::function<bool()> stop) {
    automata_.pulse.stop = std::move(stop);
    std::optional<Trace> trace;
    try {
        trace = Replay(automata_).find(path(state), deadlock, state < 0 ? racing_ : std::pair(-1, -1));
    } catch (const Stopped&) {
    }
    automata_.pulse.stop = nullptr;
    return trace;
}

std::vector<Prover::Atom> Prover::atoms_of(std::int32_t word, bool stores) const {
    std::vector<Atom> atoms;
    for (Ideals::Token token : ideals_.words[word]) {
        Atom& atom = atoms.emplace_back(Atom{Ideals::kind(token), {}});
        const std::int32_t index = Ideals::index(token);
        if (atom.kind == Ideals::LETTER) {
            atom.letters.push_back(ideals_.letters[index]);
        } else if (atom.kind == Ideals::MARK) {
            atom.letters.push_back(stores ? std::vector<std::int64_t>{index} : ideals_.marks[index]);
        } else {
            for (std::int32_t letter : ideals_.sets[index]) atom.letters.push_back(ideals_.letters[letter]);
        }
    }
    return atoms;
}

std::vector<Prover::Covering> Prover::invariant() const {
    std::vector<Covering> all;
    for (std::size_t n = 0; n < records_.size(); ++n) {
        if (records_[n].covered) continue;
        const std::int32_t* s = state(static_cast<std::int32_t>(n));
        Covering& c = all.emplace_back();
        c.nodes.assign(s, s + space_->threads());
        c.memory = ideals_.memories[s[space_->memory()]];
        c.broken = s[space_->flags()];
        if (space_->holds())
            for (std::int32_t slot : ideals_.cells[s[space_->held()]]) {
                const auto& buffers = space_->stores().buffers();
                const Stores::Buffer& buffer = buffers[slot - buffers[0].slot];
                c.held.emplace_back(buffer.thread, buffer.cell);
            }
        if (space_->has_lifetimes()) c.gone = ideals_.cells[s[space_->gone()]];
        if (space_->held() > space_->block()) {
            c.block = s[space_->block()];
            const std::int32_t pin = s[space_->pin()];
            c.pin = ideals_.letters[pin];
            c.before = ideals_.memories[s[space_->before()]];
        }
        for (int t = 0; space_->has_pasts() && t < space_->threads(); ++t) c.pasts.push_back(atoms_of(s[space_->past(t)], false));
        for (const Stores::Buffer& buffer : space_->stores().buffers())
            c.buffers.emplace_back(buffer.thread, buffer.cell, atoms_of(s[buffer.slot], true));
        for (const Stores::Family& family : space_->stores().families())
            c.families.emplace_back(family.thread, family.cells, atoms_of(s[family.slot], true));
    }
    return all;
}

}  // namespace xgen::symbolic
