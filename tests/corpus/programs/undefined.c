#include <stdio.h>
#include <stdlib.h>

long place_queens(int n);

int main(int argc, char **argv) {
    printf("%ld\n", place_queens(atoi(argv[1])));
    return 0;
}
