package com.northpixel.brushpad;

import android.content.Context;
import android.content.res.Configuration;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.DashPathEffect;
import android.graphics.Matrix;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.Point;
import android.graphics.RadialGradient;
import android.graphics.Rect;
import android.graphics.RectF;
import android.graphics.Shader;
import android.graphics.drawable.ColorDrawable;
import android.os.Parcelable;
import android.util.AttributeSet;
import android.util.DisplayMetrics;
import android.view.Display;
import android.view.HapticFeedbackConstants;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.View;
import android.view.Window;
import android.view.WindowManager;

/** The view the user draws on. */
public class DrawingSurface extends View {

    private final Matrix view = new Matrix();
    private final Paint guide = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final Paint ink = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final Rect dirty = new Rect();
    private StrokeSmoother stroke = new StrokeSmoother();
    private Bitmap sheet;
    private Canvas sheetCanvas;
    private float cursorX = -1, cursorY;
    private boolean gridVisible;

    public DrawingSurface(Context context, AttributeSet attrs) {
        super(context, attrs);
        guide.setStyle(Paint.Style.STROKE);
        ink.setStrokeCap(Paint.Cap.ROUND);
    }

    /** Picks the dimensions of a new sheet so that it covers the display, margins included. */
    public Point defaultSheet(int marginPercent) {
        WindowManager windows = (WindowManager) getContext().getSystemService(Context.WINDOW_SERVICE);
        DisplayMetrics dm = new DisplayMetrics();
        Display panel = windows.getDefaultDisplay();
        panel.getMetrics(dm);
        int w = dm.widthPixels + dm.widthPixels * marginPercent / 100;
        int h = dm.heightPixels + dm.heightPixels * marginPercent / 100;
        return new Point(Math.max(w, h), Math.min(w, h));
    }

    /** Turns the tablet into a lamp, for tracing from a sheet that lies on the glass. */
    public void lightTable(Window window) {
        WindowManager.LayoutParams lamp = window.getAttributes();
        lamp.screenBrightness = WindowManager.LayoutParams.BRIGHTNESS_OVERRIDE_FULL;
        lamp.buttonBrightness = WindowManager.LayoutParams.BRIGHTNESS_OVERRIDE_OFF;
        lamp.rotationAnimation = WindowManager.LayoutParams.ROTATION_ANIMATION_JUMPCUT;
        window.setAttributes(lamp);
        window.setBackgroundDrawable(new ColorDrawable(Color.WHITE));
        window.clearFlags(WindowManager.LayoutParams.FLAG_ALLOW_LOCK_WHILE_SCREEN_ON);
        setLayerType(View.LAYER_TYPE_HARDWARE, guide);
    }

    @Override
    protected void onSizeChanged(int w, int h, int oldw, int oldh) {
        super.onSizeChanged(w, h, oldw, oldh);
        if (sheet == null && w > 0 && h > 0) {
            newSheet(w, h);
        } else if (sheet != null) {
            view.setRectToRect(new RectF(0, 0, sheet.getWidth(), sheet.getHeight()),
                    new RectF(0, 0, w, h), Matrix.ScaleToFit.CENTER);
        }
    }

    private void newSheet(int w, int h) {
        int side = Math.max(w, h) / 64 * 64 + 64;
        sheet = Bitmap.createBitmap(getResources().getDisplayMetrics(), side, side, Bitmap.Config.ARGB_8888);
        sheet.eraseColor(Color.WHITE);
        sheetCanvas = new Canvas(sheet);
        sheetCanvas.setDensity(Bitmap.DENSITY_NONE);
    }

    @Override
    protected void onDraw(Canvas canvas) {
        int saved = canvas.save();
        canvas.concat(view);
        if (sheet != null) {
            canvas.drawBitmap(sheet, 0, 0, null);
        }
        canvas.drawPath(stroke.toPath(), ink);
        canvas.restoreToCount(saved);
        if (gridVisible) {
            drawGrid(canvas, 24 * getResources().getDisplayMetrics().density);
        }
        if (cursorX >= 0) {
            drawCircleCursor(canvas);
        }
    }

    /** Draws the circular brush cursor with a soft rim around the stylus tip. */
    private void drawCircleCursor(Canvas canvas) {
        float r = Math.max(6f, ink.getStrokeWidth() / 2f);
        guide.setPathEffect(null);
        guide.setShader(new RadialGradient(cursorX, cursorY, r + 2f,
                new int[]{Color.TRANSPARENT, Color.BLACK, Color.WHITE}, new float[]{0.7f, 0.9f, 1f}, Shader.TileMode.CLAMP));
        canvas.drawCircle(cursorX, cursorY, r, guide);
        guide.setShader(null);
    }

