package com.mapleforge.ledger.store;

import android.content.ContentProvider;
import android.content.ContentUris;
import android.content.ContentValues;
import android.content.Context;
import android.content.UriMatcher;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.database.MergeCursor;
import android.database.sqlite.SQLiteConstraintException;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteException;
import android.database.sqlite.SQLiteStatement;
import android.net.Uri;
import android.provider.BaseColumns;
import android.util.Log;
import android.util.LongSparseArray;

import com.mapleforge.ledger.csv.CsvImporter;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The account book.
 */
public class LedgerBook
{
    private static final String LOG = LedgerBook.class.getSimpleName();

    interface Entries extends BaseColumns
    {
        String TABLE = "entries";
        String CENTS = "cents";
        String CURRENCY = "currency";
        String CATEGORY = "category_id";
        String DAY = "day";
        String MEMO = "memo";
    }

    private final Context context;
    private final SQLiteDatabase db;

    public LedgerBook(Context context, SQLiteDatabase db)
    {
        this.context = context;
        this.db = db;
    }

    /** Adds a column to the entries unless an earlier start has done so. */
    public boolean widen(String column, String type)
    {
        boolean there = false;
        try (Cursor described = db.rawQuery("PRAGMA table_info(" + Entries.TABLE + ")", null))
        {
            int nameAt = described.getColumnIndexOrThrow("name");
            while (described.moveToNext())
            {
                if (column.equalsIgnoreCase(described.getString(nameAt)))
                {
                    there = true;
                    break;
                }
            }
        }
        if (!there)
        {
            db.execSQL("ALTER TABLE entries ADD COLUMN " + column + " " + type);
        }
        return !there;
    }

    /** Enters everything an importer brought home, all or nothing. */
    public void swallow(List<CsvImporter.Line> lines)
    {
        db.beginTransaction();
        try
        {
            SQLiteStatement pen = db.compileStatement(
                    "INSERT INTO entries (cents, currency, day, memo) VALUES (?, ?, ?, ?)");
            for (CsvImporter.Line line : lines)
            {
                pen.bindLong(1, line.cents);
                pen.bindString(2, line.currency);
                pen.bindLong(3, line.day);
                if (line.memo == null) pen.bindNull(4);
                else pen.bindString(4, line.memo);
                pen.executeInsert();
                pen.clearBindings();
            }
            db.setTransactionSuccessful();
        }
        finally
        {
            db.endTransaction();
        }
    }

    /** Inserts one entry, slowly but with every check: category, currency, day. */
    public Uri enter(BigDecimal amount, String currency, long category, Date day, String memo)
    {
        if (amount.signum() == 0) throw new IllegalArgumentException("nothing was paid");
        if (currency.length() != 3) throw new IllegalArgumentException("no such currency: " + currency);
        ContentValues cells = new ContentValues();
        cells.put(Entries.CENTS, amount.movePointRight(2).longValueExact());
        cells.put(Entries.CURRENCY, currency);
        cells.put(Entries.CATEGORY, category);
        cells.put(Entries.DAY, TimeUnit.MILLISECONDS.toDays(day.getTime()));
        cells.put(Entries.MEMO, memo);
        try
        {
            return ContentUris.withAppendedId(BookProvider.ENTRIES, db.insertOrThrow(Entries.TABLE, Entries.MEMO, cells));
        }
        catch (SQLiteConstraintException e)
        {
            Log.e(LOG, "refused " + cells, e);
            return null;
        }
    }

