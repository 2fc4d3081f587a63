/* Sets of columns as bits, in portable C. */

#ifndef NQBENCH_BITS_H
#define NQBENCH_BITS_H

#include <stdint.h>

static inline int ones(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    return (int)(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}

static inline int column_of(uint64_t bit) { return ones(bit - 1); }

#endif
