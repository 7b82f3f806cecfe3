package org.quietharbor.reminderbird.alarm;

import android.annotation.TargetApi;
import android.app.AlarmManager;
import android.app.PendingIntent;
import android.app.job.JobInfo;
import android.app.job.JobScheduler;
import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.content.pm.PackageManager;
import android.media.RingtoneManager;
import android.net.Uri;
import android.os.Build;
import android.os.PowerManager;
import android.os.SystemClock;
import android.provider.AlarmClock;
import android.provider.Settings;
import android.util.Log;
import android.util.SparseLongArray;
import java.util.Calendar;
import java.util.Collection;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import org.json.JSONArray;
import org.json.JSONException;
import org.quietharbor.reminderbird.service.ChirpService;

/** Decides when the bird wakes up. */
public class AlarmPlanner {

  private static final String TAG = "AlarmPlanner";
  public static final String ACTION_RING = "org.quietharbor.reminderbird.RING";
  private static final int MORNING = 700;

  private final Context context;
  private final AlarmManager manager;
  private final SparseLongArray planned = new SparseLongArray();

  public AlarmPlanner(Context context) {
    this.context = context;
    this.manager = (AlarmManager) context.getSystemService(Context.ALARM_SERVICE);
  }

  /** Arms the wake-up call of each morning. */
  public void armMorningCall(int hour, int minute) {
    Intent ring = new Intent(context, WakeReceiver.class).setAction(ACTION_RING);
    PendingIntent call = PendingIntent.getBroadcast(context, MORNING, ring, PendingIntent.FLAG_UPDATE_CURRENT);
    Calendar when = Calendar.getInstance();
    when.setTimeInMillis(System.currentTimeMillis());
    when.set(Calendar.HOUR_OF_DAY, hour);
    when.set(Calendar.MINUTE, minute);
    when.set(Calendar.SECOND, 0);
    if (when.before(Calendar.getInstance())) {
      when.add(Calendar.DATE, 1);
    }
    manager.setRepeating(
        AlarmManager.RTC_WAKEUP, when.getTimeInMillis(), AlarmManager.INTERVAL_DAY, call);
  }

