/* What programs that are written for GenMC use. Hints for it mean nothing here; what is optional is left out. */
#pragma once
#include <stdbool.h>
#include <stdlib.h>
#define __VERIFIER_local_write(s) do { s; } while (0)
#define __VERIFIER_final_write(s) do { s; } while (0)
#define __VERIFIER_final_CAS(s) s
#define __VERIFIER_helped_CAS(c) do { c; } while (0)
#define __VERIFIER_helping_CAS(c) do { c; } while (0)
#define __VERIFIER_optional(s) do { } while (0)
#define __VERIFIER_speculative_read(c) (c)
#define __VERIFIER_confirming_CAS(c) (c)
typedef long __VERIFIER_thread_t;
typedef struct { void *__pointer; } __VERIFIER_hp_t;
