#pragma once
#include <sys/cdefs.h>
typedef struct { int __count; } sem_t;
