// What CMake makes of turf/cmake/turf_config.h.in on 64-bit Linux.
#define TURF_PTR_SIZE 8
#define TURF_HAS_STDINT 1
#define TURF_PREFER_PTHREAD 1
