// What the machines with store buffers add to the Python module.
#pragma once

#include <nanobind/nanobind.h>

namespace xgen {

void bind_machines(nanobind::module_& m);

}  // namespace xgen
