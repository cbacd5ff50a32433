#include "search.hpp"

#include <algorithm>
#include <numeric>

namespace xgen {

std::size_t Outcomes::place(const std::int64_t* state) const {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < width_; ++i)
        hash = (hash ^ static_cast<std::uint64_t>(state[i])) * 0x9e3779b97f4a7c15ULL + (hash >> 29);
    std::size_t mask = table_.size() - 1;
    for (std::size_t at = mix(hash) & mask;; at = (at + 1) & mask)
        if (table_[at] < 0 || std::equal(state, state + width_, this->state(table_[at]))) return at;
}

void Outcomes::enlarge() {
    table_.assign(table_.size() * 2, -1);
    for (std::size_t i = 0; i < entries_.size(); ++i) table_[place(state(i))] = static_cast<std::int32_t>(i);
}

Outcomes::Entry& Outcomes::entry_of(const std::int64_t* state) {
    std::size_t at = place(state);
    if (table_[at] < 0) {
        table_[at] = static_cast<std::int32_t>(entries_.size());
        states_.insert(states_.end(), state, state + width_);
        entries_.emplace_back();
        if (entries_.size() * 2 > table_.size()) enlarge();
        return entries_.back();
    }
    return entries_[table_[at]];
}

bool Outcomes::add(const std::vector<std::int64_t>& state, bool violation, std::int64_t limit) {
    if (static_cast<std::int64_t>(size()) >= limit && table_[place(state.data())] < 0) return false;
    Entry& entry = entry_of(state.data());
    ++entry.count;
    entry.violations += violation;
    return true;
}

void Outcomes::add(const Outcomes& other) {
    for (std::size_t i = 0; i < other.size(); ++i) {
        Entry& entry = entry_of(other.state(i));
        entry.count += other.entry(i).count;
        entry.violations += other.entry(i).violations;
    }
}

std::vector<std::int32_t> Outcomes::sorted() const {
    std::vector<std::int32_t> order(entries_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return std::lexicographical_compare(state(a), state(a) + width_, state(b), state(b) + width_);
    });
    return order;
}

bool HashSet::insert(std::uint64_t hash) {
    hash |= hash == 0;
    auto place = [&](std::uint64_t h) {
        std::size_t at = h & (table_.size() - 1);
        while (table_[at] && table_[at] != h) at = (at + 1) & (table_.size() - 1);
        return at;
    };
    std::size_t at = place(hash);
    if (table_[at]) return false;
    table_[at] = hash;
    if (++size_ * 2 > table_.size()) {
        std::vector<std::uint64_t> old(table_.size() * 2, 0);
        old.swap(table_);
        for (std::uint64_t h : old)
            if (h) table_[place(h)] = h;
    }
    return true;
}

}  // namespace xgen
