package org.amberkite.tunejar;

import android.app.Notification;
import android.app.PendingIntent;
import android.app.Service;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.res.AssetFileDescriptor;
import android.content.res.AssetManager;
import android.hardware.Sensor;
import android.hardware.SensorEvent;
import android.hardware.SensorEventListener;
import android.hardware.SensorManager;
import android.media.AudioManager;
import android.media.MediaPlayer;
import android.media.audiofx.Equalizer;
import android.net.Uri;
import android.os.Binder;
import android.os.IBinder;
import android.os.PowerManager;
import android.os.SystemClock;
import android.support.v4.app.NotificationCompat;
import android.util.Log;

import java.io.IOException;

/** Holds the media player and everything that tells it to be quiet. */
public class PlayerService extends Service {

    static final String ACTION_NEXT = "org.amberkite.tunejar.NEXT";
    private static final String TAG = "PlayerService";
    private static final int NOTE_ID = 404;

    /** The door for the activity. */
    class Door extends Binder {
        PlayerService service() {
            return PlayerService.this;
        }
    }

    private MediaPlayer mPlayer;
    private Equalizer mEqualizer;
    private final QueueBook mQueue = new QueueBook();
    private boolean mResumeLater;
    private AudioManager.OnAudioFocusChangeListener mFocus;

    private final BroadcastReceiver mUnplugged = new BroadcastReceiver() {
        @Override
        public void onReceive(Context context, Intent intent) {
            if (AudioManager.ACTION_AUDIO_BECOMING_NOISY.equals(intent.getAction()) && mPlayer != null) {
                mPlayer.pause();
                mResumeLater = false;
            }
        }
    };

    @Override
    public IBinder onBind(Intent intent) {
        registerReceiver(mUnplugged, new IntentFilter(AudioManager.ACTION_AUDIO_BECOMING_NOISY));
        return new Door();
    }

    @Override
    public int onStartCommand(Intent intent, int flags, int startId) {
        if (intent == null) {
            stopSelf(startId);
            return START_NOT_STICKY;
        }
        if (ACTION_NEXT.equals(intent.getAction())) {
            skip(1);
        } else if (intent.getData() != null && claimSpeaker()) {
            open(intent.getData());
        }
        return START_STICKY;
    }

    /** Becomes the only one to be heard; goes silent when a call or another program takes over. */
    private boolean claimSpeaker() {
        AudioManager audio = (AudioManager) getSystemService(Context.AUDIO_SERVICE);
        mFocus = change -> {
            switch (change) {
                case AudioManager.AUDIOFOCUS_LOSS:
                    mPlayer.stop();
                    break;
                case AudioManager.AUDIOFOCUS_LOSS_TRANSIENT:
                    mResumeLater = mPlayer.isPlaying();
                    mPlayer.pause();
                    break;
                case AudioManager.AUDIOFOCUS_GAIN:
                    if (mResumeLater) mPlayer.start();
                    break;
                default:
                    Log.v(TAG, "focus " + change);
            }
        };
        int result = audio.requestAudioFocus(mFocus, AudioManager.STREAM_MUSIC, AudioManager.AUDIOFOCUS_GAIN);
        return result == AudioManager.AUDIOFOCUS_REQUEST_GRANTED;
    }

    /** Sounds the demo song that comes with the program, for people with an empty card. */
    MediaPlayer playBundled(String file, boolean forever) throws IOException {
        AssetManager assets = getAssets();
        AssetFileDescriptor slice = assets.openFd(file);
        MediaPlayer demo = new MediaPlayer();
        demo.setAudioStreamType(AudioManager.STREAM_MUSIC);
        demo.setDataSource(slice.getFileDescriptor(), slice.getStartOffset(), slice.getLength());
        slice.close();
        demo.setLooping(forever);
        demo.prepare();
        demo.start();
        return demo;
    }

    /** Prepares a song from any uri without blocking, and plays it when it is ready. */
    private void open(Uri song) {
        if (mPlayer == null) {
            mPlayer = new MediaPlayer();
            mPlayer.setWakeMode(this, PowerManager.PARTIAL_WAKE_LOCK);
        } else {
            mPlayer.reset();
        }
        mPlayer.setOnPreparedListener(ready -> {
            ready.start();
            startForeground(NOTE_ID, note(song.getLastPathSegment()));
        });
        mPlayer.setOnErrorListener((which, what, extra) -> {
            Log.e(TAG, "player gave up: " + what + "/" + extra);
            return what == MediaPlayer.MEDIA_ERROR_SERVER_DIED;
        });
        mPlayer.setOnCompletionListener(done -> skip(1));
        try {
            mPlayer.setDataSource(this, song);
            mPlayer.prepareAsync();
        } catch (IOException | IllegalStateException e) {
            Log.e(TAG, "cannot open " + song, e);
            skip(1);
        }
    }

