package com.mapleforge.ledger.csv;

import android.app.DownloadManager;
import android.content.Context;
import android.content.Intent;
import android.database.Cursor;
import android.media.MediaScannerConnection;
import android.net.Uri;
import android.os.Environment;
import android.support.v4.content.FileProvider;
import android.util.JsonWriter;

import java.io.BufferedWriter;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.StringReader;
import java.io.LineNumberReader;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Gets the data out again. */
public final class CsvExporter
{
    private final Context context;
    private char separator = ';';

    public CsvExporter(Context context)
    {
        this.context = context;
    }

    /** Spells cents for the printed statement, with the sign the bank uses. */
    static String forPrint(long cents)
    {
        DecimalFormat printed = (DecimalFormat) NumberFormat.getCurrencyInstance(Locale.FRANCE);
        printed.setNegativePrefix("CHF -");
        printed.setParseBigDecimal(true);
        DecimalFormatSymbols symbols = printed.getDecimalFormatSymbols();
        symbols.setCurrencySymbol("CHF");
        symbols.setGroupingSeparator('\'');
        symbols.setMonetaryDecimalSeparator('.');
        symbols.setMinusSign('\u2212');
        printed.setDecimalFormatSymbols(symbols);
        printed.setRoundingMode(RoundingMode.HALF_EVEN);
        return printed.format(BigDecimal.valueOf(cents, 2));
    }

    /** Writes all rows of a cursor to a file, headings first. */
    public File export(Cursor rows, String title) throws IOException
    {
        File file = new File(context.getExternalFilesDir(Environment.DIRECTORY_DOCUMENTS), fileName(title, new Date()));
        Writer out = new BufferedWriter(new OutputStreamWriter(new FileOutputStream(file), "UTF-8"));
        try
        {
            row(out, rows.getColumnNames());
            String[] cells = new String[rows.getColumnCount()];
            for (rows.moveToFirst(); !rows.isAfterLast(); rows.moveToNext())
            {
                for (int i = 0; i < cells.length; i++)
                {
                    cells[i] = rows.isNull(i) ? "" : rows.getString(i);
                }
                row(out, cells);
            }
        }
        finally
        {
            out.close();
        }
        return file;
    }

    private void row(Writer out, String... cells) throws IOException
    {
        for (int i = 0; i < cells.length; i++)
        {
            if (i > 0) out.write(separator);
            out.write(quote(cells[i]));
        }
        out.write("\r\n");
    }

    /** Puts a cell into quotes where the content needs them. */
    String quote(String cell)
    {
        boolean risky = cell.indexOf(separator) >= 0 || cell.indexOf('"') >= 0 || cell.indexOf('\n') >= 0;
        // a spreadsheet would take these for formulas
        if (!cell.isEmpty() && "=+@".indexOf(cell.charAt(0)) >= 0)
        {
            return "\"'" + cell.replace("\"", "\"\"") + '"';
        }
        return risky ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }

    /** Builds a file name out of title and date that every file system accepts. */
    static String fileName(String title, Date when)
    {
        String safe = title.replaceAll("[\\\\/:*?\"<>|\\s]+", "_");
        String stamp = new SimpleDateFormat("yyyyMMdd-HHmm", Locale.US).format(when);
        return (safe.isEmpty() ? "ledger" : safe) + "-" + stamp + ".csv";
    }

    /** Offers the written file to mail programs and the like. */
    public void share(File file, String subject)
    {
        Uri uri = FileProvider.getUriForFile(context, context.getPackageName() + ".files", file);
        Intent send = new Intent(Intent.ACTION_SEND);
        send.setType("text/csv");
        send.putExtra(Intent.EXTRA_SUBJECT, subject);
        send.putExtra(Intent.EXTRA_STREAM, uri);
        send.addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION);
        context.startActivity(Intent.createChooser(send, null).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
    }

    /** Lists the file among the user's finished downloads. */
    public long announce(File csv)
    {
        DownloadManager downloads = (DownloadManager) context.getSystemService(Context.DOWNLOAD_SERVICE);
        MediaScannerConnection.scanFile(context, new String[]{csv.getPath()}, null, null);
        return downloads.addCompletedDownload(csv.getName(), csv.getParent(), false, "text/csv", csv.getPath(), csv.length(), true);
    }

    /** Packs several exports into one archive with checksums. */
    public static void zip(File archive, File... exports) throws IOException
    {
        CRC32 crc = new CRC32();
        try (ZipOutputStream zip = new ZipOutputStream(new FileOutputStream(archive)))
        {
            zip.setLevel(9);
            for (File export : exports)
            {
                byte[] all = new byte[(int) export.length()];
                try (java.io.DataInputStream in = new java.io.DataInputStream(new java.io.FileInputStream(export)))
                {
                    in.readFully(all);
                }
                crc.reset();
                crc.update(all);
                ZipEntry entry = new ZipEntry(export.getName());
                entry.setComment(Long.toHexString(crc.getValue()));
                zip.putNextEntry(entry);
                zip.write(all);
                zip.closeEntry();
            }
        }
    }

    /** Writes the same rows as JSON, numbers as numbers. */
    public void exportJson(Cursor rows, Writer target) throws IOException
    {
        JsonWriter json = new JsonWriter(target);
        json.setIndent(" ");
        json.beginArray();
        while (rows.moveToNext())
        {
            json.beginObject();
            for (int i = 0; i < rows.getColumnCount(); i++)
            {
                json.name(rows.getColumnName(i));
                switch (rows.getType(i))
                {
                    case Cursor.FIELD_TYPE_INTEGER:
                        json.value(rows.getLong(i));
                        break;
                    case Cursor.FIELD_TYPE_FLOAT:
                        json.value(rows.getDouble(i));
                        break;
                    case Cursor.FIELD_TYPE_NULL:
                        json.nullValue();
                        break;
                    default:
                        json.value(rows.getString(i));
                }
            }
            json.endObject();
        }
        json.endArray();
        json.flush();
    }

    /** Counts the lines of a CSV text read back, to prove that nothing was lost. */
    static int countLines(String csv) throws IOException
    {
        LineNumberReader lines = new LineNumberReader(new StringReader(csv));
        lines.skip(Long.MAX_VALUE);
        return lines.getLineNumber() + (csv.isEmpty() || csv.endsWith("\n") ? 0 : 1);
    }
}
