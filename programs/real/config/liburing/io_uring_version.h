/* What liburing's configure script writes of its version. */
#pragma once
#define IO_URING_VERSION_MAJOR 2
#define IO_URING_VERSION_MINOR 6
