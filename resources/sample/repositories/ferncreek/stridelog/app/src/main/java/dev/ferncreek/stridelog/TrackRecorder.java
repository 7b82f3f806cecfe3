package dev.ferncreek.stridelog;

import com.google.android.gms.location.Geofence;
import com.google.android.gms.location.GeofencingRequest;
import com.google.android.gms.location.LocationServices;

import android.annotation.SuppressLint;
import android.app.AlarmManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.location.Criteria;
import android.location.GpsSatellite;
import android.location.GpsStatus;
import android.location.Location;
import android.location.LocationListener;
import android.location.LocationManager;
import android.os.Bundle;
import android.os.HandlerThread;
import android.os.SystemClock;
import android.util.Log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** Records a run: listens to the receiver, throws bad points away and keeps the rest. */
@SuppressLint("MissingPermission")
public class TrackRecorder implements LocationListener, GpsStatus.Listener {

    private static final String TAG = "TrackRecorder";
    private static final float WORST_ACCURACY = 35f;
    private static final long MIN_GAP_MS = 900;

    /** What the recorder tells the screen. */
    public interface Observer {
        void onPoint(Location point, double totalMetres);

        /** Tells how good the sky view is; most screens do not care beyond the log. */
        default void onSky(int used, int visible) {
            if (used < 4 && visible > 0) {
                Log.i(TAG, String.format(Locale.US, "weak sky: %d/%d", used, visible));
            }
        }
    }

    private enum Verdict {
        KEEP, TOO_SOON, TOO_VAGUE, JUMPED;

        /** Whether the rejected point should still count towards the lost signal alarm. */
        boolean countsAsContact() {
            return this != TOO_VAGUE && this != JUMPED;
        }
    }

    private final LocationManager manager;
    private final Observer observer;
    private final Deque<Location> recent = new ArrayDeque<>();
    private final List<Location> track = new ArrayList<>();
    private HandlerThread worker;
    private GpsStatus skyStatus;
    private double metres;
    private long lastContact;

    public TrackRecorder(Context context, Observer observer) {
        this.manager = (LocationManager) context.getSystemService(Context.LOCATION_SERVICE);
        this.observer = observer;
    }

    /** Digs the most precise remembered fix out of all enabled sources, so the map can open somewhere sensible. */
    static Location bestGuessFix(Context context, long maxAgeMs) {
        LocationManager sources = (LocationManager) context.getSystemService(Context.LOCATION_SERVICE);
        long oldest = System.currentTimeMillis() - maxAgeMs;
        Location winner = null;
        for (String source : sources.getProviders(true)) {
            Location candidate = sources.getLastKnownLocation(source);
            boolean fresh = candidate != null && candidate.getTime() >= oldest;
            if (fresh && (winner == null || candidate.getAccuracy() < winner.getAccuracy())) {
                winner = candidate;
            }
        }
        return winner;
    }

    /** Draws a ring round the front door; crossing it on the way back closes the track by itself. */
    static void closeAtDoor(Context context, Location door, Class<?> closer) {
        Geofence ring = new Geofence.Builder()
                .setRequestId("door")
                .setCircularRegion(door.getLatitude(), door.getLongitude(), 60f)
                .setTransitionTypes(Geofence.GEOFENCE_TRANSITION_ENTER | Geofence.GEOFENCE_TRANSITION_DWELL)
                .setLoiteringDelay(30000)
                .setExpirationDuration(AlarmManager.INTERVAL_HALF_DAY)
                .build();
        GeofencingRequest order = new GeofencingRequest.Builder().addGeofence(ring).build();
        PendingIntent close = PendingIntent.getService(context, 5, new Intent(context, closer), PendingIntent.FLAG_UPDATE_CURRENT);
        LocationServices.getGeofencingClient(context).addGeofences(order, close);
    }

    /** Starts to request location updates on a background looper. */
    public void begin() {
        worker = new HandlerThread("track");
        worker.start();
        Criteria wanted = new Criteria();
        wanted.setAccuracy(Criteria.ACCURACY_FINE);
        wanted.setPowerRequirement(Criteria.POWER_HIGH);
        wanted.setAltitudeRequired(true);
        manager.requestLocationUpdates(1000L, 2f, wanted, this, worker.getLooper());
        manager.addGpsStatusListener(this);
        lastContact = SystemClock.elapsedRealtime();
    }

    /** Lets go of the receiver and of the worker thread. */
    public void end() {
        manager.removeUpdates(this);
        manager.removeGpsStatusListener(this);
        if (worker != null && !worker.quitSafely()) {
            Log.w(TAG, "worker had already died");
        }
        worker = null;
    }

