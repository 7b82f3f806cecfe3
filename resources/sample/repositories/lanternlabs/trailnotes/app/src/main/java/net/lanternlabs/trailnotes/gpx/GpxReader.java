package net.lanternlabs.trailnotes.gpx;

import android.content.ContentResolver;
import android.net.Uri;
import android.support.annotation.NonNull;
import android.util.Xml;

import org.xmlpull.v1.XmlPullParser;
import org.xmlpull.v1.XmlPullParserException;
import org.xmlpull.v1.XmlSerializer;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.text.DateFormat;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.zip.GZIPInputStream;

/** Reads and writes the GPS exchange format. */
public class GpxReader {

    /** What one file contained. */
    public static class Result {
        public final List<TrackPoint> track = new ArrayList<>();
        public final List<Waypoint> waypoints = new ArrayList<>();
        public final List<String> warnings = new ArrayList<>();
        public String name;
        public int segments;

        /** Adds up the climb, ignoring wiggles lower than the threshold. */
        public double climb(double threshold) {
            double sum = 0;
            double reference = Double.NaN;
            for (TrackPoint p : track) {
                if (Double.isNaN(p.ele)) {
                    continue;
                }
                if (Double.isNaN(reference)) {
                    reference = p.ele;
                } else if (p.ele - reference > threshold) {
                    sum += p.ele - reference;
                    reference = p.ele;
                } else if (reference - p.ele > threshold) {
                    reference = p.ele;
                }
            }
            return sum;
        }

        /** Length of the walk in metres. */
        public double length() {
            double metres = 0;
            TrackPoint last = null;
            for (TrackPoint p : track) {
                metres += last == null ? 0 : last.metresTo(p);
                last = p;
            }
            return metres;
        }
    }

    public static class Waypoint {
        public final TrackPoint where;
        public final String label;
        public final String symbol;

        Waypoint(TrackPoint where, String label, String symbol) {
            this.where = where;
            this.label = label;
            this.symbol = symbol;
        }
    }

    private final DateFormat mStamp = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss'Z'", Locale.US);
    private final Deque<String> mPath = new ArrayDeque<>();

    public GpxReader() {
        mStamp.setTimeZone(TimeZone.getTimeZone("UTC"));
    }

    /** Opens a document the user picked, unpacking it where it is zipped. */
    public Result read(@NonNull ContentResolver resolver, @NonNull Uri uri) throws IOException {
        InputStream raw = resolver.openInputStream(uri);
        if (raw == null) {
            throw new FileNotFoundException(uri.toString());
        }
        BufferedInputStream in = new BufferedInputStream(raw, 1 << 14);
        in.mark(2);
        boolean zipped = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        try (InputStream plain = zipped ? new GZIPInputStream(in) : in) {
            return parse(plain);
        } catch (XmlPullParserException e) {
            throw new IOException("not a GPX file at line " + e.getLineNumber(), e);
        }
    }

    /** Goes through the document tag by tag and collects points, places and complaints. */
    Result parse(InputStream in) throws XmlPullParserException, IOException {
        XmlPullParser xml = Xml.newPullParser();
        xml.setFeature(XmlPullParser.FEATURE_PROCESS_NAMESPACES, true);
        xml.setInput(in, null);
        Result result = new Result();
        mPath.clear();

        double lat = Double.NaN;
        double lon = Double.NaN;
        double ele = Double.NaN;
        long time = 0;
        String label = null;
        String symbol = null;
        StringBuilder text = new StringBuilder();

        for (int event = xml.getEventType(); event != XmlPullParser.END_DOCUMENT; event = xml.next()) {
            switch (event) {
                case XmlPullParser.START_TAG: {
                    String tag = xml.getName();
                    if (mPath.isEmpty() && !"gpx".equals(tag)) {
                        throw new XmlPullParserException("root is <" + tag + ">", xml, null);
                    }
                    if ("extensions".equals(tag)) {
                        int depth = 1;
                        while (depth > 0) {
                            int inner = xml.next();
                            if (inner == XmlPullParser.START_TAG) {
                                depth++;
                            } else if (inner == XmlPullParser.END_TAG) {
                                depth--;
                            }
                        }
                        break;
                    }
                    mPath.push(tag);
                    text.setLength(0);
                    if ("trkpt".equals(tag) || "wpt".equals(tag) || "rtept".equals(tag)) {
                        ele = Double.NaN;
                        time = 0;
                        label = symbol = null;
                        try {
                            lat = Double.parseDouble(xml.getAttributeValue(null, "lat"));
                            lon = Double.parseDouble(xml.getAttributeValue(null, "lon"));
                        } catch (NumberFormatException | NullPointerException e) {
                            lat = lon = Double.NaN;
                            result.warnings.add("line " + xml.getLineNumber() + ": point without a place");
                        }
                    } else if ("trkseg".equals(tag)) {
                        result.segments++;
                    }
                    break;
                }
                case XmlPullParser.TEXT:
                    if (!xml.isWhitespace()) {
                        text.append(xml.getText());
                    }
                    break;
                case XmlPullParser.END_TAG: {
                    String tag = mPath.pop();
                    String parent = mPath.isEmpty() ? "" : mPath.peek();
                    String value = text.toString().trim();
                    text.setLength(0);
                    if ("ele".equals(tag)) {
                        try {
                            ele = Double.parseDouble(value.replace(',', '.'));
                        } catch (NumberFormatException e) {
                            result.warnings.add("odd elevation " + value);
                        }
                    } else if ("time".equals(tag)) {
                        if (!"metadata".equals(parent)) {
                            time = instant(value, result.warnings);
                        }
                    } else if ("name".equals(tag)) {
                        if ("wpt".equals(parent)) {
                            label = value;
                        } else if (result.name == null && ("trk".equals(parent) || "metadata".equals(parent))) {
                            result.name = value;
                        }
                    } else if ("sym".equals(tag)) {
                        symbol = value;
                    } else if (!Double.isNaN(lat) && Math.abs(lat) <= 90 && Math.abs(lon) <= 180) {
                        TrackPoint here = new TrackPoint(lat, lon, ele, time);
                        if ("trkpt".equals(tag) || "rtept".equals(tag)) {
                            int size = result.track.size();
                            if (size == 0 || result.track.get(size - 1).metresTo(here) > 0.5) {
                                result.track.add(here);
                            }
                        } else if ("wpt".equals(tag)) {
                            result.waypoints.add(new Waypoint(here, label == null ? "?" : label, symbol));
                        }
                    }
                    break;
                }
                default:
                    break;
            }
        }
        if (!mPath.isEmpty()) {
            result.warnings.add("file ends inside <" + mPath.peek() + ">");
        }
        return result;
    }

