import java.util.Scanner;

public class Asks {
    public static void main(String[] words) {
        System.out.print("Board size: ");
        int n = new Scanner(System.in).nextInt();
        System.out.println(n);
    }
}
