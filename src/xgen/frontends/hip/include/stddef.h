#pragma once
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#define NULL __null
#define offsetof(type, member) __builtin_offsetof(type, member)
