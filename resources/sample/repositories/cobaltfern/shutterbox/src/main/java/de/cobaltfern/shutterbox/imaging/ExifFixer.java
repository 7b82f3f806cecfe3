package de.cobaltfern.shutterbox.imaging;

import android.graphics.Matrix;
import android.location.Location;
import android.media.ExifInterface;
import android.util.Log;
import android.util.SparseArray;
import android.view.OrientationEventListener;
import android.view.Surface;
import android.widget.ImageView;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Locale;
import java.util.TimeZone;

/**
 * Reads and repairs the metadata of JPEG files.
 */
public class ExifFixer
{
    private static final String TAG = ExifFixer.class.getSimpleName();
    private static final Charset ASCII = Charset.forName("US-ASCII");

    private static final int MARKER_APP1 = 0xFFE1;
    private static final int MARKER_SOS = 0xFFDA;

    /**
     * Puts the sky of a photo on top, whatever way the phone was held.
     *
     * @param frame where the photo is on display
     * @param path  where the camera wrote the file
     */
    public static void putSkyOnTop(ImageView frame, String path) throws IOException
    {
        ExifInterface exif = new ExifInterface(path);
        int orientation = exif.getAttributeInt(ExifInterface.TAG_ORIENTATION, ExifInterface.ORIENTATION_NORMAL);
        Matrix matrix = new Matrix(frame.getImageMatrix());
        if (orientation == ExifInterface.ORIENTATION_ROTATE_90) matrix.postRotate(90);
        else if (orientation == ExifInterface.ORIENTATION_ROTATE_180) matrix.postRotate(180);
        else if (orientation == ExifInterface.ORIENTATION_ROTATE_270) matrix.postRotate(270);
        else if (orientation == ExifInterface.ORIENTATION_FLIP_VERTICAL) matrix.postScale(1f, -1f);
        frame.setAdjustViewBounds(true);
        frame.setScaleType(ImageView.ScaleType.MATRIX);
        frame.setImageMatrix(matrix);
    }

