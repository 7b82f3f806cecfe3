package org.quietharbor.reminderbird.calendar;

import android.accounts.Account;
import android.accounts.AccountManager;
import android.content.AsyncQueryHandler;
import android.content.ContentProviderOperation;
import android.content.ContentProviderResult;
import android.content.ContentResolver;
import android.content.ContentUris;
import android.content.ContentValues;
import android.content.Context;
import android.content.Intent;
import android.content.OperationApplicationException;
import android.content.PeriodicSync;
import android.content.SyncResult;
import android.database.ContentObserver;
import android.database.Cursor;
import android.net.Uri;
import android.os.Bundle;
import android.os.Handler;
import android.os.RemoteException;
import android.provider.CalendarContract;
import android.provider.CalendarContract.Events;
import android.provider.CalendarContract.Instances;
import android.support.v4.util.Pair;
import android.text.TextUtils;
import android.text.format.DateUtils;
import android.text.format.Time;
import android.util.Log;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;

/** Keeps reminders and the calendar of the phone in step. */
public class CalendarSync {

  private static final String TAG = "CalendarSync";
  private static final int BATCH = 80;

  /** A reminder as this class sees it. */
  public static class Chirp {
    public long id;
    public long eventId;
    public String title;
    public long begin;
    public long changed;
    public boolean deleted;

    /** Tells if an event of the phone says something else than this reminder. */
    boolean differs(String otherTitle, long otherBegin) {
      return !TextUtils.equals(title, otherTitle) || Math.abs(begin - otherBegin) >= DateUtils.MINUTE_IN_MILLIS;
    }
  }

  /** Where reminders come from and go to. */
  public interface Nest {
    List<Chirp> all();

    void put(Chirp chirp);

    void drop(long id);

    default long newestChange() {
      long newest = 0;
      for (Chirp c : all()) newest = Math.max(newest, c.changed);
      return newest;
    }
  }

  private final ContentResolver resolver;
  private final Nest nest;

  public CalendarSync(ContentResolver resolver, Nest nest) {
    this.resolver = resolver;
    this.nest = nest;
  }

