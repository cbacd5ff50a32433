// Final states with their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace xgen {

// What a program's requirement on final states says of one.
enum class Judgement : std::uint8_t {
    COUNTS,
    FORBIDDEN,  // a violation
    LEFT_OUT,   // by a filter: such executions raise no flags
};

// A state is the shown locals, thread by thread, then the cells. There can be millions of them, nearly all of small numbers:
// each is kept as bytes, a number taking one if it is between -32 and 159, and up to nine. The bytes sort as the numbers do.
class Outcomes {
public:
    struct Entry {
        std::int64_t count = 0, violations = 0;
        Judgement judgement = Judgement::COUNTS;
    };

    // `width`: values per state.
    explicit Outcomes(std::size_t width) : width_(width), table_(64), packed_(LONGEST * width), late_(packed_) {}

    // Begins a state; put() gives it its values, one after the other.
    void begin() { used_ = 0; }
    void put(std::int64_t value) { used_ = static_cast<std::size_t>(write(packed_.data() + used_, value) - packed_.data()); }
    // Adds a number to such bytes; takes one from there, and goes on behind it.
    static void append(std::vector<std::uint8_t>& bytes, std::int64_t value);
    static std::int64_t take(const std::uint8_t*& byte);
    // The entry of the state, which is new where its count is 0; null where it is new and `limit` are kept already.
    Entry* entry(std::int64_t limit);
    // Counts the state when settle() is called next; what is needed for that is on its way to the cache until then.
    void count_later(std::int64_t times, std::int64_t violations);
    // Counts what is left to be counted. False where that state is new and `limit` are kept already. Comes before the next
    // count_later(), and before anything else is asked.
    bool settle(std::int64_t limit);
    // The state that put() gave its values.
    std::vector<std::int64_t> given() const { return unpacked(packed_.data()); }
    // Counts what another has counted; or what it has packed. False where those are no such bytes, of this width.
    void add(const Outcomes& other);
    bool add(const std::uint8_t* bytes, std::size_t size);
    // All entries, one after the other: the state, count and violations.
    std::vector<std::uint8_t> packed() const;
    void clear() { *this = Outcomes(width_); }
    // Of memory, about.
    std::size_t memory() const {
        return entries_.capacity() * sizeof(Entry) + bytes_.capacity() + begins_.capacity() * sizeof(std::size_t) +
               table_.capacity() * sizeof(Place) + sorted_.capacity() * sizeof(std::int32_t);
    }
    // Of each value of a state, where it gets to.
    using Move = std::vector<std::size_t>;
    // The same numbers, those of all states that come from each other by such moves spread evenly over these. At most `limit`
    // states: `complete` becomes false where there are more.
    Outcomes spread(const std::vector<Move>& moves, std::int64_t limit, bool& complete) const;

    std::size_t size() const { return entries_.size(); }
    const Entry& entry(std::size_t i) const { return entries_[i]; }
    std::vector<std::int64_t> state(std::size_t i) const { return unpacked(bytes_of(i)); }
    // The bytes of a state.
    std::pair<const std::uint8_t*, std::size_t> bytes(std::size_t i) const { return {bytes_of(i), size_of(i)}; }
    const std::vector<std::int32_t>& sorted() const;  // the entries by their states
    std::size_t width() const { return width_; }

private:
    // Of the hash table, which is one of open addressing.
    struct Place {
        std::int32_t entry = -1;
        std::uint32_t hash = 0;  // of the state
    };

    // The first byte of a number: of a negative one in n more bytes, LEAST - n; of a small one, itself after LEAST; of a
    // large one in n more bytes, MOST + n. The more bytes, the farther from 0; they are its lowest, the highest of these
    // first.
    static constexpr int LEAST = 32, MOST = 223, SMALLEST = -32, LARGEST_SMALL = SMALLEST + MOST - LEAST;
    static constexpr std::size_t LONGEST = 9;  // bytes of one number

    // Writes a number, and says where it ends.
    static std::uint8_t* write(std::uint8_t* byte, std::int64_t value) {
        if (value < SMALLEST || value > LARGEST_SMALL) return write_large(byte, value);
        *byte = static_cast<std::uint8_t>(value - SMALLEST + LEAST);
        return byte + 1;
    }
    static std::uint8_t* write_large(std::uint8_t* byte, std::int64_t value);

    std::vector<std::int64_t> unpacked(const std::uint8_t* bytes) const;
    std::uint32_t hash(const std::uint8_t* bytes, std::size_t size) const;
    const std::uint8_t* bytes_of(std::size_t i) const { return bytes_.data() + begins_[i]; }
    std::size_t size_of(std::size_t i) const {
        return (i + 1 < begins_.size() ? begins_[i + 1] : bytes_.size()) - begins_[i];
    }
    std::int32_t number_of(const std::vector<std::int64_t>& values) const;  // the entry of a state, -1: none
    Place& find(const std::uint8_t* bytes, std::size_t size) { return find(bytes, size, hash(bytes, size)); }
    Place& find(const std::uint8_t* bytes, std::size_t size, std::uint32_t own);
    Entry& insert(Place& place, const std::uint8_t* bytes, std::size_t size);
    void enlarge();

    std::size_t width_;
    std::vector<Entry> entries_;
    std::vector<std::uint8_t> bytes_;   // of all states
    std::vector<std::size_t> begins_;   // of each state in bytes_
    std::vector<Place> table_;
    std::vector<std::uint8_t> packed_;  // the first `used_` bytes are the state that is being looked for
    std::size_t used_ = 0;
    std::vector<std::uint8_t> late_;    // likewise, of the state that is to be counted
    std::size_t late_used_ = 0;
    std::uint32_t late_hash_ = 0;
    Entry late_entry_;                  // what settle() adds
    bool is_late_ = false;              // there is such a state
    mutable std::vector<std::int32_t> sorted_;  // of as many entries as there were when it was asked for
};

}  // namespace xgen
