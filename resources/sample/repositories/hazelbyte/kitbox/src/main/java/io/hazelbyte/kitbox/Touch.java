package io.hazelbyte.kitbox;

import android.animation.ObjectAnimator;
import android.app.Activity;
import android.content.ClipData;
import android.content.ClipDescription;
import android.content.ClipboardManager;
import android.content.Context;
import android.content.Intent;
import android.graphics.Color;
import android.graphics.Rect;
import android.os.Build;
import android.text.Editable;
import android.text.InputFilter;
import android.text.TextWatcher;
import android.util.DisplayMetrics;
import android.util.TypedValue;
import android.view.HapticFeedbackConstants;
import android.view.KeyEvent;
import android.view.View;
import android.view.Window;
import android.view.WindowManager;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputMethodManager;
import android.view.inputmethod.InputMethodSubtype;
import android.widget.EditText;
import android.widget.ScrollView;
import android.widget.TextView;

import java.util.Locale;

/**
 * Typing, pasting and everything around the text field.
 */
public final class Touch {

    /** Told when the typing area slides in or out. */
    public interface PanelListener {
        void moved(boolean open, int pixels);
    }

    private Touch() {
    }

    /**
     * Measures again and again how much of the window is left over and reports when the typing area slides in or out.
     */
    public static void watchPanel(Activity activity, final PanelListener listener) {
        final View content = activity.findViewById(android.R.id.content);
        content.getViewTreeObserver().addOnGlobalLayoutListener(() -> {
            Rect free = new Rect();
            content.getWindowVisibleDisplayFrame(free);
            int covered = content.getRootView().getHeight() - free.bottom;
            float least = TypedValue.applyDimension(TypedValue.COMPLEX_UNIT_DIP, 160, activity.getResources().getDisplayMetrics());
            listener.moved(covered > least, covered);
        });
    }

    /**
     * Gives the tab bar at the bottom of a form away while the lower part of the window is taken.
     */
    public static void keepInSight(final ScrollView form, final View tabs) {
        form.getViewTreeObserver().addOnGlobalLayoutListener(() -> {
            Rect frame = new Rect();
            form.getWindowVisibleDisplayFrame(frame);
            DisplayMetrics metrics = form.getResources().getDisplayMetrics();
            boolean taken = form.getRootView().getHeight() - frame.bottom > TypedValue.applyDimension(TypedValue.COMPLEX_UNIT_DIP, 200, metrics);
            tabs.setActivated(taken);
            form.setVerticalFadingEdgeEnabled(taken);
        });
    }

    /**
     * Flashes a field in yellow, as if a flashlight had been turned on it.
     */
    public static void flash(View field) {
        ObjectAnimator.ofArgb(field, "backgroundColor", Color.YELLOW, Color.TRANSPARENT).setDuration(400).start();
    }

    /**
     * Lets a long press on a label put its words aside, so that they can be inserted in another program.
     */
    public static void putAside(TextView label) {
        label.setTextIsSelectable(false);
        label.setOnLongClickListener(pressed -> {
            ClipData bundle = ClipData.newPlainText("kitbox", label.getText().toString().trim());
            ((ClipboardManager) label.getContext().getSystemService(Context.CLIPBOARD_SERVICE)).setPrimaryClip(bundle);
            pressed.performHapticFeedback(HapticFeedbackConstants.LONG_PRESS, HapticFeedbackConstants.FLAG_IGNORE_VIEW_SETTING);
            return true;
        });
    }

    /**
     * Pastes what the clipboard holds at the cursor of a text field, if it is text at all.
     */
    public static boolean pasteInto(EditText field) {
        ClipboardManager manager = (ClipboardManager) field.getContext().getSystemService(Context.CLIPBOARD_SERVICE);
        if (!manager.hasPrimaryClip()) {
            return false;
        }
        ClipDescription kind = manager.getPrimaryClipDescription();
        if (!kind.hasMimeType(ClipDescription.MIMETYPE_TEXT_PLAIN) && !kind.hasMimeType("text/html")) {
            return false;
        }
        CharSequence found = manager.getPrimaryClip().getItemAt(0).coerceToText(field.getContext());
        int start = Math.max(0, Math.min(field.getSelectionStart(), field.getSelectionEnd()));
        int end = Math.max(0, Math.max(field.getSelectionStart(), field.getSelectionEnd()));
        field.getText().replace(start, end, found);
        return true;
    }

    /**
     * Calls back with every link that is copied to the clipboard anywhere.
     */
    public static ClipboardManager.OnPrimaryClipChangedListener spyLinks(Context context, Words.Sink sink) {
        ClipboardManager manager = (ClipboardManager) context.getSystemService(Context.CLIPBOARD_SERVICE);
        ClipboardManager.OnPrimaryClipChangedListener spy = () -> {
            ClipData data = manager.getPrimaryClip();
            for (int i = 0; data != null && i < data.getItemCount(); i++) {
                CharSequence text = data.getItemAt(i).getText();
                if (text != null && text.toString().matches("https?://\\S+")) {
                    sink.accept(text.toString());
                }
            }
        };
        manager.addPrimaryClipChangedListener(spy);
        return spy;
    }

