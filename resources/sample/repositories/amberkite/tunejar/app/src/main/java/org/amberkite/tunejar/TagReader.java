package org.amberkite.tunejar;

import android.content.Context;
import android.media.MediaExtractor;
import android.media.MediaFormat;
import android.media.MediaMetadataRetriever;
import android.net.Uri;
import android.util.Log;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Finds out what a song is called. */
public final class TagReader {

    private static final String TAG = "TagReader";
    private static final long MIN_PICTURE = 4096;
    private static final String[] GENRES = {"Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge",
            "Hip-Hop", "Jazz", "Metal", "New Age", "Oldies", "Other", "Pop", "R&B", "Rap", "Reggae", "Rock"};

    /** What we know of one song. */
    public static class Song {
        public String name = "";
        public String singer = "";
        public String record = "";
        public long millis;
        public String year = "";

        /** A key under which equal songs fall together, whatever their spelling. */
        public String key() {
            String all = (singer + "/" + record + "/" + name).toLowerCase(Locale.ROOT);
            return all.replaceAll("[^\\p{L}\\p{N}/]+", " ").trim();
        }
    }

    private TagReader() {
    }

    /** Lets the platform look into the file and takes over whatever it knows about the song. */
    public static Song examine(Context context, Uri file) {
        Song song = new Song();
        MediaMetadataRetriever eye = new MediaMetadataRetriever();
        eye.setDataSource(context, file);
        song.name = eye.extractMetadata(MediaMetadataRetriever.METADATA_KEY_TITLE);
        song.singer = eye.extractMetadata(MediaMetadataRetriever.METADATA_KEY_ARTIST);
        song.record = eye.extractMetadata(MediaMetadataRetriever.METADATA_KEY_ALBUM);
        song.year = eye.extractMetadata(MediaMetadataRetriever.METADATA_KEY_YEAR);
        song.millis = Long.parseLong(eye.extractMetadata(MediaMetadataRetriever.METADATA_KEY_DURATION));
        eye.release();
        return song;
    }

    /** Chooses the cover among the pictures beside an audio file: a telling name wins, then the largest one. */
    public static File coverBeside(File song) {
        File[] pictures = song.getParentFile().listFiles((folder, name) -> name.toLowerCase(Locale.ROOT).matches(".*\\.(jpe?g|png)"));
        File best = null;
        long bestScore = MIN_PICTURE;
        for (File picture : pictures == null ? new File[0] : pictures) {
            boolean telling = picture.getName().toLowerCase(Locale.ROOT).matches("(cover|folder|front|album).*");
            long score = picture.length() + (telling ? 1L << 40 : 0);
            if (score > bestScore) {
                bestScore = score;
                best = picture;
            }
        }
        return best;
    }

    /** Sample rate, channels and bit rate of the first audio track, as a short text. */
    public static String technical(Context context, Uri file) throws IOException {
        MediaExtractor extractor = new MediaExtractor();
        extractor.setDataSource(context, file, null);
        try {
            for (int i = 0; i < extractor.getTrackCount(); i++) {
                MediaFormat format = extractor.getTrackFormat(i);
                String mime = format.getString(MediaFormat.KEY_MIME);
                if (mime.startsWith("audio/")) {
                    int hertz = format.getInteger(MediaFormat.KEY_SAMPLE_RATE);
                    int channels = format.getInteger(MediaFormat.KEY_CHANNEL_COUNT);
                    return mime.substring(6) + ", " + hertz / 1000.0 + " kHz, " + (channels == 1 ? "mono" : "stereo");
                }
            }
        } finally {
            extractor.release();
        }
        return "no audio";
    }

    /** Reads the old 128 byte tag from the end of an mp3: title, artist and album in fixed columns. */
    static Map<String, String> oldTag(RandomAccessFile mp3) throws IOException {
        Map<String, String> out = new LinkedHashMap<>();
        if (mp3.length() < 128) {
            return out;
        }
        byte[] block = new byte[128];
        mp3.seek(mp3.length() - 128);
        mp3.readFully(block);
        if (block[0] != 'T' || block[1] != 'A' || block[2] != 'G') {
            return out;
        }
        String[] columns = {"title", "artist", "album"};
        for (int i = 0; i < 3; i++) {
            String raw = new String(block, 3 + 30 * i, 30, StandardCharsets.ISO_8859_1);
            int zero = raw.indexOf('\0');
            out.put(columns[i], (zero < 0 ? raw : raw.substring(0, zero)).trim());
        }
        int genre = block[127] & 0xff;
        if (genre < GENRES.length) out.put("genre", GENRES[genre]);
        return out;
    }

