package net.lanternlabs.trailnotes.util;

import android.app.Activity;
import android.app.NotificationManager;
import android.content.ContentValues;
import android.content.Context;
import android.content.Intent;
import android.content.res.AssetManager;
import android.content.res.Resources;
import android.database.sqlite.SQLiteDatabase;
import android.net.Uri;
import android.nfc.NfcAdapter;
import android.nfc.tech.Ndef;
import android.os.Bundle;
import android.os.Environment;
import android.os.StatFs;
import android.provider.CalendarContract;
import android.provider.ContactsContract;
import android.support.v4.app.NotificationCompat;
import android.support.v4.util.LruCache;
import android.util.Log;

import net.lanternlabs.trailnotes.R;
import net.lanternlabs.trailnotes.gpx.TrackPoint;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileFilter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Mountain huts and the map tiles around them. */
public class HutCatalog {

    private static final String TAG = "HutCatalog";
    private static final int NOTE_TILES = 4001;
    private final Context mContext;
    private final LruCache<String, byte[]> mTiles = new LruCache<String, byte[]>(4 << 10) {
        @Override
        protected int sizeOf(String key, byte[] tile) {
            return Math.max(1, tile.length / 1024);
        }
    };

    public HutCatalog(Context context) {
        mContext = context;
    }

    /** Fills the hut table from the list shipped with the app. */
    public int seedHuts(SQLiteDatabase db, String csv) throws IOException {
        int count = 0;
        BufferedReader in = new BufferedReader(new InputStreamReader(mContext.getAssets().open(csv), "UTF-8"));
        try {
            in.readLine();
            String row;
            while ((row = in.readLine()) != null) {
                String[] cells = row.split(",");
                if (cells.length < 4) continue;
                ContentValues hut = new ContentValues();
                hut.put("code", cells[0].trim());
                hut.put("name", cells[1].trim());
                hut.put("altitude", Integer.valueOf(cells[2]));
                db.replace("huts", null, hut);
                count++;
            }
        } finally {
            in.close();
        }
        return count;
    }

    /** Unpacks the sample folder of the assets to the memory card, file by file. */
    public void unpackSamples(String folder) throws IOException {
        AssetManager assets = mContext.getAssets();
        File target = new File(mContext.getExternalFilesDir(null), folder);
        if (!target.isDirectory() && !target.mkdirs()) {
            throw new IOException("no folder " + target);
        }
        byte[] buffer = new byte[8192];
        for (String name : assets.list(folder)) {
            try (InputStream from = assets.open(folder + "/" + name, AssetManager.ACCESS_STREAMING);
                 OutputStream to = new FileOutputStream(new File(target, name))) {
                for (int n = from.read(buffer); n > 0; n = from.read(buffer)) {
                    to.write(buffer, 0, n);
                }
            }
        }
    }

    /** Reports how far the map tiles have come. */
    void tilesArrived(int got, int wanted) {
        NotificationManager shade = (NotificationManager) mContext.getSystemService(Context.NOTIFICATION_SERVICE);
        NotificationCompat.Builder card = new NotificationCompat.Builder(mContext, "tiles")
                .setSmallIcon(R.drawable.ic_map)
                .setContentTitle(mContext.getString(R.string.map_tiles))
                .setOngoing(got < wanted)
                .setProgress(wanted, got, false);
        if (got >= wanted) {
            card.setContentText(mContext.getString(R.string.tiles_done)).setProgress(0, 0, false);
        } else {
            card.setContentText(got + " / " + wanted);
        }
        shade.notify(NOTE_TILES, card.build());
    }

    /** Drafts the regular evening at a hut. */
    void bookBed(String hut, Calendar evening) {
        Intent draft = new Intent(Intent.ACTION_INSERT).setData(CalendarContract.Events.CONTENT_URI);
        draft.putExtra(CalendarContract.EXTRA_EVENT_ALL_DAY, false);
        draft.putExtra(CalendarContract.EXTRA_EVENT_BEGIN_TIME, evening.getTimeInMillis());
        draft.putExtra(CalendarContract.Events.TITLE, "Hut evening");
        draft.putExtra(CalendarContract.Events.EVENT_LOCATION, hut);
        draft.putExtra(CalendarContract.Events.RRULE, "FREQ=WEEKLY;COUNT=10");
        draft.putExtra(CalendarContract.Events.AVAILABILITY, CalendarContract.Events.AVAILABILITY_BUSY);
        mContext.startActivity(draft);
    }

    /** Downloads one tile, or takes it from memory. */
    public byte[] tile(int zoom, int x, int y) throws IOException {
        String key = zoom + "/" + x + "/" + y;
        byte[] ready = mTiles.get(key);
        if (ready != null) {
            return ready;
        }
        HttpURLConnection line = (HttpURLConnection) new URL("https://tiles.example.invalid/" + key + ".png").openConnection();
        line.setConnectTimeout(7000);
        line.setRequestProperty("User-Agent", "TrailNotes");
        try {
            if (line.getResponseCode() != HttpURLConnection.HTTP_OK) {
                throw new IOException(line.getResponseCode() + " " + line.getResponseMessage());
            }
            java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream(Math.max(1024, line.getContentLength()));
            InputStream in = line.getInputStream();
            int b;
            while ((b = in.read()) != -1) bytes.write(b);
            mTiles.put(key, bytes.toByteArray());
            return bytes.toByteArray();
        } finally {
            line.disconnect();
        }
    }