    /** Moves in the queue, forwards or backwards, and plays the music found there. */
    void skip(int step) {
        QueueBook.Entry next = mQueue.move(step);
        if (next == null) {
            stopForeground(true);
            return;
        }
        open(Uri.parse(next.uri));
    }

    private Notification note(String title) {
        PendingIntent forward = PendingIntent.getService(this, 0,
                new Intent(this, PlayerService.class).setAction(ACTION_NEXT), PendingIntent.FLAG_UPDATE_CURRENT);
        return new NotificationCompat.Builder(this, "player")
                .setSmallIcon(android.R.drawable.ic_media_play)
                .setContentTitle(title)
                .setVisibility(NotificationCompat.VISIBILITY_PUBLIC)
                .addAction(android.R.drawable.ic_media_next, "Next", forward)
                .setOngoing(true)
                .build();
    }

    /** Lowers the volume of the player bit by bit until nothing is heard, then pauses the music. */
    void fadeOut(int millis) {
        final int steps = Math.max(1, millis / 50);
        Thread fader = new Thread(() -> {
            for (int i = steps; i >= 0 && mPlayer != null; i--) {
                float loud = (float) Math.pow((double) i / steps, 2);
                mPlayer.setVolume(loud, loud);
                SystemClock.sleep(50);
            }
            if (mPlayer != null) {
                mPlayer.pause();
            }
        }, "fade");
        fader.setDaemon(true);
        fader.start();
    }

    /** Turns the volume of the phone up or down by a share of its range. */
    void nudgeVolume(float share) {
        AudioManager audio = (AudioManager) getSystemService(AUDIO_SERVICE);
        int most = audio.getStreamMaxVolume(AudioManager.STREAM_MUSIC);
        int wanted = Math.round(audio.getStreamVolume(AudioManager.STREAM_MUSIC) + share * most);
        int flags = wanted > most * 0.8f ? AudioManager.FLAG_SHOW_UI : 0;
        audio.setStreamVolume(AudioManager.STREAM_MUSIC, Math.max(0, Math.min(most, wanted)), flags);
    }

    /** Shapes the sound: a curve of gains from deep to high. */
    void shape(double... gains) {
        if (mEqualizer == null) {
            mEqualizer = new Equalizer(0, mPlayer.getAudioSessionId());
            mEqualizer.setEnabled(true);
        }
        short low = mEqualizer.getBandLevelRange()[0];
        short high = mEqualizer.getBandLevelRange()[1];
        for (short band = 0; band < mEqualizer.getNumberOfBands(); band++) {
            double place = (double) band / Math.max(1, mEqualizer.getNumberOfBands() - 1) * (gains.length - 1);
            int left = (int) Math.floor(place);
            double mix = gains[left] + (place - left) * (gains[Math.min(gains.length - 1, left + 1)] - gains[left]);
            mEqualizer.setBandLevel(band, (short) Math.max(low, Math.min(high, mix * high)));
        }
    }

    @Override
    public void onDestroy() {
        unregisterReceiver(mUnplugged);
        if (mEqualizer != null) {
            mEqualizer.release();
        }
        if (mPlayer != null) {
            mPlayer.release();
            mPlayer = null;
        }
        super.onDestroy();
    }

    /** Skips to another song when the pocket is knocked hard. */
    static class PocketKnock implements SensorEventListener {

        private final PlayerService owner;
        private long lastKnock;

        PocketKnock(PlayerService owner) {
            this.owner = owner;
        }

        @Override
        public void onSensorChanged(SensorEvent event) {
            float x = event.values[0];
            float y = event.values[1];
            float z = event.values[2];
            double force = Math.sqrt(x * x + y * y + z * z) / SensorManager.GRAVITY_EARTH;
            if (force < 3.1) {
                return;
            }
            long now = System.currentTimeMillis();
            if (now - lastKnock > 1200) {
                lastKnock = now;
                owner.skip(x < 0 ? -1 : 1);
            }
        }

        @Override
        public void onAccuracyChanged(Sensor sensor, int accuracy) {
            Log.v(TAG, sensor.getName() + " is now at " + accuracy);
        }
    }
}
