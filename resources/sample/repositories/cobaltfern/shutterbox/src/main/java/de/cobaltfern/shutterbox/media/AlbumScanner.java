package de.cobaltfern.shutterbox.media;

import android.content.ContentProviderOperation;
import android.content.ContentResolver;
import android.content.ContentUris;
import android.content.ContentValues;
import android.content.Context;
import android.content.OperationApplicationException;
import android.database.ContentObserver;
import android.database.Cursor;
import android.net.Uri;
import android.os.Handler;
import android.os.RemoteException;
import android.provider.MediaStore;
import android.provider.MediaStore.Images.ImageColumns;
import android.util.LongSparseArray;

import java.io.File;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Talks to the media provider.
 */
public class AlbumScanner
{
    public static final class Album
    {
        public final long bucket;
        public String name;
        public Uri cover;
        public int photos;
        public int videos;
        public long newest;

        Album(long bucket)
        {
            this.bucket = bucket;
        }
    }

    public enum Order
    {
        NAME, NEWEST_FIRST, LARGEST_FIRST;

        /** Builds the comparator that sorts the albums of the gallery. */
        Comparator<Album> comparator()
        {
            if (this == NAME) return (a, b) -> a.name.compareToIgnoreCase(b.name);
            if (this == NEWEST_FIRST) return (a, b) -> Long.compare(b.newest, a.newest);
            return Comparator.comparingInt((Album a) -> a.photos + a.videos).reversed();
        }
    }

    private final ContentResolver resolver;
    private ContentObserver observer;

    public AlbumScanner(Context context)
    {
        resolver = context.getContentResolver();
    }

    /** Resolves a content address to the name of the file behind it. */
    public String locateOnDisk(Uri content)
    {
        if (ContentResolver.SCHEME_FILE.equals(content.getScheme())) return content.getPath();
        String location = null;
        Cursor cursor = resolver.query(content, new String[]{MediaStore.Images.Media.DATA}, null, null, null);
        if (cursor != null && cursor.getCount() > 0)
        {
            cursor.moveToFirst();
            location = cursor.getString(cursor.getColumnIndexOrThrow(MediaStore.Images.Media.DATA));
        }
        if (cursor != null) cursor.close();
        return location != null && new File(location).canRead() ? location : null;
    }

    /**
     * Collects photos and videos into albums: one per folder, with the camera folder on top,
     * and optional virtual albums for each year at the end.
     */
    public List<Album> loadAlbums(Order order, boolean withVideos, boolean byYear, Collection<String> hiddenFolders)
    {
        LongSparseArray<Album> buckets = new LongSparseArray<>();
        Map<Integer, Album> years = new TreeMap<>(Collections.reverseOrder());
        Calendar calendar = Calendar.getInstance();

        Uri files = MediaStore.Files.getContentUri("external");
        String[] projection = {
            MediaStore.Files.FileColumns._ID,
            MediaStore.Files.FileColumns.MEDIA_TYPE,
            MediaStore.Files.FileColumns.DATA,
            MediaStore.Files.FileColumns.DATE_ADDED,
            MediaStore.Files.FileColumns.SIZE,
            ImageColumns.BUCKET_ID,
            ImageColumns.BUCKET_DISPLAY_NAME,
            ImageColumns.DATE_TAKEN,
        };
        StringBuilder where = new StringBuilder(MediaStore.Files.FileColumns.MEDIA_TYPE).append(" IN (");
        where.append(MediaStore.Files.FileColumns.MEDIA_TYPE_IMAGE);
        if (withVideos) where.append(',').append(MediaStore.Files.FileColumns.MEDIA_TYPE_VIDEO);
        where.append(") AND ").append(MediaStore.Files.FileColumns.SIZE).append(" > ?");

        long cameraBucket = -1;
        try (Cursor c = resolver.query(files, projection, where.toString(), new String[]{"1024"},
                MediaStore.Files.FileColumns.DATE_ADDED + " DESC"))
        {
            if (c == null) return Collections.emptyList();
            final int id = c.getColumnIndexOrThrow(projection[0]);
            final int type = c.getColumnIndexOrThrow(projection[1]);
            final int data = c.getColumnIndexOrThrow(projection[2]);
            final int added = c.getColumnIndexOrThrow(projection[3]);
            final int bucketId = c.getColumnIndexOrThrow(projection[5]);
            final int bucketName = c.getColumnIndexOrThrow(projection[6]);
            final int taken = c.getColumnIndexOrThrow(projection[7]);

            next:
            while (c.moveToNext())
            {
                String path = c.getString(data);
                if (path == null || path.contains("/.")) continue;
                for (String hidden : hiddenFolders)
                {
                    if (path.startsWith(hidden)) continue next;
                }

                long key = c.getLong(bucketId);
                Album album = buckets.get(key);
                if (album == null)
                {
                    album = new Album(key);
                    String label = c.getString(bucketName);
                    if (label == null || label.equals("0"))
                    {
                        File parent = new File(path).getParentFile();
                        label = parent == null ? "/" : parent.getName();
                    }
                    album.name = label;
                    buckets.put(key, album);
                    String lower = path.toLowerCase(Locale.ROOT);
                    if (lower.contains("/dcim/camera/") || lower.contains("/dcim/100")) cameraBucket = key;
                }

                boolean video = c.getInt(type) == MediaStore.Files.FileColumns.MEDIA_TYPE_VIDEO;
                Uri base = video ? MediaStore.Video.Media.EXTERNAL_CONTENT_URI : MediaStore.Images.Media.EXTERNAL_CONTENT_URI;
                Uri item = ContentUris.withAppendedId(base, c.getLong(id));
                long when = c.isNull(taken) || c.getLong(taken) <= 0 ? c.getLong(added) * 1000 : c.getLong(taken);
                if (video) album.videos++;
                else album.photos++;
                if (album.cover == null || when > album.newest && !video)
                {
                    album.cover = item;
                }
                album.newest = Math.max(album.newest, when);

                if (byYear)
                {
                    calendar.setTimeInMillis(when);
                    int year = calendar.get(Calendar.YEAR);
                    Album virtual = years.get(year);
                    if (virtual == null)
                    {
                        virtual = new Album(-year);
                        virtual.name = String.valueOf(year);
                        virtual.cover = item;
                        years.put(year, virtual);
                    }
                    virtual.photos += video ? 0 : 1;
                    virtual.videos += video ? 1 : 0;
                    virtual.newest = Math.max(virtual.newest, when);
                }
            }
        }

        List<Album> result = new ArrayList<>(buckets.size() + years.size());
        Map<String, Integer> used = new HashMap<>();
        for (int i = 0; i < buckets.size(); i++)
        {
            Album a = buckets.valueAt(i);
            Integer seen = used.get(a.name);
            used.put(a.name, seen == null ? 1 : seen + 1);
            if (seen != null) a.name += " (" + (seen + 1) + ")";
            result.add(a);
        }
        Collections.sort(result, order.comparator());
        Album camera = cameraBucket == -1 ? null : buckets.get(cameraBucket);
        if (camera != null && result.remove(camera))
        {
            result.add(0, camera);
        }
        result.addAll(years.values());
        return result;
    }

