// Numbers for values, and memo tables: what the symbolic machines compute with.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace xgen::symbolic {

inline std::uint64_t stir(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ULL;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ULL;
    return x ^ x >> 32;
}

struct HashVector {
    template <class T>
    std::size_t operator()(const std::vector<T>& v) const {
        std::uint64_t h = 0x9e3779b97f4a7c15ULL + v.size();
        for (const T& x : v) h = stir(h ^ static_cast<std::uint64_t>(x)) + 0x9e3779b97f4a7c15ULL;
        return h;
    }
};

// Vectors by number: equal ones have one number. Number 0 is the empty vector.
template <class T>
class Numbered {
public:
    Numbered() { number({}); }
    std::int32_t number(const std::vector<T>& v) {
        auto [place, added] = numbers_.try_emplace(v, static_cast<std::int32_t>(items_.size()));
        if (added) items_.push_back(&place->first);  // a node of the map stays where it is
        return place->second;
    }
    const std::vector<T>& operator[](std::int32_t n) const { return *items_[n]; }
    std::size_t size() const { return items_.size(); }

private:
    std::unordered_map<std::vector<T>, std::int32_t, HashVector> numbers_;
    std::vector<const std::vector<T>*> items_;
};

// From pairs of numbers to numbers; open addressing.
class Memo {
public:
    Memo() : keys_(64, FREE), values_(64) {}
    // The entry of a pair; `compute` gives the value of one that is not there yet, and may use the table itself.
    template <class F>
    std::int32_t get(std::int32_t a, std::int32_t b, F&& compute) {
        const std::uint64_t key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b);
        std::size_t at = find(key);
        if (keys_[at] == key) return values_[at];
        const std::int32_t value = compute();
        if (2 * ++size_ > keys_.size()) grow();
        at = find(key);
        keys_[at] = key;
        values_[at] = value;
        return value;
    }

private:
    static constexpr std::uint64_t FREE = ~0ULL;

    std::size_t find(std::uint64_t key) const {
        std::size_t at = stir(key) & (keys_.size() - 1);
        while (keys_[at] != key && keys_[at] != FREE) at = (at + 1) & (keys_.size() - 1);
        return at;
    }
    void grow() {
        std::vector<std::uint64_t> keys(2 * keys_.size(), FREE);
        std::vector<std::int32_t> values(2 * keys_.size());
        keys.swap(keys_);
        values.swap(values_);
        for (std::size_t k = 0; k < keys.size(); ++k) {
            if (keys[k] == FREE) continue;
            const std::size_t at = find(keys[k]);
            keys_[at] = keys[k];
            values_[at] = values[k];
        }
    }

    std::vector<std::uint64_t> keys_;
    std::vector<std::int32_t> values_;
    std::size_t size_ = 0;
};

}  // namespace xgen::symbolic
