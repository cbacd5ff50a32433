#pragma once
#include "xgen/catch.hpp"
