/* The solver, for DIGITS digits a register (1, 2 or 4).

   Notation: of each digit a vector of four words, one a band (three rows) and one unused; bit
   9 r + c of a word says that row r of the band may have the digit in column c. A minirow is
   the three cells that a row and a box share, kept as a bit in the place of its first cell; a
   minicolumn likewise those of a column and a box, as one of 9 bits.

   All nine digits are pruned at once, without a branch:

   - In a band a digit takes one minirow of each row, and one of each box: it follows one of
     six permutations. A minirow stays if a permutation through it is left. The same holds
     for the minicolumns of three boxes on top of each other. Both together are what people
     call locked candidates, in every direction.
   - A cell with one candidate is settled: the digit leaves its row, column and box.
   - A digit with one cell in a row, box or column is settled: the other digits leave it.

   When no more cells become settled, a cell with two candidates is tried both ways: that with
   the most open neighbours, those with two candidates counted twice; if there is none, the
   cell with the fewest candidates, in all ways. In order, it is always the first open cell.
   Other candidates may still leave then, those of the chosen cell among them: to prune on
   takes longer than it saves. */

#if DIGITS > 1
#define UNROLLED UNROLL(9)
#define SCHEDULED SCHEDULE
#else /* nine digits in turn are more than the 16 registers serve */
#define SCHEDULED
#ifdef __clang__
#define UNROLLED
#else
#define UNROLLED UNROLL(3)
#endif
#endif

#define V NAME(V)
#define Grid NAME(Grid)
#define Registers ((9 + DIGITS - 1) / DIGITS)
#define each_register int k = 0; k < Registers; k++
#define each_digit int d = 0; d < 9; d++
#define each_band int b = 0; b < 3; b++

typedef uint32_t V __attribute__((vector_size(16 * DIGITS)));
typedef struct {
    V digits[Registers];
    V known; /* the cells whose digit has left its row, column and box; in each digit's words */
} Grid;

#ifdef __clang__
#define SHUFFLE(v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#else
#define SHUFFLE(v, ...) __builtin_shuffle(v, (V){__VA_ARGS__})
#endif

/* The words of the next band, and of the one after, in the place of each. */
static INLINE V NAME(bands1)(V v) {
#if DIGITS == 1
    return SHUFFLE(v, 1, 2, 0, 3);
#elif DIGITS == 2
    return SHUFFLE(v, 1, 2, 0, 3, 5, 6, 4, 7);
#else
    return SHUFFLE(v, 1, 2, 0, 3, 5, 6, 4, 7, 9, 10, 8, 11, 13, 14, 12, 15);
#endif
}

static INLINE V NAME(bands2)(V v) {
#if DIGITS == 1
    return SHUFFLE(v, 2, 0, 1, 3);
#elif DIGITS == 2
    return SHUFFLE(v, 2, 0, 1, 3, 6, 4, 5, 7);
#else
    return SHUFFLE(v, 2, 0, 1, 3, 6, 4, 5, 7, 10, 8, 9, 11, 14, 12, 13, 15);
#endif
}

