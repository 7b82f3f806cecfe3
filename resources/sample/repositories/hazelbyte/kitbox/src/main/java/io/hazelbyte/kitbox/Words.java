package io.hazelbyte.kitbox;

import java.text.BreakIterator;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Strings, and lists of them.
 */
public final class Words {

    private static final Pattern HOLE = Pattern.compile("\\{(\\w+)(?::([^}]*))?\\}");

    /** Takes strings one by one. */
    public interface Sink {
        void accept(String text);

        /** Passes several texts on at once. */
        default Sink acceptAll(Iterable<String> texts) {
            for (String text : texts) {
                accept(text);
            }
            return this;
        }
    }

    private Words() {
    }

    /**
     * Fills the holes of a template from a map; a hole may carry a default after a colon.
     */
    public static String fill(String template, Map<String, ?> values) {
        Matcher hole = HOLE.matcher(template);
        StringBuffer out = new StringBuffer();
        while (hole.find()) {
            Object value = values.get(hole.group(1));
            String text = value != null ? value.toString() : hole.group(2) != null ? hole.group(2) : "?";
            hole.appendReplacement(out, Matcher.quoteReplacement(text));
        }
        return hole.appendTail(out).toString();
    }

    /**
     * How many letters must be changed, added or removed to make one word of another.
     */
    public static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) row[j] = j;
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int above = row[j];
                int swap = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(swap, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[to.length()];
    }

    /**
     * Makes a file name out of any title.
     */
    public static String fileName(String title, String ending) {
        String plain = Normalizer.normalize(title, Normalizer.Form.NFKD).replaceAll("[^\\x20-\\x7e]", "");
        String safe = plain.trim().replaceAll("[\\\\/:*?\"<>|\\s]+", "-").replaceAll("^[-.]+|-+$", "");
        int room = 100 - ending.length() - 1;
        return (safe.isEmpty() ? "untitled" : safe.substring(0, Math.min(room, safe.length()))) + "." + ending;
    }

    /** Shortens any text to a code of letters that cannot be confused when it is read out on the phone. */
    public static String spokenCode(String text, int length) {
        String alphabet = "ACDEFHJKLMNPRTUVWXY";
        long mix = 1125899906842597L;
        for (int i = 0; i < text.length(); i++) {
            mix = 31 * mix + text.charAt(i);
        }
        char[] code = new char[length];
        for (int i = 0; i < length; i++) {
            mix ^= mix >>> 29;
            code[i] = alphabet.charAt((int) Math.floorMod(mix, (long) alphabet.length()));
            mix *= 6364136223846793005L;
        }
        return new String(code);
    }

    /** Upper case at the start of each sentence, as the language sees sentences. */
    public static String sentenceCase(String text, Locale locale) {
        StringBuilder out = new StringBuilder(text);
        BreakIterator sentences = BreakIterator.getSentenceInstance(locale);
        sentences.setText(text);
        for (int at = sentences.first(); at != BreakIterator.DONE && at < text.length(); at = sentences.next()) {
            out.setCharAt(at, Character.toTitleCase(text.charAt(at)));
        }
        return out.toString();
    }

    /** Groups items under a key, in the order of their first appearance. */
    @SafeVarargs
    public static <T> Map<Character, List<T>> byInitial(T... items) {
        Map<Character, List<T>> out = new LinkedHashMap<>();
        for (T item : items) {
            String name = String.valueOf(item);
            char initial = name.isEmpty() || !Character.isLetter(name.charAt(0)) ? '#' : Character.toUpperCase(name.charAt(0));
            List<T> shelf = out.get(initial);
            if (shelf == null) {
                out.put(initial, shelf = new ArrayList<>());
            }
            shelf.add(item);
        }
        return out;
    }

    /** Cuts a list in pieces of equal size, lazily. */
    public static <T> Iterable<List<T>> pieces(final List<T> whole, final int size) {
        return () -> new Iterator<List<T>>() {
            private int from;

            @Override
            public boolean hasNext() {
                return from < whole.size() && size > 0;
            }

            @Override
            public List<T> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("after " + from);
                }
                int to = Math.min(whole.size(), from + size);
                List<T> piece = Collections.unmodifiableList(whole.subList(from, to));
                from = to;
                return piece;
            }
        };
    }

    /** The word that occurs most often in a text. */
    public static String commonest(String text, String... ignored) {
        Map<String, Integer> counts = new HashMap<>();
        List<String> skip = Arrays.asList(ignored);
        String winner = null;
        for (String word : text.toLowerCase(Locale.ROOT).split("\\P{L}+")) {
            if (word.isEmpty() || skip.contains(word)) {
                continue;
            }
            int count = counts.containsKey(word) ? counts.get(word) + 1 : 1;
            counts.put(word, count);
            if (winner == null || count > counts.get(winner)) {
                winner = word;
            }
        }
        return winner;
    }

    /**
     * Sets rows of cells as a table of plain text. Columns get the width they need; when that is too much, the
     * widest ones give way and their cells are broken over several lines. Numbers are set flush right.
     */
    public static String table(List<String[]> rows, int width) {
        int columns = 0;
        for (String[] row : rows) {
            columns = Math.max(columns, row.length);
        }
        if (columns == 0) {
            return "";
        }
        int[] need = new int[columns];
        int[] longestWord = new int[columns];
        boolean[] numeric = new boolean[columns];
        Arrays.fill(numeric, true);
        for (int r = 0; r < rows.size(); r++) {
            String[] row = rows.get(r);
            for (int c = 0; c < row.length; c++) {
                String cell = row[c] == null ? "" : row[c];
                need[c] = Math.max(need[c], cell.length());
                for (String word : cell.split(" ")) {
                    longestWord[c] = Math.max(longestWord[c], word.length());
                }
                if (r > 0 && !cell.matches("[-+]?[\\d.,]*%?")) {
                    numeric[c] = false;
                }
            }
        }

        // shrink the widest column that can still be broken, one character at a time
        int room = width - 3 * (columns - 1);
        int total = 0;
        for (int n : need) {
            total += n;
        }
        while (total > room) {
            int widest = -1;
            for (int c = 0; c < columns; c++) {
                boolean breakable = !numeric[c] && need[c] > Math.min(longestWord[c], 12);
                if (breakable && (widest < 0 || need[c] > need[widest])) {
                    widest = c;
                }
            }
            if (widest < 0) {
                break;
            }
            need[widest]--;
            total--;
        }

        StringBuilder out = new StringBuilder();
        for (int r = 0; r < rows.size(); r++) {
            String[] row = rows.get(r);
            List<List<String>> cells = new ArrayList<>();
            int height = 1;
            for (int c = 0; c < columns; c++) {
                List<String> lines = new ArrayList<>();
                String rest = c < row.length && row[c] != null ? row[c].trim() : "";
                while (rest.length() > need[c]) {
                    int cut = rest.lastIndexOf(' ', need[c]);
                    boolean hard = cut <= 0;
                    if (hard) {
                        cut = Math.max(1, need[c] - 1);
                        lines.add(rest.substring(0, cut) + (need[c] > 1 ? "-" : ""));
                        rest = rest.substring(cut);
                    } else {
                        lines.add(rest.substring(0, cut));
                        rest = rest.substring(cut + 1).trim();
                    }
                }
                lines.add(rest);
                cells.add(lines);
                height = Math.max(height, lines.size());
            }
            for (int line = 0; line < height; line++) {
                int lineStart = out.length();
                for (int c = 0; c < columns; c++) {
                    List<String> lines = cells.get(c);
                    String text = line < lines.size() ? lines.get(line) : "";
                    int gap = Math.max(0, need[c] - text.length());
                    if (c > 0) {
                        out.append(" | ");
                    }
                    if (numeric[c] && r > 0) {
                        for (int i = 0; i < gap; i++) {
                            out.append(' ');
                        }
                        out.append(text);
                    } else {
                        out.append(text);
                        for (int i = 0; i < gap; i++) {
                            out.append(' ');
                        }
                    }
                }
                int end = out.length();
                while (end > lineStart && out.charAt(end - 1) == ' ') {
                    end--;
                }
                out.setLength(end);
                out.append('\n');
            }
            if (r == 0 && rows.size() > 1) {
                for (int c = 0; c < columns; c++) {
                    char[] dashes = new char[need[c]];
                    Arrays.fill(dashes, '-');
                    out.append(c == 0 ? "" : "-+-").append(dashes);
                }
                out.append('\n');
            }
        }
        return out.toString();
    }
}
