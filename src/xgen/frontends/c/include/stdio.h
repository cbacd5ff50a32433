#pragma once
#include <sys/cdefs.h>
#include <stddef.h>
#include <sys/types.h>
typedef struct __xgen_file FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
#define BUFSIZ 8192
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
