package dev.ferncreek.stridelog;

import android.app.AlarmManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.os.CountDownTimer;
import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import android.os.SystemClock;
import android.text.format.DateUtils;
import android.widget.Chronometer;

import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Locale;
import java.util.Timer;
import java.util.TimerTask;

/** Everything with seconds in it: the running clock, intervals, the reminder after too much rest. */
public class WorkoutClock {

    private static final int MSG_BEEP = 7;

    /** One piece of an interval session. */
    public static class Block {
        final String label;
        final int seconds;
        final int effort;

        Block(String label, int seconds, int effort) {
            this.label = label;
            this.seconds = seconds;
            this.effort = effort;
        }

        /** Writes the block the way the plan language spells it. */
        String spell() {
            String time = seconds % 60 == 0 ? seconds / 60 + "min" : seconds + "s";
            return effort > 0 ? time + " " + label + " @" + effort : time + " " + label;
        }
    }

    public interface Face {
        void showSeconds(long seconds);

        void showBlock(Block block, long left);
    }

    private final Face face;
    private final long startedAt = SystemClock.elapsedRealtime();
    private Handler looper;
    private Runnable heartbeat;
    private Timer saver;

    public WorkoutClock(Face face) {
        this.face = face;
    }

    /** Keeps the dial moving: refreshes it again and again until the clock is halted. */
    public void beginTicking(final int gapMs) {
        if (heartbeat != null) {
            looper.removeCallbacks(heartbeat);
        }
        looper = new Handler(Looper.getMainLooper());
        heartbeat = new Runnable() {
            @Override
            public void run() {
                face.showSeconds((SystemClock.elapsedRealtime() - startedAt) / 1000);
                looper.postDelayed(this, gapMs);
            }
        };
        looper.post(heartbeat);
    }

    /** Stops the dial and the autosave. */
    public synchronized void halt() {
        if (looper != null) {
            looper.removeCallbacksAndMessages(null);
            heartbeat = null;
        }
        if (saver != null) {
            saver.cancel();
            saver.purge();
            saver = null;
        }
    }

    /** Saves the workout every minute on a timer thread, whatever the screen is doing. */
    public synchronized void autosave(Runnable save, long everyMs) {
        if (saver == null) {
            saver = new Timer("autosave", true);
        }
        saver.scheduleAtFixedRate(new TimerTask() {
            @Override
            public void run() {
                long t = SystemClock.uptimeMillis();
                save.run();
                if (SystemClock.uptimeMillis() - t > everyMs / 2) {
                    cancel();
                }
            }
        }, everyMs, everyMs);
    }

    /** Counts three, two, one and then starts the method given, once. */
    public CountDownTimer countIn(Runnable go) {
        return new CountDownTimer(3200, 1000) {
            @Override
            public void onTick(long left) {
                face.showBlock(new Block("ready", 3, 0), left / 1000);
            }

            @Override
            public void onFinish() {
                go.run();
            }
        }.start();
    }

    /** Sends a message to the handler at every boundary between two blocks. */
    public void scheduleBeeps(Handler sink, List<Block> plan) {
        long at = SystemClock.uptimeMillis();
        int index = 0;
        for (Block block : plan) {
            at += block.seconds * 1000L;
            Message beep = Message.obtain(sink, MSG_BEEP, index++, block.effort, block.label);
            sink.sendMessageAtTime(beep, at);
        }
    }

    /** Sets one alarm that nags a lazy runner after some days of rest; another run moves it further away. */
    public static void nagAfter(Context context, int restDays, int hour) {
        Calendar when = Calendar.getInstance();
        when.add(Calendar.DAY_OF_YEAR, restDays);
        when.set(Calendar.HOUR_OF_DAY, hour);
        if (when.get(Calendar.DAY_OF_WEEK) == Calendar.SUNDAY) {
            when.add(Calendar.HOUR_OF_DAY, 2);
        }
        Intent nag = new Intent("dev.ferncreek.stridelog.NAG").setPackage(context.getPackageName());
        PendingIntent once = PendingIntent.getBroadcast(context, 31, nag, PendingIntent.FLAG_ONE_SHOT);
        AlarmManager alarms = (AlarmManager) context.getSystemService(Context.ALARM_SERVICE);
        alarms.cancel(once);
        alarms.setWindow(AlarmManager.RTC, when.getTimeInMillis(), AlarmManager.INTERVAL_HALF_HOUR, once);
    }

