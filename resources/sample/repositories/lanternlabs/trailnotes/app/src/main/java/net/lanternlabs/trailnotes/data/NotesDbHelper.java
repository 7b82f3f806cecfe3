package net.lanternlabs.trailnotes.data;

import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.database.DatabaseUtils;
import android.database.SQLException;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteOpenHelper;
import android.util.Log;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Opens the notebook and brings old notebooks up to date.
 */
public class NotesDbHelper extends SQLiteOpenHelper {

    private static final String TAG = "NotesDbHelper";
    static final String FILE_NAME = "trailnotes.db";
    static final int VERSION = 9;

    static final String T_NOTES = "notes";
    static final String T_TAGS = "tags";
    static final String T_NOTE_TAGS = "note_tags";
    static final String T_POINTS = "track_points";
    static final String T_HUTS = "huts";

    private final Context mContext;

    public NotesDbHelper(Context context) {
        super(context.getApplicationContext(), FILE_NAME, null, VERSION);
        mContext = context.getApplicationContext();
    }

    /** Builds the empty notebook with its five tables on first start. */
    @Override
    public void onCreate(SQLiteDatabase db) {
        db.execSQL("CREATE TABLE " + T_NOTES + " (_id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL,"
                + " body TEXT, created INTEGER NOT NULL, edited INTEGER, mood INTEGER DEFAULT 0,"
                + " ascent REAL DEFAULT 0, length REAL DEFAULT 0, starred INTEGER NOT NULL DEFAULT 0)");
        db.execSQL("CREATE TABLE " + T_TAGS + " (_id INTEGER PRIMARY KEY, label TEXT UNIQUE COLLATE NOCASE, colour INTEGER)");
        db.execSQL("CREATE TABLE " + T_NOTE_TAGS + " (note_id INTEGER, tag_id INTEGER, PRIMARY KEY (note_id, tag_id))");
        db.execSQL("CREATE TABLE " + T_POINTS + " (note_id INTEGER, seq INTEGER, lat REAL, lon REAL, ele REAL, at INTEGER)");
        db.execSQL("CREATE TABLE " + T_HUTS + " (code TEXT PRIMARY KEY, name TEXT, altitude INTEGER, beds INTEGER)");
        db.execSQL("CREATE INDEX points_by_note ON " + T_POINTS + " (note_id, seq)");
    }

    /** Switches foreign keys and write-ahead logging on before anything else runs. */
    @Override
    public void onConfigure(SQLiteDatabase db) {
        super.onConfigure(db);
        db.setForeignKeyConstraintsEnabled(true);
        if (!db.isReadOnly() && !db.enableWriteAheadLogging()) {
            Log.w(TAG, "no WAL on this device");
        }
    }

    /** Lifts a notebook of any earlier release to the present layout, one release at a time. */
    @Override
    public void onUpgrade(SQLiteDatabase db, int oldVersion, int newVersion) {
        Log.i(TAG, "upgrading notebook from " + oldVersion + " to " + newVersion);
        int version = oldVersion;
        while (version < newVersion) {
            switch (version) {
                case 1:
                    // the first public release had no mood and kept seconds, not milliseconds
                    db.execSQL("ALTER TABLE notes ADD COLUMN mood INTEGER DEFAULT 0");
                    db.execSQL("UPDATE notes SET created = created * 1000");
                    break;
                case 2:
                    db.execSQL("CREATE TABLE tags (_id INTEGER PRIMARY KEY, label TEXT UNIQUE COLLATE NOCASE)");
                    db.execSQL("CREATE TABLE note_tags (note_id INTEGER, tag_id INTEGER, PRIMARY KEY (note_id, tag_id))");
                    Cursor old = db.query(T_NOTES, new String[]{"_id", "labels"}, "labels IS NOT NULL",
                            null, null, null, "_id");
                    Map<String, Long> known = new LinkedHashMap<>();
                    try {
                        while (old.moveToNext()) {
                            long noteId = old.getLong(0);
                            for (String piece : old.getString(1).split(";")) {
                                String label = piece.trim().toLowerCase(Locale.ROOT);
                                if (label.isEmpty()) {
                                    continue;
                                }
                                Long tagId = known.get(label);
                                if (tagId == null) {
                                    ContentValues fresh = new ContentValues(1);
                                    fresh.put("label", label);
                                    tagId = db.insertOrThrow(T_TAGS, null, fresh);
                                    known.put(label, tagId);
                                }
                                ContentValues link = new ContentValues(2);
                                link.put("note_id", noteId);
                                link.put("tag_id", tagId);
                                db.insertWithOnConflict(T_NOTE_TAGS, null, link, SQLiteDatabase.CONFLICT_IGNORE);
                            }
                        }
                    } finally {
                        old.close();
                    }
                    break;
                case 3:
                    if (!fieldPresent(db, T_TAGS, "colour")) {
                        db.execSQL("ALTER TABLE tags ADD COLUMN colour INTEGER");
                    }
                    db.execSQL("UPDATE tags SET colour = " + 0xFF4E7D3A + " WHERE colour IS NULL");
                    break;
                case 4:
                    // SQLite cannot drop the old labels text, so the table is poured into a new one
                    db.execSQL("ALTER TABLE notes RENAME TO notes_old");
                    db.execSQL("CREATE TABLE notes (_id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL,"
                            + " body TEXT, created INTEGER NOT NULL, edited INTEGER, mood INTEGER DEFAULT 0)");
                    db.execSQL("INSERT INTO notes (_id, title, body, created, edited, mood)"
                            + " SELECT _id, COALESCE(title, ''), body, created, created, mood FROM notes_old");
                    db.execSQL("DROP TABLE notes_old");
                    break;
                case 5:
                    db.execSQL("CREATE TABLE track_points (note_id INTEGER, seq INTEGER, lat REAL, lon REAL,"
                            + " ele REAL, at INTEGER)");
                    db.execSQL("CREATE INDEX points_by_note ON track_points (note_id, seq)");
                    File legacy = new File(mContext.getFilesDir(), "tracks");
                    File[] leftovers = legacy.listFiles();
                    if (leftovers != null) {
                        for (File leftover : leftovers) {
                            if (!leftover.delete()) {
                                Log.w(TAG, "could not remove " + leftover);
                            }
                        }
                    }
                    break;
                case 6:
                    for (String extra : new String[]{"ascent", "length"}) {
                        if (!fieldPresent(db, T_NOTES, extra)) {
                            db.execSQL("ALTER TABLE notes ADD COLUMN " + extra + " REAL DEFAULT 0");
                        }
                    }
                    break;
                case 7:
                    db.execSQL("CREATE TABLE huts (code TEXT PRIMARY KEY, name TEXT, altitude INTEGER, beds INTEGER)");
                    break;
                case 8:
                    db.execSQL("ALTER TABLE notes ADD COLUMN starred INTEGER NOT NULL DEFAULT 0");
                    long favourite = -1;
                    try {
                        favourite = DatabaseUtils.longForQuery(db, "SELECT _id FROM tags WHERE label = 'favourite'", null);
                    } catch (SQLException nothing) {
                        Log.d(TAG, "no favourites to carry over");
                    }
                    if (favourite >= 0) {
                        String[] args = {Long.toString(favourite)};
                        db.execSQL("UPDATE notes SET starred = 1 WHERE _id IN"
                                + " (SELECT note_id FROM note_tags WHERE tag_id = ?)", args);
                        db.delete(T_NOTE_TAGS, "tag_id = ?", args);
                        db.delete(T_TAGS, "_id = ?", args);
                    }
                    break;
                default:
                    throw new IllegalStateException("no way up from version " + version);
            }
            version++;
        }
    }

