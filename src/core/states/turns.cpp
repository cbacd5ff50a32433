#include "turns.hpp"

#include <algorithm>
#include <deque>

namespace xgen::turns {

namespace {

constexpr std::int64_t MOST_CHOICES = 64;

std::uint64_t bit(int thread) { return std::uint64_t{1} << thread; }

std::uint64_t hash(const std::int64_t* words, int count) {
    std::uint64_t found = 0x9e3779b97f4a7c15;
    for (int k = 0; k < count; ++k) {
        found = (found ^ static_cast<std::uint64_t>(words[k])) * 0xff51afd7ed558ccd;
        found ^= found >> 32;
    }
    return found;
}

}  // namespace

Turns::Turns(const Code& code, std::vector<bool> counts, std::vector<bool> takes)
    : code_(code), counts_(std::move(counts)), takes_(std::move(takes)), machine_(code, 1) {
    for (const auto& thread : code.threads) {
        threads_.push_back(width_);
        width_ += LOCALS + thread.locals;
    }
    const int cells = static_cast<int>(code.cells.size());
    cells_ = width_;
    width_ += cells;
    if (std::ranges::any_of(code.instructions, [](const Instruction& i) { return i.op == Op::UNLOCK; })) {
        owners_ = width_;
        width_ += cells;
    }
    if (std::ranges::find(code.undefined, true) != code.undefined.end()) {
        written_ = width_;
        width_ += cells;
    }
    table_.assign(1 << 10, -1);
    start();
}

// ---- states ----

ThreadState Turns::load(const Word* state, int thread) const {
    const Word* own = state + threads_[thread];
    ThreadState now;
    now.pc = static_cast<std::int32_t>(own[PC]);
    now.status = static_cast<Status>(own[STATUS]);
    now.a = own[A], now.b = own[B], now.expected = own[EXPECTED];
    return now;
}

// Keeps where a thread stands: of its locals those that matter there, so that states are equal that do the same.
void Turns::save(Word* state, int thread, ThreadState& now) const {
    Word* own = state + threads_[thread];
    const bool goes_on = stands(now.status);
    own[PC] = now.pc;
    own[STATUS] = static_cast<Word>(now.status);
    own[A] = goes_on ? now.a : 0;
    own[B] = goes_on ? now.b : 0;
    own[EXPECTED] = goes_on ? now.expected : 0;
    Word* locals = own + LOCALS;
    const int count = code_.threads[thread].locals;
    if (now.status == Status::CHOICE) return;
    const std::vector<std::int32_t>* live = goes_on ? &code_.live[now.pc] : nullptr;
    if (live && live->empty()) return;
    for (int k = 0; k < count; ++k)
        if (!live || std::find(live->begin() + 1, live->end(), k) == live->end()) locals[k] = 0;
}

// Whether a thread that stands there is of a run: not where an assume excludes it, nor where it is an error.
bool Turns::settles(const Word* state, int thread) {
    const Word* own = state + threads_[thread];
    const Status status = static_cast<Status>(own[STATUS]);
    if (stands(status) || status == Status::ENDED) return true;
    if (status == Status::BLOCKED) return own[A] != 0;  // it goes round by itself
    (is_error(status) ? wrong_ : complete_) = is_error(status);
    return false;
}

void Turns::start() {
    next_.assign(width_, 0);
    std::copy(code_.cells.begin(), code_.cells.end(), next_.begin() + cells_);
    bool good = true;
    for (std::size_t t = 0; t < code_.threads.size(); ++t) {
        const int thread = static_cast<int>(t);
        Word* own = next_.data() + threads_[t];
        std::copy(code_.threads[t].initial.begin(), code_.threads[t].initial.end(), own + LOCALS);
        ThreadState now;
        now.pc = code_.threads[t].entry;
        machine_.run(thread, now, own + LOCALS, {});
        save(next_.data(), thread, now);
        if (now.status == Status::BLOCKED) own[A] = now.round >= 0;
        own[STARTED] = !code_.threads[t].waits;
        good = good && (code_.threads[t].waits || settles(next_.data(), thread));
    }
    if (good) number(-1);
}

// The number of the state in next_; a new one if it was not there. `parent`: the edge that leads to it.
std::int32_t Turns::number(std::int32_t parent) {
    const std::size_t mask = table_.size() - 1;
    std::size_t place = hash(next_.data(), width_) & mask;
    for (; table_[place] >= 0; place = (place + 1) & mask)
        if (std::equal(next_.begin(), next_.end(), at(table_[place]))) return table_[place];
    const std::int32_t found = static_cast<std::int32_t>(parents_.size());
    table_[place] = found;
    parents_.push_back(parent);
    words_.insert(words_.end(), next_.begin(), next_.end());
    if (parents_.size() * 2 > table_.size()) {
        table_.assign(table_.size() * 2, -1);
        for (std::int32_t k = 0; k <= found; ++k) {
            std::size_t to = hash(at(k), width_) & (table_.size() - 1);
            while (table_[to] >= 0) to = (to + 1) & (table_.size() - 1);
            table_[to] = k;
        }
    }
    return found;
}

bool Turns::explore(std::size_t limit) {
    while (first_.size() < parents_.size() && first_.size() < limit) expand(static_cast<std::int32_t>(first_.size()));
    return first_.size() < parents_.size();
}

// ---- turns ----

bool Turns::able(const Word* state, int thread) const {
    const Word* own = state + threads_[thread];
    if (!own[STARTED] || !stands(static_cast<Status>(own[STATUS]))) return false;
    const Instruction& i = code_.instructions[own[PC]];
    if (i.op == Op::JOIN) return static_cast<Status>(state[threads_[i.a] + STATUS]) == Status::ENDED;
    if (i.op != Op::RMW || code_.rmws[i.c].kind != RmwKind::LOCK) return true;
    const Word value = state[cells_ + own[A]];
    return value < 0 || Machine::writes(RmwKind::LOCK, value, own[EXPECTED]);
}

void Turns::expand(std::int32_t state) {
    first_.push_back(edges_.size());
    enabled_.push_back(0);
    const std::vector<Word> from(at(state), at(state) + width_);
    for (int t = 0; t < static_cast<int>(threads_.size()); ++t) {
        if (!able(from.data(), t)) continue;
        enabled_.back() |= bit(t);
        const ThreadState now = load(from.data(), t);
        std::int64_t first = 0, last = 0;
        if (now.status == Status::CHOICE && code_.instructions[now.pc].op == Op::CHOOSE) {
            last = static_cast<std::int64_t>(machine_.enabled(t, now, from.data() + threads_[t] + LOCALS).size()) - 1;
        } else if (now.status == Status::CHOICE) {
            first = now.a, last = now.b;
            if (static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) >= MOST_CHOICES) {
                last = first + MOST_CHOICES - 1;
                complete_ = false;
            }
        }
        for (std::int64_t choice = first; choice <= last; ++choice) {
            Turn turn;
            if (!take(from.data(), t, choice, turn)) continue;
            const std::int32_t edge = static_cast<std::int32_t>(edges_.size());
            const std::int32_t to = number(edge);
            edges_.push_back({state, to, t, turn.writes && counts_[turn.pc] && (!turn.reads || turn.read != turn.written), choice});
        }
    }
}

