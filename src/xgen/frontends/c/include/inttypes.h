#pragma once
#include <stdint.h>
#define PRId32 "d"
#define PRIu32 "u"
#define PRIx32 "x"
#ifdef __LP64__
#define PRId64 "ld"
#define PRIu64 "lu"
#define PRIx64 "lx"
#define PRIuPTR "lu"
#define PRIxPTR "lx"
#else
#define PRId64 "lld"
#define PRIu64 "llu"
#define PRIx64 "llx"
#define PRIuPTR "u"
#define PRIxPTR "x"
#endif
