package common;

import java.util.Arrays;

/** Arithmetic, statistics and units. */
public class Numbers {
  /** Converts temperatures from degrees celsius to degrees fahrenheit. */
  public static double[] celsiusToFahrenheit(double[] celsius) {
    double[] fahrenheit = new double[celsius.length];
    for (int i = 0; i < celsius.length; i++) {
      fahrenheit[i] = celsius[i] * 9 / 5 + 32;
    }
    return fahrenheit;
  }

  /** Converts a weight in kilograms to pounds and ounces. */
  public static String kilogramsToPounds(double kilograms) {
    long ounces = Math.round(kilograms * 35.27396);
    long pounds = ounces / 16;
    return String.format("%d lb %d oz", pounds, ounces % 16);
  }

  /**
   * Multiplies two matrices, row by column.
   *
   * @throws IllegalArgumentException if their sizes do not fit
   */
  public static double[][] multiply(double[][] a, double[][] b) {
    if (a[0].length != b.length) throw new IllegalArgumentException("sizes do not fit");
    double[][] product = new double[a.length][b[0].length];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < b[0].length; j++) {
        for (int k = 0; k < b.length; k++) {
          product[i][j] += a[i][k] * b[k][j];
        }
      }
    }
    return product;
  }

  /** Returns a matrix whose rows are the columns of another one. */
  public static double[][] transpose(double[][] matrix) {
    double[][] turned = new double[matrix[0].length][matrix.length];
    for (int row = 0; row < matrix.length; row++) {
      for (int column = 0; column < turned.length; column++) {
        turned[column][row] = matrix[row][column];
      }
    }
    return turned;
  }

  /** Computes the trace of a square matrix, the sum of its diagonal. */
  public static double trace(double[][] matrix) {
    double sum = 0;
    for (int i = 0; i < matrix.length; i++) {
      sum += matrix[i][i];
    }
    return sum;
  }

  /** Computes the median of numbers without changing their order. */
  public static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** Computes the variance of numbers around their mean. */
  public static double variance(double[] values) {
    double mean = Arrays.stream(values).average().orElse(0);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return squares / values.length;
  }

  /** Lists the prime factors of a number, the smallest first. */
  public static int[] primeFactors(int number) {
    int[] factors = new int[32];
    int count = 0;
    for (int divisor = 2; number > 1; divisor++) {
      while (number % divisor == 0) {
        factors[count++] = divisor;
        number /= divisor;
      }
    }
    return Arrays.copyOf(factors, count);
  }

  /** Raises a base to a power and takes the remainder at every step. */
  public static long powerModulo(long base, int exponent, long modulus) {
    long result = 1;
    for (long square = base % modulus; exponent > 0; exponent >>= 1) {
      if ((exponent & 1) == 1) {
        result = result * square % modulus;
      }
      square = square * square % modulus;
    }
    return result;
  }

  /** Rounds a number to the given number of decimals. */
  public static double round(double number, int decimals) {
    double shift = Math.pow(10, decimals);
    return Math.round(number * shift) / shift;
  }

  /** Halves a number, which is to say divides it by two. */
  public static double half(double number) { return number / 2; }

  static boolean isEven(long number) {
    return number % 2 == 0;
  }
}