/* take: a thread takes a turn.
 *
 * Input    from: a state in which the thread is able. choice: which edge of a CHOOSE, or the value of a HAVOC.
 * Output   false where that is of no run: an assume does not hold, or it is an error.
 * After    next_ is the state behind it, `turn` says what the thread has done.
 */
bool Turns::take(const Word* from, int thread, std::int64_t choice, Turn& turn) {
    next_.assign(from, from + width_);
    ThreadState now = load(from, thread);
    Word* locals = next_.data() + threads_[thread] + LOCALS;
    const Instruction& i = code_.instructions[now.pc];
    std::int32_t pc = now.pc + 1;
    turn = {thread, now.pc};
    if (i.op == Op::CHOOSE) {
        pc = machine_.enabled(thread, now, locals)[choice];
    } else if (now.status == Status::CHOICE) {
        turn.read = choice;
        if (i.dst >= 0) locals[i.dst] = choice;
    } else if (i.op == Op::START) {
        next_[threads_[i.a] + STARTED] = 1;
        if (!settles(next_.data(), i.a)) return false;
    } else if (i.op == Op::OBJECT) {
        if (code_.objects[now.a] != now.a) return !(wrong_ = true);
    } else if (i.op != Op::FENCE && i.op != Op::JOIN && !access(thread, now, turn)) {
        return false;
    }
    now.a = now.b = now.expected = 0;
    now.pc = pc;
    now.writing = false;
    now.round = -1;
    machine_.run(thread, now, locals, {});
    save(next_.data(), thread, now);
    if (now.status == Status::BLOCKED) next_[threads_[thread] + A] = now.round >= 0;
    return settles(next_.data(), thread);
}

