/* Count by joining halves, all of it on a card of NVIDIA: ext/join.h says what quarters, halves,
   flags and slices are. nqbench/engine/devices.py launches the kernels in this order.

   Of a job, the words of one side, the longer list, look up tables of the other side's words. The
   index bits are the first diagonals in the order of the frame. A class has the words with the same
   index bits except the `low` last ones; a range of it those with the same flags and low bits.

   Two warps take a class. They gather the words of all classes of the other side that share no index
   bit with it, 1,024 at a time: a tile, with a row of 32 words for each lane. They turn it, and fill
   tables: for each set of four rest bits, which words have none of them. A word looks up one entry
   in each of the CHUNKS tables; the bits of their AND are its partners. If words or rows are few,
   they are compared one by one. Classes of a tile begin at multiples of four words. What fills them
   up is all ones: a word has at most 31 rest bits, so bit 31 tells the two apart. */
typedef unsigned u32;
typedef unsigned long long u64;
#define LARGEST_N 32
#define BLOCK 16
#define ALL 0xffffffffu
#define NO_WORD (1u << 31) /* among the clashes, or in a tile: there is none */
#define FLAG 62            /* the first of two bits */
#define BOTH 2             /* flags */
#define TILE 256u          /* quads of words */
#define ROW 36             /* words from a row to the next: no bank conflicts */
#define AT(chunk) ((chunk) / 2 * 4096 + (chunk) % 2 * 128) /* of a table, an entry each 256 bytes */
#define GRAB 16            /* classes that a block takes at a time */
#define UNROLLED _Pragma("unroll")
#define EACH(number) UNROLLED for (int i = 0; i < (number); i++)
#define INLINE static __device__ __forceinline__
#define KERNEL(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)
enum { WEST, EAST, NORTH = 0, SOUTH };
extern __shared__ __align__(16) u32 memory[];
struct Frame {
    u64 square[2][LARGEST_N][BLOCK]; /* the diagonals of a square, and its flags */
    u32 open[2][LARGEST_N];          /* the columns of a row where a queen may stand */
    u32 n, half, hole, tie, bits;    /* bits: diagonals, without those that slices fix */
};
struct Quarter { u32 side, part, rows, sets, start; }; /* start: where its column sets begin */
struct Job {
    u32 quarter[2][2]; /* by side, north or south */
    u32 index_bits, words, tie, unused; /* words: the side whose words look up */
    u64 mask, value[2], pairs[2], offset[2]; /* of the slice; of quarters; where its ranges begin */
    u64 found[3]; /* solutions, and these modulo 13 and 15, added up on their own */
};
/* Put a queen on the row `at`, or take it back: no two queens share a bit. */
#define TURN(column) { \
    const int queen = (column), sum = at + queen - half, difference = queen - at + half - 1; \
    columns ^= 1u << queen, sums ^= 1ull << (queen + at), differences ^= 1ull << (queen + n - 1 - at); \
    queens ^= frame->square[side][at][queen]; \
    clashes ^= (0 <= sum && sum < half - 1 ? 1u << sum : 0) \
        | (0 <= difference && difference < half - 1 ? 1u << (BLOCK - 1 + difference) : 0); \
}
/* List the placements of quarters. First count those of each column set, then (`write`) write them:
   then `start` says where those of each set begin, and end. */