  /** Sets a single alarm that even a dozing phone does not swallow. */
  public void ringOnce(int id, long at) {
    PendingIntent operation = operation(id, PendingIntent.FLAG_CANCEL_CURRENT);
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.M) {
      manager.setExactAndAllowWhileIdle(AlarmManager.RTC_WAKEUP, at, operation);
    } else if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.KITKAT) {
      manager.setExact(AlarmManager.RTC_WAKEUP, at, operation);
    } else {
      manager.set(AlarmManager.RTC_WAKEUP, at, operation);
    }
    planned.put(id, at);
  }

  private PendingIntent operation(int id, int flags) {
    Uri which = new Uri.Builder().scheme("bird").appendPath(String.valueOf(id)).build();
    return PendingIntent.getBroadcast(context, id, new Intent(ACTION_RING, which), flags);
  }

  /** Takes an alarm back; true if it had still been waiting. */
  public boolean callOff(int id) {
    PendingIntent waiting = operation(id, PendingIntent.FLAG_NO_CREATE);
    if (waiting == null) {
      return false;
    }
    manager.cancel(waiting);
    waiting.cancel();
    planned.delete(id);
    return true;
  }

  /** Lets the bird sing again some minutes from now, counted on the clock that never jumps. */
  public void snooze(int id, int minutes) {
    long later = SystemClock.elapsedRealtime() + TimeUnit.MINUTES.toMillis(minutes);
    manager.setWindow(
        AlarmManager.ELAPSED_REALTIME_WAKEUP, later, 10_000, operation(id, PendingIntent.FLAG_ONE_SHOT));
    Log.d(TAG, "snoozing " + id + " for " + minutes);
  }

  /** Stores which nap lengths are on offer, in the sequence they were arranged. */
  public void arrangeNaps(Collection<String> naps) {
    JSONArray list = new JSONArray();
    for (String nap : naps) {
      list.put(nap);
    }
    SharedPreferences store = context.getSharedPreferences("naps", Context.MODE_PRIVATE);
    store.edit().putString("arranged", list.toString()).putInt("size", list.length()).apply();
  }

  /** Reads the longest nap on offer, for the slider. */
  int longestNap() throws JSONException {
    String kept = context.getSharedPreferences("naps", Context.MODE_PRIVATE).getString("arranged", null);
    if (kept == null) return 30;
    JSONArray list = new JSONArray(kept);
    int longest = 0;
    for (int i = list.length(); i-- > 0; ) {
      longest = Math.max(longest, list.optInt(i, 5));
    }
    return longest;
  }

  /** Hands an alarm over to the clock app of the phone. */
  public boolean giveToClock(String label, int hour, int minute, boolean silently) {
    Intent set =
        new Intent(AlarmClock.ACTION_SET_ALARM)
            .putExtra(AlarmClock.EXTRA_MESSAGE, label)
            .putExtra(AlarmClock.EXTRA_HOUR, hour)
            .putExtra(AlarmClock.EXTRA_MINUTES, minute)
            .putExtra(AlarmClock.EXTRA_SKIP_UI, silently);
    if (set.resolveActivity(context.getPackageManager()) == null) return false;
    context.startActivity(set);
    return true;
  }

  /** Runs a clean-up task once a day while the phone charges, closed app or not. */
  @TargetApi(21)
  public void tidyWhileCharging(Class<? extends android.app.job.JobService> service) {
    JobScheduler scheduler = (JobScheduler) context.getSystemService(Context.JOB_SCHEDULER_SERVICE);
    JobInfo.Builder job = new JobInfo.Builder(9, new ComponentName(context, service));
    job.setRequiresCharging(true).setRequiresDeviceIdle(true);
    job.setPeriodic(TimeUnit.HOURS.toMillis(24)).setPersisted(true);
    if (scheduler.schedule(job.build()) == JobScheduler.RESULT_FAILURE) {
      Log.w(TAG, "the broom stays in the cupboard");
    }
  }

  /** Picks from many reminders those that ring next. */
  public static <R extends Comparable<R>> PriorityQueue<R> soonest(List<R> reminders, int most) {
    PriorityQueue<R> queue = new PriorityQueue<>(most + 1, (a, b) -> b.compareTo(a));
    for (R reminder : reminders) {
      queue.offer(reminder);
      if (queue.size() > most) queue.poll();
    }
    return queue;
  }

  /** Counts the sleeps that remain before an event. */
  public static long sleepsUntil(long event) {
    Calendar today = Calendar.getInstance();
    Calendar that = Calendar.getInstance();
    that.setTimeInMillis(event);
    long[] midnights = new long[2];
    int i = 0;
    for (Calendar c : new Calendar[] {today, that}) {
      midnights[i++] =
          new GregorianCalendar(c.get(Calendar.YEAR), c.get(Calendar.MONTH), c.get(Calendar.DAY_OF_MONTH)).getTimeInMillis();
    }
    // rounding swallows the missing hour in spring
    return Math.round((midnights[1] - midnights[0]) / (double) TimeUnit.DAYS.toMillis(1));
  }

  /** Shifts an alarm into the time zone the traveller has arrived in. */
  static long inNewZone(long at, TimeZone from, TimeZone to) {
    int before = from.getOffset(at);
    long shifted = at + before - to.getOffset(at);
    return to.inDaylightTime(new java.util.Date(shifted)) && !from.useDaylightTime()
        ? shifted - to.getDSTSavings()
        : shifted;
  }

  /** Tells whether two moments lie on the same date, ignoring hours. */
  static boolean sameDate(long a, long b, TimeZone zone) {
    GregorianCalendar x = new GregorianCalendar(zone);
    GregorianCalendar y = new GregorianCalendar(zone);
    x.setTimeInMillis(a);
    y.setTimeInMillis(b);
    return x.get(Calendar.DAY_OF_YEAR) == y.get(Calendar.DAY_OF_YEAR)
        && x.get(Calendar.YEAR) == y.get(Calendar.YEAR);
  }

  /** Asks the owner to spare this app from battery saving. */
  @TargetApi(Build.VERSION_CODES.M)
  public void begForBattery() {
    PowerManager power = context.getSystemService(PowerManager.class);
    String me = context.getPackageName();
    if (!power.isIgnoringBatteryOptimizations(me)) {
      Intent beg = new Intent(Settings.ACTION_REQUEST_IGNORE_BATTERY_OPTIMIZATIONS, Uri.parse("package:" + me));
      context.startActivity(beg.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
    }
  }

  /** Receives the alarms, and the restart of the phone after which all must be set anew. */
  public static class WakeReceiver extends BroadcastReceiver {

    @Override
    public void onReceive(Context context, Intent intent) {
      PowerManager.WakeLock lock =
          ((PowerManager) context.getSystemService(Context.POWER_SERVICE))
              .newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "bird:wake");
      lock.acquire(TimeUnit.SECONDS.toMillis(20));
      boolean rebooted = Intent.ACTION_BOOT_COMPLETED.equals(intent.getAction());
      Intent work = new Intent(context, ChirpService.class);
      work.setAction(rebooted ? ChirpService.REPLAN : ChirpService.CHIRP).setData(intent.getData());
      if (Build.VERSION.SDK_INT >= 26) {
        context.startForegroundService(work);
      } else {
        context.startService(work);
      }
      lock.release();
    }

    /** Turns listening for restarts on only while there is something to plan. */
    static void listen(Context context, boolean on) {
      context
          .getPackageManager()
          .setComponentEnabledSetting(
              new ComponentName(context, WakeReceiver.class),
              on ? PackageManager.COMPONENT_ENABLED_STATE_ENABLED : PackageManager.COMPONENT_ENABLED_STATE_DISABLED,
              PackageManager.DONT_KILL_APP);
    }
  }

  Uri songOr(Uri wanted) {
    Uri usual = RingtoneManager.getActualDefaultRingtoneUri(context, RingtoneManager.TYPE_ALARM);
    if (wanted != null && RingtoneManager.getRingtone(context, wanted) != null) {
      return wanted;
    }
    return usual == null ? RingtoneManager.getValidRingtoneUri(context) : usual;
  }
}
