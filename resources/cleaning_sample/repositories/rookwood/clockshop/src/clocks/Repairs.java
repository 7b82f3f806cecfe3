package clocks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Clocks that wait for a repair. */
public class Repairs {
  private final Deque<String> waiting = new ArrayDeque<>();
  private final Map<String, LocalDate> promised = new LinkedHashMap<>();

  /** Puts a clock at the end of the queue. */
  public void bring(String clock, LocalDate until) {
    waiting.addLast(clock);
    promised.put(clock, until);
  }

  /** Takes the next clock from the queue (or null where none waits). */
  public String takeNext() {
    String next = waiting.pollFirst();
    promised.remove(next);
    return next;
  }

  /** Parses a date from a string with a pattern. */
  public static LocalDate parseDay(String text, String pattern) {
    DateTimeFormatter format = DateTimeFormatter.ofPattern(pattern);
    return LocalDate.parse(text, format);
  }

  /** Converts a time of the day to minutes. */
  public static int toMinutes(LocalTime time) {
    int hours = time.getHour();
    return hours * 60 + time.getMinute();
  }

  /** Lists clocks of the {@link Repairs} that are late. */
  public List<String> late(LocalDate today) {
    List<String> late = new ArrayList<>();
    promised.forEach((clock, day) -> {
      if (day.isBefore(today)) late.add(clock);
    });
    return late;
  }

  /** Reads the queue from a file, <i>a clock a line</i>. */
  public static Repairs load(Path file) throws IOException {
    Repairs repairs = new Repairs();
    for (String line : Files.readAllLines(file)) {
      repairs.bring(line, LocalDate.MAX);
    }
    return repairs;
  }

  /** Writes the queue to a file. */
  public void save(Path file) throws IOException {
    List<String> lines = List.copyOf(waiting);
    Files.write(file, lines);
  }

  /** 修理が終わった時計の数を数えます。 */
  public int countDone(Repairs earlier) {
    int done = earlier.waiting.size() - waiting.size();
    return Math.max(done, 0);
  }

  /** How long will the next clock of the queue take? */
  public Duration estimate(int wheels) {
    Duration each = Duration.ofMinutes(20);
    return each.multipliedBy(wheels).plusHours(1);
  }

  /** Reverses it. So the last clock comes first. */
  public void reverse() {
    Deque<String> turned = new ArrayDeque<>();
    while (!waiting.isEmpty()) turned.push(waiting.poll());
    waiting.addAll(turned);
  }

  /**
   * ==========================
   * The days until a clock is to be ready.
   */
  public long daysLeft(String clock, LocalDate today) {
    LocalDate until = promised.getOrDefault(clock, today);
    return until.toEpochDay() - today.toEpochDay();
  }

  /** Checks whether a string is a number of a clock, see https://clocks.invalid/numbers */
  public static boolean isNumber(String text) {
    return text.matches("[A-Z]{2}[0-9]{4}") && !text.startsWith("XX");
  }

  /** Splits a string at commas (blanks around them are lost). */
  public static List<String> splitParts(String text) {
    List<String> parts = new ArrayList<>();
    for (String part : text.split(",")) parts.add(part.trim());
    return parts;
  }

  /** Compares two dates that are given as strings. */
  public static int compareDays(String left, String right) {
    LocalDate first = LocalDate.parse(left);
    return first.compareTo(LocalDate.parse(right));
  }

  /** Closes the shop for a day and moves all promises. */
  public void closeForDay() {
    promised.replaceAll((clock, day) -> day.plusDays(1));
    waiting.removeIf(String::isEmpty);
  }

  /** Opens the shop. */
  public boolean open(LocalTime now) {
    LocalTime morning = LocalTime.of(9, 0);
    return now.isAfter(morning);
  }
}
