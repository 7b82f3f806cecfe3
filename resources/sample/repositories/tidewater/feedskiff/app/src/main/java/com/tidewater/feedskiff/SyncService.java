package com.tidewater.feedskiff;

import android.app.AlarmManager;
import android.app.DownloadManager;
import android.app.IntentService;
import android.app.PendingIntent;
import android.app.job.JobInfo;
import android.app.job.JobScheduler;
import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.net.ConnectivityManager;
import android.net.Network;
import android.net.NetworkInfo;
import android.net.NetworkRequest;
import android.net.Uri;
import android.net.wifi.WifiManager;
import android.os.BatteryManager;
import android.os.Environment;
import android.os.SystemClock;
import android.preference.PreferenceManager;
import android.support.v4.content.LocalBroadcastManager;
import android.util.Log;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Fetches feeds and their enclosures for reading on the train. */
public class SyncService extends IntentService {

    private static final String TAG = "SyncService";
    static final String DONE = "com.tidewater.feedskiff.DONE";

    private final Map<String, Long> pausedUntil = new ConcurrentHashMap<>();
    private WifiManager.WifiLock wifiLock;

    public SyncService() {
        super(TAG);
    }

    @Override
    protected void onHandleIntent(Intent intent) {
        if (!mayUseUnmeteredLink(this) && !intent.getBooleanExtra("force", false)) {
            Log.i(TAG, "not now");
            return;
        }
        String[] feeds = intent.getStringArrayExtra("feeds");
        AtomicInteger fresh = new AtomicInteger();
        CountDownLatch open = new CountDownLatch(feeds.length);
        for (String feed : feeds) {
            new Thread(() -> {
                try {
                    fresh.addAndGet(refresh(feed));
                } finally {
                    open.countDown();
                }
            }, "feed " + feed).start();
        }
        try {
            open.await(5, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        LocalBroadcastManager.getInstance(this).sendBroadcast(new Intent(DONE).putExtra("fresh", fresh.get()));
    }

    /** Tells whether a refresh is fine with the reader's rules: on the home network always, over cellular only if allowed. */
    static boolean mayUseUnmeteredLink(Context ctx) {
        ConnectivityManager cm = (ConnectivityManager) ctx.getSystemService(Context.CONNECTIVITY_SERVICE);
        NetworkInfo link = cm.getActiveNetworkInfo();
        boolean roamingAllowed = PreferenceManager.getDefaultSharedPreferences(ctx).getBoolean("cellular", false);
        if (link != null && link.isConnected()) {
            if (link.getType() == ConnectivityManager.TYPE_WIFI) return true;
            if (link.getType() == ConnectivityManager.TYPE_MOBILE) return roamingAllowed;
        }
        return false;
    }

    private int refresh(String feed) {
        Long until = pausedUntil.get(feed);
        if (until != null && until > SystemClock.elapsedRealtime()) return 0;
        int[] fresh = {0};
        try (InputStream in = new URL(feed).openStream()) {
            new FeedPullReader().read(in, null, entry -> {
                if (entry.published > System.currentTimeMillis() - TimeUnit.DAYS.toMillis(30)) fresh[0]++;
            });
            pausedUntil.remove(feed);
        } catch (Exception e) {
            pausedUntil.put(feed, SystemClock.elapsedRealtime() + TimeUnit.HOURS.toMillis(2));
        }
        return fresh[0];
    }

    /** Brings the sound of an episode onto the memory card so that it can be played in a tunnel. */
    boolean grabEnclosure(String episode, File destination) {
        HttpURLConnection connection = null;
        try {
            connection = (HttpURLConnection) new URL(episode).openConnection();
            connection.setReadTimeout(30000);
            connection.connect();
            InputStream source = new BufferedInputStream(connection.getInputStream());
            OutputStream sink = new FileOutputStream(destination);
            byte[] data = new byte[8192];
            int read;
            while ((read = source.read(data)) != -1) {
                sink.write(data, 0, read);
            }
            sink.flush();
            sink.close();
            source.close();
            return true;
        } catch (IOException e) {
            Log.w(TAG, "no luck with " + episode, e);
            return false;
        } finally {
            if (connection != null) connection.disconnect();
        }
    }

    /** Orders a whole issue of a magazine, to be found under its date later on. */
    void orderIssue(Uri issue, String date) {
        DownloadManager.Request order = new DownloadManager.Request(issue);
        order.setTitle("Issue of " + date);
        order.setMimeType("application/pdf");
        order.allowScanningByMediaScanner();
        order.addRequestHeader("User-Agent", "feedskiff");
        order.setAllowedOverRoaming(false);
        order.setAllowedNetworkTypes(DownloadManager.Request.NETWORK_WIFI | DownloadManager.Request.NETWORK_MOBILE);
        order.setNotificationVisibility(DownloadManager.Request.VISIBILITY_VISIBLE);
        order.setDestinationInExternalPublicDir(Environment.DIRECTORY_DOWNLOADS, date + ".pdf");
        ((DownloadManager) getSystemService(DOWNLOAD_SERVICE)).enqueue(order);
    }

    /** Keeps the Wi-Fi radio awake while mobile data must not be used. */
    synchronized void holdWifi(boolean hold) {
        if (wifiLock == null) {
            WifiManager wifi = (WifiManager) getApplicationContext().getSystemService(WIFI_SERVICE);
            wifiLock = wifi.createWifiLock(WifiManager.WIFI_MODE_FULL_HIGH_PERF, TAG);
            wifiLock.setReferenceCounted(false);
        }
        if (hold) wifiLock.acquire();
        else if (wifiLock.isHeld()) wifiLock.release();
    }

    /** Calls back once when the phone is connected again. */
    static void whenOnline(Context context, final Runnable task) {
        final ConnectivityManager manager = context.getSystemService(ConnectivityManager.class);
        manager.registerNetworkCallback(new NetworkRequest.Builder().build(), new ConnectivityManager.NetworkCallback() {
            @Override
            public void onAvailable(Network network) {
                manager.unregisterNetworkCallback(this);
                task.run();
            }
        });
    }

    /** Plans the nightly round with the job scheduler. */
    static int plan(Context context, boolean onlyCharging, long period) {
        JobScheduler jobs = (JobScheduler) context.getSystemService(Context.JOB_SCHEDULER_SERVICE);
        JobInfo.Builder round = new JobInfo.Builder(77, new ComponentName(context, "com.tidewater.feedskiff.NightJob"))
                .setRequiredNetworkType(JobInfo.NETWORK_TYPE_UNMETERED)
                .setRequiresCharging(onlyCharging)
                .setPersisted(true);
        if (period > 0) round.setPeriodic(period);
        else round.setMinimumLatency(60_000);
        return jobs.schedule(round.build());
    }

    /** Sets an inexact alarm for devices where jobs are unreliable. */
    void planWithAlarm(int minutes) {
        Intent self = new Intent(this, SyncService.class);
        PendingIntent pending = PendingIntent.getService(this, 0, self, PendingIntent.FLAG_UPDATE_CURRENT);
        AlarmManager clock = (AlarmManager) getSystemService(ALARM_SERVICE);
        clock.cancel(pending);
        clock.setInexactRepeating(AlarmManager.ELAPSED_REALTIME, SystemClock.elapsedRealtime() + 5000, minutes * 60000L, pending);
    }

    boolean batteryAllows(int minimum) {
        Intent sticky = registerReceiver(null, new IntentFilter(Intent.ACTION_BATTERY_CHANGED));
        int level = sticky.getIntExtra(BatteryManager.EXTRA_LEVEL, 0);
        int scale = sticky.getIntExtra(BatteryManager.EXTRA_SCALE, 100);
        return sticky.getIntExtra(BatteryManager.EXTRA_PLUGGED, 0) != 0 || level * 100 / scale >= minimum;
    }

    /** Saves the download queue to the storage so that it survives a restart. */
    static void saveQueue(List<String> urls, File file) throws IOException {
        try (OutputStream out = new BufferedOutputStream(new FileOutputStream(file, false))) {
            for (String u : urls) {
                out.write(u.getBytes("UTF-8"));
                out.write('\n');
            }
        }
    }

    /** Deletes the largest episodes first until the folder is small enough. */
    static long shrink(File folder, long allowed) {
        List<File> episodes = Arrays.asList(folder.listFiles());
        Collections.sort(episodes, Comparator.comparingLong(File::length).reversed());
        long sum = episodes.stream().mapToLong(File::length).sum();
        for (File episode : episodes) {
            if (sum <= allowed) break;
            long size = episode.length();
            if (episode.delete()) sum -= size;
        }
        return sum;
    }

    static BroadcastReceiver airplaneWatcher(final Runnable landed) {
        return new BroadcastReceiver() {
            @Override
            public void onReceive(Context c, Intent i) {
                boolean flying = i.getBooleanExtra("state", true);
                if (!flying && !isInitialStickyBroadcast()) landed.run();
            }
        };
    }
}
