/* Count the pairs of two sorted lists of halves that share no diagonal: what `meet` in
   ext/join_kernel.h does, as OpenCL C for any device and as CUDA C++.

   An arranged word is: class | rest, see ext/join_order.h. A group of work items takes a piece of
   the longer list. For each diagonal a vector says which words of the piece leave it free. Tables
   in local memory have the AND of these vectors for every set of CHUNK diagonals of the rest, and of
   CLASS_CHUNK index bits. A vector lies in the hands of a team of LANES items, WIDTH * 32 bits in
   each. A team takes a class of the other list; each word of it looks up TABLES sets, and ANDs
   them: the bits that are left are its partners. Carry-save adders add them up.

   To be defined: WIDTH, LANES, TEAMS of a group, CHUNK, TABLES, CLASS_CHUNK. */

#ifdef __OPENCL_VERSION__
#define KERNEL __kernel __attribute__((reqd_work_group_size(LANES * TEAMS, 1, 1)))
#define INSIDE
#define GLOBAL __global
#define LOCAL __local
#define SHARED(name) , __local uint *name
#define BEGIN_SHARED(name)
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define ITEM ((uint)get_local_id(0))
#define GROUP ((uint)get_group_id(0))
#define GROUPS ((uint)get_num_groups(0))
#define ONES(bits) popcount(bits)
#else
#define KERNEL extern "C" __global__ __launch_bounds__(LANES * TEAMS)
#define INSIDE __device__ static
#define GLOBAL
#define LOCAL
#define SHARED(name)
#define BEGIN_SHARED(name) extern __shared__ uint name[];
#define BARRIER __syncthreads()
#define ITEM threadIdx.x
#define GROUP blockIdx.x
#define GROUPS gridDim.x
#define ONES(bits) __popc(bits)
#define uint unsigned int
#define ulong unsigned long long
#endif

#if WIDTH == 1
typedef uint VEC;
#define ANY(vector) (vector)
#else
typedef uint16 VEC;
#define ANY(vector) any((vector) != 0)
#endif

#define FLAGS 4 /* numbers of flags in a class, and the number of words with both, as in join.h */
#define BOTH 2
#define ITEMS (LANES * TEAMS)
#define SLICE (WIDTH * LANES) /* numbers of 32 bits of a vector */
#define PIECE (32 * SLICE)    /* words of a piece */
#define TABLE (SLICE << CHUNK)
#define CLASS_TABLE (SLICE << CLASS_CHUNK)

/* Put the lowest bits of a number where the mask has ones. */
INSIDE uint spread(uint number, uint mask)
{
    uint spread = 0;
    for (; mask; mask &= mask - 1, number >>= 1)
        if (number & 1) spread |= mask & (0 - mask);
    return spread;
}

/* Fill a table of the sets of these bits of the words of a piece. */
INSIDE void fill(LOCAL uint *table, LOCAL uint *used, GLOBAL const ulong *piece, uint number,
                 uint from, uint bits, uint sets)
{
    for (uint i = ITEM; i < bits * SLICE; i += ITEMS) {
        const uint bit = from + i / SLICE, first = i % SLICE * 32;
        uint slice = 0;
        for (uint k = 0; k < 32 && first + k < number; k++)
            slice |= (uint)(piece[first + k] >> bit & 1) << k;
        used[i] = slice;
    }
    BARRIER;
    for (uint i = ITEM; i < sets * SLICE; i += ITEMS) {
        uint free = ~0u;
        for (uint bit = 0; bit < bits; bit++)
            if (i / SLICE >> bit & 1) free &= ~used[bit * SLICE + i % SLICE];
        table[i] = free;
    }
    BARRIER;
}

/* Add up a number of each item, or find their AND; every item gets it. */
INSIDE ulong reduce(LOCAL ulong *each, ulong mine, int add)
{
    each[ITEM] = mine;
    for (uint upper = ITEMS / 2; upper; upper /= 2) {
        BARRIER;
        if (ITEM < upper)
            each[ITEM] = add ? each[ITEM] + each[ITEM + upper] : each[ITEM] & each[ITEM + upper];
    }
    BARRIER;
    mine = each[0];
    BARRIER;
    return mine;
}