KERNEL(128, 1) list_quarters(const Frame *frame, const Quarter *quarters, const unsigned short *set,
                             u32 *start, u32 write, u32 *clash, u64 *word) {
    const Quarter *quarter = &quarters[blockIdx.x];
    const int n = frame->n, half = frame->half, hole = frame->hole, side = quarter->side;
    const int rows = __popc(quarter->rows), first = rows < 2 ? rows : 2;
    start += quarter->start;
    for (u32 i = threadIdx.x; i < quarter->sets; i += blockDim.x) memory[i] = write ? start[i] : 0;
    __syncthreads();
    /* Each thread takes some squares of the first two rows. */
    const int shares = first == 2 ? half * half : first ? half : 1;
    for (int share = threadIdx.x; share < shares; share += blockDim.x) {
        int row[BLOCK], column[BLOCK];
        u32 open[BLOCK], columns = 0, clashes = 0;
        u64 sums = 0, differences = 0, queens = 0;
        for (u32 left = quarter->rows, i = 0; left; left &= left - 1, i++) {
            const int place = __ffs(left) - 1;
            row[i] = quarter->part == SOUTH ? n - 1 - place : place + (n % 2 && place >= hole);
        }
        for (int level = 0, down = 1; level >= 0; level += down ? 1 : -1) {
            const int at = row[level < rows ? level : 0];
            if (level == rows) {
                const u32 place = atomicAdd(&memory[set[columns]], 1u);
                if (write) clash[place] = clashes, word[place] = queens;
            } else if (down) {
                open[level] = frame->open[side][at]
                    & ~(columns | (u32)(sums >> at) | (u32)(differences >> (n - 1 - at)));
                if (level < first) open[level] &= 1u << (level ? share / half : share % half);
            } else TURN(column[level])
            down = level < rows && open[level];
            if (!down) continue;
            column[level] = __ffs(open[level]) - 1;
            open[level] &= open[level] - 1;
            TURN(column[level])
        }
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < quarter->sets && !write; i += blockDim.x) start[1 + i] = memory[i];
}
/* Where the placements with the column set i begin: norths[i]; with all other columns: souths[-i]. */
#define HALVES_OF(job, side) \
    const u32 sets = quarters[(job)->quarter[side][NORTH]].sets; \
    const u32 *norths = start + quarters[(job)->quarter[side][NORTH]].start; \
    const u32 *souths = start + quarters[(job)->quarter[side][SOUTH]].start + sets - 1;
/* Draw pairs of halves of any of these jobs; write the diagonals that both have, or all ones. */
KERNEL(128, 1) draw_pairs(const Job *jobs, u32 number, const Quarter *quarters, const u32 *start,
                          const u32 *clash, const u64 *word, u64 *shared) {
    const u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    u64 state = thread * 0x9e3779b97f4a7c15ull, half[2];
#define DRAW(number) (state = state * 6364136223846793005ull + 1442695040888963407ull, \
                      (u32)((state >> 32) * (number) >> 32))
    for (int i = 0; i < 4; i++) (void)DRAW(1);
    const Job *job = &jobs[DRAW(number)];
    shared[thread] = ~0ull;
    for (int side = 0, tries = 500; side < 2; side++) {
        HALVES_OF(job, side)
        const u32 most = 4 * (souths[1] - souths[1 - (int)sets]) / sets + 1; /* few sets have more */
        for (;; tries--) {
            if (!tries || norths[0] == norths[sets]) return;
            const u32 at = norths[0] + DRAW(norths[sets] - norths[0]), chosen = DRAW(most);
            int set = 0; /* of the columns of this placement */
            for (int end = sets; end - set > 1;)
                norths[(set + end) / 2] <= at ? set = (set + end) / 2 : end = (set + end) / 2;
            const u32 met = souths[-set] + chosen;
            half[side] = word[at] | (met < souths[1 - set] ? word[met] : 0);
            if (met < souths[1 - set] && !(clash[at] & clash[met])) break;
        }
    }
    if (job->tie || !(half[WEST] >> FLAG) || !(half[EAST] >> FLAG))
        shared[thread] = half[WEST] & half[EAST] & ((1ull << FLAG) - 1);
}
/* Count the pairs of quarters with complementary columns, for each job and side. */
KERNEL(128, 1) count_pairs(Job *jobs, const Quarter *quarters, const u32 *start) {
    Job *job = &jobs[blockIdx.x / 2];
    u64 sum = 0;
    HALVES_OF(job, blockIdx.x % 2)
    for (int i = threadIdx.x; i < (int)sets; i += blockDim.x)
        sum += (u64)(norths[i + 1] - norths[i]) * (souths[1 - i] - souths[-i]);
    if (sum) atomicAdd(&job->pairs[blockIdx.x % 2], sum);
}
/* A byte for each four bits of a word, and back. */
INLINE u64 spread(u32 word) {
    u32 low = word & 0xffff, high = word >> 16;
    low = (low | low << 8) & 0x00ff00ff, high = (high | high << 8) & 0x00ff00ff;
    return (u64)((high | high << 4) & 0x0f0f0f0f) << 32 | ((low | low << 4) & 0x0f0f0f0f);
}
INLINE u32 gather(u64 word) {
    u32 low = (u32)word, high = (u32)(word >> 32);
    low = (low | low >> 4) & 0x00ff00ff, high = (high | high >> 4) & 0x00ff00ff;
    return ((high | high >> 8) << 16) | ((low | low >> 8) & 0xffff);
}
/* Make the halves of jobs: a block makes those of one side. First count those of each range, then
   (`write`) write them: then `offsets` says where those of each range begin, and end. Up to `room`
   index bits, the counters fit into shared memory. */
