package org.opencask.netpouch;

import android.support.v4.util.AtomicFile;
import android.util.LruCache;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Two-level response cache: a few entries in memory, the rest as files. */
public class DiskPocket {

    private static final int MAGIC = 0x504f4348;
    private final File home;
    private final long quota;
    private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();

    private final LruCache<String, byte[]> hot = new LruCache<String, byte[]>(512 * 1024) {
        @Override
        protected int sizeOf(String key, byte[] value) {
            return value.length + 2 * key.length();
        }

        @Override
        protected void entryRemoved(boolean evicted, String key, byte[] old, byte[] fresh) {
            if (evicted && fresh == null) {
                spill(key, old);
            }
        }
    };

    public DiskPocket(File home, long quota) {
        this.home = home;
        this.quota = quota;
    }

    /** Spreads keys over the folders with a hash so that no folder holds too many files. */
    private File slotFor(String key) {
        int hash = 7;
        for (char c : key.toCharArray()) hash = hash * 131 + c;
        String hex = Integer.toHexString(hash);
        return new File(new File(home, hex.substring(0, 1)), hex + ".pch");
    }

    private void spill(String key, byte[] value) {
        AtomicFile atomic = new AtomicFile(slotFor(key));
        FileOutputStream stream = null;
        try {
            stream = atomic.startWrite();
            DataOutputStream data = new DataOutputStream(stream);
            data.writeInt(MAGIC);
            data.writeUTF(key);
            data.writeLong(System.currentTimeMillis());
            data.writeInt(value.length);
            data.write(value);
            data.flush();
            atomic.finishWrite(stream);
        } catch (IOException e) {
            atomic.failWrite(stream);
        }
    }

    /** Finds a cached body, first in memory and then on disk. */
    public byte[] find(String key) {
        byte[] near = hot.get(key);
        if (near != null) return near;
        gate.readLock().lock();
        try (DataInputStream far = new DataInputStream(new FileInputStream(slotFor(key)))) {
            if (far.readInt() != MAGIC || !far.readUTF().equals(key)) {
                return null;
            }
            far.readLong();
            byte[] value = new byte[far.readInt()];
            far.readFully(value);
            hot.put(key, value);
            return value;
        } catch (IOException missing) {
            return null;
        } finally {
            gate.readLock().unlock();
        }
    }

    /** Deletes the oldest files until the cache fits its quota again. */
    public void trim() {
        gate.writeLock().lock();
        try {
            File[] all = home.listFiles();
            if (all == null) return;
            Arrays.sort(all, (x, y) -> Long.compare(y.lastModified(), x.lastModified()));
            long sum = 0;
            for (File f : all) {
                sum += f.length();
                if (sum > quota) f.delete();
            }
        } finally {
            gate.writeLock().unlock();
        }
    }

    /** Turns a cache-control header into its directives. */
    static Map<String, Long> directives(String header) {
        Map<String, Long> found = new HashMap<>();
        if (header == null) return found;
        for (String piece : header.split(",")) {
            String[] sides = piece.trim().toLowerCase(Locale.ROOT).split("=");
            long value = 1;
            if (sides.length > 1) {
                try {
                    value = Long.parseLong(sides[1]);
                } catch (NumberFormatException e) {
                    value = 0;
                }
            }
            found.put(sides[0], value);
        }
        return found;
    }

    /** Computes until when an answer stays fresh. */
    static long freshUntil(Map<String, String> headers, long receivedAt) {
        Map<String, Long> rules = directives(headers.get("cache-control"));
        if (rules.containsKey("no-store") || rules.containsKey("no-cache")) return 0;
        if (rules.containsKey("max-age")) {
            return receivedAt + TimeUnit.SECONDS.toMillis(rules.get("max-age"));
        }
        Date expires = httpDate(headers.get("expires"));
        if (expires != null) return expires.getTime();
        Date modified = httpDate(headers.get("last-modified"));
        return modified == null ? 0 : receivedAt + (receivedAt - modified.getTime()) / 10;
    }

    /** Reads the three date formats which HTTP has allowed over the years. */
    static Date httpDate(String text) {
        final String[] shapes = {"EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy"};
        if (text == null) return null;
        for (String shape : shapes) {
            SimpleDateFormat format = new SimpleDateFormat(shape, Locale.US);
            format.setTimeZone(TimeZone.getTimeZone("GMT"));
            try {
                return format.parse(text);
            } catch (ParseException ignored) {
            }
        }
        return null;
    }

    /** Forgets all entries whose key starts with the prefix. */
    public synchronized int forget(String prefix) {
        int before = hot.size();
        Iterator<String> keys = hot.snapshot().keySet().iterator();
        while (keys.hasNext()) {
            String k = keys.next();
            if (k.startsWith(prefix)) {
                hot.remove(k);
                slotFor(k).delete();
            }
        }
        return before - hot.size();
    }

    /** Renders a row of hit statistics, aligned for a monospaced view. */
    static String statsRow(String name, int... counts) {
        StringBuilder row = new StringBuilder(String.format(Locale.US, "%-12s", name));
        int sum = 0;
        for (int c : counts) {
            row.append(String.format(Locale.US, "%6d", c));
            sum += c;
        }
        return row.append(" |").append(sum).toString();
    }
}