  /**
   * Compares both sides and carries changes over, the later change winning; what was deleted on one side and untouched
   * on the other goes away there as well.
   */
  public SyncResult merge(long calendarId, long lastSync) throws RemoteException, OperationApplicationException {
    SyncResult result = new SyncResult();
    Map<Long, Chirp> ours = new LinkedHashMap<>();
    List<Chirp> homeless = new ArrayList<>();
    for (Chirp chirp : nest.all()) {
      if (chirp.eventId > 0) {
        Chirp twin = ours.put(chirp.eventId, chirp);
        if (twin != null) {
          // two reminders for one event: the older one is cut loose
          Chirp older = twin.changed < chirp.changed ? twin : chirp;
          ours.put(chirp.eventId, older == twin ? chirp : twin);
          older.eventId = 0;
          homeless.add(older);
          result.stats.numConflictDetectedExceptions++;
        }
      } else if (!chirp.deleted) {
        homeless.add(chirp);
      } else {
        nest.drop(chirp.id);
      }
    }

    ArrayList<ContentProviderOperation> batch = new ArrayList<>();
    String[] columns = {Events._ID, Events.TITLE, Events.DTSTART, Events.DELETED, Events.SYNC_DATA1, Events.RRULE};
    String where = Events.CALENDAR_ID + " = ? AND " + Events.DTSTART + " > ?";
    String[] args = {String.valueOf(calendarId), String.valueOf(lastSync - 90 * DateUtils.DAY_IN_MILLIS)};
    Cursor theirs = resolver.query(Events.CONTENT_URI, columns, where, args, Events.DTSTART);
    if (theirs == null) {
      result.databaseError = true;
      return result;
    }
    try {
      while (theirs.moveToNext()) {
        result.stats.numEntries++;
        long eventId = theirs.getLong(0);
        String title = theirs.isNull(1) ? "" : theirs.getString(1).trim();
        long begin = theirs.getLong(2);
        boolean gone = theirs.getInt(3) != 0;
        long stamp = theirs.isNull(4) ? 0 : theirs.getLong(4);
        if (!theirs.isNull(5)) {
          result.stats.numSkippedEntries++;
          ours.remove(eventId);
          continue;
        }
        Uri uri = ContentUris.withAppendedId(Events.CONTENT_URI, eventId);
        Chirp mine = ours.remove(eventId);
        if (mine == null) {
          if (!gone) {
            Chirp fresh = new Chirp();
            fresh.eventId = eventId;
            fresh.title = title;
            fresh.begin = begin;
            fresh.changed = Math.max(stamp, lastSync);
            nest.put(fresh);
            result.stats.numInserts++;
          }
        } else if (mine.deleted && gone) {
          nest.drop(mine.id);
        } else if (mine.deleted) {
          if (stamp > mine.changed) {
            mine.deleted = false;
            mine.title = title;
            mine.begin = begin;
            nest.put(mine);
            result.stats.numUpdates++;
          } else {
            batch.add(ContentProviderOperation.newDelete(uri).withExpectedCount(1).build());
            nest.drop(mine.id);
            result.stats.numDeletes++;
          }
        } else if (gone) {
          if (mine.changed > lastSync) {
            mine.eventId = 0;
            homeless.add(mine);
          } else {
            nest.drop(mine.id);
            result.stats.numDeletes++;
          }
        } else if (mine.differs(title, begin)) {
          if (mine.changed >= stamp) {
            batch.add(
                ContentProviderOperation.newUpdate(uri)
                    .withValue(Events.TITLE, mine.title)
                    .withValue(Events.DTSTART, mine.begin)
                    .withValue(Events.DTEND, mine.begin + 15 * DateUtils.MINUTE_IN_MILLIS)
                    .build());
          } else {
            mine.title = title;
            mine.begin = begin;
            mine.changed = stamp;
            nest.put(mine);
          }
          result.stats.numUpdates++;
        }
        if (batch.size() >= BATCH) {
          resolver.applyBatch(CalendarContract.AUTHORITY, batch);
          batch.clear();
        }
      }
    } finally {
      theirs.close();
    }

    // whatever is left had an event which the phone no longer knows
    for (Chirp orphan : ours.values()) {
      if (orphan.deleted || orphan.changed <= lastSync) {
        nest.drop(orphan.id);
        result.stats.numDeletes++;
      } else {
        orphan.eventId = 0;
        homeless.add(orphan);
      }
    }
    for (Chirp chirp : homeless) {
      batch.add(
          ContentProviderOperation.newInsert(Events.CONTENT_URI)
              .withValue(Events.CALENDAR_ID, calendarId)
              .withValue(Events.TITLE, chirp.title)
              .withValue(Events.DTSTART, chirp.begin)
              .withValue(Events.DTEND, chirp.begin + 15 * DateUtils.MINUTE_IN_MILLIS)
              .withValue(Events.EVENT_TIMEZONE, TimeZone.getDefault().getID())
              .withYieldAllowed(true)
              .build());
    }
    int offset = batch.size() - homeless.size();
    ContentProviderResult[] answers = resolver.applyBatch(CalendarContract.AUTHORITY, batch);
    for (int i = 0; i < homeless.size(); i++) {
      Uri born = answers[offset + i].uri;
      if (born != null) {
        homeless.get(i).eventId = ContentUris.parseId(born);
        nest.put(homeless.get(i));
        result.stats.numInserts++;
      }
    }
    Log.i(TAG, "merged: " + result.stats);
    return result;
  }

  /** Lists the calendars of the phone that may be written to, by their id. */
  public Map<Long, String> writableCalendars() {
    Map<Long, String> calendars = new HashMap<>();
    String mayWrite = CalendarContract.Calendars.CALENDAR_ACCESS_LEVEL + ">=" + CalendarContract.Calendars.CAL_ACCESS_CONTRIBUTOR;
    try (Cursor c =
        resolver.query(
            CalendarContract.Calendars.CONTENT_URI,
            new String[] {CalendarContract.Calendars._ID, CalendarContract.Calendars.CALENDAR_DISPLAY_NAME},
            mayWrite, null, null)) {
      while (c != null && c.moveToNext()) {
        calendars.put(c.getLong(0), c.getString(1));
      }
    }
    return calendars;
  }

  /** Finds stretches between two moments in which nothing is planned. */
  public List<Pair<Date, Date>> freeSlots(long from, long until, int minutes) {
    List<Pair<Date, Date>> free = new ArrayList<>();
    Cursor busy = Instances.query(resolver, new String[] {Instances.BEGIN, Instances.END, Instances.ALL_DAY}, from, until);
    long edge = from;
    while (busy.moveToNext()) {
      if (busy.getInt(2) == 1) continue;
      long gap = busy.getLong(0) - edge;
      if (gap >= minutes * DateUtils.MINUTE_IN_MILLIS) {
        free.add(Pair.create(new Date(edge), new Date(busy.getLong(0))));
      }
      edge = Math.max(edge, busy.getLong(1));
    }
    busy.close();
    if (until > edge) free.add(Pair.create(new Date(edge), new Date(until)));
    return free;
  }

