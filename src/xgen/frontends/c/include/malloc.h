#pragma once
#include <stdlib.h>
void *memalign(size_t alignment, size_t size);
