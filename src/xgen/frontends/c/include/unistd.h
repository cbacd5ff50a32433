#pragma once
#include <sys/cdefs.h>
#include <sys/types.h>
unsigned int sleep(unsigned int seconds);
int usleep(unsigned int microseconds);
