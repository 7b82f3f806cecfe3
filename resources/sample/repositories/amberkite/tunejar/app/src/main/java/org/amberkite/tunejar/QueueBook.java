package org.amberkite.tunejar;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** What comes next. */
public class QueueBook {

    /** One song in the queue. */
    public static class Entry {
        final String uri;
        final String artist;
        final int seconds;
        int plays;

        Entry(String uri, String artist, int seconds) {
            this.uri = uri;
            this.artist = artist;
            this.seconds = seconds;
        }
    }

    /** In which order the songs follow each other. */
    public enum Order {
        AS_LISTED, SHUFFLED, LEAST_PLAYED {
            @Override
            void arrange(List<Entry> songs, Random dice) {
                Collections.shuffle(songs, dice);
                Collections.sort(songs, (a, b) -> Integer.compare(a.plays, b.plays));
            }
        };

        /** Puts the songs into this order, in place. */
        void arrange(List<Entry> songs, Random dice) {
            if (this != SHUFFLED) {
                return;
            }
            for (int i = songs.size() - 1; i > 0; i--) {
                int j = dice.nextInt(i + 1);
                boolean twins = i + 1 < songs.size() && songs.get(j).artist.equals(songs.get(i + 1).artist);
                Collections.swap(songs, i, twins ? dice.nextInt(i + 1) : j);
            }
        }
    }

    private final LinkedList<Entry> songs = new LinkedList<>();
    private final List<Entry> played = new ArrayList<>();
    private int at = -1;
    private boolean around;

    /** Goes some steps through the queue; null means that it is over. */
    synchronized Entry move(int step) {
        if (songs.isEmpty()) {
            return null;
        }
        int target = at + step;
        if (around) {
            target = Math.floorMod(target, songs.size());
        } else if (target < 0 || target >= songs.size()) {
            return null;
        }
        at = target;
        Entry entry = songs.get(at);
        entry.plays++;
        played.add(entry);
        return entry;
    }

    /** Adds songs right after the current one. */
    synchronized void playNext(Entry... more) {
        int where = Math.min(songs.size(), at + 1);
        for (Entry song : more) {
            if (!songs.contains(song)) {
                songs.add(where++, song);
            }
        }
    }

    /** Throws away songs that come twice and returns how many went. */
    synchronized int dropDoubles() {
        Set<String> seen = new HashSet<>();
        Entry current = at >= 0 && at < songs.size() ? songs.get(at) : null;
        int before = songs.size();
        songs.removeIf(song -> song != current && !seen.add(song.uri));
        at = current == null ? -1 : songs.indexOf(current);
        return before - songs.size();
    }

    /** Rearranges what is still to come, never what has been heard. */
    synchronized void rearrange(Order order) {
        List<Entry> rest = new ArrayList<>(songs.subList(at + 1, songs.size()));
        order.arrange(rest, new Random());
        songs.subList(at + 1, songs.size()).clear();
        songs.addAll(rest);
    }

    /** The artists one heard longest, best first. */
    List<String> favourites(int limit) {
        final Map<String, Integer> time = new HashMap<>();
        for (Entry entry : played) {
            Integer old = time.get(entry.artist);
            time.put(entry.artist, (old == null ? 0 : old) + entry.seconds);
        }
        List<String> names = new ArrayList<>(time.keySet());
        Collections.sort(names, new Comparator<String>() {
            @Override
            public int compare(String left, String right) {
                int byTime = time.get(right) - time.get(left);
                return byTime != 0 ? byTime : left.compareToIgnoreCase(right);
            }
        });
        return names.subList(0, Math.min(limit, names.size()));
    }

    /** Chooses songs that fill a given time as exactly as possible, for sleep timers and car rides. */
    static List<Entry> fill(List<Entry> from, int seconds) {
        int[] best = new int[seconds + 1];
        boolean[][] taken = new boolean[from.size()][];
        for (int i = 0; i < from.size(); i++) {
            int length = from.get(i).seconds;
            taken[i] = new boolean[seconds + 1];
            for (int room = seconds; room >= length; room--) {
                if (best[room - length] + length > best[room]) {
                    best[room] = best[room - length] + length;
                    taken[i][room] = true;
                }
            }
        }
        List<Entry> out = new ArrayList<>();
        int room = seconds;
        for (int i = from.size() - 1; i >= 0; i--) {
            if (taken[i][room]) {
                out.add(0, from.get(i));
                room -= from.get(i).seconds;
            }
        }
        return out;
    }
}
