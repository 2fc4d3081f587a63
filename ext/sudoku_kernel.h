/* The solver, for DIGITS digits a register (1, 2 or 4).

   Notation: of each digit a vector of four words, one a band (three rows) and one unused; bit
   9 r + c of a word says that row r of the band may have the digit in column c. A minirow is
   the three cells that a row and a box share, kept as a bit in the place of its first cell; a
   minicolumn likewise those of a column and a box, as one of 9 bits.

   All nine digits are pruned at once, without a table and without a branch:

   - In a band a digit takes one minirow of each row, and one of each box: it follows one of
     six permutations. A minirow stays if a permutation through it is left. The same holds
     for the minicolumns of three boxes on top of each other. Both together are what people
     call locked candidates, in every direction.
   - A cell with one candidate is settled: the digit leaves its row, column and box.
   - A digit with one cell in a row, box or column is settled: the other digits leave it.

   When nothing changes any more, a cell with two candidates is tried both ways: that with
   the most open neighbours, those with two candidates counted twice; if there is none, the
   cell with the fewest candidates, in all ways. In order, it is always the first open cell. */

#define V NAME(V)
#define Grid NAME(Grid)
#define Registers ((9 + DIGITS - 1) / DIGITS)
#define each_register int k = 0; k < Registers; k++
#define each_digit int d = 0; d < 9; d++
#define each_band int b = 0; b < 3; b++

typedef uint32_t V __attribute__((vector_size(16 * DIGITS)));
typedef struct { V digits[Registers]; } Grid;

#ifdef __clang__
#define SHUFFLE(v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#else
#define SHUFFLE(v, ...) __builtin_shuffle(v, (V){__VA_ARGS__})
#endif

/* The words of the next band, and of the one after, in the place of each. */
static INLINE V NAME(bands1)(V v)
{
#if DIGITS == 1
    return SHUFFLE(v, 1, 2, 0, 3);
#elif DIGITS == 2
    return SHUFFLE(v, 1, 2, 0, 3, 5, 6, 4, 7);
#else
    return SHUFFLE(v, 1, 2, 0, 3, 5, 6, 4, 7, 9, 10, 8, 11, 13, 14, 12, 15);
#endif
}

static INLINE V NAME(bands2)(V v)
{
#if DIGITS == 1
    return SHUFFLE(v, 2, 0, 1, 3);
#elif DIGITS == 2
    return SHUFFLE(v, 2, 0, 1, 3, 6, 4, 5, 7);
#else
    return SHUFFLE(v, 2, 0, 1, 3, 6, 4, 5, 7, 10, 8, 9, 11, 14, 12, 13, 15);
#endif
}

