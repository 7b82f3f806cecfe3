package org.quietharbor.reminderbird.text;

import android.content.res.AssetFileDescriptor;
import android.content.res.AssetManager;
import android.content.res.XmlResourceParser;
import android.content.res.Resources;
import android.text.format.DateUtils;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.text.BreakIterator;
import java.text.DateFormatSymbols;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collections;
import java.util.GregorianCalendar;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.xmlpull.v1.XmlPullParserException;

/** Understands "call Ann tomorrow at half past five". */
public class PhraseReader {

  /** What was understood. */
  public static final class Reading {
    public final String what;
    public final Calendar when;
    public final boolean timeGiven;

    Reading(String what, Calendar when, boolean timeGiven) {
      this.what = what;
      this.when = when;
      this.timeGiven = timeGiven;
    }
  }

  private static final Pattern CLOCK = Pattern.compile("(\\d{1,2})(?:[:.h](\\d{2}))?(am|pm)?");
  private static final String[] NUMBERS = {
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"
  };

  private final Map<String, Integer> dayParts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  public PhraseReader() {
    dayParts.put("morning", 8);
    dayParts.put("noon", 12);
    dayParts.put("afternoon", 15);
    dayParts.put("evening", 19);
    dayParts.put("tonight", 21);
    dayParts.put("midnight", 0);
  }

  /** Goes through the words from left to right, takes out those that speak of time and keeps the rest. */
  public Reading read(String phrase, Calendar now) {
    List<String> rest = new ArrayList<>();
    LinkedList<String> words = new LinkedList<>();
    Collections.addAll(words, phrase.trim().split("[\\s,]+"));
    Calendar when = (Calendar) now.clone();
    int hour = -1;
    int minute = 0;
    boolean dayGiven = false;
    boolean relative = false;
    boolean half = false;

    while (!words.isEmpty()) {
      String original = words.poll();
      String word = original.toLowerCase(Locale.ENGLISH);
      String next = words.isEmpty() ? "" : words.peek().toLowerCase(Locale.ENGLISH);

      if (word.equals("today") || word.equals("tonight")) {
        dayGiven = true;
        if (word.equals("tonight") && hour < 0) {
          hour = dayParts.get(word);
        }
        continue;
      }
      if (word.equals("tomorrow")) {
        when.add(Calendar.DATE, 1);
        dayGiven = true;
        continue;
      }
      if (word.equals("day") && next.equals("after") && words.size() > 1 && words.get(1).equalsIgnoreCase("tomorrow")) {
        words.poll();
        words.poll();
        when.add(Calendar.DATE, 2);
        dayGiven = true;
        continue;
      }
      if (word.equals("in") && words.size() >= 2) {
        int amount = number(next);
        String unit = words.get(1).toLowerCase(Locale.ENGLISH);
        int field = -1;
        if (unit.startsWith("min")) {
          field = Calendar.MINUTE;
        } else if (unit.startsWith("hour")) {
          field = Calendar.HOUR;
        } else if (unit.startsWith("day")) {
          field = Calendar.DATE;
        } else if (unit.startsWith("week")) {
          field = Calendar.WEEK_OF_YEAR;
        } else if (unit.startsWith("month")) {
          field = Calendar.MONTH;
        }
        if (amount >= 0 && field >= 0) {
          words.poll();
          words.poll();
          when.add(field, amount);
          relative |= field == Calendar.MINUTE || field == Calendar.HOUR;
          dayGiven = true;
          continue;
        }
      }
      boolean skipWeek = word.equals("next");
      int weekday = weekday(skipWeek ? next : word);
      if ((word.equals("on") || word.equals("this")) && weekday(next) > 0) {
        words.poll();
        weekday = weekday(next);
      } else if (skipWeek && weekday > 0) {
        words.poll();
      }
      if (weekday > 0) {
        int ahead = (weekday - now.get(Calendar.DAY_OF_WEEK) + 7) % 7;
        when.setTimeInMillis(now.getTimeInMillis());
        when.add(Calendar.DATE, ahead == 0 || (skipWeek && ahead < 3) ? ahead + 7 : ahead);
        dayGiven = true;
        continue;
      }
      if (word.equals("half") && (next.equals("past") || number(next) > 0)) {
        half = true;
        if (next.equals("past")) words.poll();
        continue;
      }
      if (word.equals("quarter") && (next.equals("past") || next.equals("to"))) {
        words.poll();
        String spoken = words.isEmpty() ? "" : words.poll();
        hour = number(spoken.toLowerCase(Locale.ENGLISH)) - (next.equals("to") ? 1 : 0);
        minute = next.equals("to") ? 45 : 15;
        continue;
      }
      Matcher clock = CLOCK.matcher(next);
      boolean at = word.equals("at") || word.equals("by");
      if (at && (clock.matches() || number(next) >= 0 || dayParts.containsKey(next))) {
        continue;
      }
      clock = CLOCK.matcher(word);
      if (clock.matches() && (half || clock.group(2) != null || clock.group(3) != null || hour < 0)) {
        hour = Integer.parseInt(clock.group(1)) % 24;
        minute = clock.group(2) == null ? 0 : Math.min(59, Integer.parseInt(clock.group(2)));
        String suffix = clock.group(3) != null ? clock.group(3) : next.matches("[ap]m") ? words.poll() : null;
        if ("pm".equalsIgnoreCase(suffix) && hour < 12) hour += 12;
        if ("am".equalsIgnoreCase(suffix) && hour == 12) hour = 0;
        continue;
      }
      if (half && number(word) >= 0) {
        hour = number(word);
        continue;
      }
      if (dayParts.containsKey(word)) {
        int usual = dayParts.get(word);
        hour = hour > 0 && hour < 12 && usual > 12 ? hour + 12 : hour >= 0 ? hour : usual;
        continue;
      }
      rest.add(original);
    }

    if (!relative) {
      when.set(Calendar.HOUR_OF_DAY, hour < 0 ? 9 : hour);
      when.set(Calendar.MINUTE, half ? 30 : minute);
      when.set(Calendar.SECOND, 0);
      if (!dayGiven && !when.after(now)) {
        when.add(hour > 0 && hour < 8 ? Calendar.HOUR : Calendar.DATE, hour > 0 && hour < 8 ? 12 : 1);
      }
    }
    StringBuilder what = new StringBuilder();
    for (String word : rest) {
      what.append(what.length() == 0 ? "" : " ").append(word);
    }
    return new Reading(what.toString(), when, relative || hour >= 0);
  }

