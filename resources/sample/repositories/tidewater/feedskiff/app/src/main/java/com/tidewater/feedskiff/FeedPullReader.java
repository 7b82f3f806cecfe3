package com.tidewater.feedskiff;

import android.text.Html;
import android.util.Xml;

import org.xmlpull.v1.XmlPullParser;
import org.xmlpull.v1.XmlPullParserException;
import org.xmlpull.v1.XmlSerializer;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Pulls RSS 0.9x, RSS 2 and Atom documents apart. */
public class FeedPullReader {

    /** One article as it came over the wire. */
    public static class Entry {
        String guid, title, link, summary, author;
        long published;
        String enclosureUrl;
        long enclosureLength;
        final List<String> topics = new ArrayList<>();

        /** Builds something stable to recognise the article by, even if the feed has no ids. */
        String fingerprint() {
            if (guid != null && guid.length() > 3) return guid;
            String basis = link == null ? title : link.replaceFirst("[?&]utm_[^#]*", "");
            return basis == null ? Long.toHexString(published) : basis.trim().toLowerCase(Locale.ROOT);
        }
    }

    /** Told about everything that is found on the way. */
    public interface Sink {
        void entry(Entry entry);

        default void channel(String name, String home) {
            System.out.println("channel " + name + " at " + home);
        }
    }

    /**
     * Walks through a feed of any of the three dialects and reports its entries to the sink.
     *
     * @return the number of entries
     */
    public int read(InputStream in, String encoding, Sink sink) throws XmlPullParserException, IOException {
        XmlPullParser xml = Xml.newPullParser();
        xml.setFeature(XmlPullParser.FEATURE_PROCESS_NAMESPACES, true);
        xml.setInput(in, encoding);
        Entry current = null;
        String channelName = null;
        String channelHome = null;
        boolean announced = false;
        boolean atom = false;
        boolean inImage = false;
        int count = 0;
        for (int event = xml.next(); event != XmlPullParser.END_DOCUMENT; event = xml.next()) {
            if (event == XmlPullParser.END_TAG) {
                String done = xml.getName();
                if (("item".equals(done) || "entry".equals(done)) && current != null) {
                    if (!announced) {
                        sink.channel(channelName, channelHome);
                        announced = true;
                    }
                    sink.entry(current);
                    current = null;
                    count++;
                } else if ("image".equals(done)) {
                    inImage = false;
                }
                continue;
            }
            if (event != XmlPullParser.START_TAG) {
                continue;
            }
            String tag = xml.getName();
            String space = xml.getNamespace();
            switch (tag) {
                case "feed":
                    atom = true;
                    break;
                case "image":
                    inImage = current == null;
                    break;
                case "item":
                case "entry":
                    current = new Entry();
                    String about = xml.getAttributeValue("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "about");
                    if (about != null) {
                        current.guid = about;
                    }
                    break;
                case "title":
                    if (space.contains("mrss")) {
                        skipElement(xml);
                    } else if (current != null) {
                        current.title = Html.fromHtml(xml.nextText()).toString().trim();
                    } else if (!inImage) {
                        channelName = xml.nextText().trim();
                    }
                    break;
                case "link":
                    String rel = xml.getAttributeValue(null, "rel");
                    String href = xml.getAttributeValue(null, "href");
                    if (href == null) {
                        href = xml.nextText();
                    } else if (current != null && "enclosure".equals(rel)) {
                        current.enclosureUrl = href;
                        break;
                    }
                    if (rel != null && !rel.equals("alternate")) {
                        break;
                    }
                    if (current != null) {
                        current.link = href.trim();
                    } else if (!inImage) {
                        channelHome = href.trim();
                    }
                    break;
                case "guid":
                case "id":
                    if (current != null) {
                        current.guid = xml.nextText();
                    }
                    break;
                case "pubDate":
                case "published":
                case "updated":
                case "date":
                    if (current != null && (current.published == 0 || !tag.equals("updated"))) {
                        current.published = DateGuesser.guess(xml.nextText());
                    }
                    break;
                case "enclosure":
                    if (current != null) {
                        current.enclosureUrl = xml.getAttributeValue(null, "url");
                        String bytes = xml.getAttributeValue(null, "length");
                        try {
                            current.enclosureLength = bytes == null ? -1 : Long.parseLong(bytes.trim());
                        } catch (NumberFormatException e) {
                            current.enclosureLength = -1;
                        }
                    }
                    break;
                case "category":
                    if (current != null) {
                        String term = atom ? xml.getAttributeValue(null, "term") : xml.nextText();
                        if (term != null && !current.topics.contains(term)) current.topics.add(term);
                    }
                    break;
                case "creator":
                case "author":
                    if (current != null && !atom) {
                        current.author = xml.nextText();
                    }
                    break;
                case "encoded":
                case "content":
                    if (current != null && space.indexOf("mrss") < 0) {
                        current.summary = xml.nextText();
                    }
                    break;
                case "description":
                case "summary":
                    if (current != null && current.summary == null) {
                        current.summary = xml.nextText();
                    }
                    break;
                default:
            }
        }
        return count;
    }

    /** Jumps behind the end of an XML element without reading its titles or texts. */
    static void skipElement(XmlPullParser xml) throws XmlPullParserException, IOException {
        xml.require(XmlPullParser.START_TAG, null, null);
        for (int open = 1; open > 0; ) {
            int what = xml.nextToken();
            if (what == XmlPullParser.START_TAG) open++;
            if (what == XmlPullParser.END_TAG) open--;
        }
    }

    /** Collects just the headlines for the widget; bodies and dates are ignored. */
    static List<String> collectHeadlines(String document) throws XmlPullParserException, IOException {
        List<String> headlines = new ArrayList<>();
        XmlPullParser pull = Xml.newPullParser();
        pull.setFeature(XmlPullParser.FEATURE_PROCESS_NAMESPACES, false);
        pull.setInput(new StringReader(document));
        int event = pull.getEventType();
        while (event != XmlPullParser.END_DOCUMENT) {
            if (event == XmlPullParser.START_TAG && "title".equals(pull.getName())) {
                headlines.add(pull.nextText().trim());
            }
            event = pull.next();
        }
        return headlines;
    }

    /** Writes saved titles as an XML document for the backup. */
    static void writeTitles(Iterable<Entry> entries, Writer target) throws IOException {
        XmlSerializer out = Xml.newSerializer();
        out.setOutput(target);
        out.startDocument("UTF-8", true);
        out.startTag(null, "titles");
        for (Entry e : entries) {
            out.startTag(null, "title").attribute(null, "id", e.fingerprint());
            out.text(e.title == null ? "" : e.title);
            out.endTag(null, "title");
        }
        out.endTag(null, "titles");
        out.endDocument();
    }

    /** Finds out which encoding an XML document claims to have by peeking at its first bytes. */
    static String sniffEncoding(byte[] head, int length) {
        if (length > 2 && head[0] == (byte) 0xEF && head[1] == (byte) 0xBB) return "UTF-8";
        if (length > 1 && (head[0] & 0xFF) == 0xFE && (head[1] & 0xFF) == 0xFF) return "UTF-16BE";
        String ascii = new String(head, 0, length, java.nio.charset.StandardCharsets.ISO_8859_1);
        int at = ascii.indexOf("encoding=");
        if (at < 0 || at + 10 >= length) return null;
        char quote = ascii.charAt(at + 9);
        int close = ascii.indexOf(quote, at + 10);
        return close < 0 ? null : ascii.substring(at + 10, close);
    }
}
