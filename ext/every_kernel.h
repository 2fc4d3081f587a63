/* Compile the header KERNEL_TEXT for each kernel of this kind of machine: with KERNEL, the end of its
   names, and ISA, which is 0 without vectors, 2 for AVX2, and else the bits of a vector. */

#define ISA 0
#define KERNEL portable
#include KERNEL_TEXT
#undef KERNEL
#undef ISA

#ifdef KERNEL_128
BEGIN_128
#define ISA 128
#define KERNEL KERNEL_128
#include KERNEL_TEXT
#undef KERNEL
#undef ISA
END_ISA
#endif

#ifdef NQBENCH_X86
BEGIN_AVX2
#define ISA 2
#define KERNEL avx2
#include KERNEL_TEXT
#undef KERNEL
#undef ISA
END_ISA
BEGIN_AVX512
#define ISA 512
#define KERNEL avx512
#include KERNEL_TEXT
#undef KERNEL
#undef ISA
END_ISA
#endif

#undef KERNEL_TEXT
