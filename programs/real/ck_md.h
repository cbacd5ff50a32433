// What Concurrency Kit's configure would write: nothing is assumed of the machine, and no assembly is used.
#ifndef CK_MD_H
#define CK_MD_H
#define CK_MD_CACHELINE 64
#define CK_MD_PAGESIZE 4096
#define CK_MD_RTM_DISABLE
#define CK_MD_LSE_DISABLE
#define CK_MD_POINTER_PACK_DISABLE
#define CK_MD_RMO
#define CK_PR_DISABLE_DOUBLE
#endif
