/* The kernel with lanes of 32 bits and of 64, for the ISA and KERNEL defined. */

#if ISA == 0
#define SETS 1
#elif ISA == 512
#define SETS 3
#else
#define SETS 2
#endif

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
