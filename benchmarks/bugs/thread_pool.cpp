// A pool is made and taken down.
#include "BS_thread_pool_light.hpp"

int main() { BS::thread_pool_light pool(1); }
