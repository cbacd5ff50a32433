// States in as few bytes as the ranges of their words allow.
#pragma once

#include <cstring>
#include <utility>

#include "formula.hpp"

namespace xgen::states {

using Ranges = std::vector<std::pair<Word, Word>>;  // for each word of a state, the least and the greatest value

class Packing {
public:
    explicit Packing(const Ranges& ranges) {
        for (const auto& [low, high] : ranges) {
            const std::int64_t span = static_cast<std::int64_t>(high) - low;
            const std::size_t bytes = span < 1 << 8 ? 1 : span < 1 << 16 ? 2 : 4;
            if (runs_.empty() || runs_.back().bytes != bytes) runs_.push_back({bytes, 0});
            ++runs_.back().count;
            low_.push_back(low);
            bytes_ += bytes;
        }
    }

    std::size_t bytes() const { return bytes_; }
    void pack(const Word* words, std::uint8_t* out) const {
        each([&]<class Field>(Field, std::size_t first, std::size_t at, std::size_t count) {
            for (std::size_t n = 0; n < count; ++n) {
                const auto value = static_cast<Field>(static_cast<std::uint32_t>(words[first + n]) - static_cast<std::uint32_t>(low_[first + n]));
                std::memcpy(out + at + n * sizeof(Field), &value, sizeof(Field));
            }
        });
    }
    void unpack(const std::uint8_t* in, Word* words) const {
        each([&]<class Field>(Field value, std::size_t first, std::size_t at, std::size_t count) {
            for (std::size_t n = 0; n < count; ++n) {
                std::memcpy(&value, in + at + n * sizeof(Field), sizeof(Field));
                words[first + n] = static_cast<Word>(value + static_cast<std::uint32_t>(low_[first + n]));
            }
        });
    }
    std::uint32_t hash(const std::uint8_t* packed) const {
        std::uint64_t h = 0x9e3779b97f4a7c15ULL;
        for (std::size_t at = 0; at < bytes_; at += 8) {
            std::uint64_t part = 0;
            std::memcpy(&part, packed + at, std::min<std::size_t>(8, bytes_ - at));
            h = (h ^ part) * 0xd6e8feb86659fd93ULL;
            h ^= h >> 32;
        }
        return static_cast<std::uint32_t>(h ^ h >> 29);
    }

private:
    // Words of the same width, one after the other.
    struct Run {
        std::size_t bytes, count;
    };

    // Calls `run` with a value of the width, the first word, the place of its bytes, and how many there are.
    template <class F>
    void each(F&& run) const {
        std::size_t first = 0, at = 0;
        for (const Run& r : runs_) {
            if (r.bytes == 1) run(std::uint8_t{}, first, at, r.count);
            else if (r.bytes == 2) run(std::uint16_t{}, first, at, r.count);
            else run(std::uint32_t{}, first, at, r.count);
            first += r.count;
            at += r.bytes * r.count;
        }
    }

    std::vector<Run> runs_;
    std::vector<Word> low_;
    std::size_t bytes_ = 0;
};

}  // namespace xgen::states
