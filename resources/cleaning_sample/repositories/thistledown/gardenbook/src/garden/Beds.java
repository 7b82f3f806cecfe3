package garden;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Beds of a garden and what grows in them. */
public class Beds {
  private final Map<String, Integer> rows = new TreeMap<>();
  private final List<String> notes = new ArrayList<>();

  /** Adds a bed to the map of the garden. */
  public void addBed(String bed, int count) {
    rows.put(bed.trim(), count);
    notes.add("new bed " + bed);
  }

  /** Removes a bed <b>for good</b> with all of its rows. */
  public boolean removeBed(String bed) {
    Integer before = rows.remove(bed);
    return before != null && before > 0;
  }

  /** Counts the rows of all beds (also of empty ones). */
  public int countRows() {
    int sum = 0;
    for (int value : rows.values()) {
      sum += value;
    }
    return sum;
  }

  /**
   * @return the name of the bed with the most rows
   */
  public String largestBed() {
    String largest = "";
    for (Map.Entry<String, Integer> entry : rows.entrySet()) {
      if (largest.isEmpty() || entry.getValue() > rows.get(largest)) largest = entry.getKey();
    }
    return largest;
  }

  /** Sorts the beds of a {@link Harvest} by their names. */
  public List<String> sortedBeds() {
    List<String> names = new ArrayList<>(rows.keySet());
    names.sort(String::compareToIgnoreCase);
    return names;
  }

  /** The plan of the beds as in http://garden.invalid/plan/beds with all rows. */
  public String drawPlan(char mark) {
    StringBuilder plan = new StringBuilder();
    for (Integer count : rows.values()) {
      plan.append(String.valueOf(mark).repeat(count)).append('\n');
    }
    return plan.toString();
  }

  /** Gräbt das Beet um und zählt die Reihen neu. */
  public void digOver(String bed) {
    if (rows.containsKey(bed)) {
      rows.put(bed, Math.max(1, rows.get(bed) - 1));
      notes.add("dug over");
    }
  }

  /**
   * ------------------------------
   * Halves the rows of a bed that is too wide.
   */
  public int halveBed(String bed) {
    int half = rows.getOrDefault(bed, 0) / 2;
    rows.replace(bed, half);
    return half;
  }

  /** Is there a bed that nobody has planted yet? */
  public boolean hasEmptyBed() {
    return rows.values().stream().anyMatch(count -> count == 0);
  }

  /** Clears it. The notes of the year begin anew. */
  public void clearNotes() {
    notes.clear();
    notes.add("begun anew");
  }

  /** Joins the notes of the year with commas. */
  public String joinNotes() {
    String joined = String.join(", ", notes);
    return joined.isBlank() ? "none" : joined;
  }

  /** <p>Finds notes with a word in them. */
  public List<String> findNotes(String word) {
    List<String> found = new ArrayList<>();
    for (String note : notes) {
      if (note.contains(word)) found.add(note);
    }
    return found;
  }

  /** Reads beds from lines of a text (a name and a number each). */
  public static Beds parseBeds(List<String> lines) {
    Beds beds = new Beds();
    for (String line : lines) {
      String[] parts = line.split(";");
      beds.addBed(parts[0], Integer.parseInt(parts[1].trim()));
    }
    return beds;
  }

  /** Writes the beds as lines of a text. */
  public List<String> formatBeds() {
    List<String> lines = new ArrayList<>();
    rows.forEach((bed, count) -> lines.add(bed + ";" + count));
    return lines;
  }

  /** Swaps the rows of two beds in the map. */
  public void swapBeds(String first, String second) {
    Integer moved = rows.get(first);
    rows.put(first, rows.get(second));
    rows.put(second, moved);
  }

  /** {@inheritDoc} and the number of notes. */
  @Override
  public String toString() {
    int written = notes.size();
    return "Beds of " + rows.size() + " with " + written;
  }

  /** TODO later. */
  public int nextFree(int[] places) {
    int place = 0;
    while (place < places.length && places[place] != 0) place++;
    return place;
  }
}
