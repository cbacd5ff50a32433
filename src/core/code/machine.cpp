#include "machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace xgen {

namespace {

// a = b * q + r with 0 <= r < |b|, b not 0. Returns false where q does not fit (r is right even then).
bool divide(std::int64_t a, std::int64_t b, std::int64_t& q, std::int64_t& r) {
    if (b == -1) {
        r = 0;
        return !__builtin_sub_overflow(std::int64_t{0}, a, &q);
    }
    q = a / b;
    r = a % b;
    if (r < 0) {
        r = b > 0 ? r + b : r - b;
        q = b > 0 ? q - 1 : q + 1;
    }
    return true;
}

// Without sign.
bool below(std::int64_t a, std::int64_t b) { return static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b); }

// The number that the low `bits` of a value are, or -bits of them with a sign.
std::int64_t wrapped(std::int64_t value, std::int32_t bits) {
    const int unused = 64 - (bits < 0 ? -bits : bits);
    const std::uint64_t high = static_cast<std::uint64_t>(value) << unused;
    return bits < 0 ? static_cast<std::int64_t>(high) >> unused : static_cast<std::int64_t>(high >> unused);
}

}  // namespace

Machine::Machine(const Code& code, int words) : code_(code), words_(words) {
    const std::size_t width = code.registers();
    registers_count_ = static_cast<int>(width);
    taints_.resize((width + 1) * words);
    open_.resize(words);
    for (auto* v : {&registers_, &trial_, &scratch_, &seen_}) v->resize(width);
}

Status Machine::find_cell(std::int64_t address, std::int32_t width, std::int64_t& cell) const {
    const auto& places = code_.places;
    auto at = std::upper_bound(places.begin(), places.end(), address,
                               [](std::int64_t a, const CellPlace& place) { return a < place.address; });
    Status status = Status::RANGE;
    for (; at != places.begin(); --at) {
        const CellPlace& place = *(at - 1);
        const bool fits = width == 0 || width == WHOLE_OBJECT || place.width == 0 || place.width == width;
        if (place.cell != NO_CELL && place.address == address && fits) {
            cell = place.cell;
            return Status::EVENT;
        }
        if (address < place.address + std::abs(place.width) && width != WHOLE_OBJECT) status = Status::MIXED;
        if (place.address != address) break;
    }
    return status;
}

