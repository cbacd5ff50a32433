/* For the driver of a test: CPU(n, f) { ... } is what CPU n does once START(f) has started it. */
#pragma once
#include <xgen/kernel.h>
#define _xgen_on(n, f) static void *f##_on_cpu(void *_cpu) { (void)_cpu; __xgen_on_cpu(n); f(); return 0; }
#define CPU(n, f) static void f(void); _xgen_on(n, f) static void f(void)
#define START(f) ({ pthread_t _started; pthread_create(&_started, 0, f##_on_cpu, 0); _started; })
#define JOIN(t) pthread_join((t), 0)
