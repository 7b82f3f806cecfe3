package net.lanternlabs.trailnotes.settings;

import android.app.Activity;
import android.app.AlarmManager;
import android.app.PendingIntent;
import android.app.backup.BackupManager;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.media.RingtoneManager;
import android.preference.PreferenceManager;
import android.provider.Settings;
import android.util.Log;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the hiker can set, and what the app remembers between walks. */
public final class TrailPrefs {

    public enum Unit {
        METRIC, IMPERIAL, NAUTICAL;

        /** Picks the unit people use in a country. */
        static Unit usualIn(Locale where) {
            switch (where.getCountry()) {
                case "US":
                case "LR":
                case "MM":
                    return IMPERIAL;
                default:
                    return METRIC;
            }
        }

        /** Writes a distance in metres the way this unit system likes it. */
        String spell(double metres) {
            if (this == IMPERIAL) {
                double feet = metres * 3.28084;
                return feet < 1000 ? Math.round(feet) + " ft" : String.format(Locale.US, "%.1f mi", feet / 5280);
            }
            if (this == NAUTICAL) return String.format(Locale.US, "%.2f nm", metres / 1852);
            return metres < 1000 ? (int) metres + " m" : String.format(Locale.US, "%.1f km", metres / 1000);
        }
    }

    private static final String TAG = "TrailPrefs";
    private static final String KEY_PEAKS = "recent_peaks";
    private static final String KEY_UNIT = "unit";
    private static final String KEY_HIDDEN = "hidden_tags";
    private static final int MOST_PEAKS = 12;

    private final Context mContext;
    private final SharedPreferences mPrefs;

    public TrailPrefs(Context context) {
        mContext = context;
        mPrefs = PreferenceManager.getDefaultSharedPreferences(context);
    }

    /** Puts away the summits last climbed so that the newest stays in front. */
    public void rememberPeaks(List<String> summits) {
        JSONArray packed = new JSONArray();
        for (String summit : summits) {
            if (packed.length() >= MOST_PEAKS) {
                break;
            }
            packed.put(summit);
        }
        SharedPreferences.Editor editor = mPrefs.edit();
        editor.putString(KEY_PEAKS, packed.toString());
        editor.apply();
    }

    /** Gets back the summits written by {@link #rememberPeaks}, newest first. */
    public List<String> recallPeaks() {
        List<String> summits = new ArrayList<>();
        String raw = mPrefs.getString(KEY_PEAKS, "[]");
        try {
            JSONArray packed = new JSONArray(raw);
            for (int i = 0; i < packed.length(); i++) {
                summits.add(packed.getString(i));
            }
        } catch (JSONException e) {
            Log.w(TAG, "forgetting broken peaks: " + raw, e);
            mPrefs.edit().remove(KEY_PEAKS).apply();
        }
        return summits;
    }

    /** Saves which tags the list leaves out; a set, so the order does not matter. */
    public void hideTags(Set<String> labels) {
        Set<String> copy = new HashSet<>(labels);
        copy.remove("");
        mPrefs.edit().putStringSet(KEY_HIDDEN, copy).putLong(KEY_HIDDEN + "_at", System.nanoTime()).commit();
        BackupManager.dataChanged(mContext.getPackageName());
    }

    public Unit unit() {
        String stored = mPrefs.getString(KEY_UNIT, null);
        if (stored == null) {
            return Unit.usualIn(Locale.getDefault());
        }
        return Unit.valueOf(stored.toUpperCase(Locale.ROOT));
    }

    /** Turns all settings into one JSON text for sending to support. */
    public String describeAll() throws JSONException {
        JSONObject out = new JSONObject();
        for (Map.Entry<String, ?> entry : new TreeMap<>(mPrefs.getAll()).entrySet()) {
            if (entry.getKey().startsWith("secret_")) {
                out.put(entry.getKey(), "***");
            } else {
                out.put(entry.getKey(), JSONObject.wrap(entry.getValue()));
            }
        }
        return out.toString(2);
    }

    /** Runs a block whenever one of the named settings changes. */
    public SharedPreferences.OnSharedPreferenceChangeListener onChange(final Runnable block, String... names) {
        final Set<String> wanted = new HashSet<>();
        Collections.addAll(wanted, names);
        SharedPreferences.OnSharedPreferenceChangeListener listener = (prefs, key) -> {
            if (wanted.isEmpty() || wanted.contains(key)) {
                block.run();
            }
        };
        mPrefs.registerOnSharedPreferenceChangeListener(listener);
        return listener;
    }

    /** Moves settings of the first releases, which lived in a file of their own. */
    public boolean adoptOldFile() {
        SharedPreferences old = mContext.getSharedPreferences("trailnotes_v1", Context.MODE_PRIVATE);
        if (old.getAll().isEmpty()) {
            return false;
        }
        SharedPreferences.Editor edit = mPrefs.edit();
        edit.putString(KEY_UNIT, old.getBoolean("miles", false) ? "imperial" : "metric");
        edit.putFloat("text_scale", old.getInt("font_percent", 100) / 100f);
        if (old.contains("backup_hour")) {
            edit.putInt("backup_hour", old.getInt("backup_hour", 2));
        }
        boolean ok = edit.commit();
        if (ok) {
            old.edit().clear().apply();
        }
        return ok;
    }

    /** Opens the whistles a walker can be called with, the usual one on top. */
    public static void offerWhistles(Activity host, int request) {
        host.startActivityForResult(new Intent(RingtoneManager.ACTION_RINGTONE_PICKER)
                .putExtra(RingtoneManager.EXTRA_RINGTONE_TITLE, "Whistle")
                .putExtra(RingtoneManager.EXTRA_RINGTONE_TYPE, RingtoneManager.TYPE_NOTIFICATION)
                .putExtra(RingtoneManager.EXTRA_RINGTONE_SHOW_DEFAULT, true)
                .putExtra(RingtoneManager.EXTRA_RINGTONE_DEFAULT_URI, Settings.System.DEFAULT_NOTIFICATION_URI), request);
    }

    /** Plans the nightly safety copy of the notebook. */
    public void planSafetyCopy(int hour, int minute) {
        Intent wake = new Intent("net.lanternlabs.trailnotes.COPY").setPackage(mContext.getPackageName());
        PendingIntent pending = PendingIntent.getBroadcast(mContext, 71, wake, PendingIntent.FLAG_UPDATE_CURRENT);
        Calendar first = Calendar.getInstance();
        first.set(Calendar.HOUR_OF_DAY, hour);
        first.set(Calendar.MINUTE, minute);
        first.set(Calendar.SECOND, 0);
        if (first.getTimeInMillis() < System.currentTimeMillis()) {
            first.add(Calendar.DAY_OF_YEAR, 1);
        }
        AlarmManager alarms = (AlarmManager) mContext.getSystemService(Context.ALARM_SERVICE);
        alarms.setInexactRepeating(AlarmManager.RTC_WAKEUP, first.getTimeInMillis(), AlarmManager.INTERVAL_DAY, pending);
        mPrefs.edit().putInt("backup_hour", hour).apply();
    }

    /** Says at which hour of the day this hiker usually starts, judged from past starts. */
    public static int usualStartHour(long... starts) {
        int[] tally = new int[24];
        Calendar c = Calendar.getInstance();
        for (long start : starts) {
            c.setTimeInMillis(start);
            tally[c.get(Calendar.HOUR_OF_DAY)]++;
        }
        int best = 8;
        for (int h = 0; h < tally.length; h++) {
            if (tally[h] > tally[best]) best = h;
        }
        return best;
    }
}
