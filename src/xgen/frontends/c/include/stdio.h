#pragma once
#include <stddef.h>
typedef struct __xgen_file FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
