package net.lanternlabs.trailnotes.ui;

import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Rect;
import android.os.Build;
import android.os.Bundle;
import android.support.annotation.NonNull;
import android.support.design.widget.Snackbar;
import android.support.v4.app.Fragment;
import android.support.v4.content.ContextCompat;
import android.support.v7.app.AppCompatActivity;
import android.support.v7.view.ActionMode;
import android.support.v7.widget.DividerItemDecoration;
import android.support.v7.widget.LinearLayoutManager;
import android.support.v7.widget.RecyclerView;
import android.support.v7.widget.SearchView;
import android.support.v7.widget.helper.ItemTouchHelper;
import android.text.SpannableString;
import android.text.Spanned;
import android.text.style.BackgroundColorSpan;
import android.view.LayoutInflater;
import android.view.Menu;
import android.view.MenuInflater;
import android.view.MenuItem;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager;
import android.widget.TextView;

import net.lanternlabs.trailnotes.R;
import net.lanternlabs.trailnotes.data.NoteStore;
import net.lanternlabs.trailnotes.data.NoteStore.Note;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** The list of notes with search, swipe and multi-selection. */
public class NoteListFragment extends Fragment implements NoteStore.Watcher {

    private static final int PAGE = 40;
    private RecyclerView mList;
    private NoteAdapter mAdapter;
    private NoteStore mStore;
    private String mQuery = "";
    private boolean mLoading;
    private int mShown = PAGE;
    private ActionMode mActionMode;

    @Override
    public View onCreateView(@NonNull LayoutInflater inflater, ViewGroup parent, Bundle saved) {
        View root = inflater.inflate(R.layout.fragment_notes, parent, false);
        mList = root.findViewById(R.id.notes);
        mAdapter = new NoteAdapter();
        mList.setLayoutManager(new LinearLayoutManager(getContext()));
        mList.addItemDecoration(new DividerItemDecoration(inflater.getContext(), DividerItemDecoration.VERTICAL));
        mList.setAdapter(mAdapter);
        setHasOptionsMenu(true);
        watchBottom();
        enableSwipe();
        return root;
    }

    /** Wires the search box of the toolbar to the list. */
    @Override
    public void onCreateOptionsMenu(Menu menu, MenuInflater inflater) {
        inflater.inflate(R.menu.notes, menu);
        MenuItem item = menu.findItem(R.id.search);
        SearchView box = (SearchView) item.getActionView();
        box.setQueryHint(getString(R.string.search_notes));
        box.setOnQueryTextListener(new SearchView.OnQueryTextListener() {
            @Override
            public boolean onQueryTextSubmit(String query) {
                box.clearFocus();
                return true;
            }

            @Override
            public boolean onQueryTextChange(String text) {
                if (text.equals(mQuery)) return false;
                mQuery = text;
                mShown = PAGE;
                refill();
                return true;
            }
        });
    }

    /** Asks the notebook for the next page as soon as the bottom comes near. */
    private void watchBottom() {
        final LinearLayoutManager layout = (LinearLayoutManager) mList.getLayoutManager();
        mList.setOnScrollChangeListener((view, left, top, beforeLeft, beforeTop) -> {
            if (mLoading) {
                return;
            }
            int bottom = layout.findLastVisibleItemPosition();
            if (bottom >= layout.getItemCount() - 5) {
                mLoading = true;
                mShown += PAGE;
                view.post(this::refill);
            }
        });
    }

    private void refill() {
        List<Note> found = mStore.search(mQuery, NoteStore.Order.NEWEST, true);
        mAdapter.show(found.subList(0, Math.min(mShown, found.size())));
        mLoading = false;
    }

