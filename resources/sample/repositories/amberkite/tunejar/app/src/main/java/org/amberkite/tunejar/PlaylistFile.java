package org.amberkite.tunejar;

import net.lingala.zip4j.core.ZipFile;
import net.lingala.zip4j.exception.ZipException;
import net.lingala.zip4j.model.ZipParameters;
import net.lingala.zip4j.util.Zip4jConstants;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Playlists in the usual file formats. */
class PlaylistFile {

    enum Kind {
        M3U, PLS, CUE;

        /** Guesses the format from the name, and from the first line when the name is of no help. */
        static Kind guess(String fileName, String firstLine) {
            String end = fileName.substring(fileName.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
            switch (end) {
                case "m3u":
                case "m3u8":
                    return M3U;
                case "pls":
                    return PLS;
                case "cue":
                    return CUE;
                default:
                    return firstLine.trim().equalsIgnoreCase("[playlist]") ? PLS : M3U;
            }
        }
    }

    /** One row of a playlist; the start is only used by cue sheets. */
    static class Item {
        String place = "";
        String title = "";
        String performer = "";
        int seconds = -1;
        long startMillis;
    }

    private final List<Item> items = new ArrayList<>();
    private String name = "";

    /** Loads any of the three formats into the items; relative places are resolved against the folder of the file. */
    static PlaylistFile load(File file) throws IOException {
        PlaylistFile out = new PlaylistFile();
        List<String> lines = new ArrayList<>();
        String charset = file.getName().endsWith(".m3u") ? "windows-1252" : "UTF-8";
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(new FileInputStream(file), charset))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (lines.isEmpty() && (line.startsWith("\ufeff") || line.startsWith("\u00ef\u00bb\u00bf"))) {
                    line = line.substring(line.charAt(0) == '\ufeff' ? 1 : 3);
                }
                lines.add(line.trim());
            }
        }
        if (lines.isEmpty()) {
            return out;
        }
        File base = file.getAbsoluteFile().getParentFile();
        out.name = file.getName().replaceFirst("\\.[^.]+$", "");
        Item pending = new Item();
        switch (Kind.guess(file.getName(), lines.get(0))) {
            case M3U:
                for (String line : lines) {
                    if (line.isEmpty() || line.equals("#EXTM3U")) {
                        continue;
                    }
                    if (line.startsWith("#EXTINF:")) {
                        int comma = line.indexOf(',');
                        String length = line.substring(8, comma < 0 ? line.length() : comma).trim();
                        int blank = length.indexOf(' ');
                        try {
                            pending.seconds = (int) Double.parseDouble(blank < 0 ? length : length.substring(0, blank));
                        } catch (NumberFormatException e) {
                            pending.seconds = -1;
                        }
                        String label = comma < 0 ? "" : line.substring(comma + 1);
                        int dash = label.indexOf(" - ");
                        pending.performer = dash < 0 ? "" : label.substring(0, dash);
                        pending.title = dash < 0 ? label : label.substring(dash + 3);
                    } else if (line.startsWith("#PLAYLIST:")) {
                        out.name = line.substring(10).trim();
                    } else if (line.charAt(0) != '#') {
                        pending.place = resolve(base, line);
                        out.items.add(pending);
                        pending = new Item();
                    }
                }
                break;
            case PLS:
                TreeMap<Integer, Item> numbered = new TreeMap<>();
                int announced = -1;
                for (String line : lines) {
                    int equals = line.indexOf('=');
                    if (equals < 0) {
                        continue;
                    }
                    String key = line.substring(0, equals).trim().toLowerCase(Locale.ROOT);
                    String value = line.substring(equals + 1).trim();
                    if (key.equals("numberofentries")) {
                        announced = Integer.parseInt(value);
                        continue;
                    }
                    String word = key.replaceAll("\\d+$", "");
                    if (word.length() == key.length()) {
                        continue;
                    }
                    int number = Integer.parseInt(key.substring(word.length()));
                    Item item = numbered.get(number);
                    if (item == null) {
                        item = new Item();
                        numbered.put(number, item);
                    }
                    if (word.equals("file")) {
                        item.place = resolve(base, value);
                    } else if (word.equals("title")) {
                        item.title = value;
                    } else if (word.equals("length")) {
                        item.seconds = Integer.parseInt(value);
                    }
                }
                if (announced >= 0 && numbered.size() > announced) {
                    numbered = new TreeMap<>(numbered.headMap(announced, true));
                }
                out.items.addAll(numbered.values());
                break;
            case CUE:
                String sound = "";
                String everyone = "";
                boolean inTrack = false;
                for (String line : lines) {
                    String[] words = line.split("\\s+", 2);
                    String rest = words.length < 2 ? "" : words[1].replaceAll("^\"|\"$", "");
                    if (words[0].equals("FILE")) {
                        sound = resolve(base, rest.replaceFirst("\"?\\s+(WAVE|MP3|AIFF)$", ""));
                    } else if (words[0].equals("TRACK")) {
                        pending = new Item();
                        pending.place = sound;
                        pending.performer = everyone;
                        out.items.add(pending);
                        inTrack = true;
                    } else if (words[0].equals("TITLE")) {
                        if (inTrack) pending.title = rest;
                        else out.name = rest;
                    } else if (words[0].equals("PERFORMER")) {
                        if (inTrack) pending.performer = rest;
                        else everyone = rest;
                    } else if (words[0].equals("INDEX") && rest.startsWith("01 ")) {
                        String[] clock = rest.substring(3).split(":");
                        long frames = Long.parseLong(clock[0]) * 4500 + Long.parseLong(clock[1]) * 75 + Long.parseLong(clock[2]);
                        pending.startMillis = frames * 1000 / 75;
                    }
                }
                for (int i = 1; i < out.items.size(); i++) {
                    Item before = out.items.get(i - 1);
                    if (before.place.equals(out.items.get(i).place)) {
                        before.seconds = (int) ((out.items.get(i).startMillis - before.startMillis) / 1000);
                    }
                }
                break;
            default:
                throw new AssertionError();
        }
        return out;
    }

    private static String resolve(File base, String place) throws UnsupportedEncodingException {
        if (place.matches("(?i)(https?|rtsp|content)://.*")) {
            return place;
        }
        String path = place.startsWith("file://") ? URLDecoder.decode(place.substring(7), "UTF-8") : place;
        path = path.replace('\\', '/').replaceFirst("^[A-Za-z]:/", "/");
        File plain = new File(path);
        return (plain.isAbsolute() ? plain : new File(base, path)).getPath();
    }

    /** Saves the list to a file that other players can read too. */
    void save(File target) throws IOException {
        File draft = new File(target.getPath() + ".part");
        try (BufferedWriter writer = new BufferedWriter(new OutputStreamWriter(new FileOutputStream(draft), StandardCharsets.UTF_8))) {
            writer.write("#EXTM3U\n#PLAYLIST:" + name + "\n");
            for (Item item : items) {
                writer.write("#EXTINF:" + item.seconds + "," + item.performer + " - " + item.title);
                writer.newLine();
                writer.write(item.place);
                writer.newLine();
            }
        }
        if (!draft.renameTo(target)) {
            throw new IOException("could not replace " + target);
        }
    }

    /** Which songs of this list are missing from the card. */
    List<String> missing() {
        List<String> gone = new ArrayList<>();
        for (Item item : items) {
            if (item.place.startsWith("/") && !new File(item.place).canRead()) {
                gone.add(item.title.isEmpty() ? item.place : item.title);
            }
        }
        return gone;
    }

    /** Seals a list together with its songs, for sending it over channels one does not trust. */
    static void seal(ArrayList<File> songs, String target, char[] word) throws ZipException {
        ZipParameters options = new ZipParameters();
        options.setCompressionMethod(Zip4jConstants.COMP_STORE);
        options.setEncryptFiles(true);
        options.setEncryptionMethod(Zip4jConstants.ENC_METHOD_AES);
        options.setAesKeyStrength(Zip4jConstants.AES_STRENGTH_128);
        options.setPassword(word);
        new ZipFile(target + ".zip").addFiles(songs, options);
    }
}