Machine::Stop Machine::interpret(std::int64_t* r, ThreadState& state) {
    const Instruction* code = code_.instructions.data();
    const std::int64_t* constants = code_.constants.data();
    auto get = [&](std::int32_t x) { return x >= 0 ? r[x] : constants[~x]; };
    std::int32_t pc = state.pc;
    auto stop = [&](Status status, Stop why = Stop::OTHER) {
        state.pc = pc;
        state.status = status;
        return why;
    };
    for (;; ++pc) {
        const Instruction& i = code[pc];
        if (--budget_ < 0) return stop(Status::RUNAWAY);
        if (tainting_) {
            if (unknown_ && stays_open(i)) return stop(Status::OPEN);
            taint_result(i);
            if (unknown_ && skips(r, i)) continue;
        }
        switch (i.op) {
        case Op::MOV: r[i.dst] = get(i.a); break;
        case Op::NOT: r[i.dst] = !get(i.a); break;
        case Op::NEG:
            if (__builtin_sub_overflow(std::int64_t{0}, get(i.a), &r[i.dst]) && !i.c) return stop(Status::OVERFLOWED);
            break;
        case Op::ADD:
            if (__builtin_add_overflow(get(i.a), get(i.b), &r[i.dst]) && !i.c) return stop(Status::OVERFLOWED);
            break;
        case Op::SUB:
            if (__builtin_sub_overflow(get(i.a), get(i.b), &r[i.dst]) && !i.c) return stop(Status::OVERFLOWED);
            break;
        case Op::MUL:
            if (__builtin_mul_overflow(get(i.a), get(i.b), &r[i.dst]) && !i.c) return stop(Status::OVERFLOWED);
            break;
        case Op::DIV:
        case Op::MOD:
        case Op::REM: {
            std::int64_t a = get(i.a), b = get(i.b), q = 0, m = 0;
            if (b == 0) return stop(Status::DIVISION);
            if (!divide(a, b, q, m) && i.op == Op::DIV) return stop(Status::OVERFLOWED);
            r[i.dst] = i.op == Op::DIV ? q : i.op == Op::MOD || b > 0 ? m : -m;
            break;
        }
        case Op::QUO:
        case Op::REMT: {
            const std::int64_t a = get(i.a), b = get(i.b);
            if (b == 0) return stop(Status::DIVISION);
            if (b == -1 && a == std::numeric_limits<std::int64_t>::min()) {
                if (i.op == Op::QUO) return stop(Status::OVERFLOWED);
                r[i.dst] = 0;
            } else {
                r[i.dst] = i.op == Op::QUO ? a / b : a % b;
            }
            break;
        }
        case Op::UQUO:
        case Op::UREM: {
            const std::uint64_t a = static_cast<std::uint64_t>(get(i.a)), b = static_cast<std::uint64_t>(get(i.b));
            if (b == 0) return stop(Status::DIVISION);
            r[i.dst] = static_cast<std::int64_t>(i.op == Op::UQUO ? a / b : a % b);
            break;
        }
        case Op::EQ: r[i.dst] = get(i.a) == get(i.b); break;
        case Op::NE: r[i.dst] = get(i.a) != get(i.b); break;
        case Op::LT: r[i.dst] = get(i.a) < get(i.b); break;
        case Op::LE: r[i.dst] = get(i.a) <= get(i.b); break;
        case Op::ULT: r[i.dst] = below(get(i.a), get(i.b)); break;
        case Op::ULE: r[i.dst] = !below(get(i.b), get(i.a)); break;
        case Op::BITNOT: r[i.dst] = ~get(i.a); break;
        case Op::BITAND: r[i.dst] = get(i.a) & get(i.b); break;
        case Op::BITOR: r[i.dst] = get(i.a) | get(i.b); break;
        case Op::BITXOR: r[i.dst] = get(i.a) ^ get(i.b); break;
        case Op::SHL:
        case Op::SHR: {
            const std::int64_t distance = get(i.b);
            const std::uint64_t bits = static_cast<std::uint64_t>(get(i.a));
            if (distance < 0 || distance > 63) return stop(Status::OVERFLOWED);
            r[i.dst] = static_cast<std::int64_t>(i.op == Op::SHL ? bits << distance : bits >> distance);
            break;
        }
        case Op::SAR: {
            const std::int64_t distance = get(i.b);
            if (distance < 0 || distance > 63) return stop(Status::OVERFLOWED);
            r[i.dst] = get(i.a) >> distance;
            break;
        }
        case Op::REAL: r[i.dst] = computed(static_cast<Real>(i.c), get(i.a), get(i.b)); break;
        case Op::WRAP: r[i.dst] = wrapped(get(i.a), i.c); break;
        case Op::SELECT: r[i.dst] = get(i.a) ? get(i.b) : get(i.c); break;
        case Op::JMP: pc = i.c - 1; break;
        case Op::JZ:
            if (trail_) trail_->turns.push_back(get(i.a) ? pc : ~pc);
            if (!get(i.a)) pc = i.c - 1;
            break;
        case Op::ASSUME:
            if (trail_) trail_->turns.push_back(get(i.a) ? pc : ~pc);
            if (!get(i.a)) return stop(Status::BLOCKED);
            break;
        case Op::ASSERT:
            state.reached |= std::uint64_t{1} << i.b;
            if (!get(i.a)) return stop(Status::ASSERTION);
            break;
        case Op::GOTO:
            pc = i.c;
            return stop(Status::CHOICE, Stop::EDGE_END);
        case Op::CHOOSE: return stop(Status::CHOICE, Stop::CHOOSE);
        case Op::HAVOC:
        case Op::GATHER:
        case Op::PREDICT: return stop(Status::CHOICE);
        case Op::FAIL: return stop(Status::FAILED);
        case Op::END: return stop(Status::ENDED);
        case Op::STUCK: return stop(Status::BLOCKED);
        case Op::CUT: return stop(Status::CUT);
        case Op::BOUND:
            if (++r[i.dst] > i.c) return stop(Status::CUT);
            break;
        case Op::INDEX: {
            std::int64_t a = get(i.a);
            if (a < 0 || a >= i.c) return stop(Status::RANGE);
            r[i.dst] = i.b + a;
            break;
        }
        case Op::DEREF: {
            const Status found = find_cell(get(i.a), i.c, r[i.dst]);
            if (found == Status::EVENT && r[i.dst] >= 0) break;
            state.a = found == Status::EVENT ? r[i.dst] : 0;
            return stop(found == Status::EVENT ? Status::MIXED : found);
        }
        case Op::TAINT:
        case Op::LEAVE: break;
        case Op::KEEP: r[i.dst] = 0; break;
        case Op::BLOCK: r[i.dst] = 1 + index_; break;
        case Op::LOAD:
        case Op::STORE:
        case Op::LOADX:
        case Op::STOREX:
        case Op::UNLOCK:
        case Op::OBJECT:
        case Op::FENCE:
        case Op::START:
        case Op::JOIN:
        case Op::MEET:
        case Op::RMW: return stop(Status::EVENT);
        }
    }
}

