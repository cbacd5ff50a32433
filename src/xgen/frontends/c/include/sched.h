#pragma once
#include <sys/cdefs.h>
#include <sys/types.h>
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
struct sched_param { int sched_priority; };
typedef struct { unsigned long __bits[16]; } cpu_set_t;
#define CPU_SETSIZE 1024
#define CPU_ZERO(set) do { for (int __k = 0; __k < 16; __k++) (set)->__bits[__k] = 0; } while (0)
#define __CPU_WORD(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(long))])
#define __CPU_BIT(cpu) (1UL << (cpu) % (8 * sizeof(long)))
#define CPU_SET(cpu, set) ((void)(__CPU_WORD(cpu, set) |= __CPU_BIT(cpu)))
#define CPU_CLR(cpu, set) ((void)(__CPU_WORD(cpu, set) &= ~__CPU_BIT(cpu)))
#define CPU_ISSET(cpu, set) ((__CPU_WORD(cpu, set) & __CPU_BIT(cpu)) != 0)
int sched_yield(void);
int sched_getcpu(void);
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set);