KERNEL(1024, 1) list_halves(const Job *jobs, const Quarter *quarters, const u32 *start,
                            const u32 *clash, const u64 *word, u32 bits, u32 low, u32 room,
                            u32 *offsets, u32 *counters, u32 write, u64 *words, u32 *tiled) {
    const Job *job = &jobs[blockIdx.x / 2];
    const u32 side = blockIdx.x % 2, lane = threadIdx.x % 32, rest = bits - job->index_bits;
    const u32 ranges = 3u << job->index_bits, last = (1u << low) - 1;
    const bool looks_up = side == job->words, shared = job->index_bits <= room;
    const u64 mask = job->mask, value = job->value[side];
    HALVES_OF(job, side)
    offsets += job->offset[side], counters += job->offset[side];
    for (u32 i = threadIdx.x; i < ranges; i += blockDim.x)
        (shared ? memory : counters)[i] = write ? offsets[i] : 0;
    __syncthreads();
    for (int set = threadIdx.x / 32; set < (int)sets; set += blockDim.x / 32) {
        const u32 *one = norths + set, *other = souths - set;
        if (one[1] - one[0] > other[1] - other[0]) one = other, other = norths + set; /* the shorter */
        for (u32 mine = other[0] + lane; mine < other[1] + lane; mine += 32) {
            const u32 clashes = mine < other[1] ? clash[mine] : NO_WORD;
            const u64 queens = mine < other[1] ? word[mine] : 0;
            for (u32 i = one[0]; i < one[1]; i++) {
                if (clashes & (__ldg(clash + i) | NO_WORD)) continue;
                const u64 half = queens | __ldg(word + i);
                if ((half & mask) != value) continue;
                u32 flags = (u32)(half >> FLAG & 1) + (u32)(half >> (FLAG + 1)), times = 1;
                if (!looks_up && flags == BOTH) flags = 1, times = 2; /* it counts twice */
                const u32 index = (u32)(half >> rest) & ((1u << job->index_bits) - 1);
                const u32 range = ((index >> low) * 3 + flags) << low | (index & last);
                const u32 at = shared ? atomicAdd(memory + range, times)
                                      : atomicAdd(counters + range, times);
                const u32 left = (u32)half & ((1u << rest) - 1);
                if (write && looks_up) words[at] = spread(left);
                else if (write) tiled[at] = tiled[at + times - 1] = left;
            }
        }
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < ranges && !write; i += blockDim.x)
        offsets[1 + i] = (shared ? memory : counters)[i] + (looks_up ? 0 : 3) & (looks_up ? ALL : ~3u);
}
#ifdef __CUDACC__
INLINE void copy_quad(u32 *to, const u32 *from) {
    const u32 shared = (u32)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
}
INLINE void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }
/* By an address of 32 bits: with 64, an entry takes three instructions more on sm_120. */
template <int OFFSET> INLINE u32 load(const char *from, u32 at) {
    u32 number;
    asm volatile("ld.shared.u32 %0, [%1 + %2];"
                 : "=r"(number) : "r"((u32)__cvta_generic_to_shared(from) + at), "n"(OFFSET) : "memory");
    return number;
}
#endif
/* Steps of turning 32 x 32 bits. */
template <int by> INLINE void swap_bytes(u32 (&row)[32], u32 first, u32 second) {
    EACH(32) if (!(i & by)) {
        const u32 a = row[i], b = row[i + by];
        row[i] = __byte_perm(a, b, first), row[i + by] = __byte_perm(a, b, second);
    }
}
template <int by> INLINE void swap_bits(u32 (&row)[32], u32 mask) {
    EACH(32) if (!(i & by)) {
        const u32 swapped = ((row[i] >> by) ^ row[i + by]) & mask;
        row[i + by] ^= swapped, row[i] ^= swapped << by;
    }
}
/* Turn the row of this lane, and fill its entries of the tables FROM to END. */
template <int FROM, int END> INLINE void fill_tables(char *mine, u32 (&row)[32]) {
    swap_bytes<16>(row, 0x5410, 0x7632), swap_bytes<8>(row, 0x6240, 0x7351);
    swap_bits<4>(row, 0x0f0f0f0f), swap_bits<2>(row, 0x33333333), swap_bits<1>(row, 0x55555555);
    EACH(END - FROM) {
        const int chunk = FROM + i;
        u32 entry[16] = {chunk == 4 ? ~row[31] : ALL}; /* which are words */
        UNROLLED for (int set = 1; set < 16; set++) {
            const int lowest = set & 1 ? 0 : set & 2 ? 1 : set & 4 ? 2 : 3;
            entry[set] = entry[set & (set - 1)] & ~row[4 * chunk + lowest];
        }
        UNROLLED for (int set = 0; set < 16; set++) *(u32 *)(mine + AT(chunk) + 256 * set) = entry[set];
    }
}
/* Turn the rows of a tile into tables, which replace it; each warp fills some. */
INLINE void make_tables(char *tile) {
    const u32 lane = threadIdx.x % 32;
    __align__(16) u32 row[32];
    EACH(8) *(uint4 *)(row + 4 * i) = *(const uint4 *)(tile + lane * ROW * 4 + 16 * i);
    __syncthreads();
    if (threadIdx.x < 32) fill_tables<0, 4>(tile + lane * 4, row);
    else fill_tables<4, CHUNKS>(tile + lane * 4, row);
    __syncthreads();
}
/* Return which words of the row of this lane share no bit with a word, by this chunk and the next. */
template <int CHUNK> INLINE u32 look_up(const char *tables, u64 word) {
    const u32 partners = load<AT(CHUNK)>(tables, __byte_perm(
        (u32)(word >> CHUNK / 4 * 32), threadIdx.x % 32 * 4, 0x7604 + (CHUNK % 4 << 4)));
    if constexpr (CHUNK + 1 < CHUNKS) return partners & look_up<CHUNK + 1>(tables, word);
    return partners;
}
INLINE u32 look_up_all(const char *tables, const u64 *words, u32 number) {
    u32 found = 0, at = threadIdx.x / 32 * 4;
    for (; at + 4 <= number; at += 8) { /* the two warps take four each, in turns */
        u64 word[4];
        EACH(4) word[i] = __ldg(words + at + i);
        EACH(4) found += __popc(look_up<0>(tables, word[i]));
    }
    for (int i = 0; i < 4 && at < number; i++) found += __popc(look_up<0>(tables, __ldg(words + at++)));
    return found;
}
/* The same for some rows, one by one: a lane compares a word of each row. */
INLINE u32 compare_all(const char *tile, const u64 *words, u32 number, u32 chosen) {
    const u32 *column = (const u32 *)tile + threadIdx.x % 32;
    u32 found = 0;
    for (u32 at = threadIdx.x / 32 * 4; at < number; at += 8) {
        const u32 left = min(number - at, 4u);
        float partners[4] = {0, 0, 0, 0}; /* floats are added beside the comparisons */
        u32 word[4];
        EACH(4) word[i] = gather(__ldg(words + at + (i < left ? i : 0))) | NO_WORD;
#define COMPARE(other) { const u32 met = (other); EACH(4) if (!(word[i] & met)) partners[i] += 1; }
        for (u32 rows = chosen; rows;) { /* runs of neighbouring rows */
            const u32 row = __ffs(rows) - 1, others = ~(rows >> row), run = __ffs(others | 1u << 31) - 1;
            const u32 *next = column + row * ROW;
            rows &= ~(((1u << run) - 1) << row);
            _Pragma("unroll 4") for (u32 k = 0; k < run; k++, next += ROW) COMPARE(*next)
        }
        EACH(4) if (i < left) found += (u32)partners[i];
    }
    return found;
}
/* Return what a pair counts: by the flags of the word that looks up, and whether the other has any. */
INLINE u32 weigh(u32 tie, u32 side, u32 flags, u32 any) {
    if (!tie) return any ? flags == 0 : flags == BOTH ? 2 : 1;
    if (side == WEST) return any ? 0 : flags == 0 ? 2 : flags == 1;
    return flags ? 0 : any ? 1 : 2;
}
/* Count the pairs of some jobs: a block takes a grab of classes after the other, until the ticket is
   `end`. The grabs of a job begin at `grabs`. */
