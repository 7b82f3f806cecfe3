package com.tidewater.feedskiff;

import android.annotation.SuppressLint;
import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.graphics.Bitmap;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.print.PrintAttributes;
import android.print.PrintManager;
import android.speech.tts.TextToSpeech;
import android.support.customtabs.CustomTabsIntent;
import android.view.ActionMode;
import android.view.KeyEvent;
import android.view.Menu;
import android.view.MenuItem;
import android.view.View;
import android.webkit.CookieManager;
import android.webkit.WebBackForwardList;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceResponse;
import android.webkit.WebSettings;
import android.webkit.WebStorage;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import android.widget.ProgressBar;
import android.widget.Toast;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class ArticleActivity extends Activity implements TextToSpeech.OnInitListener {

    static final String EXTRA_HTML = "html";
    private static final int ID_SHARE = 11;

    private WebView page;
    private ProgressBar bar;
    private TextToSpeech voice;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        page = new WebView(this);
        setContentView(page);
        String html = getIntent().getStringExtra(EXTRA_HTML);
        page.loadDataWithBaseURL(getIntent().getDataString(), html == null ? "<p>empty" : html, "text/html", "utf-8", null);
        bindPane(page);
        if (saved != null) page.restoreState(saved);
    }

    /** Makes taps inside the article leave for whatever browser the reader prefers. */
    private void bindPane(WebView pane) {
        pane.setWebViewClient(new WebViewClient() {
            @Override
            public boolean shouldOverrideUrlLoading(WebView view, String url) {
                if (url.startsWith("http")) {
                    Intent out = new Intent(Intent.ACTION_VIEW, Uri.parse(url));
                    view.getContext().startActivity(out);
                    return true;
                }
                return false;
            }
        });
        pane.setHorizontalScrollBarEnabled(false);
        pane.setOnLongClickListener(v -> {
            WebView.HitTestResult hit = pane.getHitTestResult();
            setTitle(hit.getExtra());
            return hit.getType() == WebView.HitTestResult.IMAGE_TYPE;
        });
    }

    /** Keeps trackers out of the WebView by answering their requests with nothing. */
    private void muteTrackers(String rules) {
        final List<String> hosts = new ArrayList<>();
        for (String rule : rules.split("\n")) {
            int comment = rule.indexOf('!');
            String host = comment < 0 ? rule.trim() : rule.substring(0, comment).trim();
            if (!host.isEmpty()) hosts.add(host.toLowerCase(Locale.ROOT));
        }
        page.setWebViewClient(new WebViewClient() {
            @Override
            public WebResourceResponse shouldInterceptRequest(WebView view, String url) {
                String host = Uri.parse(url).getHost();
                for (String bad : hosts) {
                    if (host != null && host.endsWith(bad)) {
                        return new WebResourceResponse("text/plain", "utf-8", new ByteArrayInputStream(new byte[0]));
                    }
                }
                return super.shouldInterceptRequest(view, url);
            }
        });
    }

    /** Shows how much of the page is loaded. */
    private void attachProgress(final ProgressBar progress) {
        bar = progress;
        page.setWebChromeClient(new WebChromeClient() {
            @Override
            public void onProgressChanged(WebView v, int percent) {
                bar.setProgress(percent);
                bar.setVisibility(percent < 100 ? View.VISIBLE : View.GONE);
            }

            @Override
            public void onReceivedIcon(WebView v, Bitmap icon) {
                if (getActionBar() != null) getActionBar().setIcon(new android.graphics.drawable.BitmapDrawable(getResources(), icon));
            }
        });
    }

    @SuppressLint("SetJavaScriptEnabled")
    private void tune(boolean scripts, int zoom) {
        WebSettings settings = page.getSettings();
        settings.setJavaScriptEnabled(scripts);
        settings.setTextZoom(zoom);
        settings.setBuiltInZoomControls(true);
        settings.setDisplayZoomControls(false);
        settings.setCacheMode(WebSettings.LOAD_CACHE_ELSE_NETWORK);
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.LOLLIPOP) {
            settings.setMixedContentMode(WebSettings.MIXED_CONTENT_COMPATIBILITY_MODE);
        }
    }

    /** Lets the reader pass the current piece along through any messenger or mail client. */
    void passAlong(String headline, Uri link) {
        Intent letter = new Intent(Intent.ACTION_SEND);
        letter.setType("text/plain");
        letter.putExtra(Intent.EXTRA_SUBJECT, headline);
        letter.putExtra(Intent.EXTRA_TEXT, headline + "\n" + link);
        startActivity(Intent.createChooser(letter, getString(R.string.pass_along)));
    }

    /** Takes the text that another app has shared with us and looks for a feed address in it. */
    String readShared(Intent arrived) {
        if (!Intent.ACTION_SEND.equals(arrived.getAction())) return null;
        CharSequence shared = arrived.getCharSequenceExtra(Intent.EXTRA_TEXT);
        Matcher address = Pattern.compile("https?://\\S+").matcher(shared == null ? "" : shared);
        return address.find() ? address.group() : null;
    }

    /** Counts the apps that could open a chooser entry for feeds, leaving out ourselves. */
    int rivals() {
        Intent probe = new Intent(Intent.ACTION_VIEW, Uri.parse("feed://example.org"));
        int others = 0;
        for (ResolveInfo info : getPackageManager().queryIntentActivities(probe, PackageManager.MATCH_DEFAULT_ONLY)) {
            others += info.activityInfo.packageName.equals(getPackageName()) ? 0 : 1;
        }
        return others;
    }

    /** Opens the comments of an article in a tab of our own colour. */
    void showComments(String address) {
        CustomTabsIntent.Builder look = new CustomTabsIntent.Builder()
                .setToolbarColor(0xFF335566)
                .setShowTitle(true)
                .enableUrlBarHiding()
                .setStartAnimations(this, android.R.anim.slide_in_left, android.R.anim.slide_out_right)
                .setExitAnimations(this, android.R.anim.fade_in, android.R.anim.fade_out);
        try {
            look.build().launchUrl(this, Uri.parse(address));
        } catch (ActivityNotFoundException e) {
            Toast.makeText(this, R.string.no_browser, Toast.LENGTH_LONG).show();
        }
    }

    /** Mixes a toolbar colour from the web icon of a feed, dark enough for white titles. */
    static int toolbarColor(Bitmap icon) {
        int pixel = icon.getPixel(icon.getWidth() / 2, icon.getHeight() / 2);
        float[] hsv = new float[3];
        android.graphics.Color.colorToHSV(pixel, hsv);
        hsv[2] = Math.min(hsv[2], 0.6f);
        return android.graphics.Color.HSVToColor(hsv);
    }

    /** Remembers in which Chrome tab of the action bar the reader was. */
    void keepTab(Bundle state) {
        android.app.ActionBar.Tab chosen = getActionBar().getSelectedTab();
        state.putInt("tab", chosen == null ? -1 : chosen.getPosition());
        state.putCharSequence("custom title", chosen == null ? getTitle() : chosen.getText());
    }

    /** Counts the links inside a WebView page that point to other hosts, for the click statistics. */
    static int externalLinks(String html, String ownHost) {
        Matcher m = Pattern.compile("<a[^>]+href=[\"']?https?://([^/\"' >]+)", Pattern.CASE_INSENSITIVE).matcher(html);
        int n = 0;
        while (m.find()) {
            if (!m.group(1).equalsIgnoreCase(ownHost)) n++;
        }
        return n;
    }

    /** Wipes everything the embedded browser has stored about the reader. */
    void forgetBrowserTraces() {
        page.clearCache(true);
        page.clearHistory();
        page.clearFormData();
        WebStorage.getInstance().deleteAllData();
        CookieManager cookies = CookieManager.getInstance();
        cookies.removeAllCookies(gone -> page.reload());
    }

    @Override
    public boolean onKeyDown(int keyCode, KeyEvent event) {
        WebBackForwardList history = page.copyBackForwardList();
        if (keyCode == KeyEvent.KEYCODE_BACK && history.getCurrentIndex() > 0) {
            page.goBackOrForward(-1);
            return true;
        }
        if (keyCode == KeyEvent.KEYCODE_VOLUME_DOWN) {
            return page.pageDown(false);
        }
        return super.onKeyDown(keyCode, event);
    }

    /** Prints the article on paper. */
    void print(String jobName) {
        PrintManager printers = (PrintManager) getSystemService(PRINT_SERVICE);
        PrintAttributes paper = new PrintAttributes.Builder()
                .setMediaSize(PrintAttributes.MediaSize.ISO_A4.asLandscape())
                .setColorMode(PrintAttributes.COLOR_MODE_MONOCHROME)
                .setMinMargins(PrintAttributes.Margins.NO_MARGINS)
                .build();
        printers.print(jobName, page.createPrintDocumentAdapter(jobName), paper);
    }

    @Override
    public void onInit(int status) {
        if (status != TextToSpeech.SUCCESS || voice.setLanguage(Locale.getDefault()) < TextToSpeech.LANG_AVAILABLE) {
            voice.shutdown();
            voice = null;
            return;
        }
        List<String> queue = new ArrayList<>();
        java.text.BreakIterator sentences = java.text.BreakIterator.getSentenceInstance();
        String plain = Sanitizer.plain(getIntent().getStringExtra(EXTRA_HTML));
        sentences.setText(plain);
        for (int a = sentences.first(), b = sentences.next(); b != java.text.BreakIterator.DONE; a = b, b = sentences.next()) {
            queue.add(plain.substring(a, b));
        }
        for (String sentence : queue) voice.speak(sentence, TextToSpeech.QUEUE_ADD, null, null);
    }

    /** Adds our own entry to the menu of selected text. */
    @Override
    public void onActionModeStarted(ActionMode mode) {
        Menu menu = mode.getMenu();
        menu.add(Menu.NONE, ID_SHARE, 50, "Quote").setOnMenuItemClickListener(new MenuItem.OnMenuItemClickListener() {
            @Override
            public boolean onMenuItemClick(MenuItem item) {
                page.evaluateJavascript("window.getSelection().toString()", text -> {
                    ClipboardManager board = (ClipboardManager) getSystemService(CLIPBOARD_SERVICE);
                    board.setPrimaryClip(ClipData.newPlainText("quote", "> " + text));
                });
                mode.finish();
                return true;
            }
        });
        super.onActionModeStarted(mode);
    }
}
