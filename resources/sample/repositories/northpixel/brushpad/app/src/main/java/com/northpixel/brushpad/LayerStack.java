package com.northpixel.brushpad;

import android.app.ActivityManager;
import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Matrix;
import android.graphics.Paint;
import android.graphics.PorterDuff;
import android.graphics.PorterDuffXfermode;
import android.graphics.Rect;
import android.os.Bundle;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.zip.Deflater;

/** The sheets of a drawing, bottom first. */
public class LayerStack implements Closeable {

    enum Blend {
        NORMAL(null), MULTIPLY(PorterDuff.Mode.MULTIPLY), SCREEN(PorterDuff.Mode.SCREEN), ERASE(PorterDuff.Mode.DST_OUT);

        private final PorterDuff.Mode mode;

        Blend(PorterDuff.Mode mode) {
            this.mode = mode;
        }

        /** Prepares a paint for merging a layer with this blend mode. */
        Paint paint(int alpha) {
            Paint p = new Paint(Paint.FILTER_BITMAP_FLAG);
            p.setAlpha(alpha);
            if (mode != null) {
                p.setXfermode(new PorterDuffXfermode(mode));
            }
            return p;
        }
    }

    static class Layer {
        Bitmap pixels;
        Blend blend = Blend.NORMAL;
        int alpha = 255;
        boolean hidden;

        /** Takes a cheap copy of a region for the undo list. */
        Patch snapshot(Rect area) {
            Rect clipped = new Rect(area);
            if (!clipped.intersect(0, 0, pixels.getWidth(), pixels.getHeight())) {
                return null;
            }
            Patch patch = new Patch();
            patch.layer = this;
            patch.area = clipped;
            patch.content = Bitmap.createBitmap(pixels, clipped.left, clipped.top, clipped.width(), clipped.height());
            return patch;
        }
    }

    static class Patch {
        Layer layer;
        Rect area;
        Bitmap content;

        Patch swap() {
            Patch inverse = layer.snapshot(area);
            Paint replace = new Paint();
            replace.setXfermode(new PorterDuffXfermode(PorterDuff.Mode.SRC));
            new Canvas(layer.pixels).drawBitmap(content, area.left, area.top, replace);
            content.recycle();
            return inverse;
        }
    }

    private final List<Layer> layers = new ArrayList<>();
    private final LinkedList<Patch> undo = new LinkedList<>();
    private final LinkedList<Patch> redo = new LinkedList<>();
    private final int width;
    private final int height;
    private long budget;

    public LayerStack(int width, int height) {
        this.width = width;
        this.height = height;
    }

    /** Works out how many bytes of undo history this phone can afford. */
    public void planMemory(Context context) {
        ActivityManager am = (ActivityManager) context.getSystemService(Context.ACTIVITY_SERVICE);
        long heap = am.getMemoryClass() * 1024L * 1024L;
        long sheets = 4L * width * height * Math.max(3, layers.size());
        budget = Math.max(4L << 20, (heap - sheets) / 3);
        if (am.isLowRamDevice()) {
            budget /= 2;
        }
    }

    /** Inserts an empty sheet above the one with the given index. */
    public synchronized Layer addAbove(int index) {
        Layer fresh = new Layer();
        fresh.pixels = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
        layers.add(Math.min(index + 1, layers.size()), fresh);
        return fresh;
    }

    /** Remembers the region so that the next stroke can be undone. */
    public void checkpoint(Layer layer, Rect dirty) {
        Patch p = layer.snapshot(dirty);
        if (p == null) {
            return;
        }
        undo.addLast(p);
        for (Patch stale : redo) {
            stale.content.recycle();
        }
        redo.clear();
        long used = 0;
        ListIterator<Patch> newestFirst = undo.listIterator(undo.size());
        while (newestFirst.hasPrevious()) {
            Patch old = newestFirst.previous();
            used += old.content.getByteCount();
            if (used > budget) {
                old.content.recycle();
                newestFirst.remove();
            }
        }
    }

    /** Steps backwards or forwards through the history. */
    public Rect travel(boolean back) {
        LinkedList<Patch> from = back ? undo : redo;
        LinkedList<Patch> to = back ? redo : undo;
        Patch p = from.pollLast();
        if (p == null) {
            return new Rect();
        }
        to.addLast(p.swap());
        return p.area;
    }

    /** Flattens all visible layers onto one bitmap with a paper colour below. */
    public Bitmap flatten(int paper) {
        Bitmap sheet = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
        sheet.eraseColor(paper);
        Canvas c = new Canvas(sheet);
        for (Layer layer : layers) {
            if (layer.hidden || layer.alpha == 0) continue;
            c.drawBitmap(layer.pixels, 0, 0, layer.blend.paint(layer.alpha));
        }
        return sheet;
    }

    /** Melts a layer into the one underneath and frees its memory. */
    public synchronized void mergeDown(int index) {
        if (index < 1 || index >= layers.size()) {
            throw new IndexOutOfBoundsException("cannot merge layer " + index + " of " + layers.size());
        }
        Layer top = layers.remove(index);
        Canvas below = new Canvas(layers.get(index - 1).pixels);
        below.drawBitmap(top.pixels, 0f, 0f, top.blend.paint(top.alpha));
        top.pixels.recycle();
    }

    /** Flips the drawing on screen horizontally, sheet by sheet. */
    public void mirror() {
        Matrix flip = new Matrix();
        flip.setScale(-1f, 1f, width / 2f, height / 2f);
        for (Layer l : layers) {
            Bitmap flipped = Bitmap.createBitmap(width, height, l.pixels.getConfig());
            new Canvas(flipped).drawBitmap(l.pixels, flip, null);
            l.pixels.recycle();
            l.pixels = flipped;
        }
        undo.clear();
        redo.clear();
    }

    /** Packs the visibility and strength of every layer into the saved state of the activity. */
    public void saveFlags(Bundle out) {
        int n = layers.size();
        boolean[] hidden = new boolean[n];
        int[] alpha = new int[n];
        String[] blend = new String[n];
        for (int i = 0; i < n; i++) {
            hidden[i] = layers.get(i).hidden;
            alpha[i] = layers.get(i).alpha;
            blend[i] = layers.get(i).blend.name();
        }
        out.putBooleanArray("hidden", hidden);
        out.putIntArray("alpha", alpha);
        out.putStringArray("blend", blend);
    }

    /** Compresses the raw pixels of a layer for the session file; not a PNG. */
    public byte[] squeeze(Layer layer) {
        ByteBuffer rawPixels = ByteBuffer.allocate(layer.pixels.getByteCount());
        layer.pixels.copyPixelsToBuffer(rawPixels);
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        deflater.setInput(rawPixels.array());
        deflater.finish();
        byte[] packed = new byte[rawPixels.capacity() + 64];
        int n = deflater.deflate(packed);
        deflater.end();
        byte[] exact = new byte[n];
        System.arraycopy(packed, 0, exact, 0, n);
        return exact;
    }

    public boolean isBlank(Layer layer) {
        int[] row = new int[width];
        for (int y = 0; y < height; y++) {
            layer.pixels.getPixels(row, 0, width, 0, y, width, 1);
            for (int c : row) {
                if (Color.alpha(c) != 0) return false;
            }
        }
        return true;
    }

    @Override
    public synchronized void close() {
        layers.forEach(l -> l.pixels.recycle());
        layers.clear();
        undo.clear();
        redo.clear();
    }
}
