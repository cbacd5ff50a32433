#include "instance.hpp"

namespace xgen::cubes {

namespace {

bool numeric(Sort sort) { return sort == Sort::INT || sort == Sort::REAL; }

// a - b <= c, or < c.
bool add_bound(Term a, Term b, std::int64_t c, bool strict, Sort sort, Literals& out) {
    const std::int64_t bound = sort == Sort::REAL ? 2 * c - strict : c - strict;
    if (a == b) return bound >= 0;
    out.push_back({Literal::LE, a, b, bound});
    return true;
}

bool add_difference(Term a, Term b, std::int64_t c, Literals& out) {
    if (a == b) return c != 0;
    out.push_back(b < a ? Literal{Literal::DIFFER, b, a, -c} : Literal{Literal::DIFFER, a, b, c});
    return true;
}

}  // namespace

Operand Instance::plain(Term term) const {
    return {term.kind() == Term::ZERO ? Sort(term.array()) : system_.arrays[term.array()].sort, false, term, 0};
}

Operand Instance::operand(const Pattern& p) const {
    switch (p.kind) {
        case Pattern::PROCESS: return {Sort::PROC, true, Term(), std::int64_t(Mask(1) << process(p.array))};
        case Pattern::VALUE: return {Sort::ENUM, true, Term(), std::int64_t(Mask(1) << p.array)};
        case Pattern::NUMBER: return {p.sort, false, Term::zero(p.sort), p.number};
        default: break;
    }
    const Array& array = system_.arrays[p.array];
    const int i = p.i == Pattern::NONE ? int(Term::NONE) : process(p.i);
    const int j = p.j == Pattern::NONE ? int(Term::NONE) : process(p.j);
    const bool late = array.weak && reading_ != NOW && p.reader != Pattern::NONE;
    const Term term = late ? Term::read(reading_, process(p.reader), p.array, i, j) : Term::cell(p.array, i, j);
    return {array.sort, false, term, p.number};
}

bool Instance::add(Relation relation, const Operand& a, const Operand& b, Literals& out) const {
    if (numeric(a.sort)) {
        const std::int64_t c = b.offset - a.offset;
        switch (relation) {
            case Relation::NE: return add_difference(a.term, b.term, c, out);
            case Relation::EQ:
                return add_bound(a.term, b.term, c, false, a.sort, out) && add_bound(b.term, a.term, -c, false, a.sort, out);
            default: return add_bound(a.term, b.term, c, relation == Relation::LT, a.sort, out);
        }
    }
    if (relation == Relation::LT || relation == Relation::LE) {  // of processes, whose numbers are in their order
        return Mask(a.offset) < Mask(b.offset) || (relation == Relation::LE && a.offset == b.offset);
    }
    const bool equal = relation == Relation::EQ;
    if (a.constant && b.constant) return (a.offset == b.offset) == equal;
    if (a.constant || b.constant) {
        const Term term = a.constant ? b.term : a.term;
        const Mask value = Mask(a.constant ? a.offset : b.offset);
        const Mask domain = Facts::domain(system_, term, processes_, everybody(system_, processes_));
        out.push_back(Literal::in(term, equal ? value : domain & ~value));
        return true;
    }
    if (a.term == b.term) return equal;
    out.push_back({equal ? Literal::EQ : Literal::NE, std::min(a.term, b.term), std::max(a.term, b.term)});
    return true;
}

bool Instance::add(const Literal& l, const std::function<Operand(Term)>& substitute, Literals& out) const {
    const Operand a = substitute(l.a);
    if (l.kind == Literal::IN) {
        if (a.constant) return (Mask(a.offset) & l.mask()) != 0;
        out.push_back(Literal::in(a.term, l.mask()));
        return true;
    }
    const Operand b = substitute(l.b);
    if (l.kind == Literal::EQ || l.kind == Literal::NE) return add(l.kind == Literal::EQ ? Relation::EQ : Relation::NE, a, b, out);
    const std::int64_t moved = b.offset - a.offset;
    if (l.kind == Literal::DIFFER) return add_difference(a.term, b.term, l.c + moved, out);
    const std::int64_t bound = l.c + (a.sort == Sort::REAL ? 2 * moved : moved);
    if (a.term == b.term) return bound >= 0;
    out.push_back({Literal::LE, a.term, b.term, bound});
    return true;
}

std::vector<Literals> Instance::alternatives(const Condition& condition) const {
    std::vector<Literals> found;
    for (const Conjunction& conjunction : condition) {
        Literals literals;
        if (std::all_of(conjunction.begin(), conjunction.end(), [&](const Comparison& c) { return add(c, literals); })) {
            if (literals.empty()) return {{}};
            found.push_back(std::move(literals));
        }
    }
    return found;
}

bool Choices::add(std::vector<Literals>&& alternatives) {
    if (alternatives.empty()) return false;
    if (alternatives.size() == 1) choices_.insert(choices_.begin(), std::move(alternatives));
    else choices_.push_back(std::move(alternatives));
    return true;
}

void Choices::each(const Literals& literals, const std::function<bool(const Literals&)>& sink) const { from(0, literals, sink); }

bool Choices::from(std::size_t n, const Literals& literals, const std::function<bool(const Literals&)>& sink) const {
    Literals more = literals;
    for (; n < choices_.size() && choices_[n].size() == 1; ++n) more.insert(more.end(), choices_[n][0].begin(), choices_[n][0].end());
    const Facts facts(system_, more, processes_, everybody(system_, processes_));
    if (!facts.consistent()) return true;
    if (n == choices_.size()) return sink(more);
    for (const Literals& alternative : choices_[n])
        if (std::all_of(alternative.begin(), alternative.end(), [&](const Literal& l) { return facts.implies(l); }))
            return from(n + 1, more, sink);
    for (const Literals& alternative : choices_[n]) {
        Literals with = more;
        with.insert(with.end(), alternative.begin(), alternative.end());
        if (!from(n + 1, with, sink)) return false;
    }
    return true;
}

}  // namespace xgen::cubes
