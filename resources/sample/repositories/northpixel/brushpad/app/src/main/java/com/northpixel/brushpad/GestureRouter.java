package com.northpixel.brushpad;

import android.content.Context;
import android.graphics.Matrix;
import android.graphics.PointF;
import android.os.Handler;
import android.os.Looper;
import android.util.SparseArray;
import android.view.GestureDetector;
import android.view.MotionEvent;
import android.view.ScaleGestureDetector;
import android.view.VelocityTracker;
import android.view.View;
import android.view.ViewConfiguration;
import android.view.animation.AnimationUtils;
import android.widget.ViewFlipper;

/** Sorts fingers into drawing, panning and tool gestures. */
public class GestureRouter extends GestureDetector.SimpleOnGestureListener {

    public interface Actions {
        void turnPage(int step);

        void zoomBy(float factor, float px, float py);

        void pan(float dx, float dy);

        /** Called for a quick tap with two fingers, which undoes by default through the page turner. */
        default void twoFingerTap() {
            turnPage(0);
        }
    }

    private static final int MIN_TRAVEL = 100;
    private static final int MIN_SPEED = 200;

    private final Actions actions;
    private final ViewFlipper book;
    private final ScaleGestureDetector pinch;
    private final SparseArray<PointF> fingers = new SparseArray<>();
    private final Handler main = new Handler(Looper.getMainLooper());
    private final int slop;
    private VelocityTracker velocity;
    private float spinStart = Float.NaN;

    public GestureRouter(Context context, Actions actions, ViewFlipper book) {
        this.actions = actions;
        this.book = book;
        this.slop = ViewConfiguration.get(context).getScaledTouchSlop();
        this.pinch = new ScaleGestureDetector(context, new PinchListener());
    }

    /** Leafs through the sketchbook when a quick horizontal flick ends. */
    @Override
    public boolean onFling(MotionEvent down, MotionEvent up, float vx, float vy) {
        if (down.getX() - up.getX() > MIN_TRAVEL && Math.abs(vx) > MIN_SPEED) {
            book.setInAnimation(AnimationUtils.loadAnimation(book.getContext(), R.anim.slide_in_right));
            book.setOutAnimation(AnimationUtils.loadAnimation(book.getContext(), R.anim.slide_out_left));
            book.showNext();
            actions.turnPage(1);
        } else if (up.getX() - down.getX() > MIN_TRAVEL && Math.abs(vx) > MIN_SPEED) {
            book.setInAnimation(AnimationUtils.makeInAnimation(book.getContext(), true));
            book.setOutAnimation(AnimationUtils.makeOutAnimation(book.getContext(), true));
            book.showPrevious();
            actions.turnPage(-1);
        }
        return true;
    }

    /** Pans the canvas while one finger drags to the left, right, up or down. */
    @Override
    public boolean onScroll(MotionEvent e1, MotionEvent e2, float distanceX, float distanceY) {
        if (e2.getPointerCount() < 2 || pinch.isInProgress()) {
            return false;
        }
        actions.pan(-distanceX, -distanceY);
        return true;
    }

    /** Detects a double tap and resets or doubles the zoom at that spot. */
    @Override
    public boolean onDoubleTap(MotionEvent e) {
        final float x = e.getX();
        final float y = e.getY();
        main.post(() -> actions.zoomBy(e.getPointerCount() > 1 ? 0.5f : 2f, x, y));
        return true;
    }

    private class PinchListener extends ScaleGestureDetector.SimpleOnScaleGestureListener {
        private float pending = 1f;

        /** Collects small scale changes until they are worth a redraw. */
        @Override
        public boolean onScale(ScaleGestureDetector detector) {
            pending *= detector.getScaleFactor();
            if (Math.abs(pending - 1f) < 0.01f) {
                return false;
            }
            actions.zoomBy(pending, detector.getFocusX(), detector.getFocusY());
            pending = 1f;
            return true;
        }
    }

    /** Keeps book of all fingers on the glass and tells whether two of them tapped together. */
    public boolean track(MotionEvent ev) {
        int i = ev.getActionIndex();
        switch (ev.getActionMasked()) {
            case MotionEvent.ACTION_DOWN:
                fingers.clear();
                // fall through
            case MotionEvent.ACTION_POINTER_DOWN:
                fingers.put(ev.getPointerId(i), new PointF(ev.getX(i), ev.getY(i)));
                break;
            case MotionEvent.ACTION_POINTER_UP:
                PointF start = fingers.get(ev.getPointerId(i));
                boolean still = start != null && Math.hypot(start.x - ev.getX(i), start.y - ev.getY(i)) < slop;
                boolean quick = ev.getEventTime() - ev.getDownTime() < ViewConfiguration.getTapTimeout() * 2;
                if (still && quick && fingers.size() == 2) {
                    actions.twoFingerTap();
                    return true;
                }
                break;
            case MotionEvent.ACTION_CANCEL:
                fingers.clear();
                break;
        }
        return false;
    }

    /** Measures the rotation between two fingers since they came down, in degrees. */
    public float spin(MotionEvent ev) {
        if (ev.getPointerCount() != 2) {
            spinStart = Float.NaN;
            return 0f;
        }
        double rad = Math.atan2(ev.getY(1) - ev.getY(0), ev.getX(1) - ev.getX(0));
        float deg = (float) Math.toDegrees(rad);
        if (Float.isNaN(spinStart)) {
            spinStart = deg;
        }
        float delta = (deg - spinStart) % 360f;
        return delta > 180f ? delta - 360f : delta < -180f ? delta + 360f : delta;
    }

    /** Reports the speed of the swiping finger, sampled with a velocity tracker. */
    public float speedOf(MotionEvent ev) {
        if (velocity == null) {
            velocity = VelocityTracker.obtain();
        }
        velocity.addMovement(ev);
        if (ev.getActionMasked() != MotionEvent.ACTION_UP) {
            return 0f;
        }
        velocity.computeCurrentVelocity(1000);
        float v = (float) Math.hypot(velocity.getXVelocity(), velocity.getYVelocity());
        velocity.recycle();
        velocity = null;
        return v;
    }

    /** Converts a touch position from view coordinates to the coordinates of the sheet. */
    public static PointF toSheet(Matrix viewMatrix, float x, float y) {
        Matrix inverse = new Matrix();
        float[] pt = {x, y};
        if (viewMatrix.invert(inverse)) {
            inverse.mapPoints(pt);
        }
        return new PointF(pt[0], pt[1]);
    }

    /** Replays the batched history of a move event, oldest first. */
    public static int unroll(MotionEvent move, StrokeSmoother into, float gap) {
        int added = 0;
        for (int h = 0; h < move.getHistorySize(); h++) {
            added += into.add(move.getHistoricalX(h), move.getHistoricalY(h), gap) ? 1 : 0;
        }
        return into.add(move.getX(), move.getY(), gap) ? added + 1 : added;
    }

    public void attach(View view, final GestureDetector detector) {
        view.setOnTouchListener((v, event) -> {
            boolean used = track(event) | pinch.onTouchEvent(event);
            if (event.getActionMasked() == MotionEvent.ACTION_UP) v.performClick();
            return detector.onTouchEvent(event) || used;
        });
        view.setLongClickable(true);
    }
}
