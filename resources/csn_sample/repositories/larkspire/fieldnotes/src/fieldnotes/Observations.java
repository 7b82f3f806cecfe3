package fieldnotes;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.TreeMap;

/** Reading, writing and sorting of observations. */
public class Observations {
  /** Reads the file of a csv table, one array of fields for each line. */
  public static List<String[]> loadCsv(File file, char separator) throws IOException {
    List<String[]> observations = new ArrayList<>();
    try (Scanner scanner = new Scanner(file)) {
      while (scanner.hasNextLine()) {
        String line = scanner.nextLine();
        if (!line.isBlank()) observations.add(line.split("\\" + separator));
      }
    }
    return observations;
  }

  /** Joins the fields of an observation to a line of csv. */
  public static String csvLine(List<?> fields) {
    StringBuilder line = new StringBuilder();
    for (Object field : fields) {
      line.append(line.length() == 0 ? "" : ",");
      line.append(String.valueOf(field).replace(',', ' '));
    }
    return line.toString();
  }

  /**
   * Saves observations as json in a file.
   *
   * @param file what is written, folders above it included
   */
  public static void saveJson(List<Map<String, Object>> notes, File file) throws IOException {
    file.getAbsoluteFile().getParentFile().mkdirs();
    try (PrintWriter writer = new PrintWriter(file, "UTF-8")) {
      writer.println("[");
      for (int i = 0; i < notes.size(); i++) {
        writer.println(toJson(notes.get(i)) + (i + 1 < notes.size() ? "," : ""));
      }
      writer.println("]");
    }
  }

  /** Converts an observation to the text of a json object. */
  public static String toJson(Map<String, Object> note) {
    List<String> members = new ArrayList<>();
    for (Map.Entry<String, Object> entry : note.entrySet()) {
      Object value = entry.getValue();
      String text = value instanceof Number ? value.toString() : "\"" + value + "\"";
      members.add("\"" + entry.getKey() + "\":" + text);
    }
    return "{" + String.join(",", members) + "}";
  }

  /** Parses a string with a date of the form 5 Jan 2024. */
  public static LocalDate toDate(String text) {
    DateTimeFormatter format = DateTimeFormatter.ofPattern("d MMM uuuu");
    String tidy = text.strip().replaceAll("\\s+", " ");
    return LocalDate.parse(tidy, format);
  }

  /** Parses the hour and minute at which something was seen. */
  public static LocalTime toTime(String text) {
    String[] parts = text.split("[:.h]");
    int hour = Integer.parseInt(parts[0].strip());
    int minute = parts.length > 1 ? Integer.parseInt(parts[1].strip()) : 0;
    return LocalTime.of(hour, minute);
  }

  /** Names the season of the year in which a date falls. */
  public static String season(LocalDate date) {
    String[] seasons = {"winter", "spring", "summer", "autumn"};
    int quarter = date.getMonthValue() % 12 / 3;
    return seasons[quarter];
  }

  /** Sorts a list of observations by the value of a key. */
  public static <V extends Comparable<V>> void sort(List<Map<String, V>> notes, String key) {
    if (!notes.stream().allMatch(note -> note.containsKey(key))) {
      throw new IllegalArgumentException("not every observation has " + key);
    }
    notes.sort(Comparator.comparing(note -> note.get(key)));
  }

  /** Orders the names of species by how often each was seen. */
  public static List<String> byFrequency(Map<String, Integer> seen) {
    List<String> species = new ArrayList<>(seen.keySet());
    species.sort((a, b) -> seen.get(b) - seen.get(a));
    return species;
  }

  /** Copies the photos of a day into a folder of their own. */
  public static int collectPhotos(Path camera, Path album, String day) throws IOException {
    int copied = 0;
    Files.createDirectories(album);
    for (File photo : camera.toFile().listFiles()) {
      if (photo.getName().startsWith(day)) {
        Files.copy(photo.toPath(), album.resolve(photo.getName()));
        copied++;
      }
    }
    return copied;
  }

  /** Counts the observations of every month of a year. */
  public static Map<Integer, Long> perMonth(List<LocalDate> dates, int year) {
    Map<Integer, Long> months = new TreeMap<>();
    for (LocalDate date : dates) {
      if (date.getYear() == year) {
        months.merge(date.getMonthValue(), 1L, Long::sum);
      }
    }
    return months;
  }

  /** Describes the class in the words of a person. */
  @Override
  public String toString() {
    String name = getClass().getSimpleName();
    return name.toLowerCase();
  }

  static boolean isRare(int seen) {
    return seen < 3;
  }
}
