/* Which diagonals two lists are sorted by, and sorting them.

   The longer list is cut into pieces, and each word of the other list meets each piece. The index
   bits are the diagonals that both lists are sorted by. An arranged word is

       class | rest

   The class has the index bits and two bits for how many flags the word has, 0 to BOTH: the top
   bits in the list of pieces, the lowest bits in the other list. */

/* Count how many of these pairs of words share each diagonal. */
static void count_shared(const uint64_t *shared, size_t pairs, uint32_t number[64]) {
    memset(number, 0, 64 * sizeof *number);
    for (size_t i = 0; i < pairs; i++)
        for (uint64_t left = shared[i]; left; left &= left - 1) number[PLACE_OF(left)]++;
}

/* Choose the index bits. Take a random sample of pairs: first the diagonal that the most of them
   share, then the one that the most of the others share, and so on. For short lists this does not
   pay: take the first bits of a word, which are the diagonals that are used most. */
static uint64_t choose_bits(const Joiner *join, int index_bits) {
    const Words *west = &join->list[WEST], *east = &join->list[EAST];
    const size_t words = west->number + east->number, drawn = words / WORDS_A_PAIR;
    const uint64_t every = ((uint64_t)1 << join->frame.bits) - 1;
    uint64_t *shared = join->sample, chosen = 0;
    uint32_t number[64];
    if (words < FEW_WORDS) return every & ~(every >> index_bits);
    size_t pairs = drawn < SAMPLE ? drawn : SAMPLE;
    for (size_t i = 0; i < pairs; i++) { /* by the golden section: anywhere, but always the same */
        const uint64_t draw = (uint32_t)i * 0x9e3779b9u;
        shared[i] = west->word[i * west->number / pairs] & east->word[draw * east->number >> 32]
            & every;
    }
    count_shared(shared, pairs, number);
    while (index_bits--) {
        int best = -1;
        for (int bit = join->frame.bits; bit--;)
            if (!(chosen >> bit & 1) && (best < 0 || number[bit] > number[best])) best = bit;
        chosen |= (uint64_t)1 << best;
        size_t left = 0;
        for (size_t i = 0; i < pairs; i++) {
            shared[left] = shared[i];
            left += !(shared[i] >> best & 1);
        }
        pairs = left < FEW_PAIRS ? 0 : left; /* a few say little: the last counts stay */
        if (pairs) count_shared(shared, pairs, number);
    }
    return chosen;
}

/* Prepare to move the bits of a mask together at the right end (Warren, Hacker's Delight, 2002,
   section 7-4). For the left end, reverse the mask and the moves. */
static void prepare_moves(uint64_t mask, uint64_t moves[6]) {
    uint64_t gaps = ~mask << 1;
    for (int i = 0; i < 6; i++) {
        uint64_t odd = gaps;
        for (int by = 1; by < 64; by *= 2) odd ^= odd << by;
        moves[i] = odd & mask;
        mask = (mask ^ moves[i]) | moves[i] >> (1 << i);
        gaps &= ~odd;
    }
}

/* Return how many index bits pay, found by measuring: a class of the longer list fills a piece,
   and one of the other list has some words. */
static int count_index_bits(const Joiner *join) {
    const size_t west = join->list[WEST].number, east = join->list[EAST].number;
    const size_t longer = west > east ? west : east, shorter = west > east ? east : west;
    int index_bits = 0;
    while (longer >> (index_bits + 1) >= join->piece_words && shorter >> (index_bits + 1) >= CLASS)
        index_bits++;
    const int left = (join->frame.bits - index_bits) % join->chunk;
    return left <= 2 ? index_bits + left : index_bits; /* saves a table */
}

/* Choose the index bits of both lists, and which one is cut into pieces. */
static void choose_order(Joiner *join) {
    Order *order = &join->order;
    const int bits = join->frame.bits, chunk = join->chunk;
    const size_t west = join->list[WEST].number, east = join->list[EAST].number;
    order->pieces = west >= east ? WEST : EAST;
    order->index_bits = join->index_bits < 0 ? count_index_bits(join) : join->index_bits;
    if (order->index_bits > MOST_INDEX) order->index_bits = MOST_INDEX;
    if (order->index_bits > bits) order->index_bits = bits;
    if (bits - order->index_bits > chunk * MOST_CHUNKS)
        order->index_bits = bits - chunk * MOST_CHUNKS;
    order->rest_bits = bits - order->index_bits;
    order->table_count = (order->rest_bits + chunk - 1) / chunk;
    if (order->table_count < FEWEST_CHUNKS) order->table_count = FEWEST_CHUNKS;
    order->left = choose_bits(join, order->index_bits);
    order->right = (((uint64_t)1 << bits) - 1) & ~order->left;
    prepare_moves(order->right, order->rightwards);
    prepare_moves(reversed(order->left << (64 - bits)), order->leftwards);
    for (int i = 0; i < 6; i++) order->leftwards[i] = reversed(order->leftwards[i]);
}

/* Arrange and sort the words of a list. Return whether there was enough memory. */
static int sort_words(Joiner *join, int side) {
    const Order *order = &join->order;
    const size_t classes = (size_t)FLAGS << order->index_bits, number = join->list[side].number;
    const int rest_bits = order->rest_bits;
    uint64_t *word = join->list[side].word;
    Half *half = &join->half[side];
    const int shift = order->index_bits > MANY_CLASSES ? 0 : STREAM_BITS;
    const size_t streams = (size_t)1 << shift;
    uint32_t *count = join->count;
    arrange(order, side == order->pieces, word, number, join->kernel);
    memset(count, 0, (classes << shift) * sizeof *count);
    UNROLLED_BY_8
    for (size_t i = 0; i < number; i++)
        count[word[i] >> rest_bits << shift | (i & (streams - 1))]++;
    uint32_t sum = 0;
    for (size_t i = 0; i < classes; i++) {
        half->offset[i] = sum;
        for (size_t stream = 0; stream < streams; stream++) {
            const uint32_t more = count[i << shift | stream];
            count[i << shift | stream] = sum;
            sum += more;
        }
    }
    half->offset[classes] = sum;
    half->number = number;
    if (!make_room(join, &half->word, &half->room, number, sizeof *half->word)) return 0;
    uint64_t *sorted = half->word;
    UNROLLED_BY_8
    for (size_t i = 0; i < number; i++)
        sorted[count[word[i] >> rest_bits << shift | (i & (streams - 1))]++] = word[i];
    return 1;
}
