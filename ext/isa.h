/* One text for several instruction sets: which kernels there are, how they are compiled, and
   what the processor can run of them.

   No flag of the compiler is needed: the functions between BEGIN_128, BEGIN_AVX2 or
   BEGIN_AVX512 and END_ISA may use these instructions, and run only where `can_run` says so.
   Every 64-bit ARM processor has NEON. KERNEL_128 is the kernel with vectors of 128 bits, if this
   kind of machine has one. */

#ifndef NQBENCH_ISA_H
#define NQBENCH_ISA_H

enum { PORTABLE, SSE4, NEON, AVX2, AVX512, KERNELS };

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
#define KERNEL_128 sse4
#define BEGIN_128 BEGIN_ISA("sse4.1,popcnt")
#define BEGIN_AVX2 BEGIN_ISA("avx2,popcnt,bmi")
#define BEGIN_AVX512 BEGIN_ISA("avx512f,avx512bw,popcnt,bmi")

#elif defined(__AARCH64EL__) && (defined(__GNUC__) || defined(__clang__))
#define NQBENCH_NEON 1
#include <arm_neon.h>
#define KERNEL_128 neon
#define BEGIN_128
#define END_ISA
#endif

/* Call the function of a kernel. */
#ifdef NQBENCH_X86
#define DISPATCH(kernel, name, ...) \
    ((kernel) == AVX512 ? name##_avx512(__VA_ARGS__) : (kernel) == AVX2 ? name##_avx2(__VA_ARGS__) \
     : (kernel) == SSE4 ? name##_sse4(__VA_ARGS__) : name##_portable(__VA_ARGS__))
#elif defined(NQBENCH_NEON)
#define DISPATCH(kernel, name, ...) \
    ((kernel) == NEON ? name##_neon(__VA_ARGS__) : name##_portable(__VA_ARGS__))
#else
#define DISPATCH(kernel, name, ...) ((void)(kernel), name##_portable(__VA_ARGS__))
#endif

/* Whether the processor (and the system, which must save the wide registers) can run it. A build
   with CFLAGS=-DMOST_KERNEL=SSE4 runs on each processor as on an older one. */
#ifndef MOST_KERNEL
#define MOST_KERNEL AVX512
#endif
static int can_run(int kernel) {
    if (kernel > MOST_KERNEL) return 0;
#ifdef NQBENCH_X86
    const int small = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
    if (kernel == AVX512)
        return small && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    if (kernel == AVX2) return small && __builtin_cpu_supports("avx2");
    if (kernel == SSE4) return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("sse4.1");
#elif defined(NQBENCH_NEON)
    if (kernel == NEON) return 1;
#endif
    return kernel == PORTABLE;
}

#endif
