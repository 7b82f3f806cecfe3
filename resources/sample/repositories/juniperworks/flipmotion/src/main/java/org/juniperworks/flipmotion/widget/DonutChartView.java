package org.juniperworks.flipmotion.widget;

import android.content.Context;
import android.content.res.TypedArray;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.RectF;
import android.graphics.SweepGradient;
import android.os.Build;
import android.support.annotation.ColorInt;
import android.text.Layout;
import android.text.StaticLayout;
import android.text.TextPaint;
import android.util.AttributeSet;
import android.util.TypedValue;
import android.view.MotionEvent;
import android.view.View;
import android.view.accessibility.AccessibilityEvent;

import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.juniperworks.flipmotion.R;

/** A ring of slices with labels around it. */
public class DonutChartView extends View {

  public static class Slice {
    public final String label;
    public final float value;
    @ColorInt public final int color;

    public Slice(String label, float value, int color) {
      this.label = label;
      this.value = value;
      this.color = color;
    }
  }

  /** Anything that can be turned into slices. */
  public interface Source<T> {
    Slice slice(T item);

    /** Converts many items and drops those without a value. */
    default List<Slice> all(Iterable<? extends T> items) {
      List<Slice> out = new ArrayList<>();
      for (T t : items) {
        Slice s = slice(t);
        if (s != null && s.value > 0) out.add(s);
      }
      return out;
    }
  }

  private final List<Slice> slices = new ArrayList<>();
  private final Paint ring = new Paint(Paint.ANTI_ALIAS_FLAG);
  private final TextPaint labels = new TextPaint(Paint.ANTI_ALIAS_FLAG);
  private final RectF circle = new RectF();
  private float thickness = 0.3f;
  private float progress = 1f;
  private int picked = -1;
  private String note;

  public DonutChartView(Context context, AttributeSet attrs) {
    super(context, attrs);
    readStyle(attrs);
  }

  /** Reads the custom attributes from the layout file. */
  private void readStyle(AttributeSet attrs) {
    TypedArray a = getContext().obtainStyledAttributes(attrs, R.styleable.DonutChartView, 0, R.style.Donut);
    try {
      thickness = a.getFraction(R.styleable.DonutChartView_thickness, 1, 1, thickness);
      labels.setTextSize(a.getDimension(R.styleable.DonutChartView_android_textSize, 28f));
      labels.setColor(a.getColor(R.styleable.DonutChartView_android_textColor, Color.DKGRAY));
      note = a.getString(R.styleable.DonutChartView_note);
    } finally {
      a.recycle();
    }
  }

  /** Places the explanatory note below the ring, over as many rows as it takes. */
  private float drawLegendNote(Canvas canvas, float top) {
    TextPaint small = new TextPaint(Paint.ANTI_ALIAS_FLAG);
    small.setTextSize(TypedValue.applyDimension(TypedValue.COMPLEX_UNIT_SP, 12f, getResources().getDisplayMetrics()));
    small.setColor(labels.getColor());
    int available = getWidth() - getPaddingLeft() - getPaddingRight();
    StaticLayout rows = new StaticLayout(note, small, available, Layout.Alignment.ALIGN_CENTER, 1.1f, 0f, false);
    canvas.save();
    canvas.translate(getPaddingLeft(), top);
    rows.draw(canvas);
    canvas.restore();
    return top + rows.getHeight();
  }

  @Override
  protected void onMeasure(int widthSpec, int heightSpec) {
    int wish = Math.round(TypedValue.applyDimension(TypedValue.COMPLEX_UNIT_DIP, 160, getResources().getDisplayMetrics()));
    int w = resolveSize(Math.max(wish, getSuggestedMinimumWidth()), widthSpec);
    int h = resolveSize(note == null ? w : w * 5 / 4, heightSpec);
    setMeasuredDimension(w, h);
  }

