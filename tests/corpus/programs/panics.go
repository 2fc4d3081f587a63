package main

import (
	"fmt"
	"os"
	"strconv"
)

func place(board []int, row int) int {
	board[row] = row
	return place(board, row+1)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(place(make([]int, n), 0))
}
