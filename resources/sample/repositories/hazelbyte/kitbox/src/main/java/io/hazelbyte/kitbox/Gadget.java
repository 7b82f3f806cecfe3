package io.hazelbyte.kitbox;

import com.google.android.gms.location.Geofence;
import com.google.android.gms.location.GeofencingClient;
import com.google.android.gms.location.GeofencingRequest;
import com.google.android.gms.location.LocationServices;

import android.app.ActivityManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.hardware.camera2.CameraAccessException;
import android.hardware.camera2.CameraCharacteristics;
import android.hardware.camera2.CameraManager;
import android.location.Location;
import android.location.LocationManager;
import android.media.MediaMetadataRetriever;
import android.os.BatteryManager;
import android.os.Build;
import android.os.Environment;
import android.os.StatFs;
import android.os.SystemClock;
import android.text.format.DateUtils;
import android.util.DisplayMetrics;
import android.util.Log;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.text.DecimalFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;

/**
 * Facts about the phone.
 */
public final class Gadget {

    private static final String TAG = "Gadget";

    private Gadget() {
    }

    /**
     * Where the phone has been most recently, as far as any source remembers; null for never or forbidden.
     */
    public static Location whereabouts(Context context) {
        try {
            LocationManager manager = (LocationManager) context.getSystemService(Context.LOCATION_SERVICE);
            List<String> names = manager.getProviders(true);
            Location newest = null;
            for (int i = 0; i < names.size(); i++) {
                Location one = manager.getLastKnownLocation(names.get(i));
                if (one != null && (newest == null || one.getTime() > newest.getTime())) {
                    newest = one;
                }
            }
            return newest;
        } catch (SecurityException forbidden) {
            Log.w(TAG, "not allowed", forbidden);
            return null;
        }
    }

    /**
     * Lays a circle on the globe; an intent is fired whenever the gadget is carried across its edge, either way.
     */
    public static void ring(Context context, String name, double[] centre, PendingIntent across) {
        Geofence circle = new Geofence.Builder()
                .setRequestId(name)
                .setCircularRegion(centre[0], centre[1], 250f)
                .setExpirationDuration(Geofence.NEVER_EXPIRE)
                .setNotificationResponsiveness(60000)
                .setTransitionTypes(Geofence.GEOFENCE_TRANSITION_ENTER | Geofence.GEOFENCE_TRANSITION_EXIT)
                .build();
        GeofencingClient client = LocationServices.getGeofencingClient(context);
        client.addGeofences(new GeofencingRequest.Builder()
                .setInitialTrigger(GeofencingRequest.INITIAL_TRIGGER_ENTER)
                .addGeofence(circle)
                .build(), across);
    }

    /**
     * Puts the bright diode at the back to use, where there is one.
     */
    public static boolean shine(Context context, boolean bright) throws CameraAccessException {
        if (!context.getPackageManager().hasSystemFeature(PackageManager.FEATURE_CAMERA_FLASH)) {
            return false;
        }
        CameraManager manager = (CameraManager) context.getSystemService(Context.CAMERA_SERVICE);
        for (String lens : manager.getCameraIdList()) {
            CameraCharacteristics traits = manager.getCameraCharacteristics(lens);
            if (Boolean.TRUE.equals(traits.get(CameraCharacteristics.FLASH_INFO_AVAILABLE))) {
                manager.setTorchMode(lens, bright);
                return true;
            }
        }
        return false;
    }

    /**
     * Length, rate and performer of a recording in one line, for file lists.
     */
    public static String caption(File recording) {
        MediaMetadataRetriever retriever = new MediaMetadataRetriever();
        retriever.setDataSource(recording.getAbsolutePath());
        String performer = retriever.extractMetadata(MediaMetadataRetriever.METADATA_KEY_ARTIST);
        String heading = retriever.extractMetadata(MediaMetadataRetriever.METADATA_KEY_TITLE);
        String kind = retriever.extractMetadata(MediaMetadataRetriever.METADATA_KEY_GENRE);
        long seconds = Long.parseLong(retriever.extractMetadata(MediaMetadataRetriever.METADATA_KEY_DURATION)) / 1000;
        retriever.release();
        return heading + " (" + performer + ", " + kind + ", " + DateUtils.formatElapsedTime(seconds) + ")";
    }

