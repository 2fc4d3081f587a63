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

/* Return the bits in reverse order. */
static inline uint64_t reversed(uint64_t bits) {
    bits = (bits >> 1 & 0x5555555555555555) | (bits & 0x5555555555555555) << 1;
    bits = (bits >> 2 & 0x3333333333333333) | (bits & 0x3333333333333333) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0f) | (bits & 0x0f0f0f0f0f0f0f0f) << 4;
    bits = (bits >> 8 & 0x00ff00ff00ff00ff) | (bits & 0x00ff00ff00ff00ff) << 8;
    bits = (bits >> 16 & 0x0000ffff0000ffff) | (bits & 0x0000ffff0000ffff) << 16;
    return bits >> 32 | bits << 32;
}

#endif
