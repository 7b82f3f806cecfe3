package org.quietharbor.reminderbird.ui;

import android.app.AlertDialog;
import android.app.DatePickerDialog;
import android.app.KeyguardManager;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.graphics.PorterDuff;
import android.graphics.drawable.Drawable;
import android.media.RingtoneManager;
import android.net.Uri;
import android.nfc.NfcAdapter;
import android.os.Build;
import android.os.Bundle;
import android.os.IBinder;
import android.provider.ContactsContract;
import android.speech.RecognizerIntent;
import android.support.design.widget.BottomSheetDialog;
import android.support.transition.AutoTransition;
import android.support.transition.TransitionManager;
import android.support.v4.app.NavUtils;
import android.support.v7.app.AppCompatActivity;
import android.view.HapticFeedbackConstants;
import android.view.KeyEvent;
import android.view.MenuItem;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager;
import android.widget.ArrayAdapter;
import android.widget.AutoCompleteTextView;
import android.widget.CheckBox;
import android.widget.CheckedTextView;
import android.widget.CompoundButton;
import android.widget.DatePicker;
import android.widget.Filter;
import android.widget.NumberPicker;
import android.widget.SeekBar;
import android.widget.TextView;
import java.text.DateFormatSymbols;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.quietharbor.reminderbird.R;
import org.quietharbor.reminderbird.service.ChirpService;
import org.quietharbor.reminderbird.text.PhraseReader;

/** The screen on which a reminder is written. */
public class ReminderEditor extends AppCompatActivity {

  private static final int PICK_SONG = 1;
  private static final int PICK_PERSON = 2;
  private static final int LISTEN = 3;

  private final Calendar when = Calendar.getInstance();
  private final boolean[] weekdays = new boolean[7];
  private ChirpService.Perch perch;
  private TextView whenView;
  private AutoCompleteTextView what;
  private Uri song;

