/* One text for several instruction sets: which kernels there are, how they are compiled, and
   what the processor can run of them.

   No flag of the compiler is needed: the functions between BEGIN_AVX2 or BEGIN_AVX512 and
   END_ISA may use these instructions, and run only where `can_run` says so. */

#ifndef NQBENCH_ISA_H
#define NQBENCH_ISA_H

enum { PORTABLE, AVX2, AVX512, KERNELS };

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#if defined(__GNUC__) || defined(__clang__)
#define INLINE inline __attribute__((always_inline))
#else
#define INLINE inline
#endif

#define PRAGMA(text) _Pragma(#text)

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define NQBENCH_X86 1
#include <immintrin.h>

#ifdef __clang__
#define BEGIN_ISA(names) \
    PRAGMA(clang attribute push(__attribute__((target(names))), apply_to = function))
#define END_ISA PRAGMA(clang attribute pop)
#else
#define BEGIN_ISA(names) PRAGMA(GCC push_options) PRAGMA(GCC target(names))
#define END_ISA PRAGMA(GCC pop_options)
#endif
#define BEGIN_AVX2 BEGIN_ISA("avx2,popcnt,bmi")
#define BEGIN_AVX512 BEGIN_ISA("avx512f,avx512bw,popcnt,bmi")
#endif

/* Whether the processor (and the system, which must save the wide registers) can run it. */
static int can_run(int kernel)
{
#ifdef NQBENCH_X86
    const int small = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
    if (kernel == AVX512)
        return small && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    if (kernel == AVX2) return small && __builtin_cpu_supports("avx2");
#endif
    return kernel == PORTABLE;
}

#endif
