package dev.ferncreek.stridelog;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.DashPathEffect;
import android.graphics.LinearGradient;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.RectF;
import android.graphics.Shader;
import android.util.AttributeSet;
import android.view.MotionEvent;
import android.view.View;

import java.util.Locale;

/** Draws the finished route, coloured by speed, with a scale bar and distance flags. */
public class RouteView extends View {

    private static final int SLOW = 0xff2b6cb0;
    private static final int FAST = 0xffe53e3e;
    private static final double[] NICE = {50, 100, 200, 500, 1000, 2000, 5000, 10000};

    private final Paint line = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final Paint text = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final Path outline = new Path();
    private double[] lat = {};
    private double[] lon = {};
    private float[] speed = {};
    private int marked = -1;

    public RouteView(Context context, AttributeSet attributes) {
        super(context, attributes);
        text.setColor(Color.DKGRAY);
        text.setTextSize(12 * getResources().getDisplayMetrics().scaledDensity);
    }

    /** Replaces the route on screen. */
    public void setRoute(double[] lat, double[] lon, float[] speed) {
        if (lat.length != lon.length || lat.length != speed.length) {
            throw new IllegalArgumentException("uneven arrays");
        }
        this.lat = lat;
        this.lon = lon;
        this.speed = speed;
        marked = -1;
        invalidate();
    }

    @Override
    protected void onDraw(Canvas canvas) {
        super.onDraw(canvas);
        int count = lat.length;
        if (count < 2) {
            String hint = "No track yet";
            canvas.drawText(hint, (getWidth() - text.measureText(hint)) / 2f, getHeight() / 2f, text);
            return;
        }
        double south = 90, north = -90, west = 180, east = -180;
        float slowest = Float.MAX_VALUE, fastest = 0;
        for (int i = 0; i < count; i++) {
            south = Math.min(south, lat[i]);
            north = Math.max(north, lat[i]);
            west = Math.min(west, lon[i]);
            east = Math.max(east, lon[i]);
            slowest = Math.min(slowest, speed[i]);
            fastest = Math.max(fastest, speed[i]);
        }
        double squeeze = Math.cos(Math.toRadians((south + north) / 2));
        double spanX = Math.max(1e-5, (east - west) * squeeze);
        double spanY = Math.max(1e-5, north - south);
        float margin = 24 * getResources().getDisplayMetrics().density;
        double zoom = Math.min((getWidth() - 2 * margin) / spanX, (getHeight() - 3 * margin) / spanY);
        float left = (float) ((getWidth() - spanX * zoom) / 2);
        float top = (float) ((getHeight() - margin - spanY * zoom) / 2);

        // a pale border under the line keeps it readable on any background
        outline.rewind();
        float[] px = new float[count];
        float[] py = new float[count];
        for (int i = 0; i < count; i++) {
            px[i] = left + (float) ((lon[i] - west) * squeeze * zoom);
            py[i] = top + (float) ((north - lat[i]) * zoom);
            if (i == 0) {
                outline.moveTo(px[0], py[0]);
            } else {
                outline.lineTo(px[i], py[i]);
            }
        }
        line.setStyle(Paint.Style.STROKE);
        line.setStrokeCap(Paint.Cap.ROUND);
        line.setStrokeJoin(Paint.Join.ROUND);
        line.setShader(null);
        line.setPathEffect(null);
        line.setColor(0xccffffff);
        line.setStrokeWidth(margin / 2.5f);
        canvas.drawPath(outline, line);

        // the coloured pieces
        line.setStrokeWidth(margin / 5f);
        float range = Math.max(0.1f, fastest - slowest);
        for (int i = 1; i < count; i++) {
            float step = Math.abs(px[i] - px[i - 1]) + Math.abs(py[i] - py[i - 1]);
            if (step < 0.5f && i < count - 1) {
                continue;
            }
            int from = blend((speed[i - 1] - slowest) / range);
            int to = blend((speed[i] - slowest) / range);
            line.setColor(from);
            line.setShader(from == to ? null
                    : new LinearGradient(px[i - 1], py[i - 1], px[i], py[i], from, to, Shader.TileMode.CLAMP));
            canvas.drawLine(px[i - 1], py[i - 1], px[i], py[i], line);
        }
        line.setShader(null);

        // a flag at every kilometre
        double walked = 0;
        int flag = 1;
        for (int i = 1; i < count; i++) {
            double dy = (lat[i] - lat[i - 1]) * 111320.0;
            double dx = (lon[i] - lon[i - 1]) * 111320.0 * squeeze;
            walked += Math.hypot(dx, dy);
            if (walked >= flag * 1000.0) {
                line.setStyle(Paint.Style.FILL);
                line.setColor(Color.WHITE);
                canvas.drawCircle(px[i], py[i], text.getTextSize() * 0.75f, line);
                String label = Integer.toString(flag);
                canvas.drawText(label, px[i] - text.measureText(label) / 2f, py[i] + text.getTextSize() * 0.35f, text);
                flag = (int) (walked / 1000.0) + 1;
            }
        }

        // start and finish
        line.setStyle(Paint.Style.FILL);
        line.setColor(0xff2f855a);
        canvas.drawCircle(px[0], py[0], margin / 3f, line);
        line.setColor(Color.BLACK);
        canvas.drawRect(new RectF(px[count - 1] - margin / 4f, py[count - 1] - margin / 4f,
                px[count - 1] + margin / 4f, py[count - 1] + margin / 4f), line);
        if (marked >= 0 && marked < count) {
            line.setStyle(Paint.Style.STROKE);
            line.setPathEffect(new DashPathEffect(new float[]{6, 6}, 0));
            canvas.drawCircle(px[marked], py[marked], margin * 0.8f, line);
            line.setPathEffect(null);
            canvas.drawText(String.format(Locale.US, "%.1f km/h", speed[marked] * 3.6f), px[marked] + margin, py[marked], text);
        }

        // the scale bar: the longest nice number that takes at most a third of the width
        double metresPerPixel = 111320.0 / zoom;
        double bar = NICE[0];
        for (double nice : NICE) {
            if (nice / metresPerPixel <= getWidth() / 3.0) {
                bar = nice;
            }
        }
        float barEnd = margin + (float) (bar / metresPerPixel);
        float barY = getHeight() - margin / 2f;
        line.setStyle(Paint.Style.STROKE);
        line.setColor(Color.DKGRAY);
        line.setStrokeWidth(2f);
        canvas.drawLines(new float[]{margin, barY, barEnd, barY, margin, barY - 8, margin, barY + 1,
                barEnd, barY - 8, barEnd, barY + 1}, line);
        canvas.drawText(bar >= 1000 ? (int) (bar / 1000) + " km" : (int) bar + " m", margin, barY - 12, text);
    }

