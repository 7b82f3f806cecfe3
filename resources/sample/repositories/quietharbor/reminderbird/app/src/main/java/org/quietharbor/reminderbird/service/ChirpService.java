package org.quietharbor.reminderbird.service;

import android.app.Notification;
import android.app.Service;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.hardware.Sensor;
import android.hardware.SensorEvent;
import android.hardware.SensorEventListener;
import android.hardware.SensorManager;
import android.media.AudioManager;
import android.media.MediaPlayer;
import android.net.Uri;
import android.os.Binder;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.IBinder;
import android.os.Looper;
import android.os.Message;
import android.speech.tts.TextToSpeech;
import android.support.annotation.Nullable;
import android.support.v4.app.NotificationCompat;
import android.support.v4.content.LocalBroadcastManager;
import android.telephony.TelephonyManager;
import android.util.Log;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.quietharbor.reminderbird.R;
import org.quietharbor.reminderbird.alarm.AlarmPlanner;
import org.quietharbor.reminderbird.notify.BirdNotifier;

/** Makes the noise, and stops it. */
public class ChirpService extends Service implements AudioManager.OnAudioFocusChangeListener {

  private static final String TAG = "ChirpService";
  public static final String CHIRP = "chirp";
  public static final String HUSH = "hush";
  public static final String REPLAN = "replan";
  public static final String NAP = "nap";
  private static final int FOREGROUND = 1;
  private static final int LOUDER = 10;
  private static final int GIVE_UP = 11;

  private enum Mood {
    SILENT, SINGING, WAITING_FOR_CALL, NAPPING;

    boolean mayBecome(Mood next) {
      return this != next && !(this == SILENT && next == NAPPING);
    }
  }

  private final Deque<Integer> waiting = new ArrayDeque<>();
  private final IBinder perch = new Perch();
  private Mood mood = Mood.SILENT;
  private MediaPlayer player;
  private Handler handler;
  private HandlerThread worker;
  private AudioManager audio;
  private float volume;
  private int current;
  private int naps;

  /** Lets screens of the app reach the service directly. */
  public class Perch extends Binder {
    public boolean quiet(int id) {
      if (current != id) return waiting.remove(id);
      startService(new Intent(ChirpService.this, ChirpService.class).setAction(HUSH));
      return true;
    }
  }

  @Override
  public void onCreate() {
    super.onCreate();
    audio = (AudioManager) getSystemService(AUDIO_SERVICE);
    worker = new HandlerThread("chirp", android.os.Process.THREAD_PRIORITY_AUDIO);
    worker.start();
    handler = new Handler(worker.getLooper(), this::onMessage);
    registerReceiver(unplugged, new IntentFilter(AudioManager.ACTION_AUDIO_BECOMING_NOISY));
  }

  private final BroadcastReceiver unplugged =
      new BroadcastReceiver() {
        @Override
        public void onReceive(Context context, Intent intent) {
          volume = Math.min(volume, 0.3f);
          if (player != null) player.setVolume(volume, volume);
        }
      };

  /** Works through the orders other parts of the app send: sing, hush, nap, plan again. */
  @Override
  public int onStartCommand(@Nullable Intent intent, int flags, int startId) {
    String order = intent == null ? REPLAN : intent.getAction();
    Uri which = intent == null ? null : intent.getData();
    int id = -1;
    if (which != null && which.getLastPathSegment() != null) {
      try {
        id = Integer.parseInt(which.getLastPathSegment());
      } catch (NumberFormatException e) {
        Log.e(TAG, "bad address " + which);
      }
    }
    Mood next = mood;
    AlarmPlanner planner = new AlarmPlanner(this);
    LocalBroadcastManager local = LocalBroadcastManager.getInstance(this);

    if (CHIRP.equals(order)) {
      Notification card =
          new NotificationCompat.Builder(this, BirdNotifier.SONGS)
              .setSmallIcon(R.drawable.ic_bird)
              .setContentTitle(getString(R.string.singing))
              .setFullScreenIntent(null, true)
              .build();
      startForeground(FOREGROUND, card);
      TelephonyManager phone = (TelephonyManager) getSystemService(TELEPHONY_SERVICE);
      boolean calling = phone != null && phone.getCallState() != TelephonyManager.CALL_STATE_IDLE;
      if (id < 0) {
        Log.w(TAG, "nobody to sing for");
        next = waiting.isEmpty() && current == 0 ? Mood.SILENT : mood;
      } else if (mood == Mood.SINGING) {
        if (id != current && !waiting.contains(id)) {
          waiting.addLast(id);
        }
      } else if (calling) {
        waiting.addFirst(id);
        next = Mood.WAITING_FOR_CALL;
        handler.postDelayed(this::tryAgain, TimeUnit.SECONDS.toMillis(30));
      } else {
        int granted =
            audio.requestAudioFocus(this, AudioManager.STREAM_ALARM, AudioManager.AUDIOFOCUS_GAIN_TRANSIENT);
        if (granted == AudioManager.AUDIOFOCUS_REQUEST_GRANTED) {
          current = id;
          naps = 0;
          next = Mood.SINGING;
        } else {
          Log.i(TAG, "no focus, trying later");
          planner.snooze(id, 1);
        }
      }
    } else if (HUSH.equals(order)) {
      handler.removeMessages(LOUDER);
      handler.removeMessages(GIVE_UP);
      release();
      audio.abandonAudioFocus(this);
      local.sendBroadcast(new Intent("hushed").putExtra("id", current));
      current = 0;
      if (waiting.isEmpty()) {
        next = Mood.SILENT;
      } else {
        current = waiting.pollFirst();
        next = Mood.SINGING;
        mood = Mood.SILENT;
      }
    } else if (NAP.equals(order)) {
      if (mood.mayBecome(Mood.NAPPING) && naps < 5) {
        int minutes = intent.getIntExtra("minutes", 5 + 2 * naps);
        naps++;
        planner.snooze(current, minutes);
        release();
        next = Mood.NAPPING;
      } else {
        Log.i(TAG, "that was enough sleep");
      }
    } else if (REPLAN.equals(order)) {
      for (Integer missed : waiting) {
        planner.ringOnce(missed, System.currentTimeMillis() + 5000L * (1 + missed % 4));
      }
      waiting.clear();
      next = mood == Mood.SINGING ? Mood.SINGING : Mood.SILENT;
    } else {
      Log.wtf(TAG, "unknown order " + order + " (" + flags + ")");
    }

    if (mood.mayBecome(next)) {
      Log.d(TAG, mood + " -> " + next);
      mood = next;
      switch (next) {
        case SINGING:
          volume = 0.1f;
          begin(planner);
          handler.sendEmptyMessageDelayed(LOUDER, 3000);
          handler.sendEmptyMessageDelayed(GIVE_UP, TimeUnit.MINUTES.toMillis(10));
          break;
        case NAPPING:
        case SILENT:
          stopForeground(true);
          stopSelfResult(startId);
          break;
        case WAITING_FOR_CALL:
          local.sendBroadcast(new Intent("postponed"));
          break;
        default:
          break;
      }
    }
    return mood == Mood.SINGING ? START_REDELIVER_INTENT : START_NOT_STICKY;
  }

