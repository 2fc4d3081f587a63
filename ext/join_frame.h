/* Which diagonals the words of halves have, and in which order. */

typedef struct {
    double use[2];            /* queens to expect on it in a western and an eastern half */
    unsigned met[2];          /* by side: whether northern (1) and southern (2) squares are on it */
} Diagonal;

/* How many index bits pay, by the size of the lists, which grow with n: found by measuring. */
static int choose_index(int n, int bits, int chunk)
{
    int index = n % 2 ? n - 14 : n - 12;
    const int left = (bits - index) % chunk;
    if (left <= 2) index += left; /* saves a table */
    return index < 0 ? 0 : index > MOST_INDEX ? MOST_INDEX : index;
}

/* Order the diagonals that both sides reach by their use, and give each square its bits. */
static void label_squares(Frame *frame, Diagonal of[2][2 * LARGEST_N], int chunk, int wished)
{
    const int n = frame->n, gap = n - frame->half, middle = n - 1;
    uint64_t label[2][2 * LARGEST_N] = {{0}};
    int order[4 * LARGEST_N], bits = 0;
    for (int i = 0; i < 4 * n; i++) {
        const Diagonal *one = &of[i / (2 * n)][i % (2 * n)];
        const int flag = !frame->tie && i % (2 * n) == middle;
        if (!one->met[WEST] || !one->met[EAST] || flag) continue;
        int place = bits++;
        for (; place; place--) {
            const Diagonal *other = &of[order[place - 1] / (2 * n)][order[place - 1] % (2 * n)];
            if (other->use[WEST] * other->use[EAST] >= one->use[WEST] * one->use[EAST]) break;
            order[place] = order[place - 1];
        }
        order[place] = i;
    }
    frame->index = wished < 0 ? choose_index(n, bits, chunk) : wished;
    if (frame->index > bits) frame->index = bits;
    if (bits - frame->index > chunk * MOST_CHUNKS) frame->index = bits - chunk * MOST_CHUNKS;
    frame->rest = bits - frame->index;
    frame->chunks = (frame->rest + chunk - 1) / chunk;
    if (frame->chunks < FEWEST_CHUNKS) frame->chunks = FEWEST_CHUNKS;
    for (int place = 0; place < bits; place++)
        label[order[place] / (2 * n)][order[place] % (2 * n)] =
            (uint64_t)1 << (bits - 1 - place + (place < frame->index ? 2 : 0));
    if (!frame->tie) {
        label[0][middle] = (uint64_t)1 << frame->rest;
        label[1][middle] = (uint64_t)2 << frame->rest;
    }
    for (int side = 0; side < 2; side++) {
        uint32_t shared[2][2 * LARGEST_N] = {{0}}, bit = 1;
        for (int i = 0; i < 4 * n; i++)
            if (of[i / (2 * n)][i % (2 * n)].met[side] == 3) {
                shared[i / (2 * n)][i % (2 * n)] = bit;
                bit <<= 1;
            }
        for (int row = 0; row < n; row++)
            for (int column = 0; column < frame->half; column++) {
                const int sum = row + column + (side ? gap : 0);
                const int difference = sum - 2 * row + n - 1;
                frame->square[side][row][column] = label[0][sum] | label[1][difference];
                frame->clash[side][row][column] = shared[0][sum] | shared[1][difference];
            }
    }
    if (frame->tie) frame->square[WEST][frame->half][frame->hole] |= (uint64_t)1 << frame->rest;
}

/* Make the frame for a hole (of odd n) and so many western rows in the north. */
static void make_frame(Frame *frame, int n, int hole, int upper, int chunk, int index)
{
    Diagonal of[2][2 * LARGEST_N];
    const int half = n / 2, gap = n - half;
    memset(frame, 0, sizeof *frame);
    memset(of, 0, sizeof of);
    frame->n = n;
    frame->half = half;
    frame->hole = hole;
    frame->upper = upper;
    frame->tie = n % 2 && hole < half;
    for (int row = 0; row < half; row++)
        if (n % 2 == 0 || row != hole) frame->row[NORTH][frame->rows[NORTH]++] = row;
    for (int row = n - 1; row >= half; row--)
        if (n % 2 == 0 || row != hole) frame->row[SOUTH][frame->rows[SOUTH]++] = row;
    for (int side = 0; side < 2; side++)
        for (int part = 0; part < 2; part++) {
            const double west = part == NORTH ? upper : half - upper, rows = frame->rows[part];
            const double use = rows ? (side == WEST ? west : rows - west) / rows / half : 0;
            for (int i = 0; i < frame->rows[part]; i++)
                for (int column = 0; column < half; column++) {
                    const int row = frame->row[part][i], there = column + (side ? gap : 0);
                    const int sum = row + there, difference = there - row + n - 1;
                    if (n % 2 && (sum == hole + half || difference == half - hole + n - 1))
                        continue;
                    if (frame->tie && row == half && (side == EAST || column > hole)) continue;
                    frame->open[side][row] |= (uint32_t)1 << column;
                    of[0][sum].use[side] += use;
                    of[1][difference].use[side] += use;
                    of[0][sum].met[side] |= 1u << part;
                    of[1][difference].met[side] |= 1u << part;
                }
        }
    label_squares(frame, of, chunk, index);
}
