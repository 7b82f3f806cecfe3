package dev.ferncreek.stridelog;

import android.Manifest;
import android.annotation.TargetApi;
import android.app.Activity;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import android.content.DialogInterface;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.content.pm.ShortcutInfo;
import android.content.pm.ShortcutManager;
import android.graphics.drawable.Icon;
import android.location.Address;
import android.location.Geocoder;
import android.location.Location;
import android.location.LocationManager;
import android.net.Uri;
import android.os.AsyncTask;
import android.os.Build;
import android.os.Bundle;
import android.provider.Settings;
import android.support.v4.app.ActivityCompat;
import android.support.v4.content.ContextCompat;
import android.support.v7.app.AlertDialog;
import android.support.v7.app.AppCompatActivity;
import android.util.Log;
import android.view.HapticFeedbackConstants;
import android.view.View;
import android.widget.TextView;
import android.widget.Toast;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The first screen: a big button and where you are. */
public class StartActivity extends AppCompatActivity {

    private static final String TAG = "Start";
    private static final int ASK_PLACE = 61;

    private TextView whereView;
    private Location here;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        whereView = new TextView(this);
        whereView.setTextSize(22f);
        keepCoordinates();
        setContentView(whereView);
        if (state != null) {
            here = state.getParcelable("here");
        }
    }

    @Override
    protected void onSaveInstanceState(Bundle out) {
        super.onSaveInstanceState(out);
        if (here != null && System.currentTimeMillis() - here.getTime() < 600000L) {
            out.putParcelable("here", here);
        }
    }

    @Override
    protected void onResume() {
        super.onResume();
        if (!unlockPosition()) {
            return;
        }
        here = TrackRecorder.bestGuessFix(this, 900000L);
        if (here != null) {
            new StreetTask(whereView).execute(here);
        } else {
            whereView.setText("Looking for satellites");
        }
    }

    /** Makes sure that we may use the receiver; the system dialog appears when it was never allowed. */
    private boolean unlockPosition() {
        if (ContextCompat.checkSelfPermission(this, Manifest.permission.ACCESS_FINE_LOCATION)
                == PackageManager.PERMISSION_GRANTED) {
            return true;
        }
        if (ActivityCompat.shouldShowRequestPermissionRationale(this, Manifest.permission.ACCESS_FINE_LOCATION)) {
            Toast.makeText(this, "A run cannot be measured without it", Toast.LENGTH_LONG).show();
        }
        ActivityCompat.requestPermissions(this, new String[]{Manifest.permission.ACCESS_FINE_LOCATION}, ASK_PLACE);
        return false;
    }

    @Override
    public void onRequestPermissionsResult(int code, String[] names, int[] answers) {
        if (code != ASK_PLACE) {
            super.onRequestPermissionsResult(code, names, answers);
            return;
        }
        boolean forGood = answers.length > 0 && answers[0] != PackageManager.PERMISSION_GRANTED
                && !ActivityCompat.shouldShowRequestPermissionRationale(this, names[0]);
        if (forGood) {
            whereView.setText("Please switch the location on in the app settings");
            whereView.setOnClickListener(this::openAppPage);
        }
    }

    /** Opens the page of the system settings where a refused permission can be granted again. */
    private void openAppPage(View ignored) {
        Intent page = new Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS);
        page.setData(Uri.fromParts("package", getPackageName(), null));
        page.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK | Intent.FLAG_ACTIVITY_NO_HISTORY);
        startActivity(page);
    }

    /** The numbers of the place can be inserted in a chat once they were held for a moment. */
    private void keepCoordinates() {
        whereView.setOnLongClickListener(view -> {
            String numbers = String.format(Locale.US, "%.6f, %.6f", here.getLatitude(), here.getLongitude());
            ClipboardManager board = (ClipboardManager) view.getContext().getSystemService(Context.CLIPBOARD_SERVICE);
            board.setPrimaryClip(ClipData.newPlainText("place", numbers));
            view.performHapticFeedback(HapticFeedbackConstants.LONG_PRESS);
            Toast.makeText(view.getContext(), R.string.kept, Toast.LENGTH_SHORT).show();
            return true;
        });
    }

    /** Plants a door on the home screen through which a run begins at once. */
    @TargetApi(Build.VERSION_CODES.N_MR1)
    private void plantQuickStart() {
        Intent run = new Intent(Intent.ACTION_VIEW, Uri.EMPTY, this, StartActivity.class).putExtra("run", true);
        ShortcutInfo quick = new ShortcutInfo.Builder(this, "quick")
                .setShortLabel("Run now")
                .setLongLabel("Begin a run without looking")
                .setIcon(Icon.createWithResource(this, R.drawable.shoe))
                .setIntent(run)
                .build();
        getSystemService(ShortcutManager.class).setDynamicShortcuts(Collections.singletonList(quick));
    }

    /** Names the launcher app in use, because some of them offer no list of actions on a long press of my app. */
    String launcherName() {
        Intent home = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_HOME);
        return getPackageManager().resolveActivity(home, PackageManager.MATCH_DEFAULT_ONLY).activityInfo.packageName;
    }

    /** Shows the last location in whatever map the user has, or in the browser if there is none. */
    void openMap() {
        String point = here.getLatitude() + "," + here.getLongitude();
        Uri inApp = Uri.parse("geo:" + point + "?z=15");
        boolean hasMap = !getPackageManager().queryIntentActivities(new Intent(Intent.ACTION_VIEW, inApp), 0).isEmpty();
        Uri target = hasMap ? inApp : Uri.parse("https://example.invalid/map").buildUpon().appendQueryParameter("at", point).build();
        startActivity(new Intent(Intent.ACTION_VIEW, target));
    }

    /** Asks the user to turn on GPS if the whole location service is switched off. */
    void nudgeIfOff() {
        LocationManager manager = (LocationManager) getSystemService(Context.LOCATION_SERVICE);
        if (manager.isProviderEnabled(LocationManager.GPS_PROVIDER)) {
            return;
        }
        final Activity self = this;
        new AlertDialog.Builder(this)
                .setMessage("GPS is off. Without it only your steps are counted.")
                .setNegativeButton("Never mind", null)
                .setPositiveButton("Settings", new DialogInterface.OnClickListener() {
                    @Override
                    public void onClick(DialogInterface dialog, int which) {
                        Intent go = new Intent(Settings.ACTION_LOCATION_SOURCE_SETTINGS);
                        if (go.resolveActivity(self.getPackageManager()) != null) {
                            self.startActivityForResult(go, 62);
                        }
                    }
                })
                .show();
    }

    /** Looks up the street name of a location in the background. */
    private static class StreetTask extends AsyncTask<Location, Void, String> {

        private final WeakReference<TextView> target;
        private final Geocoder coder;

        StreetTask(TextView view) {
            target = new WeakReference<>(view);
            coder = new Geocoder(view.getContext().getApplicationContext(), Locale.getDefault());
        }

        @Override
        protected String doInBackground(Location... places) {
            try {
                List<Address> found = coder.getFromLocation(places[0].getLatitude(), places[0].getLongitude(), 1);
                return found.isEmpty() ? null : found.get(0).getThoroughfare();
            } catch (IOException offline) {
                Log.d(TAG, "no street name: " + offline.getMessage());
                return null;
            }
        }

        @Override
        protected void onPostExecute(String street) {
            TextView view = target.get();
            if (view != null && street != null && !isCancelled()) {
                view.setText(view.getResources().getString(R.string.near, street));
            }
        }
    }
}
