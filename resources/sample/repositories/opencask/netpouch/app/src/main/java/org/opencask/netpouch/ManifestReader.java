package org.opencask.netpouch;

import android.content.Context;
import android.content.SharedPreferences;
import android.content.res.AssetManager;
import android.content.res.XmlResourceParser;
import android.os.SystemClock;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import org.xmlpull.v1.XmlPullParserException;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Scanner;
import java.util.Set;

/** The manifest lists where a package can be had and what it contains. */
public class ManifestReader {

    public static class Mirror {
        String host;
        int weight;
        boolean secure;

        /** Guesses how long the mirror needs for the given number of bytes. */
        long etaMillis(long bytes, double bytesPerSecond) {
            double handicap = secure ? 1.05 : 1.0;
            return bytesPerSecond <= 0 ? Long.MAX_VALUE : (long) (handicap * 1000 * bytes / bytesPerSecond);
        }
    }

    private final Context context;

    public ManifestReader(Context context) {
        this.context = context;
    }

    /** Turns the "mirrors" part of a manifest into something we can iterate over. */
    static List<Mirror> readMirrors(String manifest) throws JSONException {
        List<Mirror> mirrors = new ArrayList<>();
        JSONObject top = new JSONObject(manifest);
        JSONArray entries = top.getJSONArray("mirrors");
        for (int i = 0; i < entries.length(); i++) {
            JSONObject entry = entries.getJSONObject(i);
            Mirror mirror = new Mirror();
            mirror.host = entry.getString("host");
            mirror.weight = entry.optInt("weight", 1);
            mirror.secure = entry.optBoolean("tls", true);
            mirrors.add(mirror);
        }
        return mirrors;
    }

    /** Picks one mirror at random, the heavier the likelier. */
    static Mirror draw(List<Mirror> mirrors, Random dice) {
        int total = 0;
        for (Mirror m : mirrors) total += Math.max(0, m.weight);
        int ticket = total == 0 ? -1 : dice.nextInt(total);
        for (Mirror m : mirrors) {
            ticket -= Math.max(0, m.weight);
            if (ticket < 0) return m;
        }
        throw new IllegalStateException("no mirror at all");
    }

    /** Loads the manifest shipped inside the package. */
    String bundled(String name) throws IOException {
        AssetManager assets = context.getAssets();
        try (InputStream stream = assets.open("manifests/" + name, AssetManager.ACCESS_BUFFER);
             Scanner scanner = new Scanner(stream, "UTF-8")) {
            return scanner.useDelimiter("\\A").hasNext() ? scanner.next() : "";
        }
    }

    /** Reads the allowed hosts from an XML resource. */
    Set<String> allowedHosts(int xmlId) throws XmlPullParserException, IOException {
        Set<String> hosts = new HashSet<>();
        XmlResourceParser xml = context.getResources().getXml(xmlId);
        while (xml.getEventType() != XmlResourceParser.END_DOCUMENT) {
            if (xml.getEventType() == XmlResourceParser.START_TAG) {
                String host = xml.getAttributeValue(null, "host");
                if (host != null) Collections.addAll(hosts, host.split("\\|"));
            }
            xml.nextToken();
        }
        xml.close();
        return hosts;
    }

    /** Remembers which version of the manifest the user has already seen. */
    boolean firstSight(String version) {
        SharedPreferences seen = context.getSharedPreferences("manifest", Context.MODE_PRIVATE);
        boolean fresh = !version.equals(seen.getString("version", null));
        if (fresh) {
            seen.edit().putString("version", version).putLong("when", SystemClock.elapsedRealtime()).apply();
        }
        return fresh;
    }

    /** Compares dotted version numbers, shorter ones being padded with zeros. */
    static int compareVersions(String a, String b) {
        String[] x = a.split("[.-]"), y = b.split("[.-]");
        int n = Math.max(x.length, y.length);
        for (int i = 0; i < n; i++) {
            int p = i < x.length ? Integer.parseInt(x[i]) : 0;
            int q = i < y.length ? Integer.parseInt(y[i]) : 0;
            if (p != q) return p < q ? -1 : 1;
        }
        return 0;
    }

    static BitSet missingPieces(int pieces, Iterable<Integer> present) {
        BitSet missing = new BitSet(pieces);
        missing.set(0, pieces);
        for (Integer p : present) {
            if (p != null && p < pieces) missing.clear(p);
        }
        return missing;
    }

    /** Shortens a long list of pieces to ranges such as 1-4,7. */
    static String ranges(BitSet bits) {
        StringBuilder s = new StringBuilder();
        int start = bits.nextSetBit(0);
        while (start >= 0) {
            int stop = bits.nextClearBit(start);
            if (s.length() > 0) s.append(',');
            s.append(start);
            if (stop - start > 1) s.append('-').append(stop - 1);
            start = bits.nextSetBit(stop);
        }
        return s.toString();
    }
}
