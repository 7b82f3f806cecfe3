package org.amberkite.tunejar;

import android.Manifest;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.content.pm.PackageManager;
import android.content.pm.ShortcutInfo;
import android.content.pm.ShortcutManager;
import android.graphics.drawable.Icon;
import android.media.AudioManager;
import android.media.RingtoneManager;
import android.media.ToneGenerator;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.IBinder;
import android.provider.Settings;
import android.support.design.widget.Snackbar;
import android.support.v4.app.ActivityCompat;
import android.support.v4.app.Fragment;
import android.support.v4.app.FragmentManager;
import android.support.v4.app.FragmentPagerAdapter;
import android.support.v4.content.ContextCompat;
import android.support.v4.content.FileProvider;
import android.support.v4.view.ViewPager;
import android.support.v7.app.AppCompatActivity;
import android.support.v7.widget.SearchView;
import android.util.SparseArray;
import android.view.KeyEvent;
import android.view.Menu;
import android.view.MenuItem;
import android.view.ViewGroup;

import java.io.File;
import java.util.Collections;

/** Shelves of songs, records and lists, one page each. */
public class LibraryActivity extends AppCompatActivity {

    private static final int CODE_CARD = 17;
    private static final String[] PAGES = {"songs", "records", "lists"};

    private ViewPager pager;
    private PlayerService service;

