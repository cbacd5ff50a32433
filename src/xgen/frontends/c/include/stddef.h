#pragma once
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef int wchar_t;
#define NULL ((void *)0)
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
