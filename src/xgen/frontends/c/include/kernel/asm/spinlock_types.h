/* arch_spinlock_t, where it is not the queued spinlock's. */
#pragma once
#include <xgen/kernel.h>
#ifndef __ASM_GENERIC_QSPINLOCK_TYPES_H
typedef raw_spinlock_t arch_spinlock_t;
#define __ARCH_SPIN_LOCK_UNLOCKED { 0 }
#define arch_spin_lock(l) spin_lock(l)
#define arch_spin_unlock(l) spin_unlock(l)
#define arch_spin_is_locked(l) spin_is_locked(l)
#endif