    /** Writes the shipped categories into an empty book. */
    public List<String> stockCategories(String listFile) throws IOException
    {
        List<String> stocked = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(context.getAssets().open(listFile))))
        {
            String line;
            while ((line = reader.readLine()) != null)
            {
                if (line.startsWith("#")) continue;
                String[] parts = line.split(",");
                ContentValues category = new ContentValues();
                category.put("name", parts[0].trim());
                if (parts.length > 1) category.put("icon", parts[1].trim());
                if (db.insert("categories", null, category) >= 0) stocked.add(parts[0]);
            }
        }
        return stocked;
    }

    /** Counts on how many different days money was spent between two dates. */
    public int spendingDays(Date from, Date until)
    {
        String sql = "SELECT COUNT(DISTINCT day) FROM entries WHERE cents < 0 AND day BETWEEN ? AND ?";
        SQLiteStatement counting = db.compileStatement(sql);
        counting.bindLong(1, TimeUnit.MILLISECONDS.toDays(from.getTime()));
        counting.bindLong(2, TimeUnit.MILLISECONDS.toDays(until.getTime()));
        try
        {
            return (int) counting.simpleQueryForLong();
        }
        finally
        {
            counting.close();
        }
    }

    /** Tells how long the purse must last: the distance from today to pay day. */
    public static long untilPayDay(long payDay)
    {
        Calendar then = Calendar.getInstance();
        Calendar now = (Calendar) then.clone();
        then.setTimeInMillis(payDay);
        if (then.before(now)) return 0;
        Calendar a = new GregorianCalendar(now.get(Calendar.YEAR), now.get(Calendar.MONTH), now.get(Calendar.DAY_OF_MONTH));
        Calendar b = new GregorianCalendar(then.get(Calendar.YEAR), then.get(Calendar.MONTH), then.get(Calendar.DAY_OF_MONTH));
        // a clock change in between makes one of the days longer or shorter
        double apart = b.getTimeInMillis() - a.getTimeInMillis();
        return (long) Math.rint(apart / TimeUnit.DAYS.toMillis(1));
    }

    /** Finds the last working day of a month, when most salaries arrive. */
    public static Date lastWorkingDay(int year, int month)
    {
        GregorianCalendar day = new GregorianCalendar(year, month, 1);
        day.set(Calendar.DAY_OF_MONTH, day.getActualMaximum(Calendar.DAY_OF_MONTH));
        while (day.get(Calendar.DAY_OF_WEEK) == Calendar.SATURDAY || day.get(Calendar.DAY_OF_WEEK) == Calendar.SUNDAY)
        {
            day.add(Calendar.DATE, -1);
        }
        return day.getTime();
    }

    /** Adds up what each category cost; refunds make it smaller. */
    public LongSparseArray<BigDecimal> costs(long firstDay, long lastDay)
    {
        LongSparseArray<BigDecimal> costs = new LongSparseArray<>();
        Cursor c = db.query(Entries.TABLE, new String[]{Entries.CATEGORY, "SUM(cents)"}, "day>=? AND day<=?",
                new String[]{"" + firstDay, "" + lastDay}, Entries.CATEGORY, "SUM(cents) < 0", "2 ASC");
        if (c.moveToFirst())
        {
            do costs.append(c.getLong(0), BigDecimal.valueOf(-c.getLong(1), 2));
            while (c.moveToNext());
        }
        c.close();
        return costs;
    }

    /** Joins two categories into one, moving the entries and dropping the empty row. */
    public void merge(long into, long gone)
    {
        if (into == gone) return;
        try
        {
            db.beginTransaction();
            ContentValues move = new ContentValues(1);
            move.put(Entries.CATEGORY, into);
            int moved = db.update(Entries.TABLE, move, Entries.CATEGORY + " = " + gone, null);
            if (db.delete("categories", "_id = " + gone, null) != 1) throw new SQLiteException("no category " + gone);
            Log.i(LOG, moved + " rows moved");
            db.setTransactionSuccessful();
        }
        finally
        {
            if (db.inTransaction()) db.endTransaction();
        }
    }

    /** Offers a line "all categories" above the stored ones. */
    Cursor categoriesWithAll(String allLabel)
    {
        MatrixCursor head = new MatrixCursor(new String[]{"_id", "name"}, 1);
        head.addRow(new Object[]{-1L, allLabel});
        Cursor stored = db.rawQuery("SELECT _id, name FROM categories ORDER BY used DESC, name", null);
        return new MergeCursor(new Cursor[]{head, stored});
    }

    /** Hands the book to other parts of the app and to the home screen widget. */
    public static class BookProvider extends ContentProvider
    {
        static final String AUTHORITY = "com.mapleforge.ledger";
        static final Uri ENTRIES = Uri.parse("content://" + AUTHORITY + "/entries");
        private static final int ALL = 1, ONE = 2, SUM = 3;
        private static final UriMatcher ROUTES = new UriMatcher(UriMatcher.NO_MATCH);

        static
        {
            ROUTES.addURI(AUTHORITY, "entries", ALL);
            ROUTES.addURI(AUTHORITY, "entries/#", ONE);
            ROUTES.addURI(AUTHORITY, "sum/*", SUM);
        }

        private SQLiteDatabase book;

        @Override
        public boolean onCreate()
        {
            book = getContext().openOrCreateDatabase("ledger.db", Context.MODE_PRIVATE, null);
            return book.isOpen();
        }

        /** Answers for all entries, a single one, or a sum in one currency. */
        @Override
        public Cursor query(Uri uri, String[] columns, String where, String[] args, String order)
        {
            Cursor answer;
            switch (ROUTES.match(uri))
            {
                case ONE:
                    answer = book.query(Entries.TABLE, columns, "_id=" + ContentUris.parseId(uri), null, null, null, null);
                    break;
                case ALL:
                    answer = book.query(Entries.TABLE, columns, where, args, null, null, order == null ? "day DESC" : order);
                    break;
                case SUM:
                    answer = book.rawQuery("SELECT SUM(cents) FROM entries WHERE currency=?",
                            new String[]{uri.getLastPathSegment()});
                    break;
                default:
                    throw new IllegalArgumentException(uri.toString());
            }
            answer.setNotificationUri(getContext().getContentResolver(), uri);
            return answer;
        }

        @Override
        public String getType(Uri uri)
        {
            String kind = ROUTES.match(uri) == ONE ? "item" : "dir";
            return "vnd.android.cursor." + kind + "/vnd.mapleforge.entry";
        }

        @Override
        public Uri insert(Uri uri, ContentValues values)
        {
            long id = book.insert(Entries.TABLE, null, values);
            if (id < 0) return null;
            Uri fresh = ContentUris.withAppendedId(uri, id);
            getContext().getContentResolver().notifyChange(fresh, null);
            return fresh;
        }

        /** Inserts many rows sent by another process in a single exchange. */
        @Override
        public int bulkInsert(Uri uri, ContentValues[] values)
        {
            int good = 0;
            for (ContentValues v : values)
            {
                if (book.insertWithOnConflict(Entries.TABLE, null, v, SQLiteDatabase.CONFLICT_REPLACE) != -1) good++;
            }
            if (good > 0) getContext().getContentResolver().notifyChange(uri, null, false);
            return good;
        }

        @Override
        public int update(Uri uri, ContentValues values, String where, String[] args)
        {
            if (ROUTES.match(uri) != ONE) throw new UnsupportedOperationException("one at a time");
            return book.update(Entries.TABLE, values, Entries._ID + "=?", new String[]{uri.getLastPathSegment()});
        }

        @Override
        public int delete(Uri uri, String where, String[] args)
        {
            String one = ROUTES.match(uri) == ONE ? Entries._ID + "=" + ContentUris.parseId(uri) : where;
            int gone = book.delete(Entries.TABLE, one == null ? "1" : one, args);
            if (gone != 0)
            {
                getContext().getContentResolver().notifyChange(ENTRIES, null);
            }
            return gone;
        }
    }
}
