package com.northpixel.brushpad;

import android.content.SharedPreferences;
import android.graphics.Color;
import android.text.TextUtils;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads colour palettes of other programs. */
public class PaletteImporter {

    public static class Swatch {
        final String name;
        final int argb;

        Swatch(String name, int argb) {
            this.name = name;
            this.argb = argb;
        }

        /** Measures how different two swatches look, weighting green more than blue. */
        double distance(Swatch o) {
            int mean = (Color.red(argb) + Color.red(o.argb)) / 2;
            int dr = Color.red(argb) - Color.red(o.argb);
            int dg = Color.green(argb) - Color.green(o.argb);
            int db = Color.blue(argb) - Color.blue(o.argb);
            return Math.sqrt((2 + mean / 256.0) * dr * dr + 4 * dg * dg + (2 + (255 - mean) / 256.0) * db * db);
        }
    }

    private final List<String> problems = new ArrayList<>();

    /**
     * Parses a textual palette: GIMP's gpl, JASC's pal or a plain list of hex values.
     * Broken lines are skipped and remembered for the report.
     */
    public Map<String, Swatch> parseText(Reader reader) throws IOException {
        Map<String, Swatch> out = new LinkedHashMap<>();
        BufferedReader lines = new BufferedReader(reader);
        problems.clear();
        int number = 0;
        int announced = -1;
        boolean gimp = false;
        boolean jasc = false;
        String title = "imported";
        String line;
        while ((line = lines.readLine()) != null) {
            number++;
            if (number == 1 && line.startsWith("\uFEFF")) {
                line = line.substring(1);
            }
            String trimmed = line.trim();
            if (trimmed.isEmpty()) {
                continue;
            }

            // headers
            if (number == 1) {
                if (trimmed.equals("GIMP Palette")) {
                    gimp = true;
                    continue;
                }
                if (trimmed.equals("JASC-PAL")) {
                    jasc = true;
                    continue;
                }
            }
            if (jasc && number == 2) {
                if (!trimmed.equals("0100")) {
                    problems.add("2: unknown version " + trimmed);
                }
                continue;
            }
            if (jasc && number == 3) {
                try {
                    announced = Integer.parseInt(trimmed);
                } catch (NumberFormatException e) {
                    problems.add("3: colour count expected");
                }
                continue;
            }
            if (gimp && trimmed.regionMatches(true, 0, "Name:", 0, 5)) {
                title = trimmed.substring(5).trim();
                continue;
            }
            if (gimp && trimmed.regionMatches(true, 0, "Columns:", 0, 8)) {
                continue;
            }

            // comments
            if (trimmed.charAt(0) == ';' || (gimp && trimmed.charAt(0) == '#')) {
                continue;
            }

            // a colour at last
            String label = null;
            int argb;
            if (gimp || jasc) {
                String[] parts = trimmed.split("\\s+", 4);
                if (parts.length < 3) {
                    problems.add(number + ": three numbers expected");
                    continue;
                }
                int[] rgb = new int[3];
                boolean good = true;
                for (int i = 0; i < 3 && good; i++) {
                    try {
                        rgb[i] = Integer.parseInt(parts[i]);
                        good = rgb[i] >= 0 && rgb[i] <= 255;
                    } catch (NumberFormatException e) {
                        good = false;
                    }
                }
                if (!good) {
                    problems.add(number + ": channel out of range");
                    continue;
                }
                argb = Color.rgb(rgb[0], rgb[1], rgb[2]);
                if (parts.length == 4 && !parts[3].equalsIgnoreCase("untitled")) {
                    label = parts[3];
                }
            } else {
                String hex = trimmed.startsWith("#") ? trimmed.substring(1) : trimmed;
                int blank = hex.indexOf(' ');
                if (blank > 0) {
                    label = hex.substring(blank + 1).trim();
                    hex = hex.substring(0, blank);
                }
                if (hex.length() == 3) {
                    StringBuilder wide = new StringBuilder(6);
                    for (char ch : hex.toCharArray()) {
                        wide.append(ch).append(ch);
                    }
                    hex = wide.toString();
                }
                try {
                    argb = Color.parseColor("#" + hex);
                } catch (IllegalArgumentException e) {
                    problems.add(number + ": not a colour: " + trimmed);
                    continue;
                }
            }

            // names must be unique in the picker
            String base = TextUtils.isEmpty(label) ? title + " " + (out.size() + 1) : label;
            String unique = base;
            for (int n = 2; out.containsKey(unique); n++) {
                unique = base + " (" + n + ")";
            }
            out.put(unique, new Swatch(unique, argb));
        }
        if (announced >= 0 && announced != out.size()) {
            problems.add("announced " + announced + " colours, found " + out.size());
        }
        return out;
    }

    /** Decodes the binary swatch format of a well-known photo editor, first version only. */
    public List<Swatch> parseAco(byte[] file) throws IOException {
        List<Swatch> found = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(file))) {
            int version = in.readUnsignedShort();
            if (version != 1) {
                throw new IOException("version " + version);
            }
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                int space = in.readUnsignedShort();
                int a = in.readUnsignedShort(), b = in.readUnsignedShort(), c = in.readUnsignedShort();
                in.skipBytes(2);
                if (space == 0) {
                    found.add(new Swatch("aco" + left, Color.rgb(a >> 8, b >> 8, c >> 8)));
                } else if (space == 1) {
                    float[] hsv = {a * 360f / 65535f, b / 65535f, c / 65535f};
                    found.add(new Swatch("aco" + left, Color.HSVToColor(hsv)));
                }
            }
        } catch (EOFException truncated) {
            problems.add("file ends early");
        }
        return found;
    }

    /** Throws out swatches that are hardly distinguishable from an earlier one. */
    public static int thinOut(List<Swatch> swatches, final double limit) {
        int before = swatches.size();
        List<Swatch> kept = new ArrayList<>();
        swatches.removeIf(s -> {
            boolean twin = kept.stream().anyMatch(k -> k.distance(s) < limit);
            if (!twin) {
                kept.add(s);
            }
            return twin;
        });
        return before - swatches.size();
    }

    /** Stores the palette in the preferences as a set of hex strings. */
    public void remember(SharedPreferences prefs, String key, Iterable<Swatch> swatches) {
        Set<String> encoded = new HashSet<>();
        for (Swatch s : swatches) {
            encoded.add(String.format(Locale.US, "%08x|%s", s.argb, s.name));
        }
        prefs.edit().putStringSet(key, encoded).apply();
    }

    /** Joins everything that went wrong into a message for the dialog. */
    public String report(int atMost) {
        if (problems.isEmpty()) {
            return "";
        }
        List<String> head = problems.subList(0, Math.min(atMost, problems.size()));
        String text = TextUtils.join("\n", head);
        return problems.size() > head.size() ? text + "\n\u2026" : text;
    }
}
