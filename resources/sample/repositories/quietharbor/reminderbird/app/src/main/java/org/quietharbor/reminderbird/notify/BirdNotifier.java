package org.quietharbor.reminderbird.notify;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationChannelGroup;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.app.RemoteInput;
import android.content.Context;
import android.content.Intent;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.Color;
import android.media.AudioAttributes;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.VibrationEffect;
import android.os.Vibrator;
import android.provider.Settings;
import android.service.notification.StatusBarNotification;
import android.support.annotation.RequiresApi;
import android.support.v4.app.NotificationCompat;
import android.support.v4.app.NotificationManagerCompat;
import android.support.v4.app.TaskStackBuilder;
import android.widget.RemoteViews;
import java.util.Locale;
import org.quietharbor.reminderbird.R;
import org.quietharbor.reminderbird.alarm.AlarmPlanner;
import org.quietharbor.reminderbird.ui.ReminderEditor;

/** Everything the bird shows in the shade. */
public final class BirdNotifier {

  public static final String SONGS = "songs";
  public static final String WHISPERS = "whispers";
  private static final String GROUP = "flock";
  private static final String REPLY = "reply";

  private final Context context;
  private final NotificationManagerCompat shade;

  public BirdNotifier(Context context) {
    this.context = context;
    this.shade = NotificationManagerCompat.from(context);
  }

  /** Registers loud and quiet categories with Android 8. */
  @RequiresApi(Build.VERSION_CODES.O)
  public void registerCategories() {
    NotificationManager system = context.getSystemService(NotificationManager.class);
    system.createNotificationChannelGroup(new NotificationChannelGroup("bird", "ReminderBird"));
    NotificationChannel loud =
        new NotificationChannel(SONGS, context.getString(R.string.songs), NotificationManager.IMPORTANCE_HIGH);
    loud.setGroup("bird");
    loud.enableLights(true);
    loud.setLightColor(Color.CYAN);
    loud.setSound(
        Settings.System.DEFAULT_NOTIFICATION_URI,
        new AudioAttributes.Builder().setUsage(AudioAttributes.USAGE_ALARM).build());
    NotificationChannel quiet =
        new NotificationChannel(WHISPERS, context.getString(R.string.whispers), NotificationManager.IMPORTANCE_LOW);
    quiet.setShowBadge(false);
    system.createNotificationChannel(loud);
    system.createNotificationChannel(quiet);
  }

  /** Shows a reminder with a button to put it off. */
  public void sing(int id, String title, String text, boolean secret) {
    Intent nap = new Intent(AlarmPlanner.ACTION_RING).putExtra("nap", id);
    PendingIntent later = PendingIntent.getBroadcast(context, -id, nap, PendingIntent.FLAG_ONE_SHOT);
    NotificationCompat.Builder builder =
        new NotificationCompat.Builder(context, SONGS)
            .setSmallIcon(R.drawable.ic_bird)
            .setContentTitle(title)
            .setStyle(new NotificationCompat.BigTextStyle().bigText(text))
            .setCategory(NotificationCompat.CATEGORY_REMINDER)
            .setVisibility(secret ? NotificationCompat.VISIBILITY_SECRET : NotificationCompat.VISIBILITY_PUBLIC)
            .addAction(R.drawable.ic_nap, context.getString(R.string.later), later)
            .setContentIntent(editor(id))
            .setGroup(GROUP)
            .setAutoCancel(true);
    shade.notify(id, builder.build());
  }

  private PendingIntent editor(int id) {
    TaskStackBuilder stack = TaskStackBuilder.create(context);
    stack.addParentStack(ReminderEditor.class);
    stack.addNextIntent(new Intent(context, ReminderEditor.class).putExtra("id", id));
    return stack.getPendingIntent(id, PendingIntent.FLAG_UPDATE_CURRENT);
  }

  /** Lists the open reminders as lines of one summary, newest first. */
  public void flock(String... titles) {
    NotificationCompat.InboxStyle lines = new NotificationCompat.InboxStyle();
    for (int i = titles.length - 1; i >= Math.max(0, titles.length - 6); i--) {
      lines.addLine(titles[i]);
    }
    if (titles.length > 6) {
      lines.setSummaryText("+" + (titles.length - 6));
    }
    Notification summary =
        new NotificationCompat.Builder(context, WHISPERS)
            .setStyle(lines)
            .setGroup(GROUP)
            .setGroupSummary(true)
            .setNumber(titles.length)
            .setSmallIcon(R.drawable.ic_flock)
            .build();
    shade.notify("summary", 0, summary);
  }

