#include "widths_impl.hpp"

namespace xgen {

XGEN_WIDTH_ELSEWHERE(16)
XGEN_WIDTH(1)
XGEN_WIDTH(2)
XGEN_WIDTH(4)

}  // namespace xgen
