/* The searches for the ISA and KERNEL defined. */

#define WORD 32
#include "levels_downwards.h"
#include "levels_outwards.h"
#undef WORD
#define WORD 64
#include "levels_downwards.h"
#undef WORD

static void JOIN(downwards_, KERNEL)(Search *search, const Prefix *prefix, size_t number) {
    JOIN(JOIN(downwards_, KERNEL), _32)(search, prefix, number);
}

static void JOIN(outwards_, KERNEL)(Search *search, const Prefix *prefix, size_t number) {
    JOIN(JOIN(outwards_, KERNEL), _32)(search, prefix, number);
}

static void JOIN(below_, KERNEL)(Search *search) { JOIN(JOIN(below_prefix_, KERNEL), _64)(search); }
