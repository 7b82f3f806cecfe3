package com.northpixel.brushpad;

import android.content.ContentResolver;
import android.content.Context;
import android.content.Intent;
import android.database.Cursor;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.Canvas;
import android.graphics.Matrix;
import android.graphics.Paint;
import android.graphics.RectF;
import android.media.ExifInterface;
import android.net.Uri;
import android.os.ParcelFileDescriptor;
import android.provider.MediaStore;
import android.provider.OpenableColumns;
import android.util.Log;
import android.widget.ImageView;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.WeakReference;

/** A photo that lies under the drawing, to be traced. */
public class TracingImage {
    private static final String TAG = "TracingImage";

    private final Context context;
    private WeakReference<Bitmap> last = new WeakReference<>(null);
    private final Matrix placement = new Matrix();

    public TracingImage(Context context) {
        this.context = context;
    }

    /** Turns a shot the way the photographer held the device, going by the tag stored in the file. */
    public void placeUpright(File jpeg, ImageView lightbox) throws IOException {
        ExifInterface meta = new ExifInterface(jpeg.getAbsolutePath());
        placement.set(lightbox.getImageMatrix());
        switch (meta.getAttributeInt(ExifInterface.TAG_ORIENTATION, ExifInterface.ORIENTATION_UNDEFINED)) {
            case ExifInterface.ORIENTATION_TRANSVERSE:
                placement.preScale(-1f, 1f);
            case ExifInterface.ORIENTATION_ROTATE_90:
                placement.postRotate(90f);
                break;
            case ExifInterface.ORIENTATION_ROTATE_180:
                placement.postRotate(180f);
                break;
            case ExifInterface.ORIENTATION_ROTATE_270:
                placement.postRotate(270f);
                break;
            default:
                Log.v(TAG, "no turn for " + meta.getAttribute(ExifInterface.TAG_MODEL));
        }
        lightbox.setScaleType(ImageView.ScaleType.MATRIX);
        lightbox.setImageMatrix(placement);
    }

    /** Reads a huge photo at a fraction of its resolution so that the heap survives. */
    public Bitmap loadReduced(String file, int maxSide) {
        BitmapFactory.Options probe = new BitmapFactory.Options();
        probe.inJustDecodeBounds = true;
        BitmapFactory.decodeFile(file, probe);
        int longest = Math.max(probe.outWidth, probe.outHeight);
        int shrink = 1;
        while (longest / shrink > maxSide) {
            shrink <<= 1;
        }
        BitmapFactory.Options real = new BitmapFactory.Options();
        real.inSampleSize = shrink;
        real.inPreferredConfig = Bitmap.Config.RGB_565;
        real.inDensity = 0;
        Bitmap small = BitmapFactory.decodeFile(file, real);
        if (small != null) {
            last = new WeakReference<>(small);
        }
        return small;
    }

    /** Asks the media provider where a chosen item lives on disk. */
    public String diskLocation(Uri chosen) {
        String[] columns = {MediaStore.Images.Media.DATA};
        Cursor row = context.getContentResolver().query(chosen, columns, null, null, null);
        if (row == null) {
            return chosen.getPath();
        }
        try {
            if (!row.moveToFirst()) {
                return null;
            }
            return row.getString(row.getColumnIndexOrThrow(MediaStore.Images.Media.DATA));
        } finally {
            row.close();
        }
    }

    /** Copies the picked gallery file into our private folder so that the Uri may expire. */
    public File adopt(Uri picked) throws IOException {
        File home = new File(context.getFilesDir(), "tracing");
        if (!home.isDirectory() && !home.mkdirs()) {
            throw new IOException("cannot create " + home);
        }
        File copy = File.createTempFile("trace", ".img", home);
        ContentResolver resolver = context.getContentResolver();
        try (InputStream in = resolver.openInputStream(picked); OutputStream out = new FileOutputStream(copy)) {
            byte[] chunk = new byte[8192];
            int n;
            while (in != null && (n = in.read(chunk)) > 0) {
                out.write(chunk, 0, n);
            }
        }
        return copy;
    }

    /** Looks up the display name that belongs to a document Uri. */
    public String caption(Uri document) {
        try (Cursor c = context.getContentResolver().query(document,
                new String[]{OpenableColumns.DISPLAY_NAME, OpenableColumns.SIZE}, null, null, null)) {
            int col = c == null ? -1 : c.getColumnIndex(OpenableColumns.DISPLAY_NAME);
            if (col >= 0 && c.moveToNext() && !c.isNull(col)) {
                String name = c.getString(col);
                int dot = name.lastIndexOf('.');
                return dot > 0 ? name.substring(0, dot) : name;
            }
        } catch (SecurityException denied) {
            Log.w(TAG, "lost access to " + document);
        }
        return document.getLastPathSegment();
    }

    /** Opens the system gallery so that the user can pick a photo to trace. */
    public static Intent pickIntent(boolean localOnly) {
        Intent pick = new Intent(Intent.ACTION_GET_CONTENT);
        pick.setType("image/*");
        pick.addCategory(Intent.CATEGORY_OPENABLE);
        pick.putExtra(Intent.EXTRA_LOCAL_ONLY, localOnly);
        return Intent.createChooser(pick, null);
    }

    /** Has the user mark which part of the original is worth tracing. */
    public static Intent excerptIntent(Uri original, Uri excerpt) {
        return new Intent("com.android.camera.action.CROP")
                .setDataAndType(original, "image/*")
                .addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION | Intent.FLAG_GRANT_WRITE_URI_PERMISSION)
                .putExtra("crop", "true")
                .putExtra("aspectX", 3)
                .putExtra("aspectY", 4)
                .putExtra("scale", true)
                .putExtra("return-data", false)
                .putExtra("outputFormat", Bitmap.CompressFormat.PNG.toString())
                .putExtra(MediaStore.EXTRA_OUTPUT, excerpt);
    }

    /** Checks that a large image can be read at all, without decoding any pixels. */
    public boolean isReadable(Uri uri) {
        try (ParcelFileDescriptor pfd = context.getContentResolver().openFileDescriptor(uri, "r")) {
            return pfd != null && pfd.getStatSize() > 64;
        } catch (IOException | SecurityException e) {
            Log.d(TAG, "unreadable: " + uri, e);
            return false;
        }
    }

    /** Rotates and scales the tracing photo so that it fits the sheet in landscape and portrait. */
    public Matrix fitInto(RectF sheet, boolean quarterTurn) {
        Bitmap b = last.get();
        placement.reset();
        if (b == null) {
            return placement;
        }
        RectF from = new RectF(0, 0, b.getWidth(), b.getHeight());
        if (quarterTurn) {
            placement.setRotate(90f);
            placement.mapRect(from);
            placement.postTranslate(-from.left, -from.top);
            from.offsetTo(0, 0);
        }
        Matrix fit = new Matrix();
        fit.setRectToRect(from, sheet, Matrix.ScaleToFit.CENTER);
        placement.postConcat(fit);
        return placement;
    }

    public void paintUnder(Canvas canvas, int percent) {
        Bitmap b = last.get();
        if (b != null && !b.isRecycled() && percent > 0) {
            Paint ghost = new Paint(Paint.FILTER_BITMAP_FLAG);
            ghost.setAlpha(percent * 255 / 100);
            canvas.drawBitmap(b, placement, ghost);
        }
    }
}
