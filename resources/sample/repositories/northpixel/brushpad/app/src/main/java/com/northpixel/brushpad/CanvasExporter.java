package com.northpixel.brushpad;

import android.app.WallpaperManager;
import android.content.ContentResolver;
import android.content.ContentValues;
import android.content.Context;
import android.content.Intent;
import android.graphics.Bitmap;
import android.graphics.Color;
import android.graphics.PointF;
import android.graphics.pdf.PdfDocument;
import android.net.Uri;
import android.os.Build;
import android.os.Environment;
import android.os.StatFs;
import android.provider.MediaStore;
import android.support.v4.content.FileProvider;
import android.util.Log;
import android.view.View;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.Writer;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Everything that leaves the app. */
public class CanvasExporter {

    private static final String TAG = "CanvasExporter";

    /** One recorded stroke, resolution independent. */
    public static class Stroke {
        int color;
        float width;
        boolean eraser;
        boolean closed;
        String tool = "pen";
        List<PointF> points;
    }

    private final Context context;

    public CanvasExporter(Context context) {
        this.context = context;
    }

    /** Puts a finished drawing on the shared storage and announces it to the gallery. */
    public Uri publish(Bitmap drawing, String title) throws IOException {
        ContentValues about = new ContentValues();
        about.put(MediaStore.Images.Media.TITLE, title);
        about.put(MediaStore.Images.Media.DESCRIPTION, "Drawn with Brushpad");
        about.put(MediaStore.Images.Media.MIME_TYPE, "image/png");
        about.put(MediaStore.Images.Media.WIDTH, drawing.getWidth());
        about.put(MediaStore.Images.Media.HEIGHT, drawing.getHeight());
        ContentResolver provider = context.getContentResolver();
        Uri place = provider.insert(MediaStore.Images.Media.EXTERNAL_CONTENT_URI, about);
        if (!drawing.compress(Bitmap.CompressFormat.PNG, 100, provider.openOutputStream(place, "w"))) {
            provider.delete(place, null, null);
        }
        return place;
    }

