package com.mapleforge.ledger.chart;

import android.animation.ValueAnimator;
import android.content.Context;
import android.content.res.TypedArray;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.PointF;
import android.graphics.RectF;
import android.os.Parcelable;
import android.os.Bundle;
import android.support.v4.graphics.ColorUtils;
import android.text.TextPaint;
import android.text.TextUtils;
import android.util.AttributeSet;
import android.view.MotionEvent;
import android.view.View;
import android.view.animation.OvershootInterpolator;

import com.mapleforge.ledger.R;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Shows where the money went. */
public class PieView extends View
{
    /** A share of the whole. */
    public static class Slice implements Comparable<Slice>
    {
        final String name;
        final double amount;
        int colour;
        float start, sweep;

        public Slice(String name, double amount)
        {
            this.name = name;
            this.amount = amount;
        }

        @Override
        public int compareTo(Slice o)
        {
            return amount == o.amount ? name.compareTo(o.name) : Double.compare(o.amount, amount);
        }
    }

    /** A caption with the place it was given. */
    static class Caption
    {
        Slice slice;
        String text;
        PointF elbow = new PointF();
        PointF end = new PointF();
        boolean right;
    }

    private final Paint pen = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final TextPaint ink = new TextPaint(Paint.ANTI_ALIAS_FLAG);
    private final List<Slice> slices = new ArrayList<>();
    private List<Caption> captions = Collections.emptyList();
    private final RectF circle = new RectF();
    private float holeRatio;
    private float turn = 1f;
    private int touched = -1;

    public PieView(Context context, AttributeSet attrs)
    {
        super(context, attrs);
        TypedArray style = context.obtainStyledAttributes(attrs, R.styleable.PieView);
        holeRatio = style.getFloat(R.styleable.PieView_hole, 0.5f);
        ink.setTextSize(style.getDimension(R.styleable.PieView_textSize, 24));
        style.recycle();
    }

    /** Takes new shares, lumps crumbs together and spins the pie in. */
    public void serve(List<Slice> fresh, String others)
    {
        slices.clear();
        double total = 0;
        for (Slice s : fresh) total += s.amount;
        double crumbs = 0;
        Collections.sort(fresh);
        for (Slice s : fresh)
        {
            if (s.amount / total < 0.02) crumbs += s.amount;
            else slices.add(s);
        }
        if (crumbs > 0) slices.add(new Slice(others, crumbs));
        float angle = -90;
        for (int i = 0; i < slices.size(); i++)
        {
            Slice s = slices.get(i);
            s.start = angle;
            s.sweep = (float) (360 * s.amount / total);
            s.colour = ColorUtils.HSLToColor(new float[]{i * 137.5f % 360, 0.55f, 0.5f});
            angle += s.sweep;
        }
        ValueAnimator spin = ValueAnimator.ofFloat(0, 1).setDuration(600);
        spin.setInterpolator(new OvershootInterpolator(0.8f));
        spin.addUpdateListener(a ->
        {
            turn = (Float) a.getAnimatedValue();
            invalidate();
        });
        spin.start();
        requestLayout();
    }

    /** Finds a place beside the pie for every caption so that no two of them overlap. */
    List<Caption> placeCaptions(int width, int height)
    {
        Paint.FontMetrics metrics = ink.getFontMetrics();
        float rowHeight = metrics.descent - metrics.ascent + metrics.leading;
        float radius = circle.width() / 2;
        float reach = radius + rowHeight * 0.6f;
        List<Caption> left = new ArrayList<>();
        List<Caption> right = new ArrayList<>();

        // first wish: level with the middle of the slice
        for (Slice slice : slices)
        {
            double middle = Math.toRadians(slice.start + slice.sweep / 2);
            Caption caption = new Caption();
            caption.slice = slice;
            caption.right = Math.cos(middle) >= 0;
            caption.elbow.set(circle.centerX() + (float) Math.cos(middle) * reach,
                    circle.centerY() + (float) Math.sin(middle) * reach);
            float room = caption.right
                    ? width - getPaddingRight() - caption.elbow.x - rowHeight
                    : caption.elbow.x - getPaddingLeft() - rowHeight;
            if (room < ink.measureText("MM"))
            {
                continue;
            }
            caption.text = TextUtils.ellipsize(slice.name, ink, room, TextUtils.TruncateAt.END).toString();
            caption.end.set(caption.elbow.x + (caption.right ? rowHeight : -rowHeight), caption.elbow.y);
            (caption.right ? right : left).add(caption);
        }

        List<Caption> placed = new ArrayList<>();
        for (List<Caption> side : new ListPair<>(left, right))
        {
            Collections.sort(side, (a, b) -> Float.compare(a.end.y, b.end.y));
            float top = getPaddingTop() + rowHeight / 2;
            float bottom = height - getPaddingBottom() - rowHeight / 2;

            // too many for the height: the smallest shares lose their caption
            int fits = Math.max(1, (int) ((bottom - top) / rowHeight) + 1);
            while (side.size() > fits)
            {
                Caption smallest = side.get(0);
                for (Caption c : side)
                {
                    if (c.slice.sweep < smallest.slice.sweep)
                    {
                        smallest = c;
                    }
                }
                side.remove(smallest);
            }

            // push apart: groups of touching captions share out their shift
            boolean moved = true;
            for (int round = 0; moved && round < 50; round++)
            {
                moved = false;
                for (int i = 1; i < side.size(); i++)
                {
                    PointF above = side.get(i - 1).end;
                    PointF below = side.get(i).end;
                    float overlap = above.y + rowHeight - below.y;
                    if (overlap > 0.5f)
                    {
                        above.y -= overlap / 2;
                        below.y += overlap / 2;
                        moved = true;
                    }
                }
                if (!side.isEmpty())
                {
                    PointF first = side.get(0).end;
                    if (first.y < top)
                    {
                        first.y = top;
                        moved = true;
                    }
                    PointF last = side.get(side.size() - 1).end;
                    if (last.y > bottom)
                    {
                        last.y = bottom;
                        moved = true;
                    }
                }
            }

            // whoever still sticks out is laid down row by row
            float next = top;
            for (Caption caption : side)
            {
                caption.end.y = Math.max(next, caption.end.y);
                next = caption.end.y + rowHeight * 0.98f;
            }
            for (int i = side.size() - 1; i >= 0; i--)
            {
                float limit = bottom - (side.size() - 1 - i) * rowHeight;
                Caption caption = side.get(i);
                if (caption.end.y > limit)
                {
                    caption.end.y = limit;
                }
                float lift = Math.abs(caption.end.y - caption.elbow.y);
                if (lift > radius / 2)
                {
                    caption.end.x += caption.right ? lift / 8 : -lift / 8;
                }
            }
            placed.addAll(side);
        }
        return placed;
    }

