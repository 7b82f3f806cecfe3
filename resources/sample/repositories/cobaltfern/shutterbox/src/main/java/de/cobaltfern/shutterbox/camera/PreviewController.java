package de.cobaltfern.shutterbox.camera;

import android.content.ContentValues;
import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.ImageFormat;
import android.graphics.Matrix;
import android.graphics.Rect;
import android.graphics.RectF;
import android.graphics.SurfaceTexture;
import android.graphics.YuvImage;
import android.hardware.Camera;
import android.media.AudioManager;
import android.net.Uri;
import android.os.Handler;
import android.os.Message;
import android.provider.MediaStore;
import android.util.Log;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;

/**
 * Drives the old camera API. All calls arrive on one handler thread.
 */
@SuppressWarnings("deprecation")
public class PreviewController implements Handler.Callback
{
    enum State
    {
        CLOSED, OPENING, IDLE, FOCUSING, SHOOTING, RECORDING, BROKEN;

        /** Tells whether the preview picture moves in this state. */
        boolean isLive()
        {
            return EnumSet.of(IDLE, FOCUSING, RECORDING).contains(this);
        }
    }

    static final int MSG_OPEN = 1, MSG_CLOSE = 2, MSG_FOCUS = 3, MSG_FOCUSED = 4, MSG_SHOOT = 5;
    static final int MSG_PICTURE = 6, MSG_FLIP = 7, MSG_FLASH = 8, MSG_ERROR = 9, MSG_TIMEOUT = 10;

    private static final String TAG = "PreviewController";

    private final Context context;
    private final Handler handler;
    private State state = State.CLOSED;
    private Camera camera;
    private SurfaceTexture texture;
    private int facing = Camera.CameraInfo.CAMERA_FACING_BACK;
    private boolean shootAfterFocus;
    private int retries;
    private File lastFile;
    private Uri lastFrame;

    public PreviewController(Context context, Handler handler)
    {
        this.context = context;
        this.handler = handler;
    }

    /** Stores a captured frame next to the other pictures so that it shows up everywhere. */
    public void keepFrame(Bitmap frame, double latitude, double longitude) throws IOException
    {
        ContentValues row = new ContentValues();
        row.put(MediaStore.Images.Media.LATITUDE, latitude);
        row.put(MediaStore.Images.Media.LONGITUDE, longitude);
        row.put(MediaStore.Images.Media.MIME_TYPE, "image/png");
        row.put(MediaStore.Images.Media.BUCKET_DISPLAY_NAME, "Shutterbox");
        row.put(MediaStore.Images.Media.DATE_TAKEN, System.currentTimeMillis());
        lastFrame = context.getContentResolver().insert(MediaStore.Images.Media.EXTERNAL_CONTENT_URI, row);
        try (OutputStream out = context.getContentResolver().openOutputStream(lastFrame))
        {
            if (!frame.compress(Bitmap.CompressFormat.PNG, 100, out)) throw new IOException("encoder refused the frame");
        }
        Log.i(TAG, "frame kept as " + lastFrame);
    }

