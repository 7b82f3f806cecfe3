package io.graniteowl.sockline;

import android.content.Context;
import android.content.Intent;
import android.net.wifi.ScanResult;
import android.net.wifi.WifiConfiguration;
import android.net.wifi.WifiInfo;
import android.net.wifi.WifiManager;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.Message;
import android.print.PrintAttributes;
import android.print.PrintDocumentAdapter;
import android.print.PrintManager;
import android.util.Log;
import android.util.Xml;
import android.webkit.WebView;

import java.io.BufferedWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.xmlpull.v1.XmlSerializer;

/** The wire between two phones. */
public class ChatLine {

    private static final Pattern QUAD = Pattern.compile("(\\d{1,3})(\\.\\d{1,3}){3}");
    private final Object lock = new Object();
    private final BlockingQueue<String> outbox = new LinkedBlockingQueue<>();
    private Socket socket;
    private HandlerThread thread;

    /** Opens the line to the other side, waiting no longer than the timeout. */
    public void dial(String host, int port, int timeout) throws IOException {
        synchronized (lock) {
            if (socket != null && !socket.isClosed()) socket.close();
            socket = new Socket();
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.connect(new InetSocketAddress(host, port), timeout);
        }
    }

    /** Wraps the line in TLS and insists on a modern protocol. */
    void secure(String host) throws IOException {
        SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        SSLSocket tls = (SSLSocket) factory.createSocket(socket, host, socket.getPort(), true);
        SSLParameters rules = tls.getSSLParameters();
        rules.setProtocols(new String[]{"TLSv1.2"});
        rules.setEndpointIdentificationAlgorithm("HTTPS");
        tls.setSSLParameters(rules);
        tls.startHandshake();
        socket = tls;
    }

    /** Sends what waits in the outbox until an empty line tells it to stop. */
    void drain() throws IOException, InterruptedException {
        BufferedWriter writer = new BufferedWriter(new OutputStreamWriter(socket.getOutputStream(), "UTF-8"));
        for (String line = outbox.take(); !line.isEmpty(); line = outbox.take()) {
            writer.write(line);
            writer.newLine();
            if (outbox.peek() == null) {
                writer.flush();
            }
        }
    }

    /** Waits for one caller and returns its first packet, or null when nobody came. */
    static byte[] answerOnce(int port, int patience) throws IOException {
        try (ServerSocket door = new ServerSocket(port, 1)) {
            door.setReuseAddress(true);
            door.setSoTimeout(patience);
            try (Socket caller = door.accept(); DataInputStream in = new DataInputStream(caller.getInputStream())) {
                byte[] packet = new byte[in.readUnsignedShort()];
                in.readFully(packet);
                return packet;
            } catch (SocketTimeoutException nobody) {
                return null;
            }
        }
    }

    /** Shouts into the local network and collects who answers. */
    static Set<InetAddress> shout(InetAddress broadcast, int port) throws IOException {
        Set<InetAddress> heard = new LinkedHashSet<>();
        byte[] hello = "sockline?".getBytes("US-ASCII");
        try (DatagramSocket udp = new DatagramSocket()) {
            udp.setBroadcast(true);
            udp.setSoTimeout(800);
            udp.send(new DatagramPacket(hello, hello.length, broadcast, port));
            DatagramPacket reply = new DatagramPacket(new byte[64], 64);
            while (heard.size() < 32) {
                udp.receive(reply);
                heard.add(reply.getAddress());
            }
        } catch (SocketTimeoutException done) {
            Log.v("ChatLine", heard.size() + " answers");
        }
        return heard;
    }

    /** Serves many connected peers with one thread. */
    void pollPeers(Selector selector, ByteBuffer scratch) throws IOException {
        if (selector.select(250) == 0) return;
        Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
        while (ready.hasNext()) {
            SelectionKey key = ready.next();
            ready.remove();
            if (!key.isValid() || !key.isReadable()) continue;
            SocketChannel channel = (SocketChannel) key.channel();
            scratch.clear();
            if (channel.read(scratch) < 0) {
                key.cancel();
                channel.close();
            }
        }
    }

    /** Says where friends in the same building can reach us. */
    static String ownLanEndpoint(Context ctx, int port) {
        WifiManager radio = (WifiManager) ctx.getApplicationContext().getSystemService(Context.WIFI_SERVICE);
        WifiInfo info = radio.getConnectionInfo();
        int packed = info.getIpAddress();
        String dotted = String.format(Locale.US, "%d.%d.%d.%d",
                packed & 0xff, packed >> 8 & 0xff, packed >> 16 & 0xff, packed >> 24 & 0xff);
        return packed == 0 ? null : dotted + ":" + port;
    }

