package net.lanternlabs.trailnotes.ui;

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
import android.util.TypedValue;
import android.view.GestureDetector;
import android.view.MotionEvent;
import android.view.View;

import net.lanternlabs.trailnotes.gpx.TrackPoint;

import java.util.List;
import java.util.Locale;

/** Draws the ups and downs of a walk. */
public class ElevationView extends View {

    private final Paint mLine = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final Paint mFill = new Paint();
    private final Paint mGrid = new Paint();
    private final Paint mText = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final Path mOutline = new Path();
    private final GestureDetector mGestures;
    private float[] mAlong = new float[0];
    private float[] mHeights = new float[0];
    private int mCursor = -1;

    public ElevationView(Context context, AttributeSet attrs) {
        super(context, attrs);
        mLine.setStyle(Paint.Style.STROKE);
        mLine.setColor(0xFF33691E);
        mGrid.setPathEffect(new DashPathEffect(new float[]{6, 6}, 0));
        mText.setTextSize(TypedValue.applyDimension(TypedValue.COMPLEX_UNIT_SP, 11, getResources().getDisplayMetrics()));
        mGestures = new GestureDetector(context, new GestureDetector.SimpleOnGestureListener() {
            @Override
            public boolean onDown(MotionEvent e) {
                getParent().requestDisallowInterceptTouchEvent(mHeights.length > 0);
                return mHeights.length > 0;
            }

            @Override
            public boolean onScroll(MotionEvent from, MotionEvent to, float dx, float dy) {
                mCursor = indexAt(to.getX());
                invalidate();
                return true;
            }
        });
    }

    /** Takes over the track to draw; points without height are bridged. */
    public void setTrack(List<TrackPoint> track) {
        int n = track.size();
        mAlong = new float[n];
        mHeights = new float[n];
        double way = 0;
        double last = 0;
        for (int i = 0; i < n; i++) {
            TrackPoint p = track.get(i);
            if (i > 0) way += track.get(i - 1).metresTo(p);
            last = Double.isNaN(p.ele) ? last : p.ele;
            mAlong[i] = (float) way;
            mHeights[i] = (float) last;
        }
        mCursor = -1;
        requestLayout();
        invalidate();
    }

    @Override
    public boolean onTouchEvent(MotionEvent event) {
        boolean used = mGestures.onTouchEvent(event);
        if (event.getActionMasked() == MotionEvent.ACTION_UP || event.getActionMasked() == MotionEvent.ACTION_CANCEL) {
            mCursor = -1;
            performClick();
            invalidate();
        }
        return used || super.onTouchEvent(event);
    }

