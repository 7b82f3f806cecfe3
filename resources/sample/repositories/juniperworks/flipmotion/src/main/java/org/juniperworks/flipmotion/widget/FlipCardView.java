package org.juniperworks.flipmotion.widget;

import android.content.Context;
import android.graphics.Camera;
import android.graphics.Canvas;
import android.graphics.LinearGradient;
import android.graphics.Matrix;
import android.graphics.Paint;
import android.graphics.PorterDuff;
import android.graphics.PorterDuffXfermode;
import android.graphics.Shader;
import android.os.Parcel;
import android.os.Parcelable;
import android.support.v4.view.ViewCompat;
import android.support.v4.widget.ViewDragHelper;
import android.util.AttributeSet;
import android.util.DisplayMetrics;
import android.view.Gravity;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager;
import android.view.animation.Animation;
import android.view.animation.AnimationUtils;
import android.view.animation.Transformation;
import android.widget.FrameLayout;
import android.widget.PopupWindow;
import android.widget.ViewFlipper;
import org.juniperworks.flipmotion.R;

/** A card with two faces that turns over when it is swiped. */
public class FlipCardView extends FrameLayout {

  private static final int FLICK_LENGTH = 80;
  private static final int FLICK_SPEED = 300;

  private boolean backVisible;
  private ViewDragHelper drag;
  private float lastX;

  public FlipCardView(Context context, AttributeSet attrs) {
    super(context, attrs);
    drag = ViewDragHelper.create(this, 1.2f, new DragRules());
  }

  /** Decides from start and end of a motion which card of the deck comes up. */
  void judgeFlick(ViewFlipper deck, MotionEvent begin, MotionEvent end, float velocityX) {
    if (Math.abs(velocityX) < FLICK_SPEED) {
      return;
    }
    if (end.getX() - begin.getX() > FLICK_LENGTH) {
      deck.setInAnimation(AnimationUtils.loadAnimation(getContext(), R.anim.slide_in_left));
      deck.setOutAnimation(AnimationUtils.loadAnimation(getContext(), R.anim.slide_out_right));
      deck.showPrevious();
    } else if (begin.getX() - end.getX() > FLICK_LENGTH) {
      deck.setInAnimation(AnimationUtils.loadAnimation(getContext(), R.anim.slide_in_right));
      deck.setOutAnimation(null);
      deck.showNext();
    }
  }

  /** Starts the flip animation to the left (-1) or right (+1). */
  void turn(final int direction) {
    TurnAnimation a = new TurnAnimation(direction);
    a.setDuration(450);
    a.setFillAfter(false);
    a.setAnimationListener(new Animation.AnimationListener() {
      @Override
      public void onAnimationStart(Animation animation) {
        setLayerType(LAYER_TYPE_HARDWARE, null);
      }

      @Override
      public void onAnimationEnd(Animation animation) {
        setLayerType(LAYER_TYPE_NONE, null);
        ViewCompat.postInvalidateOnAnimation(FlipCardView.this);
      }

      @Override
      public void onAnimationRepeat(Animation animation) {
        throw new AssertionError("flips never repeat");
      }
    });
    startAnimation(a);
  }

  private class TurnAnimation extends Animation {
    private final Camera lens = new Camera();
    private final int sign;
    private boolean swapped;

    TurnAnimation(int sign) {
      this.sign = sign;
    }

    /** Rotates around the vertical axis and swaps the faces half-way. */
    @Override
    protected void applyTransformation(float t, Transformation out) {
      if (t >= 0.5f && !swapped) {
        swapped = true;
        backVisible = !backVisible;
        getChildAt(0).setVisibility(backVisible ? INVISIBLE : VISIBLE);
        getChildAt(1).setVisibility(backVisible ? VISIBLE : INVISIBLE);
      }
      float angle = sign * (t < 0.5f ? t * 180f : t * 180f - 180f);
      Matrix m = out.getMatrix();
      lens.save();
      lens.translate(0f, 0f, 200f * (0.5f - Math.abs(t - 0.5f)));
      lens.rotateY(angle);
      lens.getMatrix(m);
      lens.restore();
      m.preTranslate(-getWidth() / 2f, -getHeight() / 2f);
      m.postTranslate(getWidth() / 2f, getHeight() / 2f);
    }
  }

