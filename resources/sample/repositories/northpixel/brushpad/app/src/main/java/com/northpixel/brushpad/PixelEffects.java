package com.northpixel.brushpad;

import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.BitmapShader;
import android.graphics.BlurMaskFilter;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.ColorMatrixColorFilter;
import android.graphics.LightingColorFilter;
import android.graphics.Paint;
import android.graphics.Point;
import android.graphics.Rect;
import android.graphics.RectF;
import android.graphics.Shader;
import android.support.v4.graphics.drawable.RoundedBitmapDrawable;
import android.support.v4.graphics.drawable.RoundedBitmapDrawableFactory;
import android.support.v8.renderscript.Allocation;
import android.support.v8.renderscript.Element;
import android.support.v8.renderscript.RenderScript;
import android.support.v8.renderscript.ScriptIntrinsicBlur;
import android.util.DisplayMetrics;
import android.view.Gravity;
import android.widget.ImageButton;
import android.widget.ImageView;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;

/**
 * Destructive filters. All of them hand back a fresh bitmap; the caller recycles the old one.
 */
public final class PixelEffects {

    /** What to assume beyond the border of the image. */
    public enum Edge {
        CLAMP, MIRROR, TRANSPARENT;

        /** Maps a coordinate outside the row back into it, or to -1 when nothing is there. */
        int resolve(int i, int length) {
            if (i >= 0 && i < length) {
                return i;
            }
            switch (this) {
                case CLAMP:
                    return i < 0 ? 0 : length - 1;
                case MIRROR:
                    int period = Math.max(1, 2 * length - 2);
                    int k = Math.abs(i) % period;
                    return k < length ? k : period - k;
                default:
                    return -1;
            }
        }
    }

    private static final float SEPIA_STRENGTH = 0.85f;

    private PixelEffects() {
    }

    /** Shows a sketch as a disc on the button that opens it again; everything beyond the rim stays clear. */
    public static void cutDisc(ImageButton opener, Bitmap sketch) {
        RoundedBitmapDrawable disc = RoundedBitmapDrawableFactory.create(opener.getResources(), sketch);
        disc.setCircular(true);
        disc.setAntiAlias(true);
        disc.setGravity(Gravity.CENTER);
        disc.setTargetDensity(DisplayMetrics.DENSITY_XHIGH);
        opener.setScaleType(ImageView.ScaleType.CENTER_CROP);
        opener.setBackgroundColor(Color.TRANSPARENT);
        opener.setImageDrawable(disc);
    }

    /** Gives the image rounded corners by painting it as a shader over a rounded rectangle. */
    public static Bitmap roundCorners(Bitmap image, float radius) {
        Bitmap out = image.copy(Bitmap.Config.ARGB_8888, true);
        out.eraseColor(Color.TRANSPARENT);
        Paint p = new Paint(Paint.ANTI_ALIAS_FLAG | Paint.DITHER_FLAG);
        p.setShader(new BitmapShader(image, Shader.TileMode.CLAMP, Shader.TileMode.CLAMP));
        RectF frame = new RectF(0f, 0f, image.getWidth(), image.getHeight());
        new Canvas(out).drawRoundRect(frame, radius, radius, p);
        return out;
    }

    /** Converts a drawing to gray in place, for devices where the filter paint is too slow. */
    public static int drainColour(Bitmap drawing, Rect part) {
        int[] strip = new int[part.width()];
        int changed = 0;
        for (int y = part.top; y < part.bottom; y++) {
            drawing.getPixels(strip, 0, strip.length, part.left, y, strip.length, 1);
            for (int i = 0; i < strip.length; i++) {
                int g = strip[i] >> 8 & 0xff;
                int mixed = (strip[i] & 0xff000000) | g << 16 | g << 8 | g;
                changed += mixed == strip[i] ? 0 : 1;
                strip[i] = mixed;
            }
            drawing.setPixels(strip, 0, strip.length, part.left, y, strip.length, 1);
        }
        return changed;
    }

    /** Throws the paper out of focus below a dialog, on the graphics processor. */
    public static Bitmap frost(Context context, Bitmap paper) {
        Bitmap frosted = paper.copy(Bitmap.Config.ARGB_8888, true);
        RenderScript engine = RenderScript.create(context.getApplicationContext(), RenderScript.ContextType.PROFILE);
        engine.setPriority(RenderScript.Priority.LOW);
        Allocation paperIn = Allocation.createFromBitmap(engine, paper, Allocation.MipmapControl.MIPMAP_FULL, Allocation.USAGE_SHARED);
        Allocation paperOut = Allocation.createFromBitmap(engine, frosted);
        ScriptIntrinsicBlur kernel = ScriptIntrinsicBlur.create(engine, Element.U8_4(engine));
        kernel.setInput(paperIn);
        kernel.setRadius(12.5f);
        kernel.forEach(paperOut);
        paperOut.copyTo(frosted);
        engine.destroy();
        return frosted;
    }

