package common;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Works on words and characters. */
public class Texts {
  /** Returns a string with its characters in reverse order. */
  public static String reverse(String text) {
    char[] characters = text.toCharArray();
    for (int left = 0, right = characters.length - 1; left < right; left++, right--) {
      char kept = characters[left];
      characters[left] = characters[right];
      characters[right] = kept;
    }
    return new String(characters);
  }

  /** Counts how often every word occurs in a text, whatever its case. */
  public static Map<String, Integer> countWords(String text) {
    Map<String, Integer> counts = new TreeMap<>();
    for (String word : text.toLowerCase(Locale.ROOT).split("\\W+")) {
      if (!word.isEmpty()) {
        counts.merge(word, 1, Integer::sum);
      }
    }
    return counts;
  }

  /** Counts the lines of a text that are not blank. */
  public static int countLines(String text) {
    int count = 0;
    for (String line : text.split("\n")) {
      if (!line.isBlank()) {
        count++;
      }
    }
    return count;
  }

  /** Tells whether a phrase is the same when it is read backwards. */
  public static boolean isPalindrome(String phrase) {
    String letters = phrase.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
    int last = letters.length() - 1;
    for (int i = 0; i < last - i; i++) {
      if (letters.charAt(i) != letters.charAt(last - i)) {
        return false;
      }
    }
    return true;
  }

  /** Writes the first letter of each word of a title as a capital. */
  public static String capitalize(String title) {
    StringBuilder result = new StringBuilder();
    boolean atStart = true;
    for (char letter : title.toCharArray()) {
      result.append(atStart ? Character.toUpperCase(letter) : letter);
      atStart = Character.isWhitespace(letter);
    }
    return result.toString();
  }

  /** Converts a name with underscores to camel case. */
  public static String toCamelCase(String name) {
    StringBuilder camel = new StringBuilder();
    for (String part : name.split("_")) {
      String first = part.substring(0, 1);
      camel.append(camel.length() == 0 ? first : first.toUpperCase(Locale.ROOT));
      camel.append(part.substring(1));
    }
    return camel.toString();
  }

  /**
   * Shortens a text to a number of characters and adds an ellipsis.
   *
   * @param limit how long the result may be
   * @return the text itself where it is short enough
   */
  public static String shorten(String text, int limit) {
    if (text.length() <= limit) {
      return text;
    }
    int space = text.lastIndexOf(' ', limit - 1);
    return text.substring(0, space > 0 ? space : limit - 1) + "…";
  }

  /** Breaks a long text into lines of a limited width between its words. */
  public static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split("\\s+")) {
      if (line.length() > 0 && line.length() + word.length() >= width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() > 0 ? " " : "").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** Replaces the names between braces in a template by their values. */
  public static String fillTemplate(String template, Map<String, ?> values) {
    String filled = template;
    for (Map.Entry<String, ?> entry : values.entrySet()) {
      filled = filled.replace("{" + entry.getKey() + "}", String.valueOf(entry.getValue()));
    }
    return filled;
  }

  /** Tells whether two words have the same letters in another order. */
  public static boolean areAnagrams(String first, String second) {
    char[] one = first.toLowerCase(Locale.ROOT).toCharArray();
    char[] other = second.toLowerCase(Locale.ROOT).toCharArray();
    Arrays.sort(one);
    Arrays.sort(other);
    return Arrays.equals(one, other);
  }

  /** Fills a number with zeros on the left up to a width. */
  public static String padZeros(long number, int width) {
    String digits = Long.toString(Math.abs(number));
    String zeros = "0".repeat(Math.max(0, width - digits.length()));
    return (number < 0 ? "-" : "") + zeros + digits;
  }

  /** Splits a text into sentences after full stops, question and exclamation marks. */
  public static List<String> sentences(String text) {
    List<String> found = new ArrayList<>();
    for (String sentence : text.split("(?<=[.!?])\\s+")) {
      if (!sentence.isBlank()) {
        found.add(sentence.strip());
      }
    }
    return found;
  }

  private static boolean isVowel(char letter) {
    return "aeiou".indexOf(letter) >= 0;
  }
}
