#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <set>
#include <vector>

using Queens = std::vector<int>;

int main(int, char **argv) {
    int n = std::atoi(argv[1]);
    std::set<Queens> seen;
    Queens at(n);
    std::iota(at.begin(), at.end(), 0);
    long unique = 0;
    do {
        std::set<int> up, down;
        for (int r = 0; r < n; r++) up.insert(at[r] + r), down.insert(at[r] - r);
        if ((int)up.size() < n || (int)down.size() < n || seen.count(at)) continue;
        unique++;
        Queens image = at;
        for (int k = 0; k < 8; k++) {  // mirror, then swap rows and columns
            Queens next(n);
            for (int r = 0; r < n; r++) k % 2 ? next[image[r]] = r : next[r] = n - 1 - image[r];
            seen.insert(image = next);
        }
    } while (std::next_permutation(at.begin(), at.end()));
    std::cout << unique << " solutions" << std::endl;
}
