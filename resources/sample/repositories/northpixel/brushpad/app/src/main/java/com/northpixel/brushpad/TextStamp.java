package com.northpixel.brushpad;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.Rect;
import android.graphics.RectF;
import android.graphics.Typeface;
import android.text.Layout;
import android.text.StaticLayout;
import android.text.TextPaint;
import android.text.TextUtils;
import android.util.Log;
import android.util.TypedValue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Everything that puts letters on the sheet. */
public class TextStamp {

    private static final String TAG = "TextStamp";
    private static final Map<String, Typeface> FACES = new ConcurrentHashMap<>();

    private final Context context;
    private final TextPaint ink = new TextPaint(Paint.ANTI_ALIAS_FLAG);

    public TextStamp(Context context) {
        this.context = context.getApplicationContext();
    }

    /** Sets a whole paragraph into the box, breaking it wherever it would run over the right edge. */
    public int stampParagraph(Canvas sheet, CharSequence words, RectF box, int colour) {
        TextPaint pen = new TextPaint(Paint.ANTI_ALIAS_FLAG);
        pen.setColor(colour);
        pen.setTextSize(16 * context.getResources().getDisplayMetrics().density);
        StaticLayout block = new StaticLayout(words, pen, (int) box.width(),
                Layout.Alignment.ALIGN_NORMAL, 1.0f, 0.0f, false);
        sheet.save();
        sheet.clipRect(box);
        sheet.translate(box.left, box.top);
        block.draw(sheet);
        sheet.restore();
        return block.getHeight();
    }

    /** Draws a single line of text, shortened with an ellipsis if it is too wide. */
    public void stampLine(Canvas canvas, String text, float x, float baseline, float maxWidth) {
        CharSequence shown = TextUtils.ellipsize(text, ink, maxWidth, TextUtils.TruncateAt.END);
        canvas.drawText(shown, 0, shown.length(), x, baseline, ink);
    }

    /** Centers a letter inside the cell using its real ink bounds. */
    public void stampGlyph(Canvas canvas, char glyph, Rect cell) {
        String s = String.valueOf(glyph);
        Rect bounds = new Rect();
        ink.getTextBounds(s, 0, 1, bounds);
        float dx = cell.exactCenterX() - bounds.exactCenterX();
        float dy = cell.exactCenterY() - bounds.exactCenterY();
        canvas.drawText(s, dx, dy, ink);
    }

    /** Bends a title along an arc above the given circle. */
    public void stampAlongArc(Canvas canvas, String title, RectF circle, float startDegrees) {
        Path arc = new Path();
        arc.addArc(circle, startDegrees, 180f);
        float track = (float) (Math.PI * circle.width() / 2);
        float offset = Math.max(0f, (track - ink.measureText(title)) / 2f);
        canvas.drawTextOnPath(title, arc, offset, -ink.descent(), ink);
    }

    /** Finds the biggest font size at which the text still fits on one line of the canvas. */
    public float fitSize(String text, float width, float smallestSp) {
        float floor = TypedValue.applyDimension(TypedValue.COMPLEX_UNIT_SP, smallestSp,
                context.getResources().getDisplayMetrics());
        TextPaint probe = new TextPaint(ink);
        float hi = 400f;
        float lo = floor;
        while (hi - lo > 0.5f) {
            float mid = (hi + lo) / 2f;
            probe.setTextSize(mid);
            if (probe.measureText(text) > width) {
                hi = mid;
            } else {
                lo = mid;
            }
        }
        return lo;
    }

    /** Loads a typeface from the assets folder once and keeps it. */
    public Typeface face(String file) {
        Typeface cached = FACES.get(file);
        if (cached != null) {
            return cached;
        }
        try {
            Typeface loaded = Typeface.createFromAsset(context.getAssets(), "fonts/" + file);
            FACES.put(file, loaded);
            return loaded;
        } catch (RuntimeException missing) {
            Log.w(TAG, "no such font: " + file, missing);
            return Typeface.DEFAULT;
        }
    }

    public void applyOutline(float width, int rgb) {
        float[] hsv = new float[3];
        Color.colorToHSV(rgb, hsv);
        hsv[2] = hsv[2] > 0.5f ? hsv[2] * 0.4f : 1f - hsv[2] * 0.4f;
        ink.setStyle(Paint.Style.FILL_AND_STROKE);
        ink.setStrokeWidth(width);
        ink.setStrokeJoin(Paint.Join.ROUND);
        ink.setShadowLayer(width, 0, 0, Color.HSVToColor(hsv));
    }
}