/* The digits of the other half of a register, in step 1 of the other quarter. */
static INLINE V NAME(swap)(V v, int step) {
#if DIGITS == 4
    if (step == 0) return SHUFFLE(v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    return SHUFFLE(v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
#elif DIGITS == 2
    return SHUFFLE(v, 4, 5, 6, 7, 0, 1, 2, 3);
#else
    return v;
#endif
}
#define Swaps (DIGITS / 2)

static INLINE int NAME(any)(V v) {
#if DIGITS == 4
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#elif DIGITS == 2
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    return (v[0] | v[1] | v[2] | v[3]) != 0;
#endif
}

/* Minirows of the next box in the row, of the one after, of the next row, of the one after;
   minicolumns of the next column in the box, of the one after; and the cells of each. What
   leaves a band at its end (bits 27 and up) is for the caller to drop. */
static INLINE V NAME(boxes1)(V m) { return (m >> 3 & (LEFT | LEFT << 3)) | (m << 6 & LEFT << 6); }
static INLINE V NAME(boxes2)(V m) { return (m >> 6 & LEFT) | (m << 3 & (LEFT << 3 | LEFT << 6)); }
static INLINE V NAME(rows1)(V m) { return m >> 9 | m << 18; }
static INLINE V NAME(rows2)(V m) { return m >> 18 | m << 9; }
static INLINE V NAME(columns1)(V c) { return (c >> 1 & 0333u) | (c << 2 & 0444u); }
static INLINE V NAME(columns2)(V c) { return (c >> 2 & 0111u) | (c << 1 & 0666u); }
static INLINE V NAME(wide)(V m) { return (m << 3) - m; }
static INLINE V NAME(tall)(V c) { return c | c << 9 | c << 18; }

static INLINE uint32_t *NAME(word)(Grid *grid, int d, int b) {
    return (uint32_t *)&grid->digits[d / DIGITS] + 4 * (d % DIGITS) + b;
}

/* The number of each word. */
static INLINE V NAME(places)(void) {
    V found;
    for (int i = 0; i < 4 * DIGITS; i++) found[i] = (uint32_t)i;
    return found;
}

/* Take a digit from a cell. The whole register is written: it is read next, and a processor
   waits where a register is read of which a part was just written. */
static INLINE void NAME(strike)(Grid *grid, int d, int b, uint32_t cell) {
    grid->digits[d / DIGITS] ^= (V)(NAME(places)() == (uint32_t)(4 * (d % DIGITS) + b)) & cell;
}

/* Settle a digit in a cell, of which it is a candidate: it leaves the row, column and box. */
static INLINE void NAME(place)(Grid *grid, int d, int b, uint32_t cell) {
    const int at = __builtin_ctz(cell);
    const V here = (V)((NAME(places)() & 3) == (uint32_t)b);
    const V of_digit = (V)(NAME(places)() / 4 == (uint32_t)(d % DIGITS));
    const V peers = (here & (uint32_t)NEAR[at]) | (uint32_t)(COLUMN << at % 9);
    grid->digits[d / DIGITS] &= ~(of_digit & peers) | (here & cell);
    grid->known |= here & cell;
}

#if DIGITS >= 2
/* A bit for each of 32 cells: whether it holds the digit. */
static INLINE uint32_t NAME(equal)(__m256i cells, int digit) {
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(cells, _mm256_set1_epi8((char)digit)));
}
#define equal NAME(equal)
#endif

#define bands1 NAME(bands1)
#define bands2 NAME(bands2)
#define swap NAME(swap)
#define any NAME(any)
#define boxes1 NAME(boxes1)
#define boxes2 NAME(boxes2)
#define rows1 NAME(rows1)
#define rows2 NAME(rows2)
#define columns1 NAME(columns1)
#define columns2 NAME(columns2)
#define wide NAME(wide)
#define tall NAME(tall)
#define word NAME(word)
#define places NAME(places)
#define strike NAME(strike)
#define place NAME(place)

/* Where a digit cannot be beside the cells that it has: in their minirows, boxes and columns. In
   their rows, the permutations of the next pass tell. */
static INLINE V NAME(beside)(V certain) {
    const V row = (certain | certain >> 1 | certain >> 2) & MINI;
    const V column = (certain | certain >> 9 | certain >> 18) & 0777u;
    return (wide(row) & ~certain) | wide(rows1(row) | rows2(row))
        | tall(bands1(column) | bands2(column));
}

/* Prune until no more cells are settled; 0 at a contradiction. Then `open` holds the cells
   with two candidates or more, `few` those with two, in each band's word. */
static SCHEDULED int NAME(settle)(Grid *grid, V *open, V *few) {
    V cells = {0}, last = {0}; /* all cells, of all digits of a register and of the last one */
    for (int i = 0; i < DIGITS; i++)
        for (each_band) cells[4 * i + b] = FULL;
    for (int i = 0; i < (9 % DIGITS ? 9 % DIGITS : DIGITS); i++)
        for (each_band) last[4 * i + b] = FULL;
    const V each_row = cells & LEFT;
    V x[Registers], settled[Registers];
    UNROLLED for (each_register) x[k] = grid->digits[k];
    V known = grid->known;
    for (;;) {
        V once = {0}, twice = {0}, thrice = {0}; /* cells with so many candidates or more */
        V claimed = {0}, claimed_twice = {0}, bad = {0};
        UNROLLED for (each_register) {
            V now = x[k], row = now | now >> 1 | now >> 2; /* here only its bits in MINI count */
            V y = boxes1(row), z = boxes2(row);
            row &= (rows1(y) & rows2(z)) | (rows1(z) & rows2(y));
            now &= wide(row);
            const V second = now >> 9, third = now >> 18, either = now | second;
            const V several = (now & second) | (either & third);
            V column = either | third; /* here only its bits in 0777 count */
            y = columns1(column), z = columns2(column);
            column &= (bands1(y) & bands2(z)) | (bands1(z) & bands2(y));
            now &= tall(column);
            const V right = now >> 1, last_one = now >> 2;
            row &= ~(boxes1(row) | boxes2(row) | (now & (right | last_one)) | (right & last_one));
            column &= ~(columns1(column) | columns2(column) | several);
            settled[k] = now & (wide(row) | tall(column));
            thrice |= twice & now;
            twice |= once & now;
            once |= now;
            bad |= (V)(now == (V){0}) & (k + 1 < Registers ? cells : last);
            x[k] = now;
        }
        UNROLLED for (int step = 0; step < Swaps; step++) {
            const V o = swap(once, step), t = swap(twice, step), h = swap(thrice, step);
            thrice |= h | (twice & o) | (once & t);
            twice |= t | (once & o);
            once |= o;
        }
        if (any(bad | (once ^ cells))) return 0;
        if (!any(twice)) { /* each cell has one digit, each digit a cell in each column and box */
            V rows = each_row;
            UNROLLED for (each_register) {
                V row = x[k] | x[k] >> 3 | x[k] >> 6;
                row |= row >> 1 | row >> 2;
                rows &= row | (k + 1 < Registers ? (V){0} : ~last);
                grid->digits[k] = x[k];
            }
            *open = twice;
            return !any(rows ^ each_row);
        }
        UNROLLED for (each_register) {
            const V certain = settled[k] | (x[k] & ~twice);
            claimed_twice |= claimed & certain;
            claimed |= certain;
            settled[k] = certain;
        }
        UNROLLED for (int step = 0; step < Swaps; step++) {
            const V c = swap(claimed, step);
            claimed_twice |= swap(claimed_twice, step) | (claimed & c);
            claimed |= c;
        }
        if (any(claimed_twice)) return 0;
        if (!any(claimed ^ known)) { /* no more: what these cells exclude has left */
            UNROLLED for (each_register) grid->digits[k] = x[k];
            grid->known = known;
            *open = twice;
            *few = twice & ~thrice;
            return 1;
        }
        UNROLLED for (each_register)
            x[k] &= ~(NAME(beside)(settled[k]) | (claimed & ~settled[k]));
        known = claimed;
    }
}

/* The first open cell in the order of reading; returns its band, 3 if there is none. */
static int NAME(first)(const V *open, uint32_t *cell)
{
    int b = 0;
    while (b < 3 && !(*open)[b]) b++;
    if (b < 3) *cell = (*open)[b] & -(*open)[b];
    return b;
}

/* The first of the cells with the fewest candidates; of those with several there is one at
   least. Returns its band. */
static int NAME(fewest)(Grid *grid, const V *open, uint32_t *cell)
{
    uint32_t bits[3][4] = {{0}}, left[3]; /* how many candidates, in binary */
    for (each_band) {
        left[b] = (*open)[b];
        for (each_digit) {
            uint32_t carry = *word(grid, d, b);
            for (int i = 0; i < 4; i++) {
                const uint32_t sum = bits[b][i] ^ carry;
                carry &= bits[b][i];
                bits[b][i] = sum;
            }
        }
    }
    for (int i = 3; i >= 0; i--) { /* cells without this bit, if there are some */
        uint32_t some = 0;
        for (each_band) some |= left[b] & ~bits[b][i];
        if (some) for (each_band) left[b] &= ~bits[b][i];
    }
    int b = 0;
    while (!left[b]) b++;
    *cell = left[b] & -left[b];
    return b;
}

/* The cell with two candidates and the most open neighbours, else one with the fewest
   candidates. Returns its band. */
static int NAME(choose)(Grid *grid, const V *open, const V *few, uint32_t *cell)
{
    uint32_t best = 0; /* how many neighbours; below, so that the first of equals wins, its place */
    uint64_t both[3]; /* the open cells, and above them those with two candidates once more */
    for (each_band) both[b] = (*open)[b] | (uint64_t)(*few)[b] << 32;
    for (each_band) {
        const uint64_t second = both[b == 2 ? 0 : b + 1], third = both[b == 0 ? 2 : b - 1];
        for (uint32_t left = (*few)[b]; left; left &= left - 1) {
            const uint32_t at = (uint32_t)__builtin_ctz(left);
            const uint64_t column = COLUMN << at % 9;
            const uint32_t many = (uint32_t)__builtin_popcountll(both[b] & NEAR[at])
                + (uint32_t)__builtin_popcountll((second & column) | (third & column) << 1);
            const uint32_t key = many << 7 | (127 - (32 * (uint32_t)b + at));
            best = key > best ? key : best;
        }
    }
    if (!best) return NAME(fewest)(grid, open, cell);
    *cell = (uint32_t)1 << (127 - best % 128) % 32;
    return (int)(127 - best % 128) / 32;
}

/* Write the 81 digits of a full grid. */
static void NAME(write)(Grid *grid, uint8_t *digits)
{
#if DIGITS >= 2
    const __m256i bit = _mm256_set1_epi64x(0x8040201008040201);
    const __m256i byte = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202,
                                            0x0303030303030303); /* of a word, for each cell */
    for (each_band) { /* 32 cells, of which 27 stay; of the last band those before it, too */
        uint32_t twos[4] = {0}; /* the cells whose digits have a 1, a 2, a 4, an 8 in their sum */
        __m256i cells = _mm256_setzero_si256();
        UNROLLED for (each_digit) {
            const uint32_t here = *word(grid, d, b);
            const uint32_t places = b < 2 ? here : here << 5 | *word(grid, d, 1) >> 22;
            for (int i = 0; i < 4; i++) if ((d + 1) >> i & 1) twos[i] |= places;
        }
        for (int i = 0; i < 4; i++) {
            const __m256i places = _mm256_shuffle_epi8(_mm256_set1_epi32((int)twos[i]), byte);
            cells = _mm256_or_si256(cells, _mm256_and_si256(
                _mm256_cmpeq_epi8(_mm256_and_si256(places, bit), bit),
                _mm256_set1_epi8((char)(1 << i))));
        }
        _mm256_storeu_si256((__m256i *)(digits + (b < 2 ? 27 * b : 49)), cells);
    }
#else
    for (each_digit) for (each_band)
        for (uint32_t left = *word(grid, d, b); left; left &= left - 1)
            digits[27 * b + __builtin_ctz(left)] = (uint8_t)(d + 1);
#endif
}

