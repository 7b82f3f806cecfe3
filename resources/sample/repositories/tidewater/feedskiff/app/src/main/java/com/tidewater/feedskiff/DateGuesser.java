package com.tidewater.feedskiff;

import android.content.Context;
import android.text.format.DateUtils;

import java.text.DateFormatSymbols;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.TimeZone;

/** Feeds write dates in every way one can think of. */
final class DateGuesser {

    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

    private DateGuesser() {
    }

    /**
     * Guesses the moment meant by a date string: RFC 822 with and without weekday, ISO 8601 in long and short form, and the usual
     * mistakes. Gives 0 if nothing fits.
     */
    static long guess(String text) {
        if (text == null) {
            return 0;
        }
        String s = text.trim();
        if (s.isEmpty()) {
            return 0;
        }
        int year = -1;
        int month = -1;
        int day = -1;
        int hour = 0;
        int minute = 0;
        double second = 0;
        int offset = 0;
        boolean timeSeen = false;
        boolean iso = s.length() >= 7 && Character.isDigit(s.charAt(3)) && s.charAt(4) == '-';
        if (iso) {
            int t = s.indexOf('T');
            if (t < 0) {
                t = s.indexOf(' ');
            }
            String[] ymd = (t < 0 ? s : s.substring(0, t)).split("-");
            year = number(ymd[0]);
            month = ymd.length > 1 ? number(ymd[1]) - 1 : 0;
            day = ymd.length > 2 ? number(ymd[2]) : 1;
            if (t > 0) {
                String clock = s.substring(t + 1).trim();
                int zone = -1;
                for (int i = 0; i < clock.length() && zone < 0; i++) {
                    char c = clock.charAt(i);
                    if (c == 'Z' || c == '+' || c == '-') {
                        zone = i;
                    }
                }
                if (zone >= 0) {
                    String z = clock.substring(zone).replace(":", "");
                    if (z.length() >= 3) {
                        int sign = z.charAt(0) == '-' ? -1 : 1;
                        offset = sign * number(z.substring(1, 3)) * 60;
                        if (z.length() >= 5) {
                            offset += sign * number(z.substring(3, 5));
                        }
                    }
                    clock = clock.substring(0, zone);
                }
                String[] hms = clock.split(":");
                hour = number(hms[0]);
                minute = hms.length > 1 ? number(hms[1]) : 0;
                second = hms.length > 2 ? Double.parseDouble(hms[2]) : 0;
            }
        } else {
            for (String word : s.replace(',', ' ').split("\\s+")) {
                String lower = word.toLowerCase(Locale.US);
                if (word.indexOf(':') > 0) {
                    String[] clock = word.split(":");
                    hour = number(clock[0]);
                    minute = number(clock[1]);
                    second = clock.length > 2 ? number(clock[2]) : 0;
                    timeSeen = true;
                } else if (lower.length() >= 3 && MONTHS.contains(lower.substring(0, 3)) && MONTHS.indexOf(lower.substring(0, 3)) % 3 == 0) {
                    month = MONTHS.indexOf(lower.substring(0, 3)) / 3;
                } else if (timeSeen && (lower.startsWith("+") || lower.startsWith("-")) && lower.length() == 5) {
                    int sign = lower.charAt(0) == '-' ? -1 : 1;
                    offset = sign * (60 * number(lower.substring(1, 3)) + number(lower.substring(3)));
                } else if (timeSeen && (lower.equals("pm") || lower.equals("am"))) {
                    hour = hour % 12 + (lower.equals("pm") ? 12 : 0);
                } else if (number(word) >= 0) {
                    int n = number(word);
                    if (day < 0 && n <= 31 && n > 0) {
                        day = n;
                    } else if (year < 0) {
                        year = n < 70 ? 2000 + n : n < 100 ? 1900 + n : n;
                    }
                } else if (timeSeen) {
                    switch (lower) {
                        case "est":
                            offset = -300;
                            break;
                        case "edt":
                            offset = -240;
                            break;
                        case "pst":
                            offset = -480;
                            break;
                        case "pdt":
                            offset = -420;
                            break;
                        case "cet":
                        case "bst":
                            offset = 60;
                            break;
                        case "cest":
                            offset = 120;
                            break;
                        default:
                            offset = 0;
                    }
                }
            }
        }
        if (year < 1970 || month < 0 || month > 11 || day < 1 || hour > 24) {
            return 0;
        }
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.US);
        calendar.clear();
        calendar.set(year, month, day, hour, minute, (int) second);
        long moment = calendar.getTimeInMillis() - offset * 60000L + Math.round(second % 1 * 1000);
        long tomorrow = System.currentTimeMillis() + DateUtils.DAY_IN_MILLIS;
        return Math.min(moment, tomorrow);
    }

    private static int number(String digits) {
        int value = 0;
        for (int i = 0; i < digits.length(); i++) {
            int d = Character.digit(digits.charAt(i), 10);
            if (d < 0) return i == 0 ? -1 : value;
            value = value * 10 + d;
        }
        return digits.isEmpty() ? -1 : value;
    }

    // copied from opencask/netpouch
    /** Parses the date of a last-modified header. */
    static Date headerDate(String value) {
        final String[] shapes = {"EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy"};
        if (value == null) return null;
        for (String shape : shapes) {
            SimpleDateFormat format = new SimpleDateFormat(shape, Locale.US);
            format.setTimeZone(TimeZone.getTimeZone("GMT"));
            try {
                return format.parse(value);
            } catch (ParseException ignored) {
            }
        }
        return null;
    }

    /** Says how long ago something was, in words for the article list. */
    static CharSequence ago(Context context, long moment) {
        long age = System.currentTimeMillis() - moment;
        if (moment == 0) return "";
        return age > DateUtils.WEEK_IN_MILLIS
                ? DateUtils.formatDateTime(context, moment, DateUtils.FORMAT_SHOW_DATE | DateUtils.FORMAT_ABBREV_MONTH)
                : DateUtils.getRelativeTimeSpanString(moment, moment + age, DateUtils.MINUTE_IN_MILLIS);
    }

    /** Names the section of the list under which an article is filed. */
    static String sectionOf(long moment, Calendar now) {
        Calendar then = (Calendar) now.clone();
        then.setTimeInMillis(moment);
        int days = now.get(Calendar.DAY_OF_YEAR) - then.get(Calendar.DAY_OF_YEAR);
        if (then.get(Calendar.YEAR) == now.get(Calendar.YEAR) && days >= 0 && days < 7) {
            return days == 0 ? "Today" : DateFormatSymbols.getInstance().getWeekdays()[then.get(Calendar.DAY_OF_WEEK)];
        }
        return String.format("%1$tB %1$tY", then);
    }
}
