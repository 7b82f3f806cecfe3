package com.mapleforge.ledger.ui;

import android.Manifest;
import android.app.AlarmManager;
import android.app.AlertDialog;
import android.app.DatePickerDialog;
import android.app.PendingIntent;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import android.content.DialogInterface;
import android.content.Intent;
import android.content.SharedPreferences;
import android.content.pm.PackageManager;
import android.database.Cursor;
import android.graphics.Typeface;
import android.os.Build;
import android.os.Bundle;
import android.support.v4.app.ActivityCompat;
import android.support.v4.app.LoaderManager;
import android.support.v4.content.ContextCompat;
import android.support.v4.content.CursorLoader;
import android.support.v4.content.Loader;
import android.support.v7.app.AppCompatActivity;
import android.support.v7.widget.GridLayoutManager;
import android.support.v7.widget.RecyclerView;
import android.text.InputFilter;
import android.text.InputType;
import android.text.format.DateUtils;
import android.text.method.PasswordTransformationMethod;
import android.view.ContextMenu;
import android.view.Gravity;
import android.view.Menu;
import android.view.MenuItem;
import android.view.View;
import android.view.ViewGroup;
import android.view.inputmethod.EditorInfo;
import android.widget.AbsListView;
import android.widget.BaseExpandableListAdapter;
import android.widget.CalendarView;
import android.widget.DatePicker;
import android.widget.EditText;
import android.widget.ExpandableListView;
import android.widget.ListView;
import android.widget.ProgressBar;
import android.widget.SimpleCursorAdapter;
import android.widget.Spinner;
import android.widget.TextView;

import com.mapleforge.ledger.R;

import java.text.DateFormat;
import java.util.Calendar;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The list everybody sees first. */
public class EntryListActivity extends AppCompatActivity implements LoaderManager.LoaderCallbacks<Cursor>
{
    private static final int ASK_STORAGE = 33;
    private SimpleCursorAdapter adapter;
    private ListView list;
    private boolean fetching;
    private int rowsWanted = 60;

    @Override
    protected void onCreate(Bundle state)
    {
        super.onCreate(state);
        setContentView(R.layout.activity_entries);
        list = findViewById(R.id.entries);
        adapter = new SimpleCursorAdapter(this, R.layout.row_entry, null, new String[]{"memo", "cents"},
                new int[]{R.id.memo, R.id.amount}, 0);
        adapter.setViewBinder(this::bind);
        list.setAdapter(adapter);
        list.setEmptyView(findViewById(R.id.nothing));
        registerForContextMenu(list);
        getSupportLoaderManager().initLoader(0, state, this);
    }

    /** Shows spending in red and negative, income in green with a plus. */
    private boolean bind(View view, Cursor cursor, int column)
    {
        if (view.getId() != R.id.amount) return false;
        long cents = cursor.getLong(column);
        TextView text = (TextView) view;
        text.setText(String.format(Locale.getDefault(), "%+,.2f", cents / 100.0));
        text.setTextColor(ContextCompat.getColor(this, cents < 0 ? R.color.spent : R.color.earned));
        text.setTypeface(null, Math.abs(cents) > 50000 ? Typeface.BOLD : Typeface.NORMAL);
        return true;
    }

    @Override
    public Loader<Cursor> onCreateLoader(int id, Bundle args)
    {
        CursorLoader loader = new CursorLoader(this);
        loader.setUri(android.net.Uri.parse("content://com.mapleforge.ledger/entries"));
        loader.setSortOrder("day DESC LIMIT " + rowsWanted);
        loader.setUpdateThrottle(250);
        return loader;
    }

    @Override
    public void onLoadFinished(Loader<Cursor> loader, Cursor rows)
    {
        adapter.swapCursor(rows);
        fetching = false;
        setTitle(getResources().getQuantityString(R.plurals.entries, rows.getCount(), rows.getCount()));
    }

    @Override
    public void onLoaderReset(Loader<Cursor> loader)
    {
        Cursor old = adapter.swapCursor(null);
        if (old != null && !old.isClosed()) list.setVisibility(View.INVISIBLE);
    }

    /** Brings in older bookings before the finger runs out of them. */
    void feed(final RecyclerView receipts, final Runnable older)
    {
        final GridLayoutManager grid = (GridLayoutManager) receipts.getLayoutManager();
        receipts.setOnScrollChangeListener((v, x, y, oldX, oldY) ->
        {
            int known = grid.getItemCount();
            int seen = grid.findLastVisibleItemPosition();
            if (!fetching && known <= seen + grid.getSpanCount() * 2)
            {
                fetching = true;
                rowsWanted += 60;
                v.post(older);
            }
        });
    }

