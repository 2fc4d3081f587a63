/* The kernel with lanes of 32 bits and of 64, for the ISA, KERNEL and SETS defined. */

#define WORD 32
#include "kernel.h"
#undef WORD
#define WORD 64
#include "kernel.h"
#undef WORD
#undef SETS
#undef KERNEL
#undef ISA