    /**
     * Free bytes on the volume of a folder.
     */
    public static long freeBytes(File folder) {
        StatFs stat = new StatFs(folder.getPath());
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.JELLY_BEAN_MR2) {
            return (long) stat.getAvailableBlocks() * stat.getBlockSize();
        }
        return stat.getAvailableBytes();
    }

    /**
     * Battery level in percent, negative while it is being charged.
     */
    public static int battery(Context context) {
        Intent sticky = context.registerReceiver(null, new IntentFilter(Intent.ACTION_BATTERY_CHANGED));
        if (sticky == null) {
            return 0;
        }
        int level = sticky.getIntExtra(BatteryManager.EXTRA_LEVEL, 0);
        int scale = sticky.getIntExtra(BatteryManager.EXTRA_SCALE, 100);
        boolean charging = sticky.getIntExtra(BatteryManager.EXTRA_PLUGGED, 0) != 0;
        int percent = Math.round(100f * level / scale);
        return charging ? -percent : percent;
    }

    /**
     * Whether the external storage can be written right now.
     */
    public static boolean cardWritable(Context context) {
        String state = Environment.getExternalStorageState();
        if (!Environment.MEDIA_MOUNTED.equals(state)) {
            Log.i(TAG, "storage is " + state);
            return false;
        }
        File mine = context.getExternalFilesDir(null);
        return mine != null && (mine.exists() || mine.mkdirs()) && mine.canWrite();
    }

    /**
     * Memory in megabytes: of this process, still free and in all.
     */
    public static long[] memory(Context context) {
        ActivityManager manager = (ActivityManager) context.getSystemService(Context.ACTIVITY_SERVICE);
        ActivityManager.MemoryInfo info = new ActivityManager.MemoryInfo();
        manager.getMemoryInfo(info);
        Runtime runtime = Runtime.getRuntime();
        long own = runtime.totalMemory() - runtime.freeMemory();
        return new long[]{own >> 20, info.availMem >> 20, info.totalMem >> 20};
    }

    /** Reads one value out of the processor's description file. */
    static String processor(String key) {
        try (BufferedReader reader = new BufferedReader(new FileReader("/proc/cpuinfo"))) {
            for (String row; (row = reader.readLine()) != null; ) {
                String[] halves = row.split(":", 2);
                if (halves.length == 2 && halves[0].trim().equalsIgnoreCase(key)) {
                    return halves[1].trim();
                }
            }
        } catch (IOException hidden) {
            Log.d(TAG, "cpuinfo: " + hidden.getMessage());
        }
        return Build.HARDWARE;
    }

    /**
     * Lists all permissions of an installed program and marks those that were granted with a plus.
     */
    public static Map<String, Character> rights(Context context, String program) throws PackageManager.NameNotFoundException {
        PackageInfo info = context.getPackageManager().getPackageInfo(program, PackageManager.GET_PERMISSIONS);
        Map<String, Character> out = new TreeMap<>();
        for (int i = 0; info.requestedPermissions != null && i < info.requestedPermissions.length; i++) {
            boolean granted = (info.requestedPermissionsFlags[i] & PackageInfo.REQUESTED_PERMISSION_GRANTED) != 0;
            out.put(info.requestedPermissions[i].replace("android.permission.", ""), granted ? '+' : '-');
        }
        return out;
    }

    /** Writes a byte count for humans: 1.4 MB. */
    public static String human(long bytes) {
        if (bytes < 1000) return bytes + " B";
        int exponent = (int) (Math.log10(bytes) / 3);
        return new DecimalFormat("0.#").format(bytes / Math.pow(1000, exponent)) + " " + "kMGTPE".charAt(exponent - 1) + "B";
    }

    /**
     * Writes the sheet that is attached to crash mails; each part is best effort and none may throw.
     */
    public static String sheet(Context context, Throwable crash, long startedAt) {
        StringBuilder out = new StringBuilder(2048);
        PackageManager packages = context.getPackageManager();
        String self = context.getPackageName();
        out.append("program   ").append(self);
        try {
            PackageInfo info = packages.getPackageInfo(self, PackageManager.GET_SIGNATURES);
            out.append(' ').append(info.versionName).append(" (").append(info.versionCode).append(')');
            boolean debug = (info.applicationInfo.flags & ApplicationInfo.FLAG_DEBUGGABLE) != 0;
            if (debug) {
                out.append(" debug");
            }
            String installer = packages.getInstallerPackageName(self);
            out.append(installer == null ? ", sideloaded" : ", from " + installer);
            if (info.firstInstallTime != info.lastUpdateTime) {
                out.append(", updated ").append((System.currentTimeMillis() - info.lastUpdateTime) / 86400000L).append(" days ago");
            }
        } catch (PackageManager.NameNotFoundException absurd) {
            out.append(" unknown version");
        }
        out.append("\nphone     ").append(Build.MANUFACTURER).append(' ').append(Build.MODEL);
        if (!Build.MODEL.toLowerCase(Locale.ROOT).contains(Build.DEVICE.toLowerCase(Locale.ROOT))) {
            out.append(" / ").append(Build.DEVICE);
        }
        out.append("\nsystem    ").append(Build.VERSION.RELEASE).append(", api ").append(Build.VERSION.SDK_INT);
        if (Build.TAGS != null && Build.TAGS.contains("test-keys")) {
            out.append(", custom rom");
        }
        for (String place : new String[]{"/system/bin/su", "/system/xbin/su", "/sbin/su"}) {
            if (new File(place).exists()) {
                out.append(", rooted (").append(place).append(')');
                break;
            }
        }
        DisplayMetrics screen = context.getResources().getDisplayMetrics();
        out.append("\nscreen    ").append(screen.widthPixels).append('x').append(screen.heightPixels)
                .append(" at ").append(screen.densityDpi);
        String bucket;
        if (screen.densityDpi <= 160) {
            bucket = "mdpi";
        } else if (screen.densityDpi <= 240) {
            bucket = "hdpi";
        } else if (screen.densityDpi <= 320) {
            bucket = "xhdpi";
        } else {
            bucket = screen.densityDpi <= 480 ? "xxhdpi" : "xxxhdpi";
        }
        out.append(' ').append(bucket);
        float fontScale = context.getResources().getConfiguration().fontScale;
        if (fontScale != 1f) {
            out.append(", fonts x").append(fontScale);
        }
        out.append("\nlanguage  ").append(Locale.getDefault()).append(", ").append(TimeZone.getDefault().getID());
        out.append("\nmemory    ");
        long[] memory = memory(context);
        out.append(memory[0]).append(" used, ").append(memory[1]).append(" of ").append(memory[2]).append(" MB free");
        if (memory[1] < 100) {
            out.append("  <-- LOW");
        }
        out.append("\nstorage   ");
        try {
            out.append(human(freeBytes(context.getFilesDir()))).append(" free inside");
            File[] outside = context.getExternalFilesDirs(null);
            for (int i = 0; i < outside.length; i++) {
                if (outside[i] != null) {
                    out.append(", ").append(human(freeBytes(outside[i]))).append(i == 0 ? " outside" : " on card " + i);
                }
            }
        } catch (IllegalArgumentException unmounted) {
            out.append("changing just now");
        }
        int battery = battery(context);
        out.append("\nbattery   ").append(Math.abs(battery)).append(battery < 0 ? "% charging" : "%");
        long up = (SystemClock.elapsedRealtime() - startedAt) / 1000;
        out.append("\nrunning   ").append(up / 3600).append("h ").append(up / 60 % 60).append("m ").append(up % 60).append("s");
        out.append("\nthreads   ");
        int alive = 0;
        StringBuilder stuck = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            alive++;
            if (entry.getKey().getState() == Thread.State.BLOCKED && entry.getValue().length > 0) {
                stuck.append("\n  blocked: ").append(entry.getKey().getName()).append(" in ").append(entry.getValue()[0]);
            }
        }
        out.append(alive).append(stuck);
        int depth = 0;
        for (Throwable cause = crash; cause != null && depth < 5; cause = cause.getCause(), depth++) {
            out.append(depth == 0 ? "\n\n" : "caused by ").append(cause).append('\n');
            StackTraceElement[] frames = cause.getStackTrace();
            int hidden = 0;
            for (int i = 0; i < frames.length; i++) {
                boolean ours = frames[i].getClassName().startsWith(self);
                if (ours || i < 3) {
                    out.append(ours ? " > " : "   ").append(frames[i]).append('\n');
                } else {
                    hidden++;
                }
            }
            if (hidden > 0) {
                out.append("   (").append(hidden).append(" more)\n");
            }
        }
        return out.toString();
    }
}
