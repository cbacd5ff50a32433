#include "widths_impl.hpp"

namespace xgen {

XGEN_WIDTH_ELSEWHERE(64)
XGEN_WIDTH(16)

}  // namespace xgen
