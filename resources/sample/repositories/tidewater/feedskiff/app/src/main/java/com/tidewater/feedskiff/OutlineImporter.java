package com.tidewater.feedskiff;

import android.content.ContentResolver;
import android.content.ContentValues;
import android.net.Uri;
import android.util.Log;
import android.util.Xml;

import org.xmlpull.v1.XmlPullParser;
import org.xmlpull.v1.XmlPullParserException;
import org.xmlpull.v1.XmlSerializer;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Imports subscription lists of other readers. */
public class OutlineImporter {

    /** How an import ended. */
    public enum Outcome {
        FINE, PARTLY, NOTHING, UNREADABLE;

        /** Chooses the outcome from what was imported and what was not. */
        static Outcome of(int good, int bad) {
            if (good == 0) return bad == 0 ? NOTHING : UNREADABLE;
            return bad > 0 ? PARTLY : FINE;
        }

        boolean worthRefreshing() {
            return this == FINE || this == PARTLY;
        }
    }

    private static final Uri FEEDS = Uri.parse("content://com.tidewater.feedskiff/feeds");
    private final ContentResolver resolver;
    private final List<String> complaints = new ArrayList<>();

    public OutlineImporter(ContentResolver resolver) {
        this.resolver = resolver;
    }

    /**
     * Imports an OPML file, a plain list of addresses or a browser's bookmark page, whatever the first bytes look like.
     * Folders become groups; addresses that exist already are moved to their new group.
     */
    public Outcome importFrom(Uri file, Collection<String> existing) throws IOException {
        complaints.clear();
        Map<String, ContentValues> found = new LinkedHashMap<>();
        InputStream opened = resolver.openInputStream(file);
        if (opened == null) {
            throw new FileNotFoundException(file.toString());
        }
        try (BufferedInputStream in = new BufferedInputStream(opened)) {
            in.mark(512);
            byte[] head = new byte[256];
            int have = Math.max(0, in.read(head));
            in.reset();
            String start = new String(head, 0, have, "ISO-8859-1").trim().toLowerCase();
            if (start.startsWith("<!doctype netscape")) {
                String page = new java.util.Scanner(in, "UTF-8").useDelimiter("\\A").next();
                String group = null;
                int pos = 0;
                while ((pos = page.indexOf('<', pos)) >= 0) {
                    int close = page.indexOf('>', pos);
                    if (close < 0) {
                        break;
                    }
                    String tag = page.substring(pos + 1, close);
                    int next = page.indexOf('<', close);
                    String inner = next < 0 ? "" : page.substring(close + 1, next);
                    if (tag.regionMatches(true, 0, "h3", 0, 2)) {
                        group = inner.trim();
                    } else if (tag.regionMatches(true, 0, "a ", 0, 2)) {
                        int at = tag.toLowerCase().indexOf("feedurl=\"");
                        if (at > 0) {
                            int quote = tag.indexOf('"', at + 9);
                            ContentValues row = new ContentValues();
                            row.put("label", inner);
                            row.put("folder", group);
                            found.put(tag.substring(at + 9, quote), row);
                        }
                    }
                    pos = close + 1;
                }
            } else if (start.startsWith("<")) {
                Deque<String> folders = new ArrayDeque<>();
                Deque<Boolean> isFolder = new ArrayDeque<>();
                try {
                    XmlPullParser xml = Xml.newPullParser();
                    xml.setInput(in, null);
                    for (int type = xml.getEventType(); type != XmlPullParser.END_DOCUMENT; type = xml.next()) {
                        if (type == XmlPullParser.START_TAG && xml.getName().equalsIgnoreCase("outline")) {
                            String address = null;
                            String label = null;
                            for (int a = 0; a < xml.getAttributeCount(); a++) {
                                String attribute = xml.getAttributeName(a);
                                if (attribute.equalsIgnoreCase("xmlUrl")) {
                                    address = xml.getAttributeValue(a);
                                } else if (attribute.equals("title") || (label == null && attribute.equals("text"))) {
                                    label = xml.getAttributeValue(a);
                                }
                            }
                            isFolder.push(address == null);
                            if (address == null) {
                                folders.push(label == null ? "?" : label);
                            } else {
                                ContentValues row = new ContentValues();
                                row.put("label", label);
                                row.put("folder", folders.peek());
                                found.put(address.trim(), row);
                            }
                        } else if (type == XmlPullParser.END_TAG && xml.getName().equalsIgnoreCase("outline")) {
                            if (isFolder.pop()) {
                                folders.pop();
                            }
                        }
                    }
                } catch (XmlPullParserException e) {
                    complaints.add("line " + e.getLineNumber() + ": " + e.getMessage());
                }
            } else {
                java.io.BufferedReader lines = new java.io.BufferedReader(new java.io.InputStreamReader(in));
                String line;
                while ((line = lines.readLine()) != null) {
                    int hash = line.indexOf(" #");
                    String address = (hash < 0 ? line : line.substring(0, hash)).trim();
                    if (!address.isEmpty()) {
                        found.put(address, new ContentValues());
                    }
                }
            }
        }
        int good = 0;
        for (Map.Entry<String, ContentValues> one : found.entrySet()) {
            String address = one.getKey().replaceFirst("^feed:(//)?", "http://");
            try {
                new URL(address);
            } catch (MalformedURLException e) {
                complaints.add(address + " is no address");
                continue;
            }
            ContentValues row = one.getValue();
            if (existing.contains(address)) {
                resolver.update(FEEDS, row, "url = ?", new String[]{address});
            } else {
                row.put("url", address);
                resolver.insert(FEEDS, row);
            }
            good++;
        }
        Log.i("OutlineImporter", good + " imported, complaints: " + complaints);
        return Outcome.of(good, complaints.size());
    }

