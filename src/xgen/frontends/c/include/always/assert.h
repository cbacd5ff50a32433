/* Not guarded: NDEBUG may change between two inclusions. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) __xgen_assert((condition), #condition)
#endif
#undef static_assert
#define static_assert _Static_assert
