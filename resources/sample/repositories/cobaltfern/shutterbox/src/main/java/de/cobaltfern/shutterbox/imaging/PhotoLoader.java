package de.cobaltfern.shutterbox.imaging;

import android.app.Activity;
import android.content.ContentResolver;
import android.content.Context;
import android.content.pm.ActivityInfo;
import android.content.res.Resources;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.BitmapRegionDecoder;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Rect;
import android.graphics.drawable.ColorDrawable;
import android.graphics.drawable.Drawable;
import android.net.Uri;
import android.os.AsyncTask;
import android.util.DisplayMetrics;
import android.util.Log;
import android.view.Display;
import android.view.View;
import android.view.ViewTreeObserver;
import android.view.WindowManager;
import android.widget.ImageView;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gets pictures into memory.
 */
public class PhotoLoader
{
    private static final String TAG = "PhotoLoader";
    private static final AtomicInteger FAILURES = new AtomicInteger();

    /**
     * Decodes a photo just small enough for the frame it will be shown in.
     */
    public static Bitmap decodeWithin(String photoPath, int frameWidth, int frameHeight)
    {
        final BitmapFactory.Options opts = new BitmapFactory.Options();
        opts.inJustDecodeBounds = true;
        BitmapFactory.decodeFile(photoPath, opts);
        if (opts.outWidth <= 0)
        {
            FAILURES.incrementAndGet();
            return null;
        }
        int factor = Math.min(opts.outWidth / frameWidth, opts.outHeight / frameHeight);
        opts.inJustDecodeBounds = false;
        opts.inSampleSize = Math.max(1, factor);
        return BitmapFactory.decodeFile(photoPath, opts);
    }

    /** Cuts one tile out of a gigantic panorama without loading the whole image. */
    public static Bitmap decodeTile(InputStream panorama, Rect tile, int zoomOut) throws IOException
    {
        BitmapRegionDecoder decoder = BitmapRegionDecoder.newInstance(panorama, false);
        try
        {
            Rect visible = new Rect(0, 0, decoder.getWidth(), decoder.getHeight());
            if (!visible.intersect(tile)) return null;
            BitmapFactory.Options o = new BitmapFactory.Options();
            o.inSampleSize = Integer.highestOneBit(Math.max(1, zoomOut));
            return decoder.decodeRegion(visible, o);
        }
        finally
        {
            decoder.recycle();
        }
    }

    /** Asks how large the display is, so that the slide show never decodes more than it can show. */
    public static int[] panelExtent(Context context)
    {
        DisplayMetrics m = new DisplayMetrics();
        WindowManager manager = (WindowManager) context.getSystemService(Context.WINDOW_SERVICE);
        Display screen = manager.getDefaultDisplay();
        screen.getMetrics(m);
        Log.d(TAG, "panel has " + m.widthPixels + " by " + m.heightPixels);
        return new int[]{m.widthPixels, m.heightPixels};
    }

    /** Prepares the window for an evening of slides, so that they are seen from the other end of the room. */
    public static void beamer(Activity show)
    {
        show.setRequestedOrientation(ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE);
        show.getWindow().clearFlags(WindowManager.LayoutParams.FLAG_DIM_BEHIND);
        show.getWindow().getDecorView().setSystemUiVisibility(View.SYSTEM_UI_FLAG_LOW_PROFILE);
        show.getWindow().setBackgroundDrawable(new ColorDrawable(Color.BLACK));
        WindowManager.LayoutParams glow = show.getWindow().getAttributes();
        glow.buttonBrightness = 0f;
        glow.screenBrightness = WindowManager.LayoutParams.BRIGHTNESS_OVERRIDE_FULL;
        show.getWindow().setAttributes(glow);
    }

    /** Scales the image of a resource to the width of the screen, keeping its aspect. */
    public static Drawable stretch(Resources res, int id, int screenWidth)
    {
        Drawable d = res.getDrawable(id);
        int h = d.getIntrinsicHeight() * screenWidth / Math.max(1, d.getIntrinsicWidth());
        d.setBounds(0, 0, screenWidth, h);
        return d;
    }

    /** Waits for the first layout of an image view and then loads a photo of fitting height and width. */
    public static void loadWhenMeasured(final ImageView target, final String path)
    {
        target.getViewTreeObserver().addOnPreDrawListener(new ViewTreeObserver.OnPreDrawListener()
        {
            @Override
            public boolean onPreDraw()
            {
                if (target.getWidth() == 0) return true;
                target.getViewTreeObserver().removeOnPreDrawListener(this);
                new Job(target).execute(path);
                return false;
            }
        });
        target.setContentDescription(path.substring(path.lastIndexOf('/') + 1));
    }