namespace {

// Whether what an instruction computes with decides whether the thread goes on.
bool can_end(const Instruction& i) {
    switch (i.op) {
    case Op::NEG:
    case Op::ADD:
    case Op::SUB:
    case Op::MUL: return !i.c;
    case Op::DIV:
    case Op::MOD:
    case Op::REM:
    case Op::QUO:
    case Op::REMT:
    case Op::UQUO:
    case Op::UREM:
    case Op::SHL:
    case Op::SHR:
    case Op::SAR:
    case Op::INDEX:
    case Op::DEREF: return true;
    default: return false;
    }
}

}  // namespace

void Machine::add_taint(std::uint64_t* to, std::int32_t operand) {
    if (operand >= 0)
        for (int k = 0; k < words_; ++k) to[k] |= taint_of(operand)[k];
}

// What an instruction's result depends on, and what the way that the thread takes depends on: assumes and assertions,
// and divisors, which can end it. An index and a pointer can end it too, but that is no branch: architectures order
// what follows an address dependency otherwise than what follows a control dependency.
void Machine::taint_result(const Instruction& i) {
    const Operation role = operation(i.op);
    std::uint64_t* control = taint_of(registers_count_);
    if (i.decides()) add_taint(control, i.decider());
    if (i.op == Op::LEAVE) std::copy_n(taint_of(i.a), words_, control);
    if (role.kind != OpKind::COMPUTE) return;
    if (assigned_ && i.op != Op::TAINT) (*assigned_)[i.dst] = true;
    auto word = [&](std::uint8_t operand, std::int32_t number, int k) {
        return (role.reads & operand) && number >= 0 ? taint_of(number)[k] : 0;
    };
    for (int k = 0; k < words_; ++k)
        taint_of(i.dst)[k] = word(Operation::A, i.a, k) | word(Operation::B, i.b, k) | word(Operation::C, i.c, k) |
                             word(Operation::DST, i.dst, k);
    if (i.op == Op::KEEP) std::copy_n(control, words_, taint_of(i.dst));
}

bool Machine::is_unknown(std::int32_t operand) const {
    if (operand < 0) return false;
    const std::uint64_t* words = taint_of(operand);
    std::uint64_t any = 0;
    for (int k = 0; k < words_; ++k) any |= words[k] & unknown_[k];
    return any != 0;
}

// Whether the thread cannot go on before an operand of the instruction is known. open_ says which reads that takes.
bool Machine::stays_open(const Instruction& i) {
    auto wait_for = [&](std::int32_t operand) {
        if (!is_unknown(operand)) return false;
        for (int k = 0; k < words_; ++k) open_[k] |= taint_of(operand)[k] & unknown_[k];
        return true;
    };
    auto wait_to_access = [&](std::int32_t operand) {
        if (!passing_) return wait_for(operand);
        passed_ |= is_unknown(operand);
        return false;
    };
    if (i.op == Op::RMW) return wait_to_access(code_.rmws[i.c].address);
    if (i.decides() || i.op == Op::JZ) return wait_for(i.decider());
    if (i.op == Op::ASSUME) return wait_to_access(i.a);
    if (operation(i.op).kind == OpKind::COMPUTE) return false;  // an index, or a pointer: what accesses its cell waits
    const std::uint8_t place = operation(i.op).place;
    const bool first = (place & Operation::A) && wait_to_access(i.a);
    const bool second = (place & Operation::B) && wait_to_access(i.b);
    return first || second;
}

