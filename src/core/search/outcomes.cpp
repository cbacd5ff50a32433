#include "outcomes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <set>

#include "graph/bits.hpp"

namespace xgen {

std::uint8_t* Outcomes::write_large(std::uint8_t* byte, std::int64_t value) {
    const std::uint64_t size = value < 0 ? ~static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    const int count = std::max(1, (static_cast<int>(std::bit_width(size)) + 7) / 8);
    *byte++ = static_cast<std::uint8_t>(value < 0 ? LEAST - count : MOST + count);
    for (int k = count - 1; k >= 0; --k) *byte++ = static_cast<std::uint8_t>(value >> (8 * k));
    return byte;
}

void Outcomes::append(std::vector<std::uint8_t>& bytes, std::int64_t value) {
    std::uint8_t number[LONGEST];
    bytes.insert(bytes.end(), number, write(number, value));
}

std::int64_t Outcomes::take(const std::uint8_t*& byte) {
    const int first = *byte++;
    if (first >= LEAST && first <= MOST) return first - LEAST + SMALLEST;
    const int count = first < LEAST ? LEAST - first : first - MOST;
    std::uint64_t value = first < LEAST ? ~std::uint64_t{0} : 0;
    for (int k = 0; k < count; ++k) value = value << 8 | *byte++;
    return static_cast<std::int64_t>(value);
}

std::vector<std::int64_t> Outcomes::unpacked(const std::uint8_t* byte) const {
    std::vector<std::int64_t> result(width_);
    for (std::int64_t& value : result) value = take(byte);
    return result;
}

std::uint32_t Outcomes::hash(const std::uint8_t* bytes, std::size_t size) const {
    std::uint64_t hash = size, word = 0;
    for (; size >= 8; bytes += 8, size -= 8) {
        std::memcpy(&word, bytes, 8);
        hash = mix(hash ^ word);
    }
    word = 0;
    for (std::size_t i = 0; i < size; ++i) word = word << 8 | bytes[i];
    return static_cast<std::uint32_t>(mix(hash ^ word));
}

// Where a state is in the table, or belongs.
Outcomes::Place& Outcomes::find(const std::uint8_t* bytes, std::size_t size, std::uint32_t own) {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = own & mask;; at = (at + 1) & mask) {
        Place& place = table_[at];
        if (place.entry < 0) {
            place.hash = own;
            return place;
        }
        if (place.hash == own && size_of(place.entry) == size && std::equal(bytes, bytes + size, bytes_of(place.entry)))
            return place;
    }
}

std::int32_t Outcomes::number_of(const std::vector<std::int64_t>& values) const {
    std::vector<std::uint8_t> bytes;
    for (std::int64_t value : values) append(bytes, value);
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = hash(bytes.data(), bytes.size()) & mask; table_[at].entry >= 0; at = (at + 1) & mask) {
        const std::int32_t entry = table_[at].entry;
        if (size_of(entry) == bytes.size() && std::equal(bytes.begin(), bytes.end(), bytes_of(entry))) return entry;
    }
    return -1;
}

Outcomes::Entry& Outcomes::insert(Place& place, const std::uint8_t* bytes, std::size_t size) {
    place.entry = static_cast<std::int32_t>(entries_.size());
    begins_.push_back(bytes_.size());
    bytes_.insert(bytes_.end(), bytes, bytes + size);
    entries_.emplace_back();
    if (entries_.size() * 2 > table_.size()) enlarge();
    return entries_.back();
}

// Each place moves to one of two parts of the new table, so that both are written nearly from the beginning to the end.
void Outcomes::enlarge() {
    std::vector<Place> larger(table_.size() * 2);
    const std::size_t mask = larger.size() - 1;
    for (const Place& place : table_) {
        if (place.entry < 0) continue;
        std::size_t at = place.hash & mask;
        while (larger[at].entry >= 0) at = (at + 1) & mask;
        larger[at] = place;
    }
    table_.swap(larger);
}

Outcomes::Entry* Outcomes::entry(std::int64_t limit) {
    Place& place = find(packed_.data(), used_);
    if (place.entry >= 0) return &entries_[place.entry];
    if (static_cast<std::int64_t>(size()) >= limit) return nullptr;
    return &insert(place, packed_.data(), used_);
}

