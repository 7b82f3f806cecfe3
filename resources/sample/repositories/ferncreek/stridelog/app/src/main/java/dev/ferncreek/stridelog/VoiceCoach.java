package dev.ferncreek.stridelog;

import android.content.Context;
import android.content.res.AssetFileDescriptor;
import android.media.AudioAttributes;
import android.media.AudioFormat;
import android.media.AudioManager;
import android.media.AudioTrack;
import android.media.MediaPlayer;
import android.media.MediaRecorder;
import android.media.SoundPool;
import android.media.ToneGenerator;
import android.os.Bundle;
import android.speech.tts.TextToSpeech;
import android.speech.tts.UtteranceProgressListener;
import android.util.Log;
import android.util.SparseIntArray;

import java.io.File;
import java.io.IOException;
import java.util.Locale;

/** Talks to the runner through the headphones. */
public class VoiceCoach {

    private static final String TAG = "VoiceCoach";
    private static final String[] SPLIT_WORDS = {"slower than", "level with", "faster than"};

    private final Context app;
    private TextToSpeech speech;
    private SoundPool pool;
    private final SparseIntArray loaded = new SparseIntArray();
    private MediaPlayer cuePlayer;
    private boolean hasFloor;

    public VoiceCoach(Context context) {
        app = context.getApplicationContext();
    }

    /** Takes the floor for one announcement, so that whatever else is sounding turns down meanwhile. */
    public boolean takeFloor() {
        AudioManager audio = (AudioManager) app.getSystemService(Context.AUDIO_SERVICE);
        int answer = audio.requestAudioFocus(change -> {
            if (change == AudioManager.AUDIOFOCUS_LOSS || change == AudioManager.AUDIOFOCUS_LOSS_TRANSIENT) {
                speech.stop();
                hasFloor = false;
            }
        }, AudioManager.STREAM_MUSIC, AudioManager.AUDIOFOCUS_GAIN_TRANSIENT_MAY_DUCK);
        hasFloor = answer == AudioManager.AUDIOFOCUS_REQUEST_GRANTED;
        return hasFloor;
    }

    /** Sounds one of the gongs and bells that are shipped inside the apk. */
    public void soundCue(String name) {
        try {
            AssetFileDescriptor bell = app.getAssets().openFd("cues/" + name + ".ogg");
            cuePlayer = new MediaPlayer();
            cuePlayer.setDataSource(bell.getFileDescriptor(), bell.getStartOffset(), bell.getLength());
            bell.close();
            cuePlayer.prepare();
            cuePlayer.setVolume(0.8f, 0.8f);
            cuePlayer.start();
        } catch (IOException e) {
            Log.w(TAG, "no cue " + name, e);
        }
    }

    /** Starts the speech engine and picks a voice for the user's language, English otherwise. */
    public void warmUp() {
        speech = new TextToSpeech(app, status -> {
            if (status != TextToSpeech.SUCCESS) {
                Log.e(TAG, "speech engine says " + status);
                return;
            }
            Locale mine = Locale.getDefault();
            if (speech.isLanguageAvailable(mine) < TextToSpeech.LANG_AVAILABLE) {
                mine = Locale.ENGLISH;
            }
            speech.setLanguage(mine);
            speech.setSpeechRate(1.1f);
        });
    }

    /** Says a sentence and gives the audio back to the music when it was the last one. */
    public void say(String sentence, String id) {
        if (!hasFloor && !takeFloor()) {
            return;
        }
        speech.setOnUtteranceProgressListener(new UtteranceProgressListener() {
            @Override
            public void onStart(String utterance) {
                Log.v(TAG, "begin " + utterance);
            }

            @Override
            public void onDone(String utterance) {
                if (!speech.isSpeaking()) {
                    hasFloor = false;
                }
            }

            @Override
            public void onError(String utterance) {
                int failures = loaded.get(-1, 0) + 1;
                loaded.put(-1, failures);
                if (failures > 3) warmUp();
            }
        });
        Bundle options = new Bundle();
        options.putInt(TextToSpeech.Engine.KEY_PARAM_STREAM, AudioManager.STREAM_MUSIC);
        speech.speak(sentence, TextToSpeech.QUEUE_ADD, options, id);
    }