    @Override
    public void onLocationChanged(Location fix) {
        Verdict verdict = judge(fix);
        if (verdict.countsAsContact()) {
            lastContact = SystemClock.elapsedRealtime();
        }
        if (verdict != Verdict.KEEP) {
            Log.v(TAG, verdict + " " + fix);
            return;
        }
        synchronized (track) {
            if (!track.isEmpty()) {
                metres += track.get(track.size() - 1).distanceTo(fix);
            }
            track.add(fix);
        }
        recent.addLast(fix);
        while (recent.size() > 12) {
            recent.removeFirst();
        }
        observer.onPoint(fix, metres);
    }

    /** Decides whether a fix is believable, given the one before. */
    private Verdict judge(Location fix) {
        if (fix.hasAccuracy() && fix.getAccuracy() > WORST_ACCURACY) {
            return Verdict.TOO_VAGUE;
        }
        Location before = recent.peekLast();
        if (before == null) {
            return Verdict.KEEP;
        }
        long gap = (fix.getElapsedRealtimeNanos() - before.getElapsedRealtimeNanos()) / 1000000L;
        if (gap < MIN_GAP_MS) {
            return Verdict.TOO_SOON;
        }
        double speed = before.distanceTo(fix) * 1000.0 / gap;
        return speed > 12.5 ? Verdict.JUMPED : Verdict.KEEP;
    }

    @Override
    public void onStatusChanged(String provider, int status, Bundle extras) {
        String word;
        switch (status) {
            case android.location.LocationProvider.AVAILABLE:
                word = "back";
                break;
            case android.location.LocationProvider.TEMPORARILY_UNAVAILABLE:
                word = "hidden";
                break;
            default:
                word = "gone";
        }
        Log.d(TAG, provider + " is " + word + ", satellites " + (extras == null ? -1 : extras.getInt("satellites", -1)));
    }

    @Override
    public void onProviderEnabled(String provider) {
        recent.clear();
        lastContact = SystemClock.elapsedRealtime();
    }

    @Override
    public void onProviderDisabled(String provider) {
        if (LocationManager.GPS_PROVIDER.equals(provider) && manager.isProviderEnabled(LocationManager.NETWORK_PROVIDER)) {
            manager.requestLocationUpdates(LocationManager.NETWORK_PROVIDER, 5000L, 20f, this);
        }
    }

    @Override
    public void onGpsStatusChanged(int event) {
        if (event != GpsStatus.GPS_EVENT_SATELLITE_STATUS) {
            return;
        }
        skyStatus = manager.getGpsStatus(skyStatus);
        int used = 0;
        int visible = 0;
        for (GpsSatellite satellite : skyStatus.getSatellites()) {
            visible++;
            used += satellite.usedInFix() ? 1 : 0;
        }
        observer.onSky(used, visible);
    }

    /** Speed over the last few points in metres per second, calmer than what the chip reports. */
    public float smoothSpeed() {
        if (recent.size() < 2) {
            return 0f;
        }
        Iterator<Location> points = recent.iterator();
        Location previous = points.next();
        float way = 0f;
        while (points.hasNext()) {
            Location point = points.next();
            way += previous.distanceTo(point);
            previous = point;
        }
        return way * 1000f / Math.max(1L, previous.getTime() - recent.getFirst().getTime());
    }

    /** Sums what was climbed, ignoring wobbles under three metres. */
    public double climbed() {
        double sum = 0;
        double anchor = Double.NaN;
        synchronized (track) {
            for (Location point : track) {
                if (!point.hasAltitude()) continue;
                double height = point.getAltitude();
                if (Double.isNaN(anchor)) {
                    anchor = height;
                } else if (Math.abs(height - anchor) >= 3.0) {
                    sum += Math.max(0, height - anchor);
                    anchor = height;
                }
            }
        }
        return sum;
    }

    /** True when the last known contact with the satellites is long ago. */
    public boolean signalLost(long patienceMs) {
        return worker != null && SystemClock.elapsedRealtime() - lastContact > patienceMs;
    }

    /** Cuts the finished track into laps of equal length and returns the seconds each lap took. */
    public long[] lapSeconds(double lapMetres) {
        List<Long> laps = new ArrayList<>();
        double inLap = 0;
        long lapStart = -1;
        synchronized (track) {
            for (int i = 1; i < track.size(); i++) {
                Location a = track.get(i - 1);
                Location b = track.get(i);
                if (lapStart < 0) lapStart = a.getTime();
                double leg = a.distanceTo(b);
                while (inLap + leg >= lapMetres && leg > 0) {
                    double share = (lapMetres - inLap) / leg;
                    long at = a.getTime() + Math.round(share * (b.getTime() - a.getTime()));
                    laps.add((at - lapStart) / 1000);
                    lapStart = at;
                    leg -= lapMetres - inLap;
                    inLap = 0;
                }
                inLap += leg;
            }
        }
        long[] out = new long[laps.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = laps.get(i);
        }
        return out;
    }
}
