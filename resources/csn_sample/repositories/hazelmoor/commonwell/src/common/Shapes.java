package common;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** Points, colours and graphs. */
public class Shapes {
  /** Measures the distance between two points on the plane. */
  public static double distance(double[] from, double[] to) {
    double dx = to[0] - from[0];
    double dy = to[1] - from[1];
    return Math.sqrt(dx * dx + dy * dy);
  }

  /** Computes the area of a triangle from the lengths of its sides. */
  public static double triangleArea(double a, double b, double c) {
    double half = (a + b + c) / 2;
    double square = half * (half - a) * (half - b) * (half - c);
    return square > 0 ? Math.sqrt(square) : 0;
  }

  /** Parses a colour in hexadecimal digits into red, green and blue. */
  public static int[] parseColour(String text) {
    if (!text.matches("#[0-9a-fA-F]{6}")) {
      throw new IllegalArgumentException("no colour: " + text);
    }
    int value = Integer.parseInt(text.substring(1), 16);
    return new int[] {value >> 16, value >> 8 & 255, value & 255};
  }

  /** Computes how bright a colour looks, from zero to one. */
  public static double luminance(int red, int green, int blue) {
    double weighted = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    return Math.min(1.0, weighted / 255);
  }

  /** Visits the nodes of a graph from a start, the nearest first. */
  public static Set<String> breadthFirst(Map<String, List<String>> graph, String start) {
    Set<String> visited = new LinkedHashSet<>(List.of(start));
    Queue<String> waiting = new ArrayDeque<>(visited);
    while (!waiting.isEmpty()) {
      for (String neighbour : graph.getOrDefault(waiting.remove(), List.of())) {
        if (visited.add(neighbour)) {
          waiting.add(neighbour);
        }
      }
    }
    return visited;
  }

  /** Counts how many edges of a graph end in each node. */
  public static Map<String, Integer> inDegrees(Map<String, List<String>> graph) {
    Map<String, Integer> degrees = new HashMap<>();
    for (List<String> targets : graph.values()) {
      for (String target : targets) {
        degrees.put(target, degrees.getOrDefault(target, 0) + 1);
      }
    }
    return degrees;
  }

  private static double square(double side) {
    return side * side;
  }
}
