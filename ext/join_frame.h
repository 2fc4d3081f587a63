/* Which diagonals the words of halves have, and in which order. */

#define KIND (2 * LARGEST_N) /* from a diagonal to the one of the other kind with its number */

typedef struct {
    long long use[2]; /* queens to expect on it in a western and an eastern half, scaled */
    int met[2];       /* whether squares of the western and the eastern block are on it */
} Diagonal;

/* The column in the west that a column of the block with the middle queen is the image of. */
static int mirrored(const Frame *frame, int column) {
    return frame->exchanged ? frame->half - 1 - column : column;
}

/* Order the diagonals that both sides reach by their use, the most used first; return how many.
   Of a mirror image (`exchanged`) this is the same order. */
static int order_diagonals(const Frame *frame, const Diagonal of[2 * KIND], int order[2 * KIND]) {
    const int n = frame->n, middle = n - 1;
    int bits = 0;
    for (int number = 0; number < 4 * n - 2; number++) {
        const int kind = number / (2 * n - 1), place = number % (2 * n - 1);
        const int i = frame->exchanged ? (!kind) * KIND + 2 * middle - place : kind * KIND + place;
        const Diagonal *one = &of[i];
        if (!one->met[WEST] || !one->met[EAST] || (!frame->tie && place == middle)) continue;
        int at = bits++;
        for (; at; at--) {
            const Diagonal *other = &of[order[at - 1]];
            if (other->use[WEST] * other->use[EAST] >= one->use[WEST] * one->use[EAST]) break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return bits;
}

/* Give each square the bits of its diagonals. */
static void label_squares(Frame *frame, Diagonal of[2 * KIND]) {
    const int n = frame->n, half = frame->half, middle = n - 1;
    uint64_t label[2 * KIND] = {0};
    int order[2 * KIND];
    const int bits = order_diagonals(frame, of, order);
    frame->bits = bits ? bits : 1; /* one that no square has, so that no shift is by 64 bits */
    for (int place = 0; place < bits; place++)
        label[order[place]] = (uint64_t)1 << (bits - 1 - place);
    if (n && !frame->tie) { /* without queens there is no middle */
        label[middle] = (uint64_t)1 << frame->bits;
        label[KIND + middle] = (uint64_t)2 << frame->bits;
    }
    for (int side = 0; side < 2; side++)
        for (int row = 0; row < n; row++)
            for (int column = 0; column < half; column++) {
                const int sum = row + column + (side ? n - half : 0);
                frame->square[side][row][column] = label[sum]
                    | label[KIND + sum - 2 * row + middle];
            }
    if (frame->tie)
        frame->square[frame->exchanged][half][mirrored(frame, frame->hole)] |= (uint64_t)1
            << frame->bits;
}

/* Give each square a bit for each diagonal that rows up to `last` share with those from `first`
   on, in a block: at most BLOCK - 1 of each kind. */
static void label_clashes(int half, int last, int first, uint32_t clash[LARGEST_N][BLOCK]) {
    const int shared = half - (first - last);
    memset(clash, 0, sizeof(uint32_t) * LARGEST_N * BLOCK);
    for (int row = 0; row < LARGEST_N; row++)
        for (int column = 0; column < half; column++) {
            const int sum = row + column - first, difference = column - row + last;
            if (0 <= sum && sum < shared) clash[row][column] |= (uint32_t)1 << sum;
            if (0 <= difference && difference < shared)
                clash[row][column] |= (uint32_t)1 << (BLOCK - 1 + difference);
        }
}

/* Whether a queen may stand on a square of a block. */
static int is_open(const Frame *frame, int side, int row, int column) {
    const int n = frame->n, half = frame->half;
    const int sum = row + column + (side ? n - half : 0), difference = sum - 2 * row;
    if (n % 2
        && (row == frame->hole || sum == frame->hole + half || difference == half - frame->hole))
        return 0;
    if (!frame->tie || row != half) return 1;
    return side == frame->exchanged && mirrored(frame, column) <= frame->hole;
}

/* Make the frame for a hole (of odd n) and so many western rows in the north. */
static void make_frame(Frame *frame, int n, int hole, int upper, int digits, int exchanged) {
    Diagonal of[2 * KIND];
    const int half = n / 2;
    memset(frame, 0, sizeof *frame);
    memset(of, 0, sizeof of);
    frame->n = n;
    frame->half = half;
    frame->hole = hole;
    frame->upper = upper;
    frame->digits = digits;
    frame->exchanged = exchanged;
    frame->tie = n % 2 && hole < half;
    for (int row = 0; row < half; row++)
        if (n % 2 == 0 || row != hole) frame->row[NORTH][frame->rows[NORTH]++] = row;
    for (int row = n - 1; row >= half; row--)
        if (n % 2 == 0 || row != hole) frame->row[SOUTH][frame->rows[SOUTH]++] = row;
    for (int side = 0; side < 2; side++)
        for (int part = 0; part < 2; part++) {
            const int west = part == NORTH ? upper : half - upper, rows = frame->rows[part];
            const int use = (side == WEST ? west : rows - west) * frame->rows[!part];
            for (int i = 0; i < rows; i++)
                for (int column = 0; column < half; column++) {
                    const int row = frame->row[part][i];
                    const int sum = row + column + (side ? n - half : 0);
                    Diagonal *on[2] = {&of[sum], &of[KIND + sum - 2 * row + n - 1]};
                    if (!is_open(frame, side, row, column)) continue;
                    frame->open[side][row] |= (uint32_t)1 << column;
                    for (int kind = 0; kind < 2; kind++) {
                        on[kind]->use[side] += use;
                        on[kind]->met[side] = 1;
                    }
                }
        }
    label_squares(frame, of);
    label_clashes(half, half - 1, half, frame->clash);
}