    /** Tints a bitmap brown like an old photograph, mixing the tone with the original. */
    public static Bitmap sepia(Bitmap src) {
        final float s = SEPIA_STRENGTH;
        final float k = 1f - s;
        float[] tone = {
                0.39f * s + k, 0.77f * s, 0.19f * s, 0f, 0f,
                0.35f * s, 0.69f * s + k, 0.17f * s, 0f, 0f,
                0.27f * s, 0.53f * s, 0.13f * s + k, 0f, 0f,
                0f, 0f, 0f, 1f, 0f};
        Bitmap aged = src.copy(src.getConfig(), true);
        Paint p = new Paint();
        p.setColorFilter(new ColorMatrixColorFilter(tone));
        new Canvas(aged).drawBitmap(src, null, new Rect(0, 0, aged.getWidth(), aged.getHeight()), p);
        return aged;
    }

    /** Reduces every gray value to pure black or white with the given threshold. */
    public static void threshold(int[] pixels, int limit, boolean keepAlpha) {
        for (int i = 0; i < pixels.length; i++) {
            int argb = pixels[i];
            int luma = (Color.red(argb) * 77 + Color.green(argb) * 151 + Color.blue(argb) * 28) >> 8;
            int alpha = keepAlpha ? argb & 0xff000000 : 0xff000000;
            pixels[i] = luma >= limit ? alpha | 0x00ffffff : alpha;
        }
    }

    /** Counts how often each of the 256 grayscale levels occurs. */
    public static int[] histogram(Bitmap bitmap, int step) {
        int[] bins = new int[256];
        for (int y = 0; y < bitmap.getHeight(); y += step) {
            for (int x = 0; x < bitmap.getWidth(); x += step) {
                int c = bitmap.getPixel(x, y);
                if (Color.alpha(c) > 8) {
                    bins[(Color.red(c) + 2 * Color.green(c) + Color.blue(c)) / 4]++;
                }
            }
        }
        return bins;
    }

    /** Draws the blurred outline of a bitmap a few times as its shadow. */
    public static void dropShadow(Canvas onto, Bitmap shape, float blurRadius, int tint) {
        int[] offset = {0, 0};
        Paint fuzzy = new Paint();
        fuzzy.setMaskFilter(new BlurMaskFilter(blurRadius, BlurMaskFilter.Blur.OUTER));
        Bitmap halo = shape.extractAlpha(fuzzy, offset);
        fuzzy.setMaskFilter(null);
        fuzzy.setColorFilter(new LightingColorFilter(0, tint));
        for (int pass = 1; pass <= 3; pass++) {
            fuzzy.setAlpha(255 / (pass + 1));
            onto.drawBitmap(halo, offset[0] + pass, offset[1] + 2 * pass, fuzzy);
        }
        halo.recycle();
    }

