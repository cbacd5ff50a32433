/* What liburing's configure script writes where the system has these types. */
#pragma once
#include <inttypes.h>
#include <linux/openat2.h>
#include <linux/time_types.h>
#include <linux/ioctl.h>
