/* Read first where a compiler's preprocessor is asked with --data-model ilp32. */
#if !defined(__i386__) || !defined(__ILP32__)
#error this compiler is for a machine that is no 32-bit x86
#endif
