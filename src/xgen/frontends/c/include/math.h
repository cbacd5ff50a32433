#pragma once
#include <sys/cdefs.h>
#define INFINITY (1.0f / 0.0f)
#define HUGE_VAL (1.0 / 0.0)
#define HUGE_VALF INFINITY
#define NAN (0.0f / 0.0f)
#define isnan(number) __builtin_isnan(number)
#define isinf(number) __builtin_isinf(number)
#define isfinite(number) __builtin_isfinite(number)
double fabs(double number);
float fabsf(float number);
double sqrt(double number);
float sqrtf(float number);
double ceil(double number);
float ceilf(float number);
double floor(double number);
float floorf(float number);
double trunc(double number);
float truncf(float number);
double round(double number);
float roundf(float number);
double rint(double number);
float rintf(float number);
double nearbyint(double number);
float nearbyintf(float number);
long lround(double number);
long lroundf(float number);
long lrint(double number);
long lrintf(float number);
long long llround(double number);
long long llroundf(float number);
long long llrint(double number);
long long llrintf(float number);
double fmin(double left, double right);
float fminf(float left, float right);
double fmax(double left, double right);
float fmaxf(float left, float right);
double fmod(double left, double right);
float fmodf(float left, float right);
double copysign(double number, double sign);
float copysignf(float number, float sign);
