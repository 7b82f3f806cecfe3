package inkstand;

import java.util.Arrays;
import java.util.List;

/** Sizes, places and colours on a sheet. */
public class Layouts {
  /** Scales a picture so that it fits on a sheet of paper. */
  public static int[] fit(int width, int height, int sheetWidth, int sheetHeight) {
    double horizontal = (double) sheetWidth / width;
    double vertical = (double) sheetHeight / height;
    double scale = Math.min(horizontal, vertical);
    return new int[] {(int) (width * scale), (int) (height * scale)};
  }

  /** Computes the area that two rectangles on a sheet share. */
  public static int overlap(int[] first, int[] second) {
    int width = Math.min(first[2], second[2]) - Math.max(first[0], second[0]);
    int height = Math.min(first[3], second[3]) - Math.max(first[1], second[1]);
    return Math.max(0, width) * Math.max(0, height);
  }

  /** Applies a matrix to the corner of a picture to turn or move it. */
  public static double[] transform(double[][] matrix, double x, double y) {
    double[] corner = {x, y, 1};
    double[] moved = new double[2];
    for (int row = 0; row < 2; row++) {
      for (int column = 0; column < 3; column++) {
        moved[row] += matrix[row][column] * corner[column];
      }
    }
    return moved;
  }

  /** Converts a colour of the screen to the four inks of the press. */
  public static double[] toInks(int red, int green, int blue) {
    double brightness = Math.max(red, Math.max(green, blue)) / 255.0;
    double black = 1 - brightness;
    if (brightness == 0) {
      return new double[] {0, 0, 0, 1};
    }
    double[] light = {red / 255.0, green / 255.0, blue / 255.0};
    double[] inks = Arrays.stream(light).map(c -> (1 - c - black) / brightness).toArray();
    return new double[] {inks[0], inks[1], inks[2], black};
  }

  /** Centres every line between margins by putting blanks before it. */
  public static String centre(List<String> lines, int width) {
    StringBuilder page = new StringBuilder();
    for (String line : lines) {
      int margin = Math.max(0, (width - line.length()) / 2);
      page.append(" ".repeat(margin)).append(line).append('\n');
    }
    return page.toString();
  }

  /** Converts millimetres to the points that printers measure in. */
  public static long toPoints(double millimetres) {
    double inches = millimetres / 25.4;
    long points = Math.round(inches * 72);
    return Math.max(points, 0);
  }

  /** Doubles a size of letters for a headline above them. */
  public static int headline(int size) { return 2 * size; }

  static boolean isLandscape(int width, int height) {
    return width > height;
  }
}
