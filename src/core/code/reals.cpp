#include "reals.hpp"

#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

namespace xgen {

namespace {

static_assert(FLT_EVAL_METHOD == 0 && std::numeric_limits<double>::is_iec559, "each operation is rounded by itself");

template <typename Number>
Number number_of(std::int64_t bits) {
    if constexpr (sizeof(Number) == 4) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    } else {
        return std::bit_cast<double>(bits);
    }
}

template <typename Number>
std::int64_t bits_of(Number number) {
    if (std::isnan(number)) number = std::numeric_limits<Number>::quiet_NaN();
    if constexpr (sizeof(Number) == 4) {
        return std::bit_cast<std::int32_t>(number);
    } else {
        return std::bit_cast<std::int64_t>(number);
    }
}

// The whole number towards 0, the nearest one where that does not fit, the least of what is no number.
template <typename Whole, typename Number>
std::int64_t whole(Number number) {
    constexpr Number beyond = static_cast<Number>(std::uint64_t{1} << (std::numeric_limits<Whole>::digits - 1)) * 2;
    using Limits = std::numeric_limits<Whole>;
    if (number >= beyond) return static_cast<std::int64_t>(Limits::max());
    if (!(number >= static_cast<Number>(Limits::min()))) return static_cast<std::int64_t>(Limits::min());
    return static_cast<std::int64_t>(static_cast<Whole>(number));
}

}  // namespace

std::int64_t computed(Real operation, std::int64_t a, std::int64_t b) {
    auto on = [a, b](auto of_one_width) {
        using Number = decltype(of_one_width);
        return [x = number_of<Number>(a), y = number_of<Number>(b)](auto compute) {
            return bits_of<Number>(compute(x, y));
        };
    };
    const auto narrow = on(float{});
    const auto wide = on(double{});
    const auto add = [](auto x, auto y) { return x + y; };
    const auto sub = [](auto x, auto y) { return x - y; };
    const auto mul = [](auto x, auto y) { return x * y; };
    const auto div = [](auto x, auto y) { return x / y; };
    const auto rem = [](auto x, auto y) { return std::fmod(x, y); };
    const auto sqrt = [](auto x, auto) { return std::sqrt(x); };
    const auto ceil = [](auto x, auto) { return std::ceil(x); };
    const auto floor = [](auto x, auto) { return std::floor(x); };
    const auto trunc = [](auto x, auto) { return std::trunc(x); };
    const auto rint = [](auto x, auto) { return std::nearbyint(x); };
    const auto round = [](auto x, auto) { return std::round(x); };
    switch (operation) {
    case Real::ADD32: return narrow(add);
    case Real::SUB32: return narrow(sub);
    case Real::MUL32: return narrow(mul);
    case Real::DIV32: return narrow(div);
    case Real::REM32: return narrow(rem);
    case Real::ADD64: return wide(add);
    case Real::SUB64: return wide(sub);
    case Real::MUL64: return wide(mul);
    case Real::DIV64: return wide(div);
    case Real::REM64: return wide(rem);
    case Real::SQRT32: return narrow(sqrt);
    case Real::CEIL32: return narrow(ceil);
    case Real::FLOOR32: return narrow(floor);
    case Real::TRUNC32: return narrow(trunc);
    case Real::RINT32: return narrow(rint);
    case Real::ROUND32: return narrow(round);
    case Real::SQRT64: return wide(sqrt);
    case Real::CEIL64: return wide(ceil);
    case Real::FLOOR64: return wide(floor);
    case Real::TRUNC64: return wide(trunc);
    case Real::RINT64: return wide(rint);
    case Real::ROUND64: return wide(round);
    case Real::WIDEN: return bits_of<double>(number_of<float>(a));
    case Real::NARROW: return bits_of<float>(static_cast<float>(number_of<double>(a)));
    case Real::OF_SIGNED32: return bits_of<float>(static_cast<float>(a));
    case Real::OF_UNSIGNED32: return bits_of<float>(static_cast<float>(static_cast<std::uint64_t>(a)));
    case Real::OF_SIGNED64: return bits_of<double>(static_cast<double>(a));
    case Real::OF_UNSIGNED64: return bits_of<double>(static_cast<double>(static_cast<std::uint64_t>(a)));
    case Real::TO_SIGNED32: return whole<std::int64_t>(number_of<float>(a));
    case Real::TO_UNSIGNED32: return whole<std::uint64_t>(number_of<float>(a));
    case Real::TO_SIGNED64: return whole<std::int64_t>(number_of<double>(a));
    case Real::TO_UNSIGNED64: return whole<std::uint64_t>(number_of<double>(a));
    }
    return 0;
}

}  // namespace xgen