/* The digits of the other half of a register, in step 1 of the other quarter. */
static INLINE V NAME(swap)(V v, int step)
{
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

static INLINE int NAME(any)(V v)
{
#if DIGITS == 4
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#elif DIGITS == 2
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    return (v[0] | v[1] | v[2] | v[3]) != 0;
#endif
}

/* Minirows of the next box in the row, of the one after, of the next row, of the one after;
   minicolumns of the next column in the box, of the one after; and the cells of each. */
static INLINE V NAME(boxes1)(V m) { return (m >> 3 & (LEFT | LEFT << 3)) | (m << 6 & LEFT << 6); }
static INLINE V NAME(boxes2)(V m) { return (m >> 6 & LEFT) | (m << 3 & (LEFT << 3 | LEFT << 6)); }
static INLINE V NAME(rows1)(V m) { return m >> 9 | (m << 18 & FULL); }
static INLINE V NAME(rows2)(V m) { return m >> 18 | (m << 9 & FULL); }
static INLINE V NAME(columns1)(V c) { return (c >> 1 & 0333u) | (c << 2 & 0444u); }
static INLINE V NAME(columns2)(V c) { return (c >> 2 & 0111u) | (c << 1 & 0666u); }
static INLINE V NAME(minirows)(V x) { return (x | x >> 1 | x >> 2) & MINI; }
static INLINE V NAME(minicolumns)(V x) { return (x | x >> 9 | x >> 18) & 0777u; }
static INLINE V NAME(wide)(V m) { return m | m << 1 | m << 2; }
static INLINE V NAME(tall)(V c) { return c | c << 9 | c << 18; }
static INLINE V NAME(single)(V x, V y, V z) { return (x ^ y ^ z) & ~(x & y & z); }

static INLINE uint32_t *NAME(word)(Grid *grid, int d, int b)
{
    return (uint32_t *)&grid->digits[d / DIGITS] + 4 * (d % DIGITS) + b;
}

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
#define minirows NAME(minirows)
#define minicolumns NAME(minicolumns)
#define wide NAME(wide)
#define tall NAME(tall)
#define single NAME(single)
#define word NAME(word)

/* Prune until nothing changes; 0 at a contradiction. Then `open` holds the cells with two
   candidates or more, `few` those with two, in each band's word. */
static int NAME(settle)(Grid *grid, V *open, V *few)
{
    V cells = {0}, last = {0}; /* all cells, of all digits of a register and of the last one */
    for (int i = 0; i < DIGITS; i++) for (each_band) cells[4 * i + b] = FULL;
    for (int i = 0; i < (9 % DIGITS ? 9 % DIGITS : DIGITS); i++)
        for (each_band) last[4 * i + b] = FULL;
    V x[Registers], settled[Registers];
    for (each_register) x[k] = grid->digits[k];
    for (;;) {
        V once = {0}, twice = {0}, thrice = {0}; /* cells with so many candidates or more */
        V claimed = {0}, claimed_twice = {0}, bad = {0}, moved = {0};
        for (each_register) {
            const V before = x[k];
            V row = minirows(before), y = boxes1(row), z = boxes2(row);
            row &= (rows1(y) & rows2(z)) | (rows1(z) & rows2(y));
            V now = before & wide(row);
            V column = minicolumns(now);
            y = columns1(column), z = columns2(column);
            column &= (bands1(y) & bands2(z)) | (bands1(z) & bands2(y));
            now &= tall(column);
            row &= ~(boxes1(row) | boxes2(row)) & single(now, now >> 1, now >> 2);
            column &= ~(columns1(column) | columns2(column)) & single(now, now >> 9, now >> 18);
            settled[k] = now & (wide(row) | tall(column));
            thrice |= twice & now;
            twice |= once & now;
            once |= now;
            bad |= (V)(now == (V){0}) & (k + 1 < Registers ? cells : last);
            moved |= before ^ now;
            x[k] = now;
        }
        for (int step = 0; step < Swaps; step++) {
            const V o = swap(once, step), t = swap(twice, step), h = swap(thrice, step);
            thrice |= h | (twice & o) | (once & t);
            twice |= t | (once & o);
            once |= o;
        }
        if (any(bad | (once ^ cells))) return 0;
        for (each_register) {
            const V alone = x[k] & ~twice, row = minirows(alone), column = minicolumns(alone);
            const V gone = (wide(row) & ~alone)
                | wide(boxes1(row) | boxes2(row) | rows1(row) | rows2(row))
                | tall(bands1(column) | bands2(column));
            settled[k] |= alone;
            claimed_twice |= claimed & settled[k];
            claimed |= settled[k];
            moved |= x[k] & gone;
            x[k] &= ~gone;
        }
        for (int step = 0; step < Swaps; step++) {
            const V c = swap(claimed, step);
            claimed_twice |= swap(claimed_twice, step) | (claimed & c);
            claimed |= c;
        }
        if (any(claimed_twice)) return 0;
        for (each_register) {
            const V gone = x[k] & claimed & ~settled[k];
            moved |= gone;
            x[k] ^= gone;
        }
        if (!any(moved)) {
            for (each_register) grid->digits[k] = x[k];
            *open = twice;
            *few = twice & ~thrice;
            return 1;
        }
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

/* The cell with two candidates and the most open neighbours; else the one with the fewest
   candidates, of which there is one at least. Returns its band. */
static int NAME(choose)(Grid *grid, const V *open, const V *few, uint32_t *cell)
{
    int band = 3, most = -1;
    for (each_band) {
        for (uint32_t left = (*few)[b]; left; left &= left - 1) {
            const int at = __builtin_ctz(left), c = at % 9;
            const uint32_t column = 01001001u << c;
            const uint32_t near = 0777u << (at - c) | 07007007u << c / 3 * 3 | column;
            const int second = b == 2 ? 0 : b + 1, third = b == 0 ? 2 : b - 1;
            const int many = __builtin_popcount((*few)[b] & near)
                + __builtin_popcount((*few)[second] & column)
                + __builtin_popcount((*few)[third] & column)
                + __builtin_popcount((*open)[b] & near)
                + __builtin_popcount((*open)[second] & column)
                + __builtin_popcount((*open)[third] & column);
            if (many > most) most = many, band = b, *cell = left & -left;
        }
    }
    if (band < 3) return band;
    int fewest = 10;
    for (each_band) {
        for (uint32_t left = (*open)[b]; left; left &= left - 1) {
            int many = 0;
            for (each_digit) many += (*word(grid, d, b) & left & -left) != 0;
            if (many < fewest) fewest = many, band = b, *cell = left & -left;
        }
    }
    return band;
}

static void NAME(keep)(Grid *grid, Task *task)
{
    uint8_t *digits = place_to_keep(task);
    if (!task->found) task->nodes_to_first = task->nodes;
    if (digits) {
        for (each_digit) for (each_band)
            for (uint32_t left = *word(grid, d, b); left; left &= left - 1)
                digits[27 * b + __builtin_ctz(left)] = (uint8_t)(d + 1);
    }
    task->found++;
}

static void NAME(search)(Grid *grid, Task *task)
{
    for (;;) {
        V open, few;
        uint32_t cell = 0;
        int choice[9], many = 0;
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
        for (each_digit) if (*word(grid, d, b) & cell) choice[many++] = d;
        for (int i = 0; i < many - 1; i++) { /* the last one is tried in the grid itself */
            Grid next = *grid;
            for (int j = 0; j < many; j++) if (j != i) *word(&next, choice[j], b) ^= cell;
            task->guesses++;
            NAME(search)(&next, task);
            if (task->stopped || task->found >= task->limit) return;
        }
        for (int j = 0; j < many - 1; j++) *word(grid, choice[j], b) ^= cell;
    }
}

static void NAME(solve)(const uint8_t *givens, Task *task)
{
    Grid grid;
    memset(&grid, 0, sizeof grid);
    for (each_digit) for (each_band) {
        uint32_t free = FULL;
        for (int i = 0; i < 27; i++)
            if (givens[27 * b + i] && givens[27 * b + i] != d + 1) free ^= (uint32_t)1 << i;
        *word(&grid, d, b) = free;
    }
    NAME(search)(&grid, task);
}

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
#undef minirows
#undef minicolumns
#undef wide
#undef tall
#undef single
#undef word
#undef KERNEL
#undef DIGITS
