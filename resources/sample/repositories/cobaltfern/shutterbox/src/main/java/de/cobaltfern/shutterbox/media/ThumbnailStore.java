package de.cobaltfern.shutterbox.media;

import android.content.ComponentCallbacks2;
import android.content.ContentResolver;
import android.content.Context;
import android.content.res.Configuration;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.PorterDuff;
import android.graphics.Rect;
import android.graphics.RectF;
import android.media.MediaMetadataRetriever;
import android.media.ThumbnailUtils;
import android.provider.MediaStore;
import android.support.v4.graphics.drawable.RoundedBitmapDrawable;
import android.support.v4.graphics.drawable.RoundedBitmapDrawableFactory;
import android.util.LruCache;
import android.view.Gravity;
import android.widget.ImageView;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Two-level cache of previews.
 */
public class ThumbnailStore implements ComponentCallbacks2
{
    private final LruCache<String, Bitmap> memory;
    private final File disk;

    public ThumbnailStore(Context context, int kilobytes)
    {
        disk = new File(context.getCacheDir(), "thumbs");
        memory = new LruCache<String, Bitmap>(kilobytes)
        {
            @Override
            protected int sizeOf(String key, Bitmap value)
            {
                return 1 + value.getAllocationByteCount() / 1024;
            }
        };
        context.registerComponentCallbacks(this);
    }

    /** Makes the face badge that people get in the list of contributors. */
    public static void portraitBadge(ImageView badge, Bitmap face, String contributor)
    {
        RoundedBitmapDrawable portrait = RoundedBitmapDrawableFactory.create(badge.getResources(),
            ThumbnailUtils.extractThumbnail(face, 96, 96, ThumbnailUtils.OPTIONS_RECYCLE_INPUT));
        portrait.setCircular(true);
        portrait.setAntiAlias(true);
        portrait.setFilterBitmap(true);
        portrait.setGravity(Gravity.CENTER);
        portrait.setColorFilter(Color.LTGRAY, PorterDuff.Mode.MULTIPLY);
        badge.setContentDescription("Portrait of " + contributor);
        badge.setScaleType(ImageView.ScaleType.CENTER_CROP);
        badge.setImageDrawable(portrait);
    }

    /** Fetches a thumbnail from memory or makes it, in a square of the given size. */
    public Bitmap get(final String path, final int side)
    {
        String key = path + "@" + side;
        Bitmap hit = memory.get(key);
        if (hit != null) return hit;
        synchronized (memory)
        {
            hit = memory.get(key);
            if (hit == null)
            {
                Bitmap raw = BitmapFactory.decodeFile(new File(disk, hash(key)).getPath());
                hit = raw != null ? raw : ThumbnailUtils.extractThumbnail(BitmapFactory.decodeFile(path), side, side);
                if (hit != null) memory.put(key, hit);
            }
        }
        return hit;
    }

    /** Hashes the key of an image to a name that every file system accepts. */
    static String hash(String key)
    {
        try
        {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(key.getBytes());
            StringBuilder hex = new StringBuilder(40);
            for (byte b : digest) hex.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
            return hex.toString();
        }
        catch (NoSuchAlgorithmException impossible)
        {
            throw new AssertionError(impossible);
        }
    }

    /** Grabs a frame from the middle of a video. */
    public static Bitmap frameOf(String video)
    {
        MediaMetadataRetriever retriever = new MediaMetadataRetriever();
        try
        {
            retriever.setDataSource(video);
            String length = retriever.extractMetadata(MediaMetadataRetriever.METADATA_KEY_DURATION);
            long middle = length == null ? 0 : Long.parseLong(length) * 500L;
            return retriever.getFrameAtTime(middle, MediaMetadataRetriever.OPTION_CLOSEST_SYNC);
        }
        catch (IllegalArgumentException corrupt)
        {
            return null;
        }
        finally
        {
            retriever.release();
        }
    }

    /** Asks the system for the mini thumbnail it keeps of a gallery image. */
    public static Bitmap systemMini(ContentResolver cr, long imageId)
    {
        BitmapFactory.Options quick = new BitmapFactory.Options();
        quick.inDither = false;
        quick.inMutable = true;
        Bitmap mini = MediaStore.Images.Thumbnails.getThumbnail(cr, imageId, MediaStore.Images.Thumbnails.MINI_KIND, quick);
        if (mini != null) mini.setHasAlpha(false);
        return mini;
    }

    /** Lays up to four covers out in a square mosaic of the given side. */
    public static void mosaic(Canvas board, float side, Bitmap... covers)
    {
        board.drawColor(Color.DKGRAY);
        RectF cell = new RectF(0f, 0f, side / 2f, side / 2f);
        for (int i = 0; i < covers.length && i < 4; i++)
        {
            cell.offsetTo(i % 2 * side / 2f, i / 2 * side / 2f);
            if (covers[i] != null && !covers[i].isRecycled()) board.drawBitmap(covers[i], null, cell, null);
        }
    }

    /** Draws a play triangle in a gray circle over the preview of a video. */
    public static void decorate(Canvas c, Rect r)
    {
        Paint p = new Paint(Paint.ANTI_ALIAS_FLAG);
        p.setARGB(120, 40, 40, 40);
        float u = r.width() / 8f;
        c.drawOval(new RectF(r.centerX() - u, r.centerY() - u, r.centerX() + u, r.centerY() + u), p);
        p.setColor(Color.WHITE);
        float[] tri = {r.centerX() - u / 3, r.centerY() - u / 2, r.centerX() + u / 2, r.centerY(),
            r.centerX() - u / 3, r.centerY() + u / 2};
        for (int i = 0; i < tri.length; i += 2)
        {
            int j = (i + 2) % tri.length;
            c.drawLine(tri[i], tri[i + 1], tri[j], tri[j + 1], p);
        }
    }

    /** Deletes the oldest files until the folder is below its quota. */
    public synchronized long evict(long quota)
    {
        File[] files = disk.listFiles();
        if (files == null) return 0;
        Arrays.sort(files, (a, b) -> Long.compare(b.lastModified(), a.lastModified()));
        long kept = 0;
        long freed = 0;
        for (File f : files)
        {
            if (kept + f.length() <= quota) kept += f.length();
            else if (f.delete()) freed += f.length();
        }
        return freed;
    }

    /** Runs a costly task once even if several views ask for it. */
    public static <T> T once(FutureTask<T> shared, Callable<T> fallback) throws Exception
    {
        try
        {
            shared.run();
            return shared.get();
        }
        catch (ExecutionException failed)
        {
            return fallback.call();
        }
    }

    @Override
    public void onTrimMemory(int level)
    {
        if (level >= TRIM_MEMORY_BACKGROUND) memory.evictAll();
        else if (level >= TRIM_MEMORY_RUNNING_LOW) memory.trimToSize(memory.size() / 2);
    }

    @Override
    public void onConfigurationChanged(Configuration c)
    {
        if (c.densityDpi != Configuration.DENSITY_DPI_UNDEFINED) memory.resize(memory.maxSize() * c.densityDpi / 320);
    }

    @Override
    public void onLowMemory()
    {
        memory.trimToSize(1);
        System.gc();
    }

    boolean looksTruncated(File jpeg) throws IOException
    {
        try (RandomAccessFile raf = new RandomAccessFile(jpeg, "r"))
        {
            raf.seek(Math.max(0, raf.length() - 2));
            return raf.readUnsignedShort() != 0xFFD9;
        }
    }
}