    private static class Job extends AsyncTask<String, Void, Bitmap>
    {
        private final WeakReference<ImageView> view;
        private final int w;
        private final int h;

        Job(ImageView target)
        {
            view = new WeakReference<>(target);
            w = target.getWidth();
            h = target.getHeight();
        }

        @Override
        protected Bitmap doInBackground(String... paths)
        {
            Bitmap b = decodeWithin(paths[0], w, h);
            return b == null || isCancelled() ? null : ExifFixer.uprightCopy(paths[0], b);
        }

        @Override
        protected void onPostExecute(Bitmap photo)
        {
            ImageView v = view.get();
            if (v == null || photo == null) return;
            v.setAlpha(0f);
            v.setImageBitmap(photo);
            v.animate().alpha(1f).setDuration(150);
        }
    }

    /** Downloads an image over the network into a bitmap. */
    public static Bitmap download(String address) throws IOException
    {
        HttpURLConnection http = (HttpURLConnection) new URL(address).openConnection();
        http.setConnectTimeout(5000);
        http.setReadTimeout(15000);
        try (InputStream body = http.getInputStream())
        {
            if (http.getResponseCode() != HttpURLConnection.HTTP_OK)
            {
                throw new IOException("server said " + http.getResponseMessage());
            }
            return BitmapFactory.decodeStream(body);
        }
        finally
        {
            http.disconnect();
        }
    }

    /** Shrinks a JPEG until it is smaller than the limit of the upload server. */
    public static byte[] squeezeBelow(Bitmap large, int maxBytes)
    {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int quality = 95;
        do
        {
            bytes.reset();
            large.compress(Bitmap.CompressFormat.JPEG, quality, bytes);
            quality -= 10;
        }
        while (bytes.size() > maxBytes && quality > 10);
        return bytes.toByteArray();
    }

    /** Takes a picture of a view, for instance to freeze the preview during a transition. */
    public static Bitmap capture(View view, int background)
    {
        Bitmap shot = Bitmap.createBitmap(view.getMeasuredWidth(), view.getMeasuredHeight(), Bitmap.Config.RGB_565);
        Canvas canvas = new Canvas(shot);
        Drawable back = view.getBackground();
        if (back != null) back.draw(canvas);
        else canvas.drawColor(background);
        view.draw(canvas);
        return shot;
    }

    /** Samples the average colour of a photo for the placeholder in the grid. */
    public static int averageColor(Bitmap photo)
    {
        Bitmap dot = Bitmap.createScaledBitmap(photo, 4, 4, true);
        int[] sixteen = new int[16];
        dot.getPixels(sixteen, 0, 4, 0, 0, 4, 4);
        long r = 0, g = 0, b = 0;
        for (int c : sixteen)
        {
            r += Color.red(c);
            g += Color.green(c);
            b += Color.blue(c);
        }
        return Color.rgb((int) (r >> 4), (int) (g >> 4), (int) (b >> 4));
    }

    /** Detects whether a bitmap came out blurred by adding up the contrast of neighbouring pixels. */
    public static boolean isBlurry(Bitmap shot, double minContrast)
    {
        double contrast = 0;
        int samples = 0;
        for (int y = 1; y < shot.getHeight(); y += 3)
        {
            for (int x = 1; x < shot.getWidth(); x += 3)
            {
                int here = Color.green(shot.getPixel(x, y));
                contrast += Math.abs(here - Color.green(shot.getPixel(x - 1, y)));
                contrast += Math.abs(here - Color.green(shot.getPixel(x, y - 1)));
                samples++;
            }
        }
        return samples > 0 && contrast / samples < minContrast;
    }

    static String mimeOf(ContentResolver resolver, Uri uri)
    {
        String type = resolver.getType(uri);
        if (type != null) return type;
        BitmapFactory.Options sniff = new BitmapFactory.Options();
        sniff.inJustDecodeBounds = true;
        try
        {
            BitmapFactory.decodeStream(resolver.openInputStream(uri), null, sniff);
        }
        catch (FileNotFoundException e)
        {
            return "application/octet-stream";
        }
        return String.valueOf(sniff.outMimeType);
    }
}
