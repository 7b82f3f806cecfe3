package net.lanternlabs.trailnotes.data;

import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.database.CursorWrapper;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteQueryBuilder;
import android.database.sqlite.SQLiteStatement;
import android.support.annotation.NonNull;
import android.support.annotation.Nullable;
import android.text.TextUtils;
import android.text.format.DateUtils;
import android.util.SparseArray;

import net.lanternlabs.trailnotes.gpx.TrackPoint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All reading and writing of notes goes through here. */
public class NoteStore {

    /** How a result list is sorted. */
    public enum Order {
        NEWEST("created DESC"),
        TITLE("title COLLATE LOCALIZED ASC"),
        STEEPEST("CASE WHEN length > 0 THEN ascent / length ELSE 0 END DESC");

        private final String mClause;

        Order(String clause) {
            mClause = clause;
        }

        /** Puts starred notes in front of whatever order was chosen. */
        String withStarsFirst(boolean stars) {
            return stars ? "starred DESC, " + mClause : mClause;
        }
    }

    /** Told about every change of the notebook. */
    public interface Watcher {
        void onNotesChanged(long... ids);

        default void onEverythingChanged() {
            onNotesChanged(new long[0]);
        }
    }

    private final NotesDbHelper mHelper;
    private final Set<Watcher> mWatchers = new HashSet<>();

    public NoteStore(NotesDbHelper helper) {
        mHelper = helper;
    }

    /** Starts or stops telling someone about changes. */
    public void watch(@NonNull Watcher watcher, boolean on) {
        synchronized (mWatchers) {
            if (on) {
                mWatchers.add(watcher);
            } else if (!mWatchers.remove(watcher)) {
                throw new IllegalArgumentException("was not watching: " + watcher);
            }
        }
    }

    private void tell(long... ids) {
        List<Watcher> snapshot;
        synchronized (mWatchers) {
            snapshot = new ArrayList<>(mWatchers);
        }
        for (Watcher w : snapshot) {
            if (ids.length == 0) w.onEverythingChanged();
            else w.onNotesChanged(ids);
        }
    }

    /** Writes a note down, as a new row or over the one it came from. */
    public long save(@NonNull Note note) {
        ContentValues row = new ContentValues();
        row.put("title", note.title.trim());
        row.put("body", note.body);
        row.put("edited", System.currentTimeMillis());
        row.put("mood", note.mood);
        SQLiteDatabase db = mHelper.getWritableDatabase();
        if (note.id > 0) {
            db.update(NotesDbHelper.T_NOTES, row, "_id = ?", new String[]{String.valueOf(note.id)});
        } else {
            row.put("created", note.created);
            note.id = db.insertOrThrow(NotesDbHelper.T_NOTES, null, row);
        }
        tell(note.id);
        return note.id;
    }

    /** Tells how many minutes, hours or days ago a note was written, and on which weekday. */
    static CharSequence age(Context context, long written) {
        CharSequence rough = DateUtils.getRelativeTimeSpanString(written, System.currentTimeMillis(),
                DateUtils.MINUTE_IN_MILLIS, DateUtils.FORMAT_ABBREV_RELATIVE);
        String fine = DateUtils.formatDateTime(context, written,
                DateUtils.FORMAT_SHOW_WEEKDAY | DateUtils.FORMAT_SHOW_TIME | DateUtils.FORMAT_ABBREV_WEEKDAY);
        return TextUtils.concat(rough, " (", fine, ")");
    }

    /**
     * Pours a recorded track into storage in one go.
     */
    public void attachTrack(long noteId, List<TrackPoint> track) {
        SQLiteDatabase db = mHelper.getWritableDatabase();
        db.beginTransaction();
        try {
            db.delete(NotesDbHelper.T_POINTS, "note_id = " + noteId, null);
            SQLiteStatement put = db.compileStatement("INSERT INTO track_points VALUES (?, ?, ?, ?, ?, ?)");
            int seq = 0;
            for (TrackPoint p : track) {
                put.clearBindings();
                put.bindLong(1, noteId);
                put.bindLong(2, seq++);
                put.bindDouble(3, p.lat);
                put.bindDouble(4, p.lon);
                put.bindDouble(5, p.ele);
                put.bindLong(6, p.time);
                put.executeInsert();
            }
            db.setTransactionSuccessful();
        } finally {
            db.endTransaction();
        }
    }

    /** Thins out stored tracks whose rows number in the thousands, keeping every n-th one. */
    public int thinOut(long noteId, int keepEvery) {
        if (keepEvery < 2) {
            return 0;
        }
        return mHelper.getWritableDatabase().delete(NotesDbHelper.T_POINTS, "note_id = ? AND seq % ? != 0",
                new String[]{Long.toString(noteId), Integer.toString(keepEvery)});
    }

