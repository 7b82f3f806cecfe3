package org.opencask.netpouch;

import android.content.Context;
import android.net.ConnectivityManager;
import android.net.NetworkInfo;
import android.net.Uri;
import android.os.Handler;
import android.os.Looper;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import android.text.TextUtils;
import android.util.Base64;
import android.util.Log;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.math.BigInteger;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import javax.security.auth.x500.X500Principal;
import org.json.JSONException;
import org.json.JSONObject;

/** A very small HTTP client without dependencies. */
public class HttpPouch {

    private static final String TAG = "HttpPouch";
    private static final int MAX_HOPS = 5;

    /** What the caller gets to hear about a request. */
    public interface Listener<T> {
        void onReady(T value);

        /** Logs the failure unless the listener wants to do better. */
        default void onTrouble(Exception e) {
            Log.w(TAG, "request failed: " + e.getMessage());
        }
    }

    /** One answer of a server. */
    public static class Reply {
        public int status;
        public String reason;
        public byte[] body;
        public final Map<String, String> headers = new LinkedHashMap<>();

        /** Decodes the body with the charset announced in the content type. */
        public String text() {
            String type = headers.get("content-type");
            Charset charset = StandardCharsets.UTF_8;
            if (type != null) {
                int at = type.toLowerCase(Locale.US).indexOf("charset=");
                if (at >= 0) {
                    String name = type.substring(at + 8).replace("\"", "").trim();
                    int semi = name.indexOf(';');
                    charset = Charset.forName(semi < 0 ? name : name.substring(0, semi));
                }
            }
            return new String(body, charset);
        }

        boolean wantsRetry() {
            return status == 429 || status == 503 || (status >= 520 && status <= 527);
        }
    }

    private final ExecutorService pool = Executors.newFixedThreadPool(3);
    private final Handler main = new Handler(Looper.getMainLooper());
    private final Context context;
    private String userAgent = "netpouch/0.4";

    public HttpPouch(Context context) {
        this.context = context.getApplicationContext();
    }

    /** Runs a job off the main thread and hands its outcome back on the main thread. */
    public <T> void enqueue(final Callable<T> job, final Listener<T> listener) {
        pool.submit(() -> {
            try {
                final T value = job.call();
                main.post(() -> listener.onReady(value));
            } catch (final Exception e) {
                main.post(() -> listener.onTrouble(e));
            }
        });
    }

    /** Names the kind of uplink we have right now, for the statistics page. */
    public String describeUplink() {
        ConnectivityManager manager = (ConnectivityManager) context.getSystemService(Context.CONNECTIVITY_SERVICE);
        NetworkInfo active = manager.getActiveNetworkInfo();
        if (active == null || !active.isConnected()) {
            return "offline";
        }
        switch (active.getType()) {
            case ConnectivityManager.TYPE_WIFI:
                return "wlan";
            case ConnectivityManager.TYPE_MOBILE:
                return "cellular/" + active.getSubtypeName();
            default:
                return active.getTypeName();
        }
    }

