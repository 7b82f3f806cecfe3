package common;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Keeps a limited number of values, and jobs that wait. */
public class Cache<K, V> {
  private final Map<K, V> values = new LinkedHashMap<>();
  private final Deque<Runnable> jobs = new ArrayDeque<>();
  private final int capacity;
  private long hits;
  private long misses;

  /** Makes an empty cache. */
  public Cache(int capacity) {
    this.capacity = capacity;
  }

  /** Returns a value of the cache and marks it as used most recently. */
  public Optional<V> get(K key) {
    V value = values.remove(key);
    if (value == null) {
      misses++;
      return Optional.empty();
    }
    values.put(key, value);
    hits++;
    return Optional.of(value);
  }

  /** Puts a value into the cache and evicts the eldest one if it is full. */
  public void put(K key, V value) {
    values.remove(key);
    if (values.size() == capacity) {
      Iterator<K> eldest = values.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
    values.put(key, value);
  }

  /** Returns the cached value of a key or loads it with a function. */
  public V getOrLoad(K key, Function<K, V> loader) {
    Optional<V> cached = get(key);
    if (cached.isPresent()) {
      return cached.get();
    }
    V loaded = loader.apply(key);
    put(key, loaded);
    return loaded;
  }

  /** Computes the share of requests that the cache could answer. */
  public double hitRate() {
    long requests = hits + misses;
    if (requests == 0) {
      return 0;
    }
    return (double) hits / requests;
  }

  /** Adds a job to the queue, urgent ones to its front. */
  public void enqueue(Runnable job, boolean urgent) {
    if (urgent) {
      jobs.addFirst(job);
    } else {
      jobs.addLast(job);
    }
  }

  /** Runs all jobs of the queue and counts those that failed. */
  public int runAll() {
    int failed = 0;
    while (!jobs.isEmpty()) {
      try {
        jobs.removeFirst().run();
      } catch (RuntimeException problem) {
        failed++;
      }
    }
    return failed;
  }

  /** Describes the cache by the number of its values and its hit rate. */
  @Override
  public String toString() {
    return String.format("%d values, %.0f %% hits", values.size(), 100 * hitRate());
  }

  void clear() {
    values.clear();
    jobs.clear();
  }
}