    /**
     * Moves the camera from one state to the next. Messages that do not fit the state are dropped,
     * except errors, which always close the device.
     */
    @Override
    public boolean handleMessage(Message msg)
    {
        final State before = state;
        switch (msg.what)
        {
            case MSG_OPEN:
                if (state != State.CLOSED && state != State.BROKEN) return true;
                state = State.OPENING;
                texture = (SurfaceTexture) msg.obj;
                try
                {
                    int wanted = -1;
                    Camera.CameraInfo info = new Camera.CameraInfo();
                    for (int id = 0; id < Camera.getNumberOfCameras() && wanted < 0; id++)
                    {
                        Camera.getCameraInfo(id, info);
                        if (info.facing == facing) wanted = id;
                    }
                    camera = wanted < 0 ? Camera.open() : Camera.open(wanted);
                    camera.setErrorCallback((error, c) -> handler.obtainMessage(MSG_ERROR, error, 0).sendToTarget());
                    camera.setPreviewTexture(texture);
                    camera.startPreview();
                    retries = 0;
                    state = State.IDLE;
                }
                catch (IOException | RuntimeException busy)
                {
                    Log.w(TAG, "cannot open, try " + retries, busy);
                    state = State.BROKEN;
                    if (retries++ < 3) handler.sendMessageDelayed(handler.obtainMessage(MSG_OPEN, texture), 300L << retries);
                }
                break;

            case MSG_CLOSE:
                handler.removeMessages(MSG_TIMEOUT);
                handler.removeMessages(MSG_OPEN);
                if (camera != null)
                {
                    camera.setErrorCallback(null);
                    if (state.isLive()) camera.stopPreview();
                    camera.release();
                    camera = null;
                }
                state = State.CLOSED;
                break;

            case MSG_FOCUS:
                if (state == State.FOCUSING)
                {
                    camera.cancelAutoFocus();
                    state = State.IDLE;
                }
                if (state != State.IDLE) break;
                List<String> modes = camera.getParameters().getSupportedFocusModes();
                if (!modes.contains(Camera.Parameters.FOCUS_MODE_AUTO))
                {
                    if (shootAfterFocus) handler.sendEmptyMessage(MSG_SHOOT);
                    break;
                }
                state = State.FOCUSING;
                handler.sendEmptyMessageDelayed(MSG_TIMEOUT, 2500);
                camera.autoFocus((ok, c) -> handler.obtainMessage(MSG_FOCUSED, ok ? 1 : 0, 0).sendToTarget());
                break;

            case MSG_TIMEOUT:
            case MSG_FOCUSED:
                handler.removeMessages(MSG_TIMEOUT);
                if (state != State.FOCUSING) break;
                state = State.IDLE;
                if (msg.arg1 == 0) Log.d(TAG, "not sharp");
                if (shootAfterFocus)
                {
                    shootAfterFocus = false;
                    handler.sendEmptyMessage(MSG_SHOOT);
                }
                break;

            case MSG_SHOOT:
                if (state == State.FOCUSING)
                {
                    shootAfterFocus = true;
                    break;
                }
                if (state != State.IDLE) break;
                state = State.SHOOTING;
                AudioManager audio = (AudioManager) context.getSystemService(Context.AUDIO_SERVICE);
                boolean silent = audio.getRingerMode() != AudioManager.RINGER_MODE_NORMAL;
                Camera.ShutterCallback click = silent ? null : () -> audio.playSoundEffect(AudioManager.FX_KEY_CLICK);
                camera.takePicture(click, null, (jpeg, c) -> handler.obtainMessage(MSG_PICTURE, jpeg).sendToTarget());
                break;

            case MSG_PICTURE:
                if (state != State.SHOOTING) break;
                byte[] jpeg = (byte[]) msg.obj;
                lastFile = new File(context.getExternalFilesDir(null), "shot" + jpeg.length + ".jpg");
                try (FileOutputStream out = new FileOutputStream(lastFile))
                {
                    out.write(jpeg);
                }
                catch (IOException full)
                {
                    Log.e(TAG, "shot lost", full);
                }
                camera.startPreview();
                state = State.IDLE;
                break;

            case MSG_FLIP:
                if (!state.isLive() || state == State.RECORDING) break;
                facing = facing == Camera.CameraInfo.CAMERA_FACING_BACK
                    ? Camera.CameraInfo.CAMERA_FACING_FRONT : Camera.CameraInfo.CAMERA_FACING_BACK;
                handler.sendEmptyMessage(MSG_CLOSE);
                handler.sendMessage(handler.obtainMessage(MSG_OPEN, texture));
                break;

            case MSG_FLASH:
                if (!state.isLive()) break;
                Camera.Parameters p = camera.getParameters();
                List<String> flashes = p.getSupportedFlashModes();
                if (flashes == null) break;
                int at = flashes.indexOf(p.getFlashMode());
                p.setFlashMode(flashes.get((at + 1) % flashes.size()));
                camera.setParameters(p);
                break;

            case MSG_ERROR:
                boolean died = msg.arg1 == Camera.CAMERA_ERROR_SERVER_DIED;
                handler.sendEmptyMessage(MSG_CLOSE);
                if (died) handler.sendMessageDelayed(handler.obtainMessage(MSG_OPEN, texture), 1000);
                break;

            default:
                return false;
        }
        if (state != before) Log.d(TAG, before + " -> " + state);
        return true;
    }

