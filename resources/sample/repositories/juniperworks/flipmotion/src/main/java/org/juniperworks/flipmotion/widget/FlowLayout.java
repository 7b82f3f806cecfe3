package org.juniperworks.flipmotion.widget;

import android.animation.LayoutTransition;
import android.content.Context;
import android.graphics.Canvas;
import android.graphics.drawable.Drawable;
import android.support.v4.view.ViewCompat;
import android.util.AttributeSet;
import android.view.Gravity;
import android.view.View;
import android.view.ViewGroup;

import java.util.ArrayList;
import java.util.List;

/** Lays out its children like words in a paragraph. */
public class FlowLayout extends ViewGroup {

  public enum Justify { START, CENTER, END, SPREAD }

  private Justify justify = Justify.START;
  private int gapX = 8;
  private int gapY = 8;
  private int maxRows = Integer.MAX_VALUE;
  private Drawable rule;
  private int[] rowBottoms = new int[0];

  public FlowLayout(Context context, AttributeSet attrs) {
    super(context, attrs);
    setWillNotDraw(false);
  }

  /** Measures how many rows are needed and how high they are. */
  @Override
  protected void onMeasure(int widthSpec, int heightSpec) {
    int limit = MeasureSpec.getMode(widthSpec) == MeasureSpec.UNSPECIFIED
        ? Integer.MAX_VALUE : MeasureSpec.getSize(widthSpec) - getPaddingLeft() - getPaddingRight();
    int x = 0, y = 0, row = 0, widest = 0;
    for (int i = 0; i < getChildCount(); i++) {
      View child = getChildAt(i);
      if (child.getVisibility() == GONE) continue;
      measureChildWithMargins(child, widthSpec, 0, heightSpec, y);
      MarginLayoutParams lp = (MarginLayoutParams) child.getLayoutParams();
      int w = child.getMeasuredWidth() + lp.leftMargin + lp.rightMargin;
      if (x > 0 && x + w > limit) {
        y += row + gapY;
        x = row = 0;
      }
      x += w + gapX;
      row = Math.max(row, child.getMeasuredHeight() + lp.topMargin + lp.bottomMargin);
      widest = Math.max(widest, x - gapX);
    }
    setMeasuredDimension(resolveSize(widest + getPaddingLeft() + getPaddingRight(), widthSpec),
        resolveSize(y + row + getPaddingTop() + getPaddingBottom(), heightSpec));
  }

