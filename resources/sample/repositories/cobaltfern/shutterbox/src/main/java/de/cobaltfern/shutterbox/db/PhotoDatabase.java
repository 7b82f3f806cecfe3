package de.cobaltfern.shutterbox.db;

import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.database.DatabaseUtils;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteException;
import android.database.sqlite.SQLiteOpenHelper;
import android.database.sqlite.SQLiteStatement;
import android.text.TextUtils;
import android.util.Log;

import java.io.File;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Captions, ratings and tags of the pictures.
 */
public class PhotoDatabase extends SQLiteOpenHelper
{
    private static final String TAG = "PhotoDatabase";
    private static final int VERSION = 7;

    public PhotoDatabase(Context context)
    {
        super(context, "photos.db", null, VERSION);
    }

    @Override
    public void onConfigure(SQLiteDatabase db)
    {
        db.setForeignKeyConstraintsEnabled(true);
        if (!db.isReadOnly()) db.enableWriteAheadLogging();
    }

    @Override
    public void onCreate(SQLiteDatabase db)
    {
        db.execSQL("CREATE TABLE photo (_id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, caption TEXT, rating INTEGER DEFAULT 0)");
        onUpgrade(db, 1, VERSION);
    }

    /**
     * Brings an old database up to date, version by version.
     */
    @Override
    public void onUpgrade(SQLiteDatabase db, int oldVersion, int newVersion)
    {
        Log.i(TAG, "from " + oldVersion + " to " + newVersion);
        if (oldVersion < 2)
        {
            db.execSQL("ALTER TABLE photo ADD COLUMN taken INTEGER");
            db.execSQL("CREATE INDEX photo_taken ON photo (taken)");
        }
        if (oldVersion < 3)
        {
            // tags used to be written into the caption with a hash sign
            db.execSQL("CREATE TABLE tag (_id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE COLLATE NOCASE)");
            db.execSQL("CREATE TABLE photo_tag (photo INTEGER NOT NULL REFERENCES photo ON DELETE CASCADE, "
                + "tag INTEGER NOT NULL REFERENCES tag, PRIMARY KEY (photo, tag)) WITHOUT ROWID");
            Map<String, Long> known = new HashMap<>();
            Cursor captions = db.rawQuery("SELECT _id, caption FROM photo WHERE caption LIKE '%#%'", null);
            while (captions.moveToNext())
            {
                long photo = captions.getLong(0);
                StringBuilder rest = new StringBuilder();
                for (String word : captions.getString(1).split(" "))
                {
                    if (word.length() < 2 || word.charAt(0) != '#')
                    {
                        rest.append(rest.length() == 0 ? "" : " ").append(word);
                        continue;
                    }
                    String tag = word.substring(1).toLowerCase();
                    Long id = known.get(tag);
                    if (id == null)
                    {
                        ContentValues v = new ContentValues();
                        v.put("word", tag);
                        id = db.insertOrThrow("tag", null, v);
                        known.put(tag, id);
                    }
                    db.execSQL("INSERT OR IGNORE INTO photo_tag VALUES (?, ?)", new Object[]{photo, id});
                }
                db.execSQL("UPDATE photo SET caption = ? WHERE _id = ?", new Object[]{rest.toString(), photo});
            }
            captions.close();
        }
        if (oldVersion < 4)
        {
            // ratings went from ten steps to five
            db.execSQL("UPDATE photo SET rating = (rating + 1) / 2 WHERE rating > 0");
        }
        if (oldVersion < 5)
        {
            // folder and name in separate columns; SQLite cannot drop the old one, so the table is rebuilt
            db.execSQL("CREATE TABLE folder (_id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE)");
            db.execSQL("CREATE TABLE photo_new (_id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folder, "
                + "name TEXT NOT NULL, caption TEXT, rating INTEGER DEFAULT 0, taken INTEGER, UNIQUE (folder, name))");
            SQLiteStatement addFolder = db.compileStatement("INSERT OR IGNORE INTO folder (path) VALUES (?)");
            SQLiteStatement findFolder = db.compileStatement("SELECT _id FROM folder WHERE path = ?");
            SQLiteStatement move = db.compileStatement("INSERT OR REPLACE INTO photo_new "
                + "SELECT _id, ?, ?, caption, rating, taken FROM photo WHERE _id = ?");
            try (Cursor all = db.query("photo", new String[]{"_id", "path"}, null, null, null, null, "_id"))
            {
                while (all.moveToNext())
                {
                    File file = new File(all.getString(1));
                    String parent = file.getParent() == null ? "/" : file.getParent();
                    addFolder.bindString(1, parent);
                    addFolder.executeInsert();
                    findFolder.bindString(1, parent);
                    move.bindLong(1, findFolder.simpleQueryForLong());
                    move.bindString(2, file.getName());
                    move.bindLong(3, all.getLong(0));
                    move.execute();
                    move.clearBindings();
                }
            }
            finally
            {
                addFolder.close();
                findFolder.close();
                move.close();
            }
            db.execSQL("DROP TABLE photo");
            db.execSQL("ALTER TABLE photo_new RENAME TO photo");
            db.execSQL("CREATE INDEX photo_taken_2 ON photo (taken DESC)");
        }
        if (oldVersion < 6)
        {
            try
            {
                db.execSQL("CREATE VIRTUAL TABLE caption_index USING fts4 (content='photo', caption)");
                db.execSQL("INSERT INTO caption_index (docid, caption) SELECT _id, caption FROM photo");
                db.execSQL("CREATE TRIGGER caption_bu BEFORE UPDATE OF caption ON photo BEGIN "
                    + "DELETE FROM caption_index WHERE docid = old._id; END");
                db.execSQL("CREATE TRIGGER caption_au AFTER UPDATE OF caption ON photo BEGIN "
                    + "INSERT INTO caption_index (docid, caption) VALUES (new._id, new.caption); END");
            }
            catch (SQLiteException noFts)
            {
                Log.w(TAG, "full text search is not compiled in", noFts);
            }
        }
        if (oldVersion < 7)
        {
            Set<String> columns = new LinkedHashSet<>();
            try (Cursor info = db.rawQuery("PRAGMA table_info(photo)", null))
            {
                int name = info.getColumnIndex("name");
                while (info.moveToNext()) columns.add(info.getString(name));
            }
            // beta testers already have this one
            if (!columns.contains("hidden")) db.execSQL("ALTER TABLE photo ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0");
            long orphans = DatabaseUtils.longForQuery(db, "SELECT count(*) FROM tag WHERE _id NOT IN (SELECT tag FROM photo_tag)", null);
            if (orphans > 0)
            {
                db.execSQL("DELETE FROM tag WHERE _id NOT IN (SELECT tag FROM photo_tag)");
                Log.i(TAG, orphans + " unused tags removed");
            }
        }
    }