// Whether the instruction computes with unknown values; then its result is unknown as well, and 0 for the time being.
bool Machine::skips(std::int64_t* r, const Instruction& i) {
    if (operation(i.op).kind != OpKind::COMPUTE || i.op == Op::TAINT || !is_unknown(i.dst)) return false;
    if (trail_) trail_->risky = trail_->risky || can_end(i);
    r[i.dst] = 0;
    return true;
}

//----------------------------------------------------------------------------------------------------------------------
// look_ahead: tries each edge of a CHOOSE up to where a thread that takes it would stop.
//
// Input   width: how many registers count. registers: those of the thread. pc: the CHOOSE. taints_: what they depend on.
// Output  See Lookahead; enabled_ has the edges that no failing assume disables.
// Before  budget_, index_, tainting_ and unknown_ are those of the run that comes to the CHOOSE.
// After   The registers are what they were. Each edge has started from the same ones, so what one computes is in no
//         other's; but the assumes of all edges decide which way the thread goes, so the branches depend on all of them.
//
// An assume that fails disables its edge, unless something unknown was passed before it. Then, if it asks whether a store
// exclusive is to the address that is reserved (c), the edge stays, and `exclusive` says so; else the thread stops at what
// is not known.
//----------------------------------------------------------------------------------------------------------------------
Machine::Lookahead Machine::look_ahead(int width, const std::int64_t* registers, std::int32_t pc) {
    Lookahead ahead;
    const std::size_t of_registers = tainting_ ? static_cast<std::size_t>(registers_count_) * words_ : 0;
    kept_taints_.assign(taints_.begin(), taints_.begin() + of_registers);
    enabled_.clear();
    for (std::int32_t target : code_.targets[code_.instructions[pc].c]) {
        std::copy(registers, registers + width, trial_.begin());
        std::copy(kept_taints_.begin(), kept_taints_.end(), taints_.begin());
        ThreadState trial{target};
        passing_ = true;
        passed_ = false;
        Stop stop = interpret(trial_.data(), trial);
        passing_ = false;
        const Instruction& at = code_.instructions[trial.pc];
        if (!passed_) ahead.reached |= trial.reached;
        const bool fails = trial.status == Status::BLOCKED && at.op == Op::ASSUME;
        if (fails && !passed_) continue;
        if (fails && at.c == 0) {
            std::copy(registers, registers + width, trial_.begin());
            std::copy(kept_taints_.begin(), kept_taints_.end(), taints_.begin());
            trial = {target};
            stop = interpret(trial_.data(), trial);
        }
        ahead.open |= trial.status == Status::OPEN;
        ahead.exclusive |= passed_ && (at.op == Op::STOREX || fails);
        enabled_.push_back(target);
        std::swap(trial_, scratch_);
        ahead.state = trial;
        ahead.stop = stop;
        ahead.passed = passed_;
        ahead_taints_.assign(taints_.begin(), taints_.begin() + of_registers);
    }
    std::copy(kept_taints_.begin(), kept_taints_.end(), taints_.begin());
    return ahead;
}

const std::vector<std::int32_t>& Machine::enabled(int thread, const ThreadState& state, const std::int64_t* locals) {
    const ThreadCode& t = code_.threads[thread];
    budget_ = LOCAL_STEPS;
    index_ = state.index;
    tainting_ = false;
    unknown_ = nullptr;
    std::copy(locals, locals + t.locals, registers_.begin());
    look_ahead(t.locals, registers_.data(), state.pc);
    return enabled_;
}

bool Machine::spins(const std::int64_t* registers, std::int32_t pc, int locals) {
    if (pc == seen_pc_ && std::equal(registers, registers + locals, seen_.begin())) return true;
    if (++visits_ == next_save_) {
        next_save_ *= 2;
        seen_pc_ = pc;
        std::copy(registers, registers + locals, seen_.begin());
    }
    return false;
}

