package org.opencask.netpouch;

import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.database.DatabaseUtils;
import android.database.SQLException;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteOpenHelper;
import android.database.sqlite.SQLiteStatement;
import android.util.Log;
import android.util.SparseIntArray;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** History of everything that was ever fetched. */
public class JournalDb extends SQLiteOpenHelper {

    private static final int VERSION = 6;
    private static final String TABLE = "journal";

    public JournalDb(Context context) {
        super(context, "journal.db", null, VERSION);
    }

    @Override
    public void onCreate(SQLiteDatabase db) {
        db.execSQL("CREATE TABLE " + TABLE + " (_id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, host_id INTEGER, "
                + "started INTEGER, finished INTEGER, bytes INTEGER DEFAULT 0, state INTEGER DEFAULT 0, note TEXT)");
        db.execSQL("CREATE TABLE hosts (_id INTEGER PRIMARY KEY, name TEXT UNIQUE, failures INTEGER DEFAULT 0)");
        db.execSQL("CREATE INDEX journal_started ON " + TABLE + " (started DESC)");
    }

    /** Brings a journal of any earlier release to the present layout, one step at a time. */
    @Override
    public void onUpgrade(SQLiteDatabase db, int oldVersion, int newVersion) {
        int at = oldVersion;
        Log.i("JournalDb", "upgrading from " + oldVersion + " to " + newVersion);
        if (at < 2) {
            db.execSQL("ALTER TABLE journal ADD COLUMN note TEXT");
            ContentValues blank = new ContentValues();
            blank.put("note", "");
            db.update(TABLE, blank, "note IS NULL", null);
            at = 2;
        }
        if (at == 2) {
            // times were kept as seconds in text form
            db.execSQL("ALTER TABLE journal RENAME TO journal_old");
            db.execSQL("CREATE TABLE journal (_id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, "
                    + "started INTEGER, finished INTEGER, bytes INTEGER DEFAULT 0, status TEXT, note TEXT)");
            Cursor old = db.query("journal_old", new String[]{"url", "started", "finished", "bytes", "status", "note"},
                    null, null, null, null, "_id");
            SQLiteStatement insert = db.compileStatement(
                    "INSERT INTO journal (url, started, finished, bytes, status, note) VALUES (?, ?, ?, ?, ?, ?)");
            int lost = 0;
            try {
                while (old.moveToNext()) {
                    insert.clearBindings();
                    insert.bindString(1, old.getString(0));
                    for (int column = 1; column <= 2; column++) {
                        String seconds = old.getString(column);
                        if (seconds == null || seconds.isEmpty()) {
                            insert.bindNull(column + 1);
                        } else {
                            try {
                                insert.bindLong(column + 1, Long.parseLong(seconds) * 1000L);
                            } catch (NumberFormatException e) {
                                insert.bindNull(column + 1);
                                lost++;
                            }
                        }
                    }
                    insert.bindLong(4, old.isNull(3) ? 0 : old.getLong(3));
                    if (old.isNull(4)) {
                        insert.bindNull(5);
                    } else {
                        insert.bindString(5, old.getString(4));
                    }
                    insert.bindString(6, old.isNull(5) ? "" : old.getString(5));
                    insert.executeInsert();
                }
            } finally {
                old.close();
                insert.close();
            }
            db.execSQL("DROP TABLE journal_old");
            if (lost > 0) {
                Log.w("JournalDb", lost + " unreadable times were dropped");
            }
            at++;
        }
        if (at == 3) {
            // words for the state become numbers
            db.execSQL("ALTER TABLE journal ADD COLUMN state INTEGER DEFAULT 0");
            String[] words = {"waiting", "running", "done", "failed", "cancelled"};
            for (int code = 0; code < words.length; code++) {
                ContentValues values = new ContentValues(1);
                values.put("state", code);
                int rows = db.update(TABLE, values, "lower(status) = ?", new String[]{words[code]});
                Log.d("JournalDb", rows + " rows are now " + code);
            }
            db.delete(TABLE, "status IS NOT NULL AND lower(status) = 'test'", null);
            at++;
        }
        if (at == 4) {
            db.execSQL("CREATE TABLE IF NOT EXISTS hosts (_id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
            db.execSQL("ALTER TABLE journal ADD COLUMN host_id INTEGER");
            Map<String, Long> ids = new HashMap<>();
            try (Cursor urls = db.rawQuery("SELECT _id, url FROM journal", null)) {
                while (urls.moveToNext()) {
                    String host = android.net.Uri.parse(urls.getString(1)).getHost();
                    if (host == null) {
                        continue;
                    }
                    Long id = ids.get(host);
                    if (id == null) {
                        ContentValues row = new ContentValues();
                        row.put("name", host);
                        id = db.insertOrThrow("hosts", null, row);
                        ids.put(host, id);
                    }
                    db.execSQL("UPDATE journal SET host_id = ? WHERE _id = ?", new Object[]{id, urls.getLong(0)});
                }
            } catch (SQLException e) {
                Log.e("JournalDb", "host table stays empty", e);
                db.delete("hosts", null, null);
            }
            at++;
        }
        if (at == 5) {
            db.execSQL("ALTER TABLE hosts ADD COLUMN failures INTEGER DEFAULT 0");
            db.execSQL("UPDATE hosts SET failures = (SELECT count(*) FROM journal WHERE host_id = hosts._id AND state = 3)");
            db.execSQL("DROP INDEX IF EXISTS journal_url");
            db.execSQL("CREATE INDEX IF NOT EXISTS journal_started ON journal (started DESC)");
            at++;
        }
        if (at != newVersion) {
            throw new IllegalStateException("no way from " + oldVersion + " to " + newVersion + ", stuck at " + at);
        }
    }

    /** Enters a new request and returns its row id. */
    public long open(String url, long hostId) {
        ContentValues entry = new ContentValues();
        entry.put("url", url);
        entry.put("host_id", hostId);
        entry.put("started", System.currentTimeMillis());
        return getWritableDatabase().insertWithOnConflict(TABLE, null, entry, SQLiteDatabase.CONFLICT_IGNORE);
    }

    /** Moves many finished rows to the archive within one transaction. */
    public void archive(List<Long> ids) {
        SQLiteDatabase db = getWritableDatabase();
        db.beginTransactionNonExclusive();
        try {
            for (Long id : ids) {
                String[] args = {Long.toString(id)};
                db.execSQL("INSERT INTO archive SELECT * FROM journal WHERE _id = ?", args);
                db.delete(TABLE, "_id = ?", args);
                db.yieldIfContendedSafely();
            }
            db.setTransactionSuccessful();
        } finally {
            db.endTransaction();
        }
    }

    /** Counts how much mobile data budget the fetches since a moment have used. */
    public long mobileDataUsed(long since) {
        return DatabaseUtils.longForQuery(getReadableDatabase(),
                "SELECT total(bytes) FROM journal WHERE started >= ? AND note LIKE '%cellular%'",
                new String[]{String.valueOf(since)});
    }

    /** Groups the failures by hour of the day. */
    public SparseIntArray failuresByHour() {
        SparseIntArray hours = new SparseIntArray(24);
        Cursor c = getReadableDatabase().rawQuery(
                "SELECT strftime('%H', started / 1000, 'unixepoch', 'localtime'), count(*) FROM journal WHERE state = 3 GROUP BY 1", null);
        for (boolean more = c.moveToFirst(); more; more = c.moveToNext()) {
            hours.append(c.getInt(0), c.getInt(1));
        }
        c.close();
        return hours;
    }

    List<String> suggestions(String typed, int limit) {
        List<String> found = new ArrayList<>(limit);
        String like = typed.replace("%", "").replace("_", "") + "%";
        try (Cursor hosts = getReadableDatabase().query(true, "hosts", new String[]{"name"}, "name LIKE ?",
                new String[]{like}, null, null, "failures ASC, name", Integer.toString(limit))) {
            int column = hosts.getColumnIndexOrThrow("name");
            while (hosts.moveToNext()) found.add(hosts.getString(column));
        }
        return found;
    }
}
