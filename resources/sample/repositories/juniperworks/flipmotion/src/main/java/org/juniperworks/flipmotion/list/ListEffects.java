package org.juniperworks.flipmotion.list;

import android.app.Activity;
import android.app.ActivityOptions;
import android.content.Intent;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Rect;
import android.os.Build;
import android.support.v4.util.Pair;
import android.support.v7.widget.DefaultItemAnimator;
import android.support.v7.widget.LinearLayoutManager;
import android.support.v7.widget.LinearSmoothScroller;
import android.support.v7.widget.RecyclerView;
import android.support.v7.widget.helper.ItemTouchHelper;
import android.transition.ChangeBounds;
import android.transition.Fade;
import android.transition.Slide;
import android.transition.TransitionManager;
import android.transition.TransitionSet;
import android.util.SparseIntArray;
import android.view.Gravity;
import android.view.View;
import android.view.ViewGroup;
import android.view.animation.AnimationUtils;
import android.view.animation.LayoutAnimationController;

import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** Decorations, scrolling helpers and transitions for lists. */
public class ListEffects {

  /** Asks for more rows when the list is nearly at its end. */
  public static class EdgePager extends RecyclerView.OnScrollListener {
    private final Runnable loadMore;
    private int askedAt = -1;

    public EdgePager(Runnable loadMore) {
      this.loadMore = loadMore;
    }

    @Override
    public void onScrolled(RecyclerView list, int dx, int dy) {
      LinearLayoutManager manager = (LinearLayoutManager) list.getLayoutManager();
      int total = manager.getItemCount();
      if (dy > 0 && total != askedAt && manager.findLastVisibleItemPosition() >= total - 5) {
        askedAt = total;
        list.post(loadMore);
      }
    }
  }

  /** Keeps the header of the current section at the top. */
  public static class StickyHeader extends RecyclerView.ItemDecoration {
    private final IntPredicate isHeader;
    private final SparseIntArray heights = new SparseIntArray();
    private Bitmap picture;

    public StickyHeader(IntPredicate isHeader) {
      this.isHeader = isHeader;
    }

    /** Draws the picture of the header, pushed up by the next one. */
    @Override
    public void onDrawOver(Canvas c, RecyclerView parent, RecyclerView.State state) {
      int push = 0;
      for (int i = 0; i < parent.getChildCount(); i++) {
        View child = parent.getChildAt(i);
        int position = parent.getChildAdapterPosition(child);
        if (position < 0 || !isHeader.test(position)) continue;
        heights.put(position, child.getHeight());
        if (child.getTop() <= 0) {
          child.setDrawingCacheEnabled(true);
          picture = Bitmap.createBitmap(child.getDrawingCache());
          child.setDrawingCacheEnabled(false);
        } else if (picture != null && child.getTop() < picture.getHeight()) {
          push = child.getTop() - picture.getHeight();
        }
      }
      if (picture != null) c.drawBitmap(picture, parent.getPaddingLeft(), push, null);
    }

    /** Adds room above every header except the first. */
    @Override
    public void getItemOffsets(Rect out, View view, RecyclerView parent, RecyclerView.State state) {
      int position = parent.getChildAdapterPosition(view);
      boolean gap = position > 0 && isHeader.test(position);
      out.set(0, gap ? heights.get(position, 24) / 3 : 0, 0, 0);
    }
  }

  /** Removes a row when it is swiped to the left and starts an edit when swiped to the right. */
  public static ItemTouchHelper swipeRows(RecyclerView list, IntConsumer remove, IntConsumer edit) {
    ItemTouchHelper helper = new ItemTouchHelper(new ItemTouchHelper.SimpleCallback(0, ItemTouchHelper.LEFT | ItemTouchHelper.RIGHT) {
      @Override
      public boolean onMove(RecyclerView rv, RecyclerView.ViewHolder a, RecyclerView.ViewHolder b) {
        throw new UnsupportedOperationException(rv + " is not sortable");
      }

      @Override
      public void onSwiped(RecyclerView.ViewHolder holder, int direction) {
        (direction == ItemTouchHelper.LEFT ? remove : edit).accept(holder.getAdapterPosition());
      }
    });
    helper.attachToRecyclerView(list);
    return helper;
  }

  /** Moves an item inside a list step by step so that each swap can be animated. */
  public static <T> void shift(List<T> items, RecyclerView.Adapter<?> adapter, int from, int to) {
    int step = Integer.signum(to - from);
    for (int i = from; i != to; i += step) {
      Collections.swap(items, i, i + step);
    }
    adapter.notifyItemMoved(from, to);
  }

  /** Scrolls smoothly until the row touches the top edge. */
  public static void snapToTop(RecyclerView list, int position, final float millisPerInch) {
    LinearSmoothScroller scroller = new LinearSmoothScroller(list.getContext()) {
      @Override
      protected int getVerticalSnapPreference() {
        return position == 0 ? SNAP_TO_ANY : SNAP_TO_START;
      }
    };
    scroller.setTargetPosition(position);
    list.getLayoutManager().startSmoothScroll(scroller);
    list.setItemViewCacheSize((int) (millisPerInch / 10));
  }

  /** Opens a detail screen with the picture flying over. */
  public static void openShared(Activity from, Intent detail, Pair<View, String> shared) {
    if (Build.VERSION.SDK_INT < 21) {
      from.startActivity(detail);
      from.overridePendingTransition(android.R.anim.fade_in, android.R.anim.fade_out);
      return;
    }
    shared.first.setTransitionName(shared.second);
    ActivityOptions options = ActivityOptions.makeSceneTransitionAnimation(from, shared.first, shared.second);
    from.startActivity(detail, options.toBundle());
  }

  /** Expands or collapses the details of a card by swapping visibility inside a delayed transition. */
  public static void toggleDetails(ViewGroup card, int detailsId) {
    TransitionSet set = new TransitionSet()
        .addTransition(new Fade(Fade.OUT))
        .addTransition(new ChangeBounds())
        .addTransition(new Slide(Gravity.TOP));
    set.setOrdering(TransitionSet.ORDERING_SEQUENTIAL);
    TransitionManager.beginDelayedTransition(card, set);
    View details = card.findViewById(detailsId);
    details.setVisibility(details.getVisibility() == View.VISIBLE ? View.GONE : View.VISIBLE);
  }

  /** Lets the rows fall in when the list is shown for the first time. */
  public static void entrance(RecyclerView list, int animRes) {
    LayoutAnimationController falls = new LayoutAnimationController(AnimationUtils.loadAnimation(list.getContext(), animRes), 0.15f);
    falls.setOrder(LayoutAnimationController.ORDER_REVERSE);
    list.setLayoutAnimation(falls);
    list.scheduleLayoutAnimation();
    DefaultItemAnimator calm = new DefaultItemAnimator();
    calm.setSupportsChangeAnimations(false);
    list.setItemAnimator(calm);
  }

  static int visibleShare(View row) {
    Rect seen = new Rect();
    if (!row.getGlobalVisibleRect(seen)) return 0;
    return 100 * seen.width() * seen.height() / Math.max(1, row.getWidth() * row.getHeight());
  }
}