    /** Attaches a tag to many photos in a single transaction. */
    public int tagAll(String word, Collection<Long> photos)
    {
        SQLiteDatabase db = getWritableDatabase();
        db.beginTransactionNonExclusive();
        try (SQLiteStatement link = db.compileStatement("INSERT OR IGNORE INTO photo_tag SELECT ?, _id FROM tag WHERE word = ?"))
        {
            int linked = 0;
            for (long photo : photos)
            {
                link.bindLong(1, photo);
                link.bindString(2, word);
                if (link.executeInsert() >= 0) linked++;
            }
            db.setTransactionSuccessful();
            return linked;
        }
        finally
        {
            db.endTransaction();
        }
    }

    /** Searches captions and returns the paths of the gallery pictures that match every word. */
    public Cursor search(String typed, int minRating)
    {
        String[] words = typed.replaceAll("[\"*]", " ").trim().split("\\s+");
        String match = TextUtils.join("* ", words) + "*";
        return getReadableDatabase().rawQuery("SELECT f.path || '/' || p.name AS file, p.caption FROM caption_index c "
            + "JOIN photo p ON p._id = c.docid JOIN folder f ON f._id = p.folder WHERE c.caption MATCH ? AND p.rating >= ? "
            + "AND NOT p.hidden ORDER BY p.taken DESC", new String[]{match, Integer.toString(minRating)});
    }

    /** Rotates the rating of a photo through the values zero to five. */
    public void bumpRating(long photo)
    {
        getWritableDatabase().execSQL("UPDATE photo SET rating = (rating + 1) % 6 WHERE _id = ?", new Object[]{photo});
    }

    /** Counts the pictures per month. */
    public Map<String, Integer> timeline(boolean includeHidden)
    {
        Map<String, Integer> months = new HashMap<>();
        String filter = includeHidden ? "1" : "hidden = 0";
        Cursor c = getReadableDatabase().query("photo", new String[]{"strftime('%Y-%m', taken / 1000, 'unixepoch')", "count(*)"},
            filter, null, "1", null, null);
        try
        {
            while (c.moveToNext()) months.put(c.getString(0), c.getInt(1));
        }
        finally
        {
            c.close();
        }
        return months;
    }
}
