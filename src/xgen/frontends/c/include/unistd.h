#pragma once
#include <sys/cdefs.h>
#include <sys/types.h>
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_LEVEL1_DCACHE_LINESIZE 190
long sysconf(int name);
pid_t getpid(void);
pid_t getppid(void);
pid_t gettid(void);
int getpagesize(void);
long syscall(long number, ...);
unsigned int sleep(unsigned int seconds);
int usleep(unsigned int microseconds);
