#include <nanobind/nanobind.h>
#include "code.hpp"
namespace nb = nanobind;
NB_MODULE(_core, m) {
    nb::enum_<xgen::Op> op(m, "Op");
#define XGEN_OP(name) op.value(#name, xgen::Op::name);
    XGEN_OPS(XGEN_OP)
#undef XGEN_OP
}
