// What the machines with store buffers add to the Python module.
#pragma once

#include <nanobind/nanobind.h>

namespace xgen::symbolic {

void bind(nanobind::module_& m);

}  // namespace xgen::symbolic
