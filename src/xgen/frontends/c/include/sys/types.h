#pragma once
#include <sys/cdefs.h>
#include <stddef.h>
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t, time_t;
typedef unsigned int mode_t, uid_t, gid_t;
typedef int pid_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long, ulong;
typedef unsigned int uint;
typedef unsigned short ushort;
