#pragma once
#ifdef __LP64__
#define __INT64 long
#define __64(c) c##L
#define __U64(c) c##UL
#else
#define __INT64 long long
#define __64(c) c##LL
#define __U64(c) c##ULL
#endif
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef __INT64 int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned __INT64 uint64_t;
typedef signed char int_least8_t, int_fast8_t;
typedef short int_least16_t;
typedef int int_least32_t;
typedef __INT64 int_least64_t, int_fast64_t, intmax_t;
typedef unsigned char uint_least8_t, uint_fast8_t;
typedef unsigned short uint_least16_t;
typedef unsigned int uint_least32_t;
typedef unsigned __INT64 uint_least64_t, uint_fast64_t, uintmax_t;
typedef __PTRDIFF_TYPE__ int_fast16_t, int_fast32_t, intptr_t;
typedef __SIZE_TYPE__ uint_fast16_t, uint_fast32_t, uintptr_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MAX __64(9223372036854775807)
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX __U64(18446744073709551615)
#define INTMAX_MIN INT64_MIN
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX
#ifdef __LP64__
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#else
#define INTPTR_MIN INT32_MIN
#define INTPTR_MAX INT32_MAX
#define UINTPTR_MAX UINT32_MAX
#endif
#define PTRDIFF_MIN INTPTR_MIN
#define PTRDIFF_MAX INTPTR_MAX
#define SIZE_MAX UINTPTR_MAX
#define INT32_C(c) c
#define INT64_C(c) __64(c)
#define UINT32_C(c) c##U
#define UINT64_C(c) __U64(c)
