#pragma once
typedef struct { int __count; } sem_t;
