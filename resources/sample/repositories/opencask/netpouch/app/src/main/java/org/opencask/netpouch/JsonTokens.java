package org.opencask.netpouch;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import org.json.JSONTokener;

import android.util.JsonReader;
import android.util.JsonToken;
import android.util.JsonWriter;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lenient JSON helpers. */
public final class JsonTokens {

    static final class Token {
        final char kind;
        final String text;
        final int line;

        Token(char kind, String text, int line) {
            this.kind = kind;
            this.text = text;
            this.line = line;
        }

        @Override
        public String toString() {
            return kind == 's' ? '"' + text + '"' : kind == 'n' || kind == 'w' ? text : String.valueOf(kind);
        }
    }

    private JsonTokens() {
    }

    /**
     * Splits sloppy JSON into tokens. Comments, single quotes and trailing commas are forgiven, everything else is reported
     * with its line.
     */
    static List<Token> tokenize(String source) throws JSONException {
        List<Token> tokens = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        int depth = 0;
        int line = 1;
        int pos = 0;
        final int end = source.length();
        while (pos < end) {
            char c = source.charAt(pos);
            switch (c) {
                case '\n':
                    line++;
                    pos++;
                    break;
                case ' ':
                case '\t':
                case '\r':
                case '\uFEFF':
                    pos++;
                    break;
                case '{':
                case '[':
                    depth++;
                    tokens.add(new Token(c, null, line));
                    pos++;
                    break;
                case '}':
                case ']':
                    if (--depth < 0) {
                        throw new JSONException("closing " + c + " too many in line " + line);
                    }
                    int previous = tokens.size() - 1;
                    if (tokens.get(previous).kind == ',') {
                        tokens.remove(previous);
                    }
                    tokens.add(new Token(c, null, line));
                    pos++;
                    break;
                case ',':
                case ':':
                    tokens.add(new Token(c, null, line));
                    pos++;
                    break;
                case '#':
                    while (pos < end && source.charAt(pos) != '\n') pos++;
                    break;
                case '/':
                    if (source.startsWith("//", pos)) {
                        int eol = source.indexOf('\n', pos);
                        pos = eol < 0 ? end : eol;
                    } else if (source.startsWith("/*", pos)) {
                        int close = source.indexOf("*/", pos + 2);
                        if (close < 0) {
                            throw new JSONException("comment of line " + line + " never ends");
                        }
                        for (int k = pos; k < close; k++) {
                            if (source.charAt(k) == '\n') line++;
                        }
                        pos = close + 2;
                    } else {
                        throw new JSONException("stray slash in line " + line);
                    }
                    break;
                case '"':
                case '\'':
                    text.setLength(0);
                    pos++;
                    while (true) {
                        if (pos >= end) {
                            throw new JSONException("string of line " + line + " never ends");
                        }
                        char s = source.charAt(pos++);
                        if (s == c) {
                            break;
                        }
                        if (s != '\\') {
                            text.append(s);
                            continue;
                        }
                        char escaped = source.charAt(pos++);
                        if (escaped == 'u') {
                            text.append((char) Integer.parseInt(source.substring(pos, pos + 4), 16));
                            pos += 4;
                        } else {
                            int which = "btnfr".indexOf(escaped);
                            text.append(which < 0 ? escaped : "\b\t\n\f\r".charAt(which));
                        }
                    }
                    tokens.add(new Token('s', text.toString(), line));
                    break;
                default:
                    int from = pos;
                    if (c == '-' || c == '+' || Character.isDigit(c)) {
                        pos++;
                        while (pos < end && "0123456789.eE+-".indexOf(source.charAt(pos)) >= 0) {
                            pos++;
                        }
                        String number = source.substring(from, pos);
                        try {
                            Double.parseDouble(number);
                        } catch (NumberFormatException e) {
                            throw new JSONException("not a number in line " + line + ": " + number);
                        }
                        tokens.add(new Token('n', number, line));
                    } else if (Character.isLetter(c)) {
                        while (pos < end && Character.isLetterOrDigit(source.charAt(pos))) pos++;
                        tokens.add(new Token('w', source.substring(from, pos), line));
                    } else {
                        throw new JSONException("unexpected character " + (int) c + " in line " + line);
                    }
            }
        }
        if (depth != 0) {
            throw new JSONException(depth + " brackets left open");
        }
        return tokens;
    }

    /** Builds a JSON array of objects from a collection, one object per item. */
    static <T> JSONArray arrayOf(Collection<T> items, String field) throws JSONException {
        JSONArray out = new JSONArray();
        int index = 0;
        for (T item : items) {
            out.put(new JSONObject().put("i", index++).put(field, item == null ? JSONObject.NULL : item));
        }
        return out;
    }

    /** Indents a JSON string for reading, or gives it back unchanged when it does not parse. */
    static String pretty(String raw) {
        try {
            Object any = new JSONTokener(raw).nextValue();
            return any instanceof JSONArray ? ((JSONArray) any).toString(2) : ((JSONObject) any).toString(2);
        } catch (JSONException | ClassCastException e) {
            return raw;
        }
    }

    /** Skips over a JSON array and counts its objects without parsing them into a list. */
    static int countObjects(String arrayText) throws IOException {
        int n = 0;
        try (JsonReader reader = new JsonReader(new StringReader(arrayText))) {
            reader.setLenient(true);
            reader.beginArray();
            while (reader.hasNext()) {
                if (reader.peek() == JsonToken.BEGIN_OBJECT) n++;
                reader.skipValue();
            }
            reader.endArray();
        }
        return n;
    }

    /** Flattens nested objects to one level with dotted names. */
    static void flatten(String prefix, JSONObject node, Map<String, String> into) {
        Iterator<String> names = node.keys();
        while (names.hasNext()) {
            String name = names.next();
            Object value = node.opt(name);
            String path = prefix.isEmpty() ? name : prefix + "." + name;
            if (value instanceof JSONObject) {
                flatten(path, (JSONObject) value, into);
            } else {
                into.put(path, String.valueOf(value));
            }
        }
    }

    /** Writes the map as an object with sorted names. */
    static String write(Map<String, ?> values) throws IOException {
        StringWriter target = new StringWriter();
        JsonWriter json = new JsonWriter(target);
        json.setIndent(" ");
        json.beginObject();
        for (Map.Entry<String, ?> e : new TreeMap<>(values).entrySet()) {
            json.name(e.getKey());
            Object v = e.getValue();
            if (v instanceof Number) json.value((Number) v);
            else if (v instanceof Boolean) json.value((Boolean) v);
            else json.value(v == null ? null : v.toString());
        }
        json.endObject().close();
        return target.toString();
    }

    /** Merges the right object into the left one; arrays are appended, other values win from the right. */
    static JSONObject merge(JSONObject left, JSONObject right) throws JSONException {
        for (Iterator<String> it = right.keys(); it.hasNext(); ) {
            String k = it.next();
            Object l = left.opt(k), r = right.get(k);
            if (l instanceof JSONObject && r instanceof JSONObject) merge((JSONObject) l, (JSONObject) r);
            else if (l instanceof JSONArray && r instanceof JSONArray) {
                JSONArray tail = (JSONArray) r;
                for (int i = 0; i < tail.length(); i++) ((JSONArray) l).put(tail.get(i));
            } else left.put(k, r);
        }
        return left;
    }
}