KERNEL(64, 12) join(Job *jobs, u32 number, const u32 *grabs, const u32 *offsets, const u64 *words,
                    const u32 *tiled, u32 low, u32 end, u32 *ticket) {
    char *const tile = (char *)memory;
    u32 *const taken = memory + AT((CHUNKS + 1) / 2 * 2) / 4;
    u32 *const list = taken + 32 + threadIdx.x / 32 * 64;
    const u32 lane = threadIdx.x % 32, ranges = 3u << low, last = (1u << low) - 1, groups = 2u << low;
    for (;;) {
        __syncthreads();
        if (!threadIdx.x) *taken = atomicAdd(ticket, 1u);
        __syncthreads();
        const u32 grab = *taken;
        if (grab >= end) return;
        u32 place = 0;
        for (u32 end = number; end - place > 1;)
            grabs[(place + end) / 2] <= grab ? place = (place + end) / 2 : end = (place + end) / 2;
        Job *job = &jobs[place];
        const u32 side = job->words, tie = job->tie, classes = 1u << (job->index_bits - low);
        const u32 *mine = offsets + job->offset[side], *others = offsets + job->offset[1 - side];
        const u32 first = (grab - grabs[place]) * GRAB;
        const u32 step = tie && side == WEST ? 2 : 1; /* the east has no flag */
        u64 found = 0;
        for (u32 index = first; index < first + GRAB && index < classes; index++) {
            const u32 *range = mine + index * ranges;
            if (range[0] == range[ranges]) continue;
            const u32 start = lane < ranges ? range[lane] : 0;
            const u32 size = lane < ranges ? range[lane + 1] - start : 0;
            /* Lanes take 32 of the classes with none of these bits at a time, group by group: words
               with the same low bits, and with or without flags. */
            u32 free = ~index & (classes - 1), lane_bits = 0, high_bits = 0, next = 0, active = 1;
            EACH(5) {
                const u32 bit = free & (0 - free);
                if (lane >> i & 1) lane_bits |= bit, active &= bit != 0;
                free ^= bit;
            }
            u32 group = ALL, row_group = 0, filled = 0, all = 0, done = 0, source = 0, before = 0;
            u32 ahead_start, ahead_end, ahead_group; /* in quads, of the next 32 classes */
#define FETCH() { \
    ahead_start = ahead_end = 0, ahead_group = next; \
    if (next < groups && active) { \
        const u32 *other = others + (((high_bits | lane_bits) * 3 + (next & 1)) << low | next >> 1); \
        ahead_start = __ldg(other) / 4, ahead_end = __ldg(other + 1) / 4; \
    } \
    if (!(high_bits = (high_bits - free) & free)) next += step; \
}
#define END_ROW() \
    for (const u32 quad = filled + threadIdx.x; filled % 8; filled = filled + 7 & ~7u) \
        if (quad / 8 == filled / 8) *(uint4 *)(memory + 4 * (quad + quad / 8)) = {ALL, ALL, ALL, ALL};
            FETCH()
            for (bool last_tile = false; !last_tile;) {
                while (filled < TILE && !last_tile) {
                    if (done == all) { /* find the words of the next 32 classes */
                        const u32 begin = ahead_start, quads_of = ahead_end - begin, its = ahead_group;
                        if ((last_tile = its >= groups)) break;
                        FETCH()
                        const u32 some = __ballot_sync(ALL, quads_of != 0);
                        if (!some) continue;
                        u32 sum = quads_of;
                        UNROLLED for (u32 by = 1; by < 32; by *= 2) {
                            const u32 less = __shfl_up_sync(ALL, sum, by);
                            if (lane >= by) sum += less;
                        }
                        all = __shfl_sync(ALL, sum, 31), done = 0;
                        const u32 at = __popc(some & ((1u << lane) - 1)), less = sum - quads_of;
                        if (quads_of) list[at] = begin - less, list[at + 32] = less;
                        __syncwarp();
                        source = list[lane], before = lane < (u32)__popc(some) ? list[lane + 32] : ALL;
                        __syncwarp();
                        if (its != group) END_ROW() /* a row has words of one group */
                        if (its != group && lane >= filled / 8) row_group = its;
                        group = its;
                        continue;
                    }
                    const u32 copied = min(min(all - done, 64u), TILE - filled);
                    /* The classes of the quads done + lane and done + 32 + lane: each warp copies one. */
                    const u32 from = before - done, upto = ALL >> (31 - lane);
                    const bool later = before >= done;
                    const u32 begun = __reduce_or_sync(ALL, later && from < 32 ? 1u << from : 0);
                    const u32 more = __reduce_or_sync(ALL, later && from - 32 < 32 ? 1u << from % 32 : 0);
                    const u32 earlier = __popc(__ballot_sync(ALL, !later)) - 1;
                    const u32 one = __shfl_sync(ALL, source, earlier + __popc(begun & upto));
                    const u32 two = __shfl_sync(ALL, source, earlier + __popc(begun) + __popc(more & upto));
                    const u32 to = filled + threadIdx.x, at = (threadIdx.x < 32 ? one : two) + done;
                    if (threadIdx.x < copied)
                        copy_quad(memory + 4 * (to + to / 8), tiled + 4 * (u64)(at + threadIdx.x));
                    filled += copied, done += copied;
                }
                if (!filled) break;
                END_ROW()
                wait_for_copies();
                __syncthreads();
#define WEIGHT(range) (lane * 8 < filled && !((range) & last & row_group >> 1) \
    ? weigh(tie, side, (range) >> low, row_group & 1) : 0)
                u32 looks = 0; /* words that can have partners in this tile */
                for (u32 i = 0; i < ranges; i++) {
                    const u32 some = __shfl_sync(ALL, size, i);
                    if (some && __ballot_sync(ALL, WEIGHT(i) != 0)) looks += some;
                }
                const bool few = 10 * filled / 8 * looks < 15 * (160 + 6 * looks); /* measured */
                if (!few) make_tables(tile);
                for (u32 i = 0; i < ranges && looks; i++) {
                    const u32 some = __shfl_sync(ALL, size, i), weight = WEIGHT(i);
                    const u64 *from = words + __shfl_sync(ALL, start, i);
                    if (!some || !__ballot_sync(ALL, weight != 0)) continue;
                    if (!few) found += (u64)look_up_all(tile, from, some) * weight;
                    for (u32 times = 1; times <= 2 && few; times++) {
                        const u32 rows = __ballot_sync(ALL, weight == times);
                        if (rows) found += compare_all(tile, from, some, rows) * times;
                    }
                }
                __syncthreads();
                filled = 0, row_group = group;
            }
        }
        UNROLLED for (int by = 16; by; by /= 2) found += __shfl_xor_sync(ALL, found, by);
        if (lane || !found) continue;
        EACH(3) atomicAdd(&job->found[i], i == 0 ? found : found % (i == 1 ? 13 : 15));
    }
}
