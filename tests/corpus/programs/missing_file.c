#include <stdio.h>

int main(int argc, char **argv) {
    FILE *file = fopen("board.txt", "r");
    if (!file) {
        perror("board.txt");
        fprintf(stderr, "giving up\n");
        return 1;
    }
    return 0;
}