  /**
   * Positions the children: fills rows greedily, then distributes the spare room of each row
   * according to the justification, in either reading direction.
   */
  @Override
  protected void onLayout(boolean changed, int l, int t, int r, int b) {
    final boolean rtl = ViewCompat.getLayoutDirection(this) == ViewCompat.LAYOUT_DIRECTION_RTL;
    final int innerWidth = r - l - getPaddingLeft() - getPaddingRight();
    final List<List<View>> rows = new ArrayList<>();
    final List<Integer> widths = new ArrayList<>();

    // 1. break into rows
    List<View> current = new ArrayList<>();
    int used = 0;
    for (int i = 0; i < getChildCount(); i++) {
      View child = getChildAt(i);
      if (child.getVisibility() == GONE) {
        continue;
      }
      MarginLayoutParams lp = (MarginLayoutParams) child.getLayoutParams();
      int w = child.getMeasuredWidth() + lp.leftMargin + lp.rightMargin;
      int withGap = current.isEmpty() ? w : used + gapX + w;
      if (!current.isEmpty() && withGap > innerWidth) {
        rows.add(current);
        widths.add(used);
        current = new ArrayList<>();
        used = w;
      } else {
        used = withGap;
      }
      current.add(child);
    }
    if (!current.isEmpty()) {
      rows.add(current);
      widths.add(used);
    }

    // 2. place row by row
    rowBottoms = new int[Math.min(rows.size(), maxRows)];
    int top = getPaddingTop();
    for (int n = 0; n < rows.size(); n++) {
      List<View> row = rows.get(n);
      if (n >= maxRows) {
        // park what is too much outside of the visible area
        for (View v : row) {
          v.layout(-v.getMeasuredWidth(), 0, 0, v.getMeasuredHeight());
        }
        continue;
      }
      int rowHeight = 0;
      int baseline = -1;
      for (View v : row) {
        MarginLayoutParams lp = (MarginLayoutParams) v.getLayoutParams();
        rowHeight = Math.max(rowHeight, v.getMeasuredHeight() + lp.topMargin + lp.bottomMargin);
        if (v.getBaseline() >= 0) {
          baseline = Math.max(baseline, v.getBaseline() + lp.topMargin);
        }
      }

      int spare = Math.max(0, innerWidth - widths.get(n));
      float extra = 0f;
      float x = getPaddingLeft();
      boolean lastRow = n == rows.size() - 1;
      switch (justify) {
        case CENTER:
          x += spare / 2f;
          break;
        case END:
          x += rtl ? 0 : spare;
          break;
        case SPREAD:
          if (!lastRow && row.size() > 1) {
            extra = (float) spare / (row.size() - 1);
          } else if (rtl) {
            x += spare;
          }
          break;
        default:
          x += rtl ? spare : 0;
      }

      for (int k = 0; k < row.size(); k++) {
        View v = row.get(rtl ? row.size() - 1 - k : k);
        LayoutParams lp = (LayoutParams) v.getLayoutParams();
        int left = Math.round(x) + lp.leftMargin;
        int y;
        switch (lp.gravity & Gravity.VERTICAL_GRAVITY_MASK) {
          case Gravity.BOTTOM:
            y = top + rowHeight - v.getMeasuredHeight() - lp.bottomMargin;
            break;
          case Gravity.CENTER_VERTICAL:
            y = top + (rowHeight - v.getMeasuredHeight() + lp.topMargin - lp.bottomMargin) / 2;
            break;
          case Gravity.FILL_VERTICAL:
            y = top + lp.topMargin;
            v.measure(MeasureSpec.makeMeasureSpec(v.getMeasuredWidth(), MeasureSpec.EXACTLY),
                MeasureSpec.makeMeasureSpec(rowHeight - lp.topMargin - lp.bottomMargin, MeasureSpec.EXACTLY));
            break;
          default:
            y = v.getBaseline() >= 0 ? top + baseline - v.getBaseline() : top + lp.topMargin;
        }
        v.layout(left, y, left + v.getMeasuredWidth(), y + v.getMeasuredHeight());
        x = left + v.getMeasuredWidth() + lp.rightMargin + gapX + extra;
      }
      top += rowHeight;
      rowBottoms[n] = top;
      top += gapY;
    }
  }

  public static class LayoutParams extends MarginLayoutParams {
    int gravity = Gravity.NO_GRAVITY;

    public LayoutParams(int w, int h) {
      super(w, h);
    }

    /** Shrinks the margins of a child to a share of their size, for dense screens. */
    public LayoutParams condensed(float share) {
      LayoutParams copy = new LayoutParams(width, height);
      copy.setMargins((int) (leftMargin * share), (int) (topMargin * share), (int) (rightMargin * share), (int) (bottomMargin * share));
      copy.gravity = gravity;
      return copy;
    }
  }

  @Override
  protected void onDraw(Canvas canvas) {
    for (int i = 0; rule != null && i < rowBottoms.length - 1; i++) {
      int y = rowBottoms[i] + gapY / 2;
      rule.setBounds(getPaddingLeft(), y, getWidth() - getPaddingRight(), y + Math.max(1, rule.getIntrinsicHeight()));
      rule.draw(canvas);
    }
  }

  /** Animates height changes when tags are added or removed. */
  public void animateChanges(boolean smoothly) {
    if (!smoothly) {
      setLayoutTransition(null);
      return;
    }
    LayoutTransition transition = new LayoutTransition();
    transition.enableTransitionType(LayoutTransition.CHANGING);
    transition.setStartDelay(LayoutTransition.APPEARING, 60);
    transition.setDuration(180);
    setLayoutTransition(transition);
  }

  /** Returns the index of the last child that still lies inside the allowed rows, or -1. */
  public int lastVisibleChild() {
    int i = getChildCount();
    while (--i >= 0) {
      View v = getChildAt(i);
      if (v.getVisibility() == VISIBLE && v.getRight() > 0) break;
    }
    return i;
  }
}
