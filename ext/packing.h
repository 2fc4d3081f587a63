/* What lanes.h needs once: tables for kernels that cannot expand or compress lanes. */

#ifndef NQBENCH_PACKING_H
#define NQBENCH_PACKING_H

#include <stdint.h>
#include <string.h>

#include "isa.h"

#if defined(__GNUC__) || defined(__clang__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif

#ifdef KERNEL_128
/* Which byte goes where, for each mask of 4 lanes of 32 bits and of 2 lanes of 64. */
static uint8_t byte_expanding_32[16][16], byte_compressing_32[16][16];
static uint8_t byte_expanding_64[4][16], byte_compressing_64[4][16];
#endif
#ifdef NQBENCH_X86
/* Which lane of 32 bits goes where, for each mask of 8 lanes of 32 bits and of 4 lanes of 64. */
static uint8_t expanding_32[256][8], compressing_32[256][8];
static uint8_t expanding_64[16][8], compressing_64[16][8];
#endif

#ifdef KERNEL_128
/* Fill both tables, for so many lanes of so many entries each. */
static void fill_tables(uint8_t *expanding, uint8_t *compressing, int lanes, int parts) {
    const int width = lanes * parts;
    for (int mask = 0; mask < 1 << lanes; mask++) {
        int taken = 0;
        for (int lane = 0; lane < lanes; lane++) {
            for (int part = 0; part < parts; part++)
                expanding[mask * width + lane * parts + part] = (uint8_t)(taken * parts + part);
            if (!(mask >> lane & 1)) continue;
            for (int part = 0; part < parts; part++)
                compressing[mask * width + taken * parts + part] = (uint8_t)(lane * parts + part);
            taken++;
        }
    }
}

#endif

/* To be called once, before anything else. */
static void prepare_kernels(void) {
#ifdef NQBENCH_X86
    __builtin_cpu_init();
    fill_tables(*expanding_32, *compressing_32, 8, 1);
    fill_tables(*expanding_64, *compressing_64, 4, 2);
#endif
#ifdef KERNEL_128
    fill_tables(*byte_expanding_32, *byte_compressing_32, 4, 4);
    fill_tables(*byte_expanding_64, *byte_compressing_64, 2, 8);
#endif
}

#endif
