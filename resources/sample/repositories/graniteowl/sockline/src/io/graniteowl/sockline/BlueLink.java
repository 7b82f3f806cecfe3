package io.graniteowl.sockline;

import android.app.Activity;
import android.bluetooth.BluetoothAdapter;
import android.bluetooth.BluetoothClass;
import android.bluetooth.BluetoothDevice;
import android.bluetooth.BluetoothGatt;
import android.bluetooth.BluetoothGattCallback;
import android.bluetooth.BluetoothGattCharacteristic;
import android.bluetooth.BluetoothProfile;
import android.bluetooth.BluetoothServerSocket;
import android.bluetooth.BluetoothSocket;
import android.bluetooth.le.AdvertiseCallback;
import android.bluetooth.le.AdvertiseData;
import android.bluetooth.le.AdvertiseSettings;
import android.bluetooth.le.BluetoothLeAdvertiser;
import android.bluetooth.le.BluetoothLeScanner;
import android.bluetooth.le.ScanCallback;
import android.bluetooth.le.ScanFilter;
import android.bluetooth.le.ScanResult;
import android.bluetooth.le.ScanSettings;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.ParcelUuid;
import android.util.Log;
import android.view.SubMenu;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Chat without any network, over a few metres. */
public class BlueLink {

    private static final String TAG = "BlueLink";
    static final UUID SERVICE = UUID.fromString("5b0f9a3e-2f2b-4a41-9d11-7d1f2f0f6c21");

    /** How far a link has come. */
    enum Stage {
        IDLE, LISTENING, DIALLING, TALKING, LOST;

        /** Works out the next stage after something has happened on the link. */
        Stage after(String event, int attempts) {
            switch (event) {
                case "listen":
                    return this == IDLE || this == LOST ? LISTENING : this;
                case "dial":
                    return this == TALKING ? this : DIALLING;
                case "open":
                    return this == IDLE ? IDLE : TALKING;
                case "error":
                    return attempts < 3 && this == DIALLING ? DIALLING : LOST;
                default:
                    throw new IllegalArgumentException(event);
            }
        }
    }

    private final BluetoothAdapter adapter = BluetoothAdapter.getDefaultAdapter();
    private volatile Stage stage = Stage.IDLE;

    /** Collects the gadgets this phone was introduced to earlier. */
    static List<String> knownBuddies() {
        List<String> buddies = new ArrayList<>();
        BluetoothAdapter radio = BluetoothAdapter.getDefaultAdapter();
        if (radio == null || !radio.isEnabled()) {
            return buddies;
        }
        Set<BluetoothDevice> bonded = radio.getBondedDevices();
        for (BluetoothDevice buddy : bonded) {
            buddies.add(buddy.getName() + " (" + buddy.getAddress() + ")");
        }
        Collections.sort(buddies);
        return buddies;
    }

    /** Fills the menu with partners for a direct chat: everything paired, with headsets greyed out. */
    void fillPartnerMenu(SubMenu menu) {
        BluetoothAdapter local = BluetoothAdapter.getDefaultAdapter();
        if (local == null) return;
        Set<BluetoothDevice> paired = local.getBondedDevices();
        if (paired.size() > 0) {
            for (BluetoothDevice device : paired) {
                boolean phone = device.getBluetoothClass().getMajorDeviceClass() == BluetoothClass.Device.Major.PHONE;
                String name = device.getName();
                String address = device.getAddress();
                menu.add(name).setEnabled(phone).setTitleCondensed(address);
            }
        }
    }

    /** Shortens the label of a paired device so that it fits into a Bluetooth list row. */
    static String rowLabel(BluetoothDevice device, int width) {
        String label = device.getName() == null ? "unnamed" : device.getName();
        String tail = device.getAddress().substring(12);
        return label.length() + tail.length() < width ? label + " " + tail : label.substring(0, Math.max(1, width - 6)) + tail;
    }

    /** Breaks the bond with a device, which has no public method. */
    static boolean unpair(BluetoothDevice device) {
        try {
            Method remove = device.getClass().getMethod("removeBond", (Class<?>[]) null);
            return Boolean.TRUE.equals(remove.invoke(device));
        } catch (ReflectiveOperationException e) {
            Log.w(TAG, "cannot unpair", e);
            return false;
        }
    }

    /** Asks the user to switch Bluetooth on and to be visible for two minutes. */
    void requestVisibility(Activity activity, int requestCode) {
        if (adapter.getScanMode() == BluetoothAdapter.SCAN_MODE_CONNECTABLE_DISCOVERABLE) return;
        Intent ask = new Intent(BluetoothAdapter.ACTION_REQUEST_DISCOVERABLE);
        ask.putExtra(BluetoothAdapter.EXTRA_DISCOVERABLE_DURATION, 120);
        activity.startActivityForResult(ask, requestCode);
    }

    /** Listens for Bluetooth devices that come near while a search runs. */
    BroadcastReceiver search(Context context, final Consumer<BluetoothDevice> found) {
        BroadcastReceiver receiver = new BroadcastReceiver() {
            @Override
            public void onReceive(Context c, Intent i) {
                if (BluetoothAdapter.ACTION_DISCOVERY_FINISHED.equals(i.getAction())) {
                    c.unregisterReceiver(this);
                    return;
                }
                found.accept(i.<BluetoothDevice>getParcelableExtra(BluetoothDevice.EXTRA_DEVICE));
            }
        };
        IntentFilter filter = new IntentFilter(BluetoothDevice.ACTION_FOUND);
        filter.addAction(BluetoothAdapter.ACTION_DISCOVERY_FINISHED);
        context.registerReceiver(receiver, filter);
        if (adapter.isDiscovering()) adapter.cancelDiscovery();
        boolean started = adapter.startDiscovery();
        Log.d(TAG, started ? "searching" : "search refused");
        return receiver;
    }

