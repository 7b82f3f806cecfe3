package io.hazelbyte.kitbox;

import android.os.Bundle;
import android.os.Parcelable;
import android.support.v4.app.DialogFragment;
import android.support.v4.app.Fragment;
import android.support.v4.app.FragmentActivity;
import android.support.v4.app.FragmentManager;
import android.support.v4.app.FragmentTransaction;
import android.util.Log;
import android.view.View;

import java.io.Serializable;
import java.util.List;

/**
 * Shortcuts for fragments.
 */
public class Pages {

    private static final String TAG = "Pages";

    private final FragmentManager manager;
    private final int container;

    public Pages(FragmentActivity activity, int container) {
        this.manager = activity.getSupportFragmentManager();
        this.container = container;
    }

    /**
     * Shows a fragment and remembers the old one, so that the back key leads there.
     */
    public void forward(Fragment next, View... shared) {
        FragmentTransaction change = manager.beginTransaction();
        for (View view : shared) {
            change.addSharedElement(view, view.getTransitionName());
        }
        if (shared.length == 0) {
            change.setTransition(FragmentTransaction.TRANSIT_FRAGMENT_OPEN);
        }
        change.replace(container, next, next.getClass().getSimpleName());
        change.addToBackStack(null);
        change.commit();
    }

    /**
     * Goes back to the very first fragment, forgetting those between.
     */
    public boolean home() {
        int depth = manager.getBackStackEntryCount();
        if (depth == 0 || manager.isStateSaved()) {
            return false;
        }
        int first = manager.getBackStackEntryAt(0).getId();
        manager.popBackStack(first, FragmentManager.POP_BACK_STACK_INCLUSIVE);
        return true;
    }

    /**
     * Switches between pages that stay alive: hides all others and shows the wanted one, which is created if need be.
     */
    public Fragment flip(String tag, Class<? extends Fragment> kind) {
        FragmentTransaction change = manager.beginTransaction();
        Fragment wanted = manager.findFragmentByTag(tag);
        List<Fragment> all = manager.getFragments();
        for (Fragment other : all) {
            if (other != wanted && other.getId() == container && !other.isHidden()) {
                change.hide(other);
            }
        }
        try {
            if (wanted == null) {
                wanted = kind.newInstance();
                change.add(container, wanted, tag);
            } else {
                change.show(wanted);
            }
        } catch (ReflectiveOperationException e) {
            Log.e(TAG, kind + " needs a public constructor", e);
        }
        change.commitNowAllowingStateLoss();
        return wanted;
    }

    /**
     * Hands arguments to a new fragment: names and values by turns.
     */
    public static <F extends Fragment> F with(F fragment, Object... pairs) {
        Bundle bag = fragment.getArguments() == null ? new Bundle() : fragment.getArguments();
        for (int i = 0; i + 1 < pairs.length; i += 2) {
            String name = (String) pairs[i];
            Object value = pairs[i + 1];
            if (value instanceof Integer) {
                bag.putInt(name, (Integer) value);
            } else if (value instanceof CharSequence) {
                bag.putCharSequence(name, (CharSequence) value);
            } else if (value instanceof Parcelable) {
                bag.putParcelable(name, (Parcelable) value);
            } else {
                bag.putSerializable(name, (Serializable) value);
            }
        }
        fragment.setArguments(bag);
        return fragment;
    }

    /** Finds who should be told about a result: the target, the parent or the activity. */
    public static <T> T audience(Fragment fragment, Class<T> kind) {
        Object[] candidates = {fragment.getTargetFragment(), fragment.getParentFragment(), fragment.getActivity()};
        for (Object candidate : candidates) {
            if (kind.isInstance(candidate)) {
                return kind.cast(candidate);
            }
        }
        throw new IllegalStateException("nobody listens as " + kind.getSimpleName());
    }

    /** Asks a fragment for permission to leave, for instance because of unsaved text. */
    public boolean mayLeave() {
        Fragment top = manager.findFragmentById(container);
        if (top instanceof DialogFragment) {
            ((DialogFragment) top).dismissAllowingStateLoss();
            return false;
        }
        return top == null || !top.isVisible() || top.getUserVisibleHint();
    }
}
