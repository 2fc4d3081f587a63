public class OutOfBounds {
    static int place(int[] board, int row) {
        board[row] = row;
        return place(board, row + 1);
    }

    public static void main(String[] words) {
        System.out.println(place(new int[Integer.parseInt(words[0])], 0));
    }
}
