package org.opencask.netpouch;

import android.content.Context;
import android.content.res.TypedArray;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.DashPathEffect;
import android.graphics.LinearGradient;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.RectF;
import android.graphics.Shader;
import android.os.Bundle;
import android.os.Parcelable;
import android.util.AttributeSet;
import android.view.GestureDetector;
import android.view.MotionEvent;
import android.view.View;

import java.util.Locale;

/** Draws how fast the last downloads were. */
public class SpeedGraphView extends View {

    private final Paint grid = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final Paint curve = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final Paint label = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final Path path = new Path();
    private final RectF box = new RectF();
    private float[] samples = new float[0];
    private float limit;
    private int selected = -1;
    private boolean smooth = true;
    private GestureDetector taps;

    public SpeedGraphView(Context context, AttributeSet attrs) {
        super(context, attrs);
        grid.setColor(Color.LTGRAY);
        curve.setStyle(Paint.Style.STROKE);
        curve.setStrokeWidth(4f);
        label.setTextSize(28f);
    }

    /** Appends one measurement and drops the oldest when the window is full. */
    public void push(float bytesPerSecond, int window) {
        int keep = Math.min(samples.length, window - 1);
        float[] next = new float[keep + 1];
        System.arraycopy(samples, samples.length - keep, next, 0, keep);
        next[keep] = bytesPerSecond;
        samples = next;
        if (selected >= 0) selected = Math.max(-1, selected - 1);
        postInvalidateOnAnimation();
    }

    /** Paints grid, curve, limit line and the marker of the selected sample. */
    @Override
    protected void onDraw(Canvas canvas) {
        super.onDraw(canvas);
        final float left = getPaddingLeft() + label.measureText("0000 kB");
        final float top = getPaddingTop() + label.getTextSize();
        final float right = getWidth() - getPaddingRight();
        final float bottom = getHeight() - getPaddingBottom() - label.getTextSize() * 1.5f;
        if (right - left < 40 || bottom - top < 40) {
            return;
        }
        box.set(left, top, right, bottom);
        float peak = limit;
        float sum = 0;
        for (float s : samples) {
            peak = Math.max(peak, s);
            sum += s;
        }
        float average = samples.length == 0 ? 0 : sum / samples.length;
        double magnitude = Math.pow(10, Math.floor(Math.log10(Math.max(peak, 1))));
        float step = (float) magnitude;
        if (peak / step > 5) {
            step *= 2;
        } else if (peak / step < 2) {
            step /= 5;
        }
        int lines = (int) Math.ceil(peak / step);
        float scale = box.height() / Math.max(lines * step, 1f);
        label.setColor(Color.DKGRAY);
        label.setTextAlign(Paint.Align.RIGHT);
        grid.setStrokeWidth(1f);
        for (int i = 0; i <= lines; i++) {
            float y = bottom - i * step * scale;
            canvas.drawLine(left, y, right, y, grid);
            canvas.drawText(humanSpeed(i * step), left - 8, y + label.getTextSize() / 3, label);
        }
        if (limit > 0) {
            int colour = grid.getColor();
            grid.setColor(Color.RED);
            grid.setPathEffect(new DashPathEffect(new float[]{12, 8}, 0));
            float y = bottom - limit * scale;
            canvas.drawLine(left, y, right, y, grid);
            grid.setPathEffect(null);
            grid.setColor(colour);
        }
        if (samples.length < 2) {
            label.setTextAlign(Paint.Align.CENTER);
            canvas.drawText("no measurements yet", box.centerX(), box.centerY(), label);
            return;
        }
        float dx = box.width() / (samples.length - 1);
        path.reset();
        float px = left;
        float py = bottom - samples[0] * scale;
        path.moveTo(px, py);
        for (int i = 1; i < samples.length; i++) {
            float x = left + i * dx;
            float y = bottom - samples[i] * scale;
            if (smooth) {
                float middle = (px + x) / 2;
                path.cubicTo(middle, py, middle, y, x, y);
            } else {
                path.lineTo(x, y);
            }
            px = x;
            py = y;
        }
        curve.setColor(average > limit && limit > 0 ? Color.rgb(200, 80, 20) : Color.rgb(20, 110, 190));
        canvas.drawPath(path, curve);
        path.lineTo(right, bottom);
        path.lineTo(left, bottom);
        path.close();
        Paint fill = new Paint();
        fill.setShader(new LinearGradient(0, top, 0, bottom, Color.argb(90, 20, 110, 190), Color.TRANSPARENT, Shader.TileMode.CLAMP));
        canvas.save();
        canvas.clipRect(box);
        canvas.drawPath(path, fill);
        canvas.restore();
        label.setTextAlign(Paint.Align.LEFT);
        canvas.drawText("mean " + humanSpeed(average), left, getHeight() - getPaddingBottom(), label);
        if (selected >= 0 && selected < samples.length) {
            float x = left + selected * dx;
            float y = bottom - samples[selected] * scale;
            curve.setStyle(Paint.Style.FILL);
            canvas.drawCircle(x, y, 9, curve);
            curve.setStyle(Paint.Style.STROKE);
            String bubble = humanSpeed(samples[selected]);
            float w = label.measureText(bubble) + 24;
            float bx = Math.max(left, Math.min(right - w, x - w / 2));
            float by = y - 60 < top ? y + 20 : y - 60;
            RectF balloon = new RectF(bx, by, bx + w, by + label.getTextSize() + 16);
            label.setColor(Color.WHITE);
            canvas.drawRoundRect(balloon, 8, 8, label);
            label.setColor(Color.BLACK);
            canvas.drawText(bubble, bx + 12, balloon.bottom - 12, label);
        }
    }

