package inkstand;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Map;

/** Customers, prices and machines. */
public class Office {
  private final Deque<String> waiting = new ArrayDeque<>();

  /** Parses the date of an order such as 24/12/2023 into its parts. */
  public static LocalDate parseOrderDate(String text) {
    String[] parts = text.split("/");
    int day = Integer.parseInt(parts[0]);
    int month = Integer.parseInt(parts[1]);
    return LocalDate.of(Integer.parseInt(parts[2]), month, day);
  }

  /** Finds the next day on which a finished order can be delivered. */
  public static LocalDate deliveryDay(LocalDate ordered, int workDays) {
    LocalDate day = ordered;
    while (workDays > 0) {
      day = day.plusDays(1);
      if (day.getDayOfWeek().getValue() < 6) {
        workDays--;
      }
    }
    return day;
  }

  /** Requests a page of the paper mill and asks again until it answers. */
  public static InputStream openMill(String address, int times) throws IOException {
    IOException problem = null;
    for (int time = 0; time < times; time++) {
      try {
        return ((HttpURLConnection) new URL(address).openConnection()).getInputStream();
      } catch (IOException failure) {
        problem = failure;
      }
    }
    throw new IOException("the mill does not answer", problem);
  }

  /** Hashes the password of a customer with the name as its salt. */
  public static String secret(String customer, String password)
      throws GeneralSecurityException {
    MessageDigest digest = MessageDigest.getInstance("SHA-512");
    byte[] bytes = digest.digest((customer + '\0' + password).getBytes());
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Opens the database of customers in the folder of the shop. */
  public static Connection openCustomers(String folder) throws SQLException {
    String url = "jdbc:sqlite:" + folder + "/customers.db";
    Connection customers = DriverManager.getConnection(url);
    customers.setReadOnly(true);
    return customers;
  }

  /**
   * Computes the price of copies with a discount for large numbers.
   *
   * @return the price in cents
   */
  public static long price(int copies, long centsEach) {
    long full = copies * centsEach;
    int percent = copies >= 1000 ? 20 : copies >= 100 ? 10 : 0;
    return full - full * percent / 100;
  }

  /** Splits the cost of a print run among customers by their copies. */
  public static void share(Map<String, Integer> copies, long cents, Map<String, Long> bills) {
    int total = copies.values().stream().mapToInt(Integer::intValue).sum();
    for (Map.Entry<String, Integer> customer : copies.entrySet()) {
      bills.put(customer.getKey(), cents * customer.getValue() / total);
    }
  }

  /** Puts a job into the queue of the press unless it is there. */
  public boolean submit(String job) {
    if (waiting.contains(job)) {
      return false;
    }
    return waiting.offerLast(job);
  }

  /** Takes the next job from the queue of the press, if any. */
  public String nextJob(String whenEmpty) {
    String job = waiting.pollFirst();
    if (job == null) {
      return whenEmpty;
    }
    return job;
  }

  /** Warns when the press is too hot, in celsius and in fahrenheit. */
  public static String warning(double celsius, double limit) {
    if (celsius <= limit) {
      return "";
    }
    double fahrenheit = 32 + celsius * 1.8;
    return String.format("%.0f °C (%.0f °F): stop the press", celsius, fahrenheit);
  }

  static void report(String message) {
    System.err.println("inkstand: " + message);
  }

  void cancel(String job) {
    waiting.remove(job);
  }
}