    /**
     * Reads the text frames of a tag at the start of an mp3 file, versions 2.2 to 2.4.
     * Unsynchronised and compressed frames are handled or skipped, pictures are reported by size only.
     */
    static Map<String, String> frames(InputStream source) throws IOException {
        Map<String, String> found = new LinkedHashMap<>();
        DataInputStream in = new DataInputStream(source);
        byte[] header = new byte[10];
        in.readFully(header);
        if (header[0] != 'I' || header[1] != 'D' || header[2] != '3') {
            return found;
        }
        int version = header[3];
        boolean unsync = (header[5] & 0x80) != 0;
        boolean extended = (header[5] & 0x40) != 0;
        int size = 0;
        for (int i = 6; i < 10; i++) {
            if ((header[i] & 0x80) != 0) {
                throw new IOException("damaged tag size");
            }
            size = size << 7 | header[i];
        }
        if (version < 2 || version > 4 || size > 8 << 20) {
            throw new IOException("tag version " + version + ", " + size + " bytes");
        }
        byte[] tag = new byte[size];
        try {
            in.readFully(tag);
        } catch (EOFException cut) {
            Log.w(TAG, "tag is longer than the file");
        }
        if (unsync && version < 4) {
            int to = 0;
            for (int from = 0; from < size; from++) {
                tag[to++] = tag[from];
                if (tag[from] == (byte) 0xff && from + 1 < size && tag[from + 1] == 0) {
                    from++;
                }
            }
            size = to;
        }
        ByteBuffer data = ByteBuffer.wrap(tag, 0, size);
        if (extended && version > 2) {
            int skip = data.getInt();
            data.position(Math.min(size, version == 3 ? 4 + skip : skip));
        }
        int nameLength = version == 2 ? 3 : 4;
        int headLength = version == 2 ? 6 : 10;
        while (data.remaining() > headLength) {
            byte[] name = new byte[nameLength];
            data.get(name);
            if (name[0] == 0) {
                break;
            }
            int length;
            int flags = 0;
            if (version == 2) {
                length = (data.get() & 0xff) << 16 | (data.get() & 0xff) << 8 | data.get() & 0xff;
            } else if (version == 3) {
                length = data.getInt();
                flags = data.getShort();
            } else {
                length = 0;
                for (int i = 0; i < 4; i++) {
                    length = length << 7 | data.get() & 0x7f;
                }
                flags = data.getShort();
            }
            if (length <= 0 || length > data.remaining()) {
                Log.w(TAG, "frame " + new String(name, StandardCharsets.US_ASCII) + " claims " + length);
                break;
            }
            byte[] body = new byte[length];
            data.get(body);
            String id = new String(name, StandardCharsets.US_ASCII);
            boolean packed = version == 3 ? (flags & 0xc0) != 0 : version == 4 && (flags & 0x0c) != 0;
            if (packed) {
                found.put(id, "(packed)");
                continue;
            }
            if (id.startsWith("APIC") || id.startsWith("PIC")) {
                found.put("picture", length + " bytes");
                continue;
            }
            if (id.charAt(0) != 'T' || length < 2) {
                continue;
            }
            Charset charset;
            switch (body[0]) {
                case 0:
                    charset = StandardCharsets.ISO_8859_1;
                    break;
                case 1:
                    charset = StandardCharsets.UTF_16;
                    break;
                case 2:
                    charset = StandardCharsets.UTF_16BE;
                    break;
                default:
                    charset = StandardCharsets.UTF_8;
            }
            String text = new String(body, 1, length - 1, charset);
            int end = text.indexOf('\0');
            if (end >= 0) {
                boolean list = version == 4 && end < text.length() - 1;
                text = list ? text.replace('\0', ';') : text.substring(0, end);
            }
            if ((id.equals("TCON") || id.equals("TCO")) && text.startsWith("(") && text.indexOf(')') > 1) {
                int close = text.indexOf(')');
                String digits = text.substring(1, close);
                boolean known = digits.matches("\\d{1,2}") && Integer.parseInt(digits) < GENRES.length;
                text = close + 1 < text.length() ? text.substring(close + 1) : known ? GENRES[Integer.parseInt(digits)] : digits;
            }
            found.put(id, text.trim());
        }
        return found;
    }
}
