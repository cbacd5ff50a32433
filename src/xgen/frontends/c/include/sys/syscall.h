/* Linux's numbers on x86-64. */
#pragma once
#define SYS_getpid 39
#define SYS_gettid 186
#define SYS_futex 202
#define __NR_getpid SYS_getpid
#define __NR_gettid SYS_gettid
#define __NR_futex SYS_futex
