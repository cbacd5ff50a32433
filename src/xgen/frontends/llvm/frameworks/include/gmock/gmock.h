// Only what tests without mocks have of it: matchers are refused in the tests that use them.
#pragma once
#include "../gtest/gtest.h"