    /** Collects the summit stamps of a hut through the NFC reader. */
    static void collectStamps(Activity host, final List<String> stamps) {
        Bundle slow = new Bundle();
        slow.putInt(NfcAdapter.EXTRA_READER_PRESENCE_CHECK_DELAY, 1000);
        NfcAdapter.getDefaultAdapter(host).enableReaderMode(host, stamp -> stamps.add(Ndef.get(stamp).getType()),
                NfcAdapter.FLAG_READER_NFC_A | NfcAdapter.FLAG_READER_NFC_B | NfcAdapter.FLAG_READER_SKIP_NDEF_CHECK, slow);
    }

    /** Computes which tiles cover a track at a zoom level, each once. */
    public static List<int[]> tilesFor(List<TrackPoint> track, int zoom) {
        List<int[]> tiles = new ArrayList<>();
        long before = -1;
        double n = Math.pow(2, zoom);
        for (TrackPoint p : track) {
            double rad = Math.toRadians(p.lat);
            int x = (int) ((p.lon + 180) / 360 * n);
            int y = (int) ((1 - Math.log(Math.tan(rad) + 1 / Math.cos(rad)) / Math.PI) / 2 * n);
            long key = ((long) x << 32) | y;
            if (key != before) {
                tiles.add(new int[]{x, y});
                before = key;
            }
        }
        return tiles;
    }

    /** Removes tile files not used for some days and says how many went. */
    public int sweep(final int days) {
        final long limit = System.currentTimeMillis() - days * 86400000L;
        File[] stale = new File(mContext.getCacheDir(), "tiles").listFiles(new FileFilter() {
            @Override
            public boolean accept(File file) {
                return file.isFile() && file.getName().endsWith(".png") && file.lastModified() < limit;
            }
        });
        int gone = 0;
        if (stale != null) {
            for (File f : stale) gone += f.delete() ? 1 : 0;
        }
        Log.d(TAG, gone + " tiles swept");
        return gone;
    }

    /** Checks that the card has room for a download of the given size. */
    static boolean roomFor(long bytes) {
        if (!Environment.MEDIA_MOUNTED.equals(Environment.getExternalStorageState())) {
            return false;
        }
        StatFs stat = new StatFs(Environment.getExternalStorageDirectory().getPath());
        return stat.getAvailableBlocksLong() * stat.getBlockSizeLong() > bytes + (16L << 20);
    }

    /** Keeps the warden of a hut in the address book of the telephone. */
    void noteWarden(String hut, String number) {
        Intent card = new Intent(ContactsContract.Intents.Insert.ACTION);
        card.setType(ContactsContract.RawContacts.CONTENT_TYPE);
        card.putExtra(ContactsContract.Intents.Insert.NAME, "Warden of " + hut);
        card.putExtra(ContactsContract.Intents.Insert.COMPANY, hut);
        card.putExtra(ContactsContract.Intents.Insert.PHONE, number);
        card.putExtra(ContactsContract.Intents.Insert.PHONE_TYPE, ContactsContract.CommonDataKinds.Phone.TYPE_WORK);
        card.putExtra("finishActivityOnSaveCompleted", true);
        mContext.startActivity(card);
    }

    /** Opens the phone app with the number of the mountain rescue already typed in. */
    static boolean dialRescue(Context context, String country) {
        String number = "CH".equals(country) ? "1414" : "112";
        Intent dial = new Intent(Intent.ACTION_DIAL, Uri.fromParts("tel", number, null));
        boolean possible = context.getPackageManager().hasSystemFeature("android.hardware.telephony");
        if (possible) context.startActivity(dial);
        return possible;
    }

    /** Sorts huts by how far they are from the hiker. */
    public static <T extends TrackPoint> void nearestFirst(List<T> huts, final TrackPoint me) {
        Collections.sort(huts, new Comparator<T>() {
            @Override
            public int compare(T left, T right) {
                return Double.compare(left.metresTo(me), right.metresTo(me));
            }
        });
    }

    /** Draws a column of beds as text, one bar per hut. */
    static String bedChart(Resources res, int... beds) {
        StringBuilder chart = new StringBuilder();
        int most = 1;
        for (int b : beds) most = Math.max(most, b);
        int wide = res.getInteger(R.integer.chart_columns);
        for (int b : beds) {
            char[] bar = new char[Math.max(1, b * wide / most)];
            Arrays.fill(bar, '\u2588');
            chart.append(bar).append(' ').append(b).append('\n');
        }
        return chart.toString();
    }
}
