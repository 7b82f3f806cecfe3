package fieldnotes;

/** Measurements and what is computed of them. */
public class Weather {
  /** Converts one temperature from celsius to fahrenheit, rounded. */
  public static long fahrenheit(double celsius) {
    if (celsius < -273.15) {
      throw new IllegalArgumentException("colder than possible: " + celsius);
    }
    double fahrenheit = celsius * 1.8 + 32.0;
    return Math.round(fahrenheit);
  }

  /** Converts a temperature in fahrenheit back to celsius. */
  public static double celsius(double fahrenheit) {
    double celsius = (fahrenheit - 32) * 5 / 9;
    boolean zero = Math.abs(celsius) < 0.01;
    return zero ? 0 : celsius;
  }

  /** Computes the dew point from a temperature in celsius and the humidity. */
  public static double dewPoint(double celsius, double humidity) {
    double gamma = Math.log(humidity / 100) + 17.62 * celsius / (243.12 + celsius);
    return 243.12 * gamma / (17.62 - gamma);
  }

  /** Multiplies a matrix of measurements by a matrix of weights. */
  public static float[][] times(float[][] left, float[][] right) {
    int inner = right.length;
    float[][] result = new float[left.length][right[0].length];
    for (int cell = 0; cell < result.length * result[0].length; cell++) {
      int row = cell / result[0].length;
      int column = cell % result[0].length;
      for (int at = 0; at < inner; at++) {
        result[row][column] += left[row][at] * right[at][column];
      }
    }
    return result;
  }

  /** Multiplies all numbers of a matrix by the same factor. */
  public static void scale(float[][] matrix, float factor) {
    for (float[] row : matrix) {
      for (int column = 0; column < row.length; column++) {
        row[column] *= factor;
      }
    }
  }

  /** Adds up two matrices of the same size into a new one. */
  public static float[][] sum(float[][] first, float[][] second) {
    float[][] sum = new float[first.length][];
    for (int row = 0; row < first.length; row++) {
      sum[row] = first[row].clone();
      for (int at = 0; at < sum[row].length; at++) sum[row][at] += second[row][at];
    }
    return sum;
  }

  /** Finds the highest and the lowest of some measurements. */
  public static double[] range(double[] measurements) {
    double[] range = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (double measurement : measurements) {
      range[0] = Math.min(range[0], measurement);
      range[1] = Math.max(range[1], measurement);
    }
    return range;
  }

  /** Measures how far an observer walked between several points. */
  public static double walked(double[] easts, double[] norths) {
    double metres = 0;
    for (int i = 1; i < easts.length; i++) {
      metres += Math.hypot(easts[i] - easts[i - 1], norths[i] - norths[i - 1]);
    }
    return metres;
  }

  /** Changes a temperature in celsius to one in kelvin. */
  public static double kelvin(double celsius) { return celsius + 273.15; }

  static boolean isFrost(double celsius) {
    return celsius < 0;
  }
}
