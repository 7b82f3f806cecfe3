package common;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads and writes files of text. */
public class Files {
  /** Reads a csv file into a list of rows, each split at its commas. */
  public static List<String[]> readCsv(Path path) throws IOException {
    List<String[]> rows = new ArrayList<>();
    try (BufferedReader reader = java.nio.file.Files.newBufferedReader(path)) {
      String line;
      while ((line = reader.readLine()) != null) {
        rows.add(line.split(",", -1));
      }
    }
    return rows;
  }

  /**
   * Reads the rows of a csv file that are not comments.
   *
   * @param path a file with one row a line
   */
  public static List<String[]> readCsvWithoutComments(Path path) throws IOException {
    List<String[]> rows = new ArrayList<>();
    try (BufferedReader reader = java.nio.file.Files.newBufferedReader(path)) {
      String line;
      while ((line = reader.readLine()) != null) {
        if (line.charAt(0) != '#') rows.add(line.split(",", -1));
      }
    }
    return rows;
  }

  /** Writes the rows of a table to a csv file, quoting where it is needed. */
  public static void writeCsv(Path path, List<List<String>> table) throws IOException {
    StringBuilder text = new StringBuilder();
    for (List<String> row : table) {
      text.append(row.stream().map(Files::quote).collect(Collectors.joining(",")));
      text.append(System.lineSeparator());
    }
    java.nio.file.Files.writeString(path, text);
  }

  /** Puts a field into quotes if it has a comma or a quote. */
  public static String quote(String field) {
    if (!field.contains(",") && !field.contains("\"")) {
      return field;
    }
    return '"' + field.replace("\"", "\"\"") + '"';
  }

  /**
   * Writes a map to a file as a json object of strings.
   *
   * @param values what the object holds
   * @param path the file, replaced where it exists
   */
  public static void writeJson(Map<String, String> values, Path path) throws IOException {
    String members =
        values.entrySet().stream()
            .map(entry -> String.format("  \"%s\": \"%s\"", entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(",\n"));
    java.nio.file.Files.writeString(path, "{\n" + members + "\n}\n");
  }

  /** Appends a line to the end of a log file and creates it if necessary. */
  public static void appendLine(Path log, String message) throws IOException {
    String line = message.strip() + System.lineSeparator();
    java.nio.file.Files.writeString(
        log, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Lists the files below a folder that have an extension, the largest first. */
  public static List<Path> findByExtension(Path folder, String extension) throws IOException {
    try (Stream<Path> paths = java.nio.file.Files.walk(folder)) {
      return paths
          .filter(path -> path.getFileName().toString().endsWith("." + extension))
          .sorted(Comparator.comparing((Path path) -> path.toFile().length()).reversed())
          .collect(Collectors.toList());
    }
  }

  /** Deletes a folder with all files and folders in it. */
  public static void deleteFolder(Path folder) throws IOException {
    try (Stream<Path> paths = java.nio.file.Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        java.nio.file.Files.delete(path);
      }
    }
  }

  /** Returns the name of a file without its folder and extension. */
  public static String stem(Path path) {
    String name = path.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  private static boolean isHidden(Path path) {
    String name = path.getFileName().toString();
    return name.startsWith(".");
  }
}