  private class DragRules extends ViewDragHelper.Callback {
    @Override
    public boolean tryCaptureView(View child, int pointerId) {
      return child.isEnabled() && indexOfChild(child) == (backVisible ? 1 : 0);
    }

    /** Keeps the dragged face between the left and right edge of the card. */
    @Override
    public int clampViewPositionHorizontal(View child, int left, int dx) {
      int room = getWidth() - child.getWidth();
      return Math.max(Math.min(0, room), Math.min(left, Math.max(0, room)));
    }

    @Override
    public void onViewReleased(View child, float xvel, float yvel) {
      int rest = xvel > 0 ? getWidth() - child.getWidth() : getPaddingLeft();
      if (drag.settleCapturedViewAt(rest, getPaddingTop())) {
        postInvalidateOnAnimation();
      }
    }
  }

  /** Detects sideways movement early enough to steal the touch from a list inside. */
  @Override
  public boolean onInterceptTouchEvent(MotionEvent ev) {
    if (ev.getActionMasked() == MotionEvent.ACTION_MOVE && Math.abs(ev.getRawX() - lastX) > 3 * drag.getTouchSlop()) {
      return true;
    }
    lastX = ev.getActionMasked() == MotionEvent.ACTION_DOWN ? ev.getRawX() : lastX;
    return drag.shouldInterceptTouchEvent(ev);
  }

  @Override
  public void computeScroll() {
    super.computeScroll();
    if (drag != null && drag.continueSettling(true)) {
      ViewCompat.postInvalidateOnAnimation(this);
    }
  }

  /** Shows a floating popup over the card that takes up a share of the screen width. */
  public void floatAcross(View content, float part) {
    DisplayMetrics stage = new DisplayMetrics();
    WindowManager wm = (WindowManager) getContext().getSystemService(Context.WINDOW_SERVICE);
    wm.getDefaultDisplay().getRealMetrics(stage);
    PopupWindow popup = new PopupWindow(content, (int) (stage.widthPixels * part), ViewGroup.LayoutParams.WRAP_CONTENT, true);
    popup.setOutsideTouchable(true);
    popup.setElevation(8 * stage.density);
    popup.showAtLocation(this, Gravity.CENTER, 0, 0);
  }

  /** Draws the mirrored, fading reflection of a face under the card. */
  static void reflect(Canvas canvas, View face, int depth) {
    int layer = canvas.saveLayer(0, face.getBottom(), face.getWidth(), face.getBottom() + depth, null, Canvas.ALL_SAVE_FLAG);
    canvas.translate(0, 2 * face.getBottom());
    canvas.scale(1f, -1f);
    face.draw(canvas);
    Paint fade = new Paint();
    fade.setShader(new LinearGradient(0, face.getBottom(), 0, face.getBottom() - depth, 0x70ffffff, 0x00ffffff, Shader.TileMode.CLAMP));
    fade.setXfermode(new PorterDuffXfermode(PorterDuff.Mode.DST_IN));
    canvas.drawPaint(fade);
    canvas.restoreToCount(layer);
  }

  static class Saved extends View.BaseSavedState {
    final boolean back;

    Saved(Parcelable parent, boolean back) {
      super(parent);
      this.back = back;
    }

    @Override
    public void writeToParcel(Parcel dest, int flags) {
      super.writeToParcel(dest, flags);
      dest.writeInt(back ? 1 : 0);
    }
  }

  @Override
  protected void onRestoreInstanceState(Parcelable state) {
    if (!(state instanceof Saved)) {
      super.onRestoreInstanceState(state);
      return;
    }
    Saved saved = (Saved) state;
    super.onRestoreInstanceState(saved.getSuperState());
    if (saved.back != backVisible) {
      post(() -> turn(1));
    }
  }
}
