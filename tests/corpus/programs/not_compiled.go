package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Println(place(len(os.Args), 0))
}
