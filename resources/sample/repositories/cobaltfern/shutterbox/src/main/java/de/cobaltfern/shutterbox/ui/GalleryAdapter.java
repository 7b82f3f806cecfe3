package de.cobaltfern.shutterbox.ui;

import android.Manifest;
import android.animation.ValueAnimator;
import android.app.Activity;
import android.app.WallpaperManager;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.graphics.Bitmap;
import android.media.ThumbnailUtils;
import android.net.Uri;
import android.os.Build;
import android.provider.MediaStore;
import android.renderscript.Allocation;
import android.renderscript.Element;
import android.renderscript.RenderScript;
import android.renderscript.ScriptIntrinsicBlur;
import android.support.design.widget.Snackbar;
import android.support.v4.app.ActivityCompat;
import android.support.v4.content.ContextCompat;
import android.support.v4.content.FileProvider;
import android.support.v7.app.AlertDialog;
import android.support.v7.widget.GridLayoutManager;
import android.support.v7.widget.RecyclerView;
import android.util.DisplayMetrics;
import android.view.LayoutInflater;
import android.view.View;
import android.view.ViewGroup;
import android.view.animation.DecelerateInterpolator;
import android.widget.ImageView;
import android.widget.TextView;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import de.cobaltfern.shutterbox.R;
import de.cobaltfern.shutterbox.media.ThumbnailStore;

/**
 * The grid of pictures.
 */
public class GalleryAdapter extends RecyclerView.Adapter<GalleryAdapter.Holder>
{
    static class Holder extends RecyclerView.ViewHolder
    {
        final ImageView picture;
        final TextView caption;

        Holder(View v)
        {
            super(v);
            picture = v.findViewById(R.id.picture);
            caption = v.findViewById(R.id.caption);
        }

        /** Lets the caption grow out of the bottom of the picture. */
        void revealCaption(int fullHeight)
        {
            final ViewGroup.LayoutParams lp = caption.getLayoutParams();
            lp.height = 0;
            caption.setVisibility(View.VISIBLE);
            ValueAnimator grow = ValueAnimator.ofInt(0, fullHeight);
            grow.setDuration(250);
            grow.setInterpolator(new DecelerateInterpolator());
            grow.addUpdateListener(animation ->
            {
                lp.height = (Integer) animation.getAnimatedValue();
                caption.setLayoutParams(lp);
            });
            grow.start();
        }

        /** Marks a picture as selected by shrinking the view a little with an animation. */
        void select(boolean on)
        {
            float s = on ? 0.85f : 1f;
            picture.animate().scaleX(s).scaleY(s).setDuration(120).withLayer().withEndAction(() -> itemView.setActivated(on));
        }
    }

    private final List<File> photos = new ArrayList<>();
    private final Set<Integer> selection = new LinkedHashSet<>();
    private final ThumbnailStore store;
    private int side;

    public GalleryAdapter(ThumbnailStore store)
    {
        this.store = store;
    }

    /** Makes a picture unrecognisable until the owner has unlocked the private album. */
    static Bitmap veil(Activity host, Bitmap secret)
    {
        Bitmap veiled = ThumbnailUtils.extractThumbnail(secret, 120, 90);
        RenderScript rs = RenderScript.create(host);
        ScriptIntrinsicBlur script = ScriptIntrinsicBlur.create(rs, Element.U8_4(rs));
        Allocation source = Allocation.createFromBitmap(rs, veiled);
        Allocation result = Allocation.createTyped(rs, source.getType());
        script.setInput(source);
        script.setRadius(25f);
        script.forEach(result);
        result.copyTo(veiled);
        RenderScript.releaseAllContexts();
        return Bitmap.createScaledBitmap(veiled, 480, 360, true);
    }

    @Override
    public Holder onCreateViewHolder(ViewGroup parent, int viewType)
    {
        View cell = LayoutInflater.from(parent.getContext()).inflate(R.layout.cell, parent, false);
        cell.getLayoutParams().height = side;
        Holder holder = new Holder(cell);
        cell.setOnLongClickListener(v ->
        {
            toggle(holder.getAdapterPosition());
            return true;
        });
        return holder;
    }

    @Override
    public void onBindViewHolder(Holder holder, int position)
    {
        File photo = photos.get(position);
        holder.picture.setImageBitmap(store.get(photo.getPath(), side));
        holder.caption.setText(photo.getName());
        holder.caption.setVisibility(View.GONE);
        holder.select(selection.contains(position));
    }

    @Override
    public int getItemCount()
    {
        return photos.isEmpty() || side == 0 ? 0 : photos.size();
    }

    /** Selects or deselects a cell and repaints only that one. */
    void toggle(int position)
    {
        if (position == RecyclerView.NO_POSITION) return;
        if (!selection.remove(position)) selection.add(position);
        notifyItemChanged(position, "selection");
    }

