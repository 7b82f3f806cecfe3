package fieldnotes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of notes and where they stand. */
public class Notes {
  /** Reverses a string from the last character to the first. */
  public static String flip(String text) {
    String flipped = "";
    for (char character : text.toCharArray()) {
      flipped = character + flipped;
    }
    return flipped;
  }

  /** Turns the order of the lines of a note upside down. */
  public static String lastLineFirst(String note) {
    StringBuilder turned = new StringBuilder();
    for (String line : note.split("\n")) {
      turned.insert(0, line + "\n");
    }
    return turned.toString();
  }

  /** Counts the words of a note that blanks separate. */
  public static int wordCount(String note) {
    StringTokenizer tokens = new StringTokenizer(note, " \t\n.,;");
    int words = tokens.countTokens();
    return words;
  }

  /** Returns a map with the number of times that each word stands in a note. */
  public static Map<String, Integer> histogram(String note) {
    Map<String, Integer> histogram = new HashMap<>();
    Matcher word = Pattern.compile("\\p{L}+").matcher(note);
    while (word.find()) {
      String key = word.group().toLowerCase();
      histogram.put(key, 1 + histogram.getOrDefault(key, 0));
    }
    return histogram;
  }

  /** Counts how often a letter occurs in a note. */
  public static long countLetter(String note, char letter) {
    long times = note.chars().filter(code -> code == letter).count();
    long capitals = note.chars().filter(code -> code == Character.toUpperCase(letter)).count();
    return times + capitals;
  }

  /** Finds a species in the sorted register with a binary search. */
  public static int search(String[] register, String species) {
    int from = 0;
    int to = register.length;
    while (from < to) {
      int half = from + (to - from) / 2;
      int order = register[half].compareTo(species);
      if (order == 0) return half;
      if (order < 0) from = half + 1;
      else to = half;
    }
    return ~from;
  }

  /** Searches all notes for a word, one after the other. */
  public static List<Integer> scan(List<String> notes, String word) {
    List<Integer> hits = new ArrayList<>();
    for (int number = 0; number < notes.size(); number++) {
      if (notes.get(number).toLowerCase().contains(word.toLowerCase())) {
        hits.add(number);
      }
    }
    return hits;
  }

  /** Marks a word in a note by stars on both sides. */
  public static String mark(String note, String word) {
    Pattern whole = Pattern.compile("\\b" + Pattern.quote(word) + "\\b");
    return whole.matcher(note).replaceAll("*" + Matcher.quoteReplacement(word) + "*");
  }

  /** Collects the tags of a note, which begin with a hash sign. */
  public static List<String> tags(String note) {
    List<String> tags = new ArrayList<>();
    for (String token : note.split("\\s+")) {
      if (token.startsWith("#") && token.length() > 1) {
        tags.add(token.substring(1));
      }
    }
    return tags;
  }

  static String firstLine(String note) {
    return note.split("\n", 2)[0];
  }

  static boolean hasPhoto(String note) {
    return note.contains(".jpg");
  }
}
