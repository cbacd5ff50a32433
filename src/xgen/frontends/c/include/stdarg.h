/* The arguments of each call are known, since functions are inlined. */
#pragma once
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_arg(list, type) __builtin_va_arg(list, type)