    /** Lets a sideways swipe delete a note, with a chance to take it back. */
    private void enableSwipe() {
        new ItemTouchHelper(new ItemTouchHelper.SimpleCallback(0, ItemTouchHelper.LEFT | ItemTouchHelper.RIGHT) {
            private final Paint mRed = new Paint();

            @Override
            public boolean onMove(RecyclerView rv, RecyclerView.ViewHolder a, RecyclerView.ViewHolder b) {
                throw new UnsupportedOperationException("notes are not dragged");
            }

            @Override
            public void onSwiped(RecyclerView.ViewHolder holder, int direction) {
                int at = holder.getAdapterPosition();
                Note gone = mAdapter.mNotes.remove(at);
                mAdapter.notifyItemRemoved(at);
                offerUndo(gone, at);
            }

            @Override
            public void onChildDraw(Canvas c, RecyclerView rv, RecyclerView.ViewHolder h, float dX, float dY, int s, boolean on) {
                mRed.setColor(Color.argb((int) Math.min(255, Math.abs(dX)), 183, 28, 28));
                View v = h.itemView;
                c.drawRect(v.getLeft(), v.getTop(), v.getRight(), v.getBottom(), mRed);
                super.onChildDraw(c, rv, h, dX, dY, s, on);
            }
        }).attachToRecyclerView(mList);
    }

    /** Shows a bar at the bottom that brings a removed entry back to the list when tapped. */
    private void offerUndo(Note gone, int at) {
        Snackbar.make(mList, getString(R.string.removed, gone.title), Snackbar.LENGTH_LONG)
                .setAction(R.string.undo, v -> {
                    mAdapter.mNotes.add(at, gone);
                    mAdapter.notifyItemInserted(at);
                    mList.smoothScrollToPosition(at);
                })
                .addCallback(new Snackbar.Callback() {
                    @Override
                    public void onDismissed(Snackbar bar, int event) {
                        if (event != DISMISS_EVENT_ACTION) mStore.remove(Collections.singleton(gone.id));
                    }
                })
                .show();
    }

    /** Scrolls to the end of the list and loads nothing more than what is there. */
    void jumpToEnd() {
        int count = mAdapter.getItemCount();
        if (count > 200) {
            mList.scrollToPosition(count - 1);
        } else if (count > 0) {
            mList.smoothScrollToPosition(count - 1);
        }
    }

    @Override
    public void onNotesChanged(long... ids) {
        if (!isAdded()) {
            return;
        }
        mList.removeCallbacks(mRefresh);
        mList.postDelayed(mRefresh, ids.length > 3 ? 400 : 50);
    }

    private final Runnable mRefresh = this::refill;