void Outcomes::count_later(std::int64_t times, std::int64_t violations) {
    std::swap(packed_, late_);
    late_used_ = used_;
    late_hash_ = hash(late_.data(), late_used_);
    late_entry_ = {times, violations};
    is_late_ = true;
    __builtin_prefetch(&table_[late_hash_ & (table_.size() - 1)], 1);
}

bool Outcomes::settle(std::int64_t limit) {
    if (!is_late_) return true;
    is_late_ = false;
    Place& place = find(late_.data(), late_used_, late_hash_);
    if (place.entry < 0 && static_cast<std::int64_t>(size()) >= limit) return false;
    Entry& entry = place.entry >= 0 ? entries_[place.entry] : insert(place, late_.data(), late_used_);
    entry.count += late_entry_.count;
    entry.violations += late_entry_.violations;
    return true;
}

void Outcomes::add(const Outcomes& other) {
    for (std::size_t i = 0; i < other.size(); ++i) {
        Place& place = find(other.bytes_of(i), other.size_of(i));
        Entry& entry = place.entry >= 0 ? entries_[place.entry] : insert(place, other.bytes_of(i), other.size_of(i));
        entry.count += other.entry(i).count;
        entry.violations += other.entry(i).violations;
        entry.judgement = other.entry(i).judgement;
    }
}

std::vector<std::uint8_t> Outcomes::packed() const {
    std::vector<std::uint8_t> all;
    all.reserve(bytes_.size() + 2 * entries_.size());
    for (std::size_t i = 0; i < size(); ++i) {
        all.insert(all.end(), bytes_of(i), bytes_of(i) + size_of(i));
        append(all, entries_[i].count);
        append(all, entries_[i].violations);
    }
    return all;
}

bool Outcomes::add(const std::uint8_t* bytes, std::size_t size) {
    const std::uint8_t* const end = bytes + size;
    auto skip = [&](const std::uint8_t*& byte, std::size_t numbers) {
        for (; numbers > 0 && byte < end; --numbers) byte += 1 + (*byte < LEAST ? LEAST - *byte : std::max(0, *byte - MOST));
        return numbers == 0 && byte <= end;
    };
    while (bytes < end) {
        const std::uint8_t* behind = bytes;
        if (!skip(behind, width_)) return false;
        const std::uint8_t* next = behind;
        if (!skip(next, 2)) return false;
        const auto length = static_cast<std::size_t>(behind - bytes);
        Place& place = find(bytes, length);
        Entry& entry = place.entry >= 0 ? entries_[place.entry] : insert(place, bytes, length);
        entry.count += take(behind);
        entry.violations += take(behind);
        bytes = next;
    }
    return true;
}

Outcomes Outcomes::spread(const std::vector<Move>& moves, std::int64_t limit, bool& complete) const {
    using State = std::vector<std::int64_t>;
    Outcomes result(width_);
    auto begin = [&](const State& state) {
        result.begin();
        for (std::int64_t value : state) result.put(value);
    };
    std::vector<bool> done(size());
    for (std::size_t i = 0; i < size(); ++i) {
        if (done[i]) continue;
        std::vector<State> states{state(i)};
        std::set<State> known{states[0]};
        Entry sum;
        for (std::size_t next = 0; next < states.size(); ++next) {
            if (const std::int32_t own = number_of(states[next]); own >= 0) {
                sum.count += entry(own).count;
                sum.violations += entry(own).violations;
                sum.judgement = entry(own).judgement;
                done[own] = true;
            }
            for (const Move& move : moves) {
                State image(width_);
                for (std::size_t k = 0; k < width_; ++k) image[move[k]] = states[next][k];
                if (known.insert(image).second) states.push_back(std::move(image));
            }
        }
        const auto number = static_cast<std::int64_t>(states.size());
        for (const State& one : states) {
            begin(one);
            Entry* to = result.entry(limit);
            complete = complete && to;
            if (to) *to = {sum.count / number, sum.violations / number, sum.judgement};
        }
    }
    return result;
}

const std::vector<std::int32_t>& Outcomes::sorted() const {
    if (sorted_.size() == entries_.size()) return sorted_;
    sorted_.resize(entries_.size());
    std::iota(sorted_.begin(), sorted_.end(), 0);
    std::sort(sorted_.begin(), sorted_.end(), [&](std::int32_t a, std::int32_t b) {
        return std::lexicographical_compare(bytes_of(a), bytes_of(a) + size_of(a), bytes_of(b), bytes_of(b) + size_of(b));
    });
    return sorted_;
}

}  // namespace xgen