static void NAME(keep)(Grid *grid, Task *task)
{
    uint8_t *digits = place_to_keep(task);
    if (!task->found) task->nodes_to_first = task->nodes;
    if (digits) NAME(write)(grid, digits);
    task->found++;
}

static void NAME(search)(Grid *grid, Task *task)
{
    for (;;) {
        V open, few;
        uint32_t cell = 0;
        int choice[10], many = 0;
        if (task->nodes == task->allowed) task->stopped = GAVE_UP;
        else if (++task->nodes % LOOK_EVERY == 0) task->stopped = task->look(task);
        if (task->stopped) return;
        if (!NAME(settle)(grid, &open, &few)) {
            task->dead_ends++;
            return;
        }
        const int first = NAME(first)(&open, &cell);
        if (first == 3) {
            NAME(keep)(grid, task);
            return;
        }
        const int b = task->in_order ? first : NAME(choose)(grid, &open, &few, &cell);
        for (each_digit) { /* no branch: nobody can guess which digits these are */
            choice[many] = d;
            many += (*word(grid, d, b) & cell) != 0;
        }
        for (int i = 0; i < many - 1; i++) { /* the last one is tried in the grid itself */
            Grid next = *grid;
            for (int j = 0; j < many; j++) if (j != i) strike(&next, choice[j], b, cell);
            place(&next, choice[i], b, cell);
            task->guesses++;
            NAME(search)(&next, task);
            if (task->stopped || task->found >= task->limit) return;
        }
        for (int j = 0; j < many - 1; j++) strike(grid, choice[j], b, cell);
        place(grid, choice[many - 1], b, cell);
    }
}

