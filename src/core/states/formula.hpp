// Expressions of processes and of propositions, as code for a stack machine.
#pragma once

#include <cstdint>
#include <vector>

namespace xgen::states {

using Word = std::int32_t;

// The operations, for Python as well.
#define XGEN_STATE_OPS(X)                                                                     \
    X(CONSTANT)  /* a: push a */                                                              \
    X(CELL)      /* a: push shared cell a */                                                  \
    X(CELL_AT)   /* a, b: pop an index below b, push shared cell a + index */                 \
    X(LOCAL)     /* a: push word a of the state */                                            \
    X(LOCAL_AT)  /* a, b: likewise */                                                         \
    X(IS)        /* a, b: push whether word a of the state is b */                            \
    X(NEGATE) X(NOT) X(COMPLEMENT)                                                            \
    X(ADD) X(SUBTRACT) X(MULTIPLY) X(DIVIDE) X(MODULO)                                        \
    X(AND) X(OR) X(XOR) X(LEFT) X(RIGHT)  /* of bits */                                       \
    X(EQ) X(NE) X(LT) X(LE) X(GT) X(GE)                                                       \
    X(UNLESS)    /* a: if the top is 0, go on a further on and keep it; else pop it */        \
    X(IF)        /* a: if the top is not 0, likewise */                                       \
    X(TRUTH)     /* 1 where the top is not 0 */

enum class Op : std::uint8_t {
#define XGEN_NAME(name) name,
    XGEN_STATE_OPS(XGEN_NAME)
#undef XGEN_NAME
};

struct Instruction {
    Op op;
    std::int32_t a = 0, b = 0;
};

using Formula = std::vector<Instruction>;

// Whether a value may be missing: by an index that is not in range, a division by zero.
inline bool can_fail(const Formula& code) {
    for (std::size_t at = 0; at < code.size(); ++at) {
        const Instruction& i = code[at];
        const bool known = at > 0 && code[at - 1].op == Op::CONSTANT;  // the index, or what is divided by
        if ((i.op == Op::CELL_AT || i.op == Op::LOCAL_AT) && !(known && code[at - 1].a >= 0 && code[at - 1].a < i.b)) return true;
        if ((i.op == Op::DIVIDE || i.op == Op::MODULO) && !(known && code[at - 1].a != 0)) return true;
    }
    return false;
}

// What went wrong in a step.
enum class Fault : std::uint8_t { NONE, INDEX, DIVISION, ASSERTION, RANGE };

// The value of an expression; `cell(n)` gives that of a shared cell. `stack` is room to work in.
template <class Cell>
std::int64_t evaluate(const Formula& code, const Word* state, Cell&& cell, std::vector<std::int64_t>& stack, Fault& fault) {
    stack.clear();
    for (std::size_t at = 0; at < code.size(); ++at) {
        const Instruction& i = code[at];
        const auto indexed = [&] {
            const std::int64_t index = stack.back();
            stack.pop_back();
            if (index >= 0 && index < i.b) return i.a + static_cast<std::int32_t>(index);
            fault = Fault::INDEX;
            return i.a;
        };
        switch (i.op) {
            case Op::CONSTANT: stack.push_back(i.a); continue;
            case Op::CELL: stack.push_back(cell(i.a)); continue;
            case Op::CELL_AT: { const std::int32_t c = indexed(); stack.push_back(cell(c)); continue; }
            case Op::LOCAL: stack.push_back(state[i.a]); continue;
            case Op::LOCAL_AT: { const std::int32_t w = indexed(); stack.push_back(state[w]); continue; }
            case Op::IS: stack.push_back(state[i.a] == i.b); continue;
            case Op::NEGATE:
                if (__builtin_sub_overflow(0, stack.back(), &stack.back())) fault = Fault::RANGE;
                continue;
            case Op::NOT: stack.back() = stack.back() == 0; continue;
            case Op::COMPLEMENT: stack.back() = ~stack.back(); continue;
            case Op::TRUTH: stack.back() = stack.back() != 0; continue;
            case Op::UNLESS:
            case Op::IF:
                if ((stack.back() != 0) == (i.op == Op::IF)) at += i.a;
                else stack.pop_back();
                continue;
            default: break;
        }
        const std::int64_t y = stack.back();
        stack.pop_back();
        std::int64_t& x = stack.back();
        bool overflow = false;
        switch (i.op) {
            case Op::ADD: overflow = __builtin_add_overflow(x, y, &x); break;
            case Op::SUBTRACT: overflow = __builtin_sub_overflow(x, y, &x); break;
            case Op::MULTIPLY: overflow = __builtin_mul_overflow(x, y, &x); break;
            case Op::DIVIDE:
            case Op::MODULO:
                if (y == 0) fault = Fault::DIVISION;
                else x = i.op == Op::DIVIDE ? x / y : x % y;
                break;
            case Op::AND: x &= y; break;
            case Op::OR: x |= y; break;
            case Op::XOR: x ^= y; break;
            case Op::LEFT: x = static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << (y & 31)); break;
            case Op::RIGHT: x >>= y & 31; break;
            case Op::EQ: x = x == y; break;
            case Op::NE: x = x != y; break;
            case Op::LT: x = x < y; break;
            case Op::LE: x = x <= y; break;
            case Op::GT: x = x > y; break;
            default: x = x >= y; break;
        }
        if (overflow) fault = Fault::RANGE;
    }
    return stack.back();
}

}  // namespace xgen::states
