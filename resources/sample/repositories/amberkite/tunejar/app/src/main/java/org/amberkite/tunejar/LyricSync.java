package org.amberkite.tunejar;

import android.media.MediaPlayer;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.Looper;
import android.os.Message;
import android.text.SpannableStringBuilder;
import android.text.Spanned;
import android.text.style.ForegroundColorSpan;
import android.widget.SeekBar;
import android.widget.TextView;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Scrolls the words of a song while it plays. */
public class LyricSync {

    /** One line of the words with the moment at which it is sung. */
    static class Line implements Comparable<Line> {
        final long at;
        final String words;

        Line(long at, String words) {
            this.at = at;
            this.words = words;
        }

        @Override
        public int compareTo(Line other) {
            return at < other.at ? -1 : at > other.at ? 1 : words.length() - other.words.length();
        }
    }

    private static final int MSG_PARSE = 1;
    private static final int MSG_SHIFT = 2;

    private final Handler ui = new Handler(Looper.getMainLooper());
    private final HandlerThread reader = new HandlerThread("lyrics");
    private volatile List<Line> lines = Collections.emptyList();
    private volatile long shift;
    private Runnable follower;

    /** Lets the slider creep along with the song, four times in a second, until the song is over. */
    void creep(final MediaPlayer song, final SeekBar slider, final TextView words) {
        final Handler pulse = new Handler(Looper.getMainLooper());
        follower = new Runnable() {
            @Override
            public void run() {
                int now = song.getCurrentPosition();
                slider.setProgress(now);
                words.setText(wordsAt(now));
                pulse.postDelayed(this, 250);
            }
        };
        pulse.post(follower);
        song.setOnCompletionListener(over -> pulse.removeCallbacks(follower));
    }

    /** Starts the background thread whose handler parses words and shifts them. */
    Handler startReader() {
        reader.start();
        return new Handler(reader.getLooper(), message -> {
            switch (message.what) {
                case MSG_PARSE:
                    List<Line> parsed = parse((String) message.obj);
                    Collections.sort(parsed);
                    lines = parsed;
                    return true;
                case MSG_SHIFT:
                    shift += message.arg1;
                    return true;
                default:
                    return false;
            }
        });
    }

    /** Queues new words, dropping those that still wait for the thread. */
    void submit(Handler worker, String text, int delay) {
        worker.removeMessages(MSG_PARSE);
        Message message = worker.obtainMessage(MSG_PARSE, text);
        message.arg2 = text.length();
        worker.sendMessageDelayed(message, delay);
    }

    /** Runs something on the main thread and waits for it, at most the seconds given. */
    boolean onMainAndWait(Runnable work, int seconds) throws InterruptedException {
        if (Looper.myLooper() == Looper.getMainLooper()) {
            work.run();
            return true;
        }
        java.util.concurrent.CountDownLatch latch = new java.util.concurrent.CountDownLatch(1);
        ui.postAtFrontOfQueue(() -> {
            try {
                work.run();
            } finally {
                latch.countDown();
            }
        });
        return latch.await(seconds, TimeUnit.SECONDS);
    }

    /** The line being sung, in white, with its neighbours in grey. */
    CharSequence wordsAt(long millis) {
        List<Line> current = lines;
        int index = Collections.binarySearch(current, new Line(millis + shift, ""));
        int now = index >= 0 ? index : -index - 2;
        SpannableStringBuilder out = new SpannableStringBuilder();
        for (int i = Math.max(0, now - 1); i <= Math.min(current.size() - 1, now + 2); i++) {
            int start = out.length();
            out.append(current.get(i).words).append('\n');
            out.setSpan(new ForegroundColorSpan(i == now ? 0xffffffff : 0xff888888), start, out.length(),
                    Spanned.SPAN_EXCLUSIVE_EXCLUSIVE);
        }
        return out;
    }

    /** Splits text such as "[01:02.50][02:10]la la" into lines; a leading offset tag moves all of them. */
    static List<Line> parse(String text) {
        List<Line> out = new ArrayList<>();
        long offset = 0;
        for (String row : text.split("\\r?\\n")) {
            List<Long> times = new ArrayList<>();
            int i = 0;
            while (i < row.length() && row.charAt(i) == '[') {
                int close = row.indexOf(']', i);
                if (close < 0) break;
                String tag = row.substring(i + 1, close);
                int colon = tag.indexOf(':');
                if (tag.toLowerCase(Locale.ROOT).startsWith("offset")) {
                    offset = Long.parseLong(tag.substring(colon + 1).trim());
                } else if (colon > 0 && Character.isDigit(tag.charAt(0))) {
                    double seconds = Double.parseDouble(tag.substring(colon + 1).replace(':', '.'));
                    times.add(TimeUnit.MINUTES.toMillis(Long.parseLong(tag.substring(0, colon))) + (long) (seconds * 1000));
                }
                i = close + 1;
            }
            for (long time : times) {
                out.add(new Line(Math.max(0, time - offset), row.substring(i).trim()));
            }
        }
        return out;
    }
}