  private void tryAgain() {
    Integer id = waiting.peekFirst();
    if (id != null && mood == Mood.WAITING_FOR_CALL) {
      waiting.removeFirst();
      startService(new Intent(this, ChirpService.class).setAction(CHIRP).setData(Uri.parse("bird:/" + id)));
    }
  }

  /** Starts the song from a file, or a built-in one when the file is gone. */
  private void begin(AlarmPlanner planner) {
    release();
    player = new MediaPlayer();
    player.setAudioStreamType(AudioManager.STREAM_ALARM);
    try {
      player.setDataSource(this, Uri.fromFile(new java.io.File(getFilesDir(), current + ".ogg")));
      player.prepare();
    } catch (IOException gone) {
      player = MediaPlayer.create(this, R.raw.robin);
    }
    player.setLooping(true);
    player.setVolume(volume, volume);
    player.setOnErrorListener(
        (broken, what, extra) -> {
          planner.snooze(current, 1);
          return true;
        });
    player.start();
  }

  private synchronized void release() {
    if (player == null) return;
    if (player.isPlaying()) player.stop();
    player.reset();
    player.release();
    player = null;
  }

  /** Turns the song up step by step and finally stops it. */
  private boolean onMessage(Message message) {
    switch (message.what) {
      case LOUDER:
        volume = Math.min(1f, volume * 1.3f);
        if (player != null) player.setVolume(volume, volume);
        if (volume < 1f) handler.sendMessageDelayed(Message.obtain(message), 3000);
        return true;
      case GIVE_UP:
        new Handler(Looper.getMainLooper()).post(this::stopSelf);
        return true;
      default:
        return false;
    }
  }

  @Override
  public void onAudioFocusChange(int change) {
    if (change == AudioManager.AUDIOFOCUS_LOSS) {
      release();
    } else if (change == AudioManager.AUDIOFOCUS_LOSS_TRANSIENT_CAN_DUCK && player != null) {
      player.setVolume(0.05f, 0.05f);
    }
  }

  @Nullable
  @Override
  public IBinder onBind(Intent intent) {
    return "perch".equals(intent.getAction()) ? perch : null;
  }

  @Override
  public void onDestroy() {
    unregisterReceiver(unplugged);
    worker.quitSafely();
    release();
    super.onDestroy();
  }

  /** Reads a reminder aloud and waits until the voice is ready to. */
  static void speak(Context context, String text) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(1);
    boolean[] ok = {false};
    TextToSpeech voice =
        new TextToSpeech(
            context.getApplicationContext(),
            status -> {
              ok[0] = status == TextToSpeech.SUCCESS;
              ready.countDown();
            });
    if (ready.await(4, TimeUnit.SECONDS) && ok[0]) {
      voice.setLanguage(Locale.getDefault());
      voice.speak(text, TextToSpeech.QUEUE_ADD, null, "bird");
    } else {
      voice.shutdown();
    }
  }

  /** Hushes the bird when the phone is turned on its face. */
  static class FaceDown implements SensorEventListener {
    private final Runnable hush;
    private int turned;

    FaceDown(Runnable hush) {
      this.hush = hush;
    }

    boolean listen(SensorManager sensors) {
      Sensor gravity = sensors.getDefaultSensor(Sensor.TYPE_GRAVITY);
      return gravity != null && sensors.registerListener(this, gravity, SensorManager.SENSOR_DELAY_NORMAL);
    }

    @Override
    public void onSensorChanged(SensorEvent event) {
      turned = event.values[2] < -8.5f ? turned + 1 : 0;
      if (turned == 4) {
        hush.run();
      }
    }

    @Override
    public void onAccuracyChanged(Sensor sensor, int accuracy) {
      if (accuracy == SensorManager.SENSOR_STATUS_UNRELIABLE) turned = 0;
    }
  }

  /** Runs a piece of work on the main thread and brings its result here. */
  static <V> V onMain(Callable<V> work) throws ExecutionException, InterruptedException {
    FutureTask<V> task = new FutureTask<>(work);
    if (Looper.myLooper() == Looper.getMainLooper()) {
      task.run();
    } else {
      new Handler(Looper.getMainLooper()).postAtFrontOfQueue(task);
    }
    return task.get();
  }
}