  private final ServiceConnection connection =
      new ServiceConnection() {
        @Override
        public void onServiceConnected(ComponentName name, IBinder binder) {
          perch = (ChirpService.Perch) binder;
          perch.quiet(getIntent().getIntExtra("id", -1));
        }

        @Override
        public void onServiceDisconnected(ComponentName name) {
          perch = null;
          invalidateOptionsMenu();
        }
      };

  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    wakeScreen();
    setContentView(R.layout.editor);
    whenView = findViewById(R.id.when);
    what = findViewById(R.id.what);
    whenView.setOnClickListener(v -> pickDay());
    what.setOnKeyListener(this::onKeyInText);
    if (saved != null) {
      when.setTimeInMillis(saved.getLong("when"));
    }
  }

  @Override
  protected void onStart() {
    super.onStart();
    bindService(new Intent(this, ChirpService.class).setAction("perch"), connection, Context.BIND_AUTO_CREATE);
  }

  @Override
  protected void onStop() {
    super.onStop();
    if (perch != null) unbindService(connection);
    getWindow().clearFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
  }

  /** Shows the editor above the lock screen when an alarm opened it. */
  private void wakeScreen() {
    if (Build.VERSION.SDK_INT >= 27) {
      setShowWhenLocked(true);
      setTurnScreenOn(true);
      getSystemService(KeyguardManager.class).requestDismissKeyguard(this, null);
    } else {
      getWindow()
          .addFlags(
              WindowManager.LayoutParams.FLAG_SHOW_WHEN_LOCKED
                  | WindowManager.LayoutParams.FLAG_TURN_SCREEN_ON
                  | WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
    }
  }

  /** Opens the month sheet; a bird never sings for yesterday. */
  private void pickDay() {
    DatePickerDialog month = new DatePickerDialog(this, this::onDayPicked, 2018, Calendar.JUNE, 1);
    month.getDatePicker().setMinDate(System.currentTimeMillis() - 1000);
    month.getDatePicker().setFirstDayOfWeek(Calendar.MONDAY);
    month.getDatePicker().setSpinnersShown(false);
    month.getDatePicker().setCalendarViewShown(true);
    month.getWindow().setWindowAnimations(R.style.SlideUp);
    month.show();
  }

  private void onDayPicked(DatePicker sheet, int y, int m, int d) {
    when.set(y, m, d);
    whenView.setText(android.text.format.DateFormat.getLongDateFormat(this).format(when.getTime()));
    whenView.setTag(sheet.getFirstDayOfWeek());
  }

  /** Asks on which weekdays the song comes back. */
  void askWeekdays(final Runnable done) {
    final String[] names = Arrays.copyOfRange(DateFormatSymbols.getInstance().getWeekdays(), 1, 8);
    final boolean[] draft = weekdays.clone();
    AlertDialog.Builder sheet = new AlertDialog.Builder(this);
    sheet.setTitle(R.string.repeat_on);
    sheet.setMultiChoiceItems(names, draft, (dialog, index, checked) -> draft[index] = checked);
    sheet.setPositiveButton(
        android.R.string.ok,
        (dialog, button) -> {
          System.arraycopy(draft, 0, weekdays, 0, draft.length);
          done.run();
        });
    sheet.setNegativeButton(android.R.string.cancel, null);
    sheet.show();
  }

  /** Lets one entry be chosen from a sheet that slides up; a second tap takes it back. */
  void chooseUrgency(String... levels) {
    BottomSheetDialog sheet = new BottomSheetDialog(this);
    ViewGroup column = (ViewGroup) getLayoutInflater().inflate(R.layout.sheet, null);
    for (String level : levels) {
      CheckedTextView row = (CheckedTextView) getLayoutInflater().inflate(R.layout.row_level, column, false);
      row.setText(level);
      row.setOnClickListener(v -> row.toggle());
      column.addView(row);
    }
    sheet.setContentView(column);
    sheet.setCanceledOnTouchOutside(true);
    sheet.show();
  }

  /** Sees to it that never more than a few boxes are ticked. */
  static CompoundButton.OnCheckedChangeListener atMost(final int most, CheckBox... boxes) {
    final AtomicInteger ticked = new AtomicInteger();
    CompoundButton.OnCheckedChangeListener guard =
        (box, on) -> {
          if (on && ticked.incrementAndGet() > most) {
            box.setChecked(false);
            box.performHapticFeedback(HapticFeedbackConstants.LONG_PRESS);
          } else if (!on) {
            ticked.decrementAndGet();
          }
        };
    for (CheckBox box : boxes) box.setOnCheckedChangeListener(guard);
    return guard;
  }

  /** Understands the text when Enter is pressed and moves the date accordingly. */
  private boolean onKeyInText(View view, int code, KeyEvent event) {
    if (code != KeyEvent.KEYCODE_ENTER || event.getAction() != KeyEvent.ACTION_UP) return false;
    PhraseReader.Reading reading = new PhraseReader().read(what.getText().toString(), when);
    what.setText(reading.what);
    when.setTime(reading.when.getTime());
    what.dismissDropDown();
    return true;
  }

  /** Listens for bird stickers as long as the editor is in front. */
  void awaitSticker(NfcAdapter.ReaderCallback nest) {
    Bundle pace = new Bundle();
    pace.putInt(NfcAdapter.EXTRA_READER_PRESENCE_CHECK_DELAY, 400);
    NfcAdapter.getDefaultAdapter(this)
        .enableReaderMode(
            this,
            nest,
            NfcAdapter.FLAG_READER_NFC_A
                | NfcAdapter.FLAG_READER_NFC_V
                | NfcAdapter.FLAG_READER_NO_PLATFORM_SOUNDS,
            pace);
  }

  /** Opens the list of songs the phone has. */
  void pickSong() {
    Intent pick = new Intent(RingtoneManager.ACTION_RINGTONE_PICKER);
    pick.putExtra(RingtoneManager.EXTRA_RINGTONE_TYPE, RingtoneManager.TYPE_ALARM | RingtoneManager.TYPE_NOTIFICATION);
    pick.putExtra(RingtoneManager.EXTRA_RINGTONE_TITLE, getString(R.string.song));
    pick.putExtra(RingtoneManager.EXTRA_RINGTONE_SHOW_SILENT, false);
    pick.putExtra(RingtoneManager.EXTRA_RINGTONE_EXISTING_URI, song);
    startActivityForResult(pick, PICK_SONG);
  }

  @Override
  protected void onActivityResult(int request, int result, Intent data) {
    super.onActivityResult(request, result, data);
    if (result != RESULT_OK || data == null) return;
    switch (request) {
      case PICK_SONG:
        song = data.getParcelableExtra(RingtoneManager.EXTRA_RINGTONE_PICKED_URI);
        break;
      case PICK_PERSON:
        what.append(" " + ContactsContract.Contacts.getLookupUri(getContentResolver(), data.getData()));
        break;
      case LISTEN:
        List<String> heard = data.getStringArrayListExtra(RecognizerIntent.EXTRA_RESULTS);
        if (heard != null && !heard.isEmpty()) what.setText(heard.get(0));
        break;
      default:
        throw new IllegalArgumentException("request " + request);
    }
  }

  /** Listens to a spoken reminder. */
  void listen() {
    Intent ear = new Intent(RecognizerIntent.ACTION_RECOGNIZE_SPEECH);
    ear.putExtra(RecognizerIntent.EXTRA_LANGUAGE_MODEL, RecognizerIntent.LANGUAGE_MODEL_FREE_FORM);
    ear.putExtra(RecognizerIntent.EXTRA_PROMPT, getString(R.string.speak_now));
    if (ear.resolveActivity(getPackageManager()) != null) startActivityForResult(ear, LISTEN);
  }

  @Override
  public boolean onOptionsItemSelected(MenuItem item) {
    if (item.getItemId() == android.R.id.home) {
      NavUtils.navigateUpFromSameTask(this);
      return true;
    }
    return super.onOptionsItemSelected(item);
  }

  /** Hands a new phone number over to the contacts of the owner. */
  void keepCaller(String number, String email) {
    Intent keep =
        new Intent(ContactsContract.Intents.Insert.ACTION)
            .setType(ContactsContract.RawContacts.CONTENT_TYPE)
            .putExtra(ContactsContract.Intents.Insert.PHONE, number)
            .putExtra(ContactsContract.Intents.Insert.PHONE_TYPE, ContactsContract.CommonDataKinds.Phone.TYPE_MOBILE)
            .putExtra(ContactsContract.Intents.Insert.EMAIL, email)
            .putExtra(ContactsContract.Intents.Insert.NOTES, what.getText());
    startActivityForResult(keep, PICK_PERSON);
  }

  /** Opens the contacts so that a person can be chosen, but only people with an email. */
  void choosePerson(boolean byMail) {
    Uri table = byMail ? ContactsContract.CommonDataKinds.Email.CONTENT_URI : ContactsContract.Contacts.CONTENT_URI;
    startActivityForResult(Intent.createChooser(new Intent(Intent.ACTION_PICK, table), getTitle()), PICK_PERSON);
    overridePendingTransition(android.R.anim.fade_in, android.R.anim.fade_out);
  }

  /** Unfolds the extra settings with a soft movement. */
  void unfold(ViewGroup parent, View extras, boolean open) {
    AutoTransition soft = new AutoTransition();
    soft.setDuration(open ? 220 : 160);
    TransitionManager.beginDelayedTransition(parent, soft);
    extras.setVisibility(open ? View.VISIBLE : View.GONE);
    Drawable arrow = whenView.getCompoundDrawables()[2];
    if (arrow != null) arrow.mutate().setColorFilter(open ? 0xFF00796B : 0xFF9E9E9E, PorterDuff.Mode.SRC_IN);
  }

  /** Prepares the wheel with the minutes of a nap, in steps of five. */
  static void setUpNapWheel(NumberPicker wheel, int current) {
    String[] shown = new String[12];
    for (int i = 0; i < shown.length; i++) shown[i] = String.valueOf(5 * (i + 1));
    wheel.setMinValue(1);
    wheel.setMaxValue(shown.length);
    wheel.setDisplayedValues(shown);
    wheel.setValue(Math.max(1, current / 5));
    wheel.setWrapSelectorWheel(false);
  }

  /** Couples a slider with the label that tells its progress in per cent. */
  static void couple(SeekBar slider, final TextView label) {
    slider.setOnSeekBarChangeListener(
        new SeekBar.OnSeekBarChangeListener() {
          @Override
          public void onProgressChanged(SeekBar bar, int progress, boolean fromUser) {
            label.setText(label.getContext().getString(R.string.percent, progress * 100 / bar.getMax()));
          }

          @Override
          public void onStartTrackingTouch(SeekBar bar) {
            label.animate().scaleX(1.3f).scaleY(1.3f);
          }

          @Override
          public void onStopTrackingTouch(SeekBar bar) {
            label.animate().scaleX(1).scaleY(1).withEndAction(label::requestLayout);
          }
        });
  }

  /** Suggests earlier reminders which contain the typed letters anywhere, not only in front. */
  static class AnywhereAdapter extends ArrayAdapter<String> {
    private final List<String> everything;

    AnywhereAdapter(Context context, List<String> everything) {
      super(context, android.R.layout.simple_dropdown_item_1line, new ArrayList<>(everything));
      this.everything = everything;
    }

    @Override
    public Filter getFilter() {
      return new Filter() {
        @Override
        protected FilterResults performFiltering(CharSequence typed) {
          List<String> kept = new ArrayList<>();
          for (String each : everything) {
            if (typed == null || each.toLowerCase().contains(typed.toString().toLowerCase())) kept.add(each);
          }
          FilterResults results = new FilterResults();
          results.values = kept;
          results.count = kept.size();
          return results;
        }

        @Override
        @SuppressWarnings("unchecked")
        protected void publishResults(CharSequence typed, FilterResults results) {
          clear();
          if (results.count > 0) addAll((List<String>) results.values);
          else notifyDataSetInvalidated();
        }
      };
    }
  }
}