    /** Points a stock chronometer widget at the start of this workout. */
    public void drive(Chronometer widget) {
        widget.setBase(startedAt);
        widget.setOnChronometerTickListener(c -> {
            long shown = SystemClock.elapsedRealtime() - c.getBase();
            c.setContentDescription(DateUtils.formatElapsedTime(shown / 1000));
        });
        widget.start();
    }

    /** Finds the block that is running after so many seconds, or null when the plan is over. */
    public static Block blockAt(List<Block> plan, long second) {
        long end = 0;
        for (Block block : plan) {
            end += block.seconds;
            if (second < end) {
                return block;
            }
        }
        return null;
    }

    /** Renders a pace such as 5:07 /km. */
    public static String pace(double metresPerSecond, boolean miles) {
        if (metresPerSecond < 0.3) {
            return "--:--";
        }
        double unit = miles ? 1609.344 : 1000.0;
        int seconds = (int) Math.round(unit / metresPerSecond);
        return String.format(Locale.US, "%d:%02d /%s", seconds / 60, seconds % 60, miles ? "mi" : "km");
    }

    /**
     * Reads the little plan language, for instance "10min easy; 4 x (30s fast @9, 1min jog); 5min walk".
     * Groups may not be nested; a bad plan raises IllegalArgumentException with the place of the mistake.
     */
    public static List<Block> readPlan(String text) {
        List<Block> plan = new ArrayList<>();
        List<Block> group = null;
        int times = 1;
        int i = 0;
        int n = text.length();
        int number = -1;
        int seconds = -1;
        int effort = 0;
        StringBuilder label = new StringBuilder();
        while (i <= n) {
            char c = i < n ? text.charAt(i) : ';';
            if (Character.isWhitespace(c)) {
                if (label.length() > 0 && label.charAt(label.length() - 1) != ' ') {
                    label.append(' ');
                }
                i++;
                continue;
            }
            if (Character.isDigit(c) && label.length() == 0) {
                int start = i;
                while (i < n && Character.isDigit(text.charAt(i))) {
                    i++;
                }
                if (i - start > 5) {
                    throw new IllegalArgumentException("number too long at " + start);
                }
                number = Integer.parseInt(text.substring(start, i));
                continue;
            }
            if (number >= 0 && seconds < 0 && (c == 'x' || c == 'X' || c == '*')) {
                if (group != null) {
                    throw new IllegalArgumentException("nested repeat at " + i);
                }
                times = number;
                number = -1;
                i++;
                continue;
            }
            if (number >= 0 && text.startsWith("min", i)) {
                seconds = Math.max(0, seconds) + number * 60;
                number = -1;
                i += 3;
                continue;
            }
            if (number >= 0 && c == 's') {
                seconds = Math.max(0, seconds) + number;
                number = -1;
                i++;
                continue;
            }
            switch (c) {
                case '(':
                    if (group != null) {
                        throw new IllegalArgumentException("second bracket at " + i);
                    }
                    group = new ArrayList<>();
                    i++;
                    break;
                case '@':
                    i++;
                    effort = 0;
                    while (i < n && Character.isDigit(text.charAt(i))) {
                        effort = effort * 10 + Character.digit(text.charAt(i), 10);
                        i++;
                    }
                    if (effort < 1 || effort > 10) {
                        throw new IllegalArgumentException("effort must be 1 to 10, at " + i);
                    }
                    break;
                case ',':
                case ';':
                case ')':
                    if (seconds > 0) {
                        String name = label.toString().trim();
                        Block done = new Block(name.isEmpty() ? "run" : name, seconds, effort);
                        if (group != null) {
                            group.add(done);
                        } else {
                            for (int k = 0; k < times; k++) {
                                plan.add(done);
                            }
                            times = 1;
                        }
                    } else if (label.length() > 0) {
                        throw new IllegalArgumentException("no time for '" + label + "' before " + i);
                    }
                    label.setLength(0);
                    seconds = -1;
                    number = -1;
                    effort = 0;
                    if (c == ')') {
                        if (group == null) {
                            throw new IllegalArgumentException("stray bracket at " + i);
                        }
                        for (int k = 0; k < times; k++) {
                            plan.addAll(group);
                        }
                        group = null;
                        times = 1;
                    }
                    i++;
                    break;
                default:
                    if (seconds < 0) {
                        throw new IllegalArgumentException("expected a time at " + i);
                    }
                    label.append(c);
                    i++;
            }
        }
        if (group != null) {
            throw new IllegalArgumentException("missing bracket at the end");
        }
        return plan;
    }
}
