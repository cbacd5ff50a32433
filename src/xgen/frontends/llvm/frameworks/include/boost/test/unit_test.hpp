#pragma once
#include "../../xgen/boost.hpp"