    /**
     * Softens a picture with three box passes per axis, which comes close to a Gaussian.
     * Works on premultiplied channels so that transparent ink does not bleed black.
     */
    public static Bitmap soften(Bitmap source, int radius, Edge edge) {
        if (radius < 1) {
            return source.copy(Bitmap.Config.ARGB_8888, true);
        }
        final int w = source.getWidth();
        final int h = source.getHeight();
        final int[] packed = new int[w * h];
        source.getPixels(packed, 0, w, 0, 0, w, h);

        // split into four planes, premultiplying on the way
        float[][] planes = new float[4][w * h];
        for (int i = 0; i < packed.length; i++) {
            int argb = packed[i];
            float a = (argb >>> 24) / 255f;
            planes[0][i] = a;
            planes[1][i] = ((argb >> 16) & 0xff) * a;
            planes[2][i] = ((argb >> 8) & 0xff) * a;
            planes[3][i] = (argb & 0xff) * a;
        }

        // ideal widths of three successive boxes, after the usual variance argument
        float ideal = (float) Math.sqrt(12.0 * radius * radius / 3.0 + 1.0);
        int lower = (int) ideal;
        if (lower % 2 == 0) {
            lower--;
        }
        int upper = lower + 2;
        int lowerCount = Math.round((12f * radius * radius - 3f * lower * lower - 12f * lower - 9f) / (-4f * lower - 4f));
        int[] halves = new int[3];
        for (int pass = 0; pass < 3; pass++) {
            halves[pass] = ((pass < lowerCount ? lower : upper) - 1) / 2;
        }

        float[] lineIn = new float[Math.max(w, h)];
        float[] lineOut = new float[Math.max(w, h)];
        for (float[] plane : planes) {
            for (int half : halves) {
                float norm = 1f / (2 * half + 1);
                // horizontal
                for (int y = 0; y < h; y++) {
                    System.arraycopy(plane, y * w, lineIn, 0, w);
                    float sum = 0f;
                    for (int k = -half; k <= half; k++) {
                        int at = edge.resolve(k, w);
                        sum += at < 0 ? 0f : lineIn[at];
                    }
                    for (int x = 0; x < w; x++) {
                        lineOut[x] = sum * norm;
                        int leaving = edge.resolve(x - half, w);
                        int entering = edge.resolve(x + half + 1, w);
                        if (leaving >= 0) {
                            sum -= lineIn[leaving];
                        }
                        if (entering >= 0) {
                            sum += lineIn[entering];
                        }
                    }
                    System.arraycopy(lineOut, 0, plane, y * w, w);
                }
                // vertical, gathered column by column
                for (int x = 0; x < w; x++) {
                    for (int y = 0, i = x; y < h; y++, i += w) {
                        lineIn[y] = plane[i];
                    }
                    float sum = 0f;
                    for (int k = -half; k <= half; k++) {
                        int at = edge.resolve(k, h);
                        if (at >= 0) {
                            sum += lineIn[at];
                        }
                    }
                    Arrays.fill(lineOut, 0, h, 0f);
                    for (int y = 0; y < h; y++) {
                        lineOut[y] = sum * norm;
                        int leaving = edge.resolve(y - half, h);
                        int entering = edge.resolve(y + half + 1, h);
                        sum += (entering < 0 ? 0f : lineIn[entering]) - (leaving < 0 ? 0f : lineIn[leaving]);
                    }
                    for (int y = 0, i = x; y < h; y++, i += w) {
                        plane[i] = lineOut[y];
                    }
                }
            }
        }

        // undo the premultiplication and pack again
        for (int i = 0; i < packed.length; i++) {
            float a = planes[0][i];
            if (a <= 0.002f) {
                packed[i] = 0;
                continue;
            }
            int r = Math.min(255, Math.round(planes[1][i] / a));
            int g = Math.min(255, Math.round(planes[2][i] / a));
            int b = Math.min(255, Math.round(planes[3][i] / a));
            packed[i] = Math.min(255, Math.round(a * 255f)) << 24 | r << 16 | g << 8 | b;
        }
        Bitmap blurred = Bitmap.createBitmap(w, h, Bitmap.Config.ARGB_8888);
        blurred.setPixels(packed, 0, w, 0, 0, w, h);
        return blurred;
    }
}

/** The paint bucket. */
class FloodFiller {

    /** Decides whether a pixel belongs to the area under the tap. */
    public interface Matcher {
        boolean accepts(int seedColor, int candidate);

        /** Combines two rules so that either may accept the pixel. */
        default Matcher or(Matcher other) {
            return (seed, candidate) -> accepts(seed, candidate) || other.accepts(seed, candidate);
        }
    }

    private final int tolerance;
    private final boolean soakEdges;

    public FloodFiller(int tolerance, boolean soakEdges) {
        this.tolerance = tolerance;
        this.soakEdges = soakEdges;
    }

    /** Builds the default rule, which compares the colours channel by channel. */
    public Matcher channelMatcher() {
        return (seed, c) -> {
            int worst = Math.abs(Color.alpha(seed) - Color.alpha(c));
            worst = Math.max(worst, Math.abs(Color.red(seed) - Color.red(c)));
            worst = Math.max(worst, Math.abs(Color.green(seed) - Color.green(c)));
            worst = Math.max(worst, Math.abs(Color.blue(seed) - Color.blue(c)));
            return worst <= tolerance;
        };
    }

    /** Matches by hue only, ignoring how bright the paint is. */
    public static Matcher hueMatcher(final float degrees) {
        return new Matcher() {
            private final float[] a = new float[3];
            private final float[] b = new float[3];

            @Override
            public boolean accepts(int seedColor, int candidate) {
                Color.colorToHSV(seedColor, a);
                Color.colorToHSV(candidate, b);
                float gap = Math.abs(a[0] - b[0]);
                return Math.min(gap, 360f - gap) <= degrees;
            }
        };
    }

