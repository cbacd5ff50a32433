#pragma once
#include <asm/spinlock_types.h>
#include <asm-generic/qrwlock.h>