    /** Tints the status bar while items are being selected and brings the colour back afterwards. */
    private void tintStatusBar(boolean selecting) {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.LOLLIPOP) return;
        android.view.Window window = getActivity().getWindow();
        window.addFlags(WindowManager.LayoutParams.FLAG_DRAWS_SYSTEM_BAR_BACKGROUNDS);
        window.setStatusBarColor(ContextCompat.getColor(getContext(), selecting ? R.color.selecting : R.color.forest_dark));
    }

    /** Starts picking several notes at once. */
    private void beginSelecting(final Note first) {
        AppCompatActivity host = (AppCompatActivity) getActivity();
        mActionMode = host.startSupportActionMode(new ActionMode.Callback() {
            @Override
            public boolean onCreateActionMode(ActionMode mode, Menu menu) {
                mode.getMenuInflater().inflate(R.menu.selection, menu);
                tintStatusBar(true);
                return mAdapter.toggle(first);
            }

            @Override
            public boolean onPrepareActionMode(ActionMode mode, Menu menu) {
                MenuItem join = menu.findItem(R.id.join);
                boolean several = mAdapter.mPicked.size() > 1;
                boolean changed = join.isVisible() != several;
                join.setVisible(several);
                return changed;
            }

            @Override
            public boolean onActionItemClicked(ActionMode mode, MenuItem item) {
                if (item.getItemId() != R.id.delete) return false;
                mStore.remove(new ArrayList<>(mAdapter.mPicked));
                mode.finish();
                return true;
            }

            @Override
            public void onDestroyActionMode(ActionMode mode) {
                mActionMode = null;
                mAdapter.mPicked.clear();
                mAdapter.notifyDataSetChanged();
                tintStatusBar(false);
            }
        });
    }

    /** Paints the searched word yellow wherever the text has it. */
    static CharSequence highlight(String text, String word) {
        if (word.isEmpty()) {
            return text;
        }
        SpannableString painted = new SpannableString(text);
        String lower = text.toLowerCase(Locale.getDefault());
        String needle = word.toLowerCase(Locale.getDefault());
        for (int at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + needle.length())) {
            painted.setSpan(new BackgroundColorSpan(Color.YELLOW), at, at + needle.length(), Spanned.SPAN_EXCLUSIVE_EXCLUSIVE);
        }
        return painted;
    }

    private class NoteAdapter extends RecyclerView.Adapter<NoteHolder> {
        private List<Note> mNotes = new ArrayList<>();
        private final TreeSet<Long> mPicked = new TreeSet<>();

        /** Swaps the content, telling the view only about the rows between the first and the last difference. */
        void show(List<Note> next) {
            int head = 0;
            int common = Math.min(mNotes.size(), next.size());
            while (head < common && mNotes.get(head).equals(next.get(head))) {
                head++;
            }
            int tail = 0;
            while (tail < common - head
                    && mNotes.get(mNotes.size() - 1 - tail).equals(next.get(next.size() - 1 - tail))) {
                tail++;
            }
            int out = mNotes.size() - head - tail;
            int in = next.size() - head - tail;
            mNotes = new ArrayList<>(next);
            notifyItemRangeChanged(head, Math.min(out, in));
            if (out > in) notifyItemRangeRemoved(head + in, out - in);
            if (in > out) notifyItemRangeInserted(head + out, in - out);
        }

        /** Ticks or unticks one note; the last one unticked ends the selection. */
        boolean toggle(Note note) {
            if (!mPicked.remove(note.id)) {
                mPicked.add(note.id);
            }
            notifyItemChanged(mNotes.indexOf(note));
            if (mPicked.isEmpty() && mActionMode != null) {
                mActionMode.finish();
                return false;
            }
            return true;
        }

        @Override
        public NoteHolder onCreateViewHolder(ViewGroup parent, int viewType) {
            int layout = viewType == 1 ? R.layout.row_note_starred : R.layout.row_note;
            return new NoteHolder(LayoutInflater.from(parent.getContext()).inflate(layout, parent, false));
        }

        @Override
        public void onBindViewHolder(NoteHolder holder, int position) {
            final Note note = mNotes.get(position);
            holder.title.setText(highlight(note.title, mQuery));
            holder.teaser.setText(note.teaser(120));
            holder.itemView.setActivated(mPicked.contains(note.id));
            holder.itemView.setOnLongClickListener(v -> {
                if (mActionMode == null) beginSelecting(note);
                return mActionMode != null;
            });
        }

        @Override
        public int getItemCount() {
            return Math.min(mShown, mNotes.size());
        }
    }

    static class NoteHolder extends RecyclerView.ViewHolder {
        final TextView title;
        final TextView teaser;

        NoteHolder(View row) {
            super(row);
            title = row.findViewById(R.id.title);
            teaser = row.findViewById(R.id.teaser);
        }
    }

    /** Leaves a gap above the first note of every month. */
    static class MonthGap extends RecyclerView.ItemDecoration {
        private final int[] mFirsts;
        private final int mGap;

        MonthGap(int gap, int... firsts) {
            mGap = gap;
            mFirsts = firsts.clone();
        }

        @Override
        public void getItemOffsets(Rect out, View view, RecyclerView parent, RecyclerView.State state) {
            int at = parent.getChildAdapterPosition(view);
            for (int first : mFirsts) {
                if (first == at) {
                    out.set(0, mGap, 0, 0);
                    return;
                }
            }
            out.setEmpty();
        }
    }
}
