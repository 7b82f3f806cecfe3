package dev.ferncreek.stridelog;

import android.content.Context;
import android.hardware.Sensor;
import android.hardware.SensorEvent;
import android.hardware.SensorEventListener;
import android.hardware.SensorManager;
import android.hardware.camera2.CameraAccessException;
import android.hardware.camera2.CameraCharacteristics;
import android.hardware.camera2.CameraManager;
import android.os.Build;
import android.os.PowerManager;
import android.os.VibrationEffect;
import android.os.Vibrator;
import android.view.Surface;
import android.view.WindowManager;

import java.util.List;

/** Lets a runner with wet fingers end a lap without touching the glass. */
public class JoltWatcher implements SensorEventListener {

    public interface OnJolt {
        void lapRequested(double strength);
    }

    private static final double LIMIT_G = 2.4;
    private static final int REST_MS = 700;

    private final Context context;
    private final SensorManager sensors;
    private final OnJolt target;
    private long previousJolt;
    private int ignored;

    public JoltWatcher(Context context, OnJolt target) {
        this.context = context;
        this.sensors = (SensorManager) context.getSystemService(Context.SENSOR_SERVICE);
        this.target = target;
    }

    /** Measures how hard the handset is being jerked and asks for a new lap above the limit. */
    @Override
    public void onSensorChanged(SensorEvent event) {
        float sum = 0f;
        for (float axis : event.values) {
            float pull = axis / SensorManager.GRAVITY_EARTH;
            sum += pull * pull;
        }
        double strength = Math.sqrt(sum);
        if (strength > LIMIT_G) {
            long now = System.currentTimeMillis();
            boolean rested = now - previousJolt >= REST_MS;
            if (rested) {
                previousJolt = now;
                target.lapRequested(strength);
            } else {
                ignored++;
            }
        }
    }

    @Override
    public void onAccuracyChanged(Sensor sensor, int accuracy) {
        if (accuracy == SensorManager.SENSOR_STATUS_UNRELIABLE && sensor.getType() == Sensor.TYPE_ACCELEROMETER) {
            previousJolt = System.currentTimeMillis() + 2L * REST_MS;
        }
    }

    /** Begins watching the accelerometer, at game speed where the phone has a real one. */
    public boolean arm() {
        Sensor meter = sensors.getDefaultSensor(Sensor.TYPE_ACCELEROMETER);
        if (meter == null) {
            return false;
        }
        int rate = meter.getMinDelay() > 0 ? SensorManager.SENSOR_DELAY_GAME : SensorManager.SENSOR_DELAY_UI;
        ignored = 0;
        return sensors.registerListener(this, meter, rate);
    }

    /** Stops watching, and tells how many jolts came too quickly after another. */
    public int disarm() {
        sensors.unregisterListener(this);
        int missed = ignored;
        ignored = 0;
        return missed;
    }

    /** Shakes the phone gently to confirm a lap (the vibrator, not the user). */
    public void buzz(int pulses) {
        Vibrator motor = (Vibrator) context.getSystemService(Context.VIBRATOR_SERVICE);
        if (motor == null || !motor.hasVibrator()) {
            return;
        }
        long[] rhythm = new long[pulses * 2];
        for (int i = 0; i < pulses; i++) {
            rhythm[2 * i] = i == 0 ? 0 : 120;
            rhythm[2 * i + 1] = 80;
        }
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.O) {
            motor.vibrate(VibrationEffect.createWaveform(rhythm, -1));
        } else {
            motor.vibrate(rhythm, -1);
        }
    }

    /** Lists the motion sensors of this phone, one per line, for the bug report. */
    public String inventory() {
        StringBuilder lines = new StringBuilder();
        List<Sensor> all = sensors.getSensorList(Sensor.TYPE_ALL);
        for (Sensor one : all) {
            lines.append(one.getName()).append(" by ").append(one.getVendor())
                    .append(", range ").append(one.getMaximumRange())
                    .append(", ").append(one.getPower()).append(" mA\n");
        }
        return lines.length() == 0 ? "none" : lines.toString();
    }

    /** Turns raw accelerometer axes into screen axes for the current rotation. */
    public float[] toScreen(float[] raw) {
        WindowManager windows = (WindowManager) context.getSystemService(Context.WINDOW_SERVICE);
        switch (windows.getDefaultDisplay().getRotation()) {
            case Surface.ROTATION_90:
                return new float[]{-raw[1], raw[0], raw[2]};
            case Surface.ROTATION_180:
                return new float[]{-raw[0], -raw[1], raw[2]};
            case Surface.ROTATION_270:
                return new float[]{raw[1], -raw[0], raw[2]};
            default:
                return raw.clone();
        }
    }

    /** Compass heading in degrees from the gravity and the magnetic field, or NaN in free fall. */
    public static double heading(float[] gravity, float[] field) {
        float[] rotation = new float[9];
        if (!SensorManager.getRotationMatrix(rotation, null, gravity, field)) {
            return Double.NaN;
        }
        float[] angles = new float[3];
        SensorManager.getOrientation(rotation, angles);
        double degrees = Math.toDegrees(angles[0]);
        return degrees < 0 ? degrees + 360 : degrees;
    }

    /** Lights the path ahead of a runner at night, or makes it dark again. */
    public void headLamp(boolean lit) throws CameraAccessException {
        CameraManager manager = (CameraManager) context.getSystemService(Context.CAMERA_SERVICE);
        String rear = manager.getCameraIdList()[0];
        CameraCharacteristics traits = manager.getCameraCharacteristics(rear);
        boolean diode = traits.get(CameraCharacteristics.FLASH_INFO_AVAILABLE) == Boolean.TRUE;
        if (diode) {
            manager.setTorchMode(rear, lit);
        } else {
            buzz(2);
        }
    }

    /** Keeps the processor awake for the length of a run, since sleeping phones detect nothing. */
    public PowerManager.WakeLock stayAwake(long hours) {
        PowerManager power = (PowerManager) context.getSystemService(Context.POWER_SERVICE);
        PowerManager.WakeLock lock = power.newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "stridelog:run");
        lock.setReferenceCounted(false);
        lock.acquire(hours * 3600000L);
        return lock;
    }
}
