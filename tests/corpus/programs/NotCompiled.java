public class NotCompiled {
    public static void main(String[] words) {
        int n = Integer.parseInt(words[0]);
        System.out.println(place(n));
    }
}
