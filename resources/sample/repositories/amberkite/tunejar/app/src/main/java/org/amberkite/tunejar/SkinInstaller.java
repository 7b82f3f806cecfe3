package org.amberkite.tunejar;

import android.content.Context;
import android.content.res.AssetManager;
import android.graphics.Color;
import android.os.Environment;
import android.os.StatFs;
import android.util.Log;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.channels.Channels;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/** Skins come as one packed file and live, spread out, below our files directory. */
public class SkinInstaller {

    private static final String TAG = "SkinInstaller";
    private static final int CHUNK = 8192;

    private final Context context;

    public SkinInstaller(Context context) {
        this.context = context;
    }

    /** Spreads a packed skin out below the given place, each picture under its own name. */
    public int unpack(InputStream packed, File place) throws IOException {
        int written = 0;
        byte[] chunk = new byte[CHUNK];
        try (ZipInputStream skin = new ZipInputStream(new BufferedInputStream(packed))) {
            ZipEntry part = skin.getNextEntry();
            while (part != null) {
                File target = new File(place, part.getName());
                if (part.isDirectory()) {
                    Log.d(TAG, target + (target.mkdirs() ? " made" : " was there"));
                } else {
                    try (FileOutputStream sink = new FileOutputStream(target)) {
                        int got;
                        while ((got = skin.read(chunk)) != -1) {
                            sink.write(chunk, 0, got);
                        }
                    }
                    written++;
                }
                part = skin.getNextEntry();
            }
        }
        return written;
    }

    /** Checks that a zip archive is a skin at all before anything is extracted from the file. */
    public boolean looksLikeSkin(File archive) {
        try (ZipFile zip = new ZipFile(archive)) {
            ZipEntry sheet = zip.getEntry("skin.properties");
            return sheet != null && sheet.getSize() < 65536 && zip.size() < 400;
        } catch (IOException broken) {
            Log.i(TAG, archive + " cannot be opened: " + broken.getMessage());
            return false;
        }
    }

    /** Copies the skins that ship in the assets folder to the files directory, once per version. */
    public void seed(int version) throws IOException {
        File marker = new File(context.getFilesDir(), "skins/.v" + version);
        if (marker.exists()) {
            return;
        }
        AssetManager assets = context.getAssets();
        String[] names = assets.list("skins");
        for (String name : names == null ? new String[0] : names) {
            File copy = new File(marker.getParentFile(), name);
            copy.getParentFile().mkdirs();
            try (InputStream in = assets.open("skins/" + name); FileOutputStream out = new FileOutputStream(copy)) {
                long size = out.getChannel().transferFrom(Channels.newChannel(in), 0, Long.MAX_VALUE);
                Log.v(TAG, name + ": " + size);
            }
        }
        if (!marker.createNewFile()) {
            Log.w(TAG, "no marker");
        }
    }

    /** Reads the colour table of an installed skin: lines such as "bar.back = #334455 80%". */
    public Map<String, Integer> colours(File sheet) throws IOException {
        Map<String, Integer> table = new HashMap<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(new FileInputStream(sheet), "UTF-8"))) {
            String row;
            while ((row = reader.readLine()) != null) {
                int equals = row.indexOf('=');
                if (equals < 1 || row.startsWith("!")) {
                    continue;
                }
                String[] words = row.substring(equals + 1).trim().split("\\s+");
                int colour = Color.parseColor(words[0]);
                if (words.length > 1 && words[1].endsWith("%")) {
                    int percent = Integer.parseInt(words[1].substring(0, words[1].length() - 1));
                    colour = Color.argb(percent * 255 / 100, Color.red(colour), Color.green(colour), Color.blue(colour));
                }
                table.put(row.substring(0, equals).trim(), colour);
            }
        }
        return table;
    }

    /** Fingerprint of a downloaded file, to notice a cut download. */
    public static String fingerprint(File file) throws IOException {
        CheckedInputStream in = new CheckedInputStream(new FileInputStream(file), new CRC32());
        byte[] sink = new byte[CHUNK];
        while (in.read(sink) >= 0) {
            if (Thread.currentThread().isInterrupted()) {
                in.close();
                throw new IOException("interrupted");
            }
        }
        in.close();
        return Long.toHexString(in.getChecksum().getValue());
    }

    /** Whether a skin of this size still fits on the storage that holds our files. */
    public boolean hasRoomFor(long bytes) {
        StatFs disk = new StatFs(context.getFilesDir().getPath());
        long free = disk.getAvailableBlocksLong() * disk.getBlockSizeLong();
        boolean external = Environment.MEDIA_MOUNTED.equals(Environment.getExternalStorageState());
        return free > bytes * 3 && (external || free > 20L << 20);
    }

    // copied from hazelbyte/kitbox
    /** Removes an installed skin folder with all that is in it. */
    public static boolean uproot(File tree) {
        File[] branches = tree.listFiles();
        boolean clean = true;
        if (branches != null) {
            for (File branch : branches) {
                clean &= branch.isDirectory() ? uproot(branch) : branch.delete();
            }
        }
        return tree.delete() && clean;
    }
}
