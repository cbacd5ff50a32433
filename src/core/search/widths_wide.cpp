#include "widths_impl.hpp"

namespace xgen {

XGEN_WIDTH(64)
XGEN_WIDTH(256)

}  // namespace xgen
