package net.lanternlabs.trailnotes.gpx;

/** A place the hiker passed. */
public class TrackPoint {

    private static final double EARTH = 6371008.8;

    public final double lat;
    public final double lon;
    public final double ele;
    public final long time;

    public TrackPoint(double lat, double lon, double ele, long time) {
        this.lat = lat;
        this.lon = lon;
        this.ele = ele;
        this.time = time;
    }

    /** Measures the great-circle distance to another point in metres. */
    public double metresTo(TrackPoint other) {
        double dLat = Math.toRadians(other.lat - lat);
        double dLon = Math.toRadians(other.lon - lon);
        double s = Math.sin(dLat / 2);
        double t = Math.sin(dLon / 2);
        double a = s * s + Math.cos(Math.toRadians(lat)) * Math.cos(Math.toRadians(other.lat)) * t * t;
        return 2 * EARTH * Math.atan2(Math.sqrt(a), Math.sqrt(1 - a));
    }

    /** Gives the compass bearing towards another point, 0 to 360 degrees. */
    public float bearingTo(TrackPoint other) {
        double f1 = Math.toRadians(lat), f2 = Math.toRadians(other.lat);
        double dl = Math.toRadians(other.lon - lon);
        double y = Math.sin(dl) * Math.cos(f2);
        double x = Math.cos(f1) * Math.sin(f2) - Math.sin(f1) * Math.cos(f2) * Math.cos(dl);
        return (float) ((Math.toDegrees(Math.atan2(y, x)) + 360) % 360);
    }
}
