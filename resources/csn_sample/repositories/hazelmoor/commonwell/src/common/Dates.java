package common;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Parses, formats and compares dates. */
public class Dates {
  private static final String[] PATTERNS = {"yyyy-MM-dd", "dd.MM.yyyy", "MM/dd/yyyy"};

  /** Parses a string as a date, whichever of three patterns it has. */
  public static LocalDate parseDate(String text) {
    for (String pattern : PATTERNS) {
      try {
        return LocalDate.parse(text, DateTimeFormatter.ofPattern(pattern));
      } catch (DateTimeParseException wrongPattern) {
        continue;
      }
    }
    throw new IllegalArgumentException("no date: " + text);
  }

  /** Formats a date with the name of its day and month. */
  public static String formatLong(LocalDate date, Locale locale) {
    DateTimeFormatter formatter = DateTimeFormatter.ofPattern("EEEE, d MMMM yyyy", locale);
    return date.format(formatter);
  }

  /** Counts the working days between two dates, weekends left out. */
  public static int workingDays(LocalDate start, LocalDate end) {
    int days = 0;
    for (LocalDate day = start; day.isBefore(end); day = day.plusDays(1)) {
      DayOfWeek weekday = day.getDayOfWeek();
      if (weekday != DayOfWeek.SATURDAY && weekday != DayOfWeek.SUNDAY) {
        days++;
      }
    }
    return days;
  }

  /** Computes how many full years old somebody is on a day. */
  public static long ageOn(LocalDate birthday, LocalDate today) {
    if (today.isBefore(birthday)) {
      throw new IllegalArgumentException("not yet born");
    }
    return ChronoUnit.YEARS.between(birthday, today);
  }

  /** Lists the first days of all months of a year. */
  public static List<LocalDate> monthStarts(int year) {
    List<LocalDate> starts = new ArrayList<>();
    for (int month = 1; month <= 12; month++) {
      starts.add(LocalDate.of(year, month, 1));
    }
    return starts;
  }

  /** Writes a duration in hours, minutes and seconds with two digits each. */
  public static String formatDuration(Duration duration) {
    long seconds = duration.getSeconds();
    long hours = seconds / 3600;
    long minutes = seconds % 3600 / 60;
    return String.format("%02d:%02d:%02d", hours, minutes, seconds % 60);
  }

  private static boolean isWeekend(LocalDate day) {
    return day.getDayOfWeek().getValue() > 5;
  }
}