#define LOOK_UP(found, at) { \
    const ulong word = words[at]; \
    found = partners; \
    for (int chunk = 0; chunk < TABLES; chunk++) \
        found &= mine[chunk * (TABLE / WIDTH) + ((uint)(word >> CHUNK * chunk) & ((1 << CHUNK) - 1)) * LANES]; \
}
#define ADD(sum, carry, x, y) { \
    const VEC one = x, two = y, three = sum; \
    carry = (one & two) | ((one ^ two) & three); \
    sum = one ^ two ^ three; \
}

/* Count the pairs of the words `first` to `end` of the pieces with the words of the other list
   that have so many flags. Add `weight` times their number, also modulo 13 and 15, to the three
   counts of the group. */
KERNEL void meet(GLOBAL const ulong *pieces, uint first, uint end, GLOBAL const ulong *words,
                 GLOBAL const uint *offset, uint first_flag, uint last_flag, uint index_bits,
                 uint rest_bits, uint weight, GLOBAL ulong *counts SHARED(memory))
{
    BEGIN_SHARED(memory)
    const uint class_chunks = index_bits ? (index_bits + CLASS_CHUNK - 1) / CLASS_CHUNK : 1;
    LOCAL uint *tables = memory, *class_tables = tables + TABLES * TABLE;
    LOCAL uint *used = class_tables + class_chunks * CLASS_TABLE;
    LOCAL ulong *each = (LOCAL ulong *)(used + CHUNK * SLICE);
    const uint lane = ITEM % LANES, team = ITEM / LANES;
    LOCAL const VEC *mine = (LOCAL const VEC *)tables + lane;
    LOCAL const VEC *of_class = (LOCAL const VEC *)class_tables + lane;
    for (uint start = first + GROUP * PIECE; start < end; start += GROUPS * PIECE) {
        GLOBAL const ulong *piece = pieces + start;
        const uint number = end - start < PIECE ? end - start : PIECE;
        ulong common = ~(ulong)0, found = 0;
        for (uint i = ITEM; i < number; i += ITEMS) common &= piece[i];
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
        for (uint i = ITEM; i < CLASS_TABLE; i += ITEMS) /* only as many words as there are */
            for (uint k = 0; k < 32; k++)
                if (i % SLICE * 32 + k >= number) class_tables[i] &= ~(1u << k);
        BARRIER;

        const uint allowed = ((1u << index_bits) - 1) & ~(uint)common;
        const uint step = spread(TEAMS, allowed), classes = 1u << ONES(allowed);
        for (uint both = 0; both <= last_flag / BOTH; both++) { /* words with both flags count twice */
            const uint from = both ? BOTH : first_flag;
            const uint to = both || last_flag < BOTH ? last_flag : BOTH - 1;
            uint index = spread(team, allowed);
            VEC ones = 0, twos = 0, fours = 0;
            for (uint k = team; k < classes; k += TEAMS) {
                uint at = offset[FLAGS * index + from];
                const uint stop = offset[FLAGS * index + to + 1];
                VEC partners = of_class[index % (1 << CLASS_CHUNK) * LANES], a, b, c, d;
                for (uint chunk = 1; chunk < class_chunks; chunk++)
                    partners &= of_class[chunk * (CLASS_TABLE / WIDTH)
                                         + (index >> CLASS_CHUNK * chunk) % (1 << CLASS_CHUNK) * LANES];
                index = ((index | ~allowed) + step) & allowed;
                if (at == stop || !ANY(partners)) continue;
                for (; at + 4 <= stop; at += 4) {
                    LOOK_UP(a, at) LOOK_UP(b, at + 1) ADD(ones, c, a, b)
                    LOOK_UP(a, at + 2) LOOK_UP(b, at + 3) ADD(ones, d, a, b)
                    ADD(twos, a, c, d)
                    fours += ONES(a);
                }
                for (; at < stop; at++) {
                    LOOK_UP(a, at)
                    b = ones & a, ones ^= a, c = twos & b, twos ^= b;
                    fours += ONES(c);
                }
            }
            fours = 4 * fours + 2 * ONES(twos) + ONES(ones);
            for (int i = 0; i < WIDTH; i++) found += (1 + both) * (ulong)((const uint *)&fours)[i];
        }
        found = weight * reduce(each, found, 1);
        if (!ITEM) {
            GLOBAL ulong *count = counts + 3 * GROUP;
            count[0] += found;
            count[1] = (count[1] + found) % 13;
            count[2] = (count[2] + found) % 15;
        }
    }
}