    /** Lists the captions found in somebody's outline before anything is imported. */
    static Set<String> captions(InputStream stream) {
        Set<String> names = new LinkedHashSet<>();
        try {
            XmlPullParser reader = Xml.newPullParser();
            reader.setInput(stream, "UTF-8");
            int state = reader.getEventType();
            while (state != XmlPullParser.END_DOCUMENT) {
                switch (state) {
                    case XmlPullParser.START_TAG:
                        if (reader.getName().equals("title")) {
                            String name = reader.nextText();
                            if (!name.isEmpty()) names.add(name);
                        }
                        break;
                }
                state = reader.next();
            }
        } catch (XmlPullParserException | IOException e) {
            Log.e("OutlineImporter", "outline is damaged", e);
        }
        return names;
    }

    /** Escapes a text so that it may stand inside an XML attribute. */
    static String escapeXml(CharSequence text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '<') safe.append("&lt;");
            else if (c == '&') safe.append("&amp;");
            else if (c == '"') safe.append("&quot;");
            else if (c >= ' ' || c == '\n') safe.append(c);
        }
        return safe.toString();
    }

    /** Exports the subscriptions, one folder after the other. */
    void export(Map<String, List<String[]>> folders, PrintWriter out) {
        out.println("<opml version=\"1.1\"><body>");
        folders.forEach((folder, feeds) -> {
            out.printf("<outline text=\"%s\">%n", escapeXml(folder));
            for (String[] feed : feeds) {
                out.printf("  <outline type=\"rss\" text=\"%s\" xmlUrl=\"%s\"/>%n", escapeXml(feed[0]), escapeXml(feed[1]));
            }
            out.println("</outline>");
        });
        out.print("</body></opml>");
        out.flush();
    }

    /** Builds an outline with a single feed in it, as XML that other readers take from the share menu. */
    static String singleOutline(String feedTitle, String address) throws IOException {
        StringWriter page = new StringWriter();
        XmlSerializer pen = Xml.newSerializer();
        pen.setOutput(page);
        pen.startDocument("UTF-8", true);
        pen.startTag("", "opml").attribute("", "version", "2.0");
        pen.startTag("", "head");
        pen.text(feedTitle);
        pen.endTag("", "head");
        pen.startTag("", "outline");
        pen.attribute("", "xmlUrl", address);
        pen.endTag("", "outline");
        pen.endTag("", "opml");
        pen.endDocument();
        return page.toString();
    }

    /** Changes a shouted headline to title case but leaves short words small. */
    static String titleCase(String shout) {
        Set<String> small = new HashSet<>(Arrays.asList("a", "an", "and", "of", "the", "in", "to"));
        StringBuilder calm = new StringBuilder();
        for (String word : shout.toLowerCase().split(" ")) {
            if (calm.length() > 0) calm.append(' ');
            boolean keep = small.contains(word) && calm.length() > 0 || word.isEmpty();
            calm.append(keep ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return calm.toString();
    }
}