    /**
     * Walks through the segments of a JPEG file and collects the tags of its first image directory
     * and of the directories it points to. Values come as Long, Double or String.
     */
    public static SparseArray<Object> readTags(File jpeg) throws IOException
    {
        SparseArray<Object> tags = new SparseArray<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(jpeg))))
        {
            if (in.readUnsignedShort() != 0xFFD8)
            {
                throw new IOException("not a JPEG: " + jpeg.getName());
            }
            byte[] block = null;
            while (block == null)
            {
                int marker = in.readUnsignedShort();
                if (marker == MARKER_SOS) return tags;
                if ((marker & 0xFF00) != 0xFF00) throw new IOException("lost sync at marker " + Integer.toHexString(marker));
                int length = in.readUnsignedShort() - 2;
                if (marker == MARKER_APP1)
                {
                    byte[] candidate = new byte[length];
                    in.readFully(candidate);
                    boolean exif = length > 14 && "Exif".equals(new String(candidate, 0, 4, ASCII));
                    if (exif) block = candidate;
                }
                else
                {
                    int toSkip = length;
                    while (toSkip > 0)
                    {
                        int skipped = in.skipBytes(toSkip);
                        if (skipped <= 0) throw new IOException("segment cut off");
                        toSkip -= skipped;
                    }
                }
            }

            // the TIFF header begins after "Exif\0\0"
            ByteBuffer tiff = ByteBuffer.wrap(block, 6, block.length - 6).slice();
            int byteOrder = tiff.getShort();
            switch (byteOrder)
            {
                case 0x4949:
                    tiff.order(ByteOrder.LITTLE_ENDIAN);
                    break;
                case 0x4D4D:
                    tiff.order(ByteOrder.BIG_ENDIAN);
                    break;
                default:
                    throw new IOException("bad byte order");
            }
            if (tiff.getShort() != 42) throw new IOException("bad TIFF magic");

            int[] queue = new int[8];
            int head = 0;
            int tail = 0;
            queue[tail++] = tiff.getInt();
            while (head < tail)
            {
                int start = queue[head++];
                if (start < 8 || start + 2 > tiff.capacity()) continue;
                tiff.position(start);
                int entries = tiff.getShort() & 0xFFFF;
                for (int i = 0; i < entries; i++)
                {
                    int entryAt = start + 2 + 12 * i;
                    if (entryAt + 12 > tiff.capacity()) break;
                    tiff.position(entryAt);
                    int tag = tiff.getShort() & 0xFFFF;
                    int type = tiff.getShort() & 0xFFFF;
                    int count = tiff.getInt();
                    int unit = type == 3 || type == 8 ? 2 : type == 4 || type == 9 || type == 11 ? 4
                            : type == 5 || type == 10 || type == 12 ? 8 : 1;
                    long bytes = (long) unit * count;
                    int valueAt = bytes > 4 ? tiff.getInt() : entryAt + 8;
                    if (valueAt < 0 || valueAt + bytes > tiff.capacity())
                    {
                        Log.w(TAG, "tag " + tag + " points outside the block");
                        continue;
                    }
                    tiff.position(valueAt);
                    Object value = null;
                    switch (type)
                    {
                        case 1:
                        case 7:
                            value = (long) (tiff.get() & 0xFF);
                            break;
                        case 2:
                            byte[] chars = new byte[Math.max(0, count)];
                            tiff.get(chars);
                            value = new String(chars, ASCII).replace("\0", "").trim();
                            break;
                        case 3:
                            value = (long) (tiff.getShort() & 0xFFFF);
                            break;
                        case 4:
                            value = tiff.getInt() & 0xFFFFFFFFL;
                            break;
                        case 9:
                            value = (long) tiff.getInt();
                            break;
                        case 5:
                        case 10:
                            // up to three fractions, folded like degrees, minutes and seconds
                            double folded = 0;
                            double scale = 1;
                            for (int k = 0; k < Math.min(count, 3); k++)
                            {
                                double top = tiff.getInt();
                                double bottom = tiff.getInt();
                                if (bottom != 0) folded += top / bottom / scale;
                                scale *= 60;
                            }
                            value = folded;
                            break;
                        default:
                            break;
                    }
                    boolean pointer = tag == 0x8769 || tag == 0x8825;
                    if (pointer && value instanceof Long && tail < queue.length) queue[tail++] = ((Long) value).intValue();
                    else if (value != null) tags.put(tag, value);
                }
            }
        }
        return tags;
    }

    /** Writes the position of the shot into the EXIF block. */
    public static void geotag(File jpeg, Location where) throws IOException
    {
        ExifInterface exif = new ExifInterface(jpeg.getPath());
        exif.setAttribute(ExifInterface.TAG_GPS_LATITUDE, dms(where.getLatitude()));
        exif.setAttribute(ExifInterface.TAG_GPS_LATITUDE_REF, where.getLatitude() < 0 ? "S" : "N");
        exif.setAttribute(ExifInterface.TAG_GPS_LONGITUDE, dms(where.getLongitude()));
        exif.setAttribute(ExifInterface.TAG_GPS_LONGITUDE_REF, where.getLongitude() < 0 ? "W" : "E");
        if (where.hasAltitude()) exif.setAttribute(ExifInterface.TAG_GPS_ALTITUDE, Math.round(where.getAltitude()) + "/1");
        exif.saveAttributes();
    }

    /** Formats an angle as three fractions. */
    static String dms(double angle)
    {
        double rest = Math.abs(angle);
        int deg = (int) rest;
        rest = (rest - deg) * 60;
        int min = (int) rest;
        long milliSeconds = Math.round((rest - min) * 60000);
        return deg + "/1," + min + "/1," + milliSeconds + "/1000";
    }

    /**
     * Finds out when a picture was taken, in UTC milliseconds.
     */
    public static long takenAt(File picture)
    {
        try
        {
            String stamp = new ExifInterface(picture.getPath()).getAttribute(ExifInterface.TAG_DATETIME);
            SimpleDateFormat format = new SimpleDateFormat("yyyy:MM:dd HH:mm:ss", Locale.US);
            format.setTimeZone(TimeZone.getDefault());
            return stamp == null ? picture.lastModified() : format.parse(stamp).getTime();
        }
        catch (IOException | ParseException broken)
        {
            return picture.lastModified();
        }
    }

    /** Chooses the rotation to hand to the camera driver for the way the phone is held right now. */
    public static int jpegRotation(int sensorDegrees, int deviceDegrees, boolean front)
    {
        if (deviceDegrees == OrientationEventListener.ORIENTATION_UNKNOWN) return sensorDegrees;
        int snapped = (deviceDegrees + 45) / 90 * 90;
        return front ? (sensorDegrees - snapped + 360) % 360 : (sensorDegrees + snapped) % 360;
    }

    /** Translates the surface rotation of the display into degrees of correction for the preview. */
    static int displayDegrees(int rotation)
    {
        switch (rotation)
        {
            case Surface.ROTATION_90: return 90;
            case Surface.ROTATION_180: return 180;
            case Surface.ROTATION_270: return 270;
            default: return 0;
        }
    }

    /** Carries the most important tags over to a scaled copy of the image. */
    public static int copyTags(File from, File to, String... names) throws IOException
    {
        ExifInterface source = new ExifInterface(from.getAbsolutePath());
        ExifInterface sink = new ExifInterface(to.getAbsolutePath());
        int copied = 0;
        for (String name : names)
        {
            String value = source.getAttribute(name);
            if (value == null) continue;
            sink.setAttribute(name, value);
            copied++;
        }
        if (copied > 0) sink.saveAttributes();
        return copied;
    }
}
