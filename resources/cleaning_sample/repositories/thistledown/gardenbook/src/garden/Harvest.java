package garden;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What was harvested, by crop. */
public class Harvest {
  private final Map<String, Double> kilos = new HashMap<>();

  /** Adds kilos of a crop to the harvest. */
  public void addCrop(String crop, double weight) {
    kilos.merge(crop.toLowerCase(Locale.ROOT), weight, Double::sum);
    assert weight >= 0;
  }

  /** Sums the kilos of all crops in a map. */
  public double sumKilos() {
    double total = 0;
    for (Double weight : kilos.values()) total += weight;
    return total;
  }

  /** Sorts crops by weight (the heaviest first). */
  public List<String> sortByWeight() {
    List<String> crops = new ArrayList<>(kilos.keySet());
    crops.sort((left, right) -> Double.compare(kilos.get(right), kilos.get(left)));
    return crops;
  }

  /** Finds the weight of a crop, 0 where {@code crop} was not harvested. */
  public double weightOf(String crop) {
    Double weight = kilos.get(crop);
    return weight == null ? 0.0 : weight;
  }

  /** Reads a harvest from a reader, line by line. */
  public static Harvest readHarvest(BufferedReader reader) throws IOException {
    Harvest harvest = new Harvest();
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      int blank = line.indexOf(' ');
      harvest.addCrop(line.substring(0, blank), Double.parseDouble(line.substring(blank + 1)));
    }
    return harvest;
  }

  /** Writes the harvest as <code>JSON</code> to a writer. */
  public void writeJson(Writer writer) throws IOException {
    String comma = "{";
    for (String crop : new TreeSet<>(kilos.keySet())) {
      writer.write(comma + '"' + crop + "\": " + kilos.get(crop));
      comma = ", ";
    }
    writer.write("}");
  }

  /** Урожай по культурам, от лучшей к худшей. */
  public String bestCrop() {
    List<String> crops = sortByWeight();
    return crops.isEmpty() ? "" : crops.get(0);
  }

  /** ???? !!!! ---- */
  public void scale(double factor) {
    kilos.replaceAll((crop, weight) -> weight * factor);
    kilos.values().removeIf(weight -> weight <= 0);
  }

  /** Which crops were better than those of the other year? */
  public Set<String> betterThan(Harvest other) {
    Set<String> better = new TreeSet<>();
    for (String crop : kilos.keySet()) {
      if (weightOf(crop) > other.weightOf(crop)) better.add(crop);
    }
    return better;
  }

  /** Merges it. The other harvest stays as it was. */
  public void mergeWith(Harvest other) {
    for (Map.Entry<String, Double> entry : other.kilos.entrySet()) {
      addCrop(entry.getKey(), entry.getValue());
    }
  }

  /** Converts kilos to pounds. */
  public static double toPounds(double weight) {
    double pounds = weight * 2.2046;
    return Math.round(pounds * 100) / 100.0;
  }

  /** Computes the mean of an array of numbers. */
  public static double mean(double[] numbers) {
    double sum = Arrays.stream(numbers).sum();
    return numbers.length == 0 ? Double.NaN : sum / numbers.length;
  }

  /** Finds the median of a list of numbers (it is sorted). */
  public static double median(List<Double> numbers) {
    Collections.sort(numbers);
    int middle = numbers.size() / 2;
    return numbers.get(middle);
  }

  /** From https://crops.invalid/names/latin by way of a table. */
  public static String latinName(String crop) {
    switch (crop) {
      case "bean":
        return "phaseolus";
      case "pea":
        return "pisum";
      default:
        return crop;
    }
  }

  /** Formats a number with two digits behind the point. */
  public static String formatKilos(double weight) {
    String text = String.format(Locale.ROOT, "%.2f kg", weight);
    return text.strip();
  }
}
