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
            const int bytes = span < 1 << 8 ? 1 : span < 1 << 16 ? 2 : 4;
            fields_.push_back({low, bytes});
            bytes_ += static_cast<std::size_t>(bytes);
        }
    }

    std::size_t bytes() const { return bytes_; }
    void pack(const Word* words, std::uint8_t* out) const {
        for (const Field& f : fields_) {
            const std::uint32_t value = static_cast<std::uint32_t>(*words++) - static_cast<std::uint32_t>(f.low);
            for (int b = 0; b < f.bytes; ++b) *out++ = static_cast<std::uint8_t>(value >> 8 * b);
        }
    }
    void unpack(const std::uint8_t* in, Word* words) const {
        for (const Field& f : fields_) {
            std::uint32_t value = 0;
            for (int b = 0; b < f.bytes; ++b) value |= static_cast<std::uint32_t>(*in++) << 8 * b;
            *words++ = static_cast<Word>(value + static_cast<std::uint32_t>(f.low));
        }
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
    struct Field {
        Word low;
        int bytes;
    };
    std::vector<Field> fields_;
    std::size_t bytes_ = 0;
};

}  // namespace xgen::states
