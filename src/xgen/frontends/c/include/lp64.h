/* Read first where a compiler's preprocessor is asked. */
#if !defined(__LP64__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error this compiler is for a machine on which long has not 64 bits, or with the most significant byte first
#endif