    @Override
    protected void onSizeChanged(int w, int h, int oldW, int oldH)
    {
        float side = Math.min(w * 0.55f, h * 0.8f);
        circle.set((w - side) / 2, (h - side) / 2, (w + side) / 2, (h + side) / 2);
        captions = placeCaptions(w, h);
    }

    @Override
    protected void onDraw(Canvas canvas)
    {
        for (int i = 0; i < slices.size(); i++)
        {
            Slice s = slices.get(i);
            pen.setStyle(Paint.Style.FILL);
            pen.setColor(i == touched ? ColorUtils.blendARGB(s.colour, Color.WHITE, 0.3f) : s.colour);
            canvas.drawArc(circle, s.start, s.sweep * turn, true, pen);
        }
        pen.setColor(Color.WHITE);
        canvas.drawCircle(circle.centerX(), circle.centerY(), circle.width() / 2 * holeRatio, pen);
        for (Caption c : captions)
        {
            pen.setColor(c.slice.colour);
            canvas.drawLine(c.elbow.x, c.elbow.y, c.end.x, c.end.y, pen);
            ink.setTextAlign(c.right ? Paint.Align.LEFT : Paint.Align.RIGHT);
            canvas.drawText(c.text, c.end.x, c.end.y, ink);
        }
    }

    /** Tells which slice lies under a finger, or -1 beside the pie. */
    int sliceAt(float x, float y)
    {
        double distance = Math.hypot(x - circle.centerX(), y - circle.centerY());
        if (distance > circle.width() / 2 || distance < circle.width() / 2 * holeRatio) return -1;
        double angle = Math.toDegrees(Math.atan2(y - circle.centerY(), x - circle.centerX()));
        if (angle < -90) angle += 360;
        for (Slice s : slices)
        {
            if (angle >= s.start && angle < s.start + s.sweep) return slices.indexOf(s);
        }
        return -1;
    }

    @Override
    public boolean onTouchEvent(MotionEvent event)
    {
        switch (event.getAction())
        {
            case MotionEvent.ACTION_DOWN:
            case MotionEvent.ACTION_MOVE:
                int now = sliceAt(event.getX(), event.getY());
                if (now != touched) postInvalidateOnAnimation();
                touched = now;
                return true;
            default:
                return super.onTouchEvent(event);
        }
    }

    @Override
    protected Parcelable onSaveInstanceState()
    {
        Bundle state = new Bundle();
        state.putParcelable("view", super.onSaveInstanceState());
        state.putInt("touched", touched);
        state.putFloat("hole", holeRatio);
        return state;
    }

    /** Paints the chart off screen and packs it as PNG. */
    public byte[] snapshot()
    {
        Bitmap sheet = Bitmap.createBitmap(Math.max(1, getWidth()), Math.max(1, getHeight()), Bitmap.Config.ARGB_8888);
        Canvas canvas = new Canvas(sheet);
        canvas.drawColor(Color.WHITE);
        draw(canvas);
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        sheet.compress(Bitmap.CompressFormat.PNG, 100, png);
        sheet.recycle();
        return png.toByteArray();
    }

    /** Two lists to walk over, one after the other. */
    private static class ListPair<T> extends ArrayList<List<T>>
    {
        ListPair(List<T> first, List<T> second)
        {
            add(first);
            add(second);
        }
    }

    /** Works out tidy marks for an axis from zero to the given top. */
    public static double[] axisMarks(double top, int about)
    {
        double rough = top / about;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double[] tidy = {1, 2, 2.5, 5, 10};
        double step = 10 * power;
        for (double t : tidy)
        {
            if (t * power >= rough)
            {
                step = t * power;
                break;
            }
        }
        double[] marks = new double[(int) Math.ceil(top / step) + 1];
        for (int i = 0; i < marks.length; i++) marks[i] = i * step;
        return marks;
    }
}
