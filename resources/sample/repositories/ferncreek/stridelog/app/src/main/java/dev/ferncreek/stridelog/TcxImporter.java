package dev.ferncreek.stridelog;

import android.content.ContentResolver;
import android.net.Uri;
import android.util.Xml;

import org.xmlpull.v1.XmlPullParser;
import org.xmlpull.v1.XmlPullParserException;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;

/** Imports training files of other watches. */
public class TcxImporter {

    /** One lap as the file describes it. */
    static class Lap {
        long startMillis;
        double seconds;
        double metres;
        int calories;
        int maxPulse;
        final List<double[]> points = new ArrayList<>();

        /** Average pulse of the points that have one. */
        int averagePulse() {
            double sum = 0;
            int n = 0;
            for (double[] p : points) {
                if (p[4] > 0) {
                    sum += p[4];
                    n++;
                }
            }
            return n == 0 ? 0 : (int) Math.round(sum / n);
        }
    }

    private final List<String> complaints = new ArrayList<>();
    private final SimpleDateFormat zulu = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss", Locale.US);

    public TcxImporter() {
        zulu.setTimeZone(TimeZone.getTimeZone("UTC"));
    }

    /** Opens a picked document and imports it. */
    public List<Lap> open(ContentResolver resolver, Uri document) throws IOException {
        try (InputStream raw = resolver.openInputStream(document);
             InputStream buffered = new BufferedInputStream(raw, 1 << 14)) {
            return read(buffered);
        } catch (XmlPullParserException broken) {
            throw new IOException("not a training file: " + document.getLastPathSegment(), broken);
        }
    }

    /** Reads all laps with their points (latitude, longitude, altitude, time, pulse, cadence). */
    List<Lap> read(InputStream in) throws XmlPullParserException, IOException {
        XmlPullParser xml = Xml.newPullParser();
        xml.setFeature(XmlPullParser.FEATURE_PROCESS_NAMESPACES, false);
        xml.setInput(in, null);
        List<Lap> laps = new ArrayList<>();
        Lap lap = null;
        double[] point = null;
        String holder = "";
        boolean inPosition = false;
        String value = "";
        for (int event = xml.getEventType(); event != XmlPullParser.END_DOCUMENT; event = xml.next()) {
            if (event == XmlPullParser.TEXT) {
                value = xml.getText().trim();
                continue;
            }
            String tag = xml.getName();
            if (event == XmlPullParser.START_TAG) {
                value = "";
                switch (tag) {
                    case "Lap":
                        lap = new Lap();
                        lap.startMillis = instant(xml.getAttributeValue(null, "StartTime"));
                        break;
                    case "Trackpoint":
                        point = new double[]{Double.NaN, Double.NaN, Double.NaN, -1, 0, 0};
                        break;
                    case "Position":
                        inPosition = true;
                        break;
                    case "HeartRateBpm":
                    case "MaximumHeartRateBpm":
                    case "AverageHeartRateBpm":
                        holder = tag;
                        break;
                    case "Creator":
                    case "Author":
                        skip(xml);
                        break;
                    default:
                        break;
                }
                continue;
            }
            if (event != XmlPullParser.END_TAG || lap == null) {
                continue;
            }
            if ("Lap".equals(tag)) {
                if (lap.points.isEmpty() && lap.metres <= 0) {
                    complaints.add("empty lap at line " + xml.getLineNumber());
                } else {
                    laps.add(lap);
                }
                lap = null;
                continue;
            }
            if ("Trackpoint".equals(tag)) {
                boolean placed = !Double.isNaN(point[0]) && !Double.isNaN(point[1]);
                if (point[3] < 0) {
                    complaints.add("point without time at line " + xml.getLineNumber());
                } else if (placed || point[4] > 0) {
                    lap.points.add(point);
                }
                point = null;
                continue;
            }
            if ("Position".equals(tag)) {
                inPosition = false;
            } else if (inPosition && point != null) {
                int slot = "LatitudeDegrees".equals(tag) ? 0 : 1;
                point[slot] = number(value, slot == 0 ? 90 : 180);
            } else if (point != null) {
                if ("Time".equals(tag)) {
                    point[3] = instant(value);
                } else if ("AltitudeMeters".equals(tag)) {
                    point[2] = number(value, 9000);
                } else if ("Value".equals(tag) && "HeartRateBpm".equals(holder)) {
                    point[4] = number(value, 250);
                } else if ("Cadence".equals(tag) || "RunCadence".equals(tag) || tag.endsWith(":RunCadence")) {
                    point[5] = number(value, 254);
                }
            } else if ("TotalTimeSeconds".equals(tag)) {
                lap.seconds = number(value, 1e6);
            } else if ("DistanceMeters".equals(tag)) {
                lap.metres = number(value, 1e6);
            } else if ("Calories".equals(tag)) {
                double burnt = number(value, 20000);
                lap.calories = Double.isNaN(burnt) ? 0 : (int) burnt;
            } else if ("Value".equals(tag) && "MaximumHeartRateBpm".equals(holder)) {
                lap.maxPulse = (int) number(value, 250);
            }
            if (tag.endsWith("HeartRateBpm")) {
                holder = "";
            }
            value = "";
        }
        if (lap != null) {
            complaints.add("the file is cut off");
            laps.add(lap);
        }
        return laps;
    }

    /** Jumps over an element with all that is in it. */
    private static void skip(XmlPullParser xml) throws XmlPullParserException, IOException {
        int depth = 1;
        do {
            int event = xml.next();
            depth += event == XmlPullParser.START_TAG ? 1 : event == XmlPullParser.END_TAG ? -1 : 0;
        } while (depth > 0);
    }

    private double number(String text, double limit) {
        try {
            double d = Double.parseDouble(text);
            if (Math.abs(d) <= limit) {
                return d;
            }
            complaints.add("out of range: " + text);
        } catch (NumberFormatException e) {
            complaints.add("not a number: " + text);
        }
        return Double.NaN;
    }

    private long instant(String text) {
        if (text == null || text.length() < 19) {
            return -1;
        }
        try {
            long base = zulu.parse(text.substring(0, 19)).getTime();
            int sign = text.lastIndexOf('+') > 18 ? text.lastIndexOf('+') : text.lastIndexOf('-') > 18 ? text.lastIndexOf('-') : -1;
            if (sign < 0) {
                return base;
            }
            int hours = Integer.parseInt(text.substring(sign + 1, sign + 3));
            return base - (text.charAt(sign) == '+' ? hours : -hours) * 3600000L;
        } catch (ParseException | NumberFormatException e) {
            complaints.add("odd time: " + text);
            return -1;
        }
    }
}
