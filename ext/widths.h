/* The kernel with lanes of 32 bits and of 64, for the ISA, KERNEL and SETS defined. */

#define WORD 32
#include "kernel.h"
#undef WORD
#define WORD 64
#include "kernel.h"
#undef WORD

static void JOIN(complete_, KERNEL)(Work *work, const Job *jobs, size_t number) {
    if (work->plan->wide) JOIN(JOIN(complete_, KERNEL), _64)(work, jobs, number);
    else JOIN(JOIN(complete_, KERNEL), _32)(work, jobs, number);
}

#undef SETS
#undef KERNEL
#undef ISA
