#include "facts.hpp"

#include <bit>
#include <tuple>

namespace xgen::cubes {

namespace {

bool numeric(Sort sort) { return sort == Sort::INT || sort == Sort::REAL; }

template <class T>
void sort_unique(std::vector<T>& v) {
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
}

}  // namespace

std::int64_t add_bounds(std::int64_t a, std::int64_t b, Sort sort) {
    if (sort != Sort::REAL) return a + b;
    const std::int64_t strict = (a & 1) | (b & 1);
    return (a + (a & 1)) + (b + (b & 1)) - strict;
}

Mask Facts::domain(const System& system, Term term, int processes, bool all) {
    const Array& array = system.arrays[term.array()];
    switch (array.sort) {
        case Sort::ENUM: return array.values >= 64 ? ~Mask(0) : (Mask(1) << array.values) - 1;
        case Sort::PROC: return ((Mask(1) << processes) - 1) | (all ? 0 : OTHER);
        default: return ~Mask(0);
    }
}

Facts::Facts(const System& system, const Literals& literals, int processes, bool all)
    : system_(system), processes_(processes), all_(all) {
    for (const Literal& l : literals)
        for (const Term term : {l.a, l.b}) (numeric(sort(term)) ? numbers_ : terms_).push_back(term);
    for (const Sort s : {Sort::INT, Sort::REAL})
        if (std::any_of(numbers_.begin(), numbers_.end(), [&](Term t) { return sort(t) == s; })) numbers_.push_back(Term::zero(s));
    sort_unique(terms_);
    sort_unique(numbers_);
    close_classes(literals);
    if (consistent_) close_bounds(literals);
}

int Facts::find(Term term) const {
    const auto at = std::lower_bound(terms_.begin(), terms_.end(), term);
    return at != terms_.end() && *at == term ? int(at - terms_.begin()) : -1;
}

int Facts::number(Term term) const {
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), term);
    return at != numbers_.end() && *at == term ? int(at - numbers_.begin()) : -1;
}

void Facts::merge(int a, int b) {
    a = root(a), b = root(b);
    if (a == b) return;
    if (b < a) std::swap(a, b);
    for (int& c : class_)
        if (c == b) c = a;
    masks_[a] &= masks_[b];
}

void Facts::close_classes(const Literals& literals) {
    class_.resize(terms_.size());
    masks_.resize(terms_.size());
    for (std::size_t n = 0; n < terms_.size(); ++n) {
        class_[n] = int(n);
        masks_[n] = domain(system_, terms_[n], processes_, all_);
    }
    for (const Literal& l : literals) {
        if (l.kind == Literal::IN) masks_[root(find(l.a))] &= l.mask();
        if (l.kind == Literal::EQ) merge(find(l.a), find(l.b));
        if (l.kind == Literal::NE) different_.emplace_back(find(l.a), find(l.b));
    }
    while (propagate()) {
    }
    if (consistent_ && !different_.empty()) consistent_ = assignable();
}

// A class with one value takes it from those that differ from it; classes with the same value are one. Whether anything changed.
bool Facts::propagate() {
    for (std::size_t n = 0; n < terms_.size(); ++n)
        if (class_[n] == int(n) && !masks_[n]) consistent_ = false;
    if (!consistent_) return false;
    bool changed = false;
    for (auto& [a, b] : different_) {
        a = root(a), b = root(b);
        if (a == b) return consistent_ = false;
        for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
            const Mask value = masks_[x];
            if (std::has_single_bit(value) && value != OTHER && sort(terms_[x]) != Sort::ABSTRACT && masks_[y] & value) {
                masks_[y] &= ~value;
                changed = true;
            }
        }
    }
    std::erase_if(different_, [&](const auto& pair) { return !(masks_[pair.first] & masks_[pair.second]); });
    for (auto& pair : different_)
        if (pair.second < pair.first) std::swap(pair.first, pair.second);
    sort_unique(different_);
    return changed;
}

// Whether classes of enumerations that have to differ can: tries values.
bool Facts::assignable() const {
    std::vector<int> classes;
    for (const auto& [a, b] : different_)
        if (sort(terms_[a]) == Sort::ENUM || (sort(terms_[a]) == Sort::PROC && !((masks_[a] | masks_[b]) & OTHER))) {
            classes.push_back(a);
            classes.push_back(b);
        }
    sort_unique(classes);
    std::vector<Mask> chosen(terms_.size(), 0);
    const auto place = [&](auto&& self, std::size_t n) -> bool {
        if (n == classes.size()) return true;
        const int c = classes[n];
        Mask left = masks_[c];
        for (const auto& [a, b] : different_) {
            if (a == c) left &= ~chosen[b];
            if (b == c) left &= ~chosen[a];
        }
        for (; left; left &= left - 1) {
            chosen[c] = left & -left;
            if (self(self, n + 1)) return true;
        }
        chosen[c] = 0;
        return false;
    };
    return place(place, 0);
}

void Facts::close_bounds(const Literals& literals) {
    const int n = int(numbers_.size());
    if (!n) return;
    bounds_.assign(n * n, UNBOUNDED);
    for (int a = 0; a < n; ++a) bound(a, a) = 0;
    for (const Literal& l : literals) {
        if (l.kind == Literal::LE) {
            std::int64_t& b = bound(number(l.a), number(l.b));
            b = std::min(b, l.c);
        }
        if (l.kind == Literal::DIFFER) differ_.push_back(l);
    }
    for (bool changed = true; changed && consistent_;) {
        shortest();
        changed = false;
        for (const Literal& l : differ_) {
            const bool real = sort(l.a) == Sort::REAL;
            const int a = number(l.a), b = number(l.b);
            const std::int64_t most = real ? 2 * l.c : l.c;
            for (const auto& [x, y, c] : {std::tuple(a, b, most), std::tuple(b, a, -most)})
                if (bound(x, y) == c) {
                    bound(x, y) = c - 1;
                    changed = true;
                }
        }
    }
    std::sort(differ_.begin(), differ_.end());
    differ_.erase(std::unique(differ_.begin(), differ_.end()), differ_.end());
}

