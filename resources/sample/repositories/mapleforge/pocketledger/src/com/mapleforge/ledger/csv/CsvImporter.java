package com.mapleforge.ledger.csv;

import android.content.Context;
import android.support.v4.app.NotificationCompat;
import android.support.v4.app.NotificationManagerCompat;
import android.util.Log;

import com.mapleforge.ledger.R;
import com.mapleforge.ledger.money.Money;

import java.io.IOException;
import java.io.PushbackInputStream;
import java.io.PushbackReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;

/**
 * Reads account statements as banks offer them for download.
 */
public class CsvImporter
{
    private static final String LOG = "CsvImporter";

    /** One usable row of a statement. */
    public static class Line
    {
        public long cents;
        public String currency = "EUR";
        public long day;
        public String memo;

        /** Gives a key by which a row seen before is recognised. */
        String fingerprint()
        {
            String text = memo == null ? "" : memo.replaceAll("\\W+", "").toLowerCase(Locale.ROOT);
            return day + ":" + cents + ":" + (text.length() > 24 ? text.substring(0, 24) : text);
        }
    }

    enum Role
    {
        DATE("date", "datum", "fecha", "buchungstag"),
        AMOUNT("amount", "betrag", "importe", "montant"),
        MEMO("memo", "description", "verwendungszweck", "libelle"),
        CURRENCY("currency", "waehrung", "devise");

        private final String[] names;

        Role(String... names)
        {
            this.names = names;
        }

        /** Recognises the meaning of a column by its heading. */
        static Role of(String heading)
        {
            String plain = heading.trim().toLowerCase(Locale.ROOT).replace("ä", "ae").replace("é", "e");
            for (Role role : values())
            {
                for (String name : role.names)
                {
                    if (plain.contains(name)) return role;
                }
            }
            return null;
        }
    }

    private enum State {START, PLAIN, QUOTED, AFTER_QUOTE, COMMENT}

    private final Context context;
    private final Map<String, Integer> seen = new HashMap<>();

    public CsvImporter(Context context)
    {
        this.context = context;
    }

    /** Takes the statement apart character by character, with quotes, doubled quotes and line breaks inside cells. */
    public List<String[]> split(Reader input, char separator) throws IOException
    {
        List<String[]> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        PushbackReader in = new PushbackReader(input, 2);
        State state = State.START;
        int lineNumber = 1;
        int quoteOpened = 0;
        boolean done = false;
        int first = in.read();
        if (first != 0xFEFF && first != -1)
        {
            in.unread(first);
        }
        while (!done)
        {
            int ch = in.read();
            if (ch == '\r')
            {
                int next = in.read();
                if (next != '\n' && next != -1)
                {
                    in.unread(next);
                }
                ch = '\n';
            }
            if (ch == '\n')
            {
                lineNumber++;
            }
            switch (state)
            {
                case START:
                    if (ch == '"')
                    {
                        state = State.QUOTED;
                        quoteOpened = lineNumber;
                    }
                    else if (ch == '#' && row.isEmpty())
                    {
                        state = State.COMMENT;
                    }
                    else if (ch == separator)
                    {
                        row.add("");
                    }
                    else if (ch == '\n' || ch == -1)
                    {
                        if (!row.isEmpty())
                        {
                            row.add("");
                            rows.add(row.toArray(new String[0]));
                            row.clear();
                        }
                        done = ch == -1;
                    }
                    else if (ch != ' ' && ch != '\t')
                    {
                        cell.append((char) ch);
                        state = State.PLAIN;
                    }
                    break;
                case PLAIN:
                    if (ch == separator)
                    {
                        row.add(cell.toString().trim());
                        cell.setLength(0);
                        state = State.START;
                    }
                    else if (ch == '\n' || ch == -1)
                    {
                        row.add(cell.toString().trim());
                        cell.setLength(0);
                        rows.add(row.toArray(new String[0]));
                        row.clear();
                        state = State.START;
                        done = ch == -1;
                    }
                    else
                    {
                        cell.append((char) ch);
                    }
                    break;
                case QUOTED:
                    if (ch == -1)
                    {
                        throw new IOException("quote opened in line " + quoteOpened + " is never closed");
                    }
                    if (ch == '"')
                    {
                        state = State.AFTER_QUOTE;
                    }
                    else
                    {
                        cell.append((char) ch);
                    }
                    break;
                case AFTER_QUOTE:
                    if (ch == '"')
                    {
                        cell.append('"');
                        state = State.QUOTED;
                    }
                    else if (ch == -1)
                    {
                        state = State.PLAIN;
                        done = true;
                        row.add(cell.toString());
                        rows.add(row.toArray(new String[0]));
                    }
                    else
                    {
                        in.unread(ch);
                        lineNumber -= ch == '\n' ? 1 : 0;
                        state = State.PLAIN;
                    }
                    break;
                case COMMENT:
                    done = ch == -1;
                    state = ch == '\n' ? State.START : State.COMMENT;
                    break;
                default:
                    throw new AssertionError(state);
            }
        }
        return rows;
    }

