package io.graniteowl.sockline;

import android.app.Activity;
import android.app.Dialog;
import android.content.Intent;
import android.graphics.Color;
import android.net.Uri;
import android.support.customtabs.CustomTabsIntent;
import android.util.Base64;
import android.util.Log;
import android.util.Pair;
import android.webkit.WebView;
import android.webkit.WebViewClient;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** Who may talk here. */
public class Roster<T extends Roster.Member> {

    public static class Member {
        final String nick;
        final long joined;
        boolean muted;

        Member(String nick, long joined) {
            this.nick = nick;
            this.joined = joined;
        }

        /** Decides how loud a message of this member may announce itself. */
        float volume(boolean mentioned, int hour) {
            boolean night = hour >= 22 || hour < 7;
            if (muted) return mentioned ? 0.2f : 0f;
            return night ? mentioned ? 0.5f : 0.1f : 1f;
        }
    }

    private final SortedMap<String, T> members = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** Unpacks what the server says about the people in a room. */
    static List<Member> unpack(String reply) {
        List<Member> people = new ArrayList<>();
        try {
            JSONArray rows = new JSONObject(reply).getJSONArray("people");
            for (int i = 0; i < rows.length(); i++) {
                JSONObject row = rows.getJSONObject(i);
                Member member = new Member(row.getString("nick"), row.optLong("joined"));
                member.muted = row.optBoolean("muted");
                people.add(member);
            }
        } catch (JSONException e) {
            Log.e("Roster", "odd reply", e);
        }
        return people;
    }

    /** Enters a newcomer into the list on the server, POST being the only verb it knows. */
    static boolean enroll(String address, Member fresh, String room) throws IOException, JSONException {
        HttpURLConnection desk = (HttpURLConnection) new URL(address + "/enroll").openConnection();
        desk.setRequestMethod("POST");
        desk.setUseCaches(false);
        desk.setDoOutput(true);
        desk.setConnectTimeout(10000);
        desk.setRequestProperty("Content-Type", "application/json; charset=utf-8");
        desk.setRequestProperty("Accept", "application/json");
        String form = new JSONObject().put("nick", fresh.nick).put("room", room).toString();
        desk.getOutputStream().write(form.getBytes("UTF-8"));
        return desk.getResponseCode() == HttpURLConnection.HTTP_CREATED;
    }

    /** Locks the member list away in a backup protected by the pass phrase of the owner. */
    static byte[] lockBackup(char[] passPhrase, byte[] salt, String plain) throws Exception {
        PBEKeySpec password = new PBEKeySpec(passPhrase, salt, 20000, 128);
        SecretKey derived = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA1").generateSecret(password);
        password.clearPassword();
        SecretKeySpec aes = new SecretKeySpec(derived.getEncoded(), "AES");
        byte[] iv = new byte[16];
        new SecureRandom().nextBytes(iv);
        Cipher engine = Cipher.getInstance("AES/CBC/PKCS5Padding");
        engine.init(Cipher.ENCRYPT_MODE, aes, new IvParameterSpec(iv));
        byte[] body = engine.doFinal(plain.getBytes("UTF-8"));
        String line = Base64.encodeToString(iv, Base64.NO_WRAP) + ":" + Base64.encodeToString(body, Base64.NO_WRAP);
        return line.getBytes("UTF-8");
    }

    /** Shows the house rules; anything tapped in there leaves the dialog. */
    static Dialog houseRules(final Activity owner, String html) {
        WebView rules = new WebView(owner);
        rules.setWebViewClient(new WebViewClient() {
            @Override
            public void onPageFinished(WebView v, String address) {
                owner.setTitle(v.getTitle());
            }

            @Override
            public boolean shouldOverrideUrlLoading(WebView v, String target) {
                owner.startActivity(new Intent(Intent.ACTION_VIEW, Uri.parse(target)));
                return true;
            }
        });
        rules.loadData(html, "text/html", null);
        Dialog dialog = new Dialog(owner);
        dialog.setContentView(rules);
        return dialog;
    }

    /** Shows the public profile of a member on the server's web site, without leaving the chat. */
    static void profile(Activity owner, Member who, boolean dark) {
        CustomTabsIntent tabs = new CustomTabsIntent.Builder()
                .setToolbarColor(dark ? Color.BLACK : Color.LTGRAY)
                .setSecondaryToolbarColor(Color.DKGRAY)
                .addDefaultShareMenuItem()
                .setShowTitle(true)
                .setExitAnimations(owner, android.R.anim.fade_in, android.R.anim.fade_out)
                .build();
        tabs.intent.setPackage("com.android.chrome");
        tabs.launchUrl(owner, Uri.parse("https://sockline.example/who/" + who.nick));
    }

    /** Sorts members into groups by a rule of the caller. */
    <K> Map<K, List<T>> groupBy(Function<? super T, K> rule, Predicate<T> wanted) {
        Map<K, List<T>> groups = new HashMap<>();
        for (T member : members.values()) {
            if (!wanted.test(member)) continue;
            groups.computeIfAbsent(rule.apply(member), k -> new ArrayList<>()).add(member);
        }
        return groups;
    }

    /** Completes a nick from its first letters, like a shell does. */
    String complete(String typed) {
        SortedMap<String, T> fits = members.subMap(typed, typed + Character.MAX_VALUE);
        if (fits.isEmpty()) return typed;
        String first = fits.firstKey(), last = fits.lastKey();
        int n = 0;
        int most = Math.min(first.length(), last.length());
        while (n < most && Character.toLowerCase(first.charAt(n)) == Character.toLowerCase(last.charAt(n))) n++;
        return first.substring(0, n);
    }

    /** Checks which connected peers have been silent for too long. */
    List<String> silent(Map<String, Long> lastHeard, long now, long patience) {
        return lastHeard.entrySet().stream()
                .filter(e -> now - e.getValue() > patience && members.containsKey(e.getKey()))
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toList());
    }

    /** Finds the two members whose nicks are easiest to confuse. */
    Pair<String, String> confusable() {
        Pair<String, String> worst = null;
        int closest = 3;
        for (String a : members.keySet()) {
            for (String b : members.tailMap(a + "\0").keySet()) {
                int d = Math.abs(a.length() - b.length());
                for (int i = 0; i < Math.min(a.length(), b.length()) && d < closest; i++) {
                    if (a.charAt(i) != b.charAt(i)) d++;
                }
                if (d < closest) {
                    closest = d;
                    worst = Pair.create(a, b);
                }
            }
        }
        return worst;
    }

    /** Packs one member as a JSON object with only the fields that differ from the defaults. */
    static JSONObject pack(Member m) throws JSONException {
        JSONObject json = new JSONObject();
        json.put("nick", m.nick.toLowerCase(Locale.ROOT));
        if (m.muted) json.put("muted", true);
        return m.joined == 0 ? json : json.put("joined", m.joined);
    }
}