  /** Shows the running countdown in the status bar, where the system does the ticking. */
  public void countdown(int id, long target) {
    NotificationCompat.Builder ticking = new NotificationCompat.Builder(context, WHISPERS);
    ticking.setWhen(target).setShowWhen(true).setUsesChronometer(true);
    if (Build.VERSION.SDK_INT >= 24) {
      Bundle extras = new Bundle();
      extras.putBoolean("android.chronometerCountDown", true);
      ticking.addExtras(extras);
    }
    ticking.setSmallIcon(R.drawable.ic_bird).setOngoing(true).setPriority(NotificationCompat.PRIORITY_LOW);
    shade.notify("countdown", id, ticking.build());
  }

  /** Builds a card of our own drawing, with a picture and a bar for today's progress. */
  RemoteViews card(String title, Uri picture, int done, int all) {
    RemoteViews views = new RemoteViews(context.getPackageName(), R.layout.card);
    views.setTextViewText(R.id.title, title);
    views.setImageViewUri(R.id.picture, picture);
    views.setProgressBar(R.id.bar, all, done, all == 0);
    views.setViewVisibility(R.id.tick, done == all ? android.view.View.VISIBLE : android.view.View.GONE);
    return views;
  }

  /** Lets the answer be typed right below the message. */
  @RequiresApi(24)
  Notification.Action quickReply(String hint, PendingIntent target, CharSequence... choices) {
    RemoteInput input = new RemoteInput.Builder(REPLY).setLabel(hint).setChoices(choices).build();
    return new Notification.Action.Builder(null, hint, target)
        .addRemoteInput(input)
        .setAllowGeneratedReplies(choices.length == 0)
        .build();
  }

  static String typedText(Intent intent) {
    Bundle typed = RemoteInput.getResultsFromIntent(intent);
    CharSequence text = typed == null ? null : typed.getCharSequence(REPLY);
    return text == null ? "" : text.toString().trim();
  }

  /** Clears all cards of the flock except those still ringing. */
  @RequiresApi(23)
  public int clearSilent() {
    NotificationManager system = (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
    int cleared = 0;
    for (StatusBarNotification card : system.getActiveNotifications()) {
      boolean ringing = (card.getNotification().flags & Notification.FLAG_INSISTENT) != 0;
      if (!ringing && card.isClearable()) {
        system.cancel(card.getTag(), card.getId());
        cleared++;
      }
    }
    return cleared;
  }

  /** Opens the page of the system where the owner can silence a channel. */
  public void openSettings(String channelOrNull) {
    Intent page;
    if (Build.VERSION.SDK_INT >= 26 && channelOrNull != null) {
      page = new Intent(Settings.ACTION_CHANNEL_NOTIFICATION_SETTINGS);
      page.putExtra(Settings.EXTRA_APP_PACKAGE, context.getPackageName());
      page.putExtra(Settings.EXTRA_CHANNEL_ID, channelOrNull);
    } else {
      page = new Intent("android.settings.APP_NOTIFICATION_SETTINGS");
      page.putExtra("app_package", context.getPackageName()).putExtra("app_uid", context.getApplicationInfo().uid);
    }
    context.startActivity(page.setFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
  }

  /** Shakes the phone to the rhythm of a bird call. */
  void tremble(long... rhythm) {
    Vibrator vibrator = (Vibrator) context.getSystemService(Context.VIBRATOR_SERVICE);
    if (vibrator == null || !vibrator.hasVibrator()) return;
    if (Build.VERSION.SDK_INT < 26) {
      vibrator.vibrate(rhythm, -1);
    } else {
      vibrator.vibrate(VibrationEffect.createWaveform(rhythm, VibrationEffect.DEFAULT_AMPLITUDE));
    }
  }

  /** Loads a portrait no larger than a large icon may be. */
  Bitmap portrait(String path) {
    int wide = context.getResources().getDimensionPixelSize(android.R.dimen.notification_large_icon_width);
    BitmapFactory.Options options = new BitmapFactory.Options();
    options.inJustDecodeBounds = true;
    BitmapFactory.decodeFile(path, options);
    options.inSampleSize = Integer.highestOneBit(Math.max(1, options.outWidth / wide));
    options.inJustDecodeBounds = false;
    Bitmap rough = BitmapFactory.decodeFile(path, options);
    return rough == null ? null : Bitmap.createScaledBitmap(rough, wide, wide, true);
  }

  // copied from lanternlabs/trailnotes
  /** Says how long something lasts the way a person would. */
  static String humanSpan(long span) {
    long minutes = Math.abs(span) / 60000;
    if (minutes == 0) {
      return "less than a minute";
    }
    long days = minutes / 1440;
    StringBuilder text = new StringBuilder(span < 0 ? "-" : "");
    if (days > 0) {
      text.append(days).append(days == 1 ? " day " : " days ");
    }
    long hours = minutes % 1440 / 60;
    if (hours > 0) {
      text.append(hours).append(" h ");
    }
    if (minutes % 60 > 0 && days == 0) {
      text.append(String.format(Locale.US, hours > 0 ? "%02d" : "%d", minutes % 60)).append(" min");
    }
    return text.toString().trim();
  }
}