// Reads and writes a cell; false where that is an error.
bool Turns::access(int thread, ThreadState& now, Turn& turn) {
    const Instruction& i = code_.instructions[now.pc];
    Word* locals = next_.data() + threads_[thread] + LOCALS;
    Word& value = next_[cells_ + now.a];
    turn.cell = static_cast<std::int32_t>(now.a);
    turn.reads = i.op == Op::LOAD || i.op == Op::RMW;
    turn.writes = i.op != Op::LOAD;
    turn.read = value;
    if (turn.reads) {
        const bool nothing = written_ >= 0 && code_.undefined[now.a] && !next_[written_ + now.a];
        if (nothing && !code_.reads_blindly(i)) return !(wrong_ = true);
        if (i.dst >= 0) locals[i.dst] = value;
    }
    if (i.op == Op::RMW) {
        const RmwKind kind = code_.rmws[i.c].kind;
        turn.writes = Machine::writes(kind, value, now.expected);
        if (!turn.writes && kind == RmwKind::LOCK) return !(wrong_ = true);  // it is destroyed
        if (!turn.writes) return true;
        machine_.run_rmw(thread, now, value, true, true, locals, {}, nullptr, 0);
        if (is_error(now.status)) return !(wrong_ = true);
    }
    if (!turn.writes) return true;
    if (owners_ >= 0) {
        Word& owner = next_[owners_ + now.a];
        if (i.op == Op::UNLOCK && owner != thread + 1) return !(wrong_ = true);
        owner = takes_[now.pc] ? thread + 1 : 0;
    }
    if (written_ >= 0) next_[written_ + now.a] = 1;
    turn.written = value = now.b;
    return true;
}

// ---- cycles ----

/* find: looks for a fair cycle.
 *
 * Output   Whether there is one; prefix_ and cycle_ then.
 *
 * A cycle is fair if each thread takes a turn in it, or can take none in any of its states: at a mutex that is given back
 * again and again, a thread gets it in the end, so it is no excuse that it cannot in some of them. So in a strongly
 * connected part of the states, those in which a thread can take a turn that takes none in the part are of no fair cycle:
 * what is left without them is looked at again. A part without any is passed through as a whole.
 */
bool Turns::find() {
    for (auto* each : {&member_, &index_, &low_}) each->assign(parents_.size(), -1);
    stacked_.assign(parents_.size(), false);
    std::vector<std::vector<std::int32_t>> left(1), found;
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(first_.size()); ++k) left[0].push_back(k);
    first_.push_back(edges_.size());  // for as long as it takes: the end of the last one's
    while (!left.empty()) {
        const std::vector<std::int32_t> members = std::move(left.back());
        left.pop_back();
        found.clear();
        parts(members, found);
        for (const auto& part : found) look_at(part, left);
    }
    if (!best_.empty()) show();
    first_.pop_back();
    return !best_.empty();
}

// The strongly connected parts among some states (R. E. Tarjan, 1972), each without an edge left out.
void Turns::parts(const std::vector<std::int32_t>& members, std::vector<std::vector<std::int32_t>>& found) {
    const std::int32_t set = sets_++;
    for (const std::int32_t state : members) member_[state] = set, index_[state] = -1;
    std::vector<std::int32_t> stack;
    std::vector<std::pair<std::int32_t, std::size_t>> path;  // a state, and its edge that comes next
    std::int32_t count = 0;
    auto enter = [&](std::int32_t state) {
        index_[state] = low_[state] = count++;
        stack.push_back(state);
        stacked_[state] = true;
        path.emplace_back(state, first_[state]);
    };
    for (const std::int32_t root : members) {
        if (index_[root] >= 0) continue;
        enter(root);
        while (!path.empty()) {
            const std::int32_t state = path.back().first;
            if (path.back().second < first_[state + 1]) {
                const std::int32_t to = edges_[path.back().second++].to;
                if (member_[to] != set) continue;
                if (index_[to] < 0) enter(to);
                else if (stacked_[to]) low_[state] = std::min(low_[state], index_[to]);
                continue;
            }
            path.pop_back();
            if (!path.empty()) low_[path.back().first] = std::min(low_[path.back().first], low_[state]);
            if (low_[state] != index_[state]) continue;
            found.emplace_back();
            std::int32_t last = -1;
            do {
                last = stack.back();
                stack.pop_back();
                stacked_[last] = false;
                found.back().push_back(last);
            } while (last != state);
        }
    }
}