  /**
   * Draws slices, leader lines and labels. Labels are pushed apart on either side until none
   * of them overlap; tiny slices are gathered into one called "other".
   */
  @Override
  protected void onDraw(Canvas canvas) {
    super.onDraw(canvas);
    float total = 0f;
    for (Slice s : slices) {
      total += s.value;
    }
    if (total <= 0f) {
      ring.setStyle(Paint.Style.STROKE);
      ring.setColor(Color.LTGRAY);
      canvas.drawOval(circle, ring);
      return;
    }

    // geometry
    float lineHeight = labels.getFontSpacing();
    float side = Math.min(getWidth() - getPaddingLeft() - getPaddingRight(), getHeight() - getPaddingTop() - getPaddingBottom());
    float outer = side / 2f - lineHeight * 1.5f;
    float inner = outer * (1f - thickness);
    float cx = getPaddingLeft() + (getWidth() - getPaddingLeft() - getPaddingRight()) / 2f;
    float cy = getPaddingTop() + side / 2f;
    circle.set(cx - outer, cy - outer, cx + outer, cy + outer);
    RectF hole = new RectF(cx - inner, cy - inner, cx + inner, cy + inner);

    // tiny slices become one
    List<Slice> shown = new ArrayList<>();
    float other = 0f;
    for (Slice s : slices) {
      if (s.value / total < 0.02f) {
        other += s.value;
      } else {
        shown.add(s);
      }
    }
    if (other > 0f) {
      shown.add(new Slice(getResources().getString(R.string.other), other, Color.GRAY));
    }

    // the ring itself, remembering the middle angle of each slice
    float[] middles = new float[shown.size()];
    float angle = -90f;
    ring.setStyle(Paint.Style.FILL);
    for (int i = 0; i < shown.size(); i++) {
      Slice s = shown.get(i);
      float sweep = 360f * s.value / total * progress;
      middles[i] = angle + sweep / 2f;
      Path wedge = new Path();
      if (sweep > 359.9f) {
        wedge.addOval(circle, Path.Direction.CW);
        wedge.addOval(hole, Path.Direction.CCW);
      } else {
        wedge.arcTo(circle, angle, sweep);
        wedge.arcTo(hole, angle + sweep, -sweep);
        wedge.close();
      }
      if (i == picked) {
        double rad = Math.toRadians(middles[i]);
        wedge.offset((float) Math.cos(rad) * lineHeight / 3f, (float) Math.sin(rad) * lineHeight / 3f);
      }
      ring.setColor(s.color);
      canvas.drawPath(wedge, ring);
      angle += sweep;
    }
    if (progress < 1f) {
      return;
    }

    // labels: right half from top to bottom, left half likewise
    NumberFormat percent = NumberFormat.getPercentInstance();
    for (int half = 0; half < 2; half++) {
      boolean right = half == 0;
      List<Integer> column = new ArrayList<>();
      for (int i = 0; i < middles.length; i++) {
        if (Math.cos(Math.toRadians(middles[i])) >= 0 == right) {
          column.add(i);
        }
      }
      if (!right) {
        Collections.reverse(column);
      }
      float[] ys = new float[column.size()];
      for (int k = 0; k < ys.length; k++) {
        ys[k] = cy + (float) Math.sin(Math.toRadians(middles[column.get(k)])) * (outer + lineHeight / 2f);
      }
      for (int round = 0; round < 20; round++) {
        boolean moved = false;
        for (int k = 1; k < ys.length; k++) {
          float overlap = ys[k - 1] + lineHeight - ys[k];
          if (overlap > 0.5f) {
            ys[k - 1] -= overlap / 2f;
            ys[k] += overlap / 2f;
            moved = true;
          }
        }
        if (!moved) {
          break;
        }
      }
      labels.setTextAlign(right ? Paint.Align.LEFT : Paint.Align.RIGHT);
      for (int k = 0; k < ys.length; k++) {
        int i = column.get(k);
        Slice s = shown.get(i);
        double rad = Math.toRadians(middles[i]);
        float fromX = cx + (float) Math.cos(rad) * outer;
        float fromY = cy + (float) Math.sin(rad) * outer;
        float toX = cx + (right ? 1 : -1) * (outer + lineHeight / 2f);
        ring.setColor(s.color);
        ring.setStrokeWidth(lineHeight / 16f);
        canvas.drawLine(fromX, fromY, toX, ys[k], ring);
        String text = s.label + " " + percent.format(s.value / total);
        canvas.drawText(text, toX + (right ? 4f : -4f), ys[k] + lineHeight / 3f, labels);
      }
    }

    if (note != null) {
      drawLegendNote(canvas, cy + side / 2f);
    }
  }

  /** Finds the slice under a touch and highlights it. */
  @Override
  public boolean onTouchEvent(MotionEvent e) {
    if (e.getAction() != MotionEvent.ACTION_UP) {
      return isClickable() || super.onTouchEvent(e);
    }
    double deg = Math.toDegrees(Math.atan2(e.getY() - circle.centerY(), e.getX() - circle.centerX())) + 90;
    float turn = (float) ((deg + 360) % 360) / 360f;
    float sum = 0f, total = 0f;
    for (Slice s : slices) total += s.value;
    picked = -1;
    for (int i = 0; i < slices.size() && picked < 0; i++) {
      sum += slices.get(i).value / total;
      if (turn <= sum) picked = i;
    }
    invalidate();
    return true;
  }

  /** Shows multi-coloured shimmer on the ring while data is loading. */
  public void shimmer(int... colors) {
    int[] loop = Arrays.copyOf(colors, colors.length + 1);
    loop[colors.length] = colors[0];
    ring.setShader(new SweepGradient(getWidth() / 2f, getHeight() / 2f, loop, null));
    postDelayed(() -> {
      ring.setShader(null);
      invalidate();
    }, 1200);
  }

  /** Reads the text of all lines aloud for blind users. */
  @Override
  public void onPopulateAccessibilityEvent(AccessibilityEvent event) {
    super.onPopulateAccessibilityEvent(event);
    slices.stream().map(s -> s.label + ": " + s.value).forEach(event.getText()::add);
    if (Build.VERSION.SDK_INT >= 19) {
      event.setContentChangeTypes(AccessibilityEvent.CONTENT_CHANGE_TYPE_TEXT);
    }
  }
}