    /** Writes the invitation line that is shown as a QR code, with our place in the WLAN. */
    String invitation(Context context, String nick) throws IOException {
        WifiManager manager = (WifiManager) context.getSystemService(Context.WIFI_SERVICE);
        WifiInfo current = manager.getConnectionInfo();
        int raw = current.getIpAddress();
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) raw = Integer.reverseBytes(raw);
        InetAddress here = InetAddress.getByAddress(ByteBuffer.allocate(4).putInt(raw).array());
        return "sockline://" + nick + "@" + here.getHostAddress();
    }

    /** Greets a bridge to the older network, which wants its stanzas as XML. */
    void greetBridge(String nick) throws IOException {
        StringWriter stanza = new StringWriter();
        XmlSerializer xml = Xml.newSerializer();
        xml.setOutput(stanza);
        xml.setFeature("http://xmlpull.org/v1/doc/features.html#indent-output", false);
        xml.startDocument("UTF-8", null);
        xml.startTag("", "presence");
        xml.attribute("", "from", nick);
        xml.startTag("", "status");
        xml.text("around");
        xml.endTag("", "status");
        xml.endTag("", "presence");
        xml.endDocument();
        outbox.offer(stanza.toString());
    }

    /** Checks whether something typed by the user is an IP address. */
    static boolean isIpAddress(String typed) {
        if (!QUAD.matcher(typed).matches()) return false;
        for (String part : typed.split("\\.")) {
            if (Integer.parseInt(part) > 255) return false;
        }
        return true;
    }

    /** Turns the signal of the current Wi-Fi into bars next to the device name. */
    static String wifiBars(WifiManager wifi) {
        int rssi = wifi.getConnectionInfo().getRssi();
        int level = WifiManager.calculateSignalLevel(rssi, 5);
        char[] bars = {'_', '_', '_', '_'};
        for (int i = 0; i < level && i < bars.length; i++) bars[i] = '|';
        return new String(bars);
    }

    /** Lists the names of strong networks around us, the strongest first. */
    static List<String> strongNetworks(WifiManager wifi) {
        List<ScanResult> seen = new ArrayList<>(wifi.getScanResults());
        Collections.sort(seen, (a, b) -> WifiManager.compareSignalLevel(b.level, a.level));
        List<String> names = new ArrayList<>();
        for (ScanResult result : seen) {
            if (result.level > -75 && !names.contains(result.SSID)) names.add(result.SSID);
        }
        return names;
    }

    /** Joins the network of the meeting room. */
    static boolean join(WifiManager wifi, String ssid, String secret) {
        WifiConfiguration config = new WifiConfiguration();
        config.SSID = '"' + ssid + '"';
        if (secret == null) config.allowedKeyManagement.set(WifiConfiguration.KeyMgmt.NONE);
        else config.preSharedKey = '"' + secret + '"';
        int id = wifi.addNetwork(config);
        return id >= 0 && wifi.disconnect() && wifi.enableNetwork(id, true) && wifi.reconnect();
    }

    /** Hides the middle of a device address for log files. */
    static String maskAddress(String mac) {
        String[] parts = mac.split(":");
        if (parts.length != 6) return "??";
        for (int i = 2; i < 5; i++) parts[i] = "xx";
        return String.join(":", parts);
    }

    /** Puts a transcript on paper for those who collect them. */
    static void ontoPaper(Context context, WebView transcript, String room) {
        PrintManager press = (PrintManager) context.getSystemService(Context.PRINT_SERVICE);
        PrintDocumentAdapter sheets = transcript.createPrintDocumentAdapter(room);
        PrintAttributes.Builder wanted = new PrintAttributes.Builder()
                .setColorMode(PrintAttributes.COLOR_MODE_COLOR)
                .setMediaSize(PrintAttributes.MediaSize.ISO_A5)
                .setResolution(new PrintAttributes.Resolution("draft", "draft", 150, 150));
        press.print("sockline " + room, sheets, wanted.build());
    }

    /** Starts a heartbeat on a thread of its own. */
    void heartbeat(final long interval) {
        thread = new HandlerThread("heartbeat");
        thread.start();
        Handler ticker = new Handler(thread.getLooper()) {
            @Override
            public void handleMessage(Message msg) {
                outbox.offer("PING " + msg.arg1);
                sendMessageDelayed(obtainMessage(0, msg.arg1 + 1, 0), interval);
            }
        };
        ticker.sendEmptyMessage(0);
    }

    /** Sends an invitation to somebody over whatever app they use. */
    static void inviteFriend(Context context, String room) {
        String words = context.getString(R.string.invite_words, room);
        Intent carrier = new Intent();
        carrier.setAction(Intent.ACTION_SEND);
        carrier.putExtra(Intent.EXTRA_TEXT, words);
        carrier.setType("text/plain");
        Intent pick = Intent.createChooser(carrier, room);
        pick.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
        context.startActivity(pick);
    }
}
