#pragma once

#include <nanobind/nanobind.h>

namespace xgen::states {

void bind(nanobind::module_& m);

}  // namespace xgen::states
