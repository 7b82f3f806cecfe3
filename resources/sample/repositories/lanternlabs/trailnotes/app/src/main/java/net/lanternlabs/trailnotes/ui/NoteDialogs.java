package net.lanternlabs.trailnotes.ui;

import android.app.Activity;
import android.app.AlertDialog;
import android.app.Dialog;
import android.app.ProgressDialog;
import android.app.TimePickerDialog;
import android.content.Context;
import android.content.DialogInterface;
import android.content.res.Configuration;
import android.os.AsyncTask;
import android.os.Bundle;
import android.support.v4.app.DialogFragment;
import android.support.v4.app.FragmentManager;
import android.text.Editable;
import android.text.Html;
import android.text.InputFilter;
import android.text.InputType;
import android.text.TextWatcher;
import android.text.method.LinkMovementMethod;
import android.text.method.PasswordTransformationMethod;
import android.view.Gravity;
import android.view.View;
import android.view.Window;
import android.widget.ArrayAdapter;
import android.widget.Button;
import android.widget.EditText;
import android.widget.ListPopupWindow;
import android.widget.RatingBar;
import android.widget.TextView;
import android.widget.Toast;

import net.lanternlabs.trailnotes.R;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Small windows of the notebook. */
public final class NoteDialogs {

    /** Somebody waiting for an answer. */
    public interface Answer<T> {
        void got(T value);

        default Answer<T> unlessSame(final T old) {
            return value -> {
                if (old == null ? value != null : !old.equals(value)) {
                    got(value);
                }
            };
        }
    }

    private NoteDialogs() {
    }

    /** Asks for the PIN that opens a locked note. */
    public static void askLockWord(Context context, final Answer<String> answer) {
        final EditText field = new EditText(context);
        field.setGravity(Gravity.CENTER_HORIZONTAL);
        field.setInputType(InputType.TYPE_CLASS_NUMBER | InputType.TYPE_NUMBER_VARIATION_PASSWORD);
        field.setFilters(new InputFilter[]{new InputFilter.LengthFilter(6)});
        field.setTransformationMethod(PasswordTransformationMethod.getInstance());
        new AlertDialog.Builder(context)
                .setTitle(R.string.locked_note)
                .setView(field)
                .setPositiveButton(R.string.open, (window, button) -> answer.got(field.getText().toString()))
                .setNegativeButton(android.R.string.cancel, null)
                .show();
    }

    /** Lets the hiker choose the labels of a note from those already in use. */
    public static void chooseLabels(Context context, final String[] labels, final List<String> chosen, final Answer<List<String>> answer) {
        final boolean[] on = new boolean[labels.length];
        for (int i = 0; i < labels.length; i++) {
            on[i] = chosen.contains(labels[i]);
        }
        new AlertDialog.Builder(context)
                .setTitle(R.string.labels)
                .setMultiChoiceItems(labels, on, (window, which, now) -> on[which] = now)
                .setNegativeButton(android.R.string.cancel, null)
                .setPositiveButton(android.R.string.ok, (window, button) -> {
                    List<String> picked = new ArrayList<>();
                    for (int i = 0; i < on.length; i++) {
                        if (on[i]) picked.add(labels[i]);
                    }
                    answer.got(picked);
                })
                .show();
    }

    /** Pops up a list of moods under a view; only one entry can be picked. */
    public static ListPopupWindow moodPopup(View anchor, String[] moods, Answer<Integer> answer) {
        ListPopupWindow popup = new ListPopupWindow(anchor.getContext());
        popup.setAnchorView(anchor);
        popup.setAdapter(new ArrayAdapter<>(anchor.getContext(), android.R.layout.simple_list_item_1, moods));
        popup.setModal(true);
        popup.setDropDownGravity(Gravity.END);
        popup.setOnItemClickListener((list, row, position, id) -> {
            answer.got(position);
            popup.dismiss();
        });
        popup.show();
        return popup;
    }

    /** Asks for a new title and keeps the OK button dead while the box is empty. */
    public static void rename(Context context, String current, final Answer<String> answer) {
        final EditText box = new EditText(context);
        box.setInputType(InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_FLAG_CAP_SENTENCES);
        box.setText(current);
        box.setSelection(box.length());
        final AlertDialog dialog = new AlertDialog.Builder(context)
                .setView(box)
                .setPositiveButton(R.string.rename, (d, w) -> answer.unlessSame(current).got(box.getText().toString()))
                .create();
        dialog.setOnShowListener(shown -> {
            final Button ok = dialog.getButton(DialogInterface.BUTTON_POSITIVE);
            box.addTextChangedListener(new TextWatcher() {
                @Override
                public void beforeTextChanged(CharSequence s, int start, int count, int after) {
                    box.setError(null);
                }

                @Override
                public void onTextChanged(CharSequence s, int start, int before, int count) {
                    if (count > 80) Toast.makeText(context, R.string.long_title, Toast.LENGTH_SHORT).show();
                }

                @Override
                public void afterTextChanged(Editable s) {
                    ok.setEnabled(s.toString().trim().length() > 0);
                }
            });
        });
        dialog.show();
    }

