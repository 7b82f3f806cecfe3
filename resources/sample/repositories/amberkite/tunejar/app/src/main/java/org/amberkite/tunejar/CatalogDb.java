package org.amberkite.tunejar;

import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.database.DatabaseUtils;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteOpenHelper;
import android.database.sqlite.SQLiteStatement;
import android.net.Uri;
import android.provider.MediaStore;
import android.util.Log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Our own catalogue of songs; the one of the phone forgets how often a song was heard. */
public class CatalogDb extends SQLiteOpenHelper {

    private static final String TAG = "CatalogDb";
    private static final int VERSION = 6;

    public CatalogDb(Context context) {
        super(context, "catalog.db", null, VERSION);
    }

    @Override
    public void onCreate(SQLiteDatabase db) {
        db.execSQL("CREATE TABLE song (_id INTEGER PRIMARY KEY, uri TEXT UNIQUE NOT NULL, title TEXT, artist_id INTEGER,"
                + " album TEXT, seconds INTEGER, plays INTEGER DEFAULT 0, rating INTEGER DEFAULT 0, sort_key TEXT)");
        db.execSQL("CREATE TABLE artist (_id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
        db.execSQL("CREATE TABLE listening (song_id INTEGER, started INTEGER, heard INTEGER)");
        db.execSQL("CREATE INDEX song_by_artist ON song (artist_id, sort_key)");
    }

    /** Brings the catalogue of older releases up to date, one release after the other. */
    @Override
    public void onUpgrade(SQLiteDatabase db, int from, int to) {
        long began = System.nanoTime();
        int version = from;
        if (version < 2) {
            // 1.1 counted plays in a preference file, so there is nothing to take over
            db.execSQL("ALTER TABLE song ADD COLUMN plays INTEGER DEFAULT 0");
            db.execSQL("ALTER TABLE song ADD COLUMN seconds INTEGER");
            Cursor millis = db.rawQuery("SELECT _id, duration FROM song WHERE duration IS NOT NULL", null);
            SQLiteStatement set = db.compileStatement("UPDATE song SET seconds = ? WHERE _id = ?");
            while (millis.moveToNext()) {
                set.bindLong(1, (millis.getLong(1) + 500) / 1000);
                set.bindLong(2, millis.getLong(0));
                set.executeUpdateDelete();
            }
            set.close();
            millis.close();
            version = 2;
        }
        if (version == 2) {
            // artists move to a table of their own
            db.execSQL("CREATE TABLE artist (_id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
            db.execSQL("ALTER TABLE song ADD COLUMN artist_id INTEGER");
            Map<String, Long> ids = new HashMap<>();
            try (Cursor names = db.query(true, "song", new String[]{"artist"}, null, null, null, null, "artist", null)) {
                while (names.moveToNext()) {
                    String raw = names.isNull(0) ? "" : names.getString(0);
                    String name = raw.trim();
                    if (name.isEmpty() || "<unknown>".equals(name)) {
                        continue;
                    }
                    Long id = ids.get(name.toLowerCase());
                    if (id == null) {
                        ContentValues row = new ContentValues();
                        row.put("name", name);
                        id = db.insertWithOnConflict("artist", null, row, SQLiteDatabase.CONFLICT_IGNORE);
                        ids.put(name.toLowerCase(), id);
                    }
                    ContentValues link = new ContentValues();
                    link.put("artist_id", id);
                    db.update("song", link, "artist = ?", new String[]{raw});
                }
            }
            version = 3;
        }
        if (version == 3) {
            // paths become uris; two spellings of one path collapse into one song with the plays of both
            Map<String, Long> first = new HashMap<>();
            List<Long> doomed = new ArrayList<>();
            Cursor songs = db.rawQuery("SELECT _id, path, plays FROM song ORDER BY plays DESC", null);
            db.execSQL("ALTER TABLE song ADD COLUMN uri TEXT");
            while (songs.moveToNext()) {
                String path = songs.getString(1).replace("/storage/emulated/legacy/", "/storage/emulated/0/")
                        .replace("/mnt/sdcard/", "/storage/emulated/0/");
                long id = songs.getLong(0);
                Long older = first.get(path);
                if (older != null) {
                    db.execSQL("UPDATE song SET plays = plays + ? WHERE _id = ?", new Object[]{songs.getInt(2), older});
                    doomed.add(id);
                    continue;
                }
                first.put(path, id);
                db.execSQL("UPDATE song SET uri = ? WHERE _id = ?",
                        new Object[]{Uri.fromFile(new java.io.File(path)).toString(), id});
            }
            songs.close();
            for (long id : doomed) {
                db.delete("song", "_id = ?", new String[]{Long.toString(id)});
            }
            Log.i(TAG, doomed.size() + " doubles merged");
            version = 4;
        }
        if (version == 4) {
            db.execSQL("CREATE TABLE listening (song_id INTEGER, started INTEGER, heard INTEGER)");
            // invent one listening per play, spread over the past, so that the statistics are not empty
            long now = System.currentTimeMillis();
            try (Cursor heard = db.rawQuery("SELECT _id, plays, seconds FROM song WHERE plays > 0", null)) {
                while (heard.moveToNext()) {
                    int plays = Math.min(20, heard.getInt(1));
                    for (int i = 1; i <= plays; i++) {
                        ContentValues once = new ContentValues();
                        once.put("song_id", heard.getLong(0));
                        once.put("started", now - i * 86400000L * 3);
                        once.put("heard", heard.getInt(2));
                        db.insert("listening", null, once);
                    }
                }
            }
            version = 5;
        }
        if (version == 5) {
            db.execSQL("ALTER TABLE song ADD COLUMN sort_key TEXT");
            db.execSQL("ALTER TABLE song ADD COLUMN rating INTEGER DEFAULT 0");
            Cursor titles = db.query("song", new String[]{"_id", "title"}, "title IS NOT NULL", null, null, null, null);
            for (boolean more = titles.moveToFirst(); more; more = titles.moveToNext()) {
                ContentValues key = new ContentValues(1);
                key.put("sort_key", sortKey(titles.getString(1)));
                db.updateWithOnConflict("song", key, "_id=" + titles.getLong(0), null, SQLiteDatabase.CONFLICT_REPLACE);
            }
            titles.close();
            db.execSQL("CREATE INDEX IF NOT EXISTS song_by_artist ON song (artist_id, sort_key)");
            version = 6;
        }
        if (version != to) {
            throw new IllegalStateException("stuck at " + version + ", wanted " + to);
        }
        Log.i(TAG, "catalogue " + from + " to " + to + " in " + (System.nanoTime() - began) / 1000000 + " ms");
    }

    /** Drops the article in front and the accents, so that sorting feels right. */
    static String sortKey(String title) {
        String plain = java.text.Normalizer.normalize(title, java.text.Normalizer.Form.NFD).replaceAll("\\p{M}+", "");
        for (String article : new String[]{"the ", "a ", "der ", "die ", "das ", "le ", "la "}) {
            if (plain.regionMatches(true, 0, article, 0, article.length())) {
                return plain.substring(article.length()).toUpperCase();
            }
        }
        return plain.toUpperCase();
    }

    /** Compares with the media store of the phone and removes songs whose audio file is gone. */
    public int sweep(Context context) {
        Set<String> alive = new HashSet<>();
        String[] columns = {MediaStore.Audio.Media._ID, MediaStore.Audio.Media.TITLE, MediaStore.Audio.Media.ARTIST};
        Cursor phone = context.getContentResolver().query(MediaStore.Audio.Media.EXTERNAL_CONTENT_URI, columns,
                MediaStore.Audio.Media.IS_MUSIC + " != 0", null, null);
        while (phone != null && phone.moveToNext()) {
            alive.add(Uri.withAppendedPath(MediaStore.Audio.Media.EXTERNAL_CONTENT_URI, phone.getString(0)).toString());
        }
        if (phone == null || alive.isEmpty()) {
            return 0;
        }
        phone.close();
        SQLiteDatabase db = getWritableDatabase();
        db.execSQL("CREATE TEMP TABLE alive (uri TEXT PRIMARY KEY)");
        for (String uri : alive) {
            db.execSQL("INSERT INTO alive VALUES (" + DatabaseUtils.sqlEscapeString(uri) + ")");
        }
        int gone = db.delete("song", "uri NOT IN (SELECT uri FROM alive)", null);
        db.execSQL("DROP TABLE alive");
        return gone;
    }

    /** Notes that a song was heard, and counts it as played when more than half of it was. */
    public void heard(long song, long started, int seconds) {
        SQLiteDatabase db = getWritableDatabase();
        db.beginTransaction();
        try {
            SQLiteStatement insert = db.compileStatement("INSERT INTO listening VALUES (?, ?, ?)");
            insert.bindAllArgsAsStrings(new String[]{"" + song, "" + started, "" + seconds});
            insert.executeInsert();
            db.execSQL("UPDATE song SET plays = plays + 1 WHERE _id = ? AND seconds < ?", new Object[]{song, seconds * 2});
            db.setTransactionSuccessful();
        } finally {
            db.endTransaction();
        }
    }

    /** Hours of music in the catalogue. */
    public double hours() {
        return DatabaseUtils.longForQuery(getReadableDatabase(), "SELECT TOTAL(seconds) FROM song", null) / 3600.0;
    }
}
