package io.graniteowl.sockline;

import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.BitmapShader;
import android.graphics.Canvas;
import android.graphics.Matrix;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.Shader;
import android.support.v4.graphics.ColorUtils;
import android.text.Layout;
import android.text.StaticLayout;
import android.text.TextPaint;
import android.util.DisplayMetrics;
import android.util.TypedValue;
import android.view.View;

import java.util.ArrayList;
import java.util.List;

/** A column of speech bubbles, drawn in one view. */
public class BubbleView extends View {

    static final class Bubble {
        final String author, text;
        final boolean mine;
        final int state;
        Bitmap face;
        StaticLayout layout;

        Bubble(String author, String text, boolean mine, int state) {
            this.author = author;
            this.text = text;
            this.mine = mine;
            this.state = state;
        }
    }

    private final List<Bubble> bubbles = new ArrayList<>();
    private final TextPaint words = new TextPaint(Paint.ANTI_ALIAS_FLAG);
    private final Paint ink = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final Matrix matrix = new Matrix();
    private float scroll;

    public BubbleView(Context context) {
        super(context);
        words.setTextSize(dp(15));
    }

    private float dp(float value) {
        DisplayMetrics metrics = getResources().getDisplayMetrics();
        return TypedValue.applyDimension(TypedValue.COMPLEX_UNIT_DIP, value, metrics);
    }

    /** Draws from the newest bubble upwards until the top edge is reached. */
    @Override
    protected void onDraw(Canvas canvas) {
        final float pad = dp(8);
        final float radius = dp(12);
        final float faceSize = dp(32);
        final int widest = (int) (getWidth() * 0.72f - faceSize - 3 * pad);
        if (widest < dp(60)) {
            return;
        }
        float y = getHeight() - getPaddingBottom() + scroll;
        String authorBelow = null;
        for (int i = bubbles.size() - 1; i >= 0; i--) {
            Bubble bubble = bubbles.get(i);
            boolean grouped = bubble.author.equals(authorBelow);
            boolean firstOfGroup = i == 0 || !bubbles.get(i - 1).author.equals(bubble.author);
            if (bubble.layout == null || bubble.layout.getWidth() > widest) {
                float natural = Layout.getDesiredWidth(bubble.text, words);
                int w = (int) Math.min(widest, Math.ceil(natural));
                bubble.layout = new StaticLayout(bubble.text, words, w, Layout.Alignment.ALIGN_NORMAL, 1.05f, 0, false);
            }
            float w = bubble.layout.getWidth() + 2 * pad;
            float h = bubble.layout.getHeight() + 2 * pad;
            if (firstOfGroup && !bubble.mine) {
                h += words.getTextSize();
            }
            y -= h + (grouped ? pad / 4 : pad);
            if (y > getHeight()) {
                authorBelow = bubble.author;
                continue;
            }
            float x = bubble.mine ? getWidth() - getPaddingRight() - w - pad : getPaddingLeft() + faceSize + 2 * pad;
            int background;
            switch (bubble.state) {
                case 0:
                    background = 0xFFE0E0E0;
                    break;
                case 1:
                    background = bubble.mine ? 0xFFCDE8FF : 0xFFF4F4F4;
                    break;
                case 2:
                    background = 0xFFFFD6D0;
                    break;
                default:
                    background = ColorUtils.blendARGB(0xFFCDE8FF, 0xFFD8F5C8, 0.5f);
            }
            ink.setShader(null);
            ink.setStyle(Paint.Style.FILL);
            ink.setColor(background);
            canvas.drawRoundRect(x, y, x + w, y + h, radius, radius, ink);
            if (!grouped) {
                Path tail = new Path();
                float edge = bubble.mine ? x + w : x;
                float out = bubble.mine ? pad : -pad;
                tail.moveTo(edge - out * 2, y + h);
                tail.quadTo(edge, y + h, edge + out, y + h + pad / 2);
                tail.quadTo(edge, y + h - pad, edge, y + h - radius);
                tail.close();
                canvas.drawPath(tail, ink);
            }
            float textTop = y + pad;
            if (firstOfGroup && !bubble.mine) {
                int old = words.getColor();
                int hue = Math.abs(bubble.author.hashCode()) % 360;
                words.setColor(ColorUtils.HSLToColor(new float[]{hue, 0.6f, 0.4f}));
                words.setFakeBoldText(true);
                canvas.drawText(bubble.author, x + pad, textTop + words.getTextSize() * 0.8f, words);
                words.setFakeBoldText(false);
                words.setColor(old);
                textTop += words.getTextSize();
            }
            canvas.save();
            canvas.translate(x + pad, textTop);
            bubble.layout.draw(canvas);
            canvas.restore();
            if (!bubble.mine && !grouped) {
                float cx = getPaddingLeft() + pad + faceSize / 2;
                float cy = y + h - faceSize / 2;
                if (bubble.face != null) {
                    BitmapShader shader = new BitmapShader(bubble.face, Shader.TileMode.CLAMP, Shader.TileMode.CLAMP);
                    float zoom = faceSize / Math.min(bubble.face.getWidth(), bubble.face.getHeight());
                    matrix.setScale(zoom, zoom);
                    matrix.postTranslate(cx - faceSize / 2, cy - faceSize / 2);
                    shader.setLocalMatrix(matrix);
                    ink.setShader(shader);
                } else {
                    ink.setColor(0xFF9E9E9E);
                }
                canvas.drawCircle(cx, cy, faceSize / 2, ink);
            }
            if (bubble.mine && bubble.state > 0) {
                ink.setShader(null);
                ink.setStyle(Paint.Style.STROKE);
                ink.setColor(bubble.state == 2 ? 0xFFB00020 : 0xFF4CAF50);
                ink.setStrokeWidth(dp(1.5f));
                float tx = x - pad * 1.5f;
                for (int tick = 0; tick < Math.min(bubble.state, 3); tick++) {
                    float shift = tick * pad / 2;
                    canvas.drawLine(tx + shift - pad / 2, y + h - pad, tx + shift - pad / 4, y + h - pad / 2, ink);
                    canvas.drawLine(tx + shift - pad / 4, y + h - pad / 2, tx + shift + pad / 4, y + h - pad * 1.4f, ink);
                }
            }
            authorBelow = bubble.author;
            if (y < -h) {
                break;
            }
        }
    }

    /** Adds a bubble and keeps the view at the bottom if it was there. */
    void append(Bubble fresh) {
        boolean atBottom = scroll <= dp(4);
        bubbles.add(fresh);
        if (bubbles.size() > 500) bubbles.subList(0, 100).clear();
        if (atBottom) scroll = 0;
        announceForAccessibility(fresh.author + ": " + fresh.text);
        invalidate();
    }
}