    /** Guesses the separator by counting candidates in the heading. */
    static char guessSeparator(String heading)
    {
        char best = ',';
        int most = 0;
        for (char candidate : new char[]{';', ',', '\t', '|'})
        {
            int count = 0;
            for (int i = heading.indexOf(candidate); i >= 0; i = heading.indexOf(candidate, i + 1)) count++;
            if (count > most)
            {
                most = count;
                best = candidate;
            }
        }
        return best;
    }

    /** Guesses whether the bytes of a file are UTF-8 or the old western set. */
    static Charset guessCharset(PushbackInputStream in) throws IOException
    {
        byte[] sample = new byte[1024];
        int n = in.read(sample);
        if (n <= 0) return Charset.defaultCharset();
        in.unread(sample, 0, n);
        for (int i = 0; i < n - 1; i++)
        {
            int lead = sample[i] & 0xFF;
            if (lead < 0x80) continue;
            boolean follows = (sample[i + 1] & 0xC0) == 0x80;
            return lead >= 0xC2 && lead <= 0xF4 && follows ? Charset.forName("UTF-8") : Charset.forName("windows-1252");
        }
        return Charset.forName("US-ASCII");
    }

    /** Turns raw rows into entries, skipping those without a date or an amount. */
    public List<Line> interpret(List<String[]> rows)
    {
        EnumMap<Role, Integer> where = new EnumMap<>(Role.class);
        List<Line> lines = new ArrayList<>();
        for (String[] row : rows)
        {
            if (!where.containsKey(Role.AMOUNT))
            {
                for (int i = 0; i < row.length; i++)
                {
                    Role role = Role.of(row[i]);
                    if (role != null && !where.containsKey(role)) where.put(role, i);
                }
                continue;
            }
            Date date = readDate(row[where.get(Role.DATE)]);
            Money amount = Money.read(row[where.get(Role.AMOUNT)], Locale.GERMANY);
            if (date == null || amount == null)
            {
                Log.w(LOG, "skipped " + Arrays.toString(row));
                continue;
            }
            Line line = new Line();
            line.cents = amount.cents();
            line.day = date.getTime() / 86400000L;
            line.memo = where.containsKey(Role.MEMO) ? row[where.get(Role.MEMO)] : null;
            lines.add(line);
        }
        return lines;
    }

    private static Date readDate(String text)
    {
        for (String pattern : new String[]{"yyyy-MM-dd", "dd.MM.yyyy", "dd/MM/yyyy", "dd.MM.yy"})
        {
            SimpleDateFormat format = new SimpleDateFormat(pattern, Locale.ROOT);
            format.setLenient(false);
            format.setTimeZone(TimeZone.getTimeZone("GMT"));
            ParsePosition end = new ParsePosition(0);
            Date date = format.parse(text, end);
            if (date != null && end.getIndex() == text.length()) return date;
        }
        return null;
    }

    /** Strikes out rows which an earlier import has brought already. */
    public int dropKnown(List<Line> lines)
    {
        int before = lines.size();
        for (Iterator<Line> it = lines.iterator(); it.hasNext(); )
        {
            String print = it.next().fingerprint();
            Integer times = seen.get(print);
            seen.put(print, times == null ? 1 : times + 1);
            if (times != null) it.remove();
        }
        return before - lines.size();
    }

    /** Tells the impatient user, outside the app too, which share of the statement is worked off. */
    public void sayHowFar(int row, int total)
    {
        NotificationCompat.Builder news = new NotificationCompat.Builder(context, "import");
        news.setContentTitle(context.getString(R.string.importing));
        news.setSmallIcon(R.drawable.ic_stat_purse);
        news.setOnlyAlertOnce(true);
        if (row < total)
        {
            news.setContentText(context.getString(R.string.row_of, row, total));
            news.setProgress(total, row, false);
        }
        else
        {
            news.setContentText(context.getString(R.string.import_done));
            news.setProgress(0, 0, false);
        }
        NotificationManagerCompat.from(context).notify(R.id.import_news, news.build());
    }

    /** Walks over rows in packets, so that the progress can be shown between them. */
    public static <T> Iterable<List<T>> packets(final List<T> all, final int size)
    {
        if (size < 1) throw new IllegalArgumentException("packets of " + size);
        List<List<T>> packets = new ArrayList<>(all.size() / size + 1);
        for (int at = 0; at < all.size(); at += size)
        {
            packets.add(Collections.unmodifiableList(all.subList(at, Math.min(all.size(), at + size))));
        }
        return packets;
    }
}