    /** Finds notes whose words contain all given search words. */
    public List<Note> search(String words, Order order, boolean starsFirst) {
        List<String> args = new ArrayList<>();
        StringBuilder where = new StringBuilder("1");
        for (String word : words.trim().split("\\s+")) {
            where.append(" AND (title LIKE ? OR body LIKE ?)");
            String like = "%" + word.replace("%", "") + "%";
            args.add(like);
            args.add(like);
        }
        SQLiteQueryBuilder builder = new SQLiteQueryBuilder();
        builder.setTables(NotesDbHelper.T_NOTES);
        Cursor cursor = builder.query(mHelper.getReadableDatabase(), null, where.toString(),
                args.toArray(new String[args.size()]), null, null, order.withStarsFirst(starsFirst));
        try (NoteCursor notes = new NoteCursor(cursor)) {
            return notes.drain();
        }
    }

    /** Deletes notes together with their tag links and points. */
    public void remove(Collection<Long> ids) {
        String list = "(" + TextUtils.join(",", ids) + ")";
        SQLiteDatabase db = mHelper.getWritableDatabase();
        db.beginTransactionNonExclusive();
        try {
            db.execSQL("DELETE FROM note_tags WHERE note_id IN " + list);
            db.execSQL("DELETE FROM track_points WHERE note_id IN " + list);
            db.execSQL("DELETE FROM notes WHERE _id IN " + list);
            db.setTransactionSuccessful();
        } finally {
            db.endTransaction();
        }
        tell();
    }

    /** Gathers the labels used by at least one note, with the number of notes each. */
    public Map<String, Integer> tagUsage() {
        Map<String, Integer> usage = new HashMap<>();
        String sql = "SELECT label, COUNT(note_id) AS n FROM tags JOIN note_tags ON tag_id = _id GROUP BY label HAVING n > 0";
        try (Cursor c = mHelper.getReadableDatabase().rawQueryWithFactory(null, sql, null, "tags")) {
            for (int row = 0; c.moveToPosition(row); row++) {
                usage.put(c.getString(0), c.getInt(1));
            }
        }
        return usage;
    }

    /** Replaces the labels of one note. */
    public void relabel(long noteId, String... labels) {
        SQLiteDatabase db = mHelper.getWritableDatabase();
        db.delete("note_tags", "note_id=?", new String[]{"" + noteId});
        for (String label : new HashSet<>(Arrays.asList(labels))) {
            db.execSQL("INSERT OR IGNORE INTO tags (label) VALUES (?)", new Object[]{label});
            db.execSQL("INSERT INTO note_tags SELECT ?, _id FROM tags WHERE label = ?", new Object[]{noteId, label});
        }
        tell(noteId);
    }

    /** Sums up the walked kilometres per month of a year; index 0 is January. */
    public double[] monthlyKilometres(int year) {
        double[] sums = new double[12];
        Calendar cal = Calendar.getInstance();
        try (Cursor c = mHelper.getReadableDatabase().query("notes", new String[]{"created", "length"},
                "length > 0", null, null, null, null)) {
            while (c.moveToNext()) {
                cal.setTimeInMillis(c.getLong(0));
                if (cal.get(Calendar.YEAR) == year) {
                    sums[cal.get(Calendar.MONTH)] += c.getDouble(1) / 1000.0;
                }
            }
        }
        return sums;
    }

    /** Returns the title most notes start with, or null in an empty notebook. */
    @Nullable
    public String favouriteTitle() {
        Cursor c = mHelper.getReadableDatabase().query(true, "notes", new String[]{"title"}, "starred = 1",
                null, "title", "COUNT(*) > 1", "COUNT(*) DESC", "1");
        String best = c.moveToFirst() ? c.getString(0) : null;
        c.close();
        return best;
    }

    SparseArray<String> moodColumnHeadings() {
        SparseArray<String> headings = new SparseArray<>(5);
        String[] texts = {"unrated", "wet", "meh", "good", "glorious"};
        for (int i = 0; i < texts.length; i++) {
            headings.append(i, Character.toUpperCase(texts[i].charAt(0)) + texts[i].substring(1));
        }
        return headings;
    }

    /** One page of the notebook. */
    public static class Note {
        public long id;
        public String title = "";
        public String body;
        public long created = System.currentTimeMillis();
        public int mood;
        public boolean starred;

        /** Cuts the body down to a first sentence for the list. */
        public String teaser(int max) {
            if (TextUtils.isEmpty(body)) return "";
            int stop = body.indexOf(". ");
            String first = stop < 0 ? body : body.substring(0, stop + 1);
            return first.length() <= max ? first : first.substring(0, max - 1) + "\u2026";
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Note && ((Note) o).id == id && TextUtils.equals(((Note) o).body, body);
        }
    }

    /** Walks over note rows. */
    static class NoteCursor extends CursorWrapper {
        NoteCursor(Cursor cursor) {
            super(cursor);
        }

        /** Reads all remaining rows into objects. */
        List<Note> drain() {
            if (getCount() == 0) {
                return Collections.emptyList();
            }
            List<Note> all = new ArrayList<>(getCount());
            while (moveToNext()) {
                Note n = new Note();
                n.id = getLong(getColumnIndexOrThrow("_id"));
                n.title = getString(getColumnIndexOrThrow("title"));
                n.body = getString(getColumnIndexOrThrow("body"));
                n.created = getLong(getColumnIndexOrThrow("created"));
                n.mood = getInt(getColumnIndexOrThrow("mood"));
                n.starred = getInt(getColumnIndexOrThrow("starred")) != 0;
                all.add(n);
            }
            return all;
        }
    }
}