void Facts::shortest() {
    const int n = int(numbers_.size());
    for (int k = 0; k < n; ++k)
        for (int a = 0; a < n; ++a)
            for (int b = 0; b < n; ++b)
                if (bound(a, k) < UNBOUNDED && bound(k, b) < UNBOUNDED)
                    bound(a, b) = std::min(bound(a, b), add_bounds(bound(a, k), bound(k, b), sort(numbers_[a])));
    for (int a = 0; a < n; ++a)
        if (bound(a, a) < 0) consistent_ = false;
}

bool Facts::implies(const Literal& l) const {
    if (l.kind == Literal::LE || l.kind == Literal::DIFFER) {
        const int a = number(l.a), b = number(l.b);
        if (a < 0 || b < 0) return false;
        if (l.kind == Literal::LE) return bound(a, b) <= l.c;
        const std::int64_t c = sort(l.a) == Sort::REAL ? 2 * l.c : l.c;
        if (bound(a, b) < c || bound(b, a) < -c) return true;
        const Literal turned{Literal::DIFFER, l.b, l.a, -l.c};
        return std::find(differ_.begin(), differ_.end(), l) != differ_.end() ||
               std::find(differ_.begin(), differ_.end(), turned) != differ_.end();
    }
    const int n = find(l.a);
    if (n < 0) return false;
    const int a = root(n);
    if (l.kind == Literal::IN) return !(masks_[a] & ~l.mask());
    const int m = find(l.b);
    if (m < 0) return false;
    const int b = root(m);
    const bool values = sort(l.a) != Sort::ABSTRACT;
    if (l.kind == Literal::EQ)
        return a == b || (values && masks_[a] == masks_[b] && std::has_single_bit(masks_[a]) && masks_[a] != OTHER);
    if (values && !(masks_[a] & masks_[b])) return true;
    return std::find(different_.begin(), different_.end(), std::pair(std::min(a, b), std::max(a, b))) != different_.end();
}

Literals Facts::literals() const {
    Literals out;
    emit_classes(out);
    emit_bounds(out);
    std::sort(out.begin(), out.end());
    return out;
}

Literals Facts::bounds() const {
    Literals out;
    const int n = int(numbers_.size());
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            if (a != b && bound(a, b) < UNBOUNDED) out.push_back({Literal::LE, numbers_[a], numbers_[b], bound(a, b)});
    return out;
}

void Facts::emit_classes(Literals& out) const {
    const auto hidden = [&](int n) { return terms_[n].kind() == Term::HIDDEN; };
    std::vector<int> shown(terms_.size(), -1);  // of each class: the member that stands for it
    for (std::size_t n = 0; n < terms_.size(); ++n) {
        if (hidden(int(n))) continue;
        int& first = shown[class_[n]];
        const Mask mask = masks_[class_[n]];
        const bool single = std::has_single_bit(mask) && mask != OTHER && sort(terms_[n]) != Sort::ABSTRACT;
        if (first < 0 || single) {
            if (first < 0) first = int(n);
            if (mask != domain(system_, terms_[n], processes_, all_)) out.push_back(Literal::in(terms_[n], mask));
        } else {
            out.push_back({Literal::EQ, terms_[first], terms_[n]});
        }
    }
    for (const auto& [a, b] : different_)
        if (shown[a] >= 0 && shown[b] >= 0)
            out.push_back({Literal::NE, std::min(terms_[shown[a]], terms_[shown[b]]), std::max(terms_[shown[a]], terms_[shown[b]])});
}

void Facts::emit_bounds(Literals& out) const {
    const int n = int(numbers_.size());
    const auto hidden = [&](Term t) { return t.kind() == Term::HIDDEN; };
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
            if (a == b || bound(a, b) >= UNBOUNDED || hidden(numbers_[a]) || hidden(numbers_[b])) continue;
            // Left out where it follows from two others; of terms that are equal the first one speaks.
            bool follows = false;
            for (int k = 0; k < n && !follows; ++k) {
                if (k == a || k == b || hidden(numbers_[k]) || bound(a, k) >= UNBOUNDED || bound(k, b) >= UNBOUNDED) continue;
                if (add_bounds(bound(a, k), bound(k, b), sort(numbers_[a])) != bound(a, b)) continue;
                const auto equal = [&](int x, int y) { return add_bounds(bound(x, y), bound(y, x), sort(numbers_[x])) == 0; };
                follows = (!equal(a, k) || k < a) && (!equal(k, b) || k < b);
            }
            if (!follows) out.push_back({Literal::LE, numbers_[a], numbers_[b], bound(a, b)});
        }
    for (const Literal& l : differ_) {
        if (hidden(l.a) || hidden(l.b)) continue;
        const int a = number(l.a), b = number(l.b);
        const std::int64_t c = sort(l.a) == Sort::REAL ? 2 * l.c : l.c;
        if (bound(a, b) < c || bound(b, a) < -c) continue;
        out.push_back(l.b < l.a ? Literal{Literal::DIFFER, l.b, l.a, -l.c} : l);
    }
}

}  // namespace xgen::cubes
