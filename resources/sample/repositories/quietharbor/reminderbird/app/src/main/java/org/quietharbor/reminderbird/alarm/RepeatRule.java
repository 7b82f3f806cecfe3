package org.quietharbor.reminderbird.alarm;

import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TimeZone;

/** A part of the iCalendar recurrence rule, as far as reminders need it. */
public class RepeatRule {

  /** How often a rule repeats. */
  public enum Frequency {
    HOURLY(Calendar.HOUR_OF_DAY),
    DAILY(Calendar.DAY_OF_MONTH),
    WEEKLY(Calendar.WEEK_OF_YEAR),
    MONTHLY(Calendar.MONTH),
    YEARLY(Calendar.YEAR);

    private final int field;

    Frequency(int field) {
      this.field = field;
    }

    /** Moves a calendar on by so many units of this frequency. */
    Calendar step(Calendar from, int units) {
      Calendar moved = (Calendar) from.clone();
      moved.add(field, units);
      return moved;
    }
  }

  public enum Weekday {
    SU, MO, TU, WE, TH, FR, SA;

    static Weekday of(Calendar calendar) {
      return values()[calendar.get(Calendar.DAY_OF_WEEK) - Calendar.SUNDAY];
    }

    boolean isWeekend() {
      return this == SU || this == SA;
    }
  }

  private Frequency frequency;
  private int interval = 1;
  private int count = -1;
  private long until = Long.MAX_VALUE;
  private final Set<Weekday> weekdays = EnumSet.noneOf(Weekday.class);
  private final BitSet monthDays = new BitSet(32);
  private int nth;
  private TimeZone zone = TimeZone.getDefault();

  /**
   * Reads a rule such as {@code FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=10}.
   *
   * @throws ParseException with the offset of the first part that makes no sense
   */
  public static RepeatRule parse(String source) throws ParseException {
    RepeatRule rule = new RepeatRule();
    String text = source.trim().toUpperCase(Locale.US);
    int offset = 0;
    if (text.startsWith("RRULE:")) {
      offset = "RRULE:".length();
    }
    List<String> met = new ArrayList<>();
    while (offset < text.length()) {
      int semicolon = text.indexOf(';', offset);
      int end = semicolon < 0 ? text.length() : semicolon;
      int equals = text.indexOf('=', offset);
      if (equals < 0 || equals > end) {
        throw new ParseException("no value in " + text.substring(offset, end), offset);
      }
      String key = text.substring(offset, equals);
      String value = text.substring(equals + 1, end);
      if (met.contains(key)) {
        throw new ParseException(key + " twice", offset);
      }
      met.add(key);
      switch (key) {
        case "FREQ":
          try {
            rule.frequency = Frequency.valueOf(value);
          } catch (IllegalArgumentException e) {
            throw new ParseException("cannot repeat " + value, equals + 1);
          }
          break;
        case "INTERVAL":
        case "COUNT":
          int number;
          try {
            number = Integer.parseInt(value);
          } catch (NumberFormatException e) {
            number = 0;
          }
          if (number < 1) {
            throw new ParseException(key + " must be a positive number", equals + 1);
          }
          if ("COUNT".equals(key)) {
            rule.count = number;
          } else {
            rule.interval = number;
          }
          break;
        case "UNTIL":
          boolean utc = value.endsWith("Z");
          boolean dateOnly = value.indexOf('T') < 0;
          SimpleDateFormat format =
              new SimpleDateFormat(dateOnly ? "yyyyMMdd" : "yyyyMMdd'T'HHmmss", Locale.US);
          format.setLenient(false);
          if (utc) {
            format.setTimeZone(TimeZone.getTimeZone("UTC"));
          }
          Date last = format.parse(utc ? value.substring(0, value.length() - 1) : value);
          rule.until = last.getTime() + (dateOnly ? 86399999L : 0);
          break;
        case "BYDAY":
          for (String day : value.split(",")) {
            int letters = day.length() - 2;
            if (letters < 0) {
              throw new ParseException("no weekday: " + day, equals + 1);
            }
            if (letters > 0) {
              String ordinal = day.substring(0, letters);
              try {
                rule.nth = Integer.parseInt(ordinal.startsWith("+") ? ordinal.substring(1) : ordinal);
              } catch (NumberFormatException e) {
                throw new ParseException("odd ordinal " + ordinal, equals + 1);
              }
              if (rule.nth == 0 || Math.abs(rule.nth) > 5) {
                throw new ParseException("no month has a weekday number " + rule.nth, equals + 1);
              }
            }
            try {
              rule.weekdays.add(Weekday.valueOf(day.substring(letters)));
            } catch (IllegalArgumentException e) {
              throw new ParseException("no weekday: " + day, equals + 1);
            }
          }
          break;
        case "BYMONTHDAY":
          for (String day : value.split(",")) {
            int dayNumber = day.matches("-?\\d{1,2}") ? Integer.parseInt(day) : 0;
            if (dayNumber == -1) {
              // the last day is kept in the otherwise useless bit zero
              rule.monthDays.set(0);
            } else if (dayNumber >= 1 && dayNumber <= 31) {
              rule.monthDays.set(dayNumber);
            } else {
              throw new ParseException("no day of a month: " + day, equals + 1);
            }
          }
          break;
        case "WKST":
          break;
        default:
          if (!key.startsWith("X-")) {
            throw new ParseException("unsupported part " + key, offset);
          }
      }
      offset = end + 1;
    }
    if (rule.frequency == null) {
      throw new ParseException("FREQ is missing", 0);
    }
    if (rule.count > 0 && rule.until != Long.MAX_VALUE) {
      throw new ParseException("COUNT and UNTIL exclude each other", 0);
    }
    if (rule.nth != 0 && rule.frequency != Frequency.MONTHLY) {
      throw new ParseException("ordinals only work in monthly rules", 0);
    }
    return rule;
  }