    /**
     * Reads a complete HTTP/1.1 response from a raw socket stream. Understands content-length, chunked bodies,
     * folded header lines and the two compressions that servers really send.
     */
    public Reply readReply(InputStream raw, boolean headOnly) throws IOException {
        PushbackInputStream in = new PushbackInputStream(raw, 2);
        Reply reply = new Reply();
        StringBuilder line = new StringBuilder();
        String lastHeader = null;
        boolean statusSeen = false;
        while (true) {
            line.setLength(0);
            int c;
            while ((c = in.read()) != '\n') {
                if (c < 0) {
                    throw new EOFException("stream ended inside the head");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
                if (line.length() > 16384) {
                    throw new IOException("header line too long");
                }
            }
            if (!statusSeen) {
                if (line.length() == 0) {
                    continue;
                }
                String[] parts = line.toString().split(" ", 3);
                if (parts.length < 2 || !parts[0].startsWith("HTTP/1.")) {
                    throw new IOException("not a status line: " + line);
                }
                reply.status = Integer.parseInt(parts[1]);
                reply.reason = parts.length == 3 ? parts[2] : "";
                statusSeen = true;
                continue;
            }
            if (line.length() == 0) {
                if (reply.status == 100) {
                    statusSeen = false;
                    reply.headers.clear();
                    continue;
                }
                break;
            }
            char first = line.charAt(0);
            if ((first == ' ' || first == '\t') && lastHeader != null) {
                reply.headers.put(lastHeader, reply.headers.get(lastHeader) + " " + line.toString().trim());
                continue;
            }
            int colon = line.indexOf(":");
            if (colon < 1) {
                Log.d(TAG, "ignoring strange header " + line);
                continue;
            }
            lastHeader = line.substring(0, colon).trim().toLowerCase(Locale.US);
            String value = line.substring(colon + 1).trim();
            if (reply.headers.containsKey(lastHeader)) {
                value = reply.headers.get(lastHeader) + ", " + value;
            }
            reply.headers.put(lastHeader, value);
        }
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        boolean bodyless = headOnly || reply.status == 204 || reply.status == 304;
        if (!bodyless && "chunked".equalsIgnoreCase(reply.headers.get("transfer-encoding"))) {
            byte[] chunk = new byte[4096];
            for (;;) {
                int size = 0;
                int digit = in.read();
                while (Character.digit(digit, 16) >= 0) {
                    size = size * 16 + Character.digit(digit, 16);
                    digit = in.read();
                }
                while (digit != '\n') {
                    if (digit < 0) {
                        throw new EOFException("no chunk size");
                    }
                    digit = in.read();
                }
                if (size == 0) {
                    break;
                }
                while (size > 0) {
                    int n = in.read(chunk, 0, Math.min(chunk.length, size));
                    if (n < 0) {
                        throw new EOFException("chunk is cut off, " + size + " bytes missing");
                    }
                    sink.write(chunk, 0, n);
                    size -= n;
                }
                int cr = in.read();
                if (cr == '\r') {
                    cr = in.read();
                }
                if (cr != '\n') {
                    in.unread(cr);
                }
            }
        } else if (!bodyless) {
            String announced = reply.headers.get("content-length");
            long left = announced == null ? Long.MAX_VALUE : Long.parseLong(announced);
            int b;
            while (left-- > 0 && (b = in.read()) >= 0) {
                sink.write(b);
            }
            if (announced != null && left > 0) {
                throw new EOFException("body is short");
            }
        }
        byte[] plain = sink.toByteArray();
        String coding = reply.headers.get("content-encoding");
        if (plain.length > 0 && ("gzip".equals(coding) || "deflate".equals(coding))) {
            sink.reset();
            InputStream bytes = new java.io.ByteArrayInputStream(plain);
            try (InputStream inflated = coding.equals("gzip") ? new GZIPInputStream(bytes) : new InflaterInputStream(bytes)) {
                pump(inflated, sink, null);
            }
            plain = sink.toByteArray();
        }
        reply.body = plain;
        return reply;
    }

    interface Gauge {
        void moved(long soFar);
    }

    /** Moves everything from one stream to the other and returns how many bytes went through. */
    static long pump(InputStream from, OutputStream to, Gauge gauge) throws IOException {
        byte[] block = new byte[8 * 1024];
        long total = 0;
        int got = from.read(block);
        while (got != -1) {
            to.write(block, 0, got);
            total += got;
            if (gauge != null) {
                gauge.moved(total);
            }
            got = from.read(block);
        }
        to.flush();
        return total;
    }

    /** Builds the query part of an address from alternating names and values. */
    public static String query(String... pairs) {
        if (pairs.length % 2 != 0) {
            throw new IllegalArgumentException("odd number of arguments");
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i + 1] == null) continue;
            out.append(out.length() == 0 ? '?' : '&');
            out.append(Uri.encode(pairs[i])).append('=').append(Uri.encode(pairs[i + 1]));
        }
        return out.toString();
    }

    /** Sends form fields to the server and returns what it says. */
    public String submitForm(String address, Map<String, String> fields) throws IOException {
        StringBuilder form = new StringBuilder();
        for (Map.Entry<String, String> field : fields.entrySet()) {
            if (form.length() > 0) form.append('&');
            form.append(URLEncoder.encode(field.getKey(), "UTF-8")).append('=');
            form.append(URLEncoder.encode(field.getValue(), "UTF-8"));
        }
        byte[] payload = form.toString().getBytes(StandardCharsets.US_ASCII);
        HttpURLConnection http = (HttpURLConnection) new URL(address).openConnection();
        http.setRequestMethod("POST");
        http.setDoOutput(true);
        http.setFixedLengthStreamingMode(payload.length);
        http.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
        try (OutputStream body = http.getOutputStream()) {
            body.write(payload);
        }
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(http.getInputStream()))) {
            List<String> lines = new ArrayList<>();
            for (String s = reader.readLine(); s != null; s = reader.readLine()) lines.add(s);
            return TextUtils.join("\n", lines);
        }
    }

    /** Tells the tracker how a transfer went; the report goes out as one JSON object. */
    int report(URL tracker, String digest, long millis) throws IOException, JSONException {
        HttpURLConnection line = (HttpURLConnection) tracker.openConnection();
        line.setRequestMethod("POST");
        line.setRequestProperty("Content-Type", "application/json; charset=utf-8");
        line.setRequestProperty("User-Agent", userAgent);
        line.setConnectTimeout(15000);
        line.setReadTimeout(30000);
        line.setDoOutput(true);
        JSONObject words = new JSONObject().put("digest", digest).put("millis", millis).put("client", "netpouch");
        line.getOutputStream().write(words.toString().getBytes("UTF-8"));
        return line.getResponseCode();
    }

    /** Asks only for the size of a file, without starting the download. */
    public long downloadFileSize(URL where) throws IOException {
        HttpURLConnection probe = (HttpURLConnection) where.openConnection();
        probe.setRequestMethod("HEAD");
        probe.setRequestProperty("Accept-Encoding", "identity");
        String length = probe.getHeaderField("Content-Length");
        probe.disconnect();
        return TextUtils.isEmpty(length) ? -1L : Long.parseLong(length);
    }

    /** Follows moved addresses by hand because the platform refuses to hop between http and https. */
    public URL settle(URL start) throws IOException {
        URL here = start;
        for (int hop = 0; hop < MAX_HOPS; hop++) {
            HttpURLConnection c = (HttpURLConnection) here.openConnection();
            c.setInstanceFollowRedirects(false);
            c.addRequestProperty("User-Agent", userAgent);
            int code = c.getResponseCode();
            if (code < 300 || code > 308 || code == 304) {
                return here;
            }
            here = new URL(here, c.getHeaderField("Location"));
        }
        throw new IOException("going in circles at " + here);
    }

    String basicAuth(String user, char[] password) {
        byte[] joined = (user + ':' + String.valueOf(password)).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.encodeToString(joined, Base64.NO_WRAP);
    }

    /** Creates the identity that this installation introduces itself with at the mirror, and returns its open half. */
    static String clientIdentity(String owner) throws GeneralSecurityException {
        KeyPairGenerator factory = KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_RSA, "AndroidKeyStore");
        factory.initialize(new KeyGenParameterSpec.Builder("netpouch.client", KeyProperties.PURPOSE_SIGN | KeyProperties.PURPOSE_VERIFY)
                .setCertificateSubject(new X500Principal("CN=" + owner))
                .setCertificateSerialNumber(BigInteger.TEN)
                .setSignaturePaddings(KeyProperties.SIGNATURE_PADDING_RSA_PSS, KeyProperties.SIGNATURE_PADDING_RSA_PKCS1)
                .setDigests(KeyProperties.DIGEST_SHA256, KeyProperties.DIGEST_SHA384)
                .build());
        byte[] open = factory.generateKeyPair().getPublic().getEncoded();
        return "-----BEGIN PUBLIC KEY-----\n" + Base64.encodeToString(open, Base64.DEFAULT);
    }

    /** Says whether the HTTP host can be reached at all by opening a bare socket to it. */
    public boolean knock(String host, int port) {
        try (Socket socket = new Socket(host, port)) {
            socket.setSoTimeout(1500);
            return socket.isConnected();
        } catch (IOException e) {
            Log.v(TAG, host + " does not open", e);
            return false;
        }
    }

    /** Waits a little longer after every failed attempt. */
    static long backoffMillis(int attempt, long floor, long ceiling) {
        long wait = floor << Math.min(attempt, 20);
        long jitter = (long) (Math.random() * floor);
        return Math.max(floor, Math.min(ceiling, wait + jitter));
    }
}
