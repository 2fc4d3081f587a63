fn place(board: &mut Vec<usize>, row: usize) -> u64 {
    board[row] = row;
    place(board, row + 1)
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    println!("{}", place(&mut vec![0; n], 0));
}
