#include "widths_impl.hpp"

namespace xgen {

XGEN_WIDTH_ELSEWHERE(64)
XGEN_WIDTH(16)

// Of graphs that are given as a whole as well (model/given.cpp).
template class Evaluator<16>;

}  // namespace xgen
