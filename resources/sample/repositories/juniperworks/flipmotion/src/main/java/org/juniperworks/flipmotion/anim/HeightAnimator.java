package org.juniperworks.flipmotion.anim;

import android.animation.Animator;
import android.animation.AnimatorListenerAdapter;
import android.animation.AnimatorSet;
import android.animation.ArgbEvaluator;
import android.animation.ObjectAnimator;
import android.animation.PropertyValuesHolder;
import android.animation.ValueAnimator;
import android.graphics.Rect;
import android.os.Build;
import android.util.Property;
import android.view.View;
import android.view.ViewAnimationUtils;
import android.view.ViewGroup;
import android.view.ViewPropertyAnimator;
import android.view.animation.AccelerateDecelerateInterpolator;
import android.view.animation.OvershootInterpolator;

import java.util.ArrayList;
import java.util.List;

/** Small animations that come up again and again. */
public final class HeightAnimator {

  private static final Property<View, Integer> CLIP_TOP =
      new Property<View, Integer>(Integer.class, "clipTop") {
        @Override
        public Integer get(View v) {
          Rect clip = v.getClipBounds();
          return clip == null ? 0 : clip.top;
        }

        @Override
        public void set(View v, Integer top) {
          v.setClipBounds(new Rect(0, top, v.getWidth(), v.getHeight()));
        }
      };

  private HeightAnimator() {
  }

  /** Rolls a panel down like a blind until all of its content shows. */
  public static void unfold(final View panel, int millis) {
    int across = View.MeasureSpec.makeMeasureSpec(((View) panel.getParent()).getWidth(), View.MeasureSpec.EXACTLY);
    panel.measure(across, ViewGroup.LayoutParams.WRAP_CONTENT);
    panel.getLayoutParams().height = 1;
    panel.setVisibility(View.VISIBLE);
    ValueAnimator roll = ValueAnimator.ofInt(1, panel.getMeasuredHeight()).setDuration(millis);
    roll.setInterpolator(new AccelerateDecelerateInterpolator());
    roll.addUpdateListener(new ValueAnimator.AnimatorUpdateListener() {
      @Override
      public void onAnimationUpdate(ValueAnimator a) {
        boolean done = a.getAnimatedFraction() == 1f;
        panel.getLayoutParams().height = done ? ViewGroup.LayoutParams.WRAP_CONTENT : (int) a.getAnimatedValue();
        panel.requestLayout();
      }
    });
    roll.start();
  }

  /** Fades a view out and takes it from the layout when the animation ends. */
  public static void vanish(final View view, long duration) {
    ViewPropertyAnimator fade = view.animate().alpha(0f).setDuration(duration);
    fade.setListener(new AnimatorListenerAdapter() {
      private boolean cancelled;

      @Override
      public void onAnimationCancel(Animator animation) {
        cancelled = true;
        view.setAlpha(1f);
      }

      @Override
      public void onAnimationEnd(Animator animation) {
        if (!cancelled) {
          ((ViewGroup) view.getParent()).removeView(view);
        }
      }
    });
  }

  /** Expands a picture from a thumbnail to the full size of the view with a smooth zoom. */
  public static Animator zoomFrom(View target, Rect thumb, Rect full) {
    target.setPivotX(0f);
    target.setPivotY(0f);
    AnimatorSet set = new AnimatorSet();
    set.play(ObjectAnimator.ofFloat(target, View.X, thumb.left, full.left))
        .with(ObjectAnimator.ofFloat(target, View.Y, thumb.top, full.top))
        .with(ObjectAnimator.ofFloat(target, View.SCALE_X, (float) thumb.width() / full.width(), 1f))
        .with(ObjectAnimator.ofFloat(target, View.SCALE_Y, (float) thumb.height() / full.height(), 1f));
    return set;
  }

  /** Shakes a field sideways to show that the input was wrong. */
  public static void shake(View field, float distance) {
    float[] swing = new float[9];
    for (int i = 1; i < swing.length - 1; i++) {
      swing[i] = (i % 2 == 0 ? -distance : distance) * (swing.length - i) / swing.length;
    }
    ObjectAnimator.ofFloat(field, "translationX", swing).setDuration(400).start();
  }

  /** Animates the background of a view between two colours, back and forth. */
  public static ValueAnimator pulse(View view, int from, int to) {
    ValueAnimator v = ValueAnimator.ofObject(new ArgbEvaluator(), from, to);
    v.setRepeatMode(ValueAnimator.REVERSE);
    v.setRepeatCount(ValueAnimator.INFINITE);
    v.addUpdateListener(a -> view.setBackgroundColor((Integer) a.getAnimatedValue()));
    view.addOnAttachStateChangeListener(new View.OnAttachStateChangeListener() {
      @Override
      public void onViewAttachedToWindow(View attached) {
        if (!v.isStarted()) v.start();
      }

      @Override
      public void onViewDetachedFromWindow(View detached) {
        v.cancel();
        detached.setBackgroundColor(from);
      }
    });
    return v;
  }

  /** Slides the upper edge of a header out of sight while the toolbar collapses. */
  public static Animator slideClip(View header, int by) {
    int start = CLIP_TOP.get(header);
    PropertyValuesHolder edge = PropertyValuesHolder.ofInt(CLIP_TOP, start, start + by);
    PropertyValuesHolder dim = PropertyValuesHolder.ofFloat(View.ALPHA, 1f, 0.6f);
    return ObjectAnimator.ofPropertyValuesHolder(header, edge, dim);
  }

  /** Reveals a view with a growing circle, or at once on old systems. */
  public static void reveal(View v, int cx, int cy) {
    v.setVisibility(View.VISIBLE);
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.LOLLIPOP && v.isAttachedToWindow()) {
      float far = (float) Math.hypot(Math.max(cx, v.getWidth() - cx), Math.max(cy, v.getHeight() - cy));
      ViewAnimationUtils.createCircularReveal(v, cx, cy, 0f, far).start();
    }
  }

  /** Lets the children of a group pop up one after the other. */
  public static void cascade(ViewGroup group, long gap) {
    List<Animator> pops = new ArrayList<>();
    for (int i = 0; i < group.getChildCount(); i++) {
      View child = group.getChildAt(i);
      child.setScaleX(0f);
      ObjectAnimator pop = ObjectAnimator.ofFloat(child, View.SCALE_X, 1f);
      pop.setStartDelay(i * gap);
      pop.setInterpolator(new OvershootInterpolator());
      pops.add(pop);
    }
    AnimatorSet all = new AnimatorSet();
    all.playTogether(pops);
    all.start();
  }
}