/* The grid of the givens. No branch: which cells are given is new in each puzzle. */
static void NAME(load)(const uint8_t *givens, Grid *grid)
{
    uint32_t words[9 + DIGITS][4] = {{0}}, empty[4 * DIGITS] = {0};
#if DIGITS >= 2
    for (each_band) { /* 32 cells at once; of the last band those before it, too */
        const int before = b == 2 ? 5 : 0;
        const __m256i cells = _mm256_loadu_si256((const __m256i *)(givens + 27 * b - before));
        UNROLLED for (each_digit) words[d][b] = equal(cells, d + 1) >> before & FULL;
        for (int i = 0; i < DIGITS; i++) empty[4 * i + b] = equal(cells, 0) >> before & FULL;
    }
#else
    uint32_t given[3][10] = {{0}};
    for (int i = 0; i < 27; i++) for (each_band) given[b][givens[27 * b + i]] |= (uint32_t)1 << i;
    for (each_band) empty[b] = given[b][0];
    for (each_digit) for (each_band) words[d][b] = given[b][d + 1];
#endif
    V all;
    memcpy(&all, empty, sizeof all);
    UNROLLED for (each_register) {
        V certain;
        memcpy(&certain, words[k * DIGITS], sizeof certain);
        grid->digits[k] = certain | (all & ~NAME(beside)(certain));
    }
    V full = {0};
    for (int i = 0; i < DIGITS; i++) for (each_band) full[4 * i + b] = FULL;
    grid->known = full & ~all;
    for (int d = 9; d < Registers * DIGITS; d++) memset(word(grid, d, 0), 0, 16);
}

static void NAME(solve)(const uint8_t *givens, Task *task)
{
    Grid grid;
    NAME(load)(givens, &grid);
    NAME(search)(&grid, task);
}

#undef UNROLLED
#undef SCHEDULED
#undef V
#undef Grid
#undef Registers
#undef Swaps
#undef each_register
#undef each_digit
#undef each_band
#undef SHUFFLE
#undef bands1
#undef bands2
#undef swap
#undef any
#undef boxes1
#undef boxes2
#undef rows1
#undef rows2
#undef columns1
#undef columns2
#undef wide
#undef tall
#undef word
#undef places
#undef strike
#undef place
#undef KERNEL
#undef DIGITS
#undef equal
