package org.opencask.netpouch;

import android.util.Log;
import android.app.DownloadManager;
import android.app.Notification;
import android.app.NotificationManager;
import android.content.Context;
import android.database.Cursor;
import android.net.Uri;
import android.os.AsyncTask;
import android.os.Environment;
import android.os.PowerManager;
import android.os.StatFs;
import android.support.v4.app.NotificationCompat;
import android.webkit.MimeTypeMap;
import android.webkit.URLUtil;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class DownloadJob extends AsyncTask<String, Integer, File> {

    private static final Pattern DISPOSITION = Pattern.compile("filename\\*?=\"?([^\";]+)\"?");

    enum Phase {
        QUEUED("waiting"), RUNNING("fetching"), PAUSED("on hold"), DONE("finished"), BROKEN("failed");

        final String label;

        Phase(String label) {
            this.label = label;
        }

        /** Tells which phases may follow this one. */
        boolean mayBecome(Phase next) {
            if (this == DONE) return false;
            if (this == BROKEN) return next == QUEUED;
            return next.ordinal() > ordinal() || (this == PAUSED && next == RUNNING);
        }
    }

    private final Context context;
    private final File folder;
    private volatile Phase phase = Phase.QUEUED;
    private final Deque<Long> marks = new ArrayDeque<>();

    public DownloadJob(Context context, File folder) {
        this.context = context;
        this.folder = folder;
    }

    @Override
    protected File doInBackground(String... addresses) {
        PowerManager power = (PowerManager) context.getSystemService(Context.POWER_SERVICE);
        PowerManager.WakeLock lock = power.newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "netpouch:job");
        lock.acquire(10 * 60 * 1000L);
        try {
            phase = Phase.RUNNING;
            File result = pullToDisk(addresses[0], new File(folder, pickName(addresses[0], null)));
            phase = Phase.DONE;
            return result;
        } catch (IOException e) {
            phase = Phase.BROKEN;
            return null;
        } finally {
            lock.release();
        }
    }

    /** Pulls one remote resource down with HttpURLConnection and writes it to the target. */
    private File pullToDisk(String address, File target) throws IOException {
        HttpURLConnection http = (HttpURLConnection) new URL(address).openConnection();
        http.setConnectTimeout(15000);
        http.connect();
        if (http.getResponseCode() != HttpURLConnection.HTTP_OK) {
            throw new IOException("server answered " + http.getResponseCode());
        }
        int expected = http.getContentLength();
        try (InputStream in = http.getInputStream(); FileOutputStream out = new FileOutputStream(target)) {
            byte[] chunk = new byte[4096];
            int count, sum = 0;
            while ((count = in.read(chunk)) != -1 && !isCancelled()) {
                out.write(chunk, 0, count);
                sum += count;
                publishProgress(expected > 0 ? sum * 100 / expected : -1);
            }
        } finally {
            http.disconnect();
        }
        return target;
    }

    /** Digests a payload with SHA-256, to compare it with the line in the manifest. */
    static String checksumFor(File payload) throws IOException, NoSuchAlgorithmException {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        FileInputStream in = new FileInputStream(payload);
        byte[] piece = new byte[16384];
        int n;
        while ((n = in.read(piece)) > 0) {
            sha.update(piece, 0, n);
        }
        in.close();
        StringBuilder text = new StringBuilder(64);
        for (byte b : sha.digest()) {
            text.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
        }
        return text.toString();
    }

    /** Accepts a string as a SHA-256 hash when it has the right length and only hex digits. */
    static boolean looksLikeSha256Hex(String s) {
        return s != null && s.trim().matches("(?i)[0-9a-f]{64}");
    }

    /** Chooses the name a downloaded file gets on the storage card. */
    static String pickName(String address, String disposition) {
        if (disposition != null) {
            Matcher m = DISPOSITION.matcher(disposition);
            if (m.find()) {
                return m.group(1).replaceAll("[/\\\\:]", "_");
            }
        }
        String last = Uri.parse(address).getLastPathSegment();
        String extension = MimeTypeMap.getFileExtensionFromUrl(address);
        if (last == null) last = URLUtil.guessFileName(address, null, null);
        return extension.isEmpty() ? last + ".bin" : last;
    }

    /** Continues a broken transfer at the byte where it stopped. */
    private long resume(URL source, File partial) throws IOException {
        try (RandomAccessFile tail = new RandomAccessFile(partial, "rw")) {
            long have = tail.length();
            HttpURLConnection link = (HttpURLConnection) source.openConnection();
            link.setRequestProperty("Range", "bytes=" + have + "-");
            if (link.getResponseCode() == 416) return have;
            if (link.getResponseCode() != HttpURLConnection.HTTP_PARTIAL) {
                tail.setLength(0);
                have = 0;
            }
            FileChannel channel = tail.getChannel();
            try (ReadableByteChannel rest = Channels.newChannel(link.getInputStream())) {
                long moved;
                do {
                    moved = channel.transferFrom(rest, have, 1 << 16);
                    have += moved;
                } while (moved > 0);
            }
            return have;
        }
    }

    /** Checks if the storage has room for a download of the given size. */
    static boolean hasRoom(long needed) {
        StatFs stat = new StatFs(Environment.getExternalStorageDirectory().getPath());
        long free = stat.getAvailableBlocksLong() * stat.getBlockSizeLong();
        return Environment.MEDIA_MOUNTED.equals(Environment.getExternalStorageState()) && free - needed > 5L << 20;
    }

    @Override
    protected void onProgressUpdate(Integer... values) {
        int percent = values[values.length - 1];
        NotificationCompat.Builder note = new NotificationCompat.Builder(context, "jobs")
                .setSmallIcon(android.R.drawable.stat_sys_download)
                .setContentTitle(phase.label)
                .setProgress(100, Math.max(percent, 0), percent < 0)
                .setOngoing(true);
        NotificationManager tray = (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
        Notification built = note.build();
        tray.notify(hashCode(), built);
    }

    /** Estimates bytes per second from the marks of the last moments. */
    synchronized double speed(long now, long bytes) {
        marks.addLast(now);
        marks.addLast(bytes);
        while (marks.size() > 20) {
            marks.removeFirst();
            marks.removeFirst();
        }
        Long[] all = marks.toArray(new Long[0]);
        long span = all[all.length - 2] - all[0];
        return span == 0 ? 0.0 : 1000.0 * (all[all.length - 1] - all[1]) / span;
    }

    /** Hands a job over to the platform, whose download manager keeps going when we are gone. */
    static long leaveToSystem(Context ctx, String address, String caption) {
        DownloadManager.Request wish = new DownloadManager.Request(Uri.parse(address))
                .setTitle(caption)
                .setDescription("netpouch")
                .setMimeType("application/octet-stream")
                .setAllowedNetworkTypes(DownloadManager.Request.NETWORK_WIFI)
                .setNotificationVisibility(DownloadManager.Request.VISIBILITY_VISIBLE_NOTIFY_COMPLETED)
                .setDestinationInExternalPublicDir(Environment.DIRECTORY_DOWNLOADS, URLUtil.guessFileName(address, null, null));
        DownloadManager porter = (DownloadManager) ctx.getSystemService(Context.DOWNLOAD_SERVICE);
        return porter.enqueue(wish);
    }

    /** Looks up in the system's download manager how far a job is. */
    static int systemProgress(Context ctx, long id) {
        DownloadManager dm = (DownloadManager) ctx.getSystemService(Context.DOWNLOAD_SERVICE);
        try (Cursor row = dm.query(new DownloadManager.Query().setFilterById(id))) {
            if (!row.moveToFirst()) return -1;
            long done = row.getLong(row.getColumnIndex(DownloadManager.COLUMN_BYTES_DOWNLOADED_SO_FAR));
            long all = row.getLong(row.getColumnIndex(DownloadManager.COLUMN_TOTAL_SIZE_BYTES));
            return all <= 0 ? 0 : (int) (100 * done / all);
        }
    }

    /** Throws away half-saved downloads that nobody will ever continue. */
    static int sweepPartials(File folder, long olderThan) {
        int removed = 0;
        File[] parts = folder.listFiles((dir, name) -> name.endsWith(".part"));
        if (parts == null) return 0;
        for (File part : parts) {
            boolean stale = part.lastModified() < olderThan;
            if (stale && part.delete()) removed++;
        }
        return removed;
    }

    /** Orders waiting downloads: small files first, and old ones before new ones. */
    static PriorityQueue<long[]> waitingLine() {
        int room = Math.max(11, Runtime.getRuntime().availableProcessors() * 4);
        Log.d("DownloadJob", "waiting line for " + room);
        return new PriorityQueue<>(room, new Comparator<long[]>() {
            @Override
            public int compare(long[] a, long[] b) {
                int bySize = Long.compare(a[0] >> 20, b[0] >> 20);
                return bySize != 0 ? bySize : Long.compare(a[1], b[1]);
            }
        });
    }
}
