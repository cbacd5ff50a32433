// What the search for any number of processes adds to the Python module.
#pragma once

#include <nanobind/nanobind.h>

namespace xgen::cubes {

void bind(nanobind::module_& m);

}  // namespace xgen::cubes
