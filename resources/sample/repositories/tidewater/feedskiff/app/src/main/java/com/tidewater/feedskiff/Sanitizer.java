package com.tidewater.feedskiff;

import android.text.SpannableStringBuilder;
import android.text.Spanned;
import android.text.style.URLSpan;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Makes the markup of strangers harmless. */
final class Sanitizer {

    private static final Set<String> KEEP = new HashSet<>(Arrays.asList("p", "br", "b", "i", "em", "strong", "a", "img", "ul", "ol",
            "li", "blockquote", "pre", "code", "h1", "h2", "h3", "table", "tr", "td", "th"));
    private static final Set<String> DROP_INSIDE = new HashSet<>(Arrays.asList("script", "style", "iframe", "object", "form"));
    private static final Set<String> VOID = new HashSet<>(Arrays.asList("br", "img"));

    private Sanitizer() {
    }

    private enum In {TEXT, TAG_NAME, BEFORE_ATTRIBUTE, ATTRIBUTE, BEFORE_VALUE, QUOTED, BARE, COMMENT}

    /**
     * Cleans a piece of HTML with a state machine over its characters. Only known elements survive, with their href, src and alt
     * attributes made absolute; whatever is left open is closed at the end.
     */
    static String clean(String html, URI base) {
        StringBuilder out = new StringBuilder(html.length());
        StringBuilder name = new StringBuilder();
        StringBuilder attribute = new StringBuilder();
        StringBuilder value = new StringBuilder();
        StringBuilder kept = new StringBuilder();
        Deque<String> open = new ArrayDeque<>();
        String muted = null;
        boolean closing = false;
        char quote = 0;
        In state = In.TEXT;
        for (int i = 0; i < html.length(); i++) {
            char c = html.charAt(i);
            boolean endOfTag = false;
            switch (state) {
                case TEXT:
                    if (c != '<') {
                        if (muted == null) {
                            out.append(c);
                        }
                    } else if (html.startsWith("<!--", i)) {
                        state = In.COMMENT;
                    } else {
                        closing = i + 1 < html.length() && html.charAt(i + 1) == '/';
                        if (closing) {
                            i++;
                        }
                        name.setLength(0);
                        kept.setLength(0);
                        state = In.TAG_NAME;
                    }
                    break;
                case COMMENT:
                    if (c == '>' && html.startsWith("--", i - 2)) {
                        state = In.TEXT;
                    }
                    break;
                case TAG_NAME:
                    if (Character.isLetterOrDigit(c)) {
                        name.append(Character.toLowerCase(c));
                    } else if (c == '>') {
                        endOfTag = true;
                    } else {
                        state = In.BEFORE_ATTRIBUTE;
                    }
                    break;
                case BEFORE_ATTRIBUTE:
                    if (c == '>') {
                        endOfTag = true;
                    } else if (Character.isLetter(c)) {
                        attribute.setLength(0);
                        attribute.append(c);
                        value.setLength(0);
                        state = In.ATTRIBUTE;
                    }
                    break;
                case ATTRIBUTE:
                    if (c == '=') {
                        state = In.BEFORE_VALUE;
                    } else if (c == '>') {
                        endOfTag = true;
                    } else if (Character.isWhitespace(c)) {
                        state = In.BEFORE_ATTRIBUTE;
                    } else {
                        attribute.append(c);
                    }
                    break;
                case BEFORE_VALUE:
                    if (c == '"' || c == '\'') {
                        quote = c;
                        state = In.QUOTED;
                    } else if (!Character.isWhitespace(c)) {
                        value.append(c);
                        state = In.BARE;
                    }
                    break;
                case QUOTED:
                case BARE:
                    boolean over = state == In.QUOTED ? c == quote : c == '>' || Character.isWhitespace(c);
                    if (!over) {
                        value.append(c);
                        break;
                    }
                    String which = attribute.toString().toLowerCase(Locale.ROOT);
                    if (which.equals("href") || which.equals("src")) {
                        String target;
                        try {
                            target = base.resolve(value.toString().trim()).toString();
                        } catch (IllegalArgumentException e) {
                            target = "#";
                        }
                        if (target.startsWith("http") || target.startsWith("mailto:")) {
                            kept.append(' ').append(which).append("=\"").append(target.replace("\"", "%22")).append('"');
                        }
                    } else if (which.equals("alt")) {
                        kept.append(" alt=\"").append(value.toString().replace('"', ' ').replace('<', ' ')).append('"');
                    }
                    endOfTag = c == '>' && state == In.BARE;
                    state = In.BEFORE_ATTRIBUTE;
                    break;
                default:
                    throw new AssertionError(state);
            }
            if (!endOfTag) {
                continue;
            }
            state = In.TEXT;
            String tag = name.toString();
            if (muted != null) {
                if (closing && tag.equals(muted)) {
                    muted = null;
                }
            } else if (DROP_INSIDE.contains(tag)) {
                muted = closing ? null : tag;
            } else if (KEEP.contains(tag)) {
                if (!closing) {
                    out.append('<').append(tag).append(kept).append('>');
                    if (!VOID.contains(tag)) {
                        open.push(tag);
                    }
                } else if (open.contains(tag)) {
                    String inner;
                    do {
                        inner = open.pop();
                        out.append("</").append(inner).append('>');
                    } while (!inner.equals(tag));
                }
            }
        }
        while (!open.isEmpty()) {
            out.append("</").append(open.pop()).append('>');
        }
        return out.toString();
    }

    /** Reduces markup to readable text. */
    static String plain(String html) {
        return html.replaceAll("(?is)<(script|style).*?</\\1>", "")
                .replaceAll("(?i)<(br|/p|/li|/h\\d)[^>]*>", "\n")
                .replaceAll("<[^>]+>", "")
                .replace("&nbsp;", " ").replace("&lt;", "<").replace("&amp;", "&")
                .replaceAll("[ \\t]+", " ").trim();
    }

    /** Cuts a preview of the text for list rows and for the share sheet at a word boundary. */
    static String teaser(String text, int room) {
        if (text.length() <= room) return text;
        int cut = room - 1;
        while (cut > room / 2 && !Character.isWhitespace(text.charAt(cut))) cut--;
        return text.substring(0, cut).trim() + "\u2026";
    }

    /** Removes the underline of links that lead nowhere. */
    static void dropDeadLinks(SpannableStringBuilder text) {
        for (URLSpan span : text.getSpans(0, text.length(), URLSpan.class)) {
            if (span.getURL().startsWith("#") || span.getURL().isEmpty()) text.removeSpan(span);
            else text.setSpan(span, text.getSpanStart(span), text.getSpanEnd(span), Spanned.SPAN_EXCLUSIVE_EXCLUSIVE);
        }
    }
}