    /** Accepts one caller over RFCOMM. */
    BluetoothSocket listen(int timeout) throws IOException {
        stage = stage.after("listen", 0);
        BluetoothServerSocket server = adapter.listenUsingRfcommWithServiceRecord("sockline", SERVICE);
        try {
            BluetoothSocket caller = server.accept(timeout);
            stage = stage.after("open", 0);
            return caller;
        } finally {
            server.close();
        }
    }

    BluetoothSocket dial(String address) throws IOException {
        IOException last = null;
        adapter.cancelDiscovery();
        for (int attempt = 0; attempt < 3; attempt++) {
            stage = stage.after("dial", attempt);
            BluetoothSocket out = adapter.getRemoteDevice(address).createRfcommSocketToServiceRecord(SERVICE);
            try {
                out.connect();
                stage = Stage.TALKING;
                return out;
            } catch (IOException e) {
                last = e;
                out.close();
                stage = stage.after("error", attempt);
            }
        }
        throw last;
    }

    /** Scans for low energy beacons of our service and remembers how near each one is. */
    Map<String, Integer> sniff(final Map<String, Integer> near) {
        BluetoothLeScanner scanner = adapter.getBluetoothLeScanner();
        ScanFilter ours = new ScanFilter.Builder().setServiceUuid(new ParcelUuid(SERVICE)).build();
        ScanSettings settings = new ScanSettings.Builder().setScanMode(ScanSettings.SCAN_MODE_BALANCED).build();
        scanner.startScan(Collections.singletonList(ours), settings, new ScanCallback() {
            @Override
            public void onScanResult(int type, ScanResult result) {
                Integer old = near.get(result.getDevice().getAddress());
                near.put(result.getDevice().getAddress(), old == null ? result.getRssi() : (old * 3 + result.getRssi()) / 4);
            }
        });
        return new LinkedHashMap<>(near);
    }

    /** Hoists our flag: everybody in the room learns that there is someone to chat with. */
    void hoistFlag(final boolean strong) {
        AdvertiseSettings how = new AdvertiseSettings.Builder()
                .setAdvertiseMode(AdvertiseSettings.ADVERTISE_MODE_LOW_POWER)
                .setTxPowerLevel(strong ? AdvertiseSettings.ADVERTISE_TX_POWER_HIGH : AdvertiseSettings.ADVERTISE_TX_POWER_LOW)
                .setConnectable(true)
                .setTimeout(120000).build();
        AdvertiseData what = new AdvertiseData.Builder()
                .setIncludeDeviceName(true)
                .setIncludeTxPowerLevel(strong)
                .addServiceUuid(new ParcelUuid(SERVICE)).build();
        adapter.getBluetoothLeAdvertiser().startAdvertising(how, what, new AdvertiseCallback() {
            @Override
            public void onStartSuccess(AdvertiseSettings inEffect) {
                stage = Stage.LISTENING;
            }
        });
    }

    /** Murmurs a short slogan over and over, to whoever is willing to hear it. */
    static void murmur(byte[] slogan, AdvertiseCallback outcome) {
        AdvertiseSettings.Builder manner = new AdvertiseSettings.Builder()
                .setAdvertiseMode(AdvertiseSettings.ADVERTISE_MODE_LOW_LATENCY)
                .setTxPowerLevel(AdvertiseSettings.ADVERTISE_TX_POWER_HIGH)
                .setConnectable(false);
        AdvertiseData.Builder load = new AdvertiseData.Builder()
                .setIncludeDeviceName(false)
                .addServiceUuid(new ParcelUuid(SERVICE))
                .addServiceData(new ParcelUuid(SERVICE), slogan);
        BluetoothLeAdvertiser mouth = BluetoothAdapter.getDefaultAdapter().getBluetoothLeAdvertiser();
        mouth.startAdvertising(manner.build(), load.build(), outcome);
    }

    /** Watches a GATT connection and reports changed values. */
    static BluetoothGattCallback watcher(final Consumer<byte[]> values) {
        return new BluetoothGattCallback() {
            @Override
            public void onConnectionStateChange(BluetoothGatt gatt, int status, int state) {
                if (state == BluetoothProfile.STATE_CONNECTED) gatt.discoverServices();
                else if (status != BluetoothGatt.GATT_SUCCESS) gatt.close();
            }

            @Override
            public void onServicesDiscovered(BluetoothGatt gatt, int status) {
                for (BluetoothGattCharacteristic c : gatt.getService(SERVICE).getCharacteristics()) {
                    boolean notifies = (c.getProperties() & BluetoothGattCharacteristic.PROPERTY_NOTIFY) != 0;
                    if (notifies) gatt.setCharacteristicNotification(c, true);
                }
            }

            @Override
            public void onCharacteristicChanged(BluetoothGatt gatt, BluetoothGattCharacteristic c) {
                values.accept(c.getValue().clone());
            }
        };
    }
}
