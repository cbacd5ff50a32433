/* For the driver of a test: CPU(n, f) { ... } is what CPU n does once START(f) has started it. */
#pragma once
#include <xgen/kernel.h>
#define _xgen_on(n, f) static void *f##_on_cpu(void *_cpu) { (void)_cpu; __xgen_on_cpu(n); f(); return 0; }
#define CPU(n, f) static void f(void); _xgen_on(n, f) static void f(void)
#define START(f) ({ pthread_t _started; pthread_create(&_started, 0, f##_on_cpu, 0); _started; })
#define JOIN(t) pthread_join((t), 0)
/* INTERRUPT(n, f) { ... } is what an interrupt on CPU n does, SOFTIRQ(n, f) { ... } what a bottom half does. */
#define _xgen_handler(n, f, kind) static int __xgen_##kind##_##f(void) { f(); return (n); }
#define INTERRUPT(n, f) static void f(void); _xgen_handler(n, f, hard) static void f(void)
#define SOFTIRQ(n, f) static void f(void); _xgen_handler(n, f, soft) static void f(void)