  private static int number(String word) {
    if (word.matches("\\d{1,3}")) return Integer.parseInt(word);
    if (word.equals("a") || word.equals("an")) return 1;
    for (int i = 0; i < NUMBERS.length; i++) {
      if (NUMBERS[i].equals(word)) return i;
    }
    return -1;
  }

  private static int weekday(String word) {
    if (word.length() < 3) return 0;
    String[] names = DateFormatSymbols.getInstance(Locale.ENGLISH).getWeekdays();
    for (int day = Calendar.SUNDAY; day <= Calendar.SATURDAY; day++) {
      if (names[day].equalsIgnoreCase(word) || names[day].substring(0, 3).equalsIgnoreCase(word)) return day;
    }
    return 0;
  }

  /** Shortens a text to whole words. */
  static String shorten(String text, int most, Locale locale) {
    if (text.length() <= most) return text;
    BreakIterator words = BreakIterator.getWordInstance(locale);
    words.setText(text);
    int end = words.preceding(most);
    return (end == BreakIterator.DONE || end == 0 ? text.substring(0, most) : text.substring(0, end).trim()) + "\u2026";
  }

  /** Strips accents, so that "cafe" finds "café". */
  static String plain(CharSequence text) {
    String split = Normalizer.normalize(text, Normalizer.Form.NFD);
    return split.replaceAll("\\p{M}+", "").toLowerCase(Locale.ROOT);
  }

  /** Reads a whole model file from the assets into native memory at once. */
  static ByteBuffer mapModel(AssetManager assets, String name) throws IOException {
    AssetFileDescriptor file = assets.openFd(name);
    try (FileInputStream in = new FileInputStream(file.getFileDescriptor())) {
      return in.getChannel().map(FileChannel.MapMode.READ_ONLY, file.getStartOffset(), file.getDeclaredLength());
    }
  }

  /** Loads spoken shortcuts, one per line of a properties file, over the built-in ones. */
  public Properties shortcuts(AssetManager assets, Locale locale) throws IOException {
    Properties usual = new Properties();
    usual.setProperty("lunch", "12:30");
    Properties local = new Properties(usual);
    local.load(assets.open("shortcuts_" + locale.getLanguage() + ".properties"));
    for (String key : local.stringPropertyNames()) {
      Matcher m = CLOCK.matcher(local.getProperty(key));
      if (m.lookingAt()) dayParts.put(key, Integer.valueOf(m.group(1)));
    }
    return local;
  }

  /** Collects the names of holidays from the XML resources of the app. */
  static Map<Integer, String> holidays(Resources res, int id) throws XmlPullParserException, IOException {
    Map<Integer, String> holidays = new TreeMap<>();
    try (XmlResourceParser xml = res.getXml(id)) {
      while (xml.next() != XmlResourceParser.END_DOCUMENT) {
        if (xml.getEventType() == XmlResourceParser.START_TAG && xml.getAttributeCount() == 2) {
          holidays.put(xml.getAttributeIntValue(null, "day", 101), xml.getAttributeValue(null, "name"));
        }
      }
    }
    return holidays;
  }

  /** Computes the date of Easter for a year. */
  static GregorianCalendar easter(int year) {
    int a = year % 19, b = year / 100, c = year % 100;
    int d = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
    int e = (32 + 2 * (b % 4) + 2 * (c / 4) - d - c % 4) % 7;
    int f = d + e - 7 * ((a + 11 * d + 22 * e) / 451) + 114;
    return new GregorianCalendar(year, f / 31 - 1, f % 31 + 1);
  }

  /** Says "in 3 days" or "yesterday" as the system words it. */
  static String relative(long moment, boolean dateOnly) {
    return DateUtils.getRelativeTimeSpanString(moment, System.currentTimeMillis(),
            dateOnly ? DateUtils.DAY_IN_MILLIS : DateUtils.MINUTE_IN_MILLIS,
            DateUtils.FORMAT_SHOW_WEEKDAY | DateUtils.FORMAT_SHOW_DATE | DateUtils.FORMAT_NO_YEAR
                | DateUtils.FORMAT_ABBREV_RELATIVE)
        .toString();
  }

  /** Joins neighbours in a list as long as a rule finds a common form for them. */
  static <T> void joinNeighbours(List<T> parts, BiFunction<T, T, T> rule) {
    ListIterator<T> it = parts.listIterator();
    T before = it.hasNext() ? it.next() : null;
    while (it.hasNext()) {
      T joined = rule.apply(before, it.next());
      if (joined != null) {
        it.remove();
        it.previous();
        it.set(joined);
        before = it.next();
      } else {
        before = parts.get(it.previousIndex());
      }
    }
  }
}