    /** Composes what is said at the end of each kilometre. */
    public static String splitSentence(int kilometre, int seconds, int averageSeconds) {
        int minutes = seconds / 60;
        int rest = seconds % 60;
        StringBuilder said = new StringBuilder("Kilometre ").append(kilometre).append(": ");
        said.append(minutes).append(minutes == 1 ? " minute " : " minutes ");
        if (rest > 0) {
            said.append(rest).append(" seconds");
        }
        int step = Math.abs(seconds - averageSeconds) < 3 ? 1 : seconds > averageSeconds ? 0 : 2;
        return said.append(", ").append(SPLIT_WORDS[step]).append(" your average.").toString();
    }

    /** Loads short clicks into a sound pool for the metronome; they play without any delay. */
    public void loadClicks(int... resources) {
        AudioAttributes use = new AudioAttributes.Builder()
                .setUsage(AudioAttributes.USAGE_ASSISTANCE_SONIFICATION)
                .setContentType(AudioAttributes.CONTENT_TYPE_SONIFICATION)
                .build();
        pool = new SoundPool.Builder().setMaxStreams(2).setAudioAttributes(use).build();
        for (int resource : resources) {
            loaded.put(resource, pool.load(app, resource, 1));
        }
    }

    /** Plays one click, louder on the first beat of the bar. */
    public void click(int resource, int beat) {
        int sample = loaded.get(resource, 0);
        if (sample == 0) {
            return;
        }
        float volume = beat % 4 == 0 ? 1f : 0.6f;
        pool.play(sample, volume, volume, beat % 4 == 0 ? 2 : 1, 0, 1f);
    }

    /** Beeps on the alarm stream when the pulse is too high. */
    public void warnTone(int pulse, int limit) {
        int loudness = Math.min(ToneGenerator.MAX_VOLUME, 40 + 3 * (pulse - limit));
        ToneGenerator tones = new ToneGenerator(AudioManager.STREAM_ALARM, Math.max(10, loudness));
        tones.startTone(ToneGenerator.TONE_CDMA_ALERT_CALL_GUARD, 200 + 10 * (pulse - limit));
    }

    /** Synthesises a sine whistle for phones whose asset files cannot be played. */
    public static AudioTrack whistle(double hertz, int millis) {
        int rate = 22050;
        short[] wave = new short[rate * millis / 1000];
        int ramp = Math.min(400, wave.length / 4);
        for (int i = 0; i < wave.length; i++) {
            double fade = Math.min(1.0, Math.min(i, wave.length - 1 - i) / (double) ramp);
            wave[i] = (short) (fade * 20000 * Math.sin(2 * Math.PI * hertz * i / rate));
        }
        AudioTrack track = new AudioTrack(AudioManager.STREAM_MUSIC, rate, AudioFormat.CHANNEL_OUT_MONO,
                AudioFormat.ENCODING_PCM_16BIT, wave.length * 2, AudioTrack.MODE_STATIC);
        track.write(wave, 0, wave.length);
        return track;
    }

    /** Records a spoken note about the run into an audio file. */
    public MediaRecorder recordNote(File target) throws IOException {
        MediaRecorder mic = new MediaRecorder();
        mic.setAudioSource(MediaRecorder.AudioSource.MIC);
        mic.setOutputFormat(MediaRecorder.OutputFormat.THREE_GPP);
        mic.setAudioEncoder(MediaRecorder.AudioEncoder.AMR_NB);
        mic.setOutputFile(target.getAbsolutePath());
        mic.setMaxDuration(60000);
        mic.prepare();
        mic.start();
        return mic;
    }

    /** Frees the engine, the pool and the player. */
    public void shutUp() {
        if (speech != null) {
            speech.stop();
            speech.shutdown();
        }
        if (pool != null) {
            pool.autoPause();
            pool.release();
        }
        if (cuePlayer != null) {
            cuePlayer.reset();
            cuePlayer.release();
            cuePlayer = null;
        }
    }
}