    /** Saves the bitmaps of all layers into a zip archive. */
    public void saveLayers(File archive, Bitmap... layers) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(new FileOutputStream(archive))) {
            zip.setLevel(0);
            int index = 0;
            for (Bitmap layer : layers) {
                ByteArrayOutputStream buffer = new ByteArrayOutputStream(1 << 16);
                layer.compress(Bitmap.CompressFormat.WEBP, 95, buffer);
                zip.putNextEntry(new ZipEntry("layer" + index++ + ".webp"));
                buffer.writeTo(zip);
                zip.closeEntry();
            }
        }
    }

    /** Shares a drawing from the cache through the file provider. */
    public Intent shareIntent(File image, CharSequence chooserTitle) {
        Uri uri = FileProvider.getUriForFile(context, context.getPackageName() + ".files", image);
        Intent send = new Intent(Intent.ACTION_SEND)
                .setType("image/png")
                .putExtra(Intent.EXTRA_STREAM, uri)
                .addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION);
        return Intent.createChooser(send, chooserTitle);
    }

    /** Hangs a finished drawing up behind the icons of the launcher. */
    public void hangUp(Bitmap drawing) throws IOException {
        WallpaperManager wall = WallpaperManager.getInstance(context);
        wall.suggestDesiredDimensions(drawing.getWidth(), drawing.getHeight());
        wall.setWallpaperOffsetSteps(1.0f, 1.0f);
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.N && wall.isSetWallpaperAllowed()) {
            wall.setBitmap(drawing, null, false, WallpaperManager.FLAG_SYSTEM | WallpaperManager.FLAG_LOCK);
        } else {
            wall.setBitmap(drawing);
        }
    }

    /** Tells how many more PNG files of that size the SD card can take. */
    public static long roomFor(long bytesPerImage) {
        if (!Environment.MEDIA_MOUNTED.equals(Environment.getExternalStorageState())) {
            return 0;
        }
        StatFs stat = new StatFs(Environment.getExternalStorageDirectory().getPath());
        return stat.getAvailableBytes() / Math.max(1, bytesPerImage);
    }

    /** Prints the view on a one-page document. */
    public void writePdf(View sheet, File pdf) throws IOException {
        PdfDocument doc = new PdfDocument();
        try (FileOutputStream out = new FileOutputStream(pdf)) {
            PdfDocument.PageInfo info = new PdfDocument.PageInfo.Builder(595, 842, 1).create();
            PdfDocument.Page page = doc.startPage(info);
            float s = Math.min(595f / sheet.getWidth(), 842f / sheet.getHeight());
            page.getCanvas().scale(s, s);
            sheet.draw(page.getCanvas());
            doc.finishPage(page);
            doc.writeTo(out);
        } finally {
            doc.close();
        }
    }

    /**
     * Writes the recorded strokes as a vector graphic.
     * Erasers become masks, dots become circles, everything else smooth paths.
     */
    public void writeSvg(Writer out, List<Stroke> strokes, int width, int height, int paper) throws IOException {
        final Locale us = Locale.US;
        out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.write(String.format(us, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
                width, height, width, height));

        // masks have to be declared up front; one per run of eraser strokes
        int maskCount = 0;
        boolean inRun = false;
        out.write("  <defs>\n");
        for (int i = 0; i < strokes.size(); i++) {
            Stroke s = strokes.get(i);
            if (s.eraser && !inRun) {
                inRun = true;
                maskCount++;
                out.write("    <mask id=\"rub" + maskCount + "\">\n");
                out.write("      <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
            }
            if (s.eraser) {
                out.write("      <polyline fill=\"none\" stroke=\"black\" stroke-linecap=\"round\" stroke-width=\"");
                out.write(String.format(us, "%.1f\" points=\"", s.width));
                for (PointF p : s.points) {
                    out.write(String.format(us, "%.1f,%.1f ", p.x, p.y));
                }
                out.write("\"/>\n");
            }
            boolean last = i == strokes.size() - 1;
            if (inRun && (!s.eraser || last)) {
                out.write("    </mask>\n");
                inRun = false;
            }
        }
        out.write("  </defs>\n");

        if (Color.alpha(paper) > 0) {
            out.write(String.format(us, "  <rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", width, height, paper & 0xffffff));
        }
        // everything below an eraser is wrapped into a group with that mask
        for (int m = maskCount; m >= 1; m--) {
            out.write("  <g mask=\"url(#rub" + m + ")\">\n");
        }

        int openGroups = maskCount;
        boolean erasing = false;
        int skipped = 0;
        for (Stroke s : strokes) {
            if (s.eraser) {
                erasing = true;
                continue;
            }
            if (erasing) {
                out.write("  </g>\n");
                openGroups--;
                erasing = false;
            }
            if (s.points == null || s.points.isEmpty()) {
                skipped++;
                continue;
            }
            String paint = String.format(us, "#%06x", s.color & 0xffffff);
            float opacity = Color.alpha(s.color) / 255f;
            switch (s.tool) {
                case "marker":
                    opacity *= 0.5f;
                    break;
                case "spray":
                    for (PointF p : s.points) {
                        out.write(String.format(us, "  <circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\" fill=\"%s\" opacity=\"%.2f\"/>\n",
                                p.x, p.y, s.width / 8f, paint, opacity * 0.3f));
                    }
                    continue;
                default:
                    break;
            }
            PointF first = s.points.get(0);
            if (s.points.size() == 1) {
                out.write(String.format(us, "  <circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n",
                        first.x, first.y, s.width / 2, paint));
                continue;
            }
            StringBuilder d = new StringBuilder();
            d.append(String.format(us, "M%.1f %.1f", first.x, first.y));
            for (int i = 1; i < s.points.size() - 1; i++) {
                PointF a = s.points.get(i);
                PointF b = s.points.get(i + 1);
                d.append(String.format(us, "Q%.1f %.1f %.1f %.1f", a.x, a.y, (a.x + b.x) / 2, (a.y + b.y) / 2));
            }
            PointF end = s.points.get(s.points.size() - 1);
            d.append(String.format(us, "L%.1f %.1f", end.x, end.y));
            if (s.closed) {
                d.append('Z');
            }
            out.write("  <path d=\"" + d + "\" stroke=\"" + paint + "\"");
            out.write(s.closed ? " fill=\"" + paint + "\" fill-opacity=\"0.2\"" : " fill=\"none\"");
            if (opacity < 0.995f) {
                out.write(String.format(us, " stroke-opacity=\"%.2f\"", opacity));
            }
            out.write(String.format(us, " stroke-width=\"%.1f\" stroke-linejoin=\"round\"/>\n", s.width));
        }
        while (openGroups-- > 0) {
            out.write("  </g>\n");
        }
        if (skipped > 0) {
            out.write("  <!-- " + skipped + " empty strokes left out -->\n");
        }
        out.write("</svg>\n");
        out.flush();
    }

    /** Makes up a file name from the date, avoiding names that exist in the folder. */
    public static File freshName(File folder, String extension) {
        String stamp = new SimpleDateFormat("yyyy-MM-dd", Locale.US).format(new Date());
        File candidate = new File(folder, stamp + extension);
        char suffix = 'b';
        while (candidate.exists() && suffix <= 'z') {
            candidate = new File(folder, stamp + suffix++ + extension);
        }
        return candidate;
    }

    /** Crops away the empty margin around the drawing before it is saved. */
    public static Bitmap trim(Bitmap b) {
        int minX = b.getWidth(), minY = b.getHeight(), maxX = -1, maxY = -1;
        for (int y = 0; y < b.getHeight(); y++) {
            for (int x = 0; x < b.getWidth(); x++) {
                if ((b.getPixel(x, y) >>> 24) != 0) {
                    minX = Math.min(minX, x);
                    maxX = Math.max(maxX, x);
                    minY = Math.min(minY, y);
                    maxY = y;
                }
            }
        }
        return maxX < 0 ? b : Bitmap.createBitmap(b, minX, minY, maxX - minX + 1, maxY - minY + 1);
    }

    public int cleanCache(long olderThanMillis) {
        File[] stale = context.getCacheDir().listFiles(
                f -> f.getName().endsWith(".png") && f.lastModified() < System.currentTimeMillis() - olderThanMillis);
        int gone = 0;
        if (stale != null) {
            for (File f : stale) {
                if (f.delete()) gone++;
                else Log.w(TAG, "stuck: " + f);
            }
        }
        return gone;
    }
}