    /** Picks the preview size whose shape comes closest to the screen and is not wider. */
    public static Camera.Size choosePreviewSize(List<Camera.Size> sizes, int width, int height)
    {
        double wanted = (double) Math.max(width, height) / Math.min(width, height);
        Camera.Size best = null;
        double bestScore = Double.MAX_VALUE;
        for (Camera.Size s : sizes)
        {
            double skew = Math.abs((double) s.width / s.height - wanted);
            double waste = Math.abs(s.width - Math.max(width, height)) / 10000.0;
            if (skew + waste < bestScore)
            {
                bestScore = skew + waste;
                best = s;
            }
        }
        return best;
    }

    /** Translates a touch on the preview to the driver's focus rectangle. */
    public static List<Camera.Area> focusArea(float x, float y, int w, int h, int displayRotation)
    {
        Matrix toDriver = new Matrix();
        toDriver.postRotate(-displayRotation, w / 2f, h / 2f);
        toDriver.postScale(2000f / w, 2000f / h);
        toDriver.postTranslate(-1000, -1000);
        RectF spot = new RectF(x - 40, y - 40, x + 40, y + 40);
        toDriver.mapRect(spot);
        Rect area = new Rect();
        spot.round(area);
        if (!area.intersect(-1000, -1000, 1000, 1000)) area.set(-100, -100, 100, 100);
        return Collections.singletonList(new Camera.Area(area, 800));
    }

    /** Converts a raw preview frame to JPEG bytes. */
    public static byte[] encodeFrame(byte[] nv21, int w, int h)
    {
        YuvImage yuv = new YuvImage(nv21, ImageFormat.NV21, w, h, null);
        ByteArrayOutputStream sink = new ByteArrayOutputStream(nv21.length / 4);
        yuv.compressToJpeg(new Rect(0, 0, w, h), 85, sink);
        return sink.toByteArray();
    }

    /** Extracts a grayscale bitmap row from the brightness plane, for the zebra overlay. */
    static int overexposed(byte[] luma, int w, int y, int limit)
    {
        int hot = 0;
        for (int x = 0, at = y * w; x < w; x++, at++)
        {
            if ((luma[at] & 0xFF) > limit) hot++;
        }
        return hot;
    }

    /** Zooms in or out when the user pinches, smoothly if the camera can. */
    public void zoom(float factor)
    {
        if (!state.isLive()) return;
        Camera.Parameters p = camera.getParameters();
        if (!p.isZoomSupported()) return;
        List<Integer> ratios = p.getZoomRatios();
        int wanted = Math.round(ratios.get(p.getZoom()) * factor);
        int step = Collections.binarySearch(ratios, wanted);
        if (step < 0) step = Math.min(-step - 1, ratios.size() - 1);
        if (p.isSmoothZoomSupported()) camera.startSmoothZoom(step);
        else
        {
            p.setZoom(step);
            camera.setParameters(p);
        }
    }

    public List<String> describe()
    {
        List<String> lines = new ArrayList<>();
        lines.add("state " + state);
        lines.add("last " + (lastFile == null ? "none" : lastFile.length() / 1024 + " kB"));
        if (camera != null) Collections.addAll(lines, camera.getParameters().flatten().split(";"));
        return lines;
    }
}