  /** Finds the first time after a moment at which the rule rings again, or -1. */
  public long nextAfter(long start, long moment) {
    Calendar cursor = Calendar.getInstance(zone, Locale.US);
    cursor.setTimeInMillis(start);
    int rung = 0;
    int rounds = 0;
    while (rounds++ < 4000) {
      for (Calendar candidate : candidates(cursor)) {
        long at = candidate.getTimeInMillis();
        if (at < start) continue;
        rung++;
        if (at > until || (count > 0 && rung > count)) return -1;
        if (at > moment) return at;
      }
      cursor = frequency.step(cursor, interval);
    }
    return -1;
  }

  private List<Calendar> candidates(Calendar period) {
    List<Calendar> found = new ArrayList<>();
    if (frequency == Frequency.WEEKLY && !weekdays.isEmpty()) {
      Calendar day = (Calendar) period.clone();
      day.set(Calendar.DAY_OF_WEEK, day.getFirstDayOfWeek());
      for (int i = 0; i < 7; i++, day.add(Calendar.DATE, 1)) {
        if (weekdays.contains(Weekday.of(day))) found.add((Calendar) day.clone());
      }
    } else if (frequency == Frequency.MONTHLY && nth != 0) {
      for (Weekday w : weekdays) {
        Calendar day = (Calendar) period.clone();
        day.set(Calendar.DAY_OF_WEEK, w.ordinal() + 1);
        day.set(Calendar.DAY_OF_WEEK_IN_MONTH, nth);
        found.add(day);
      }
    } else if (frequency == Frequency.MONTHLY && !monthDays.isEmpty()) {
      int longest = period.getActualMaximum(Calendar.DAY_OF_MONTH);
      for (int d = monthDays.nextSetBit(1); d >= 0 && d <= longest; d = monthDays.nextSetBit(d + 1)) {
        Calendar day = (Calendar) period.clone();
        day.set(Calendar.DAY_OF_MONTH, d);
        found.add(day);
      }
    } else {
      found.add(period);
    }
    return found;
  }

  /** Says in English what the rule does, for the list of reminders. */
  public String inWords() {
    String unit = frequency.name().toLowerCase(Locale.US).replace("daily", "dayly");
    unit = unit.substring(0, unit.length() - 2);
    StringBuilder words = new StringBuilder("every ");
    words.append(interval == 1 ? unit : interval + " " + unit + "s");
    if (weekdays.size() == 5 && !weekdays.contains(Weekday.SA) && !weekdays.contains(Weekday.SU)) {
      words.append(" from Monday to Friday");
    } else if (!weekdays.isEmpty()) {
      words.append(" on ").append(weekdays.toString().replaceAll("[\\[\\]]", ""));
    }
    return count > 0 ? words.append(", ").append(count).append(" times").toString() : words.toString();
  }

  /** Checks whether two rules would ring on the same weekend days. */
  static boolean clash(RepeatRule one, RepeatRule two) {
    return one.weekdays.stream().filter(Weekday::isWeekend).anyMatch(two.weekdays::contains)
        && one.interval % two.interval == 0;
  }

  /** Packs the ringing minutes of a day, given as "7:30", into sorted numbers. */
  static int[] minutes(String... clockTimes) {
    return Arrays.stream(clockTimes)
        .map(t -> t.split(":"))
        .mapToInt(p -> Integer.parseInt(p[0]) * 60 + Integer.parseInt(p[1]))
        .sorted()
        .distinct()
        .toArray();
  }
}