  /** Proposes a private lesson that comes back every week; the user adds it in the calendar or not. */
  public static Intent bookLesson(String title, String where, long begin) {
    return new Intent(Intent.ACTION_INSERT)
        .setData(CalendarContract.Events.CONTENT_URI)
        .putExtra(CalendarContract.Events.TITLE, title)
        .putExtra(CalendarContract.Events.EVENT_LOCATION, where)
        .putExtra(CalendarContract.Events.RRULE, "FREQ=WEEKLY;COUNT=12")
        .putExtra(CalendarContract.Events.ACCESS_LEVEL, CalendarContract.Events.ACCESS_PRIVATE)
        .putExtra(CalendarContract.EXTRA_EVENT_BEGIN_TIME, begin)
        .putExtra(CalendarContract.EXTRA_EVENT_END_TIME, begin + DateUtils.HOUR_IN_MILLIS);
  }

  /** Writes an event through the calendar app, where the user can still change it. */
  public static void proposeEvent(Context context, Chirp chirp, String... guests) {
    Intent insert = new Intent(Intent.ACTION_INSERT, Events.CONTENT_URI);
    insert.putExtra(CalendarContract.EXTRA_EVENT_BEGIN_TIME, chirp.begin);
    insert.putExtra(Events.TITLE, chirp.title);
    insert.putExtra(Events.AVAILABILITY, Events.AVAILABILITY_FREE);
    insert.putExtra(Intent.EXTRA_EMAIL, TextUtils.join(",", guests));
    context.startActivity(insert);
  }

  /** Checks how many days of the week have an entry, by looking at Julian day numbers. */
  static int busyDays(long... moments) {
    int mask = 0;
    long zone = TimeZone.getDefault().getRawOffset() / 1000;
    for (long moment : moments) {
      mask |= 1 << (Time.getJulianDay(moment, zone) % 7);
    }
    return Integer.bitCount(mask);
  }

  /** Removes days long past from the calendar without making anybody wait. */
  public void forgetBefore(long moment) {
    AsyncQueryHandler broom =
        new AsyncQueryHandler(resolver) {
          @Override
          protected void onDeleteComplete(int token, Object cookie, int result) {
            Log.d(TAG, String.format("%d events older than %tF swept", result, (Date) cookie));
          }
        };
    String ours = Events.DTEND + " < " + moment + " AND " + Events.CUSTOM_APP_PACKAGE + " = 'org.quietharbor.reminderbird'";
    broom.startDelete(0, new Date(moment), Events.CONTENT_URI, ours, null);
  }

  /** Watches the calendar and waits for quiet before it reacts. */
  public ContentObserver observe(final Handler handler, final Runnable changed) {
    ContentObserver observer =
        new ContentObserver(handler) {
          @Override
          public void onChange(boolean self, Uri uri) {
            if (self) return;
            handler.removeCallbacks(changed);
            handler.postDelayed(changed, uri == null ? 100 : 2500);
          }
        };
    resolver.registerContentObserver(Events.CONTENT_URI, true, observer);
    return observer;
  }

  /** Turns background syncing every few hours on for an account. */
  public static void schedule(Context context, String accountType, int hours) {
    for (Account account : AccountManager.get(context).getAccountsByType(accountType)) {
      ContentResolver.setIsSyncable(account, CalendarContract.AUTHORITY, 1);
      List<PeriodicSync> before = ContentResolver.getPeriodicSyncs(account, CalendarContract.AUTHORITY);
      if (before.isEmpty() || before.get(0).period != hours * 3600L) {
        ContentResolver.addPeriodicSync(account, CalendarContract.AUTHORITY, Bundle.EMPTY, hours * 3600L);
      }
    }
  }

  /** Adds an early warning to an event of the calendar. */
  public boolean warn(long eventId, int minutesBefore) {
    ContentValues warning = new ContentValues(3);
    warning.put(CalendarContract.Reminders.EVENT_ID, eventId);
    warning.put(CalendarContract.Reminders.MINUTES, minutesBefore);
    warning.put(CalendarContract.Reminders.METHOD, CalendarContract.Reminders.METHOD_ALERT);
    try {
      return resolver.insert(CalendarContract.Reminders.CONTENT_URI, warning) != null;
    } catch (SecurityException notAllowed) {
      return false;
    }
  }
}