    private long instant(String value, List<String> warnings) {
        int dot = value.indexOf('.');
        String whole = dot < 0 ? value : value.substring(0, dot) + "Z";
        try {
            return mStamp.parse(whole).getTime();
        } catch (ParseException e) {
            warnings.add("odd time " + value);
            return 0;
        }
    }

    /** Writes a track out so that other programs can open it. */
    public void write(OutputStream out, String name, List<TrackPoint> track) throws IOException {
        XmlSerializer xml = Xml.newSerializer();
        xml.setOutput(out, "UTF-8");
        xml.startDocument("UTF-8", true);
        xml.startTag("", "gpx").attribute("", "version", "1.1").attribute("", "creator", "TrailNotes");
        xml.startTag("", "trk");
        xml.startTag("", "name").text(name).endTag("", "name");
        xml.startTag("", "trkseg");
        for (TrackPoint p : track) {
            xml.startTag("", "trkpt");
            xml.attribute("", "lat", String.format(Locale.US, "%.6f", p.lat));
            xml.attribute("", "lon", String.format(Locale.US, "%.6f", p.lon));
            if (p.time > 0) {
                xml.startTag("", "time").text(mStamp.format(new Date(p.time))).endTag("", "time");
            }
            xml.endTag("", "trkpt");
        }
        xml.endTag("", "trkseg").endTag("", "trk").endTag("", "gpx");
        xml.endDocument();
    }

    /** Drops points that lie almost on the straight line between their neighbours. */
    public static List<TrackPoint> simplify(List<TrackPoint> track, double tolerance) {
        if (track.size() < 3) return track;
        boolean[] keep = new boolean[track.size()];
        keep[0] = keep[keep.length - 1] = true;
        Deque<int[]> todo = new ArrayDeque<>();
        todo.push(new int[]{0, keep.length - 1});
        while (!todo.isEmpty()) {
            int[] span = todo.pop();
            int worst = -1;
            double off = tolerance;
            TrackPoint a = track.get(span[0]), b = track.get(span[1]);
            for (int i = span[0] + 1; i < span[1]; i++) {
                TrackPoint p = track.get(i);
                double detour = a.metresTo(p) + p.metresTo(b) - a.metresTo(b);
                if (detour > off) {
                    off = detour;
                    worst = i;
                }
            }
            if (worst > 0) {
                keep[worst] = true;
                todo.push(new int[]{span[0], worst});
                todo.push(new int[]{worst, span[1]});
            }
        }
        List<TrackPoint> kept = new ArrayList<>();
        for (int i = 0; i < keep.length; i++) {
            if (keep[i]) kept.add(track.get(i));
        }
        return kept;
    }

    /** Spells a time span for people, such as "2 h 05 min". */
    public static String spanText(long millis) {
        long minutes = Math.abs(millis) / 60000;
        if (minutes == 0) {
            return "less than a minute";
        }
        long days = minutes / 1440;
        StringBuilder text = new StringBuilder(millis < 0 ? "-" : "");
        if (days > 0) {
            text.append(days).append(days == 1 ? " day " : " days ");
        }
        long hours = minutes % 1440 / 60;
        if (hours > 0) {
            text.append(hours).append(" h ");
        }
        if (minutes % 60 > 0 && days == 0) {
            text.append(String.format(Locale.US, hours > 0 ? "%02d" : "%d", minutes % 60)).append(" min");
        }
        return text.toString().trim();
    }
}
