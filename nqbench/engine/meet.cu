/* Count the pairs of two sorted lists of halves that share no diagonal: what `meet` in
   ext/join_kernel.h does, in CUDA C++.

   An arranged word is: class | rest, see ext/join_order.h. A block takes a piece of the longer list.
   For each diagonal a vector says which words of the piece leave it free. Tables in shared memory
   have the AND of these vectors for every set of CHUNK diagonals of the rest, and of CLASS_CHUNK
   index bits. A team of LANES threads holds a vector, 32 bits in each. A team takes a class of the
   other list; each word of it looks up TABLES sets, and ANDs them: the bits that are left are its
   partners. Carry-save adders add them up.

   To be defined: LANES, TEAMS of a block, CHUNK, TABLES, CLASS_CHUNK. */

#define uint unsigned int
#define ulong unsigned long long
#define FLAGS 4 /* numbers of flags in a class, and the number of words with both, as in join.h */
#define BOTH 2
#define THREADS (LANES * TEAMS)
#define PIECE (32 * LANES) /* words */
#define TABLE (LANES << CHUNK)
#define CLASS_TABLE (LANES << CLASS_CHUNK)

/* Put the lowest bits of a number where the mask has ones. */
__device__ static uint spread(uint number, uint mask)
{
    uint spread = 0;
    for (; mask; mask &= mask - 1, number >>= 1)
        if (number & 1) spread |= mask & (0 - mask);
    return spread;
}

/* Fill a table of the sets of these bits of the words of a piece. */
__device__ static void fill(uint *table, uint *used, const ulong *piece, uint number, uint from,
                            uint bits, uint sets)
{
    for (uint i = threadIdx.x; i < bits * LANES; i += THREADS) {
        const uint bit = from + i / LANES, first = i % LANES * 32;
        uint slice = 0;
        for (uint k = 0; k < 32 && first + k < number; k++)
            slice |= (uint)(piece[first + k] >> bit & 1) << k;
        used[i] = slice;
    }
    __syncthreads();
    for (uint i = threadIdx.x; i < sets * LANES; i += THREADS) {
        uint free = ~0u;
        for (uint bit = 0; bit < bits; bit++)
            if (i / LANES >> bit & 1) free &= ~used[bit * LANES + i % LANES];
        table[i] = free;
    }
    __syncthreads();
}

/* Add up a number of each thread, or find their AND; every thread gets it. */
__device__ static ulong reduce(ulong *each, ulong mine, int add)
{
    each[threadIdx.x] = mine;
    for (uint upper = THREADS / 2; upper; upper /= 2) {
        __syncthreads();
        if (threadIdx.x < upper)
            each[threadIdx.x] = mine = add ? mine + each[threadIdx.x + upper] : mine & each[threadIdx.x + upper];
    }
    __syncthreads();
    mine = each[0];
    __syncthreads();
    return mine;
}

#define LOOK_UP(found, at) { \
    const ulong word = words[at]; \
    found = partners; \
    for (int chunk = 0; chunk < TABLES; chunk++) \
        found &= mine[chunk * TABLE + ((uint)(word >> CHUNK * chunk) & ((1 << CHUNK) - 1)) * LANES]; \
}
#define ADD(sum, carry, x, y) { \
    const uint one = x, two = y, three = sum; \
    carry = (one & two) | ((one ^ two) & three); \
    sum = one ^ two ^ three; \
}

/* Count the pairs of the words `first` to `end` of the pieces with the words of the other list
   that have so many flags. Add `weight` times their number, also modulo 13 and 15, to the three
   counts of the block. */
