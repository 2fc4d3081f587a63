/* Blocks and warps of CUDA on this processor: the threads of a block take turns, each from one
   barrier to the next. Shared memory is what the last block left, as on a card. */

#include <algorithm>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <tuple>
#include <ucontext.h>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __shared__
#define __forceinline__ inline
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(threads, blocks)
#define MOST_THREADS 64
#define STACK (1 << 16)

using std::min;

struct Index { unsigned x; };
struct alignas(16) uint4 { unsigned x, y, z, w; };

static Index threadIdx, blockIdx, blockDim, gridDim;

static struct {
    char *stack;
    ucontext_t begin;
    jmp_buf state;
    int begun, ended;
} fiber[MOST_THREADS];
static jmp_buf outside;
static ucontext_t first_outside;
static void (*body)();
static unsigned long long given[MOST_THREADS]; /* by each thread of a warp to the others */

/* Let the other threads go on. */
static void pause() {
    const unsigned me = threadIdx.x;
    if (!_setjmp(fiber[me].state)) _longjmp(outside, 1);
}

/* Wait until all threads of a group have come here. */
struct Barrier { unsigned arrived, turn; };
static Barrier of_block, of_warp[MOST_THREADS / 32];
static void wait(Barrier *barrier, unsigned threads) {
    const unsigned turn = barrier->turn;
    if (++barrier->arrived == threads) {
        barrier->arrived = 0;
        barrier->turn++;
    } else
        while (barrier->turn == turn) pause();
}
static void __syncthreads() { wait(&of_block, blockDim.x); }
static void __syncwarp() { wait(&of_warp[threadIdx.x / 32], 32); }

/* Return what `find` makes of the numbers that the threads of this warp give. */
template <class Find> static unsigned long long exchange(unsigned long long mine, Find find) {
    given[threadIdx.x] = mine;
    __syncwarp();
    const unsigned long long found = find(given + threadIdx.x / 32 * 32);
    __syncwarp();
    return found;
}
template <class T> static T __shfl_sync(unsigned, T mine, unsigned lane) {
    return (T)exchange(mine, [&](auto each) { return each[lane % 32]; });
}
template <class T> static T __shfl_xor_sync(unsigned, T mine, unsigned by) {
    return (T)exchange(mine, [&](auto each) { return each[threadIdx.x % 32 ^ by]; });
}
template <class T> static T __shfl_up_sync(unsigned, T mine, unsigned by) {
    const unsigned lane = threadIdx.x % 32;
    return (T)exchange(mine, [&](auto each) { return each[lane >= by ? lane - by : lane]; });
}
static unsigned __reduce_or_sync(unsigned, unsigned mine) {
    return exchange(mine, [](auto each) {
        unsigned long long all = 0;
        for (int i = 0; i < 32; i++) all |= each[i];
        return all;
    });
}
static unsigned __ballot_sync(unsigned, bool mine) {
    return __reduce_or_sync(0, (unsigned)mine << threadIdx.x % 32);
}

#define __popc __builtin_popcount
#define __ffs __builtin_ffs
static unsigned __byte_perm(unsigned low, unsigned high, unsigned chosen) {
    const unsigned long long bytes = (unsigned long long)high << 32 | low;
    unsigned found = 0;
    for (int i = 0; i < 4; i++)
        found |= (unsigned)(bytes >> 8 * (chosen >> 4 * i & 7) & 255) << 8 * i;
    return found;
}
template <class T, class U> static T atomicAdd(T *number, U more) {
    const T before = *number;
    *number += (T)more;
    return before;
}
template <class T> static T __ldg(const T *number) { return *number; }
static void copy_quad(unsigned *to, const unsigned *from) { memcpy(to, from, 16); }
static void wait_for_copies() {}
template <int offset> static unsigned load(const char *from, unsigned at) {
    return *(const unsigned *)(from + at + offset);
}

static void run_thread() {
    const unsigned me = threadIdx.x;
    body();
    fiber[me].ended = 1;
    _longjmp(outside, 1);
}

static void run_block(unsigned block) {
    volatile unsigned left = blockDim.x;
    blockIdx.x = block;
    of_block = {0, 0};
    memset(of_warp, 0, sizeof of_warp);
    for (unsigned i = 0; i < blockDim.x; i++) fiber[i].begun = fiber[i].ended = 0;
    while (left)
        for (volatile unsigned i = 0; i < blockDim.x; i++) {
            if (fiber[i].ended) continue;
            threadIdx.x = i;
            if (!_setjmp(outside)) {
                if (fiber[i].begun) _longjmp(fiber[i].state, 1);
                fiber[i].begun = 1;
                if (!fiber[i].stack) fiber[i].stack = (char *)malloc(STACK);
                getcontext(&fiber[i].begin);
                fiber[i].begin.uc_stack.ss_sp = fiber[i].stack;
                fiber[i].begin.uc_stack.ss_size = STACK;
                fiber[i].begin.uc_link = nullptr;
                makecontext(&fiber[i].begin, run_thread, 0);
                swapcontext(&first_outside, &fiber[i].begin);
            }
            left -= fiber[i].ended;
        }
}

/* Run a kernel in blocks, one after the other; `given` points to its arguments. */
template <class... Types, size_t... Place>
static void launch(void (*kernel)(Types...), unsigned blocks, unsigned threads, void **arguments,
                   std::index_sequence<Place...>) {
    static std::tuple<Types...> all;
    static void (*called)(Types...);
    all = std::tuple<Types...>(*(Types *)arguments[Place]...);
    called = kernel;
    body = [] { std::apply(called, all); };
    blockDim.x = threads;
    gridDim.x = blocks;
    for (unsigned block = 0; block < blocks; block++) run_block(block);
}
template <class... Types>
static void launch(void (*kernel)(Types...), unsigned blocks, unsigned threads, void **arguments) {
    launch(kernel, blocks, threads, arguments, std::index_sequence_for<Types...>());
}
#define LAUNCHER(kernel) \
    extern "C" void launch_##kernel(unsigned blocks, unsigned threads, void **arguments) { \
        launch(kernel, blocks, threads, arguments); \
    }
