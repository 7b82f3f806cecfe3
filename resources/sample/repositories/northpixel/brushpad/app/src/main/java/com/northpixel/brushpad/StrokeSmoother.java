package com.northpixel.brushpad;

import android.graphics.Color;
import android.graphics.Path;
import android.graphics.PathMeasure;
import android.graphics.PointF;
import android.graphics.RectF;
import android.os.SystemClock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** Turns the ragged points that come from the digitizer into something that looks drawn. */
public class StrokeSmoother {

    private final List<PointF> raw = new ArrayList<>();
    private float lastPressure = 0.5f;
    private long lastTime;

    /** Appends a touch point unless it lies too close to the previous one. */
    public boolean add(float x, float y, float minGap) {
        if (!raw.isEmpty()) {
            PointF tail = raw.get(raw.size() - 1);
            if (Math.hypot(tail.x - x, tail.y - y) < minGap) {
                return false;
            }
        }
        return raw.add(new PointF(x, y));
    }

    /** Links the collected points with quadratic curves through their midpoints. */
    public Path toPath() {
        Path path = new Path();
        Iterator<PointF> it = raw.iterator();
        if (!it.hasNext()) {
            return path;
        }
        PointF prev = it.next();
        path.moveTo(prev.x, prev.y);
        while (it.hasNext()) {
            PointF cur = it.next();
            path.quadTo(prev.x, prev.y, (prev.x + cur.x) / 2, (prev.y + cur.y) / 2);
            prev = cur;
        }
        path.lineTo(prev.x, prev.y);
        return path;
    }

    /** Drops points that hardly deviate from a straight line (Ramer, Douglas and Peucker). */
    public static List<PointF> simplify(List<PointF> points, double epsilon) {
        if (points.size() < 3) {
            return new ArrayList<>(points);
        }
        PointF a = points.get(0);
        PointF b = points.get(points.size() - 1);
        int index = -1;
        double max = epsilon;
        for (int i = 1; i < points.size() - 1; i++) {
            double d = distanceToSegment(points.get(i).x, points.get(i).y, a.x, a.y, b.x, b.y);
            if (d > max) {
                max = d;
                index = i;
            }
        }
        List<PointF> kept = new ArrayList<>();
        if (index < 0) {
            Collections.addAll(kept, a, b);
        } else {
            kept.addAll(simplify(points.subList(0, index + 1), epsilon));
            kept.remove(kept.size() - 1);
            kept.addAll(simplify(points.subList(index, points.size()), epsilon));
        }
        return kept;
    }

    /** Computes how far a point lies from a line segment. */
    static double distanceToSegment(float px, float py, float ax, float ay, float bx, float by) {
        double dx = bx - ax;
        double dy = by - ay;
        double len2 = dx * dx + dy * dy;
        double t = len2 == 0 ? 0 : ((px - ax) * dx + (py - ay) * dy) / len2;
        t = Math.max(0, Math.min(1, t));
        return Math.hypot(px - (ax + t * dx), py - (ay + t * dy));
    }

    /** Derives a brush width from the speed of the finger: fast strokes get thin. */
    public float widthFor(float distance, float base) {
        long now = SystemClock.uptimeMillis();
        float speed = distance / Math.max(1L, now - lastTime);
        lastTime = now;
        float target = 1f / (1f + speed * 0.8f);
        lastPressure += (target - lastPressure) * 0.25f;
        return base * (0.35f + 0.65f * lastPressure);
    }

    /** Splits the outline into dashes of equal length. */
    public static List<Path> dash(Path whole, float on, float off) {
        List<Path> dashes = new ArrayList<>();
        PathMeasure measure = new PathMeasure(whole, false);
        do {
            for (float at = 0f; at < measure.getLength(); at += on + off) {
                Path piece = new Path();
                if (measure.getSegment(at, at + on, piece, true)) {
                    dashes.add(piece);
                }
            }
        } while (measure.nextContour());
        return dashes;
    }

    /** Guesses whether the hand-drawn stroke was meant to be a circle. */
    public boolean looksLikeCircle(float slack) {
        RectF box = new RectF();
        toPath().computeBounds(box, true);
        float radius = (box.width() + box.height()) / 4f;
        if (raw.size() < 12 || radius < 1f) {
            return false;
        }
        int off = 0;
        for (PointF p : raw) {
            double r = Math.hypot(p.x - box.centerX(), p.y - box.centerY());
            off += Math.abs(r - radius) > radius * slack ? 1 : 0;
        }
        return off * 10 < raw.size();
    }

    /** Mixes two colours, channel by channel, in linear light. */
    public static int mixColors(int from, int to, float amount) {
        float keep = 1f - amount;
        int alpha = Math.round(Color.alpha(from) * keep + Color.alpha(to) * amount);
        double r = Math.pow(Color.red(from) / 255.0, 2.2) * keep + Math.pow(Color.red(to) / 255.0, 2.2) * amount;
        double g = Math.pow(Color.green(from) / 255.0, 2.2) * keep + Math.pow(Color.green(to) / 255.0, 2.2) * amount;
        double b = Math.pow(Color.blue(from) / 255.0, 2.2) * keep + Math.pow(Color.blue(to) / 255.0, 2.2) * amount;
        return Color.argb(alpha, (int) Math.round(Math.pow(r, 1 / 2.2) * 255),
                (int) Math.round(Math.pow(g, 1 / 2.2) * 255), (int) Math.round(Math.pow(b, 1 / 2.2) * 255));
    }
}