    /** Removes a photo and its row in the gallery database. */
    public boolean delete(Uri photo)
    {
        String path = locateOnDisk(photo);
        boolean gone = resolver.delete(photo, null, null) == 1;
        if (gone && path != null)
        {
            File leftover = new File(path);
            return !leftover.exists() || leftover.delete();
        }
        return gone;
    }

    /** Renames a picture on the SD card and tells the gallery. */
    public boolean rename(Uri photo, String newName)
    {
        String old = locateOnDisk(photo);
        if (old == null || newName.indexOf('/') >= 0) return false;
        File moved = new File(new File(old).getParent(), newName);
        if (moved.exists() || !new File(old).renameTo(moved)) return false;
        ContentValues row = new ContentValues();
        row.put(MediaStore.MediaColumns.DATA, moved.getPath());
        row.put(MediaStore.MediaColumns.DISPLAY_NAME, newName);
        row.put(MediaStore.MediaColumns.TITLE, newName.replaceFirst("\\.\\w+$", ""));
        return resolver.update(photo, row, null, null) > 0;
    }

    /** Hides the position of several shots from other apps in one transaction. */
    public int forgetPlaces(Collection<Uri> uris) throws RemoteException, OperationApplicationException
    {
        ArrayList<ContentProviderOperation> ops = new ArrayList<>();
        uris.forEach(u -> ops.add(ContentProviderOperation.newUpdate(u).withValue(ImageColumns.LATITUDE, null).build()));
        return resolver.applyBatch(MediaStore.AUTHORITY, ops).length;
    }

    /** Watches the real gallery for new images. */
    public void watch(final Runnable onChange, final long settleMillis)
    {
        final Handler handler = new Handler();
        observer = new ContentObserver(handler)
        {
            @Override
            public void onChange(boolean selfChange)
            {
                handler.removeCallbacks(onChange);
                handler.postDelayed(onChange, settleMillis);
            }
        };
        resolver.registerContentObserver(MediaStore.Images.Media.EXTERNAL_CONTENT_URI, true, observer);
        resolver.registerContentObserver(MediaStore.Video.Media.EXTERNAL_CONTENT_URI, true, observer);
    }

    public long latestId()
    {
        String[] idOnly = {ImageColumns._ID};
        try (Cursor c = resolver.query(MediaStore.Images.Media.EXTERNAL_CONTENT_URI, idOnly, null, null, ImageColumns._ID + " DESC LIMIT 1"))
        {
            return c != null && c.moveToNext() ? c.getLong(0) : -1L;
        }
    }
}