// Keeps the values of the operands of what the thread has stopped at, and what they depend on. `sets_of`: what each
// register depends on.
void Machine::read_operands(int thread, const std::int64_t* registers, const std::uint64_t* sets_of, ThreadState& state,
                            Taint taint) {
    const int locals = code_.threads[thread].locals;
    if (state.status == Status::OPEN)
        std::copy(open_.begin(), open_.end(), TaintSets{taint.words, words_}[Taint::address(locals)]);
    if (!stands(state.status)) return;
    const Instruction& at = code_.instructions[state.pc];
    std::uint64_t* sets[] = {taint.words, taint.words, taint.words};
    if (taint.words) {
        sets[0] = TaintSets{taint.words, words_}[Taint::address(locals)];
        sets[1] = TaintSets{taint.words, words_}[Taint::data(locals)];
        sets[2] = TaintSets{taint.words, words_}[Taint::compared(locals)];
        for (auto* set : sets) std::fill(set, set + words_, 0);
    }
    auto value = [&](std::int32_t x, int set) {
        if (taint.words && x >= 0)
            for (int k = 0; k < words_; ++k) sets[set][k] |= TaintSets{sets_of, words_}[x][k];
        return x >= 0 ? registers[x] : code_.constants[~x];
    };
    switch (at.op) {
    case Op::LOAD:
    case Op::LOADX:
    case Op::OBJECT: state.a = value(at.a, 0); break;
    case Op::STOREX: state.expected = registers[code_.threads[thread].reservation + 1]; [[fallthrough]];
    case Op::STORE:
    case Op::UNLOCK:
    case Op::HAVOC:
        state.a = value(at.a, at.op == Op::HAVOC);
        state.b = value(at.b, 1);
        break;
    case Op::GATHER: state.a = state.b = 0; break;
    case Op::PREDICT:
        state.a = state.b = value(at.a, 1);
        if (taint.words && unknown_ && is_unknown(at.a)) state.a = 0, state.b = at.b - 1;
        else if (state.a < 0 || state.a >= at.b) state.a = 0, state.b = -1;  // known, and no choice is right
        break;
    case Op::RMW: {
        const RmwCode& rmw = code_.rmws[at.c];
        state.a = value(rmw.address, 0);
        state.b = value(rmw.operand, 1);
        state.expected = value(rmw.expected, rmw.picks || rmw.pair ? 2 : 1);
        break;
    }
    default: break;
    }
    if (at.op == Op::HAVOC && state.a > state.b) state.status = Status::BLOCKED;
}

void Machine::run_rmw(int thread, ThreadState& state, std::int64_t value, bool writes, bool known, std::int64_t* locals,
                      Taint taint, const std::uint64_t* unknown, std::int64_t choice) {
    const RmwCode& rmw = code_.rmws[code_.instructions[state.pc].c];
    const RmwKind kind = rmw.kind;
    if (!writes) {
        if (kind == RmwKind::LOCK) {
            state.status = value < 0 ? Status::ASSERTION : Status::BLOCKED;  // below 0: it is destroyed
            state.round = state.index - 1;
        } else {
            ++state.pc;
            run(thread, state, locals, taint, unknown, choice);
        }
        return;
    }
    state.status = Status::EVENT;
    state.writing = true;
    std::int64_t operand = state.b;
    bool overflow = false;
    auto as_signed = [&](std::int64_t number) { return rmw.bits > 0 ? wrapped(number, -rmw.bits) : number; };
    switch (kind) {
    case RmwKind::ADD:
    case RmwKind::ADD_UNLESS: overflow = __builtin_add_overflow(value, operand, &state.b); break;
    case RmwKind::SUB: overflow = __builtin_sub_overflow(value, operand, &state.b); break;
    case RmwKind::AND: state.b = value & operand; break;
    case RmwKind::ANDNOT: state.b = value & ~operand; break;
    case RmwKind::OR: state.b = value | operand; break;
    case RmwKind::XOR: state.b = value ^ operand; break;
    case RmwKind::MIN: state.b = as_signed(value) < as_signed(operand) ? value : operand; break;
    case RmwKind::MAX: state.b = as_signed(value) < as_signed(operand) ? operand : value; break;
    case RmwKind::UMIN: state.b = below(value, operand) ? value : operand; break;
    case RmwKind::UMAX: state.b = below(value, operand) ? operand : value; break;
    case RmwKind::REAL_ADD32: state.b = computed(Real::ADD32, value, operand); break;
    case RmwKind::REAL_ADD64: state.b = computed(Real::ADD64, value, operand); break;
    default: break;
    }
    if (rmw.bits) {
        state.b = wrapped(state.b, rmw.bits);
    } else if (overflow && known) {
        state.status = Status::OVERFLOWED;
        state.writing = false;
    }
}