    /** Mixes the slow and the fast colour. */
    private static int blend(float share) {
        float s = Math.max(0f, Math.min(1f, share));
        int red = Math.round(Color.red(SLOW) + s * (Color.red(FAST) - Color.red(SLOW)));
        int green = Math.round(Color.green(SLOW) + s * (Color.green(FAST) - Color.green(SLOW)));
        int blue = Math.round(Color.blue(SLOW) + s * (Color.blue(FAST) - Color.blue(SLOW)));
        return Color.rgb(red, green, blue);
    }

    @Override
    public boolean onTouchEvent(MotionEvent event) {
        if (event.getActionMasked() == MotionEvent.ACTION_CANCEL || lat.length == 0) {
            marked = -1;
            return super.onTouchEvent(event);
        }
        float along = event.getX() / Math.max(1, getWidth());
        marked = Math.round(along * (lat.length - 1));
        postInvalidateOnAnimation();
        return true;
    }

    /** Thins the route with the classic line simplification so that long tracks draw quickly. */
    static boolean[] thin(double[] x, double[] y, double tolerance) {
        boolean[] keep = new boolean[x.length];
        if (x.length == 0) return keep;
        keep[0] = keep[x.length - 1] = true;
        int[] stack = new int[2 * x.length + 2];
        int depth = 0;
        stack[depth++] = 0;
        stack[depth++] = x.length - 1;
        while (depth > 0) {
            int to = stack[--depth];
            int from = stack[--depth];
            double worst = tolerance;
            int at = -1;
            double dx = x[to] - x[from], dy = y[to] - y[from];
            double length = Math.hypot(dx, dy);
            for (int i = from + 1; i < to; i++) {
                double off = length == 0 ? Math.hypot(x[i] - x[from], y[i] - y[from])
                        : Math.abs(dx * (y[from] - y[i]) - dy * (x[from] - x[i])) / length;
                if (off > worst) {
                    worst = off;
                    at = i;
                }
            }
            if (at > 0) {
                keep[at] = true;
                stack[depth++] = from;
                stack[depth++] = at;
                stack[depth++] = at;
                stack[depth++] = to;
            }
        }
        return keep;
    }
}
