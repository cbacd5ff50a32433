#include "search.hpp"

#include <utility>

namespace xgen {

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