// Whether a part has a fair cycle; or what is left of it, to be looked at again. The best one is that which is soonest met.
void Turns::look_at(const std::vector<std::int32_t>& part, std::vector<std::vector<std::int32_t>>& left) {
    const std::int32_t set = sets_++;
    for (const std::int32_t state : part) member_[state] = set;
    std::uint64_t steps = 0;
    bool counts = false;
    for (const std::int32_t state : part)
        for (std::size_t e = first_[state]; e < first_[state + 1]; ++e)
            if (member_[edges_[e].to] == set) {
                steps |= bit(edges_[e].thread);
                counts |= edges_[e].counts;
            }
    if (!counts) return;
    std::vector<std::int32_t> rest;
    for (const std::int32_t state : part)
        if ((enabled_[state] & ~steps) == 0) rest.push_back(state);
    if (rest.size() < part.size()) {
        left.push_back(std::move(rest));
        return;
    }
    const std::int32_t entry = *std::ranges::min_element(part);
    if (!best_.empty() && entry_ < entry) return;
    best_ = part, entry_ = entry, steps_ = steps;
}

// The shortest way inside of the best part from a state to an edge that is wanted, which comes last; where that leads.
template <class F>
std::int32_t Turns::lead(std::int32_t from, F&& wanted, std::vector<std::int32_t>& way) const {
    std::vector<std::int32_t> by(member_.size(), -1);
    std::deque<std::int32_t> queue{from};
    const std::int32_t set = member_[entry_];
    while (!queue.empty()) {
        const std::int32_t state = queue.front();
        queue.pop_front();
        for (std::size_t e = first_[state]; e < first_[state + 1]; ++e) {
            const Edge& edge = edges_[e];
            if (member_[edge.to] != set) continue;
            if (wanted(edge)) {
                std::vector<std::int32_t> back{static_cast<std::int32_t>(e)};
                for (std::int32_t at = state; at != from; at = edges_[by[at]].from) back.push_back(by[at]);
                way.insert(way.end(), back.rbegin(), back.rend());
                return edge.to;
            }
            if (edge.to == from || by[edge.to] >= 0) continue;
            by[edge.to] = static_cast<std::int32_t>(e);
            queue.push_back(edge.to);
        }
    }
    return from;
}

// The way to the best part, and one through it in which each of its threads takes a turn, and something changes.
void Turns::show() {
    for (const std::int32_t state : best_) member_[state] = sets_;
    ++sets_;
    std::vector<std::int32_t> way;
    for (std::int32_t state = entry_; parents_[state] >= 0; state = edges_[parents_[state]].from) way.push_back(parents_[state]);
    std::ranges::reverse(way);
    prefix_ = turns(way);
    way.clear();
    std::int32_t now = lead(entry_, [](const Edge& edge) { return edge.counts; }, way);
    std::uint64_t seen = 0;
    for (const std::int32_t e : way) seen |= bit(edges_[e].thread);
    for (int t = 0; t < static_cast<int>(threads_.size()); ++t) {
        if (!(steps_ & bit(t) & ~seen)) continue;
        const std::size_t old = way.size();
        now = lead(now, [&](const Edge& edge) { return edge.thread == t; }, way);
        for (std::size_t k = old; k < way.size(); ++k) seen |= bit(edges_[way[k]].thread);
    }
    if (now != entry_) lead(now, [&](const Edge& edge) { return edge.to == entry_; }, way);
    cycle_ = turns(way);
}

std::vector<Turn> Turns::turns(const std::vector<std::int32_t>& edges) {
    std::vector<Turn> found;
    for (const std::int32_t e : edges) {
        const std::vector<Word> from(at(edges_[e].from), at(edges_[e].from) + width_);
        Turn turn;
        take(from.data(), edges_[e].thread, edges_[e].choice, turn);
        found.push_back(turn);
    }
    return found;
}

std::vector<std::pair<Status, std::int32_t>> Turns::standing() const {
    std::vector<std::pair<Status, std::int32_t>> found;
    for (const int own : threads_) {
        const Word* words = at(entry_) + own;
        const Status status = words[STARTED] ? static_cast<Status>(words[STATUS]) : Status::UNSTARTED;
        found.emplace_back(status, static_cast<std::int32_t>(words[PC]));
    }
    return found;
}

}  // namespace xgen::turns
