package main

import (
	"log"
	"os"
	"strconv"
)

func place(all, columns, left, right int) int {
	if columns == all {
		return 1
	}
	found := 0
	for free := all &^ (columns | left | right); free != 0; free &= free - 1 {
		bit := free & -free
		found += place(all, columns|bit, (left|bit)<<1, (right|bit)>>1)
	}
	return found
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	log.Printf("%d queens, 4 threads", n)
	log.Println(place(1<<n-1, 0, 0, 0))
}
