#pragma once
extern "C" __attribute__((device)) int printf(const char *, ...);
