#include <stdio.h>
#include <stdlib.h>

long place(int n, long count);

int main(int argc, char **argv) {
    printf("%ld\n", place(atoi(argv[1]), found));
    return 0;
}
