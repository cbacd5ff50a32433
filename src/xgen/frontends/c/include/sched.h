#pragma once
#include <sys/cdefs.h>
int sched_yield(void);
