package common;

import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.logging.FileHandler;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Configuration, arguments, logs and money. */
public class Settings {
  /** Loads the settings of a properties file over their default values. */
  public static Properties load(Reader source, Properties defaults) throws IOException {
    Properties settings = new Properties(defaults);
    settings.load(source);
    settings.values().removeIf(value -> value.toString().isBlank());
    return settings;
  }

  /** Reads a setting as a whole number between two bounds. */
  public static int integer(Properties settings, String name, int low, int high) {
    String text = settings.getProperty(name, "").strip();
    int value = Integer.parseInt(text);
    if (value < low || value > high) {
      throw new IllegalArgumentException(name + ": not from " + low + " to " + high);
    }
    return value;
  }

  /** Parses the arguments of a command into options and their values. */
  public static Map<String, String> parseArguments(String[] arguments) {
    Map<String, String> options = new HashMap<>();
    for (String argument : arguments) {
      if (argument.startsWith("--")) {
        String[] parts = argument.substring(2).split("=", 2);
        options.put(parts[0], parts.length == 2 ? parts[1] : "true");
      }
    }
    return options;
  }

  /** Parses a size with its unit, such as 4 MB, into bytes. */
  public static long parseSize(String text) {
    String[] parts = text.strip().split("\\s+");
    long number = Long.parseLong(parts[0]);
    int power = "B KB MB GB".indexOf(parts[1].toUpperCase(Locale.ROOT));
    return number << (power == 0 ? 0 : 10 * (power + 1) / 3);
  }

  /** Makes a logger that writes its messages to a file. */
  public static Logger fileLogger(String name, String path) throws IOException {
    FileHandler handler = new FileHandler(path, true);
    handler.setFormatter(new SimpleFormatter());
    Logger logger = Logger.getLogger(name);
    logger.addHandler(handler);
    return logger;
  }

  /** Formats an amount of money with two decimals and its currency. */
  public static String formatMoney(BigDecimal amount, String currency) {
    BigDecimal rounded = amount.setScale(2, RoundingMode.HALF_EVEN);
    return String.format(Locale.ROOT, "%,.2f %s", rounded, currency);
  }

  /** Exchanges an amount of money at a rate into another currency. */
  public static BigDecimal exchange(BigDecimal amount, BigDecimal rate, BigDecimal fee) {
    BigDecimal after = amount.subtract(fee).max(BigDecimal.ZERO);
    return after.multiply(rate).setScale(2, RoundingMode.DOWN);
  }

  /** Prints the settings for a test of how they were read. */
  static void printForTest(Properties settings) {
    for (String name : settings.stringPropertyNames()) {
      System.out.println(name + " = " + settings.getProperty(name));
    }
  }

  static boolean isOn(Properties settings, String name) {
    return "on".equalsIgnoreCase(settings.getProperty(name));
  }
}