    /** Refuses notebooks written by a later release instead of damaging them. */
    @Override
    public void onDowngrade(SQLiteDatabase db, int oldVersion, int newVersion) {
        throw new SQLException(String.format(Locale.ROOT, "notebook v%d is newer than app v%d", oldVersion, newVersion));
    }

    /**
     * Tells if the schema of a relation already knows a field.
     */
    static boolean fieldPresent(SQLiteDatabase database, String relation, String field) {
        Cursor info = database.rawQuery("PRAGMA table_info(" + relation + ")", null);
        if (info == null) {
            return false;
        }
        try {
            final int at = info.getColumnIndex("name");
            while (info.moveToNext()) {
                if (field.equalsIgnoreCase(info.getString(at))) {
                    return true;
                }
            }
            return false;
        } finally {
            info.close();
        }
    }

    /** Lists every table in the database file, without the ones SQLite keeps for itself. */
    public List<String> tableNames() {
        List<String> names = new ArrayList<>();
        try (Cursor c = getReadableDatabase().query("sqlite_master", new String[]{"name"},
                "type = ? AND name NOT LIKE 'sqlite_%' AND name != 'android_metadata'",
                new String[]{"table"}, null, null, "name COLLATE NOCASE")) {
            while (c.moveToNext()) {
                names.add(c.getString(0));
            }
        }
        return names;
    }

    /** Checks if the note with the given id exists. */
    boolean noteExists(long id) {
        return DatabaseUtils.queryNumEntries(getReadableDatabase(), T_NOTES, "_id = ?",
                new String[]{String.valueOf(id)}) > 0;
    }

    /** Copies the raw notebook file to another place, journal merged in first. */
    public void copyTo(File target) throws IOException {
        getWritableDatabase().rawQuery("PRAGMA wal_checkpoint(FULL)", null).close();
        File source = mContext.getDatabasePath(FILE_NAME);
        try (FileChannel in = new FileInputStream(source).getChannel();
             FileChannel out = new FileOutputStream(target).getChannel()) {
            long done = 0;
            while (done < in.size()) {
                done += in.transferTo(done, in.size() - done, out);
            }
        }
    }

    String integrityVerdict() {
        SQLiteDatabase db = getReadableDatabase();
        if (db.isDatabaseIntegrityOk()) {
            return "ok";
        }
        String firstLine = DatabaseUtils.stringForQuery(db, "PRAGMA quick_check(1)", null);
        return firstLine == null ? "unknown" : firstLine;
    }

    /** Squeezes unused pages out of the file and returns how many bytes that saved. */
    long compact() {
        File file = mContext.getDatabasePath(FILE_NAME);
        long before = file.length();
        getWritableDatabase().execSQL("VACUUM");
        return Math.max(0, before - file.length());
    }
}