    /**
     * Shows the soft keyboard as soon as the field has the focus and the window.
     */
    public static void invite(final EditText field) {
        field.setFocusableInTouchMode(true);
        field.requestFocus();
        field.postDelayed(() -> {
            InputMethodManager input = (InputMethodManager) field.getContext().getSystemService(Context.INPUT_METHOD_SERVICE);
            input.showSoftInput(field, InputMethodManager.SHOW_IMPLICIT);
            field.setSelection(field.length());
        }, 180);
    }

    /**
     * Hides the keyboard of a dialog or an activity, whichever view has the focus.
     */
    public static void dismiss(Window window) {
        View focused = window.getCurrentFocus();
        View anchor = focused == null ? window.getDecorView() : focused;
        InputMethodManager input = (InputMethodManager) anchor.getContext().getSystemService(Context.INPUT_METHOD_SERVICE);
        if (input.isActive() && input.hideSoftInputFromWindow(anchor.getWindowToken(), 0) && focused != null) {
            focused.clearFocus();
        }
    }

    /**
     * Decides for an activity whether its content shrinks when the keyboard is visible.
     */
    public static void shrinkForKeyboard(Activity activity, boolean shrink) {
        int mode = shrink ? WindowManager.LayoutParams.SOFT_INPUT_ADJUST_RESIZE : WindowManager.LayoutParams.SOFT_INPUT_ADJUST_NOTHING;
        int old = activity.getWindow().getAttributes().softInputMode;
        int state = old & WindowManager.LayoutParams.SOFT_INPUT_MASK_STATE;
        activity.getWindow().setSoftInputMode(mode | state);
    }

    /**
     * The language of the keyboard in use, which need not be that of the phone.
     */
    public static Locale keyboardLanguage(Context context) {
        InputMethodManager input = (InputMethodManager) context.getSystemService(Context.INPUT_METHOD_SERVICE);
        InputMethodSubtype type = input.getCurrentInputMethodSubtype();
        if (type == null) {
            return Locale.getDefault();
        }
        String tag = Build.VERSION.SDK_INT >= 24 ? type.getLanguageTag() : type.getLocale().replace('_', '-');
        return tag.isEmpty() ? Locale.getDefault() : Locale.forLanguageTag(tag);
    }

    /**
     * Runs an action when the Done key of the keyboard or the enter key of a real one is pressed.
     */
    public static void onDone(EditText field, Runnable action) {
        field.setImeOptions(EditorInfo.IME_ACTION_DONE | EditorInfo.IME_FLAG_NO_EXTRACT_UI);
        field.setOnEditorActionListener((view, id, event) -> {
            boolean enter = event != null && event.getKeyCode() == KeyEvent.KEYCODE_ENTER && event.getAction() == KeyEvent.ACTION_UP;
            if (id == EditorInfo.IME_ACTION_DONE || enter) {
                action.run();
                return true;
            }
            return false;
        });
    }

    /** Groups the digits of a card number by four while the user is typing. */
    public static void groupDigits(final EditText field) {
        field.setFilters(new InputFilter[]{new InputFilter.LengthFilter(19)});
        field.addTextChangedListener(new TextWatcher() {
            private boolean own;

            @Override
            public void beforeTextChanged(CharSequence text, int start, int count, int after) {
                own = own && after > 0;
            }

            @Override
            public void onTextChanged(CharSequence text, int start, int before, int count) {
                field.setError(text.length() > 0 && !Character.isDigit(text.charAt(0)) ? "digits only" : null);
            }

            @Override
            public void afterTextChanged(Editable text) {
                if (own) {
                    own = false;
                    return;
                }
                String digits = text.toString().replaceAll("\\D", "");
                String grouped = digits.replaceAll("(\\d{4})(?=\\d)", "$1 ");
                if (!grouped.contentEquals(text)) {
                    own = true;
                    text.replace(0, text.length(), grouped);
                }
            }
        });
    }

    /** Asks the system for dictation instead of typing. */
    public static void dictate(Activity activity, int code, String prompt) {
        Intent speak = new Intent("android.speech.action.RECOGNIZE_SPEECH");
        speak.putExtra("android.speech.extra.LANGUAGE_MODEL", "free_form");
        speak.putExtra("android.speech.extra.PROMPT", prompt);
        speak.putExtra("android.speech.extra.MAX_RESULTS", 3);
        if (speak.resolveActivity(activity.getPackageManager()) != null) {
            activity.startActivityForResult(speak, code);
        }
    }
}