    /** Asks for a starting time with the wheel the system offers. */
    public static void askStart(Context context, int minuteOfDay, Answer<Integer> answer) {
        boolean landscape = context.getResources().getConfiguration().orientation == Configuration.ORIENTATION_LANDSCAPE;
        TimePickerDialog wheel = new TimePickerDialog(context, (picker, h, m) -> answer.got(h * 60 + m),
                minuteOfDay / 60, minuteOfDay % 60, android.text.format.DateFormat.is24HourFormat(context));
        if (landscape) {
            wheel.requestWindowFeature(Window.FEATURE_NO_TITLE);
        } else {
            wheel.setTitle(R.string.start_time);
        }
        wheel.show();
    }

    /** Shows licences with links that can be followed. */
    public static void about(Activity activity) {
        AlertDialog dialog = new AlertDialog.Builder(activity)
                .setMessage(Html.fromHtml(activity.getString(R.string.about_html)))
                .setNeutralButton(android.R.string.ok, null)
                .show();
        TextView message = dialog.findViewById(android.R.id.message);
        if (message != null) {
            message.setMovementMethod(LinkMovementMethod.getInstance());
        }
    }

    /** Grades a walk with one to five stars. */
    public static class RatingDialog extends DialogFragment implements RatingBar.OnRatingBarChangeListener {
        private static final String ARG_STARS = "stars";
        private float mStars;

        /** Opens the window unless it is already there. */
        static void open(FragmentManager manager, float stars) {
            if (manager.findFragmentByTag("rating") != null) {
                return;
            }
            RatingDialog me = new RatingDialog();
            Bundle args = new Bundle();
            args.putFloat(ARG_STARS, stars);
            me.setArguments(args);
            me.show(manager, "rating");
        }

        @Override
        public Dialog onCreateDialog(Bundle saved) {
            mStars = (saved != null ? saved : getArguments()).getFloat(ARG_STARS);
            View body = View.inflate(getContext(), R.layout.dialog_rating, null);
            RatingBar bar = body.findViewById(R.id.stars);
            bar.setRating(mStars);
            bar.setOnRatingBarChangeListener(this);
            return new AlertDialog.Builder(getActivity()).setView(body).setTitle(R.string.how_was_it).create();
        }

        @Override
        public void onSaveInstanceState(Bundle out) {
            super.onSaveInstanceState(out);
            out.putFloat(ARG_STARS, mStars);
        }

        @Override
        public void onRatingChanged(RatingBar bar, float rating, boolean fromUser) {
            if (fromUser && rating < 1) {
                bar.setRating(1);
                return;
            }
            mStars = rating;
        }
    }

    /** Does slow work behind a turning wheel. */
    public abstract static class WaitTask<R> extends AsyncTask<String, Integer, R> {
        private final WeakReference<Activity> mActivity;
        private ProgressDialog mWheel;

        protected WaitTask(Activity activity) {
            mActivity = new WeakReference<>(activity);
        }

        /** Puts a progress bar into a window in front of the activity. */
        @Override
        protected void onPreExecute() {
            Activity activity = mActivity.get();
            if (activity != null && !activity.isFinishing()) {
                mWheel = new ProgressDialog(activity);
                mWheel.setProgressStyle(ProgressDialog.STYLE_HORIZONTAL);
                mWheel.setCancelable(true);
                mWheel.setOnCancelListener(d -> cancel(false));
                mWheel.show();
            }
        }

        @Override
        protected void onProgressUpdate(Integer... values) {
            if (mWheel == null) return;
            mWheel.setIndeterminate(values.length < 2);
            if (values.length >= 2) mWheel.setMax(values[1]);
            mWheel.setProgress(values[0]);
        }

        @Override
        protected void onPostExecute(R result) {
            try {
                if (mWheel != null && mWheel.isShowing()) mWheel.dismiss();
            } catch (IllegalArgumentException alreadyDetached) {
                mWheel = null;
            }
            finished(result, mActivity.get());
        }

        protected abstract void finished(R result, Activity activityOrNull);
    }

    /** Asks once more before something is lost for good. */
    public static void confirm(Context context, String what, Runnable yes, String... losses) {
        StringBuilder message = new StringBuilder(what);
        if (losses.length > 0) {
            message.append("\n\n\u2022 ");
            message.append(android.text.TextUtils.join("\n\u2022 ", Arrays.asList(losses)));
        }
        new AlertDialog.Builder(context, R.style.Warning)
                .setIcon(android.R.drawable.ic_dialog_alert)
                .setMessage(message)
                .setNegativeButton(R.string.keep, (d, w) -> d.cancel())
                .setPositiveButton(R.string.delete, (d, w) -> yes.run())
                .setCancelable(losses.length == 0)
                .show();
    }
}