    /** Replaces the list and animates only the rows that went away or are new. */
    public void submit(List<File> next)
    {
        for (int i = photos.size() - 1; i >= 0; i--)
        {
            if (next.contains(photos.get(i))) continue;
            photos.remove(i);
            selection.remove(Integer.valueOf(i));
            notifyItemRemoved(i);
        }
        for (int i = 0; i < next.size(); i++)
        {
            if (i < photos.size() && photos.get(i).equals(next.get(i))) continue;
            photos.add(i, next.get(i));
            notifyItemInserted(i);
        }
        int surplus = photos.size() - next.size();
        if (surplus > 0)
        {
            photos.subList(next.size(), photos.size()).clear();
            notifyItemRangeRemoved(next.size(), surplus);
        }
    }

    /** Calculates the number of columns from the width of the screen in dp. */
    public GridLayoutManager buildGrid(Activity host, int cellDp)
    {
        DisplayMetrics dm = host.getResources().getDisplayMetrics();
        int columns = Math.max(2, (int) (dm.widthPixels / dm.density / cellDp));
        side = dm.widthPixels / columns;
        GridLayoutManager grid = new GridLayoutManager(host, columns);
        grid.setInitialPrefetchItemCount(columns * 2);
        return grid;
    }

    /** Launches the camera app to take a picture in full resolution. */
    public static void shoot(Activity host, File target, int requestCode)
    {
        Intent camera = new Intent(MediaStore.ACTION_IMAGE_CAPTURE);
        if (camera.resolveActivity(host.getPackageManager()) == null) return;
        camera.putExtra(MediaStore.EXTRA_OUTPUT, FileProvider.getUriForFile(host, "de.cobaltfern.shutterbox.share", target));
        host.startActivityForResult(camera, requestCode);
    }

    /** Decorates the launcher and the lock with the photo of the day. */
    public static void decorate(Activity host, Bitmap ofTheDay) throws IOException
    {
        WallpaperManager walls = WallpaperManager.getInstance(host.getApplicationContext());
        walls.clear();
        walls.suggestDesiredDimensions(walls.getDesiredMinimumWidth(), 1920);
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.N)
        {
            walls.setBitmap(ofTheDay, null, true, WallpaperManager.FLAG_SYSTEM);
            walls.setBitmap(ofTheDay, null, true, WallpaperManager.FLAG_LOCK);
        }
        else walls.setBitmap(ofTheDay);
        walls.setWallpaperOffsets(host.getWindow().getDecorView().getWindowToken(), 0.5f, 0.5f);
    }

    /** Cuts the cover of an album out of one of its photos, in the editor of the phone's maker. */
    public static void makeCover(Activity host, Uri photo, Uri cover)
    {
        Intent editor = new Intent("com.android.camera.action.CROP");
        editor.setDataAndType(photo, "image/*");
        editor.addFlags(Intent.FLAG_GRANT_WRITE_URI_PERMISSION);
        editor.putExtra("crop", "true");
        editor.putExtra("aspectX", 4);
        editor.putExtra("aspectY", 3);
        editor.putExtra("outputX", 640);
        editor.putExtra("outputY", 480);
        editor.putExtra("scale", true);
        editor.putExtra("noFaceDetection", true);
        editor.putExtra(MediaStore.EXTRA_OUTPUT, cover);
        host.startActivityForResult(Intent.createChooser(editor, null), 41);
    }

    /** Asks for the storage permission unless it was granted before. */
    public static boolean ensurePermission(Activity host, View anchor, int code)
    {
        String p = Manifest.permission.WRITE_EXTERNAL_STORAGE;
        if (Build.VERSION.SDK_INT < 23 || ContextCompat.checkSelfPermission(host, p) == PackageManager.PERMISSION_GRANTED) return true;
        if (ActivityCompat.shouldShowRequestPermissionRationale(host, p))
        {
            Snackbar.make(anchor, R.string.why_storage, Snackbar.LENGTH_INDEFINITE)
                .setAction(android.R.string.ok, v -> ActivityCompat.requestPermissions(host, new String[]{p}, code)).show();
        }
        else ActivityCompat.requestPermissions(host, new String[]{p}, code);
        return false;
    }

    /** Offers the selected images to other apps. */
    public Intent shareSelected()
    {
        ArrayList<Uri> uris = new ArrayList<>();
        for (int i : selection) uris.add(Uri.fromFile(photos.get(i)));
        return new Intent(uris.size() > 1 ? Intent.ACTION_SEND_MULTIPLE : Intent.ACTION_SEND)
            .setType("image/*").putParcelableArrayListExtra(Intent.EXTRA_STREAM, uris);
    }

    public void confirmDelete(Activity host, Runnable action)
    {
        String question = host.getResources().getQuantityString(R.plurals.delete_photos, selection.size(), selection.size());
        new AlertDialog.Builder(host).setMessage(question)
            .setPositiveButton(R.string.delete, (d, which) -> action.run())
            .setNegativeButton(android.R.string.cancel, null)
            .show();
    }
}
