#pragma once
#include <sys/cdefs.h>
#include <stddef.h>
#include <sys/types.h>
typedef struct __xgen_file FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