    private final ServiceConnection connection = new ServiceConnection() {
        @Override
        public void onServiceConnected(ComponentName name, IBinder door) {
            service = ((PlayerService.Door) door).service();
            setVolumeControlStream(AudioManager.STREAM_MUSIC);
        }

        @Override
        public void onServiceDisconnected(ComponentName name) {
            service = null;
            Snackbar.make(pager, "The player went away", Snackbar.LENGTH_SHORT).show();
        }
    };

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        pager = new ViewPager(this);
        pager.setId(R.id.pager);
        pager.setOffscreenPageLimit(PAGES.length - 1);
        setContentView(pager);
        pager.setAdapter(new Shelves(getSupportFragmentManager()));
        readCardOr(null);
    }

    /** Looks at the card if we may; otherwise the dialog of the system is brought up first. */
    private void readCardOr(Runnable otherwise) {
        if (ContextCompat.checkSelfPermission(this, Manifest.permission.READ_EXTERNAL_STORAGE)
                != PackageManager.PERMISSION_GRANTED) {
            if (ActivityCompat.shouldShowRequestPermissionRationale(this, Manifest.permission.READ_EXTERNAL_STORAGE)) {
                Snackbar.make(pager, R.string.why_card, Snackbar.LENGTH_LONG).show();
            }
            String[] wanted = {Manifest.permission.READ_EXTERNAL_STORAGE};
            ActivityCompat.requestPermissions(this, wanted, CODE_CARD);
        } else {
            startService(new Intent(this, PlayerService.class));
            if (otherwise != null) otherwise.run();
        }
    }

    @Override
    public void onRequestPermissionsResult(int code, String[] wanted, int[] results) {
        super.onRequestPermissionsResult(code, wanted, results);
        int granted = 0;
        for (int result : results) {
            granted += result == PackageManager.PERMISSION_GRANTED ? 1 : 0;
        }
        if (code == CODE_CARD && granted == wanted.length) {
            pager.getAdapter().notifyDataSetChanged();
        } else {
            pager.setCurrentItem(PAGES.length - 1, true);
        }
    }

    @Override
    protected void onStart() {
        super.onStart();
        boolean bound = bindService(new Intent(this, PlayerService.class), connection, Context.BIND_AUTO_CREATE);
        if (!bound) {
            finish();
        }
    }

    @Override
    protected void onStop() {
        if (service != null) {
            unbindService(connection);
            service = null;
        }
        super.onStop();
    }

    @Override
    public boolean onCreateOptionsMenu(Menu menu) {
        MenuItem find = menu.add(Menu.NONE, R.id.find, 0, "Find");
        SearchView box = new SearchView(this);
        box.setQueryHint("song or artist");
        box.setMaxWidth(Integer.MAX_VALUE);
        find.setActionView(box).setShowAsAction(MenuItem.SHOW_AS_ACTION_IF_ROOM | MenuItem.SHOW_AS_ACTION_COLLAPSE_ACTION_VIEW);
        return super.onCreateOptionsMenu(menu);
    }

    /** The headset button: one press pauses, holding it skips. */
    @Override
    public boolean onKeyDown(int code, KeyEvent event) {
        if (service == null || code != KeyEvent.KEYCODE_HEADSETHOOK && code != KeyEvent.KEYCODE_MEDIA_NEXT) {
            return super.onKeyDown(code, event);
        }
        if (event.isLongPress() || code == KeyEvent.KEYCODE_MEDIA_NEXT) {
            service.skip(1);
        } else {
            event.startTracking();
        }
        return true;
    }

    /** Makes an audio file the ringtone, after asking for the special right to write settings. */
    void useAsRingtone(Uri song) {
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.M && !Settings.System.canWrite(this)) {
            startActivity(new Intent(Settings.ACTION_MANAGE_WRITE_SETTINGS, Uri.parse("package:" + getPackageName())));
            return;
        }
        RingtoneManager.setActualDefaultRingtoneUri(this, RingtoneManager.TYPE_RINGTONE, song);
        new ToneGenerator(AudioManager.STREAM_RING, 50).startTone(ToneGenerator.TONE_PROP_ACK);
    }

    /** Lets listeners jump from the home screen straight into what they heard most. */
    void offerFavourite(Uri record, String name) {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.N_MR1) {
            return;
        }
        ShortcutInfo jump = new ShortcutInfo.Builder(this, "favourite")
                .setShortLabel(name)
                .setIcon(Icon.createWithResource(this, android.R.drawable.ic_media_play))
                .setIntent(new Intent(Intent.ACTION_VIEW, record, this, LibraryActivity.class))
                .setRank(0)
                .setDisabledMessage("This record is gone")
                .build();
        ShortcutManager doors = getSystemService(ShortcutManager.class);
        if (doors.getDynamicShortcuts().size() < doors.getMaxShortcutCountPerActivity()) {
            doors.addDynamicShortcuts(Collections.singletonList(jump));
        }
    }

    /** Hands a song file to another app with permission to read it. */
    void lend(File song) {
        Uri shared = FileProvider.getUriForFile(this, getPackageName() + ".files", song);
        Intent send = new Intent(Intent.ACTION_SEND).setType("audio/*").putExtra(Intent.EXTRA_STREAM, shared);
        send.addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION);
        for (android.content.pm.ResolveInfo app : getPackageManager().queryIntentActivities(send, 0)) {
            grantUriPermission(app.activityInfo.packageName, shared, Intent.FLAG_GRANT_READ_URI_PERMISSION);
        }
        startActivity(send);
    }

    /** The pages with their fragments; remembers the living ones. */
    private static class Shelves extends FragmentPagerAdapter {

        private final SparseArray<Fragment> alive = new SparseArray<>();

        Shelves(FragmentManager manager) {
            super(manager);
        }

        @Override
        public Fragment getItem(int position) {
            Fragment page = new Fragment();
            Bundle arguments = new Bundle();
            arguments.putString("shelf", PAGES[position]);
            page.setArguments(arguments);
            page.setRetainInstance(position == 0);
            return page;
        }

        @Override
        public Object instantiateItem(ViewGroup container, int position) {
            Object page = super.instantiateItem(container, position);
            if (page instanceof Fragment) {
                alive.put(position, (Fragment) page);
            }
            return page;
        }

        @Override
        public void destroyItem(ViewGroup container, int position, Object object) {
            alive.remove(position);
            super.destroyItem(container, position, object);
            container.requestLayout();
        }

        @Override
        public int getCount() {
            return Build.VERSION.SDK_INT < Build.VERSION_CODES.LOLLIPOP ? PAGES.length - 1 : PAGES.length;
        }
    }
}
