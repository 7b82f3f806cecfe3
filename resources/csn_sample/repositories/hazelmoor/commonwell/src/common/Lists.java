package common;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Sorts, searches and groups lists. */
public class Lists {
  /** Sorts a list of maps by the value that each has under a key. */
  public static void sortByKey(List<Map<String, String>> records, String key) {
    records.sort(
        (first, second) -> {
          String left = first.getOrDefault(key, "");
          String right = second.getOrDefault(key, "");
          return left.compareTo(right);
        });
  }

  /**
   * Finds a number in a sorted array by binary search.
   *
   * @return its position, or -1 where the array does not hold it
   */
  public static int binarySearch(int[] sorted, int wanted) {
    int low = 0;
    int high = sorted.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] == wanted) {
        return middle;
      }
      if (sorted[middle] < wanted) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Removes duplicates from a list and keeps the order of the rest. */
  public static <T> List<T> distinct(List<T> items) {
    Set<T> seen = new HashSet<>();
    List<T> kept = new ArrayList<>();
    for (T item : items) {
      if (seen.add(item)) {
        kept.add(item);
      }
    }
    return kept;
  }

  /** Groups the elements of a list by what a function returns for them. */
  public static <K, T> Map<K, List<T>> groupBy(List<T> items, Function<T, K> classify) {
    Map<K, List<T>> groups = new LinkedHashMap<>();
    for (T item : items) {
      groups.computeIfAbsent(classify.apply(item), unused -> new ArrayList<>()).add(item);
    }
    return groups;
  }

  /** Splits a list into pages of the same size, the last one shorter. */
  public static <T> List<List<T>> paginate(List<T> items, int size) {
    List<List<T>> pages = new ArrayList<>();
    for (int start = 0; start < items.size(); start += size) {
      int end = Math.min(start + size, items.size());
      pages.add(items.subList(start, end));
    }
    return pages;
  }

  /** Merges two sorted arrays of numbers into one sorted array. */
  public static int[] merge(int[] left, int[] right) {
    int[] merged = new int[left.length + right.length];
    int i = 0;
    int j = 0;
    for (int at = 0; at < merged.length; at++) {
      boolean takeLeft = j == right.length || i < left.length && left[i] <= right[j];
      merged[at] = takeLeft ? left[i++] : right[j++];
    }
    return merged;
  }

  /** Sorts an array of numbers by inserting each at its place. */
  public static void insertionSort(double[] numbers) {
    for (int i = 1; i < numbers.length; i++) {
      double moving = numbers[i];
      int hole = i;
      while (hole > 0 && numbers[hole - 1] > moving) {
        numbers[hole] = numbers[hole - 1];
        hole--;
      }
      numbers[hole] = moving;
    }
  }

  /** Returns the elements of the first list that the second does not have. */
  public static <T> List<T> difference(List<T> first, List<T> second) {
    Set<T> excluded = new HashSet<>(second);
    List<T> remaining = new ArrayList<>(first);
    remaining.removeIf(excluded::contains);
    return remaining;
  }

  /** Finds the element that occurs most often in a list. */
  public static <T> T mostCommon(List<T> items) {
    Map<T, Integer> counts = new HashMap<>();
    T best = null;
    for (T item : items) {
      int count = counts.merge(item, 1, Integer::sum);
      if (best == null || count > counts.get(best)) {
        best = item;
      }
    }
    return best;
  }

  /** Swaps keys and values of a map; of equal values the last key wins. */
  public static <K, V> Map<V, K> invert(Map<K, V> map) {
    Map<V, K> inverted = new HashMap<>();
    for (Map.Entry<K, V> entry : map.entrySet()) {
      inverted.put(entry.getValue(), entry.getKey());
    }
    return inverted;
  }

  static <T> T last(List<T> items) {
    int size = items.size();
    return size == 0 ? null : items.get(size - 1);
  }
}
