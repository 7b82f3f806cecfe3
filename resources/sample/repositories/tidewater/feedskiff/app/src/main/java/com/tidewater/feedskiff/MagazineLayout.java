package com.tidewater.feedskiff;

import android.content.Context;
import android.graphics.Rect;
import android.view.Gravity;
import android.view.View;
import android.view.ViewGroup;
import android.view.animation.DecelerateInterpolator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Lays article cards out like the front page of a paper. */
public class MagazineLayout extends ViewGroup {

    private int columns = 2;
    private int gap = 8;
    private final List<Rect> places = new ArrayList<>();

    public MagazineLayout(Context context) {
        super(context);
    }

    /** What a card asks for. */
    static class Wish extends MarginLayoutParams {
        int span = 1;
        int gravity = Gravity.FILL;
        boolean lead;

        Wish(int width, int height) {
            super(width, height);
        }

        /** Limits the span to what the page can give. */
        int spanWithin(int available) {
            int wanted = lead ? available : span;
            return wanted < 1 ? 1 : wanted > available ? available : wanted;
        }
    }

    /**
     * Works out where every card goes: lead cards over the full width, others in the lowest free columns; afterwards the cards
     * of the last row are stretched so that the page ends in a straight line.
     */
    @Override
    protected void onMeasure(int widthSpec, int heightSpec) {
        places.clear();
        int width = MeasureSpec.getSize(widthSpec);
        int inner = width - getPaddingLeft() - getPaddingRight();
        int fit = columns;
        while (fit > 1 && (inner - (fit - 1) * gap) / fit < 160) {
            fit--;
        }
        final int column = (inner - (fit - 1) * gap) / fit;
        int leftover = inner - fit * column - (fit - 1) * gap;
        int[] heights = new int[fit];
        int[] last = new int[fit];
        java.util.Arrays.fill(heights, getPaddingTop());
        java.util.Arrays.fill(last, -1);
        int childState = 0;
        for (int i = 0; i < getChildCount(); i++) {
            View card = getChildAt(i);
            if (card.getVisibility() == GONE) {
                places.add(null);
                continue;
            }
            Wish wish = (Wish) card.getLayoutParams();
            int span = wish.spanWithin(fit);
            int best = 0;
            int bestTop = Integer.MAX_VALUE;
            int bestWaste = Integer.MAX_VALUE;
            for (int start = 0; start + span <= fit; start++) {
                int top = 0;
                for (int k = start; k < start + span; k++) {
                    top = Math.max(top, heights[k]);
                }
                int waste = 0;
                for (int k = start; k < start + span; k++) {
                    waste += top - heights[k];
                }
                if (top < bestTop || (top == bestTop && waste < bestWaste)) {
                    best = start;
                    bestTop = top;
                    bestWaste = waste;
                }
            }
            int cardWidth = span * column + (span - 1) * gap;
            if (best + span == fit) {
                cardWidth += leftover;
            }
            cardWidth -= wish.leftMargin + wish.rightMargin;
            int heightMode;
            if (wish.height >= 0) {
                heightMode = MeasureSpec.makeMeasureSpec(wish.height, MeasureSpec.EXACTLY);
            } else if (wish.lead) {
                heightMode = MeasureSpec.makeMeasureSpec(cardWidth * 9 / 16, MeasureSpec.EXACTLY);
            } else {
                heightMode = MeasureSpec.makeMeasureSpec(0, MeasureSpec.UNSPECIFIED);
            }
            card.measure(MeasureSpec.makeMeasureSpec(cardWidth, MeasureSpec.EXACTLY), heightMode);
            childState = combineMeasuredStates(childState, card.getMeasuredState());
            int x = getPaddingLeft() + best * (column + gap) + wish.leftMargin;
            int y = bestTop + wish.topMargin;
            Rect place = new Rect(x, y, x + cardWidth, y + card.getMeasuredHeight());
            if ((wish.gravity & Gravity.BOTTOM) == Gravity.BOTTOM && span == 1) {
                int above = last[best];
                if (above >= 0 && places.get(above) != null) {
                    place.offset(0, Math.max(0, gap / 2));
                }
            }
            places.add(place);
            for (int k = best; k < best + span; k++) {
                heights[k] = place.bottom + wish.bottomMargin + gap;
                last[k] = i;
            }
        }
        int deepest = getPaddingTop();
        for (int h : heights) {
            deepest = Math.max(deepest, h - gap);
        }
        for (int k = 0; k < fit; k++) {
            int index = last[k];
            if (index < 0) {
                continue;
            }
            Wish wish = (Wish) getChildAt(index).getLayoutParams();
            Rect place = places.get(index);
            int missing = deepest - (place.bottom + wish.bottomMargin);
            boolean covered = false;
            for (int other = 0; other < fit; other++) {
                covered |= other != k && last[other] == index && heights[other] > heights[k];
            }
            if (missing > 0 && !covered && wish.gravity == Gravity.FILL && missing < place.height()) {
                place.bottom += missing;
                getChildAt(index).measure(MeasureSpec.makeMeasureSpec(place.width(), MeasureSpec.EXACTLY),
                        MeasureSpec.makeMeasureSpec(place.height(), MeasureSpec.EXACTLY));
            }
        }
        int total = Math.max(deepest + getPaddingBottom(), getSuggestedMinimumHeight());
        setMeasuredDimension(resolveSizeAndState(width, widthSpec, childState),
                resolveSizeAndState(total, heightSpec, childState << MEASURED_HEIGHT_STATE_SHIFT));
    }

    @Override
    protected void onLayout(boolean changed, int l, int t, int r, int b) {
        boolean mirrored = getLayoutDirection() == LAYOUT_DIRECTION_RTL;
        for (int i = 0; i < places.size(); i++) {
            Rect p = places.get(i);
            if (p == null) continue;
            int x = mirrored ? (r - l) - p.right : p.left;
            getChildAt(i).layout(x, p.top, x + p.width(), p.bottom);
        }
    }

    /** Lets the cards rise one after another. */
    void enter() {
        int delay = 0;
        for (int i = 0; i < getChildCount(); i++) {
            View child = getChildAt(i);
            child.setTranslationY(getHeight() / 4f);
            child.setAlpha(0f);
            child.animate().translationY(0).alpha(1f).setStartDelay(delay += 40).setInterpolator(new DecelerateInterpolator(2f));
        }
    }

    @Override
    protected boolean checkLayoutParams(ViewGroup.LayoutParams p) {
        return p instanceof Wish && ((Wish) p).span > 0;
    }

    /** Tells which card lies under a point, the topmost one if they overlap. */
    int cardAt(int x, int y) {
        List<Rect> reversed = new ArrayList<>(places);
        Collections.reverse(reversed);
        int index = reversed.size();
        for (Rect r : reversed) {
            index--;
            if (r != null && r.contains(x, y)) return index;
        }
        return NO_ID;
    }
}