    /** Finds the point nearest to a horizontal place by halving. */
    int indexAt(float x) {
        float usable = getWidth() - getPaddingLeft() - getPaddingRight();
        float wanted = (x - getPaddingLeft()) / usable * mAlong[mAlong.length - 1];
        int low = 0, high = mAlong.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (mAlong[middle] < wanted) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    @Override
    protected void onMeasure(int widthSpec, int heightSpec) {
        int width = MeasureSpec.getSize(widthSpec);
        int ideal = Math.max(getSuggestedMinimumHeight(), width * 9 / 21);
        setMeasuredDimension(width, resolveSize(ideal, heightSpec));
    }

    /** Paints grid, profile, steep parts and the cursor with its balloon. */
    @Override
    protected void onDraw(Canvas canvas) {
        super.onDraw(canvas);
        float density = getResources().getDisplayMetrics().density;
        RectF area = new RectF(getPaddingLeft() + 36 * density, getPaddingTop() + 8 * density,
                getWidth() - getPaddingRight() - 8 * density, getHeight() - getPaddingBottom() - 20 * density);
        int n = mHeights.length;
        if (n < 2 || area.width() <= 0) {
            mText.setTextAlign(Paint.Align.CENTER);
            mText.setColor(Color.GRAY);
            canvas.drawText("\u2014", getWidth() / 2f, getHeight() / 2f, mText);
            return;
        }

        float min = Float.MAX_VALUE;
        float max = -Float.MAX_VALUE;
        for (float h : mHeights) {
            min = Math.min(min, h);
            max = Math.max(max, h);
        }
        if (max - min < 50) {
            float middle = (max + min) / 2;
            min = middle - 25;
            max = middle + 25;
        }
        float step = 10;
        int factor = 0;
        while ((max - min) / step > 6) {
            step *= factor % 3 == 1 ? 2.5f : 2f;
            factor++;
        }
        float floor = (float) Math.floor(min / step) * step;
        float ceiling = (float) Math.ceil(max / step) * step;
        float scaleY = area.height() / (ceiling - floor);
        float scaleX = area.width() / mAlong[n - 1];

        mGrid.setColor(0x55000000);
        mGrid.setStrokeWidth(density);
        mText.setColor(Color.DKGRAY);
        mText.setTextAlign(Paint.Align.RIGHT);
        Paint.FontMetrics metrics = mText.getFontMetrics();
        for (float h = floor; h <= ceiling + 0.01f; h += step) {
            float y = area.bottom - (h - floor) * scaleY;
            canvas.drawLine(area.left, y, area.right, y, mGrid);
            canvas.drawText(String.format(Locale.getDefault(), "%.0f", h), area.left - 4 * density,
                    y - (metrics.ascent + metrics.descent) / 2, mText);
        }
        mText.setTextAlign(Paint.Align.CENTER);
        float kmStep = mAlong[n - 1] > 20000 ? 5000 : mAlong[n - 1] > 6000 ? 2000 : 500;
        for (float d = kmStep; d < mAlong[n - 1]; d += kmStep) {
            float x = area.left + d * scaleX;
            canvas.drawLine(x, area.bottom, x, area.bottom + 4 * density, mGrid);
            canvas.drawText(kmStep < 1000 ? d / 1000 + "" : (int) (d / 1000) + " km", x,
                    area.bottom + 4 * density - metrics.ascent, mText);
        }

        mOutline.rewind();
        mOutline.moveTo(area.left, area.bottom);
        for (int i = 0; i < n; i++) {
            mOutline.lineTo(area.left + mAlong[i] * scaleX, area.bottom - (mHeights[i] - floor) * scaleY);
        }
        mOutline.lineTo(area.right, area.bottom);
        mOutline.close();
        mFill.setShader(new LinearGradient(0, area.top, 0, area.bottom, 0xAA7CB342, 0x227CB342, Shader.TileMode.CLAMP));
        canvas.drawPath(mOutline, mFill);

        int from = 0;
        for (int i = 1; i < n; i++) {
            float run = mAlong[i] - mAlong[from];
            if (run < 60 && i < n - 1) {
                continue;
            }
            float slope = run <= 0 ? 0 : (mHeights[i] - mHeights[from]) / run;
            if (slope > 0.2f) {
                mLine.setColor(0xFFB71C1C);
            } else if (slope > 0.1f) {
                mLine.setColor(0xFFEF6C00);
            } else {
                mLine.setColor(slope < -0.15f ? 0xFF1565C0 : 0xFF33691E);
            }
            mLine.setStrokeWidth(2.5f * density);
            for (int k = from; k < i; k++) {
                canvas.drawLine(area.left + mAlong[k] * scaleX, area.bottom - (mHeights[k] - floor) * scaleY,
                        area.left + mAlong[k + 1] * scaleX, area.bottom - (mHeights[k + 1] - floor) * scaleY, mLine);
            }
            from = i;
        }

        if (mCursor >= 0 && mCursor < n) {
            float x = area.left + mAlong[mCursor] * scaleX;
            float y = area.bottom - (mHeights[mCursor] - floor) * scaleY;
            String label = String.format(Locale.getDefault(), "%.0f m  %.1f km", mHeights[mCursor], mAlong[mCursor] / 1000);
            float half = mText.measureText(label) / 2 + 6 * density;
            float centre = Math.max(area.left + half, Math.min(area.right - half, x));
            RectF balloon = new RectF(centre - half, area.top, centre + half, area.top + 18 * density);
            mFill.setShader(null);
            mFill.setColor(0xEEFFFFFF);
            canvas.drawLine(x, balloon.bottom, x, area.bottom, mGrid);
            canvas.drawRoundRect(balloon, 4 * density, 4 * density, mFill);
            mLine.setStrokeWidth(density);
            canvas.drawRoundRect(balloon, 4 * density, 4 * density, mLine);
            canvas.drawText(label, centre, balloon.centerY() - (metrics.ascent + metrics.descent) / 2, mText);
            canvas.drawCircle(x, y, 4 * density, mLine);
        }
    }
}
