#pragma once
#include "doctest/doctest.h"