extern "C" __global__ __launch_bounds__(THREADS)
void meet(const ulong *pieces, uint first, uint end, const ulong *words, const uint *offset,
          uint first_flag, uint last_flag, uint index_bits, uint rest_bits, uint weight, ulong *counts)
{
    extern __shared__ uint memory[];
    const uint class_chunks = index_bits ? (index_bits + CLASS_CHUNK - 1) / CLASS_CHUNK : 1;
    uint *tables = memory, *class_tables = tables + TABLES * TABLE;
    uint *used = class_tables + class_chunks * CLASS_TABLE;
    ulong *each = (ulong *)(used + CHUNK * LANES);
    const uint lane = threadIdx.x % LANES, team = threadIdx.x / LANES;
    const uint *mine = tables + lane;
    const uint *of_class = class_tables + lane;
    for (uint start = first + blockIdx.x * PIECE; start < end; start += gridDim.x * PIECE) {
        const ulong *piece = pieces + start;
        const uint number = end - start < PIECE ? end - start : PIECE;
        ulong common = ~(ulong)0, found = 0;
        for (uint i = threadIdx.x; i < number; i += THREADS) common &= piece[i];
        common = reduce(each, common, 0) >> rest_bits;
        for (uint chunk = 0; chunk < TABLES; chunk++) {
            const uint from = chunk * CHUNK, left = from < rest_bits ? rest_bits - from : 0;
            fill(tables + chunk * TABLE, used, piece, number, from, left < CHUNK ? left : CHUNK,
                 1 << CHUNK);
        }
        for (uint chunk = 0; chunk < class_chunks; chunk++) {
            const uint from = chunk * CLASS_CHUNK;
            const uint left = from < index_bits ? index_bits - from : 0;
            fill(class_tables + chunk * CLASS_TABLE, used, piece, number, rest_bits + from,
                 left < CLASS_CHUNK ? left : CLASS_CHUNK, 1 << CLASS_CHUNK);
        }
        for (uint i = threadIdx.x; i < CLASS_TABLE; i += THREADS) /* only as many words as there are */
            for (uint k = 0; k < 32; k++)
                if (i % LANES * 32 + k >= number) class_tables[i] &= ~(1u << k);
        __syncthreads();

        const uint allowed = ((1u << index_bits) - 1) & ~(uint)common;
        const uint step = spread(TEAMS, allowed), classes = 1u << __popc(allowed);
        for (uint both = 0; both <= last_flag / BOTH; both++) { /* words with both flags count twice */
            const uint from = both ? BOTH : first_flag;
            const uint to = both || last_flag < BOTH ? last_flag : BOTH - 1;
            uint index = spread(team, allowed);
            uint ones = 0, twos = 0, fours = 0;
            for (uint k = team; k < classes; k += TEAMS) {
                uint at = offset[FLAGS * index + from];
                const uint stop = offset[FLAGS * index + to + 1];
                uint partners = of_class[index % (1 << CLASS_CHUNK) * LANES], a, b, c, d;
                for (uint chunk = 1; chunk < class_chunks; chunk++)
                    partners &= of_class[chunk * CLASS_TABLE
                                         + (index >> CLASS_CHUNK * chunk) % (1 << CLASS_CHUNK) * LANES];
                index = ((index | ~allowed) + step) & allowed;
                if (at == stop || !partners) continue;
                for (; at + 4 <= stop; at += 4) {
                    LOOK_UP(a, at) LOOK_UP(b, at + 1) ADD(ones, c, a, b)
                    LOOK_UP(a, at + 2) LOOK_UP(b, at + 3) ADD(ones, d, a, b)
                    ADD(twos, a, c, d)
                    fours += __popc(a);
                }
                for (; at < stop; at++) {
                    LOOK_UP(a, at)
                    b = ones & a, ones ^= a, c = twos & b, twos ^= b;
                    fours += __popc(c);
                }
            }
            fours = 4 * fours + 2 * __popc(twos) + __popc(ones);
            found += (1 + both) * (ulong)fours;
        }
        found = weight * reduce(each, found, 1);
        if (!threadIdx.x) {
            ulong *count = counts + 3 * blockIdx.x;
            count[0] += found;
            count[1] = (count[1] + found) % 13;
            count[2] = (count[2] + found) % 15;
        }
    }
}