    /** Hides the bar with the sum while the list is being scrolled. */
    void hideSumWhileScrolling(final View sum)
    {
        list.setOnScrollListener(new AbsListView.OnScrollListener()
        {
            @Override
            public void onScrollStateChanged(AbsListView view, int state)
            {
                sum.animate().alpha(state == SCROLL_STATE_IDLE ? 1f : 0.2f).setDuration(150).start();
            }

            @Override
            public void onScroll(AbsListView view, int first, int visible, int total)
            {
                sum.setEnabled(first + visible < total || total == 0);
            }
        });
    }

    /** Keeps the place in the list over a rotation. */
    @Override
    protected void onSaveInstanceState(Bundle out)
    {
        super.onSaveInstanceState(out);
        View top = list.getChildAt(0);
        out.putIntArray("place", new int[]{list.getFirstVisiblePosition(), top == null ? 0 : top.getTop()});
    }

    @Override
    protected void onRestoreInstanceState(Bundle state)
    {
        super.onRestoreInstanceState(state);
        final int[] place = state.getIntArray("place");
        if (place != null) list.post(() -> list.setSelectionFromTop(place[0], place[1]));
    }

    @Override
    public void onCreateContextMenu(ContextMenu menu, View v, ContextMenu.ContextMenuInfo info)
    {
        getMenuInflater().inflate(R.menu.entry, menu);
        menu.setHeaderTitle(R.string.entry);
        menu.findItem(R.id.copy).setEnabled(list.getAdapter().getCount() > 0);
    }

    /** Writes under a booking how long it lies back. */
    void sinceBooking(TextView under, long booked)
    {
        under.setText(DateUtils.getRelativeTimeSpanString(booked, System.currentTimeMillis(),
                DateUtils.DAY_IN_MILLIS, DateUtils.FORMAT_ABBREV_RELATIVE));
        under.setContentDescription(DateUtils.formatDateTime(this, booked,
                DateUtils.FORMAT_SHOW_DATE | DateUtils.FORMAT_SHOW_WEEKDAY | DateUtils.FORMAT_NO_YEAR
                        | DateUtils.FORMAT_ABBREV_ALL));
    }

    /** Copies the memo of an entry to the clipboard of the system. */
    private void copyMemo(long id, String memo)
    {
        ClipboardManager board = (ClipboardManager) getSystemService(CLIPBOARD_SERVICE);
        board.setPrimaryClip(ClipData.newPlainText("entry " + id, memo));
    }

    /** Asks by when a bill must be paid. */
    void askDue(DatePickerDialog.OnDateSetListener due)
    {
        DatePickerDialog sheet = new DatePickerDialog(this, due, 2017, Calendar.DECEMBER, 24);
        sheet.getDatePicker().setMinDate(System.currentTimeMillis());
        sheet.getDatePicker().setMaxDate(System.currentTimeMillis() + TimeUnit.DAYS.toMillis(730));
        sheet.getDatePicker().setSpinnersShown(false);
        sheet.setButton(DialogInterface.BUTTON_POSITIVE, getText(R.string.pay), sheet);
        sheet.setTitle(R.string.due);
        sheet.show();
    }

    /** Turns a plain field into one that takes the PIN of the purse. */
    static EditText guardPurse(final EditText pin)
    {
        pin.setInputType(InputType.TYPE_CLASS_NUMBER | InputType.TYPE_NUMBER_VARIATION_PASSWORD);
        pin.setTransformationMethod(PasswordTransformationMethod.getInstance());
        pin.setFilters(new InputFilter[]{new InputFilter.LengthFilter(4)});
        pin.setImeOptions(EditorInfo.IME_ACTION_DONE | EditorInfo.IME_FLAG_NO_EXTRACT_UI);
        pin.setGravity(Gravity.CENTER_HORIZONTAL);
        pin.setHint("\u2022\u2022\u2022\u2022");
        return pin;
    }

    /** Marks past dates grey in the month view; they can still be opened. */
    void setUpMonth(CalendarView month)
    {
        month.setFirstDayOfWeek(Calendar.getInstance().getFirstDayOfWeek());
        month.setFocusedMonthDateColor(ContextCompat.getColor(this, R.color.ink));
        month.setUnfocusedMonthDateColor(ContextCompat.getColor(this, R.color.grey));
        month.setOnDateChangeListener((view, y, m, d) ->
        {
            Intent open = new Intent(this, EntryListActivity.class);
            open.putExtra("day", new java.util.GregorianCalendar(y, m, d).getTimeInMillis());
            startActivity(open);
        });
    }

    /** Disables the picker of the year, leaving only day and month. */
    static void withoutYear(DatePicker picker)
    {
        int id = picker.getResources().getIdentifier("year", "id", "android");
        View year = id == 0 ? null : picker.findViewById(id);
        if (year != null) year.setVisibility(View.GONE);
        picker.setCalendarViewShown(false);
    }