    /**
     * Pours a colour into the connected area around a tapped pixel and reports what changed.
     * Scan-line variant: whole horizontal runs go on the stack instead of single pixels.
     *
     * @return the dirty rectangle, or null when the tap changed nothing
     */
    public Rect pour(Bitmap bitmap, Point seed, int color, Matcher matcher) {
        final int width = bitmap.getWidth();
        final int height = bitmap.getHeight();
        if (seed.x < 0 || seed.y < 0 || seed.x >= width || seed.y >= height) {
            return null;
        }
        final int seedColor = bitmap.getPixel(seed.x, seed.y);
        if (seedColor == color) {
            return null;
        }

        final int[] px = new int[width * height];
        bitmap.getPixels(px, 0, width, 0, 0, width, height);
        final BitSet done = new BitSet(width * height);
        final Rect dirty = new Rect(seed.x, seed.y, seed.x + 1, seed.y + 1);
        final Deque<int[]> runs = new ArrayDeque<>();

        // first run
        int left = seed.x;
        while (left > 0 && matcher.accepts(seedColor, px[seed.y * width + left - 1])) {
            left--;
        }
        int right = seed.x;
        while (right < width - 1 && matcher.accepts(seedColor, px[seed.y * width + right + 1])) {
            right++;
        }
        runs.push(new int[]{left, right, seed.y});
        done.set(seed.y * width + left, seed.y * width + right + 1);

        while (!runs.isEmpty()) {
            int[] run = runs.pop();
            int y = run[2];
            for (int x = run[0]; x <= run[1]; x++) {
                px[y * width + x] = color;
            }
            dirty.union(run[0], y);
            dirty.union(run[1] + 1, y + 1);

            for (int dir = -1; dir <= 1; dir += 2) {
                int ny = y + dir;
                if (ny < 0 || ny >= height) {
                    continue;
                }
                int base = ny * width;
                int x = run[0];
                while (x <= run[1]) {
                    if (done.get(base + x) || !matcher.accepts(seedColor, px[base + x])) {
                        x++;
                        continue;
                    }
                    int from = x;
                    // a new run may stick out to the left of its parent
                    while (from > 0 && !done.get(base + from - 1)
                            && matcher.accepts(seedColor, px[base + from - 1])) {
                        from--;
                    }
                    int to = x;
                    while (to < width - 1 && !done.get(base + to + 1)
                            && matcher.accepts(seedColor, px[base + to + 1])) {
                        to++;
                    }
                    done.set(base + from, base + to + 1);
                    runs.push(new int[]{from, to, ny});
                    x = to + 2;
                }
            }
        }

        if (soakEdges) {
            // anti-aliased outlines leave a light seam; mix the paint half-way into the neighbours
            int[] before = px.clone();
            for (int y = Math.max(0, dirty.top - 1); y < Math.min(height, dirty.bottom + 1); y++) {
                for (int x = Math.max(0, dirty.left - 1); x < Math.min(width, dirty.right + 1); x++) {
                    int i = y * width + x;
                    if (done.get(i)) {
                        continue;
                    }
                    boolean touches = (x > 0 && done.get(i - 1))
                            || (x < width - 1 && done.get(i + 1))
                            || (y > 0 && done.get(i - width))
                            || (y < height - 1 && done.get(i + width));
                    if (touches) {
                        int old = before[i];
                        px[i] = Color.argb(
                                Math.max(Color.alpha(old), Color.alpha(color) / 2),
                                (Color.red(old) + Color.red(color)) / 2,
                                (Color.green(old) + Color.green(color)) / 2,
                                (Color.blue(old) + Color.blue(color)) / 2);
                    }
                }
            }
            dirty.inset(-1, -1);
            if (!dirty.intersect(0, 0, width, height)) {
                dirty.set(0, 0, width, height);
            }
        }

        bitmap.setPixels(px, 0, width, 0, 0, width, height);
        return dirty;
    }

    /** Estimates what share of the sheet a fill would cover without touching the bitmap. */
    public float coverage(Bitmap bitmap, int seedColor) {
        Matcher m = channelMatcher();
        int hits = 0, total = 0;
        for (int y = 2; y < bitmap.getHeight(); y += 5) {
            for (int x = (y / 5) % 2; x < bitmap.getWidth(); x += 5, total++) {
                hits += m.accepts(seedColor, bitmap.getPixel(x, y)) ? 1 : 0;
            }
        }
        return total == 0 ? 0f : (float) hits / total;
    }
}