void Machine::load_taint(int locals, Taint taint) {
    tainting_ = taint.words != nullptr;
    if (!tainting_) return;
    std::fill(taints_.begin(), taints_.end(), 0);
    const TaintSets sets{taint.words, words_};
    std::copy(taint.words, sets[locals], taints_.begin());
    std::copy_n(sets[Taint::control(locals)], words_, taint_of(registers_count_));
}

void Machine::store_taint(int locals, Taint taint) {
    if (!tainting_) return;
    const TaintSets sets{taint.words, words_};
    std::copy_n(taints_.begin(), sets[locals] - taint.words, taint.words);
    std::copy_n(taint_of(registers_count_), words_, sets[Taint::control(locals)]);
}

// Whether the thread is at its next event, or at its end, with nothing to compute, and knows which cell it is about.
bool Machine::is_there(int thread, ThreadState& state, const std::int64_t* locals, Taint taint,
                       const std::uint64_t* unknown) {
    const Instruction* at = &code_.instructions[state.pc];
    if (at->op == Op::GOTO) at = &code_.instructions[at->c];
    std::int32_t address = -1;
    switch (at->op) {
    case Op::END: break;
    case Op::LOAD:
    case Op::UNLOCK:
    case Op::OBJECT:
    case Op::STORE: address = at->a; break;
    case Op::FENCE: break;
    case Op::RMW: address = code_.rmws[at->c].address; break;
    default: return false;
    }
    if (unknown && address >= 0) return false;
    state.status = at->op == Op::END ? Status::ENDED : Status::EVENT;
    state.pc = static_cast<std::int32_t>(at - code_.instructions.data());
    read_operands(thread, locals, taint.words, state, taint);
    return true;
}

void Machine::run(int thread, ThreadState& state, std::int64_t* locals, Taint taint, const std::uint64_t* unknown,
                  std::int64_t choice) {
    if (is_there(thread, state, locals, taint, unknown)) return;
    const ThreadCode& t = code_.threads[thread];
    std::copy(locals, locals + t.locals, registers_.begin());
    load_taint(t.locals, taint);
    unknown_ = unknown;
    std::fill(open_.begin(), open_.end(), 0);
    budget_ = LOCAL_STEPS;
    index_ = state.index;
    seen_pc_ = -1;
    visits_ = 0;
    next_save_ = 1;
    std::int64_t passed = 0;  // CHOOSEs
    Stop stop = interpret(registers_.data(), state);
    while (stop != Stop::OTHER) {
        if (stop == Stop::EDGE_END) {
            if (spins(registers_.data(), state.pc, t.locals)) {
                state.status = Status::BLOCKED;
                state.round = state.index;
                break;
            }
            stop = interpret(registers_.data(), state);
            continue;
        }
        const Lookahead ahead = look_ahead(t.locals, registers_.data(), state.pc);
        state.reached |= ahead.reached;
        const bool early = ++passed == choice || (ahead.exclusive && !ahead.open);
        state.expected = early ? passed : 0;
        if (early) break;
        if (ahead.open) {
            state.status = Status::OPEN;
            break;
        }
        if (enabled_.size() > 1) break;
        if (enabled_.empty()) {
            state.status = Status::BLOCKED;
            break;
        }
        if (ahead.passed) {  // once more, where what is not known stops it
            state.pc = enabled_[0];
            stop = interpret(registers_.data(), state);
            continue;
        }
        std::swap(registers_, scratch_);
        std::copy(ahead_taints_.begin(), ahead_taints_.end(), taints_.begin());
        state.pc = ahead.state.pc;
        state.status = ahead.state.status;
        stop = ahead.stop;
    }
    read_operands(thread, registers_.data(), taints_.data(), state, taint);
    store_taint(t.locals, taint);
    std::copy(registers_.begin(), registers_.begin() + t.locals, locals);
}

}  // namespace xgen
