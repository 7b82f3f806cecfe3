package dev.ferncreek.stridelog;

import java.util.Arrays;

/** Counts strides in the raw accelerometer stream, without the step sensor that half of the phones lack. */
class StrideCounter {

    private enum Phase { UNKNOWN, RISING, FALLING, RESTING }

    private static final int WINDOW = 64;
    private static final float NANOS = 1e9f;

    private final float[] history = new float[WINDOW];
    private int head;
    private int filled;
    private float gravity = 9.81f;
    private float smooth;
    private float peak;
    private float valley;
    private long peakAt;
    private long lastStrideAt;
    private int pendingStrides;
    private int strides;
    private float rhythm;
    private Phase phase = Phase.UNKNOWN;

    /**
     * Takes one reading and returns how many strides it confirmed.
     * The first few strides of a walk are held back until their rhythm is steady, so that picking the phone
     * up from the table is not counted.
     */
    int feed(float x, float y, float z, long nanos) {
        float size = (float) Math.sqrt(x * x + y * y + z * z);
        gravity += 0.01f * (size - gravity);
        float net = size - gravity;
        smooth += 0.35f * (net - smooth);
        history[head] = smooth;
        head = (head + 1) % WINDOW;
        filled = Math.min(WINDOW, filled + 1);
        if (filled < WINDOW / 2) {
            return 0;
        }

        // the threshold follows the liveliness of the last second
        float mean = 0;
        for (int i = 0; i < filled; i++) {
            mean += history[i];
        }
        mean /= filled;
        float spread = 0;
        for (int i = 0; i < filled; i++) {
            float off = history[i] - mean;
            spread += off * off;
        }
        float liveliness = (float) Math.sqrt(spread / filled);
        float hurdle = Math.max(0.6f, 0.7f * liveliness);
        float sinceStride = lastStrideAt == 0 ? Float.MAX_VALUE : (nanos - lastStrideAt) / NANOS;

        if (liveliness < 0.25f) {
            if (phase != Phase.RESTING) {
                phase = Phase.RESTING;
                pendingStrides = 0;
                rhythm = 0;
            }
            return 0;
        }

        int confirmed = 0;
        switch (phase) {
            case RESTING:
            case UNKNOWN:
                peak = smooth;
                valley = smooth;
                phase = smooth > mean ? Phase.RISING : Phase.FALLING;
                break;
            case RISING:
                if (smooth > peak) {
                    peak = smooth;
                    peakAt = nanos;
                } else if (peak - smooth > hurdle) {
                    // passed the top: is it far enough from the last one?
                    float interval = lastStrideAt == 0 ? 0 : (peakAt - lastStrideAt) / NANOS;
                    boolean tooFast = lastStrideAt != 0 && interval < 0.22f;
                    boolean tooSlow = lastStrideAt != 0 && interval > 2.0f;
                    if (tooFast) {
                        // an echo of the same footfall
                        phase = Phase.FALLING;
                        valley = smooth;
                        break;
                    }
                    if (tooSlow || lastStrideAt == 0) {
                        pendingStrides = 1;
                        rhythm = 0;
                    } else if (rhythm == 0) {
                        rhythm = interval;
                        pendingStrides++;
                    } else {
                        float drift = Math.abs(interval - rhythm) / rhythm;
                        if (drift < 0.35f) {
                            rhythm = 0.8f * rhythm + 0.2f * interval;
                            pendingStrides++;
                        } else if (Math.abs(interval - 2 * rhythm) / rhythm < 0.35f) {
                            // one footfall was swallowed
                            pendingStrides += 2;
                        } else {
                            pendingStrides = 1;
                            rhythm = interval;
                        }
                    }
                    lastStrideAt = peakAt;
                    if (pendingStrides >= 6) {
                        confirmed = strides == 0 || sinceStride > 2.0f ? pendingStrides : pendingStrides - 5;
                        strides += confirmed;
                        pendingStrides = 5;
                    }
                    phase = Phase.FALLING;
                    valley = smooth;
                }
                break;
            case FALLING:
                if (smooth < valley) {
                    valley = smooth;
                } else if (smooth - valley > hurdle) {
                    phase = Phase.RISING;
                    peak = smooth;
                    peakAt = nanos;
                }
                break;
            default:
                throw new IllegalStateException(phase.name());
        }
        return confirmed;
    }

    /** Strides per minute right now, zero while standing. */
    int cadence() {
        return phase == Phase.RESTING || rhythm <= 0 ? 0 : Math.round(60f / rhythm);
    }

    /** Guesses the length of a stride from body height and cadence. */
    double strideMetres(double heightMetres) {
        int perMinute = cadence();
        double factor;
        if (perMinute < 100) {
            factor = 0.40;
        } else if (perMinute < 140) {
            factor = 0.41 + (perMinute - 100) * 0.0015;
        } else {
            factor = 0.47 + Math.min(60, perMinute - 140) * 0.004;
        }
        return factor * heightMetres;
    }

    /** Forgets everything, for the next workout. */
    void restart() {
        Arrays.fill(history, 0f);
        head = filled = pendingStrides = strides = 0;
        rhythm = 0f;
        lastStrideAt = peakAt = 0L;
        phase = Phase.UNKNOWN;
    }
}