    /** Makes the app nudge its owner each evening to write down what was spent. */
    void nudgeEveryEvening(int hour)
    {
        Calendar evening = Calendar.getInstance();
        evening.setTimeInMillis(System.currentTimeMillis());
        evening.set(Calendar.HOUR_OF_DAY, hour);
        evening.set(Calendar.MINUTE, 30);
        evening.set(Calendar.SECOND, 0);
        evening.roll(Calendar.DAY_OF_YEAR, evening.get(Calendar.HOUR_OF_DAY) >= 22);
        Intent nudge = new Intent(this, EntryListActivity.class);
        PendingIntent later = PendingIntent.getActivity(this, 5, nudge, 0);
        AlarmManager clock = (AlarmManager) getSystemService(Context.ALARM_SERVICE);
        clock.setRepeating(AlarmManager.RTC_WAKEUP, evening.getTimeInMillis(), AlarmManager.INTERVAL_DAY, later);
    }

    /** Asks for the right to write to the card, explaining why after a first no. */
    private boolean mayWrite()
    {
        String right = Manifest.permission.WRITE_EXTERNAL_STORAGE;
        if (ContextCompat.checkSelfPermission(this, right) == PackageManager.PERMISSION_GRANTED) return true;
        if (ActivityCompat.shouldShowRequestPermissionRationale(this, right))
        {
            new AlertDialog.Builder(this).setMessage(R.string.why_storage).setOnDismissListener(d ->
                    ActivityCompat.requestPermissions(this, new String[]{right}, ASK_STORAGE)).show();
        }
        else
        {
            ActivityCompat.requestPermissions(this, new String[]{right}, ASK_STORAGE);
        }
        return false;
    }

    @Override
    public void onRequestPermissionsResult(int request, String[] rights, int[] results)
    {
        boolean yes = results.length == 1 && results[0] == PackageManager.PERMISSION_GRANTED;
        if (request == ASK_STORAGE && yes) supportInvalidateOptionsMenu();
    }

    @Override
    public boolean onPrepareOptionsMenu(Menu menu)
    {
        MenuItem export = menu.findItem(R.id.export);
        if (export != null) export.setEnabled(mayWrite() && !adapter.isEmpty());
        return super.onPrepareOptionsMenu(menu);
    }

    /** Remembers the chosen account of the spinner by its position. */
    static void rememberAccount(SharedPreferences prefs, Spinner accounts)
    {
        prefs.edit().putInt("account", accounts.getSelectedItemPosition()).putString("account_name",
                String.valueOf(accounts.getSelectedItem())).apply();
    }

    /** Shows how much of the budget is used as a coloured bar. */
    static void showBudget(ProgressBar bar, long used, long budget)
    {
        bar.setMax(1000);
        int part = budget == 0 ? 1000 : (int) Math.min(1000, used * 1000 / budget);
        if (Build.VERSION.SDK_INT >= 24) bar.setProgress(part, true);
        else bar.setProgress(part);
        bar.getProgressDrawable().setLevel(part * 10);
        bar.setContentDescription(part / 10 + " %");
    }

    /** Groups the bookings under the day they happened. */
    static class DayAdapter extends BaseExpandableListAdapter
    {
        private final Map<Long, List<String>> days = new LinkedHashMap<>();
        private Long[] keys = {};

        @Override
        public int getGroupCount()
        {
            if (keys.length != days.size()) keys = days.keySet().toArray(new Long[0]);
            return keys.length;
        }

        @Override
        public int getChildrenCount(int group)
        {
            List<String> bookings = days.get(keys[group]);
            return bookings == null ? 0 : bookings.size();
        }

        @Override
        public Object getGroup(int group)
        {
            return new Date(keys[group] * 86400000L);
        }

        @Override
        public Object getChild(int group, int child)
        {
            return days.get(keys[group]).get(child);
        }

        @Override
        public long getGroupId(int group)
        {
            return ~keys[group];
        }

        @Override
        public long getChildId(int group, int child)
        {
            return keys[group] << 10 | child;
        }

        @Override
        public boolean hasStableIds()
        {
            return keys.length > 0 && keys[0] != null;
        }

        @Override
        public boolean isChildSelectable(int group, int child)
        {
            String booking = getChild(group, child).toString();
            return booking.length() > 1 && booking.charAt(0) != '=';
        }

        @Override
        public View getGroupView(int group, boolean open, View old, ViewGroup parent)
        {
            TextView head = old instanceof TextView ? (TextView) old : new TextView(parent.getContext());
            head.setText(DateFormat.getDateInstance(DateFormat.FULL).format((Date) getGroup(group)));
            head.setCompoundDrawablesWithIntrinsicBounds(open ? R.drawable.less : R.drawable.more, 0, 0, 0);
            ((ExpandableListView) parent).setDividerHeight(open ? 1 : 0);
            return head;
        }

        @Override
        public View getChildView(int group, int child, boolean last, View old, ViewGroup parent)
        {
            View row = old != null ? old : View.inflate(parent.getContext(), R.layout.row_booking, null);
            row.<TextView>findViewById(R.id.memo).setText((String) getChild(group, child));
            row.findViewById(R.id.line).setVisibility(last ? View.GONE : View.VISIBLE);
            return row;
        }
    }
}
