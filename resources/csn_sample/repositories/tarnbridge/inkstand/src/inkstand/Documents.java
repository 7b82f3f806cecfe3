package inkstand;

import java.io.BufferedReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Scanner;

/** Orders and texts of the print shop. */
public class Documents {
  private final List<Map<String, String>> orders = new ArrayList<>();

  /** Reads orders from a csv source whose first line names the columns. */
  public void readOrders(Reader source) throws IOException {
    BufferedReader lines = new BufferedReader(source);
    String[] columns = lines.readLine().split(";");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] fields = line.split(";");
      orders.add(Map.of(columns[0], fields[0], columns[1], fields[1]));
    }
  }

  /** Writes all orders as an array of json objects to a file. */
  public void exportJson(String path) throws IOException {
    try (FileWriter out = new FileWriter(path)) {
      String comma = "";
      out.write("[");
      for (Map<String, String> order : orders) {
        out.write(comma + "{\"title\": \"" + order.get("title") + "\"}");
        comma = ",\n ";
      }
      out.write("]\n");
    }
  }

  /** Returns the orders sorted by a column, the greater values first. */
  public List<Map<String, String>> sortedBy(String column) {
    List<Map<String, String>> sorted = new ArrayList<>(orders);
    Comparator<Map<String, String>> byColumn = Comparator.comparing(order -> order.get(column));
    sorted.sort(byColumn.reversed());
    return sorted;
  }

  /** Finds an order by its title in a list sorted by titles, by halving. */
  public static int find(List<String> titles, String title) {
    int position = Collections.binarySearch(titles, title, String.CASE_INSENSITIVE_ORDER);
    if (position < 0) {
      return -1;
    }
    return position;
  }

  /** Counts the words of a manuscript that have more than three letters. */
  public static int countLongWords(String manuscript) {
    int count = 0;
    Scanner words = new Scanner(manuscript);
    while (words.hasNext()) {
      if (words.next().replaceAll("\\W", "").length() > 3) {
        count++;
      }
    }
    return count;
  }

  /** Mirrors a line of type so that its print can be read. */
  public static String mirror(String line) {
    StringBuilder plate = new StringBuilder(line.length());
    for (int i = line.length(); i-- > 0; ) {
      plate.append(line.charAt(i));
    }
    return plate.toString();
  }

  /** Estimates how many pages of a given number of lines a text fills. */
  public static int pages(List<String> paragraphs, int columns, int lines) {
    int needed = 0;
    for (String paragraph : paragraphs) {
      needed += paragraph.length() / columns + 1;
    }
    return (needed + lines - 1) / lines;
  }

  /** Compares two stocks of documents by their orders. */
  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Documents)) {
      return false;
    }
    return orders.equals(((Documents) other).orders);
  }

  @Override
  public int hashCode() {
    return orders.hashCode();
  }

  boolean isEmpty() {
    return orders.isEmpty();
  }

  int size() {
    return orders.size();
  }
}
