// Floating point numbers (IEEE 754), as the bits that they are: of 32 bits with their sign, of 64 bits as they are.
#pragma once

#include <cstdint>

namespace xgen {

// What Op::REAL computes, by its c: the name; how many operands it has. Results are rounded to the nearest number, to
// the even one of two. What is no number is the quiet NaN without sign: languages leave open which one it is.
#define XGEN_REALS(X)                                                                      \
    X(ADD32, 2) X(SUB32, 2) X(MUL32, 2) X(DIV32, 2) X(REM32, 2) /* REM: as fmod has it */  \
    X(ADD64, 2) X(SUB64, 2) X(MUL64, 2) X(DIV64, 2) X(REM64, 2)                            \
    X(SQRT32, 1) X(CEIL32, 1) X(FLOOR32, 1) X(TRUNC32, 1) X(RINT32, 1) X(ROUND32, 1)       \
    X(SQRT64, 1) X(CEIL64, 1) X(FLOOR64, 1) X(TRUNC64, 1) X(RINT64, 1) X(ROUND64, 1)       \
    X(WIDEN, 1) X(NARROW, 1) /* 32 bits to 64, and back */                                 \
    X(OF_SIGNED32, 1) X(OF_UNSIGNED32, 1) /* from whole numbers of 64 bits */              \
    X(OF_SIGNED64, 1) X(OF_UNSIGNED64, 1)                                                  \
    X(TO_SIGNED32, 1) X(TO_UNSIGNED32, 1) /* to these, towards 0: the nearest one where */ \
    X(TO_SIGNED64, 1) X(TO_UNSIGNED64, 1) /* it does not fit; the least of no number */

enum class Real : std::uint8_t {
#define XGEN_REAL(name, operands) name,
    XGEN_REALS(XGEN_REAL)
#undef XGEN_REAL
};

std::int64_t computed(Real operation, std::int64_t a, std::int64_t b);

}  // namespace xgen