    /** Overlays a dashed grid whose spacing is given in pixels of the screen. */
    private void drawGrid(Canvas canvas, float spacing) {
        guide.setPathEffect(new DashPathEffect(new float[]{2f, 6f}, 0f));
        guide.setColor(0x40000000);
        Path lines = new Path();
        for (float x = spacing; x < getWidth(); x += spacing) {
            lines.moveTo(x, 0);
            lines.lineTo(x, getHeight());
        }
        for (float y = spacing; y < getHeight(); y += spacing) {
            lines.moveTo(0, y);
            lines.lineTo(getWidth(), y);
        }
        canvas.drawPath(lines, guide);
    }

    /** Feeds the finger or stylus into the current stroke. */
    @Override
    public boolean onTouchEvent(MotionEvent event) {
        float tolerance = 1.5f * getResources().getDisplayMetrics().density;
        switch (event.getActionMasked()) {
            case MotionEvent.ACTION_DOWN:
                stroke = new StrokeSmoother();
                getParent().requestDisallowInterceptTouchEvent(true);
                stroke.add(event.getX(), event.getY(), 0f);
                return true;
            case MotionEvent.ACTION_MOVE:
                if (GestureRouter.unroll(event, stroke, tolerance) > 0) {
                    postInvalidateOnAnimation();
                }
                return true;
            case MotionEvent.ACTION_UP:
                commit();
                performHapticFeedback(HapticFeedbackConstants.VIRTUAL_KEY);
                return true;
            default:
                return super.onTouchEvent(event);
        }
    }

    private void commit() {
        Path path = stroke.toPath();
        RectF bounds = new RectF();
        path.computeBounds(bounds, false);
        bounds.roundOut(dirty);
        int grow = (int) Math.ceil(ink.getStrokeWidth());
        dirty.inset(-grow, -grow);
        sheetCanvas.drawPath(path, ink);
        stroke = new StrokeSmoother();
        invalidate(dirty);
    }

    /** Follows a hovering stylus and hides the cursor when it leaves. */
    @Override
    public boolean onHoverEvent(MotionEvent event) {
        boolean gone = event.getActionMasked() == MotionEvent.ACTION_HOVER_EXIT;
        cursorX = gone ? -1f : event.getX();
        cursorY = gone ? 0f : event.getY();
        invalidate();
        return event.getToolType(0) == MotionEvent.TOOL_TYPE_STYLUS;
    }

    /** Changes the brush size with the volume keys. */
    @Override
    public boolean onKeyDown(int keyCode, KeyEvent event) {
        float now = ink.getStrokeWidth();
        if (keyCode == KeyEvent.KEYCODE_VOLUME_UP) {
            ink.setStrokeWidth(Math.min(200f, now * 1.2f + 1));
        } else if (keyCode == KeyEvent.KEYCODE_VOLUME_DOWN) {
            ink.setStrokeWidth(Math.max(1f, now / 1.2f - 1));
        } else {
            return super.onKeyDown(keyCode, event);
        }
        return true;
    }

    /** Picks up the colour below a screen position, like an eyedropper. */
    public int sample(float x, float y) {
        float[] at = {x, y};
        Matrix back = new Matrix();
        view.invert(back);
        back.mapPoints(at);
        int sx = Math.round(at[0]), sy = Math.round(at[1]);
        boolean inside = sheet != null && sx >= 0 && sy >= 0 && sx < sheet.getWidth() && sy < sheet.getHeight();
        return inside ? sheet.getPixel(sx, sy) : Color.TRANSPARENT;
    }

    /** Hides the system bars so that the whole height of the screen is paper. */
    public void goImmersive(boolean on) {
        int flags = View.SYSTEM_UI_FLAG_LAYOUT_STABLE;
        if (on) {
            flags |= View.SYSTEM_UI_FLAG_FULLSCREEN | View.SYSTEM_UI_FLAG_HIDE_NAVIGATION
                    | View.SYSTEM_UI_FLAG_IMMERSIVE_STICKY;
        }
        setSystemUiVisibility(flags);
    }

    @Override
    protected void onConfigurationChanged(Configuration newConfig) {
        super.onConfigurationChanged(newConfig);
        gridVisible &= newConfig.orientation == Configuration.ORIENTATION_LANDSCAPE;
        requestLayout();
    }

    @Override
    protected Parcelable onSaveInstanceState() {
        android.os.Bundle state = new android.os.Bundle();
        state.putParcelable("super", super.onSaveInstanceState());
        float[] values = new float[9];
        view.getValues(values);
        state.putFloatArray("matrix", values);
        state.putFloat("width", ink.getStrokeWidth());
        return state;
    }
}
