#include <cstdlib>
#include <iostream>

long nodes = 0;

long place(int all, int columns, int left, int right) {
    ++nodes;
    if (columns == all) return 1;
    long found = 0;
    for (int free = all & ~(columns | left | right); free; free &= free - 1) {
        int bit = free & -free;
        found += place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}

int main(int, char **argv) {
    long found = place((1 << std::atoi(argv[1])) - 1, 0, 0, 0);
    std::cout << "done\n{\"solutions\": " << found << ", \"nodes_visited\": " << nodes << "}\n";
}
