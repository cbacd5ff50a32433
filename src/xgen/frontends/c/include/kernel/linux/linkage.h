#pragma once
#include <xgen/kernel.h>
