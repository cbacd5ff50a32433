#pragma once
#include <xgen/kernel.h>
#define is_power_of_2(n) ((n) != 0 && ((n) & ((n) - 1)) == 0)