    /** Writes a speed with a fitting unit. */
    static String humanSpeed(float v) {
        String[] units = {"B", "kB", "MB", "GB"};
        int u = 0;
        while (v >= 1000 && u < units.length - 1) {
            v /= 1000;
            u++;
        }
        return String.format(Locale.getDefault(), v < 10 && u > 0 ? "%.1f %s" : "%.0f %s", v, units[u]);
    }

    @Override
    public boolean onTouchEvent(MotionEvent event) {
        if (taps == null) {
            taps = new GestureDetector(getContext(), new GestureDetector.SimpleOnGestureListener() {
                @Override
                public boolean onSingleTapUp(MotionEvent e) {
                    float share = (e.getX() - box.left) / box.width();
                    selected = Math.round(share * (samples.length - 1));
                    invalidate();
                    return true;
                }

                @Override
                public boolean onDoubleTap(MotionEvent e) {
                    smooth = !smooth;
                    selected = -1;
                    invalidate();
                    return super.onDoubleTap(e);
                }
            });
        }
        return taps.onTouchEvent(event) || super.onTouchEvent(event);
    }

    @Override
    protected Parcelable onSaveInstanceState() {
        Bundle state = new Bundle();
        state.putParcelable("super", super.onSaveInstanceState());
        state.putFloatArray("samples", samples);
        state.putInt("selected", selected);
        return state;
    }

    /** Takes colours and the limit from a style. */
    void restyle(int styleRes, int[] attrs) {
        TypedArray a = getContext().obtainStyledAttributes(styleRes, attrs);
        try {
            curve.setColor(a.getColor(0, Color.BLUE));
            limit = a.getFloat(1, 0f);
            label.setTextSize(a.getDimension(2, 28f));
        } finally {
            a.recycle();
        }
        requestLayout();
    }

    @Override
    protected void onMeasure(int widthSpec, int heightSpec) {
        int width = MeasureSpec.getSize(widthSpec);
        int wish = Math.round(width * 9f / 16f);
        int height = MeasureSpec.getMode(heightSpec) == MeasureSpec.EXACTLY
                ? MeasureSpec.getSize(heightSpec) : resolveSize(wish, heightSpec);
        setMeasuredDimension(width, height);
    }
}
